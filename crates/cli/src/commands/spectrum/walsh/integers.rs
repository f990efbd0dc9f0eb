//! Walsh-Hadamard transforms of integers: exact, or refused.

use manycore::Direction;

use super::Work;
use crate::commands::spectrum::job::Computed;
use crate::error::Error;
use crate::input::InputError;
use crate::vector::Integer;
use manycore::verify;

/// The transforms of `x`.
///
/// An inverse is computed as the same transform forward, which divides nothing, so that values that the length does not
/// divide are found instead of rounded.
pub(super) fn transform<T: Integer>(x: &[T], work: &Work<'_>) -> Result<Computed<T>, Error> {
    if !work.wrap {
        work.job.refuse_overflow(x)?;
    }
    let mut computed = work.compute(x, Direction::Forward)?;
    if let Some(mut random) = work.job.random() {
        work.job.step("verifying");
        let (y, shape, random) = (&computed.values, work.shape, &mut random);
        let right = if work.wrap { verify::wrapping(x, y, shape, random) } else { verify::exact(x, y, shape, random) };
        if !right {
            return Err(work.job.wrong("it is not the transform of the values"));
        }
    }
    if work.job.direction == Direction::Inverse {
        divide(&mut computed.values, work)?;
    }
    Ok(computed)
}

/// Divides by the length: exactly, or rounding down where integers wrap anyway.
fn divide<T: Integer>(values: &mut [T], work: &Work<'_>) -> Result<(), InputError> {
    let len = work.shape.len;
    for (index, value) in values.iter_mut().enumerate() {
        let numerator: i64 = (*value).into();
        if !work.wrap && numerator & (len as i64 - 1) != 0 {
            return Err(InputError::NotSpectrum {
                file: work.job.file.clone(),
                index,
                numerator: numerator.into(),
                len,
            });
        }
        *value = value.divide_by_power(work.shape.log_len());
    }
    Ok(())
}
