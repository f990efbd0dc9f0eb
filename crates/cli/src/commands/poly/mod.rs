//! The field that a modulus names.

use manycore::field::with_field;
use manycore::{BivariateField, MatrixField};

use crate::error::Error;

/// A modulus, of which it is not yet known whether it is a prime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Modulus(pub(crate) u64);

/// Something to do over a field whose type depends on the modulus.
pub(crate) trait WithField {
    type Output;

    fn run<F: BivariateField + MatrixField>(self, field: F) -> Result<Self::Output, Error>;
}

impl Modulus {
    /// Does it over the field with the shortest words that hold the residues.
    ///
    /// # Errors
    /// [`Error::Modulus`] for what is no prime below `2^63`, nor `2^64 - 2^32 + 1`; whatever the work fails with.
    pub(crate) fn with<W: WithField>(self, work: W) -> Result<W::Output, Error> {
        with_field!(self.0, field => work.run(field))?
    }
}

#[cfg(test)]
mod tests {
    use manycore::PolyField;

    use super::*;

    struct Words;

    impl WithField for Words {
        type Output = (u64, usize);

        fn run<F: PolyField>(self, field: F) -> Result<Self::Output, Error> {
            Ok((field.order(), size_of::<F::Element>()))
        }
    }

    #[test]
    fn words_are_as_short_as_the_modulus_lets_them() {
        for (p, bytes) in [(2, 4), (2_147_483_647, 4), (4_294_967_291, 8), (u64::MAX - (1 << 32) + 2, 8)] {
            assert_eq!(Modulus(p).with(Words).unwrap(), (p, bytes));
        }
    }

    #[test]
    fn what_is_no_prime_is_named() {
        let message = |p| Modulus(p).with(Words).unwrap_err().to_string();
        assert_eq!(message(0), "--modulus: the modulus is 0, and must be a prime");
        assert!(message(1).starts_with("--modulus: the modulus is 1"));
        assert_eq!(message(12), "--modulus: the modulus 12 is even, and must be a prime");
        assert_eq!(message(9003), "--modulus: the modulus 9003 is not prime: it is 3 times 3001");
        assert!(message(u64::MAX).contains("is too large"), "{}", message(u64::MAX));
    }
}
