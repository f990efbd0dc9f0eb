//! Explicit isomorphisms between lists of factors, by Chinese remainders.

use num_integer::Integer as _;

use super::{AbelianGroup, GroupError};

/// An isomorphism from one list of factors to another: `z -> (z mod 2, z mod 3)` from `C_6` to `C_2 x C_3`, for one.
///
/// Factors are split into prime powers, those of equal power are matched in the order of the lists, and Chinese remainders
/// put them together again. The tables of the two lists are equal up to it: entry `(w, z)` of the first is entry
/// `(character(w), element(z))` of the second.
///
/// ```
/// use manycore_characters::{AbelianGroup, IndexMap};
/// let (c6, c2c3) = (AbelianGroup::new(&[6])?, AbelianGroup::new(&[2, 3])?);
/// let map = IndexMap::new(&c6, &c2c3)?;
/// let elements: Result<Vec<u64>, _> = (0..6).map(|z| map.element(z)).collect();
/// assert_eq!(elements?, [0, 4, 2, 3, 1, 5]); // (z mod 2) * 3 + z mod 3
/// assert_eq!(map.inverse().element(map.element(5)?)?, 5);
/// # Ok::<(), manycore_characters::GroupError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexMap {
    from: AbelianGroup,
    to: AbelianGroup,
    parts: Vec<Part>,
}

/// A prime power on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    power: u64,
    from: usize,
    to: usize,
    /// What is 1 mod the power and 0 mod the rest of its factor, on either side.
    from_unit: u64,
    to_unit: u64,
}

impl IndexMap {
    /// The isomorphism from `from` to `to`.
    ///
    /// # Errors
    /// [`GroupError::NotIsomorphic`].
    pub fn new(from: &AbelianGroup, to: &AbelianGroup) -> Result<Self, GroupError> {
        if !from.is_isomorphic(to) {
            return Err(GroupError::NotIsomorphic { from: from.to_string(), to: to.to_string() });
        }
        let pairs = from.prime_parts().into_iter().zip(to.prime_parts());
        let parts = pairs.map(|(a, b)| Part {
            power: a.power,
            from: a.position,
            to: b.position,
            from_unit: unit(a.power, from.factors[a.position]),
            to_unit: unit(b.power, to.factors[b.position]),
        });
        Ok(Self { from: from.clone(), to: to.clone(), parts: parts.collect() })
    }

    /// The group that it leads from.
    pub fn from(&self) -> &AbelianGroup {
        &self.from
    }

    /// The group that it leads to.
    pub fn to(&self) -> &AbelianGroup {
        &self.to
    }

    /// The isomorphism back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let turned = |part: &Part| Part {
            from: part.to,
            to: part.from,
            from_unit: part.to_unit,
            to_unit: part.from_unit,
            ..*part
        };
        Self { from: self.to.clone(), to: self.from.clone(), parts: self.parts.iter().map(turned).collect() }
    }

    /// The image of an element.
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn element(&self, element: u64) -> Result<u64, GroupError> {
        let digits = self.from.digits(element)?;
        let mut image = vec![0u64; self.to.factors.len()];
        for part in &self.parts {
            let n = self.to.factors[part.to];
            let term = product(digits[part.from] % part.power, part.to_unit, n);
            image[part.to] = sum(image[part.to], term, n);
        }
        Ok(self.to.index_of(&image))
    }

    /// The character of the other list with the same values: `chi_character(w)(element(z)) = chi_w(z)`.
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn character(&self, character: u64) -> Result<u64, GroupError> {
        let digits = self.from.digits(character)?;
        let mut image = vec![0u64; self.to.factors.len()];
        for part in &self.parts {
            let (n, m) = (self.from.factors[part.from], self.to.factors[part.to]);
            // The character's value at the element that goes to the unit vector: of order q, as a multiple of n / q.
            let exponent = product(digits[part.from], part.from_unit, n) / (n / part.power);
            image[part.to] = sum(image[part.to], exponent * (m / part.power), m);
        }
        Ok(self.to.index_of(&image))
    }
}

fn product(a: u64, b: u64, n: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(n)) as u64
}

fn sum(a: u64, b: u64, n: u64) -> u64 {
    ((u128::from(a) + u128::from(b)) % u128::from(n)) as u64
}

/// The number below `n` that is 1 mod `power` and 0 mod `n / power`, which are coprime.
fn unit(power: u64, n: u64) -> u64 {
    let rest = n / power;
    let inverse = i128::from(rest % power).extended_gcd(&i128::from(power)).x.rem_euclid(i128::from(power));
    product(rest, inverse as u64, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(factors: &[u64]) -> AbelianGroup {
        AbelianGroup::new(factors).unwrap()
    }

    #[test]
    fn maps_are_isomorphisms_that_keep_characters() {
        let pairs: [(&[u64], &[u64]); 8] = [
            (&[6], &[2, 3]),
            (&[3, 2], &[6]),
            (&[12, 2], &[4, 6]),
            (&[4, 6], &[2, 4, 3]),
            (&[], &[1]),
            (&[2, 1, 2], &[2, 2]),
            (&[30], &[5, 2, 3]),
            (&[9, 4, 2], &[18, 4]),
        ];
        for (from, to) in pairs {
            let (from, to) = (group(from), group(to));
            let map = IndexMap::new(&from, &to).unwrap();
            let mut seen: Vec<u64> = (0..from.order()).map(|z| map.element(z).unwrap()).collect();
            for z in 0..from.order() {
                assert_eq!(map.inverse().element(map.element(z).unwrap()), Ok(z));
                assert_eq!(map.inverse().character(map.character(z).unwrap()), Ok(z), "{from} to {to}");
                for y in 0..from.order() {
                    let image = map.element(from.add(y, z).unwrap()).unwrap();
                    assert_eq!(image, to.add(map.element(y).unwrap(), map.element(z).unwrap()).unwrap());
                    let value = to.character_exponent(map.character(y).unwrap(), map.element(z).unwrap());
                    assert_eq!(value, from.character_exponent(y, z), "{from} to {to}: {y} at {z}");
                }
            }
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..from.order()));
        }
    }

    #[test]
    fn groups_that_differ_are_refused() {
        let error = IndexMap::new(&group(&[4]), &group(&[2, 2])).unwrap_err();
        assert_eq!(error.to_string(), "C_4 and C_2 x C_2 are not isomorphic: their prime powers differ");
    }

    #[test]
    fn large_coprime_factors_map_without_overflow() {
        let (p, q) = (4_294_967_291, 4_294_967_279);
        let map = IndexMap::new(&group(&[p * q]), &group(&[p, q])).unwrap();
        for z in [0, 1, p, q, p * q - 1, 12_345_678_901_234_567_890 % (p * q)] {
            assert_eq!(map.element(z), Ok((z % p) * q + z % q));
            assert_eq!(map.inverse().element(map.element(z).unwrap()), Ok(z));
        }
    }
}
