//! Computations modulo a polynomial, each product of which somebody else computes and a value at a random point checks.
//!
//! A residue `a` modulo `m` is kept with its value `a(z)` at a point `z` of an extension of the field. A product comes from an
//! [`Oracle`] as `a b = q m + r`, and is taken where `a(z) b(z) = q(z) m(z) + r(z)`. The oracle does not know `z`; so of the
//! identities of a computation with a wrong end, the first that is wrong passes with a chance of at most its degree over the size
//! of the extension (J. T. Schwartz, R. Zippel), whatever comes after it.

use manycore_field::ResidueWord;

use super::extension::Element;
use super::value::Point;
use crate::CheckError;

/// Whoever computes what a check compares, and need not be trusted. Polynomials are coefficients, the constant term first, up to
/// the leading one; zero has none.
pub trait Oracle<T> {
    /// Why something was not computed.
    type Error: From<CheckError>;

    /// The product of two polynomials.
    ///
    /// # Errors
    /// Whatever keeps it from being computed.
    fn product(&mut self, a: &[T], b: &[T]) -> Result<Vec<T>, Self::Error>;

    /// Makes this monic polynomial of degree 1 or more the modulus.
    ///
    /// # Errors
    /// Whatever keeps it from being so.
    fn modulus(&mut self, m: &[T]) -> Result<(), Self::Error>;

    /// Quotient and remainder of the product of two residues by the modulus.
    ///
    /// # Errors
    /// Whatever keeps them from being computed.
    fn product_modulo(&mut self, a: &[T], b: &[T]) -> Result<(Vec<T>, Vec<T>), Self::Error>;

    /// Polynomials `s` and `t` with `s a + t m = 1` for the modulus `m`, where there are such; others where not.
    ///
    /// # Errors
    /// Whatever keeps them from being computed.
    fn cofactors(&mut self, a: &[T]) -> Result<(Vec<T>, Vec<T>), Self::Error>;
}

/// A residue and its value at the point.
#[derive(Debug, Clone)]
pub(super) struct Residue<T> {
    words: Vec<T>,
    value: Element,
}

impl<T> Residue<T> {
    /// Its coefficients.
    pub(super) fn words(&self) -> &[T] {
        &self.words
    }

    #[cfg(test)]
    pub(super) fn value(&self) -> &[u64] {
        &self.value
    }
}

/// A modulus, with the oracle that computes modulo it.
pub(super) struct Modulo<'a, T, O> {
    point: &'a Point<'a>,
    oracle: &'a mut O,
    degree: usize,
    /// The modulus at the point.
    value: Element,
    zero: T,
    one: T,
}

impl<'a, T: ResidueWord, O: Oracle<T>> Modulo<'a, T, O> {
    /// Computations modulo a monic polynomial of degree 1 or more.
    pub(super) fn new(point: &'a Point<'a>, oracle: &'a mut O, m: &[T]) -> Result<Self, O::Error> {
        oracle.modulus(m)?;
        let value = point.value(m);
        Ok(Self { point, oracle, degree: m.len() - 1, value, zero: T::from_u64(0), one: T::from_u64(1) })
    }

    /// The degree of the modulus.
    pub(super) fn degree(&self) -> usize {
        self.degree
    }

    /// A residue of these coefficients, fewer than the degree of the modulus.
    pub(super) fn of(&self, words: Vec<T>) -> Residue<T> {
        let value = self.point.value(&words);
        Residue { words, value }
    }

    /// The constant 1.
    pub(super) fn one(&self) -> Residue<T> {
        self.of(vec![self.one])
    }

    /// `x`; the modulus has degree 2 or more.
    pub(super) fn x(&self) -> Residue<T> {
        self.of(vec![self.zero, self.one])
    }

    /// The product of two residues.
    pub(super) fn mul(&mut self, a: &Residue<T>, b: &Residue<T>) -> Result<Residue<T>, O::Error> {
        let (quotient, words) = self.oracle.product_modulo(&a.words, &b.words)?;
        let remainder = self.answer(words, self.degree)?;
        let quotient = self.answer(quotient, self.degree)?;
        let extension = self.point.extension();
        let expected = extension.add(&extension.mul(&quotient.value, &self.value), &remainder.value);
        if extension.mul(&a.value, &b.value) != expected {
            let relation = "a(z) b(z) = q(z) m(z) + r(z) at a random point z of an extension of the field";
            return Err(wrong(relation).into());
        }
        Ok(remainder)
    }

    /// The residue to this power, 1 or more, by squares.
    pub(super) fn power(&mut self, a: &Residue<T>, exponent: u64) -> Result<Residue<T>, O::Error> {
        let mut power = a.clone();
        for bit in (0..exponent.max(1).ilog2()).rev() {
            power = self.mul(&power, &power)?;
            if exponent >> bit & 1 == 1 {
                power = self.mul(&power, a)?;
            }
        }
        Ok(power)
    }

    /// The difference of two residues.
    pub(super) fn sub(&self, a: &Residue<T>, b: &Residue<T>) -> Residue<T> {
        let modulus = self.point.extension().modulus();
        let at = |words: &[T], i: usize| words.get(i).map_or(0, |c| c.as_u64());
        let len = a.words.len().max(b.words.len());
        let words = (0..len).map(|i| T::from_u64(modulus.sub(at(&a.words, i), at(&b.words, i)))).collect();
        let value = a.value.iter().zip(&b.value).map(|(&a, &b)| modulus.sub(a, b)).collect();
        Residue { words: stripped(words), value }
    }

    /// The composition `a(b)` by J. F. Brent and H. T. Kung (Fast Algorithms for Manipulating Formal Power Series, 1978): `a`
    /// in blocks of `s = sqrt(n)` coefficients, sums of multiples of `1, b, ..., b^(s-1)`, by Horner's rule in `b^s`.
    pub(super) fn compose(&mut self, a: &Residue<T>, b: &Residue<T>) -> Result<Residue<T>, O::Error> {
        let block = block_len(self.degree);
        let mut powers = vec![self.one(), b.clone()];
        while powers.len() <= block {
            let next = self.mul(&powers[powers.len() - 1], b)?;
            powers.push(next);
        }
        let step = powers.swap_remove(block);
        powers.truncate(block);
        // Coefficient after coefficient, those of all powers, so that sums of multiples are sums of products of neighbours.
        let mut columns = vec![0; self.degree * block];
        for (j, power) in powers.iter().enumerate() {
            power.words.iter().enumerate().for_each(|(i, c)| columns[i * block + j] = c.as_u64());
        }
        let mut sum: Option<Residue<T>> = None;
        for part in a.words.chunks(block).rev() {
            let next = self.combination(part, &powers, &columns, block);
            sum = Some(match sum {
                None => next,
                Some(sum) => {
                    let product = self.mul(&sum, &step)?;
                    self.add(&product, &next)
                }
            });
        }
        Ok(sum.unwrap_or_else(|| self.of(Vec::new())))
    }

    /// The sum of these multiples of powers.
    fn combination(&self, factors: &[T], powers: &[Residue<T>], columns: &[u64], block: usize) -> Residue<T> {
        let extension = self.point.extension();
        let modulus = extension.modulus();
        let words = columns.chunks_exact(block).map(|column| T::from_u64(modulus.dot(factors, column))).collect();
        let coordinate = |i: usize| {
            let values: Vec<u64> = powers.iter().map(|power| power.value[i]).collect();
            modulus.dot(factors, &values)
        };
        Residue { words: stripped(words), value: (0..extension.degree()).map(coordinate).collect() }
    }

    fn add(&self, a: &Residue<T>, b: &Residue<T>) -> Residue<T> {
        let extension = self.point.extension();
        let at = |words: &[T], i: usize| words.get(i).map_or(0, |c| c.as_u64());
        let len = a.words.len().max(b.words.len());
        let sum = |i| T::from_u64(extension.modulus().add(at(&a.words, i), at(&b.words, i)));
        Residue { words: stripped((0..len).map(sum).collect()), value: extension.add(&a.value, &b.value) }
    }

    /// Whether the residue has no factor in common with the modulus.
    pub(super) fn is_unit(&mut self, a: &Residue<T>) -> Result<bool, O::Error> {
        let (s, t) = self.oracle.cofactors(&a.words)?;
        let (s, t) = (self.answer(s, self.degree)?, self.answer(t, self.degree)?);
        let extension = self.point.extension();
        Ok(extension.add(&extension.mul(&s.value, &a.value), &extension.mul(&t.value, &self.value)) == extension.one())
    }

    /// A polynomial from the oracle, checked to have residues and at most `most` coefficients.
    fn answer(&self, words: Vec<T>, most: usize) -> Result<Residue<T>, CheckError> {
        if words.len() > most {
            return Err(CheckError::Length { found: words.len(), expected: most });
        }
        self.point.extension().modulus().check_result(&words, words.len())?;
        Ok(self.of(words))
    }
}

/// Coefficients of a block of a composition modulo a polynomial of this degree.
pub(super) fn block_len(degree: usize) -> usize {
    degree.isqrt().max(1)
}

fn stripped<T: ResidueWord>(mut words: Vec<T>) -> Vec<T> {
    let len = super::stripped(&words).len();
    words.truncate(len);
    words
}

fn wrong(relation: &str) -> CheckError {
    CheckError::Relation { relation: relation.to_owned() }
}
