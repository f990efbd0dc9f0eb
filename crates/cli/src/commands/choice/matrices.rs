//! Products, determinants and inverses of matrices, over fields whose type depends on the modulus.

use clap::Args;
use manycore::device::DeviceSet;
use manycore::linalg::EliminationShape;
use manycore::linalg::bits::BitAlgebra;
use manycore::{Device, LinearAlgebra, MatrixField, PolyField};
use serde_json::json;

use super::{Explained, Operation, room_to_measure, size};
use crate::arguments::modulus;
use crate::commands::poly::{Modulus, WithField};
use crate::error::Error;
use crate::output::JsonInteger;

/// The sizes of a product of matrices.
#[derive(Debug, Clone, Args)]
pub struct MatrixMulArguments {
    /// Rows of the first matrix, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Columns of the first matrix, and rows of the second; without it, as many as rows
    #[arg(long, value_name = "K", value_parser = size)]
    pub inner: Option<usize>,

    /// Columns of the second matrix; without it, as many as rows of the first
    #[arg(long, value_name = "M", value_parser = size)]
    pub columns: Option<usize>,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1; matrices modulo 2 are of bits
    #[arg(long, value_name = "P", value_parser = modulus, default_value_t = 469_762_049)]
    pub modulus: u64,
}

impl MatrixMulArguments {
    /// Rows and columns of the first matrix, and columns of the second.
    pub(super) fn sizes(&self) -> (usize, usize, usize) {
        (self.n, self.inner.unwrap_or(self.n), self.columns.unwrap_or(self.n))
    }

    /// The sizes, where there are such matrices.
    fn checked(&self) -> Result<(usize, usize, usize), Error> {
        let (n, inner, columns) = self.sizes();
        if n == 0 || inner == 0 || columns == 0 {
            return Err(Error::Usage("--n, --inner and --columns must be at least 1".to_owned()));
        }
        if [(n, inner), (inner, columns), (n, columns)].iter().any(|(a, b)| a.checked_mul(*b).is_none()) {
            return Err(Error::Usage(format!("--n {n} --inner {inner} --columns {columns}: too large")));
        }
        Ok((n, inner, columns))
    }

    /// What is told of the sizes.
    fn shape(&self) -> serde_json::Value {
        let (n, inner, columns) = self.sizes();
        json!({ "n": n, "inner": inner, "columns": columns, "modulus": JsonInteger(self.modulus.into()) })
    }
}

/// The order of a determinant or an inverse.
#[derive(Debug, Clone, Args)]
pub struct MatrixOrderArguments {
    /// Rows and columns, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus, default_value_t = 469_762_049)]
    pub modulus: u64,
}

/// Products.
pub(super) fn matrix_mul(arguments: &MatrixMulArguments, device: &Device) -> Result<Explained, Error> {
    if arguments.modulus == 2 {
        return bits_mul(arguments, device);
    }
    Modulus(arguments.modulus).with(Product { arguments, device })
}

/// Products of matrices of bits.
fn bits_mul(arguments: &MatrixMulArguments, device: &Device) -> Result<Explained, Error> {
    let (n, inner, columns) = arguments.checked()?;
    let words = |bits: usize| bits.div_ceil(64) as u128;
    let (of_first, of_second) = (n as u128 * words(inner), inner as u128 * words(columns));
    room_to_measure::<u64>(device, of_first + of_second + n as u128 * words(columns))?;
    Ok(Explained::new(&BitAlgebra::new(device).explain_product(n, inner, columns)?, &arguments.shape()))
}

struct Product<'a> {
    arguments: &'a MatrixMulArguments,
    device: &'a Device,
}

impl WithField for Product<'_> {
    type Output = Explained;

    fn run<F: PolyField + MatrixField>(self, field: F) -> Result<Explained, Error> {
        let (n, inner, columns) = self.arguments.checked()?;
        let (rows, wide) = (n as u128, columns as u128);
        room_to_measure::<F::Element>(self.device, (rows + wide) * inner as u128 + rows * wide)?;
        let choice = LinearAlgebra::new(self.device, field)?.explain_product(n, inner, columns)?;
        Ok(Explained::new(&choice, &self.arguments.shape()))
    }
}

/// The blocks in which several devices share a product or a determinant, or in which the data goes through one that it does not fit.
pub(super) fn shared(operation: &Operation, set: &DeviceSet) -> Result<Option<String>, Error> {
    let blocks = match operation {
        // Matrices of bits are multiplied by one device, at once.
        Operation::MatrixMul(of) if of.modulus == 2 => None,
        Operation::MatrixMul(of) => Modulus(of.modulus).with(Blocks { set, shape: of.sizes(), is_product: true })?,
        Operation::MatrixDet(of) => {
            Modulus(of.modulus).with(Blocks { set, shape: (of.n, of.n, of.n), is_product: false })?
        }
        _ => None,
    };
    Ok(blocks)
}

struct Blocks<'a> {
    set: &'a DeviceSet,
    shape: (usize, usize, usize),
    is_product: bool,
}

impl WithField for Blocks<'_> {
    type Output = Option<String>;

    fn run<F: PolyField + MatrixField>(self, _: F) -> Result<Option<String>, Error> {
        if self.is_product {
            return Ok(LinearAlgebra::<F>::product_blocks(self.set, self.shape)?.map(|blocks| blocks.to_string()));
        }
        Ok(LinearAlgebra::<F>::panels(self.set, (self.shape.0, self.shape.2))?.map(|panels| panels.to_string()))
    }
}

/// Determinants.
pub(super) fn matrix_det(arguments: &MatrixOrderArguments, device: &Device) -> Result<Explained, Error> {
    Modulus(arguments.modulus).with(OfOrder { arguments, device, is_inverse: false })
}

/// Inverses.
pub(super) fn matrix_inverse(arguments: &MatrixOrderArguments, device: &Device) -> Result<Explained, Error> {
    Modulus(arguments.modulus).with(OfOrder { arguments, device, is_inverse: true })
}

struct OfOrder<'a> {
    arguments: &'a MatrixOrderArguments,
    device: &'a Device,
    is_inverse: bool,
}

impl WithField for OfOrder<'_> {
    type Output = Explained;

    fn run<F: PolyField + MatrixField>(self, field: F) -> Result<Explained, Error> {
        let &MatrixOrderArguments { n, modulus } = self.arguments;
        if n == 0 {
            return Err(Error::Usage("--n must be at least 1".to_owned()));
        }
        room_to_measure::<F::Element>(self.device, (2 * n as u128).saturating_mul(n as u128))?;
        let space = LinearAlgebra::new(self.device, field)?;
        let told = json!({ "n": n, "modulus": JsonInteger(modulus.into()) });
        if self.is_inverse {
            return Ok(Explained::new(&space.explain_inverse(n)?, &told));
        }
        let choice = space.explain_elimination(&EliminationShape::determinant(n))?;
        Ok(Explained::new(&choice, &told))
    }
}
