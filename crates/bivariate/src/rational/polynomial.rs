//! Polynomials in two variables with rational coefficients: dense in `y` over polynomials in `x`, and their texts.

use std::fmt;

use manycore_field::{Field as _, PrimeField, Semiring as _};
use manycore_files::{EntryValue as _, LineFault};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use crate::error::BivariateError;
use crate::parse::terms;
use crate::polynomial::{Bivariate, Variable, fits, write_term};
use crate::terms::Coefficients;

/// Bits of a number of a text, at most.
const MOST_BITS: u64 = 1 << 20;

/// A polynomial in `x` and `y` over the rationals: for each power of `y` the coefficients by powers of `x`, the constant term first.
/// No row ends with a zero, and the last row is not empty; the zero polynomial has no rows.
///
/// ```
/// use manycore_bivariate::RationalBivariate;
/// let f = RationalBivariate::parse("x^2*y - 3/2*x + 1")?;
/// assert_eq!((f.degree_x(), f.degree_y()), (Some(2), Some(1)));
/// assert_eq!(f.to_string(), "x^2*y - 3/2*x + 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct RationalBivariate {
    rows: Vec<Vec<BigRational>>,
}

impl fmt::Debug for RationalBivariate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// As Sage and PARI read it: `x^2*y - 3/2*x + 1`, higher powers of `y` first, then of `x`.
impl fmt::Display for RationalBivariate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (j, row) in self.rows.iter().enumerate().rev() {
            for (i, c) in row.iter().enumerate().rev().filter(|(_, c)| !c.is_zero()) {
                match (std::mem::take(&mut first), c.is_negative()) {
                    (true, true) => f.write_str("-")?,
                    (true, false) => {}
                    (false, true) => f.write_str(" - ")?,
                    (false, false) => f.write_str(" + ")?,
                }
                let size = c.abs();
                write_term(f, (&size, size.is_one()), [('x', i), ('y', j)])?;
            }
        }
        if first { f.write_str("0") } else { Ok(()) }
    }
}

/// Rational coefficients of texts.
struct Rationals;

impl Coefficients for Rationals {
    type Element = BigRational;

    fn decimal(&self, digits: &str) -> BigRational {
        // Decimal digits alone.
        BigInt::parse_bytes(digits.as_bytes(), 10).unwrap_or_default().into()
    }

    fn number(&self, word: &str) -> Result<BigRational, LineFault> {
        BigRational::of_words(&[word])
    }

    fn is_zero(&self, c: &BigRational) -> bool {
        c.is_zero()
    }

    fn sum(&self, a: &BigRational, b: &BigRational) -> BigRational {
        if a.is_integer() && b.is_integer() { (a.numer() + b.numer()).into() } else { a + b }
    }

    fn negative(&self, c: &BigRational) -> BigRational {
        -c
    }

    fn product(&self, a: &BigRational, b: &BigRational) -> BigRational {
        // Of integers no common divisor is looked for.
        if a.is_integer() && b.is_integer() { (a.numer() * b.numer()).into() } else { a * b }
    }

    fn inverse(&self, c: &BigRational) -> Option<BigRational> {
        (!c.is_zero()).then(|| c.recip())
    }

    fn power(&self, c: &BigRational, exponent: u64) -> Option<BigRational> {
        let bits = bits(c).saturating_sub(1).saturating_mul(exponent);
        let power = |c: &BigInt| num_traits::pow::pow(c.clone(), exponent as usize);
        (bits <= MOST_BITS).then(|| BigRational::new_raw(power(c.numer()), power(c.denom())))
    }

    fn words(&self, c: &BigRational) -> usize {
        (bits(c) / 64 + 1) as usize
    }

    fn modulus(&self) -> Option<u64> {
        None
    }
}

/// The bits of the longer one of numerator and denominator.
fn bits(c: &BigRational) -> u64 {
    c.numer().bits().max(c.denom().bits())
}

impl RationalBivariate {
    /// The polynomial in `x` and `y` of a text: sums, products, powers by `^` or `**` and parentheses of integers of any size
    /// and decimal numbers, which are fractions; a constant may be divided by.
    ///
    /// # Errors
    /// [`BivariateError::Parse`] with the column; [`BivariateError::Degree`] and [`BivariateError::TooLarge`].
    pub fn parse(text: &str) -> Result<Self, BivariateError> {
        Self::parse_in(text, ["x", "y"])
    }

    /// The polynomial of a text in variables of these names, the first one becoming `x`.
    ///
    /// # Errors
    /// As [`RationalBivariate::parse`].
    pub fn parse_in(text: &str, variables: [&str; 2]) -> Result<Self, BivariateError> {
        let terms = terms(&Rationals, text, variables)?;
        let of = |at: fn(&(usize, usize)) -> usize| terms.keys().map(at).max().unwrap_or(0);
        fits(of(|power| power.1), of(|power| power.0))?;
        let mut rows: Vec<Vec<BigRational>> = Vec::new();
        for ((j, i), c) in terms {
            rows.resize(rows.len().max(j + 1), Vec::new());
            let row = &mut rows[j];
            row.resize(row.len().max(i + 1), BigRational::zero());
            row[i] = c;
        }
        Ok(Self::trimmed(rows))
    }

    /// The polynomial whose row `j` has the coefficients of `y^j` by powers of `x`; zeros at the ends are dropped.
    ///
    /// # Errors
    /// [`BivariateError::Degree`] and [`BivariateError::TooLarge`].
    pub fn from_rows(rows: Vec<Vec<BigRational>>) -> Result<Self, BivariateError> {
        let made = Self::trimmed(rows);
        fits(made.degree_x().unwrap_or(0), made.degree_y().unwrap_or(0))?;
        Ok(made)
    }

    pub(super) fn trimmed(mut rows: Vec<Vec<BigRational>>) -> Self {
        for row in &mut rows {
            while row.pop_if(|c| c.is_zero()).is_some() {}
        }
        while rows.pop_if(|row| row.is_empty()).is_some() {}
        Self { rows }
    }

    /// The coefficients: row `j` has those of `y^j` by powers of `x`.
    pub fn rows(&self) -> &[Vec<BigRational>] {
        &self.rows
    }

    /// Whether it is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.rows.is_empty()
    }

    /// The degree in `x`; `None` for zero.
    pub fn degree_x(&self) -> Option<usize> {
        self.rows.iter().filter_map(|row| row.len().checked_sub(1)).max()
    }

    /// The degree in `y`; `None` for zero.
    pub fn degree_y(&self) -> Option<usize> {
        self.rows.len().checked_sub(1)
    }

    /// The degree in one variable; `None` for zero.
    pub fn degree(&self, variable: Variable) -> Option<usize> {
        match variable {
            Variable::X => self.degree_x(),
            Variable::Y => self.degree_y(),
        }
    }

    /// The value at a point, by Horner's rule in both variables.
    pub fn evaluate(&self, x: &BigRational, y: &BigRational) -> BigRational {
        let row = |row: &Vec<BigRational>| row.iter().rev().fold(BigRational::zero(), |value, c| value * x + c);
        self.rows.iter().rev().fold(BigRational::zero(), |value, coefficients| value * y + row(coefficients))
    }

    /// The image modulo a prime; `None` where the prime divides a denominator.
    pub fn reduced(&self, field: &PrimeField<u64>) -> Option<Bivariate<PrimeField<u64>>> {
        let row = |row: &Vec<BigRational>| row.iter().map(|c| residue(field, c)).collect();
        Some(Bivariate::trimmed(field, self.rows.iter().map(row).collect::<Option<_>>()?))
    }

    /// The polynomial as a fraction times integers without a common divisor, of which the leading one is positive; 1 for zero.
    pub(super) fn primitive(&self) -> (BigRational, Self) {
        let all = || self.rows.iter().flatten();
        let denominator = all().fold(BigInt::one(), |lcm, c| lcm.lcm(c.denom()));
        let numerator = all().fold(BigInt::zero(), |gcd, c| gcd.gcd(&(c.numer() * (&denominator / c.denom()))));
        let Some(leading) = self.rows.last().and_then(|row| row.last()) else {
            return (BigRational::one(), self.clone());
        };
        let numerator = if leading.is_negative() { -numerator } else { numerator };
        let factor = BigRational::new(numerator, denominator);
        let rows = self.rows.iter().map(|row| row.iter().map(|c| c / &factor).collect()).collect();
        (factor, Self { rows })
    }

    /// The bits of the sum of the sizes of integer coefficients.
    pub(super) fn norm_bits(&self) -> u64 {
        self.rows.iter().flatten().map(|c| c.numer().abs()).sum::<BigInt>().bits()
    }
}

/// A fraction modulo a prime; `None` where the prime divides the denominator.
pub(super) fn residue(field: &PrimeField<u64>, c: &BigRational) -> Option<u64> {
    let inverse = field.inverse(field.reduce_bigint(c.denom()))?;
    Some(field.mul(field.reduce_bigint(c.numer()), inverse))
}
