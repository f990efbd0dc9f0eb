//! Walsh-Hadamard transforms of floating-point numbers.

use manycore::Direction;

use super::{Computed, Job, compute, wrong};
use crate::error::Error;
use crate::input::InputError;
use crate::vector::Real;
use crate::verify;

/// The transforms of `x`.
pub(super) fn transform<T: Real>(x: &[T], job: &mut Job<'_>) -> Result<Computed<T>, Error> {
    if job.random.is_some()
        && let Some(index) = x.iter().position(|&value| !value.into().is_finite())
    {
        return Err(InputError::NotFinite { file: job.file.clone(), index, value: x[index].into() }.into());
    }
    let computed = compute(x, job, job.direction)?;
    if let Some(random) = &mut job.random {
        job.progress.step("verifying");
        let factor = if job.direction == Direction::Inverse { job.shape.len as f64 } else { 1.0 };
        if computed.values.iter().any(|&value| !value.into().is_finite()) {
            return Err(wrong(job, "a coefficient is past the largest floating-point number"));
        }
        if !verify::reals(x, &computed.values, factor, job.shape, random) {
            return Err(wrong(job, "it is not the transform of the values within rounding"));
        }
    }
    Ok(computed)
}
