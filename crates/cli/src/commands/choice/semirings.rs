//! Products of matrices over semirings.

use clap::Args;
use manycore::Device;
use manycore::device::DeviceSet;
use manycore::semiring::operations::{Entry, Kind, numbers, wrapping};
use manycore::semiring::plan::Shape;
use manycore::semiring::{Products, Semiring};
use serde_json::json;

use super::{Explained, at_least_one, room_to_measure, size};
use crate::error::Error;
use crate::vector::{NumberType, entry_types, semirings};

/// The sizes of a product of matrices over a semiring.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Rows of the first matrix, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Columns of the first matrix, and rows of the second; without it, as many as rows
    #[arg(long, value_name = "K", value_parser = size)]
    pub inner: Option<usize>,

    /// Columns of the second matrix; without it, as many as rows of the first
    #[arg(long, value_name = "M", value_parser = size)]
    pub columns: Option<usize>,

    /// The semiring, by its sum and its product
    #[arg(long, value_name = "NAME", default_value = "max-plus", value_parser = semirings())]
    pub semiring: Kind,

    /// The type of the entries
    #[arg(long = "type", value_name = "TYPE", default_value = "i64", value_parser = entry_types())]
    pub number: NumberType,
}

impl Arguments {
    /// The shapes of both matrices.
    fn shapes(&self) -> [Shape; 2] {
        let (inner, columns) = (self.inner.unwrap_or(self.n), self.columns.unwrap_or(self.n));
        [(self.n, inner), (inner, columns)].map(|(rows, columns)| Shape { rows: rows as u64, columns: columns as u64 })
    }
}

macro_rules! with_semiring {
    ($function:ident($arguments:expr, $device:expr)) => {{
        let kind = $arguments.semiring;
        match $arguments.number {
            NumberType::I32 => $function($arguments, &wrapping::<i32>(kind)?, $device),
            NumberType::I64 => $function($arguments, &wrapping::<i64>(kind)?, $device),
            NumberType::F32 | NumberType::F64 if kind == Kind::OrAnd => {
                Err(Error::Usage("--semiring or-and is of integers: --type i32 or i64".to_owned()))
            }
            NumberType::F32 => $function($arguments, &numbers::<f32>(kind)?, $device),
            NumberType::F64 => $function($arguments, &numbers::<f64>(kind)?, $device),
        }
    }};
}

/// The product.
pub(super) fn product(arguments: &Arguments, device: &Device) -> Result<Explained, Error> {
    with_semiring!(product_of(arguments, device))
}

fn product_of<T: Entry>(
    arguments: &Arguments,
    semiring: &Semiring<T, T, T>,
    device: &Device,
) -> Result<Explained, Error> {
    let n = arguments.n;
    let (inner, columns) = (arguments.inner.unwrap_or(n), arguments.columns.unwrap_or(n));
    at_least_one(&[("--n", n), ("--inner", inner), ("--columns", columns)])?;
    let entries = |a: usize, b: usize| a as u128 * b as u128;
    let all = entries(n, inner).saturating_add(entries(inner, columns)).saturating_add(entries(n, columns));
    room_to_measure::<T>(device, all)?;
    let [left, right] = arguments.shapes();
    let choice = Products::new(device).explain_shapes(semiring, left, right)?;
    let told =
        json!({ "n": n, "inner": inner, "columns": columns, "semiring": arguments.semiring.name(), "type": T::NAME });
    Ok(Explained::new(&choice, &told))
}

/// The tiles in which several devices share a product, or in which the entries go through one that they do not fit.
pub(super) fn tiles(arguments: &Arguments, set: &DeviceSet) -> Result<Option<String>, Error> {
    with_semiring!(tiles_of(arguments, set))
}

fn tiles_of<T: Entry>(
    arguments: &Arguments,
    semiring: &Semiring<T, T, T>,
    set: &DeviceSet,
) -> Result<Option<String>, Error> {
    let [left, right] = arguments.shapes();
    Ok(semiring.tiles(set, left, right)?.map(|tiles| tiles.to_string()))
}
