//! Jobs over the rationals, done on a matrix of integers.

use manycore_device::{Device, DeviceSet};
use manycore_operation::{Answer, Files, Job, OperationError, Polynomial, Value, unmade};
use manycore_verify::Passed;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::common::{self, Boxed};
use crate::error::LinalgError;
use crate::exact::{self, IntegerNullspace};
use crate::file::Dense;

/// A matrix of fractions as integers: each row times a number above 0.
pub(super) struct Integers {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) entries: Vec<BigInt>,
    /// What the rows were multiplied by.
    pub(super) factors: Vec<BigInt>,
}

impl Integers {
    /// Each row with a factor of its own.
    fn by_rows(read: &Dense<BigRational>) -> Self {
        let rows = || read.entries.chunks(read.columns.max(1));
        let factors: Vec<BigInt> = rows().map(exact::common_denominator).collect();
        let entries = rows().zip(&factors).flat_map(|(row, factor)| exact::scaled(row, factor)).collect();
        Self { rows: read.rows, columns: read.columns, entries, factors }
    }

    /// All rows with one factor.
    fn whole(read: &Dense<BigRational>) -> Self {
        let factor = exact::common_denominator(&read.entries);
        let entries = exact::scaled(&read.entries, &factor);
        Self { rows: read.rows, columns: read.columns, entries, factors: vec![factor] }
    }

    fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }
}

/// An operation over the rationals, done on a matrix of integers.
pub(super) struct Rational<R> {
    algorithm: &'static str,
    /// What is refused of a matrix that is not square; `None` where it need not be.
    of_square: Option<&'static str>,
    integers: fn(&Dense<BigRational>) -> Integers,
    compute: fn(&Device, &Integers) -> Result<R, LinalgError>,
    check: fn(&Integers, &R, u64) -> Result<Passed, LinalgError>,
    value: fn(&Integers, &R) -> Value,
}

/// The rank.
pub(super) static RANK: Rational<usize> = Rational {
    algorithm: "dixon-lifting",
    of_square: None,
    integers: Integers::by_rows,
    compute: |device, a| exact::rank(device, a.shape(), &a.entries),
    check: |a, &rank, seed| exact::check_rank(a.shape(), &a.entries, rank, seed),
    value: |_, rank| Value::Number(*rank as u64),
};

/// The inverse.
pub(super) static INVERSE: Rational<Vec<BigRational>> = Rational {
    algorithm: "chinese-remainders",
    of_square: Some("inverse"),
    integers: Integers::by_rows,
    compute: |device, a| exact::inverse(device, a.rows, &a.entries),
    check: |a, x, seed| exact::check_inverse(a.rows, &a.entries, x, seed),
    // The inverse of the matrix whose rows were multiplied has columns that are divided.
    value: |a, x| {
        let entries = x.iter().zip(a.factors.iter().cycle()).map(|(x, factor)| x * factor).collect();
        Value::Fractions { columns: a.columns, entries }
    },
};

/// A basis of the nullspace.
pub(super) static NULLSPACE: Rational<IntegerNullspace> = Rational {
    algorithm: "dixon-lifting",
    of_square: None,
    integers: Integers::by_rows,
    compute: |device, a| exact::nullspace(device, a.shape(), &a.entries),
    check: |a, found, seed| exact::check_nullspace(a.shape(), &a.entries, found, seed),
    value: |a, IntegerNullspace { dimension, basis }| Value::Integers {
        rows: a.columns,
        columns: *dimension,
        entries: basis.clone(),
    },
};

/// The characteristic polynomial.
pub(super) static CHARPOLY: Rational<Vec<BigInt>> = Rational {
    algorithm: "chinese-remainders",
    of_square: Some("characteristic polynomial"),
    integers: Integers::whole,
    compute: |device, a| exact::characteristic_polynomial(device, a.rows, &a.entries),
    check: |a, found, seed| exact::check_characteristic_polynomial(a.rows, &a.entries, found, seed),
    value: |a, found| of_multiple(a, found),
};

/// The minimal polynomial.
pub(super) static MINPOLY: Rational<Vec<BigInt>> = Rational {
    algorithm: "chinese-remainders",
    of_square: Some("minimal polynomial"),
    integers: Integers::whole,
    compute: |device, a| exact::minimal_polynomial(device, a.rows, &a.entries),
    check: |a, found, seed| exact::check_minimal_polynomial(a.rows, &a.entries, found, seed),
    value: |a, found| of_multiple(a, found),
};

/// A characteristic or minimal polynomial from that of `d` times the matrix: of degree `n` its coefficient of `x^k` is `d^(n - k)` times
/// that of the matrix.
fn of_multiple(a: &Integers, found: &[BigInt]) -> Value {
    let degree = found.len().saturating_sub(1);
    let factor = a.factors.first().cloned().unwrap_or_else(|| 1.into());
    let coefficient = |(k, c): (usize, &BigInt)| BigRational::new(c.clone(), factor.pow((degree - k) as u32));
    Value::RationalPolynomial(Polynomial::in_x(found.iter().enumerate().map(coefficient).collect()))
}

/// Reads a matrix, as a job of an operation.
pub(super) fn read<R: Send + Sync + 'static>(
    operation: &'static Rational<R>,
    files: &mut dyn Files,
) -> Result<Boxed, OperationError> {
    let integers = (operation.integers)(&common::read(files, 0, &[])?);
    let (rows, columns) = integers.shape();
    if let (Some(operation), true) = (operation.of_square, rows != columns) {
        return Err(LinalgError::NotSquare { operation, rows, columns }.into());
    }
    Ok(Box::new(OverRationals { operation, integers, found: None }))
}

struct OverRationals<R: 'static> {
    operation: &'static Rational<R>,
    integers: Integers,
    found: Option<R>,
}

impl<R: Send + Sync + 'static> Job for OverRationals<R> {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        self.found = Some((self.operation.compute)(&devices.devices()[0], &self.integers)?);
        Ok(())
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let found = self.found.as_ref().ok_or_else(unmade)?;
        Ok((self.operation.check)(&self.integers, found, seed)?)
    }

    fn check_refusal(&self, refused: &OperationError, seed: u64) -> Option<Result<Passed, OperationError>> {
        let &LinalgError::Singular { rank, .. } = refused.of()? else { return None };
        Some(exact::check_rank(self.integers.shape(), &self.integers.entries, rank, seed).map_err(Into::into))
    }

    fn answer(self: Box<Self>) -> Answer {
        let (rows, columns) = self.integers.shape();
        let value = self.found.as_ref().map_or(Value::None, |found| (self.operation.value)(&self.integers, found));
        Answer::of(value).by(self.operation.algorithm).with("shapes", vec![vec![rows, columns]])
    }
}
