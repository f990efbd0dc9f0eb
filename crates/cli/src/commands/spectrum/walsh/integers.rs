//! Walsh-Hadamard transforms of integers: exact, or refused.

use manycore::Direction;

use super::{Computed, Job, compute, wrong};
use crate::error::Error;
use crate::input::InputError;
use crate::vector::{Integer, NumberType};
use crate::verify;

/// The transforms of `x`.
///
/// An inverse is computed as the same transform forward, which divides nothing, so that values that the length does not
/// divide are found instead of rounded.
pub(super) fn transform<T: Integer>(x: &[T], job: &mut Job<'_>) -> Result<Computed<T>, Error> {
    if !job.wrap {
        refuse_overflow(x, job)?;
    }
    let mut computed = compute(x, job, Direction::Forward)?;
    if let Some(random) = &mut job.random {
        job.progress.step("verifying");
        let (y, shape) = (&computed.values, job.shape);
        let right = if job.wrap { verify::wrapping(x, y, shape, random) } else { verify::exact(x, y, shape, random) };
        if !right {
            return Err(wrong(job, "it is not the transform of the values"));
        }
    }
    if job.direction == Direction::Inverse {
        divide(&mut computed.values, job)?;
    }
    Ok(computed)
}

/// Refuses values whose coefficients might leave the type: none is larger than the sum of the sizes of the values.
fn refuse_overflow<T: Integer>(x: &[T], job: &Job<'_>) -> Result<(), InputError> {
    for (transform, block) in x.chunks(job.shape.len).enumerate() {
        let bound: i128 = block.iter().map(|&value| i128::from(value.into().unsigned_abs())).sum();
        if bound > T::LARGEST.into() {
            let wider = if bound > i64::MAX.into() { NumberType::F64 } else { NumberType::I64 };
            let file = job.file.clone();
            return Err(InputError::Overflow {
                file,
                transform,
                bound,
                number_type: T::NUMBER_TYPE,
                wider,
                bits: T::BITS,
            });
        }
    }
    Ok(())
}

/// Divides by the length: exactly, or rounding down where integers wrap anyway.
fn divide<T: Integer>(values: &mut [T], job: &Job<'_>) -> Result<(), InputError> {
    let len = job.shape.len;
    for (index, value) in values.iter_mut().enumerate() {
        let numerator: i64 = (*value).into();
        if !job.wrap && numerator & (len as i64 - 1) != 0 {
            return Err(InputError::NotSpectrum { file: job.file.clone(), index, numerator, len });
        }
        *value = value.divide_by_power(job.shape.log_len());
    }
    Ok(())
}
