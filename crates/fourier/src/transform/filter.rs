//! The filter of a chirp transform, transformed.

use std::sync::Arc;

use manycore_device::{Device, Executor};

use super::direction::Direction;
use super::plan::build::{Build, build};
use super::plan::parameters::{Limits, Plan};
use super::{host, tables};
use crate::error::FourierError;
use crate::numbers::{Chirp, Numbers};

/// The transform of the filter of a chirp transform of length `n` by convolutions of length `length`, divided by `length`: in
/// [precise](Numbers::Precise) numbers, rounded once.
///
/// # Errors
/// As [`Numbers::powers`].
pub(super) fn filter<N: Numbers>(
    numbers: &N,
    n: u64,
    length: u64,
    direction: Direction,
) -> Result<Vec<N::Value>, FourierError> {
    Ok(by_stages(&numbers.precise(), n, length, direction)?.into_iter().map(N::rounded).collect())
}

/// The transformed filter in the numbers of the transform, by the host's stages.
fn by_stages<N: Numbers>(
    numbers: &N,
    n: u64,
    length: u64,
    direction: Direction,
) -> Result<Vec<N::Value>, FourierError> {
    let direction = if N::CONJUGATES { Direction::Forward } else { direction };
    let exponents = (0..n as i64).map(|i| Chirp::Filter.exponent(i, n));
    let ahead = numbers.powers(n, direction, &mut { exponents })?;
    let exponents = (1..n as i64).map(|i| Chirp::Filter.exponent(-i, n));
    let behind = numbers.powers(n, direction, &mut { exponents })?;
    let mut data = vec![numbers.zero(); length as usize];
    data[..n as usize].copy_from_slice(&ahead);
    for (value, at) in behind.into_iter().zip((0..length as usize).rev()) {
        data[at] = value;
    }
    let plan = Plan { tile_values: 4096, largest_dense: 0, powers_of_two: true, passes: Arc::default() };
    let limits = Limits::new(numbers, true, 1);
    let stages = build(&Build { factors: &[length], batch: 1, plan, limits }, &|_| false);
    let inner = |n, length| filter(numbers, n, length, direction);
    let parts = tables::parts(numbers, stages.list, direction, Some(numbers.reciprocal(length)), &inner)?;
    let parts = host::tables::prepare(numbers, parts);
    let mut first = vec![numbers.zero(); stages.first];
    let mut second = vec![numbers.zero(); stages.second];
    if let Executor::Host(pool) = Device::host().executor() {
        host::run(pool, numbers, &parts, &mut data, &mut first, &mut second);
    }
    Ok(data)
}
