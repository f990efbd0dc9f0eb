//! Polynomials in two variables: dense in `y` over univariate polynomials in `x`.

use std::fmt;

use manycore_field::ModularField;
use manycore_field::ResidueWord as _;
use manycore_poly::linear::reference::{random, stripped_len};

use crate::error::BivariateError;

/// The highest power of a variable.
pub const MOST_DEGREE: usize = 1 << 20;

/// The most coefficients of the rectangle that both degrees span.
pub const MOST_TERMS: usize = 1 << 28;

/// One of the two variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variable {
    /// The first one.
    X,
    /// The second one.
    Y,
}

/// A polynomial in `x` and `y` over a prime field, in the host's memory: for each power of `y` the coefficients by powers of `x`,
/// the constant term first, as canonical residues. No row ends with a zero, and the last row is not empty; the zero polynomial has
/// no rows.
///
/// ```
/// use manycore_bivariate::Bivariate;
/// use manycore_field::PrimeField;
/// let field = PrimeField::<u32>::new(7)?;
/// let f = Bivariate::parse(&field, "x^2*y - 3*x + 1")?;
/// assert_eq!((f.degree_x(), f.degree_y(), f.total_degree()), (Some(2), Some(1), Some(3)));
/// assert_eq!(f.rows(), [vec![1, 4], vec![0, 0, 1]]);
/// assert_eq!(f.evaluate(2, 3), 0); // 12 - 6 + 1
/// assert_eq!(f.to_string(), "x^2*y + 4*x + 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Bivariate<F: ModularField> {
    field: F,
    rows: Vec<Vec<F::Element>>,
}

impl<F: ModularField> PartialEq for Bivariate<F> {
    fn eq(&self, other: &Self) -> bool {
        self.field.order() == other.field.order() && self.rows == other.rows
    }
}

impl<F: ModularField> fmt::Debug for Bivariate<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} mod {}", self.field.order())
    }
}

/// As Sage and PARI read it: `x^2*y + 4*x + 1`, higher powers of `y` first, then of `x`; coefficients are residues.
impl<F: ModularField> fmt::Display for Bivariate<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (j, row) in self.rows.iter().enumerate().rev() {
            for (i, &c) in row.iter().enumerate().rev().filter(|&(_, &c)| c != self.field.zero()) {
                if !std::mem::take(&mut first) {
                    f.write_str(" + ")?;
                }
                write_term(f, (&c.as_u64(), c == self.field.one()), [('x', i), ('y', j)])?;
            }
        }
        if first { f.write_str("0") } else { Ok(()) }
    }
}

/// Writes a coefficient, left out where it is one, and powers of variables.
pub(crate) fn write_term(
    f: &mut fmt::Formatter<'_>,
    (c, is_one): (&dyn fmt::Display, bool),
    powers: [(char, usize); 2],
) -> fmt::Result {
    let mut any = !is_one || powers.iter().all(|&(_, power)| power == 0);
    if any {
        write!(f, "{c}")?;
    }
    for (name, power) in powers.into_iter().filter(|&(_, power)| power > 0) {
        if std::mem::replace(&mut any, true) {
            f.write_str("*")?;
        }
        write!(f, "{name}")?;
        if power > 1 {
            write!(f, "^{power}")?;
        }
    }
    Ok(())
}

impl<F: ModularField> Bivariate<F> {
    /// The polynomial whose row `j` has the coefficients of `y^j` by powers of `x`; zeros at the ends are dropped.
    ///
    /// # Errors
    /// [`BivariateError::OutOfRange`] for a word that is no residue, its index counted through all rows;
    /// [`BivariateError::Degree`] and [`BivariateError::TooLarge`].
    pub fn from_rows(field: &F, rows: Vec<Vec<F::Element>>) -> Result<Self, BivariateError> {
        let mut before = 0;
        for row in &rows {
            field.check(row).map_err(|mut error| {
                error.index += before;
                error
            })?;
            before += row.len();
        }
        let made = Self::trimmed(field, rows);
        fits(made.degree_x().unwrap_or(0), made.degree_y().unwrap_or(0))?;
        Ok(made)
    }

    /// The sum of terms `c x^i y^j`, given as `(c, i, j)`, in any order; terms of equal powers add up.
    ///
    /// # Errors
    /// As [`Bivariate::from_rows`], the index being the term's.
    pub fn from_terms(field: &F, terms: &[(F::Element, usize, usize)]) -> Result<Self, BivariateError> {
        let of = |at: fn(&(F::Element, usize, usize)) -> usize| terms.iter().map(at).max().unwrap_or(0);
        fits(of(|term| term.1), of(|term| term.2))?;
        let coefficients: Vec<F::Element> = terms.iter().map(|term| term.0).collect();
        field.check(&coefficients)?;
        let mut rows: Vec<Vec<F::Element>> = Vec::new();
        for &(c, i, j) in terms {
            if rows.len() <= j {
                rows.resize(j + 1, Vec::new());
            }
            let row = &mut rows[j];
            if row.len() <= i {
                row.resize(i + 1, field.zero());
            }
            row[i] = field.add(row[i], c);
        }
        Ok(Self::trimmed(field, rows))
    }

    /// Rows of residues; zeros at the ends are dropped.
    pub(crate) fn trimmed(field: &F, mut rows: Vec<Vec<F::Element>>) -> Self {
        for row in &mut rows {
            row.truncate(stripped_len(field, row));
        }
        rows.truncate(rows.iter().rposition(|row| !row.is_empty()).map_or(0, |j| j + 1));
        Self { field: field.clone(), rows }
    }

    /// A polynomial with uniformly drawn coefficients at all powers `x^i y^j` with `i + j <= degree`; the same for the same seed.
    ///
    /// # Errors
    /// [`BivariateError::Degree`] and [`BivariateError::TooLarge`].
    #[inline(never)]
    pub fn random(field: &F, degree: usize, seed: u64) -> Result<Self, BivariateError> {
        fits(degree, degree)?;
        let mut index = 0;
        let mut draw = || {
            index += 1;
            random(field, seed, index)
        };
        Ok(Self::trimmed(field, (0..=degree).map(|j| (0..=degree - j).map(|_| draw()).collect()).collect()))
    }

    /// A polynomial with uniformly drawn coefficients at all powers up to `degree_x` and `degree_y`; the same for the same seed.
    ///
    /// # Errors
    /// [`BivariateError::Degree`] and [`BivariateError::TooLarge`].
    #[inline(never)]
    pub fn random_rectangle(field: &F, degree_x: usize, degree_y: usize, seed: u64) -> Result<Self, BivariateError> {
        fits(degree_x, degree_y)?;
        let at = |j: usize, i: usize| random(field, seed, (j * (degree_x + 1) + i) as u64);
        Ok(Self::trimmed(field, (0..=degree_y).map(|j| (0..=degree_x).map(|i| at(j, i)).collect()).collect()))
    }

    /// The field of the coefficients.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// The coefficients: row `j` has those of `y^j` by powers of `x`.
    pub fn rows(&self) -> &[Vec<F::Element>] {
        &self.rows
    }

    /// The coefficient of `x^i y^j`.
    pub fn coefficient(&self, i: usize, j: usize) -> F::Element {
        self.rows.get(j).and_then(|row| row.get(i)).copied().unwrap_or(self.field.zero())
    }

    /// Whether it is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether it has no variable, zero included.
    pub fn is_constant(&self) -> bool {
        self.total_degree().unwrap_or(0) == 0
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

    /// The largest `i + j` of the terms; `None` for zero.
    pub fn total_degree(&self) -> Option<usize> {
        self.rows.iter().enumerate().filter_map(|(j, row)| Some(row.len().checked_sub(1)? + j)).max()
    }

    /// The value at a point of residues, by Horner's rule in both variables.
    #[inline(never)]
    pub fn evaluate(&self, x: F::Element, y: F::Element) -> F::Element {
        let horner = |value, c, by| self.field.add(self.field.mul(value, by), c);
        let row = |row: &Vec<F::Element>| row.iter().rev().fold(self.field.zero(), |value, &c| horner(value, c, x));
        self.rows.iter().rev().fold(self.field.zero(), |value, coefficients| horner(value, row(coefficients), y))
    }

    /// The polynomial with `x` and `y` exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        let width = self.degree_x().map_or(0, |degree| degree + 1);
        let column = |i: usize| self.rows.iter().map(|row| row.get(i).copied().unwrap_or(self.field.zero())).collect();
        Self::trimmed(&self.field, (0..width).map(column).collect())
    }

    /// The sum.
    ///
    /// # Errors
    /// [`BivariateError::MixedFields`].
    pub fn add(&self, other: &Self) -> Result<Self, BivariateError> {
        self.same_field(other)?;
        let rows = self.rows.len().max(other.rows.len());
        let width = |j: usize| [self, other].map(|f| f.rows.get(j).map_or(0, Vec::len)).into_iter().max().unwrap_or(0);
        let sum =
            |j: usize| (0..width(j)).map(|i| self.field.add(self.coefficient(i, j), other.coefficient(i, j))).collect();
        Ok(Self::trimmed(&self.field, (0..rows).map(sum).collect()))
    }

    /// The product, by the definition: as many products of coefficients as there are pairs of terms.
    ///
    /// # Errors
    /// [`BivariateError::MixedFields`]; [`BivariateError::Degree`] and [`BivariateError::TooLarge`].
    #[inline(never)]
    pub fn mul(&self, other: &Self) -> Result<Self, BivariateError> {
        self.same_field(other)?;
        let (Some(a), Some(b)) = (self.degree_y(), other.degree_y()) else {
            return Ok(Self::trimmed(&self.field, Vec::new()));
        };
        let degree_x = self.degree_x().unwrap_or(0) + other.degree_x().unwrap_or(0);
        fits(degree_x, a + b)?;
        let mut rows = vec![vec![self.field.zero(); degree_x + 1]; a + b + 1];
        for (j, row) in self.rows.iter().enumerate() {
            for (k, by) in other.rows.iter().enumerate() {
                for (i, &c) in row.iter().enumerate() {
                    for (sum, &d) in rows[j + k][i..].iter_mut().zip(by) {
                        *sum = self.field.add(*sum, self.field.mul(c, d));
                    }
                }
            }
        }
        Ok(Self::trimmed(&self.field, rows))
    }

    fn same_field(&self, other: &Self) -> Result<(), BivariateError> {
        let [expected, given] = [self, other].map(|f| f.field.order());
        if expected == given { Ok(()) } else { Err(BivariateError::MixedFields { expected, given }) }
    }
}

/// Fails for degrees that are not computed with.
pub(crate) fn fits(degree_x: usize, degree_y: usize) -> Result<(), BivariateError> {
    for (variable, degree) in [('x', degree_x), ('y', degree_y)] {
        if degree > MOST_DEGREE {
            return Err(BivariateError::Degree { variable, degree, limit: MOST_DEGREE });
        }
    }
    // Both are at most 2^20.
    if (degree_x + 1) * (degree_y + 1) > MOST_TERMS {
        return Err(BivariateError::TooLarge { degree_x, degree_y, limit: MOST_TERMS });
    }
    Ok(())
}
