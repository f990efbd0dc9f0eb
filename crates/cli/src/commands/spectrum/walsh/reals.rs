//! Walsh-Hadamard transforms of floating-point numbers.

use manycore::Direction;

use super::Work;
use crate::commands::spectrum::job::Computed;
use crate::error::Error;
use crate::vector::Real;
use manycore::verify;

/// The transforms of `x`.
pub(super) fn transform<T: Real>(x: &[T], work: &Work<'_>) -> Result<Computed<T>, Error> {
    let factor = if work.job.direction == Direction::Inverse { work.shape.len as f64 } else { 1.0 };
    let right = |y: &[T], random: &mut _| verify::reals(x, y, factor, work.shape, random);
    work.job.reals(x, |x| work.compute(x, work.job.direction), right)
}
