//! Greatest common divisors by steps that cancel one leading coefficient each, by the definition (paper 002, algorithms 20 to
//! 23, corrected; Bernstein and Yang, 2019, for the fixed number of steps): what `gcd_steps.cl` does, step by step.

use manycore_field::ModularField;

use crate::arithmetic::linear::reference::stripped_len;

/// Two polynomials between steps: their coefficients from the formal leading one down.
///
/// A step takes one polynomial as the target `T` and the other one as `O`, and lowers the formal length of `T` by one:
///
/// ```text
/// T[k] = O[0] T[k + 1] - T[0] O[k + 1]        or, where O[0] or T[0] is 0,        T[k] = T[k + 1]
/// ```
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_poly::gcd::Steps;
/// let field = PrimeField::<u32>::new(7)?;
/// let mut steps = Steps::new(&field, &[6, 5, 1, 0, 1], &[2, 0, 3, 1]);
/// assert!(steps.step());
/// assert_eq!(steps.coefficients(), (&[4, 1, 3, 6][..], &[1, 3, 0, 2][..]));
/// while steps.step() {}
/// assert_eq!(steps.result(), [1]);
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
#[derive(Debug, Clone)]
pub struct Steps<'a, F: ModularField> {
    field: &'a F,
    /// Both polynomials.
    both: [Vec<F::Element>; 2],
}

impl<'a, F: ModularField> Steps<'a, F> {
    /// The polynomials with these coefficients, the constant term first, before the first step; leading zeros are allowed.
    pub fn new(field: &'a F, a: &[F::Element], b: &[F::Element]) -> Self {
        let reversed = |f: &[F::Element]| f.iter().rev().copied().collect();
        Self { field, both: [reversed(a), reversed(b)] }
    }

    /// The coefficients of both, from the formal leading ones down.
    pub fn coefficients(&self) -> (&[F::Element], &[F::Element]) {
        (&self.both[0], &self.both[1])
    }

    /// Makes a step, on a polynomial that begins with 0 before all, else on the longer one, of two as long on the first;
    /// `false` where one of both is zero or a constant, and nothing is left to do. `O(n)` products.
    pub fn step(&mut self) -> bool {
        let zero = self.field.zero();
        let (Some(&x), Some(&y)) = (self.both[0].first(), self.both[1].first()) else { return false };
        let lens = [self.both[0].len(), self.both[1].len()];
        if (lens[0] == 1 && x != zero) || (lens[1] == 1 && y != zero) {
            return false;
        }
        let on_first = x == zero || (y != zero && lens[0] >= lens[1]);
        self.apply(usize::from(!on_first));
        true
    }

    /// A step on one of both.
    fn apply(&mut self, target: usize) {
        let field = self.field;
        let [x, y] = [&self.both[target], &self.both[1 - target]].map(|f| f.first().copied().unwrap_or(field.zero()));
        let own = std::mem::take(&mut self.both[target]);
        let other = &self.both[1 - target];
        let skip = x == field.zero() || y == field.zero();
        let one = |(k, &c): (usize, &F::Element)| {
            let other = other.get(k).copied().unwrap_or(field.zero());
            if skip { c } else { field.sub(field.mul(y, c), field.mul(x, other)) }
        };
        self.both[target] = own.iter().enumerate().skip(1).map(one).collect();
    }

    /// The monic greatest common divisor once [`Steps::step`] gives `false`, the constant term first; no coefficients where
    /// both polynomials are zero.
    pub fn result(&self) -> Vec<F::Element> {
        match &self.both {
            [a, b] if a.is_empty() => self.monic(b),
            [a, b] if b.is_empty() => self.monic(a),
            _ => vec![self.field.one()],
        }
    }

    fn monic(&self, leading_first: &[F::Element]) -> Vec<F::Element> {
        let mut f: Vec<F::Element> = leading_first.iter().rev().copied().collect();
        f.truncate(stripped_len(self.field, &f));
        if let Some(inverse) = f.last().and_then(|&c| self.field.inverse(c)) {
            for c in &mut f {
                *c = self.field.mul(*c, inverse);
            }
        }
        f
    }

    /// The monic greatest common divisor by division steps: `a.len() + b.len() - 2` of them whatever the coefficients are, for
    /// polynomials whose leading coefficients are not 0. One of both, `F`, never begins with 0; a step is on `F` where that is
    /// longer and the other one does not begin with 0, and `F` then names the other one; else it is on the other one. In the
    /// end `F` is the divisor.
    ///
    /// ```
    /// use manycore_field::PrimeField;
    /// use manycore_poly::gcd::Steps;
    /// let field = PrimeField::<u32>::new(9001)?;
    /// assert_eq!(Steps::by_division_steps(&field, &[5, 11, 3, 17, 3, 3], &[35, 7, 12, 1, 1]), [5, 1, 1]);
    /// # Ok::<(), manycore_field::NotPrime>(())
    /// ```
    pub fn by_division_steps(field: &'a F, a: &[F::Element], b: &[F::Element]) -> Vec<F::Element> {
        let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let mut steps = Self::new(field, a, b);
        if b.is_empty() {
            return steps.monic(&steps.both[0]);
        }
        let (mut f, mut lens) = (0, [a.len() as i64, b.len() as i64]);
        for _ in 2..a.len() + b.len() {
            let swap = lens[f] > lens[1 - f] && steps.both[1 - f].first().is_some_and(|&c| c != field.zero());
            let target = if swap { f } else { 1 - f };
            steps.apply(target);
            lens[target] -= 1;
            f = 1 - target;
        }
        let divisor = &steps.both[f];
        steps.monic(divisor)
    }
}

#[cfg(test)]
mod tests {
    use manycore_field::PrimeField;

    use super::*;
    use crate::arithmetic::gcd::reference;

    /// Both traces of the specification, the second with degrees that drop by more than one.
    #[test]
    fn traces_of_the_specification() {
        type Trace<'a> = (&'a [u32], &'a [u32], &'a [(usize, &'a [u32])], &'a [u32]);
        let field = PrimeField::<u32>::new(7).unwrap();
        let traces: [Trace<'_>; 2] = [
            (
                &[6, 5, 1, 0, 1],
                &[2, 0, 3, 1],
                &[(0, &[4, 1, 3, 6]), (0, &[3, 3, 5]), (1, &[6, 2, 6]), (0, &[5, 5]), (1, &[1, 2]), (0, &[2])],
                &[1],
            ),
            (
                &[3, 3, 0, 0, 1, 1],
                &[2, 2, 0, 1, 1],
                &[
                    (0, &[0, 0, 5, 1, 3]),
                    (0, &[0, 5, 1, 3]),
                    (0, &[5, 1, 3]),
                    (1, &[4, 4, 3, 3]),
                    (1, &[2, 3, 1]),
                    (0, &[1, 1]),
                    (1, &[1, 1]),
                    (0, &[0]),
                    (0, &[]),
                ],
                &[1, 1],
            ),
        ];
        for (a, b, trace, gcd) in traces {
            let mut steps = Steps::new(&field, a, b);
            for (i, (which, expected)) in trace.iter().enumerate() {
                assert!(steps.step(), "step {i}");
                assert_eq!(steps.both[*which], *expected, "step {i}");
            }
            assert!(!steps.step());
            assert_eq!((steps.result(), reference::gcd(&field, a, b)), (gcd.to_vec(), gcd.to_vec()));
        }
    }

    #[test]
    fn steps_of_both_kinds_equal_the_definition() {
        for p in [2u32, 3, 7, 469_762_049] {
            let field = PrimeField::<u32>::new(p).unwrap();
            for seed in 0..200u64 {
                let random = |len: u64, salt: u64| -> Vec<u32> {
                    let word = |i| crate::arithmetic::linear::reference::random(&field, 3 * seed + salt, i);
                    let sparse =
                        |i: u64| if seed.is_multiple_of(3) && !(i + seed).is_multiple_of(4) { 0 } else { word(i) };
                    (0..len).map(sparse).collect()
                };
                let (mut a, mut b) = (random(seed % 13, 0), random(seed % 11, 1));
                let expected = reference::gcd(&field, &a, &b);
                let mut steps = Steps::new(&field, &a, &b);
                let count = (0..a.len() + b.len()).filter(|_| steps.step()).count();
                assert!(count < (a.len() + b.len()).max(1));
                assert_eq!(steps.result(), expected, "{a:?} and {b:?} mod {p}");
                a.truncate(stripped_len(&field, &a));
                b.truncate(stripped_len(&field, &b));
                assert_eq!(Steps::by_division_steps(&field, &a, &b), expected, "{a:?} and {b:?} mod {p}");
            }
        }
    }
}
