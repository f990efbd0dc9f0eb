//! Sorts of numbers.

use clap::Args;
use manycore::Device;
use manycore::device::DeviceSet;
use manycore::sort::{Key, Sorter};
use serde_json::json;

use super::{Explained, at_least_one, room_to_measure, size};
use crate::error::Error;
use crate::vector::{NumberType, number_types};

/// A sort of numbers.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Numbers, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// The type of the numbers
    #[arg(long = "type", value_name = "TYPE", value_parser = number_types(), default_value = "i64")]
    pub number_type: NumberType,

    /// Places beside the numbers
    #[arg(long)]
    pub places: bool,
}

macro_rules! with_type {
    ($function:ident($arguments:expr, $device:expr)) => {
        match $arguments.number_type {
            NumberType::I32 => $function::<i32>($arguments, $device),
            NumberType::I64 => $function::<i64>($arguments, $device),
            NumberType::F32 => $function::<f32>($arguments, $device),
            NumberType::F64 => $function::<f64>($arguments, $device),
        }
    };
}

/// The sort.
pub(super) fn sort(arguments: &Arguments, device: &Device) -> Result<Explained, Error> {
    with_type!(sort_of(arguments, device))
}

fn sort_of<K: Key>(arguments: &Arguments, device: &Device) -> Result<Explained, Error> {
    let &Arguments { n, number_type, places } = arguments;
    at_least_one(&[("--n", n)])?;
    // Keys as they came, keys that are sorted, and their places.
    room_to_measure::<K>(device, if places { 3 } else { 2 } * n as u128)?;
    let choice = Sorter::new(device).explain::<K, u32>(n, places)?;
    let shape = json!({ "n": n, "type": number_type.to_string(), "places": places });
    Ok(Explained::new(&choice, &shape))
}

/// The blocks in which several devices share a sort, or in which the numbers go through one that they do not fit.
pub(super) fn blocks(arguments: &Arguments, set: &DeviceSet) -> Result<Option<String>, Error> {
    with_type!(blocks_of(arguments, set))
}

fn blocks_of<K: Key>(arguments: &Arguments, set: &DeviceSet) -> Result<Option<String>, Error> {
    let &Arguments { n, places, .. } = arguments;
    Ok(Sorter::over(set)?.blocks::<K, u32>(n, places)?.map(|blocks| blocks.to_string()))
}
