//! Walsh-Hadamard transforms of floating-point numbers.

use manycore::Direction;

use super::Work;
use crate::commands::spectrum::job::Computed;
use crate::error::Error;
use crate::vector::Real;
use crate::verify;

/// The transforms of `x`.
pub(super) fn transform<T: Real>(x: &[T], work: &Work<'_>) -> Result<Computed<T>, Error> {
    work.job.refuse_infinite(x)?;
    let computed = work.compute(x, work.job.direction)?;
    if let Some(mut random) = work.job.random() {
        work.job.step("verifying");
        let factor = if work.job.direction == Direction::Inverse { work.shape.len as f64 } else { 1.0 };
        if computed.values.iter().any(|&value| !value.into().is_finite()) {
            return Err(work.job.wrong("a coefficient is past the largest floating-point number"));
        }
        if !verify::reals(x, &computed.values, factor, work.shape, &mut random) {
            return Err(work.job.wrong("it is not the transform of the values within rounding"));
        }
    }
    Ok(computed)
}
