//! Walsh-Hadamard transforms of integers: exact, or refused.

use manycore::Direction;

use super::Work;
use crate::commands::spectrum::job::Computed;
use crate::error::Error;
use crate::input::InputError;
use crate::vector::Integer;
use manycore::verify::kronecker::first_fraction;
use manycore::verify::walsh;

/// The transforms of `x`.
///
/// An inverse is computed as the same transform forward, which divides nothing, so that values that the length does not
/// divide are found instead of rounded.
pub(super) fn transform<T: Integer>(x: &[T], work: &Work<'_>) -> Result<Computed<T>, Error> {
    if !work.wrap {
        work.job.refuse_overflow::<T>(|limit| walsh::largest(x, work.shape, limit))?;
    }
    let mut computed = work.compute(x, Direction::Forward)?;
    let (direction, shape) = (work.job.direction, work.shape);
    if direction == Direction::Inverse {
        let fraction = first_fraction(&computed.values, shape.len as u64);
        if let Some(index) = fraction.filter(|_| !work.wrap) {
            // The values are to blame only if the device is not.
            work.job.verify(&mut computed, |y, random| walsh::exact(x, y, Direction::Forward, shape, random))?;
            let numerator = i128::from(computed.values[index].into());
            let file = work.job.file.clone();
            let index = work.job.first_value() + index;
            return Err(InputError::NotSpectrum { file, index, numerator, len: shape.len }.into());
        }
        for value in computed.values.iter_mut() {
            *value = value.divide_by_power(shape.log_len());
        }
    }
    work.job.verify(&mut computed, |y, random| {
        if work.wrap { walsh::wrapping(x, y, direction, shape) } else { walsh::exact(x, y, direction, shape, random) }
    })?;
    Ok(computed)
}
