//! The check of the roots of a polynomial over a prime field by a certificate: identities of polynomials, each compared at a
//! random point of an extension of the field.
//!
//! For `f` with the roots `r_1 < ... < r_k` and `c = f / prod(x - r_i)` the certificate is
//! 1. `c` itself: `f = c prod(x - r_i)`, so that the `r_i` are roots;
//! 2. the chain of squares that gives `h = x^p mod c`, each as `h_i^2 x^(0 or 1) = q_i c + h_(i+1)`;
//! 3. `s` and `t` with `s (h - x) + t c = g`, and `u` with `g u = prod(x - r_i)`.
//!
//! A root of `c` in the field is a root of `h - x`, so of `g`, so one of the `r_i`: no root is missing. Whoever computes the
//! certificate need not be trusted. At a point drawn uniformly from the field with `p^k` elements a wrong identity of degree `d`
//! passes with a chance of at most `d / p^k`.

use manycore_field::ResidueWord;

use super::extension::{Element, Extension, extension_degree};
use super::stripped;
use super::value::Point;
use crate::modulus::Modulus;
use crate::{Chance, CheckError, Outcome, Passed, SplitMix};

/// How roots are checked, as reports name it.
pub const METHOD: &str = "certificate at a random point of an extension of the field";

/// A check to which the certificate is handed piece by piece, so that it is never in memory as a whole.
///
/// ```
/// use manycore_verify::SplitMix;
/// use manycore_verify::product::roots::Check;
/// // Modulo 7: f = (x - 1) (x - 3) (x^2 + 1), and x^7 = x^3 = -x modulo x^2 + 1.
/// let (f, c) = ([3u32, 3, 4, 3, 1], [1u32, 0, 1]);
/// let mut check = Check::new(7, &f, &[1, 3], &c, &mut SplitMix::new(1))?;
/// check.start(1)?; // x
/// check.square(true, &[0u32, 1], &[0, 6])?; // x^2 x = x (x^2 + 1) - x
/// check.square(true, &[0u32, 1], &[0, 6])?; // (-x)^2 x = x (x^2 + 1) - x
/// let product = [3, 3, 1]; // (x - 1) (x - 3)
/// assert!(check.finish(&[0u32, 4], &[1], &[1], &product).is_ok()); // 4 x (-x - x) + (x^2 + 1) = 1
/// # Ok::<(), manycore_verify::CheckError>(())
/// ```
#[derive(Debug)]
pub struct Check {
    extension: Extension,
    z: Element,
    /// The most coefficients of a piece.
    most: usize,
    degree: usize,
    /// The value of the product of `x - r` over the roots.
    product: Element,
    cofactor: Element,
    power: Element,
    /// The exponent of the power so far.
    exponent: u128,
}

impl Check {
    /// A check of the roots of a polynomial other than zero modulo the prime `p`: coefficients, the constant term first, and
    /// the quotient of the polynomial by the product of `x - r`.
    ///
    /// # Errors
    /// [`CheckError::OutOfRange`] and [`CheckError::Relation`] for wrong roots; [`CheckError::Input`] for a polynomial with other
    /// values than residues and [`CheckError::Shape`] for zero, or a `p` that is no prime.
    pub fn new<T: ResidueWord>(
        p: u64,
        f: &[T],
        roots: &[T],
        cofactor: &[T],
        random: &mut SplitMix,
    ) -> Result<Self, CheckError> {
        let modulus = Modulus::new(p)?;
        modulus.check_input(f)?;
        let f = stripped(f);
        if f.is_empty() {
            return Err(CheckError::Shape { what: "the roots of the zero polynomial".to_owned() });
        }
        modulus.check_result(roots, roots.len())?;
        if let Some(at) = roots.windows(2).position(|pair| pair[0].as_u64() >= pair[1].as_u64()) {
            return Err(wrong(format!("that root {at} is less than root {}", at + 1)));
        }
        // A chain of powers modulo a cofactor of this length has products with fewer than twice the coefficients.
        let most = f.len() + 1;
        let extension = Extension::new(modulus, extension_degree(p, 2 * most));
        let z = extension.random(random);
        let (one, zero) = (extension.one(), extension.zero());
        let mut check = Self {
            extension,
            z,
            most,
            degree: f.len() - 1,
            product: one.clone(),
            cofactor: zero,
            power: one,
            exponent: 0,
        };
        let value = check.value(f)?;
        check.cofactor = check.value(cofactor)?;
        for root in roots {
            let mut factor = check.z.clone();
            factor[0] = modulus.sub(factor[0], root.as_u64());
            check.product = check.extension.mul(&check.product, &factor);
        }
        if check.extension.mul(&check.cofactor, &check.product) != value {
            return Err(wrong("f(z) = c(z) prod(z - r) at a random point z of an extension of the field".to_owned()));
        }
        Ok(check)
    }

    /// Begins the chain with `x^exponent`, for an exponent up to the degree of the polynomial.
    ///
    /// # Errors
    /// [`CheckError::Shape`] for a higher one.
    pub fn start(&mut self, exponent: usize) -> Result<(), CheckError> {
        if exponent > self.degree {
            return Err(CheckError::Shape { what: format!("a chain of powers that begins with x^{exponent}") });
        }
        self.power = self.extension.power(&self.z, exponent as u64);
        self.exponent = exponent as u128;
        Ok(())
    }

    /// The next power: the square of the last, times `x` if `odd`, is the quotient times the cofactor, plus the remainder.
    ///
    /// # Errors
    /// [`CheckError::Relation`] where it is not; [`CheckError::OutOfRange`] and [`CheckError::Length`].
    pub fn square<T: ResidueWord>(&mut self, odd: bool, quotient: &[T], remainder: &[T]) -> Result<(), CheckError> {
        let (quotient, remainder) = (self.value(quotient)?, self.value(remainder)?);
        let square = self.extension.mul(&self.power, &self.power);
        let power = if odd { self.extension.mul(&square, &self.z) } else { square };
        self.exponent = self.exponent.saturating_mul(2).saturating_add(u128::from(odd));
        let expected = self.extension.add(&self.extension.mul(&quotient, &self.cofactor), &remainder);
        self.power = remainder;
        if power == expected {
            return Ok(());
        }
        Err(wrong(format!("x^{} = q(z) c(z) + h(z) at a random point z of an extension of the field", self.exponent)))
    }

    /// Ends the check: `s (h - x) + t c` is `common`, and `common` times `rest` the product of `x - r`.
    ///
    /// # Errors
    /// [`CheckError::Relation`], [`CheckError::OutOfRange`] and [`CheckError::Length`] for wrong roots;
    /// [`CheckError::Shape`] for a chain that did not come to `x^p`.
    pub fn finish<T: ResidueWord>(self, s: &[T], t: &[T], common: &[T], rest: &[T]) -> Outcome {
        let extension = &self.extension;
        let (p, k) = (extension.modulus().value(), extension.degree());
        // Of a constant no power is needed.
        if !s.is_empty() && self.exponent != u128::from(p) {
            return Err(CheckError::Shape { what: format!("roots by x^{} in the place of x^{p}", self.exponent) });
        }
        let difference: Element =
            self.power.iter().zip(&self.z).map(|(&h, &z)| extension.modulus().sub(h, z)).collect();
        let [s, t, common, rest] = [self.value(s)?, self.value(t)?, self.value(common)?, self.value(rest)?];
        if extension.add(&extension.mul(&s, &difference), &extension.mul(&t, &self.cofactor)) != common {
            return Err(wrong("s (h - x) + t c = g at a random point of an extension of the field".to_owned()));
        }
        if extension.mul(&common, &rest) != self.product {
            return Err(wrong("that each root of the cofactor is one of the roots".to_owned()));
        }
        let log2 = ((2 * self.most) as f64).log2() - k as f64 * (p as f64).log2();
        Ok(Passed { method: METHOD, chance: Chance::Below { log2 } })
    }

    /// The value of a polynomial with residues for coefficients, and not too many.
    fn value<T: ResidueWord>(&self, f: &[T]) -> Result<Element, CheckError> {
        if f.len() > self.most {
            return Err(CheckError::Length { found: f.len(), expected: self.most });
        }
        self.extension.modulus().check_result(f, f.len())?;
        Ok(Point::new(&self.extension, self.z.clone(), f.len()).value(f))
    }
}

fn wrong(relation: String) -> CheckError {
    CheckError::Relation { relation }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of [`Check`] with pieces changed.
    fn passes(
        f: &[u32],
        roots: &[u32],
        cofactor: &[u32],
        [s, t, common, rest]: [&[u32]; 4],
    ) -> Result<bool, CheckError> {
        let run = || {
            let mut check = Check::new(7, f, roots, cofactor, &mut SplitMix::new(4))?;
            check.start(1)?;
            check.square(true, &[0u32, 1], &[0, 6])?;
            check.square(true, &[0u32, 1], &[0, 6])?;
            check.finish(s, t, common, rest)
        };
        match run() {
            Ok(passed) => {
                assert!(passed.chance.log2().is_some_and(|log2| log2 <= -64.0));
                Ok(true)
            }
            Err(error) if error.is_wrong() => Ok(false),
            Err(error) => Err(error),
        }
    }

    #[test]
    fn each_piece_counts() {
        let (f, c) = ([3, 3, 4, 3, 1], [1, 0, 1]);
        let end: [&[u32]; 4] = [&[0, 4], &[1], &[1], &[3, 3, 1]];
        assert_eq!(passes(&f, &[1, 3], &c, end), Ok(true));
        for (roots, cofactor) in [
            (&[3, 1][..], &c[..]),
            (&[1, 1], &c),
            (&[1, 4], &c),
            (&[1, 3, 5], &c),
            (&[1, 10], &c),
            (&[1], &c),
            (&[1, 3], &[1, 1, 1]),
            (&[1, 3], &[]),
            // A right identity with a root left out: x - 3 in the cofactor, of which the chain is none.
            (&[1], &[4, 1, 4, 1]),
        ] {
            assert_eq!(passes(&f, roots, cofactor, end), Ok(false), "{roots:?} {cofactor:?}");
        }
        for wrong in [
            [&[0, 5][..], &[1], &[1], &[3, 3, 1]],
            [&[0, 4], &[2], &[1], &[3, 3, 1]],
            [&[0, 4], &[1], &[1], &[3, 3, 2]],
            [&[0, 4, 0, 0, 0, 0, 0], &[1], &[1], &[3, 3, 1]],
            [&[], &[1], &[1, 0, 1], &[1]],
            [&[0, 4], &[9], &[1], &[3, 3, 1]],
        ] {
            assert_eq!(passes(&f, &[1, 3], &c, wrong), Ok(false), "{wrong:?}");
        }
    }

    #[test]
    fn chains_and_inputs_that_are_none_are_no_fault_of_the_result() {
        let mut random = SplitMix::new(1);
        let error = |outcome: Result<(), CheckError>| outcome.unwrap_err();
        let zero = Check::new(7, &[0u32, 0], &[], &[], &mut random);
        assert!(!error(zero.map(|_| ())).is_wrong());
        assert!(!error(Check::new(7, &[9u32], &[], &[9], &mut random).map(|_| ())).is_wrong());
        assert!(!error(Check::new(8, &[1u32], &[], &[1], &mut random).map(|_| ())).is_wrong());
        let mut check = Check::new(7, &[1u32, 0, 1], &[], &[1, 0, 1], &mut random).unwrap();
        assert!(!error(check.start(3)).is_wrong());
        check.start(1).unwrap();
        let unfinished = check.finish(&[1u32], &[], &[1], &[1]);
        assert!(!error(unfinished.map(|_| ())).is_wrong());
        // A constant has no root and needs no power.
        let constant = Check::new(7, &[3u32], &[], &[3], &mut random).unwrap();
        assert!(constant.finish(&[], &[5u32], &[1], &[1]).is_ok());
    }
}
