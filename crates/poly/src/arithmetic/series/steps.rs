//! The precisions of Newton's iteration, and what its steps share: an inverse that grows, and coefficients put behind others.

use manycore_field::ResidueWord as _;

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Coefficients that are computed by the recurrences before the iteration begins.
pub(super) const BASE: usize = 32;

/// What needs room, as errors name it.
pub(super) const SERIES: &str = "a power series";

/// The precisions up to `n`, each at most twice the one before, the first at most [`BASE`]: halved from the one wanted down, so
/// that no step computes more than is needed.
pub(super) fn precisions(n: usize, base: usize) -> Vec<usize> {
    let mut all = vec![n];
    let mut at = n;
    while at > base {
        at = at.div_ceil(2);
        all.push(at);
    }
    all.reverse();
    all
}

impl<F: PolyField> PolyRing<F> {
    /// `low + x^at high` for a `low` of at most `at` coefficients.
    pub(super) fn joined(&self, low: &Poly<F>, at: usize, high: &Poly<F>) -> Result<Poly<F>, PolyError> {
        if high.is_zero() {
            return self.copy(low);
        }
        let len = at.checked_add(high.len()).ok_or(PolyError::TooLong { what: SERIES })?;
        let mut both = self.device().scratch(len)?;
        if !low.is_zero() {
            both.view_mut(..low.len())?.copy_from(low.view()?)?;
        }
        both.view_mut(low.len()..at)?.fill(self.field().zero())?;
        both.view_mut(at..)?.copy_from(high.view()?)?;
        Ok(self.exact(both, len))
    }

    /// The inverse of the series `f` to precision `to`, from `inverse`, which is known to precision `from`, at least half of that.
    pub(super) fn extended_inverse(
        &self,
        f: &Poly<F>,
        inverse: &Poly<F>,
        from: usize,
        to: usize,
    ) -> Result<Poly<F>, PolyError> {
        if from >= to {
            return self.copy(inverse);
        }
        let error = self.mul_middle(f, inverse, from..to)?;
        let correction = self.mul_short(&error, inverse, to - from)?;
        self.joined(inverse, from, &self.neg(&correction)?)
    }

    /// The error of a step whose series has a constant term other than 0 by what was computed before: where the device returns 0, it failed
    /// silently.
    pub(super) fn spoiled_unit(&self, error: PolyError) -> PolyError {
        let most = usize::try_from(self.field().order() - 1).unwrap_or(usize::MAX);
        match error {
            PolyError::NoUnit => self.within("the constant term of a power series", 0, 1..=most).err().unwrap_or(error),
            error => error,
        }
    }

    /// The coefficients of `f` from `start` to before `end`, as those of a polynomial that begins with the first of them.
    pub(super) fn slice(&self, f: &Poly<F>, start: usize, end: usize) -> Result<Poly<F>, PolyError> {
        self.shift_down(&self.truncate(f, end)?, start)
    }

    /// Fails unless all integers from 1 to before `n` have inverses modulo the prime.
    pub(super) fn divides_below(&self, n: usize, operation: &'static str) -> Result<(), PolyError> {
        let p = self.field().order();
        if n as u64 > p {
            return Err(PolyError::Characteristic { operation, n, p });
        }
        Ok(())
    }

    /// Fails unless the constant term is 0 or 1, as an operation expects.
    pub(super) fn begins_with(&self, f: &Poly<F>, expected: u64, operation: &'static str) -> Result<(), PolyError> {
        let given = self.coefficient(f, 0)?.as_u64();
        if given != expected {
            return Err(PolyError::ConstantTerm { operation, expected, given });
        }
        Ok(())
    }

    /// The lowest `n` coefficients on the host, of which there are `n`.
    pub(super) fn lowest(&self, f: &Poly<F>, n: usize) -> Result<Vec<F::Element>, PolyError> {
        let mut words = self.coefficients(&self.truncate(f, n)?)?;
        words.resize(n, self.field().zero());
        Ok(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precisions_at_most_double() {
        for n in 1..300 {
            for base in [1, 2, 32] {
                let all = precisions(n, base);
                assert!(all[0] <= base.max(1) && *all.last().unwrap() == n, "{all:?}");
                assert!(all.windows(2).all(|pair| pair[0] < pair[1] && pair[1] <= 2 * pair[0]), "{all:?}");
            }
        }
        assert_eq!(precisions(32, BASE), [32]);
        assert_eq!(precisions(33, BASE), [17, 33]);
    }
}
