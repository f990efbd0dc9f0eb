//! The context of all tables on one device.

use std::any::{Any, TypeId};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use manycore_device::{Buffer, Cache, Device, DeviceError};
use manycore_model::Machine;
use manycore_tuning::{Planner, Plans};

use crate::table::construction::Plan;
use crate::table::shape::Shape;
use crate::values::Values;

/// A context of character tables on one device: a planner, and caches of the roots and digits of the groups used last.
///
/// See [`Characters::table`].
pub struct Characters {
    planner: Planner,
    tables: Cache<Key, dyn Any + Send + Sync>,
    plans: Plans<(String, Shape), Plan>,
}

/// Entries of a cache, at most.
const MOST_CACHED: usize = 32;

/// The key of roots and digits in the cache.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    what: TypeId,
    values: String,
    factors: Vec<u64>,
    step: u64,
    columns: Range<u64>,
}

impl Key {
    pub(crate) fn new<K: 'static, V: Values>(values: &V, factors: &[u64], step: u64, columns: Range<u64>) -> Self {
        Self { what: TypeId::of::<(K, V)>(), values: values.name(), factors: factors.to_vec(), step, columns }
    }
}

impl fmt::Debug for Characters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Characters").field("device", self.device()).finish_non_exhaustive()
    }
}

impl Characters {
    /// A context of `device`, whose constructions are chosen for the device's machine (the calibrated one where there is one)
    /// and in the device's mode ([`Device::tuning`]). Kernels are built when they are first needed.
    pub fn new(device: &Device) -> Self {
        Self::of(Planner::new(device))
    }

    /// A context of `device`, whose constructions are chosen by the estimate for `machine` alone.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self::of(Planner::with_machine(device, machine))
    }

    fn of(planner: Planner) -> Self {
        Self { planner, tables: Cache::at_most(MOST_CACHED), plans: Plans::at_most(MOST_CACHED) }
    }

    /// The device that computes.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The machine that constructions are chosen for.
    pub fn machine(&self) -> &Machine {
        self.planner.machine()
    }

    pub(crate) fn on_host(&self) -> bool {
        self.planner.on_host()
    }

    pub(crate) fn planner(&self) -> &Planner {
        &self.planner
    }

    pub(crate) fn plans(&self) -> &Plans<(String, Shape), Plan> {
        &self.plans
    }

    /// One word, for arguments that a kernel does not read.
    pub(crate) fn nothing<V: Values>(&self) -> Result<Arc<Buffer<V::Word>>, DeviceError> {
        let key = Key { what: TypeId::of::<V::Word>(), values: String::new(), factors: vec![], step: 0, columns: 0..0 };
        self.cached(key, || Ok((self.device().zeros(1)?, true)))
    }

    /// The value of `key` in the cache, or the one that `make` makes, which is added where `make` says `true`.
    pub(crate) fn cached<T: Any + Send + Sync, E>(
        &self,
        key: Key,
        make: impl FnOnce() -> Result<(T, bool), E>,
    ) -> Result<Arc<T>, E> {
        self.tables.get_typed(key, make)
    }
}
