//! Exact integers as the second computation has them: of 128 bits, with two infinities, and nothing of what passes its type.

use super::kind::Kind;

/// Minus infinity and infinity, which no integer of a type of entries is.
pub(crate) const BELOW: i128 = i128::MIN;
pub(crate) const ABOVE: i128 = i128::MAX;

/// An integer or an infinity; `None` of what passes its type, or is made of such.
pub(crate) type Exact = Option<i128>;

/// The integers of a type, and whether its ends stand for infinities.
#[derive(Debug, Clone, Copy)]
pub struct Domain {
    /// The least and the greatest integer.
    pub(crate) ends: (i128, i128),
    /// Whether those stand for infinities.
    pub(crate) is_infinite: bool,
    /// Whether integers are those modulo `2^bits`.
    pub(crate) wraps: bool,
}

impl Domain {
    /// An integer of the type as it was read.
    pub(crate) fn of(&self, entry: i128) -> i128 {
        match entry {
            entry if self.is_infinite && entry == self.ends.0 => BELOW,
            entry if self.is_infinite && entry == self.ends.1 => ABOVE,
            entry => entry,
        }
    }

    /// An integer that was computed, as one of the type.
    pub(crate) fn held(&self, value: i128) -> Exact {
        let (least, greatest) = self.ends;
        if self.wraps {
            // The bits of the type, the uppermost of which is its sign.
            let count = greatest - least + 1;
            return Some((value - least).rem_euclid(count) + least);
        }
        if value == BELOW || value == ABOVE {
            return self.is_infinite.then_some(value);
        }
        let is_end = self.is_infinite && (value == least || value == greatest);
        (least <= value && value <= greatest && !is_end).then_some(value)
    }

    /// `a + b`; an infinity with a number is that infinity.
    pub(crate) fn sum(&self, a: i128, b: i128) -> Exact {
        match (is_finite(a), is_finite(b)) {
            (true, true) => self.held(a + b),
            (true, false) => Some(b),
            (false, true) => Some(a),
            (false, false) => (a == b).then_some(a),
        }
    }

    /// `a - b`.
    pub(crate) fn difference(&self, a: i128, b: i128) -> Exact {
        match b {
            BELOW => self.sum(a, ABOVE),
            ABOVE => self.sum(a, BELOW),
            b if is_finite(a) => self.held(a - b),
            _ => Some(a),
        }
    }

    /// `-a`.
    pub(crate) fn negative(&self, a: i128) -> Exact {
        match a {
            BELOW => Some(ABOVE),
            ABOVE => Some(BELOW),
            a => self.held(-a),
        }
    }

    /// `a b`; of an infinity and a number that is not 0 an infinity.
    pub(crate) fn product(&self, a: i128, b: i128) -> Exact {
        if is_finite(a) && is_finite(b) {
            return self.held(a * b);
        }
        (a != 0 && b != 0).then_some(if (a < 0) == (b < 0) { ABOVE } else { BELOW })
    }

    /// The sum of nothing.
    pub(crate) fn zero(&self, kind: Kind) -> i128 {
        let end = |infinity, end| if self.is_infinite { infinity } else { end };
        match kind {
            Kind::PlusTimes | Kind::OrAnd => 0,
            Kind::MaxPlus | Kind::MaxMin | Kind::MaxTimes => end(BELOW, self.ends.0),
            Kind::MinPlus | Kind::MinMax => end(ABOVE, self.ends.1),
        }
    }

    /// A term of a product, the sum of nothing where a factor is; sums and products with infinities that have none are nothing.
    fn term(&self, kind: Kind, a: Exact, b: Exact) -> Exact {
        let zero = self.zero(kind);
        if kind != Kind::MaxTimes && (a == Some(zero) || b == Some(zero)) && !(self.wraps && is_plus(kind)) {
            return Some(zero);
        }
        let (a, b) = (a?, b?);
        match kind {
            Kind::PlusTimes | Kind::MaxTimes if is_finite(a) && is_finite(b) => Some(a * b),
            Kind::PlusTimes | Kind::MaxTimes => None,
            Kind::MaxPlus | Kind::MinPlus if is_finite(a) && is_finite(b) => Some(a + b),
            Kind::MaxPlus | Kind::MinPlus => Some(if is_finite(a) { b } else { a }),
            Kind::MaxMin => Some(a.min(b)),
            Kind::MinMax => Some(a.max(b)),
            Kind::OrAnd => (is_finite(a) && is_finite(b)).then_some(a & b),
        }
    }

    /// The entry of a product of these pairs.
    pub(crate) fn entry(&self, kind: Kind, pairs: &mut dyn Iterator<Item = (Exact, Exact)>) -> Exact {
        if kind == Kind::PlusTimes {
            return self.sum_of_products(pairs);
        }
        let mut sum = self.zero(kind);
        let mut is_past = false;
        for (a, b) in pairs {
            // Terms modulo 2^bits are compared as such.
            let term = self.term(kind, a, b).and_then(|term| if self.wraps { self.held(term) } else { Some(term) });
            let Some(term) = term else {
                is_past = true;
                continue;
            };
            sum = match kind {
                Kind::MaxPlus | Kind::MaxMin | Kind::MaxTimes => sum.max(term),
                Kind::MinPlus | Kind::MinMax => sum.min(term),
                Kind::PlusTimes | Kind::OrAnd => sum | term,
            };
        }
        // The sum of nothing is what it is.
        if is_past {
            None
        } else if sum == self.zero(kind) {
            Some(sum)
        } else {
            self.held(sum)
        }
    }

    /// Whether 128 bits hold sums of products of these factors.
    pub(crate) fn is_short(a: &[i128], b: &[i128], inner: usize) -> bool {
        let most = |of: &[i128]| of.iter().map(|a| a.unsigned_abs()).max().unwrap_or(0);
        most(a).saturating_mul(most(b)).saturating_mul(inner as u128) < 1 << 126
    }

    /// The entries of a row of a product, whose sums of products are short.
    pub(crate) fn row(&self, kind: Kind, is_short: bool, a: &[i128], b: &[i128], sums: &mut [Exact]) {
        let sum = |a: i128, b: i128, first: i128, second: i128| match (a, b) {
            (a, b) if a == first || b == first => first,
            (a, b) if a == second || b == second => second,
            (a, b) => a + b,
        };
        match kind {
            _ if self.wraps || (kind == Kind::PlusTimes && !is_short) => {
                let columns = sums.len();
                for (column, sum) in sums.iter_mut().enumerate() {
                    let pairs = a.iter().enumerate().map(|(i, &a)| (Some(a), Some(b[i * columns + column])));
                    *sum = self.entry(kind, &mut { pairs });
                }
            }
            Kind::PlusTimes => self.fold(kind, (a, b), sums, |a, b| a * b, |a, b| a + b),
            Kind::MaxTimes => self.fold(kind, (a, b), sums, |a, b| a * b, i128::max),
            Kind::MaxPlus => self.fold(kind, (a, b), sums, |a, b| sum(a, b, BELOW, ABOVE), i128::max),
            Kind::MinPlus => self.fold(kind, (a, b), sums, |a, b| sum(a, b, ABOVE, BELOW), i128::min),
            Kind::MaxMin => self.fold(kind, (a, b), sums, i128::min, i128::max),
            Kind::MinMax => self.fold(kind, (a, b), sums, i128::max, i128::min),
            Kind::OrAnd => self.fold(kind, (a, b), sums, |a, b| a & b, |a, b| a | b),
        }
    }

    fn fold(
        &self,
        kind: Kind,
        (a, b): (&[i128], &[i128]),
        sums: &mut [Exact],
        term: impl Fn(i128, i128) -> i128,
        sum: impl Fn(i128, i128) -> i128,
    ) {
        let mut exact = vec![self.zero(kind); sums.len()];
        for (&a, b) in a.iter().zip(b.chunks_exact(sums.len())) {
            for (exact, &b) in exact.iter_mut().zip(b) {
                *exact = sum(*exact, term(a, b));
            }
        }
        for (sum, exact) in sums.iter_mut().zip(exact) {
            *sum = self.held(exact);
        }
    }

    /// Upper and lower words apart, so that no sum of them overflows.
    fn sum_of_products(&self, pairs: &mut dyn Iterator<Item = (Exact, Exact)>) -> Exact {
        let (mut upper, mut lower, mut is_past) = (0i128, 0i128, false);
        for (a, b) in pairs {
            match self.term(Kind::PlusTimes, a, b) {
                Some(product) => {
                    upper += product >> 64;
                    lower += product & i128::from(u64::MAX);
                }
                None => is_past = true,
            }
        }
        if is_past {
            return None;
        }
        upper += lower >> 64;
        lower &= i128::from(u64::MAX);
        if self.wraps {
            return self.held(lower);
        }
        self.held(upper.checked_mul(1 << 64)?.checked_add(lower)?)
    }
}

fn is_finite(a: i128) -> bool {
    a != BELOW && a != ABOVE
}

fn is_plus(kind: Kind) -> bool {
    matches!(kind, Kind::MaxPlus | Kind::MinPlus)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: Domain = Domain { ends: (-128, 127), is_infinite: false, wraps: false };

    fn entry(domain: Domain, kind: Kind, pairs: &[(i128, i128)]) -> Exact {
        domain.entry(kind, &mut pairs.iter().map(|&(a, b)| (Some(domain.of(a)), Some(domain.of(b)))))
    }

    #[test]
    fn integers_are_held_or_not() {
        let infinite = Domain { is_infinite: true, ..BYTE };
        assert_eq!((BYTE.held(127), BYTE.held(128), BYTE.held(-129)), (Some(127), None, None));
        assert_eq!((infinite.held(127), infinite.of(127), infinite.held(ABOVE)), (None, ABOVE, Some(ABOVE)));
        let wraps = Domain { wraps: true, ..BYTE };
        assert_eq!((wraps.held(128), wraps.held(-129), wraps.held(300)), (Some(-128), Some(127), Some(44)));
        assert_eq!(
            (infinite.sum(ABOVE, BELOW), infinite.sum(ABOVE, -5), infinite.product(0, ABOVE)),
            (None, Some(ABOVE), None)
        );
        assert_eq!((infinite.product(-1, ABOVE), infinite.negative(BELOW)), (Some(BELOW), Some(ABOVE)));
    }

    #[test]
    fn entries_of_products() {
        let infinite = Domain { is_infinite: true, ..BYTE };
        assert_eq!(entry(BYTE, Kind::PlusTimes, &[(100, 100), (100, -100), (3, 4)]), Some(12));
        assert_eq!(entry(BYTE, Kind::PlusTimes, &[(100, 2)]), None);
        assert_eq!(entry(Domain { wraps: true, ..BYTE }, Kind::PlusTimes, &[(100, 2)]), Some(-56));
        assert_eq!(entry(infinite, Kind::MaxPlus, &[(-128, 127), (100, -10)]), Some(90));
        assert_eq!(entry(infinite, Kind::MaxPlus, &[(127, 3)]), Some(ABOVE));
        assert_eq!(entry(infinite, Kind::MaxPlus, &[(100, 27)]), None);
        assert_eq!(entry(infinite, Kind::MinPlus, &[(127, 3), (127, 127)]), Some(ABOVE));
        assert_eq!(entry(infinite, Kind::MaxMin, &[(127, 3), (-128, 5)]), Some(3));
        let wide = Domain { ends: (i64::MIN.into(), i64::MAX.into()), is_infinite: false, wraps: false };
        let least = i128::from(i64::MIN);
        assert_eq!(entry(wide, Kind::PlusTimes, &[(least, least); 8]), None);
        // Sums past 128 bits that come back.
        let cancels = [[(least, least); 4], [(least, -least - 1); 4], [(least, 1); 4]].concat();
        assert_eq!(entry(wide, Kind::PlusTimes, &cancels), Some(0));
    }
}
