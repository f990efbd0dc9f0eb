//! Matrices that are given, without the types of their elements.

use std::ops::Range;
use std::sync::Arc;

use manycore_device::Device;
use manycore_expressions::{Columns, Elements, Memory, Program as Expression};

use crate::error::SemiringError;
use crate::matrix::{Kept, Matrix};
use crate::operand::Operand;
use crate::plan::Shape;
use crate::resident::DeviceMatrix;

/// A matrix that a computation is given.
pub(super) trait Give: Send + Sync {
    /// Rows and columns.
    fn shape(&self) -> Shape;

    /// Its entry, where it is a function.
    fn function(&self) -> Option<Arc<Expression>>;

    /// What missing entries are, by their bits, where it is lists.
    fn absent(&self) -> Option<Vec<u64>>;

    /// The number of entries that are stored; `None` of a function.
    fn stored_entries(&self) -> Option<u64>;

    /// Some of its rows on a device, lists as lists.
    fn upload(&self, device: &Device, rows: Range<u64>) -> Result<Box<dyn Held>, SemiringError>;

    /// Some of its rows on a device, all entries stored.
    fn upload_stored(&self, device: &Device, rows: Range<u64>) -> Result<Vec<Memory>, SemiringError>;
}

/// A matrix in the memory of a device.
pub(super) trait Held {
    fn operand(&self) -> Operand<'_>;
}

impl<T: Elements> Held for DeviceMatrix<T> {
    fn operand(&self) -> Operand<'_> {
        Self::operand(self)
    }
}

impl<T: Elements> Give for Matrix<T> {
    fn shape(&self) -> Shape {
        Self::shape(self)
    }

    fn function(&self) -> Option<Arc<Expression>> {
        match self.kept() {
            Kept::Function(entry) => Some(entry.shared()),
            Kept::Stored(_) | Kept::Rows(_) | Kept::Columns(_) => None,
        }
    }

    fn absent(&self) -> Option<Vec<u64>> {
        match self.kept() {
            Kept::Rows(lists) | Kept::Columns(lists) => {
                let mut bits = Vec::new();
                lists.absent.put_bits(&mut bits);
                Some(bits)
            }
            Kept::Stored(_) | Kept::Function(_) => None,
        }
    }

    fn stored_entries(&self) -> Option<u64> {
        Self::stored_entries(self)
    }

    fn upload(&self, device: &Device, rows: Range<u64>) -> Result<Box<dyn Held>, SemiringError> {
        Ok(Box::new(DeviceMatrix::upload(device, &self.part(rows)?)?))
    }

    fn upload_stored(&self, device: &Device, rows: Range<u64>) -> Result<Vec<Memory>, SemiringError> {
        let part = self.part(rows)?;
        let made;
        let entries = if let Kept::Stored(entries) = part.kept() {
            entries
        } else {
            made = Columns::from_elements(&part.entries());
            &made
        };
        Ok(entries.columns().into_iter().map(|column| Memory::upload(device, column)).collect::<Result<_, _>>()?)
    }
}
