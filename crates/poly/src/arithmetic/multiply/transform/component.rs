//! One prime that has the roots of unity, and what is kept for transforms modulo it.

use std::sync::Arc;

use manycore_device::Cache;
use manycore_field::{Arithmetic, Barrett, PrimeField, ResidueWord, Slices};
use manycore_ntt::cost::Pass;
use manycore_ntt::{Kind, Ntt, NttField};
use manycore_tuning::Planner;

use super::error::ProductError;
use super::root_powers::RootPowers;
use super::tile::{Tables, Tile};

/// One prime and what is kept for it.
#[derive(Debug)]
pub(super) struct Component<G: NttField> {
    pub(super) field: G,
    /// The arithmetic of integers that kernels other than the transform's take.
    pub(super) arithmetic: Arithmetic,
    /// Vectors for 32-bit words.
    pub(super) slices: Option<Slices<u32>>,
    /// Reductions of 64-bit words; `None` for `p > 2^63`.
    pub(super) long: Option<Barrett<u64>>,
    ntts: Cache<u32, Ntt<G>>,
    pub(super) root_powers: Cache<u32, RootPowers<G>>,
    /// The passes of the transform's best estimate on an OpenCL device, by its length and the number of arrays.
    pub(super) passes: Cache<(usize, usize), Vec<Pass>>,
    pub(super) tables: Cache<Tile, Tables<G::Element>>,
}

impl<G: NttField> Component<G> {
    pub(super) fn new(field: &G) -> Self {
        // A field of 32-bit words is a prime field below 2^31.
        let is_short = <G::Element as ResidueWord>::BITS == 32;
        let short = if is_short { PrimeField::<u32>::new(field.order() as u32).ok() } else { None };
        Self {
            field: field.clone(),
            // Every field has an arithmetic of integers, and names it first.
            arithmetic: field.arithmetics().first().copied().unwrap_or(Arithmetic::Goldilocks),
            slices: short.map(|field| field.slices()),
            long: Barrett::new(field.order()).filter(|by| by.modulus() >> 63 == 0),
            ntts: Cache::default(),
            root_powers: Cache::default(),
            passes: Cache::default(),
            tables: Cache::default(),
        }
    }

    /// Cyclic transforms of `2^log_len` values.
    pub(super) fn ntt(&self, cx: &Arc<Planner>, log_len: u32) -> Result<Arc<Ntt<G>>, ProductError> {
        let make = |&log_len: &u32| Ok(Ntt::with_planner(cx, &self.field, 1 << log_len, Kind::Cyclic)?);
        self.ntts.get(log_len, make)
    }
}
