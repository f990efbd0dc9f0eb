//! Matrices in the memory of a device: calls in a row copy nothing.

use manycore_device::{Device, DeviceError};
use manycore_expressions::{Buffers, Columns, Elements, Function};

use crate::error::SemiringError;
use crate::matrix::{Kept, Matrix};
use crate::operand::Operand;
use crate::plan::{Representation, Shape};

/// A matrix on a device: a buffer for each scalar of its elements, or a function, of which nothing is stored.
#[derive(Debug)]
pub struct DeviceMatrix<T> {
    shape: Shape,
    kept: Resident<T>,
}

#[derive(Debug)]
enum Resident<T> {
    Stored(Buffers<T>),
    Function(Function<(u64, u64), T>),
}

impl<T: Elements> DeviceMatrix<T> {
    /// A copy of a matrix; lists of entries are stored whole, with what is missing.
    ///
    /// # Errors
    /// [`SemiringError::Device`] without the memory.
    pub fn upload(device: &Device, matrix: &Matrix<T>) -> Result<Self, SemiringError> {
        let kept = match matrix.kept() {
            Kept::Stored(entries) => Resident::Stored(Buffers::upload(device, entries)?),
            Kept::Function(entry) => Resident::Function(entry.clone()),
            Kept::Rows(_) | Kept::Columns(_) => {
                Resident::Stored(Buffers::upload(device, &Columns::from_elements(&matrix.entries()))?)
            }
        };
        Ok(Self { shape: matrix.shape(), kept })
    }

    /// Entries row after row, which are in the device's memory.
    ///
    /// # Errors
    /// [`SemiringError::Entries`] for another number of entries.
    pub fn stored(rows: u64, columns: u64, entries: Buffers<T>) -> Result<Self, SemiringError> {
        let shape = Shape { rows, columns };
        if u128::from(rows) * u128::from(columns) != entries.len() as u128 {
            return Err(SemiringError::Entries { shape, given: entries.len() });
        }
        Ok(Self { shape, kept: Resident::Stored(entries) })
    }

    /// A function of column and row, both from 0.
    pub fn function(rows: u64, columns: u64, entry: Function<(u64, u64), T>) -> Self {
        Self { shape: Shape { rows, columns }, kept: Resident::Function(entry) }
    }

    /// Entries that may be anything, to be written before they are read.
    pub(crate) fn scratch(device: &Device, shape: Shape) -> Result<Self, SemiringError> {
        let len = len(shape, device)?;
        Ok(Self { shape, kept: Resident::Stored(Buffers::scratch(device, len)?) })
    }

    /// Rows and columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What it is kept as.
    pub fn representation(&self) -> Representation {
        match self.kept {
            Resident::Stored(_) => Representation::Stored,
            Resident::Function(_) => Representation::Function,
        }
    }

    /// The entries, where they are stored.
    pub fn entries(&self) -> Option<&Buffers<T>> {
        match &self.kept {
            Resident::Stored(entries) => Some(entries),
            Resident::Function(_) => None,
        }
    }

    pub(crate) fn entries_mut(&mut self) -> Option<&mut Buffers<T>> {
        match &mut self.kept {
            Resident::Stored(entries) => Some(entries),
            Resident::Function(_) => None,
        }
    }

    /// A copy on the host.
    ///
    /// # Errors
    /// [`SemiringError::Device`] where the device failed.
    pub fn download(&self) -> Result<Matrix<T>, SemiringError> {
        match &self.kept {
            Resident::Stored(entries) => Ok(Matrix::of_columns(self.shape, entries.download()?)),
            Resident::Function(entry) => Ok(Matrix::function(self.shape.rows, self.shape.columns, entry.clone())),
        }
    }

    pub(crate) fn operand(&self) -> Operand<'_> {
        match &self.kept {
            Resident::Stored(entries) => {
                Operand::Stored(entries.memory().iter().map(|memory| memory.words()).collect())
            }
            Resident::Function(entry) => Operand::Computed(entry.shared(), Vec::new()),
        }
    }
}

/// The number of entries.
pub(crate) fn len(shape: Shape, device: &Device) -> Result<usize, SemiringError> {
    let entries = u128::from(shape.rows) * u128::from(shape.columns);
    usize::try_from(entries).map_err(|_| {
        let size = u64::try_from(entries).unwrap_or(u64::MAX);
        let (limit, device) = (usize::MAX as u64, device.info().label());
        DeviceError::TooLarge { what: format!("entries of a matrix of {shape}"), size, limit, device }.into()
    })
}
