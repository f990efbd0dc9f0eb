//! The prepared data of the direct construction: roots and digits, in the device's memory.

use std::sync::Arc;

use manycore_device::{Buffer, host_room};

use super::job::Job;
use super::panels::{Panel, Radix, panels, radices};
use crate::context::Key;
use crate::error::CharacterError;
use crate::values::Values;

/// Most lows and highs of a panel: both fit the local memory of every device beside a small table of roots.
pub(crate) const MOST_PARTS: u64 = 4096;

/// Groups of a larger exponent have each root computed by itself: a table of all of them would be larger than most tiles.
const MOST_ROOTS: u64 = 1 << 22;

/// Bytes of the roots and digits of a group that stay in the cache, at most.
const MOST_CACHED_BYTES: usize = 64 << 20;

/// Where the value of an exponent comes from.
pub(crate) enum Roots<V: Values> {
    /// It is the exponent.
    Exponent,
    /// A table of all roots.
    Table(Buffer<V::Word>),
    /// It is computed by itself, on the host.
    Single,
}

/// What the primitive needs: roots and digits, in the device's memory.
pub(crate) struct Prepared<V: Values> {
    pub(crate) radices: Vec<Radix>,
    /// Place and factor of each.
    pub(crate) radix_words: Buffer<u64>,
    /// Each panel with its terms.
    pub(crate) panels: Vec<(Panel, Buffer<u32>)>,
    pub(crate) roots: Roots<V>,
}

impl<V: Values> Prepared<V> {
    fn new(job: &Job<'_, V>) -> Result<Self, CharacterError> {
        let device = job.context.device();
        let radices = radices(job.factors);
        // Kernels take no empty buffers.
        let words = radices.iter().flat_map(|radix| [radix.place, radix.n]).chain([1, 1]).collect::<Vec<u64>>();
        let roots = if V::EXPONENTS && job.step == 1 {
            Roots::Exponent
        } else if job.exponent > MOST_ROOTS {
            Roots::Single
        } else {
            host_room(job.exponent * size_of::<V::Value>() as u64)?;
            let roots = job.values.roots(job.base, job.step, job.exponent as usize);
            Roots::Table(device.upload(bytemuck::cast_slice(&roots))?)
        };
        let mut prepared = Vec::new();
        for panel in panels(&radices, job.columns.clone(), MOST_PARTS) {
            let mut terms = panel.terms(&radices, job.exponent);
            terms.push(0);
            prepared.push((panel, device.upload(&terms)?));
        }
        Ok(Self { radix_words: device.upload(&words)?, radices, panels: prepared, roots })
    }

    fn bytes(&self) -> usize {
        let roots = match &self.roots {
            Roots::Table(roots) => size_of::<V::Word>() * roots.len(),
            Roots::Exponent | Roots::Single => 0,
        };
        roots + self.panels.iter().map(|(_, terms)| 4 * terms.len()).sum::<usize>()
    }

    pub(crate) fn of(job: &Job<'_, V>) -> Result<Arc<Self>, CharacterError> {
        let key = Key::new::<Self, V>(job.values, job.factors, job.step, job.columns.clone());
        job.context.cached(key, || {
            let prepared = Self::new(job)?;
            let small = prepared.bytes() <= MOST_CACHED_BYTES;
            Ok((prepared, small))
        })
    }
}
