//! Generalized products of matrices over semirings, by any plan, stored or as lists of entries.

use manycore::semiring::{Bounded, Matrix, Products, Semiring, SemiringError};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 2;

/// Rows and columns, at most: the definition calls a function for the product of all three.
const MOST: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    PlusTimes,
    MaxPlus,
    MinPlus,
    MaxMin,
    MinMax,
    MinPlusSaturating,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Type {
    I16,
    I32,
    I64,
    F32,
    F64,
}

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    which: Which,
    number: Type,
    rows: usize,
    inner: usize,
    columns: usize,
    /// Whether the left factor is lists of its entries, where products with missing ones are zero.
    is_sparse: bool,
    candidate: Option<u64>,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let all =
            [Which::PlusTimes, Which::MaxPlus, Which::MinPlus, Which::MaxMin, Which::MinMax, Which::MinPlusSaturating];
        let types = [Type::I16, Type::I32, Type::I64, Type::F32, Type::F64];
        let types = if site.has_f64() { &types[..] } else { &types[..4] };
        Self {
            which: random.pick(&all),
            number: random.pick(types),
            rows: random.length(MOST),
            inner: random.length(MOST),
            columns: random.length(MOST),
            is_sparse: random.once_in(4),
            candidate: draw_candidate(random),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        match self.number {
            Type::I16 => self.integers(random, site, |x| x as i16),
            Type::I32 => self.integers(random, site, |x| x as i32),
            Type::I64 => self.integers(random, site, |x| x as i64),
            Type::F32 => self.reals::<f32>(random, site, |x| (x as i16).into()),
            Type::F64 => self.reals::<f64>(random, site, |x| f64::from(x as i32) / 3.0),
        }
    }
}

impl Case {
    fn integers<T: Bounded + manycore::expressions::Integer>(
        &self,
        random: &mut Random,
        site: &Site,
        number: impl Fn(u64) -> T,
    ) -> Result<Found, Failure> {
        let semiring = match self.which {
            Which::PlusTimes => Semiring::wrapping_plus_times(),
            Which::MaxPlus => Semiring::wrapping_max_plus(),
            Which::MinPlus => Semiring::wrapping_min_plus(),
            Which::MinPlusSaturating => Semiring::min_plus_saturating(),
            Which::MaxMin => Semiring::max_min(),
            Which::MinMax => Semiring::min_max(),
        }?;
        self.of(&semiring, random, site, number)
    }

    fn reals<T: Bounded + manycore::expressions::Real>(
        &self,
        random: &mut Random,
        site: &Site,
        number: impl Fn(u64) -> T,
    ) -> Result<Found, Failure> {
        let semiring = match self.which {
            Which::PlusTimes => Semiring::plus_times(),
            Which::MaxPlus => Semiring::max_plus(),
            Which::MinPlus | Which::MinPlusSaturating => Semiring::min_plus(),
            Which::MaxMin => Semiring::max_min(),
            Which::MinMax => Semiring::min_max(),
        }?;
        self.of(&semiring, random, site, number)
    }

    fn of<T: Bounded>(
        &self,
        semiring: &Semiring<T, T, T>,
        random: &mut Random,
        site: &Site,
        number: impl Fn(u64) -> T,
    ) -> Result<Found, Failure> {
        let &Self { rows, inner, columns, .. } = self;
        let mut drawn = |len: usize| -> Vec<T> {
            let mut one = || match random.below(8) {
                0 => semiring.zero(),
                1 => T::ZERO,
                _ => number(random.word() >> random.below(60)),
            };
            (0..len).map(|_| one()).collect()
        };
        let (a, b) = (drawn(rows * inner), drawn(inner * columns));
        let left = if self.is_sparse && semiring.leaves_out_left(semiring.zero()) {
            lists(rows, inner, &a, semiring.zero())?
        } else {
            Matrix::stored(rows as u64, inner as u64, &a)?
        };
        let right = Matrix::stored(inner as u64, columns as u64, &b)?;
        let products = site.context("semiring", || Ok::<_, SemiringError>(Products::new(&site.device)))?;
        let (x, y) = (products.upload(&left)?, products.upload(&right)?);
        let choice = products.explain(semiring, &x, &y)?;
        let product = match candidate(&choice, self.candidate, site) {
            Some(&plan) => products.multiply_by(plan, semiring, &x, &y)?,
            None => products.multiply(semiring, &x, &y)?,
        };
        let found = site.result(product.download()?.entries());
        let expected = semiring.reference(&left, &right)?.entries();
        #[allow(clippy::eq_op)] // of what is no number
        Ok(Found::near("definition", &found, &expected, |a, b, _| a == b || (a != a && b != b)))
    }
}

/// Lists of the rows' entries that are not `absent`.
pub(super) fn lists<T: Bounded>(
    rows: usize,
    columns: usize,
    entries: &[T],
    absent: T,
) -> Result<Matrix<T>, SemiringError> {
    let (mut offsets, mut indices, mut found) = (vec![0], Vec::new(), Vec::new());
    for row in 0..rows {
        for (index, &entry) in (0u64..).zip(&entries[row * columns..(row + 1) * columns]) {
            if entry != absent {
                indices.push(index);
                found.push(entry);
            }
        }
        offsets.push(indices.len());
    }
    Matrix::rows(rows as u64, columns as u64, (&offsets, &indices, &found), absent)
}
