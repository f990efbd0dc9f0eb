//! Polynomials as text, `x^3 + 2*x + 1`, as Sage and PARI/GP print and read them.
//!
//! ```text
//!   polynomial = [+-] term { (+|-) term }
//!   term       = number [ * power ] | power
//!   power      = letter [ ^ exponent ]
//!   number     = digits | Mod( digits , modulus )
//! ```
//!
//! The variable is one letter, any but the same in all terms. Terms of one power are added.

use manycore_field::{FieldWords, ResidueWord as _};
use manycore_files::AlgebraText;
use manycore_files::polynomial::{Fault, terms};

use crate::error::PolyError;
use crate::factor::Factorization;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// The polynomial of a text such as `x^3 - 2*x + Mod(1, 7)`, as Sage and PARI/GP print it; integers of any size are taken modulo the
    /// prime.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let f = ring.parse("x^3 - 2*x + 8")?;
    /// assert_eq!(ring.coefficients(&f)?, [1, 5, 0, 1]);
    /// assert_eq!(ring.display(&f)?, "x^3 + 5*x + 1");
    /// assert_eq!(ring.display(&ring.parse("2.0*x + 1.5e1")?)?, "2*x + 1");
    /// assert_eq!(ring.parse("x^3 + y").unwrap_err().to_string(), "character 7, `y`: expected the variable of the other terms");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::Text`] with the place of what is wrong, and for an exponent that memory has no room for; [`PolyError::Device`].
    #[inline(never)]
    pub fn parse(&self, text: &str) -> Result<Poly<F>, PolyError> {
        let coefficients =
            terms(&FieldWords(self.field()), text, usize::MAX).map_err(|Fault { at, found, expected }| {
                PolyError::Text { position: text[..at].chars().count() + 1, found, expected }
            })?;
        self.poly(&coefficients)
    }

    /// The text of a polynomial in `x`, by falling degree, with residues from 0: Sage and PARI/GP read it, and so does
    /// [`PolyRing::parse`]. Its coefficients are downloaded.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] for a polynomial of another ring; [`PolyError::Device`].
    #[inline(never)]
    pub fn display(&self, f: &Poly<F>) -> Result<String, PolyError> {
        self.display_as(f, AlgebraText::Sage)
    }

    /// The text of a polynomial in the language of a computer algebra system: `3*x^2 + 1` in Sage,
    /// `Mod(3, 7)*x^2 + Mod(1, 7)` in PARI/GP, both of which [`PolyRing::parse`] reads.
    ///
    /// # Errors
    /// As [`PolyRing::display`].
    #[inline(never)]
    pub fn display_as(&self, f: &Poly<F>, form: AlgebraText) -> Result<String, PolyError> {
        let words: Vec<u64> = self.coefficients(f)?.iter().map(|c| c.as_u64()).collect();
        Ok(form.polynomial(Some(self.field().order()), &words))
    }

    /// The text of a factorization, `3 * x^2 * (x^2 + 1)`, as Sage prints it.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let factors = ring.factor(&ring.parse("3*x^4 + 3*x^2")?)?;
    /// assert_eq!(ring.display_factors(&factors)?, "3 * x^2 * (x^2 + 1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::display`].
    #[inline(never)]
    pub fn display_factors(&self, factors: &Factorization<F>) -> Result<String, PolyError> {
        self.display_factors_as(factors, AlgebraText::Sage)
    }

    /// The text of a factorization in the language of a computer algebra system: as [`PolyRing::display_factors`] in Sage; in PARI/GP
    /// the matrix of factors and exponents, a leading coefficient other than 1 being the first.
    ///
    /// # Errors
    /// As [`PolyRing::display`].
    #[inline(never)]
    pub fn display_factors_as(&self, factors: &Factorization<F>, form: AlgebraText) -> Result<String, PolyError> {
        let words = |f: &Poly<F>| -> Result<Vec<u64>, PolyError> {
            Ok(self.coefficients(f)?.iter().map(|c| c.as_u64()).collect())
        };
        let parts = factors.factors.iter().map(|(factor, exponent)| Ok((words(factor)?, *exponent)));
        let parts = parts.collect::<Result<Vec<(Vec<u64>, usize)>, PolyError>>()?;
        let parts: Vec<(&[u64], usize)> = parts.iter().map(|(words, exponent)| (&words[..], *exponent)).collect();
        Ok(form.factorization(Some(self.field().order()), factors.leading.as_u64(), &parts))
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;
    use proptest::prelude::*;

    use super::*;

    fn ring() -> PolyRing<PrimeField<u32>> {
        PolyRing::new(&Device::host(), PrimeField::new(101).unwrap()).unwrap()
    }

    fn coefficients(text: &str) -> Result<Vec<u32>, String> {
        let ring = ring();
        let f = ring.parse(text).map_err(|error| error.to_string())?;
        Ok(ring.coefficients(&f).unwrap())
    }

    #[test]
    fn texts_of_sage_and_pari() {
        assert_eq!(coefficients("x^3 + 2*x + 1"), Ok(vec![1, 2, 0, 1]));
        assert_eq!(coefficients("Mod(1, 101)*t^2 + Mod(100, 101)"), Ok(vec![100, 0, 1]));
        assert_eq!(coefficients(" - x # minus\n+ 100000000000000000000000000000"), Ok(vec![10, 100]));
        assert_eq!(coefficients("x - x"), Ok(vec![]));
        assert_eq!(coefficients("0"), Ok(vec![]));
        assert_eq!(coefficients("x*1"), Err("character 2, `*1`: expected +, - or the end".into()));
        assert_eq!(coefficients(""), Err("character 1, the end: expected a term".into()));
        assert_eq!(coefficients("x +"), Err("character 4, the end: expected a term".into()));
        assert_eq!(coefficients("2 x"), Err("character 3, `x`: expected +, - or the end".into()));
        assert_eq!(coefficients("x^-1"), Err("character 3, `-1`: expected an exponent".into()));
        assert_eq!(coefficients("3*"), Err("character 3, the end: expected a variable of one letter".into()));
        assert_eq!(coefficients("Mod(1, 7)*x"), Err("character 8, `7)*x`: expected the modulus of the ring".into()));
        assert!(coefficients("x^99999999999999999999999999").unwrap_err().contains("expected an exponent"));
        assert!(coefficients("x^18446744073709551614").is_err());
        // Nothing is taken for the coefficients before the text is read to its end.
        let error = coefficients("x^4000000000000000000 + 1").unwrap_err();
        assert!(error.starts_with(
            "character 1, `x^4000000000000000000`, with which the coefficients take 16000000000000000004 bytes: "
        ));
        let error = coefficients("1 + x^4000000000000000000 )").unwrap_err();
        assert_eq!(error, "character 27, `)`: expected +, - or the end");
    }

    #[test]
    fn factorizations_have_signs_and_powers() {
        let ring = ring();
        let text = |f: &str| ring.display_factors(&ring.factor(&ring.parse(f).unwrap()).unwrap()).unwrap();
        assert_eq!(text("5"), "5");
        assert_eq!(text("x^2 + 2*x + 1"), "(x + 1)^2");
        assert_eq!(text("2*x"), "2 * x");
        let factors = ring.factor(&ring.parse("2*x^3").unwrap()).unwrap();
        let text = ring.display_factors_as(&factors, AlgebraText::Pari).unwrap();
        assert_eq!(text, "[Mod(2, 101), 1; Mod(1, 101)*x, 3]");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(coefficients in prop::collection::vec(0u32..101, 0..20)) {
            let ring = ring();
            let f = ring.poly(&coefficients).unwrap();
            for form in [AlgebraText::Sage, AlgebraText::Pari] {
                let text = ring.display_as(&f, form).unwrap();
                prop_assert!(ring.equal(&f, &ring.parse(&text).unwrap()).unwrap(), "{}", text);
                // As a file, too.
                let read = ring.read_from(manycore_files::Source::new("f", text.as_bytes()).unwrap()).unwrap();
                prop_assert!(ring.equal(&f, &read).unwrap(), "{}", text);
            }
        }
    }
}
