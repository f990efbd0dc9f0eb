//! Walsh-Hadamard transforms of floating-point numbers.

use super::Work;
use crate::commands::spectrum::job::Computed;
use crate::error::Error;
use crate::vector::Real;
use manycore::verify::walsh;

/// The transforms of `x`.
pub(super) fn transform<T: Real>(x: &[T], work: &Work<'_>) -> Result<Computed<T>, Error> {
    let mut computed = work.compute(x, work.job.direction)?;
    work.job.verify(&mut computed, |y, _| walsh::reals(x, y, work.job.direction, work.shape))?;
    Ok(computed)
}
