//! `manycore sparse multiply`.

use std::path::PathBuf;

use clap::Args;
use manycore::device::Kind;
use manycore::field::{Goldilocks, ModularField, PrimeField, Reals, ResidueWord};
use manycore::operation::Explained;
use manycore::sparse::sprs::CsMat;
use manycore::sparse::{
    MatrixEntries, ProductAlgorithm, ProductOptions, ProductPlan, Reordering, SparseProduct, SparseRing, reference,
};
use manycore::verify::{CheckError, Outcome, Passed};
use manycore::{Device, PolyField};
use serde_json::json;

use super::orders::Orders;
use crate::arguments::{Global, modulus};
use crate::commands::auto::{self, Wanted};
use crate::commands::label;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, JsonInteger, Report, Residues};
use crate::progress;
use crate::shard::{self, Shards, Split, array};
use crate::vector::Vector;
use crate::verification::verified;

/// The arguments of `sparse multiply`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The matrix: Matrix Market, SMS or Harwell-Boeing
    pub matrix: PathBuf,

    /// The vector: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input
    pub x: PathBuf,

    /// Compute modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1: matrix and vector have integers. Without it,
    /// in double precision, for integers that it holds exactly
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: Option<u64>,

    /// The orders by which the matrix was put in order, a file of sparse reorder --orders: vector and product belong to the matrix before reordering
    #[arg(long, value_name = "FILE")]
    pub orders: Option<PathBuf>,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Multiply a sparse matrix by a vector

The product, one value a line; a .npy file with -o NAME.npy; a list in the JSON object of --json. Repeated entries of the \
matrix are added first, in the order of the file.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify multiplies once more on the host, entry after entry. Modulo a prime no wrong value passes; in double precision none that \
is off by more than the rounding of its sum.

Examples:
  manycore sparse multiply matrix.mtx x.txt
  manycore sparse multiply matrix.sms x.npy --modulus 9001 -o y.npy --verify
  manycore sparse multiply ordered.mtx x.npy --orders orders.json -o y.npy";

/// Multiplies.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let wanted = Wanted::new(global)?;
    progress::step(format!("reading {}", input::name(&arguments.matrix)));
    let entries = input::sparse_matrix(&arguments.matrix)?;
    let job = Job { arguments, global, wanted: &wanted, entries: &entries };
    match arguments.modulus {
        None => job.reals(),
        Some(p) if p == Goldilocks.order() => job.residues(&Goldilocks),
        Some(p) => match u32::try_from(p) {
            Ok(short) if p < PrimeField::<u32>::LIMIT => job.residues(&PrimeField::<u32>::new(short)?),
            _ => job.residues(&PrimeField::<u64>::new(p)?),
        },
    }
}

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    wanted: &'a Wanted<'a>,
    entries: &'a MatrixEntries,
}

/// A product as a job whose time is told.
struct Product<'a, R: SparseRing> {
    ring: &'a R,
    matrix: &'a CsMat<R::Value>,
}

impl<R: SparseRing> auto::Job for Product<'_, R> {
    fn explain(&self, device: &Device) -> Result<Explained, Error> {
        let choice = SparseProduct::estimates(device, self.ring, self.matrix.view(), 1)?;
        Ok(Explained::new(&choice))
    }

    /// The matrix as devices hold it, and both vectors.
    fn bytes(&self) -> u64 {
        let (value, [rows, columns]) = (size_of::<R::Value>(), [self.matrix.rows(), self.matrix.cols()]);
        let matrix = self.matrix.nnz().saturating_mul(value + 4).saturating_add(8 * rows);
        matrix.saturating_add((rows + columns).saturating_mul(value)) as u64
    }
}

impl Job<'_> {
    fn reals(&self) -> Result<(), Error> {
        let matrix = self.entries.reals().map_err(|error| Error::Input(InputError::Sparse(error)))?;
        progress::step(format!("reading {}", input::name(&self.arguments.x)));
        let x = self.ordered(&matrix, input::exact_doubles(&self.arguments.x)?)?;
        match self.multiply(&Reals::<f64>::new(), &matrix, &x, |rows, y| check_reals(rows, &x, y))? {
            Some(report) => output::write_vector(self.global, &report.map(Vector::F64)),
            None => shard::write_empty(self.global),
        }
    }

    fn residues<F>(&self, field: &F) -> Result<(), Error>
    where
        F: PolyField + SparseRing<Value = <F as manycore::field::Semiring>::Element>,
    {
        let matrix = self.entries.residues(field).map_err(|error| Error::Input(InputError::Sparse(error)))?;
        progress::step(format!("reading {}", input::name(&self.arguments.x)));
        let x = self.ordered(&matrix, input::coefficients(&self.arguments.x, field)?)?;
        let words = |y: Vec<F::Element>| Residues(y.into_iter().map(F::Element::as_u64).collect());
        match self.multiply(field, &matrix, &x, |rows, y| check_residues(field.order(), rows, &x, y))? {
            Some(report) => output::write_residues(self.global, &report.map(words)),
            None => shard::write_empty(self.global),
        }
    }

    /// The orders of `--orders`.
    fn orders<T>(&self, matrix: &CsMat<T>) -> Result<Option<Reordering>, Error> {
        self.arguments.orders.as_deref().map(|path| Orders::read(path, matrix.shape())).transpose()
    }

    /// The vector in the order of the matrix's columns.
    fn ordered<T: Clone>(&self, matrix: &CsMat<T>, x: Vec<T>) -> Result<Vec<T>, Error> {
        match self.orders(matrix)? {
            Some(orders) => orders.columns.apply(&x).map_err(|error| Error::from(error).of(&self.arguments.x)),
            None => Ok(x),
        }
    }

    /// The product, or the shard's rows of it; `None` for a shard without any.
    fn multiply<R: SparseRing>(
        &self,
        ring: &R,
        matrix: &CsMat<R::Value>,
        x: &[R::Value],
        check: impl FnOnce(&CsMat<R::Value>, &[R::Value]) -> Outcome,
    ) -> Result<Option<Report<Vec<R::Value>>>, Error> {
        let Some(rows) = shard::range(self.global, matrix.rows()) else { return Ok(None) };
        let orders = self.orders(matrix)?;
        // Those of the result: they lie anywhere in a matrix that was put in order.
        let part = shard::is_on(self.global).then(|| match &orders {
            Some(orders) => rows_of(matrix, orders.rows.old_to_new()[rows.clone()].iter().map(|&row| row as usize)),
            None => rows_of(matrix, rows),
        });
        let own = part.as_ref().unwrap_or(matrix);
        let device = &self.wanted.device(Some(&Product { ring, matrix: own }));
        progress::compute(format!("multiplying on {}", label(device)));
        // The order of a row's sum is that of the product of all rows.
        let whole = part.as_ref().map(|_| SparseProduct::estimates(device, ring, matrix.view(), 1)).transpose()?;
        let whole = whole.map(|whole| whole.best().parameters);
        let options = ProductOptions { algorithm: whole.and_then(algorithm), ..ProductOptions::default() };
        let (outcome, profile) = device.profile(|| {
            let product = SparseProduct::new(device, ring.clone(), own.view(), options)?;
            let plan = whole.map_or_else(|| product.plan(1), Ok)?;
            product.multiply(x).map(|y| (y, plan))
        })?;
        let (y, plan) = outcome.map_err(|error| Error::from(error).of(&self.arguments.x))?;
        let verification = if self.global.verify {
            progress::step("verifying");
            Some(verified(check(own, &y), device)?)
        } else {
            None
        };
        let y = match orders {
            Some(orders) if part.is_none() => orders.rows.undo(&y)?,
            _ => y,
        };
        let parameters = json!({
            "rows": matrix.rows(),
            "columns": matrix.cols(),
            "non_zeros": matrix.nnz(),
            "kernel": plan.to_string(),
            "modulus": self.arguments.modulus.map(|p| JsonInteger(p.into())),
            "orders": self.arguments.orders.as_deref().map(input::name),
        });
        Ok(Some(Report {
            device: Some(label(device)),
            seconds: Some(profile.span_seconds()),
            transfer_seconds: Some(profile.seconds(Kind::Upload) + profile.seconds(Kind::Download)),
            verified: self.global.verify.then_some(true),
            verification,
            ..Report::new(COMMAND, parameters, y)
        }))
    }
}

/// The command, as reports name it.
const COMMAND: &str = "sparse multiply";

impl Split for Arguments {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        array::merge(COMMAND, shards, global)
    }
}

/// Rows of a matrix.
fn rows_of<T: Clone>(matrix: &CsMat<T>, rows: impl IntoIterator<Item = usize>) -> CsMat<T> {
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in rows.into_iter().filter_map(|row| matrix.outer_view(row)) {
        columns.extend_from_slice(row.indices());
        values.extend_from_slice(row.data());
        offsets.push(columns.len());
    }
    CsMat::new((offsets.len() - 1, matrix.cols()), offsets, columns, values)
}

/// What shares the work of a device among its items by a plan, where the order of sums depends on it.
fn algorithm(plan: ProductPlan) -> Option<ProductAlgorithm> {
    match plan {
        ProductPlan::Rows { lanes, .. } => Some(ProductAlgorithm::Rows { lanes }),
        ProductPlan::Merge { .. } => Some(ProductAlgorithm::Merge),
        _ => None,
    }
}

/// Compares residues with those of the definition, by remainders of 128 bits.
fn check_residues<W: ResidueWord>(modulus: u64, matrix: &CsMat<W>, x: &[W], y: &[W]) -> Outcome {
    let term = |(column, value): (usize, &W)| {
        u128::from(value.as_u64()) * u128::from(x[column].as_u64()) % u128::from(modulus)
    };
    // A sum of fewer than 2^64 residues is below 2^128.
    let sums = matrix.outer_iterator().map(|row| row.iter().map(term).sum::<u128>() % u128::from(modulus));
    let expected: Vec<W> = sums.map(|sum| W::from_u64(sum as u64)).collect();
    if y.len() != expected.len() {
        return Err(CheckError::Length { found: y.len(), expected: expected.len() });
    }
    match y.iter().zip(&expected).position(|(found, expected)| found != expected) {
        None => Ok(Passed::by_second_computation("the product entry after entry")),
        Some(index) => {
            let (found, expected) = (format!("{:?}", y[index]), format!("{:?}", expected[index]));
            Err(CheckError::Value { run: 0, index, found, expected })
        }
    }
}

/// Compares numbers with those of the definition: both sums of `k` products are within `k u` of the true one for a sum of
/// 1 of their sizes, rounded up for the terms in `u^2`. Underflow takes the smallest number a product more.
fn check_reals(matrix: &CsMat<f64>, x: &[f64], y: &[f64]) -> Outcome {
    let expected = reference::multiply(&Reals::<f64>::new(), matrix.view(), x, 1);
    if y.len() != expected.len() {
        return Err(CheckError::Length { found: y.len(), expected: expected.len() });
    }
    for (index, ((&found, &expected), row)) in y.iter().zip(&expected).zip(matrix.outer_iterator()).enumerate() {
        let sizes: f64 = row.iter().map(|(column, value)| (value * x[column]).abs()).sum();
        let terms = row.nnz() as f64;
        let bound = 2.5 * terms * (f64::EPSILON / 2.0 * sizes + f64::MIN_POSITIVE * f64::EPSILON);
        // Infinite and missing numbers stand where the definition has them; where products overflow, sums in another order
        // may be the one for the other.
        let same = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
        let near = if sizes.is_finite() {
            (found - expected).abs() <= bound
        } else {
            found.is_finite() == expected.is_finite()
        };
        if !(same || near) {
            return Err(CheckError::Bound { run: 0, index, found, expected, bound });
        }
    }
    Ok(Passed::by_second_computation("the product entry after entry, within the rounding of sums"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_of_the_matrix() {
        let matrix = CsMat::new((3, 2), vec![0, 2, 2, 3], vec![0, 1, 1], vec![1, 2, 3]);
        assert_eq!(rows_of(&matrix, 0..3), matrix);
        assert_eq!(rows_of(&matrix, [2, 0]), CsMat::new((2, 2), vec![0, 1, 3], vec![1, 0, 1], vec![3, 1, 2]));
        assert_eq!(rows_of(&matrix, 1..2), CsMat::new((1, 2), vec![0, 0], vec![], vec![]));
        assert_eq!(rows_of(&matrix, 0..0).shape(), (0, 2));
    }

    #[test]
    fn wrong_products_do_not_pass() {
        let matrix = CsMat::new((2, 2), vec![0, 2, 3], vec![0, 1, 1], vec![1.0, 2.0, f64::NAN]);
        let x = [3.0, 0.1];
        assert!(check_reals(&matrix, &x, &[3.2, f64::NAN]).is_ok());
        assert!(matches!(check_reals(&matrix, &x, &[3.2 + 1e-14, f64::NAN]), Err(CheckError::Bound { index: 0, .. })));
        assert!(check_reals(&matrix, &x, &[f64::NAN, f64::NAN]).is_err());
        assert!(check_reals(&matrix, &x, &[3.2]).is_err());
        let matrix = CsMat::new((1, 2), vec![0, 2], vec![0, 1], vec![3u32, 5]);
        assert!(check_residues(7, &matrix, &[2, 3], &[0]).is_ok());
        assert!(matches!(check_residues(7, &matrix, &[2, 3], &[1]), Err(CheckError::Value { index: 0, .. })));
    }
}
