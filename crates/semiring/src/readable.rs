//! Entries of matrices on a device as functions of column and row that read them.

use manycore_device::Device;
use manycore_expressions::{Elements, Function, Memory, Value, Words};

use crate::error::SemiringError;
use crate::resident::DeviceMatrix;

/// A matrix whose entries a function reads: stored ones, or a function of column and row.
pub(crate) struct Readable<'a, T> {
    of: &'a DeviceMatrix<T>,
    entry: Function<(u64, u64), T>,
    /// The number of columns, by which stored entries are found.
    columns: Option<Memory>,
}

impl<'a, T: Elements> Readable<'a, T> {
    /// Of stored entries or of a function.
    ///
    /// # Errors
    /// [`SemiringError::Unstored`] for lists of entries; [`SemiringError::Device`].
    pub(crate) fn new(device: &Device, of: &'a DeviceMatrix<T>) -> Result<Self, SemiringError> {
        if of.absent().is_some() {
            return Err(SemiringError::Unstored { representation: of.representation() });
        }
        if let Some(entry) = of.function_of_place() {
            return Ok(Self { of, entry: entry.clone(), columns: None });
        }
        // A table, for a kernel is made for each text.
        let columns = Some(Memory::upload(device, (&[of.shape().columns][..]).into())?);
        let entry = Function::new(|(x, y): (Value<u64>, Value<u64>)| {
            T::reads(y * Value::<u64>::from(0).read::<u64>(0) + x, &mut 1)
        })?;
        Ok(Self { of, entry, columns })
    }

    pub(crate) fn matrix(&self) -> &'a DeviceMatrix<T> {
        self.of
    }

    pub(crate) fn entry(&self) -> &Function<(u64, u64), T> {
        &self.entry
    }

    /// The number of the entry's tables.
    pub(crate) fn table_count(&self) -> u16 {
        self.entry.program().tables().len() as u16
    }

    /// The entry's tables.
    pub(crate) fn tables(&self) -> Vec<Words<'_>> {
        let stored = self.of.entries().into_iter().flat_map(|entries| entries.memory().iter().map(Memory::words));
        self.columns.iter().map(Memory::words).chain(stored).collect()
    }
}
