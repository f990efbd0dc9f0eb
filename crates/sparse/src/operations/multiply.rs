//! The product of a sparse matrix and a vector as an operation.

use std::collections::BTreeSet;

use manycore_device::{Device, DeviceSet, ErrorKind, LibraryError};
use manycore_field::{Goldilocks, ModularField, PrimeField, Reals, Semiring};
use manycore_operation::files::NotFinite;
use manycore_operation::vector::Vector;
use manycore_operation::verify::Passed;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Estimate, Failure, Files, Input, Job, Operation, OperationError,
    OptionKind, Splits, Value, json, read, unmade,
};
use sprs::CsMat;

use super::input::{entries, matrix};
use super::numbers::Numbers;
use super::orders;
use crate::market::MatrixEntries;
use crate::multiply::{ProductAlgorithm, ProductOptions, ProductPlan, SparseProduct};
use crate::permutation::Reordering;

const DECLARATION: Declaration = Declaration {
    name: "sparse multiply",
    title: "Multiply by a vector",
    about: "\
Multiply a sparse matrix by a vector

The product, one value a line; a .npy file with -o NAME.npy; a list in the JSON object of --json. Repeated entries of the \
matrix are added first, in the order of the file.",
    help: "\
--verify multiplies once more on the host, entry after entry. Modulo a prime no wrong value passes; in double precision none that \
is off by more than the rounding of its sum.

Examples:
  manycore sparse multiply matrix.mtx x.txt
  manycore sparse multiply matrix.sms x.npy --modulus 9001 -o y.npy --verify
  manycore sparse multiply ordered.mtx x.npy --orders orders.json -o y.npy",
    step: "multiplying",
    inputs: &[
        matrix("The matrix: Matrix Market, SMS or Harwell-Boeing"),
        Input::integers(
            "x",
            "X",
            "The vector: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input",
        ),
    ],
    options: &[
        DeclaredOption {
            value: OptionKind::Modulus { is_required: false },
            ..DeclaredOption::flag(
                "modulus",
                "Compute modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1: matrix and vector have integers. Without it, in double precision, for integers that it holds exactly",
            )
        },
        DeclaredOption {
            value: OptionKind::File { value_name: "FILE" },
            ..DeclaredOption::flag(
                ORDERS,
                "The orders by which the matrix was put in order, a file of sparse reorder --orders: vector and product belong to the matrix before reordering",
            )
        },
    ],
    splits: Some(Splits::Values),
    is_seedless: true,
    ..Declaration::BASE
};

/// The option of the file of orders.
const ORDERS: &str = "orders";

/// The operation.
pub(super) struct Multiply;

impl Operation for Multiply {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let entries = entries(files)?;
        match arguments.number("modulus") {
            None => {
                let matrix = entries.reals()?;
                let x = doubles(files)?;
                product(Reals::<f64>::new(), matrix, x, (arguments, files))
            }
            Some(p) if p == Goldilocks.order() => residues(Goldilocks, &entries, (arguments, files)),
            Some(p) => match u32::try_from(p) {
                Ok(short) if p < PrimeField::<u32>::LIMIT => {
                    residues(PrimeField::<u32>::new(short)?, &entries, (arguments, files))
                }
                _ => residues(PrimeField::<u64>::new(p)?, &entries, (arguments, files)),
            },
        }
    }
}

/// The job of a product modulo a prime.
fn residues<F>(
    field: F,
    entries: &MatrixEntries,
    call: (&Arguments, &mut dyn Files),
) -> Result<Box<dyn Job>, OperationError>
where
    F: ModularField + Numbers<Value = <F as Semiring>::Element>,
{
    let matrix = entries.residues(&field)?;
    let x = read::residues(call.1, 1, &field)?;
    product(field, matrix, x, call)
}

/// The job of a product by a vector in the order of the matrix before reordering.
fn product<R: Numbers>(
    ring: R,
    matrix: CsMat<R::Value>,
    x: Vec<R::Value>,
    (arguments, files): (&Arguments, &mut dyn Files),
) -> Result<Box<dyn Job>, OperationError> {
    let input = DECLARATION.input_of(ORDERS).filter(|_| arguments.is_given(ORDERS));
    let orders = match input {
        Some(input) => {
            let (text, file) = (files.text(input)?, files.name(input));
            Some((orders::orders(&text, &file, matrix.shape())?, file))
        }
        None => None,
    };
    let x = match &orders {
        Some((orders, _)) => orders.columns.apply(&x)?,
        None => x,
    };
    let rows = files.part(matrix.rows());
    let part = files.is_part().then(|| match &orders {
        Some((orders, _)) => {
            let places = orders.rows.old_to_new();
            // A reordered matrix has these rows in any places.
            rows_of(&matrix, places.get(rows).unwrap_or_default().iter().map(|&row| row as usize))
        }
        None => rows_of(&matrix, rows),
    });
    Ok(Box::new(Product { ring, matrix, part, x, orders, made: None }))
}

/// An integer of the vector that no number of double precision is.
#[derive(Debug, thiserror::Error)]
#[error(
    "{file}: value {number}, {value}, is an integer that double precision does not hold exactly: compute with --modulus, or write \
     it with a point"
)]
struct RoundedError {
    file: String,
    /// Which value, from 1.
    number: usize,
    value: i64,
}

impl LibraryError for RoundedError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Value
    }
}

impl Failure for RoundedError {}

/// The vector in double precision. Of a file of integers each must be a number of double precision.
fn doubles(files: &mut dyn Files) -> Result<Vec<f64>, OperationError> {
    let source = files.numbers(1)?;
    let file = source.file().to_owned();
    let vector = Vector::read(source, None, NotFinite::Refused)?;
    vector.room_for_results(&file)?;
    let integers = match vector {
        Vector::F64(values) => return Ok(values),
        Vector::F32(values) => return Ok(values.into_iter().map(f64::from).collect()),
        Vector::I64(values) => values,
        Vector::I32(values) => values.into_iter().map(i64::from).collect(),
    };
    let is_rounded = |&(_, &value): &(usize, &i64)| value as f64 as i128 != i128::from(value);
    if let Some((at, &value)) = integers.iter().enumerate().find(is_rounded) {
        return Err(RoundedError { file, number: at + 1, value }.into());
    }
    Ok(integers.into_iter().map(|value| value as f64).collect())
}

/// A product.
struct Product<R: Numbers> {
    ring: R,
    matrix: CsMat<R::Value>,
    /// Rows of it whose values alone are computed.
    part: Option<CsMat<R::Value>>,
    /// The vector in the order of the matrix's columns.
    x: Vec<R::Value>,
    /// The orders by which the matrix was put in order, and their file.
    orders: Option<(Reordering, String)>,
    /// The values in the order of the rows that are computed.
    made: Option<(Vec<R::Value>, ProductPlan)>,
}

impl<R: Numbers> Product<R> {
    /// The rows that are computed.
    fn own(&self) -> &CsMat<R::Value> {
        self.part.as_ref().unwrap_or(&self.matrix)
    }
}

impl<R: Numbers> Job for Product<R> {
    fn estimate(&self, device: &Device) -> Option<Estimate> {
        let choice = SparseProduct::estimates(device, &self.ring, self.own().view(), 1).ok()?;
        let estimate = &choice.best().estimate;
        let names: BTreeSet<&str> = estimate.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        Some(Estimate { seconds: estimate.seconds, kernels: names.len() })
    }

    /// The matrix as devices hold it, and both vectors.
    fn bytes(&self) -> u64 {
        let matrix = self.own();
        let (value, [rows, columns]) = (size_of::<R::Value>(), [matrix.rows(), matrix.cols()]);
        let matrix = matrix.nnz().saturating_mul(value + 4).saturating_add(8 * rows);
        matrix.saturating_add((rows + columns).saturating_mul(value)) as u64
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let device = &devices.devices()[0];
        // The order of a row's sum is that of the product of all rows.
        let whole = match self.part {
            Some(_) => Some(SparseProduct::estimates(device, &self.ring, self.matrix.view(), 1)?.best().parameters),
            None => None,
        };
        let options = ProductOptions { algorithm: whole.and_then(algorithm), ..ProductOptions::default() };
        let product = SparseProduct::new(device, self.ring.clone(), self.own().view(), options)?;
        let plan = whole.map_or_else(|| product.plan(1), Ok)?;
        self.made = Some((product.multiply(&self.x)?, plan));
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let (y, _) = self.made.as_ref().ok_or_else(unmade)?;
        Ok(self.ring.check(self.own(), &self.x, y)?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { ring, matrix, part, orders, made, .. } = *self;
        let Some((y, plan)) = made else { return Answer::of(Value::None) };
        let (orders, file) = orders.unzip();
        let y = match orders.filter(|_| part.is_none()) {
            // A product has as many values as there are rows.
            Some(orders) => orders.rows.undo(&y).unwrap_or_default(),
            None => y,
        };
        let answer = Answer { modulus: ring.modulus(), ..Answer::of(R::value(y)) };
        let answer = answer.with("rows", matrix.rows()).with("columns", matrix.cols()).with("non_zeros", matrix.nnz());
        let answer = answer.with("kernel", plan.to_string()).with("modulus", ring.modulus().map(json::integer));
        answer.with(ORDERS, file)
    }
}

/// What shares the work of a device among its items by a plan, where the order of sums depends on it.
fn algorithm(plan: ProductPlan) -> Option<ProductAlgorithm> {
    match plan {
        ProductPlan::Rows { lanes, .. } => Some(ProductAlgorithm::Rows { lanes }),
        ProductPlan::Merge { .. } => Some(ProductAlgorithm::Merge),
        ProductPlan::Runs { .. } => None,
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
}
