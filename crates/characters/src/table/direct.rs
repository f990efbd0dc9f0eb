//! The direct construction: each entry from its exponent.

use manycore_device::{Buffer, Executor, Team, zeroed_words};

use super::job::Job;
use super::prepared::{Prepared, Roots};
use super::{device, host};
use crate::error::CharacterError;
use crate::values::Values;

/// Makes the tile; it has at least one entry.
pub(crate) fn make<V: Values>(job: &Job<'_, V>, out: &mut Buffer<V::Word>) -> Result<(), CharacterError> {
    let prepared = Prepared::of(job)?;
    match job.context.device().executor() {
        Executor::Host(pool) => host::direct(pool, job, &prepared, out)?,
        Executor::OpenCl(_) if matches!(prepared.roots, Roots::Single) => {
            let mut words = zeroed_words::<V::Word>(job.height() * job.width() * V::WORDS)?;
            host::by_definition(Team::ALONE, job, &prepared, bytemuck::cast_slice_mut(&mut words));
            // The buffer may be larger than the tile.
            out.view_mut(..words.len())?.write(&words)?;
        }
        Executor::OpenCl(cl) => device::direct(cl, job, &prepared, out)?,
    }
    Ok(())
}
