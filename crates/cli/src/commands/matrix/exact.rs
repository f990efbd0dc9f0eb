//! `manycore matrix rank`, `inverse`, `nullspace`, `charpoly` and `minpoly` over the rationals.

use std::path::Path;

use manycore::linalg::exact::{self, IntegerNullspace};
use manycore::linalg::file::Dense;
use manycore::verify::{Outcome, Passed, SplitMix};
use manycore::{Device, LinalgError};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde_json::{Map, json};

use super::job::{self, Made, Work};
use super::value::Value;
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::several::one;
use crate::error::Error;
use crate::input;
use crate::output::{self, JsonInteger};
use crate::progress;
use crate::verification::verified;

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
    value: fn(&Integers, R) -> Value,
}

/// The rank.
pub(super) const RANK: Rational<usize> = Rational {
    algorithm: "dixon-lifting",
    of_square: None,
    integers: Integers::by_rows,
    compute: |device, a| exact::rank(device, a.shape(), &a.entries),
    check: |a, &rank, seed| exact::check_rank(a.shape(), &a.entries, rank, seed),
    value: |_, rank| Value::Integer(rank as u64),
};

/// The inverse.
pub(super) const INVERSE: Rational<Vec<BigRational>> = Rational {
    algorithm: "chinese-remainders",
    of_square: Some("inverse"),
    integers: Integers::by_rows,
    compute: |device, a| exact::inverse(device, a.rows, &a.entries),
    check: |a, x, seed| exact::check_inverse(a.rows, &a.entries, x, seed),
    // The inverse of the matrix whose rows were multiplied has columns that are divided.
    value: |a, x| {
        let words = x.iter().zip(a.factors.iter().cycle()).map(|(x, factor)| (x * factor).to_string()).collect();
        Value::Fractions { columns: a.columns, words }
    },
};

/// A basis of the nullspace.
pub(super) const NULLSPACE: Rational<IntegerNullspace> = Rational {
    algorithm: "dixon-lifting",
    of_square: None,
    integers: Integers::by_rows,
    compute: |device, a| exact::nullspace(device, a.shape(), &a.entries),
    check: |a, found, seed| exact::check_nullspace(a.shape(), &a.entries, found, seed),
    value: |a, IntegerNullspace { dimension, basis }| Value::Integers {
        rows: a.columns,
        columns: dimension,
        words: basis.iter().map(ToString::to_string).collect(),
    },
};

/// The characteristic polynomial.
pub(super) const CHARPOLY: Rational<Vec<BigInt>> = Rational {
    algorithm: "chinese-remainders",
    of_square: Some("characteristic polynomial"),
    integers: Integers::whole,
    compute: |device, a| exact::characteristic_polynomial(device, a.rows, &a.entries),
    check: |a, found, seed| exact::check_characteristic_polynomial(a.rows, &a.entries, found, seed),
    value: of_multiple,
};

/// The minimal polynomial.
pub(super) const MINPOLY: Rational<Vec<BigInt>> = Rational {
    algorithm: "chinese-remainders",
    of_square: Some("minimal polynomial"),
    integers: Integers::whole,
    compute: |device, a| exact::minimal_polynomial(device, a.rows, &a.entries),
    check: |a, found, seed| exact::check_minimal_polynomial(a.rows, &a.entries, found, seed),
    value: of_multiple,
};

/// A characteristic or minimal polynomial from that of `d` times the matrix: of degree `n` its coefficient of `x^k` is `d^(n - k)` times
/// that of the matrix.
fn of_multiple(a: &Integers, found: Vec<BigInt>) -> Value {
    let degree = found.len().saturating_sub(1);
    let factor = a.factors.first().cloned().unwrap_or_else(|| 1.into());
    let coefficient = |(k, c): (usize, BigInt)| BigRational::new(c, factor.pow((degree - k) as u32)).to_string();
    Value::Decimals(found.into_iter().enumerate().map(coefficient).collect())
}

/// Does the work `W` over the rationals: reads the matrix of this file, computes, checks and writes the result.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run<W: Work, R: Send>(operation: &Rational<R>, m: &Path, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let device = one(global)?;
    progress::step(format!("reading {}", input::name(m)));
    let integers = (operation.integers)(&input::matrix(m)?);
    let (rows, columns) = integers.shape();
    if let (Some(operation), true) = (operation.of_square, rows != columns) {
        return Err(job::of_files(LinalgError::NotSquare { operation, rows, columns }, &[m]));
    }
    progress::compute(format!("{} on {}", W::STEP, label(&device)));
    let (outcome, profile) = device.profile(|| (operation.compute)(&device, &integers))?;
    let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
    if let Err(LinalgError::Singular { rank, .. }) = outcome
        && global.verify
    {
        progress::step("verifying");
        verified(checked(exact::check_rank(integers.shape(), &integers.entries, rank, seed))?, &device)?;
    }
    let found = outcome.map_err(|error| job::of_files(error, &[m]))?;
    let verification = if global.verify {
        progress::step("verifying");
        let outcome = checked((operation.check)(&integers, &found, seed))?;
        Some(verified(outcome, &device)?)
    } else {
        None
    };
    let mut parameters = Map::new();
    parameters.insert("shapes".to_owned(), json!([[rows, columns]]));
    parameters.insert("seed".to_owned(), json!(global.verify.then_some(JsonInteger(seed.into()))));
    let made = Made {
        command: W::COMMAND,
        device: label(&device),
        algorithm: Some(operation.algorithm),
        spent: (&profile).into(),
        verification,
        modulus: None,
    };
    job::write(global, made, parameters.into(), (operation.value)(&integers, found))
}

/// What a check says, apart from failures to make it.
pub(super) fn checked(outcome: Result<Passed, LinalgError>) -> Result<Outcome, LinalgError> {
    match outcome {
        Ok(passed) => Ok(Ok(passed)),
        Err(LinalgError::Check(error)) => Ok(Err(error)),
        Err(error) => Err(error),
    }
}

/// A matrix and a right side of fractions as integers: each equation times a number above 0.
pub(super) fn equations(matrix: &Dense<BigRational>, right: &Dense<BigRational>) -> (Vec<BigInt>, Vec<BigInt>) {
    let (mut a, mut b) = (Vec::with_capacity(matrix.entries.len()), Vec::with_capacity(right.entries.len()));
    for row in 0..matrix.rows {
        let left = &matrix.entries[row * matrix.columns..][..matrix.columns];
        let right = &right.entries[row * right.columns..][..right.columns];
        let factor = exact::common_denominator(left);
        // The factor of the right side is that of both.
        let factor = exact::common_denominator(&right.iter().map(|x| x * &factor).collect::<Vec<_>>()) * factor;
        a.extend(exact::scaled(left, &factor));
        b.extend(right.iter().map(|x| (x * &factor).to_integer()));
    }
    (a, b)
}
