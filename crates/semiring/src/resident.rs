//! Matrices in the memory of a device: calls in a row copy nothing.

use std::sync::OnceLock;

use manycore_device::{Device, DeviceError};
use manycore_expressions::{Buffers, Columns, Elements, Function, Memory};

use crate::checked::bounds::EntryRange;
use crate::error::SemiringError;
use crate::matrix::{Kept, Lists, Matrix};
use crate::operand::{ListWords, Operand};
use crate::plan::{Representation, Shape};

/// A matrix on a device: a buffer for each scalar of its elements, or a function, which takes no memory.
#[derive(Debug)]
pub struct DeviceMatrix<T> {
    shape: Shape,
    kept: Resident<T>,
    /// The range of the entries, once computed.
    range: OnceLock<EntryRange>,
}

#[derive(Debug)]
enum Resident<T> {
    Stored(Buffers<T>),
    Function(Function<(u64, u64), T>),
    /// Products take rows of the left operand and columns or rows of the right one.
    Lists {
        rows: Box<DeviceLists<T>>,
        columns: Box<DeviceLists<T>>,
        absent: T,
        is_by_rows: bool,
    },
}

/// The entries of each line.
#[derive(Debug)]
struct DeviceLists<T> {
    offsets: Memory,
    indices: Memory,
    entries: Buffers<T>,
}

impl<T: Elements> DeviceLists<T> {
    #[inline(never)]
    fn upload(device: &Device, lists: &Lists<T>) -> Result<Self, SemiringError> {
        let offsets: Vec<u64> = lists.offsets.iter().map(|&offset| offset as u64).collect();
        Ok(Self {
            offsets: Memory::upload(device, (&offsets[..]).into())?,
            indices: Memory::upload(device, (&lists.indices[..]).into())?,
            entries: Buffers::upload(device, &Columns::from_elements(&lists.entries))?,
        })
    }

    fn words(&self) -> ListWords<'_> {
        let entries = self.entries.memory().iter().map(Memory::words).collect();
        ListWords { offsets: self.offsets.words(), indices: self.indices.words(), entries }
    }

    #[inline(never)]
    fn download(&self, absent: T) -> Result<Lists<T>, SemiringError> {
        let words = |memory: &Memory| match memory {
            Memory::U64(buffer) => buffer.download(),
            _ => Ok(Vec::new()),
        };
        let offsets = words(&self.offsets)?.into_iter().map(|offset| offset as usize).collect();
        Ok(Lists { offsets, indices: words(&self.indices)?, entries: self.entries.download()?.elements(), absent })
    }
}

impl<T: Elements> DeviceMatrix<T> {
    fn of(shape: Shape, kept: Resident<T>) -> Self {
        Self { shape, kept, range: OnceLock::new() }
    }

    /// Where the entries lie, as it was found before or is now.
    pub(crate) fn range_or(
        &self,
        find: impl FnOnce() -> Result<Option<EntryRange>, SemiringError>,
    ) -> Result<Option<EntryRange>, SemiringError> {
        if let Some(known) = self.range.get() {
            return Ok(Some(*known));
        }
        let found = find()?;
        // Another thread may have been first, with the same.
        Ok(found.map(|found| *self.range.get_or_init(|| found)))
    }

    /// A copy of a matrix; lists of entries by rows and by columns.
    ///
    /// # Errors
    /// [`SemiringError::Device`] without the memory.
    #[inline(never)]
    pub fn upload(device: &Device, matrix: &Matrix<T>) -> Result<Self, SemiringError> {
        let kept = match matrix.kept() {
            Kept::Stored(entries) => Resident::Stored(Buffers::upload(device, entries)?),
            Kept::Function(entry) => Resident::Function(entry.clone()),
            Kept::Rows(lists) => {
                let turned = lists.turned(count(matrix.shape().columns, device)?);
                let (rows, columns) = (DeviceLists::upload(device, lists)?, DeviceLists::upload(device, &turned)?);
                let (rows, columns) = (Box::new(rows), Box::new(columns));
                Resident::Lists { rows, columns, absent: lists.absent, is_by_rows: true }
            }
            Kept::Columns(lists) => {
                let turned = lists.turned(count(matrix.shape().rows, device)?);
                let (rows, columns) = (DeviceLists::upload(device, &turned)?, DeviceLists::upload(device, lists)?);
                let (rows, columns) = (Box::new(rows), Box::new(columns));
                Resident::Lists { rows, columns, absent: lists.absent, is_by_rows: false }
            }
        };
        Ok(Self::of(matrix.shape(), kept))
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
        Ok(Self::of(shape, Resident::Stored(entries)))
    }

    /// A function of column and row, both from 0.
    pub fn function(rows: u64, columns: u64, entry: Function<(u64, u64), T>) -> Self {
        Self::of(Shape { rows, columns }, Resident::Function(entry))
    }

    /// Entries that may be anything, to be written before they are read.
    pub(crate) fn scratch(device: &Device, shape: Shape) -> Result<Self, SemiringError> {
        let len = len(shape, device)?;
        Ok(Self::of(shape, Resident::Stored(Buffers::scratch(device, len)?)))
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
            Resident::Lists { is_by_rows: true, .. } => Representation::Rows,
            Resident::Lists { .. } => Representation::Columns,
        }
    }

    /// The entries, where they are stored.
    pub fn entries(&self) -> Option<&Buffers<T>> {
        match &self.kept {
            Resident::Stored(entries) => Some(entries),
            Resident::Function(_) | Resident::Lists { .. } => None,
        }
    }

    pub(crate) fn entries_mut(&mut self) -> Option<&mut Buffers<T>> {
        self.range = OnceLock::new();
        match &mut self.kept {
            Resident::Stored(entries) => Some(entries),
            Resident::Function(_) | Resident::Lists { .. } => None,
        }
    }

    /// A copy on the host.
    ///
    /// # Errors
    /// [`SemiringError::Device`] where the device failed.
    #[inline(never)]
    pub fn download(&self) -> Result<Matrix<T>, SemiringError> {
        match &self.kept {
            Resident::Stored(entries) => Ok(Matrix::of_columns(self.shape, entries.download()?)),
            Resident::Function(entry) => Ok(Matrix::function(self.shape.rows, self.shape.columns, entry.clone())),
            Resident::Lists { rows, absent, is_by_rows: true, .. } => {
                Ok(Matrix::of_lists(self.shape, Kept::Rows(rows.download(*absent)?)))
            }
            Resident::Lists { columns, absent, .. } => {
                Ok(Matrix::of_lists(self.shape, Kept::Columns(columns.download(*absent)?)))
            }
        }
    }

    /// What missing entries are, where there are lists.
    pub(crate) fn absent(&self) -> Option<T> {
        match self.kept {
            Resident::Lists { absent, .. } => Some(absent),
            Resident::Stored(_) | Resident::Function(_) => None,
        }
    }

    /// The device of what is stored.
    pub(crate) fn device(&self) -> Option<&Device> {
        match &self.kept {
            Resident::Stored(entries) => entries.memory().first().map(Memory::device),
            Resident::Function(_) => None,
            Resident::Lists { rows, .. } => Some(rows.offsets.device()),
        }
    }

    /// The function, where it is one.
    pub(crate) fn function_of_place(&self) -> Option<&Function<(u64, u64), T>> {
        match &self.kept {
            Resident::Function(entry) => Some(entry),
            Resident::Stored(_) | Resident::Lists { .. } => None,
        }
    }

    pub(crate) fn operand(&self) -> Operand<'_> {
        match &self.kept {
            Resident::Stored(entries) => Operand::Stored(entries.memory().iter().map(Memory::words).collect()),
            Resident::Function(entry) => Operand::Computed(entry.shared(), Vec::new()),
            Resident::Lists { rows, columns, .. } => Operand::Lists { rows: rows.words(), columns: columns.words() },
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

/// A number of lines.
pub(crate) fn count(lines: u64, device: &Device) -> Result<usize, SemiringError> {
    let (what, limit) = ("rows or columns".to_owned(), usize::MAX as u64);
    usize::try_from(lines)
        .map_err(|_| DeviceError::TooLarge { what, size: lines, limit, device: device.info().label() }.into())
}
