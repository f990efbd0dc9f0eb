//! The context of all tables on one device.

use std::any::{Any, TypeId};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use manycore_device::context::Kept;
use manycore_device::{Buffer, Context, Device, DeviceError};
use manycore_model::{Machine, Refinement};

use crate::values::Values;

/// What makes character tables on one device: keeps built kernels, and roots and digits of the groups used last.
///
/// See [`Characters::table`].
pub struct Characters {
    context: Context,
    kept: Kept<Key, dyn Any + Send + Sync>,
}

/// So many groups' roots and digits are kept; one more, and all are let go.
const MOST_KEPT: usize = 32;

/// What kept things belong to.
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
    /// A context of `device`, that chooses by the device's machine: the calibrated one if there is one. Kernels are built
    /// when they are first needed.
    ///
    /// On a CPU through OpenCL the choice is refined as by [`Characters::measuring`] with the default [`Refinement`], and what
    /// was measured is kept in the folder of calibrations for later processes. It is never an error that nothing can be kept.
    pub fn new(device: &Device) -> Self {
        Self::of(Context::new(device))
    }

    /// The same, choosing as if the device were `machine`, by prediction alone; it reads and keeps no measurements.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self::of(Context::with_machine(device, machine))
    }

    fn of(context: Context) -> Self {
        Self { context, kept: Kept::at_most(MOST_KEPT) }
    }

    /// The same context, that measures both constructions at the first table of a group and takes the faster one, or with `None`
    /// goes by the model alone. Floating-point entries are those of the construction; others are exact.
    #[must_use]
    pub fn measuring(self, refinement: impl Into<Option<Refinement>>) -> Self {
        Self::of(self.context.measuring(refinement.into()))
    }

    /// How far choices are refined by measurements; `None` where they are not.
    pub fn refinement(&self) -> Option<Refinement> {
        self.context.refinement()
    }

    /// The device that it computes on.
    pub fn device(&self) -> &Device {
        self.context.device()
    }

    /// The machine that choices are made for.
    pub fn machine(&self) -> &Machine {
        self.context.machine()
    }

    pub(crate) fn on_host(&self) -> bool {
        self.context.on_host()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// One word, for arguments that a kernel does not read.
    pub(crate) fn nothing<V: Values>(&self) -> Result<Arc<Buffer<V::Word>>, DeviceError> {
        let key = Key { what: TypeId::of::<V::Word>(), values: String::new(), factors: vec![], step: 0, columns: 0..0 };
        self.kept(key, || Ok((self.device().zeros(1)?, true)))
    }

    /// What is kept under `key`, or what `make` gives, kept where it says so.
    pub(crate) fn kept<T: Any + Send + Sync, E>(
        &self,
        key: Key,
        make: impl FnOnce() -> Result<(T, bool), E>,
    ) -> Result<Arc<T>, E> {
        self.kept.get_typed(key, make)
    }
}
