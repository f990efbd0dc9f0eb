//! Blocks of matrices of elements: copies between the columns of a matrix on the host and the memory of a device.

use std::ops::Range;

use manycore_device::{Device, DeviceError, Window, WordType, zeroed_words};

use crate::buffers::{Buffers, Memory};
use crate::columns::Columns;
use crate::elements::Elements;
use crate::host::{Column, ColumnMut, Owned};

macro_rules! blocks {
    ($($name:ident $word:ty,)*) => {
        /// A block of a matrix of words of any type on the host.
        #[derive(Debug)]
        #[allow(missing_docs)] // the names say it
        pub enum ColumnWindow<'a> {
            $($name(Window<'a, $word>),)*
        }

        fn zeroed(word: WordType, len: usize) -> Result<Owned, DeviceError> {
            match word {
                $(WordType::$name => zeroed_words(len).map(Owned::$name),)*
            }
        }

        /// The tiles of a matrix of rows of `stride` words, row of tiles after row.
        fn tiles<'a>(
            words: ColumnMut<'a>,
            stride: usize,
            (rows, columns): (usize, usize),
        ) -> Result<Vec<Vec<ColumnWindow<'a>>>, DeviceError> {
            match words {
                $(ColumnMut::$name(words) => {
                    let lines = Window::new(words, stride)?.into_rows(rows).into_iter();
                    let across = |line: Window<'a, $word>| {
                        line.into_columns(columns).into_iter().map(ColumnWindow::$name).collect()
                    };
                    Ok(lines.map(across).collect())
                })*
            }
        }

        fn uploaded(
            device: &Device,
            words: Column<'_>,
            stride: usize,
            (rows, columns): (&Range<usize>, &Range<usize>),
        ) -> Result<Memory, DeviceError> {
            match words {
                $(Column::$name(words) => {
                    let mut buffer = device.scratch(rows.len() * columns.len())?;
                    buffer.view_mut(..)?.write_block(words, stride, rows.clone(), columns.clone())?;
                    Ok(Memory::$name(buffer))
                })*
            }
        }

        fn downloaded(memory: &Memory, to: &mut ColumnWindow<'_>) -> Result<(), DeviceError> {
            match (memory, to) {
                $((Memory::$name(buffer), ColumnWindow::$name(window)) => window.download(buffer.into()),)*
                _ => Err(DeviceError::elsewhere()),
            }
        }
    };
}

blocks! { U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64, F32 f32, F64 f64, }

/// A tile of a matrix of elements: a window for each scalar of their type.
pub type ElementTile<'a> = Vec<ColumnWindow<'a>>;

impl<T: Elements> Columns<T> {
    /// So many elements all of whose bits are 0.
    ///
    /// # Errors
    /// [`DeviceError`] without the memory.
    pub fn zeroed(len: usize) -> Result<Self, DeviceError> {
        let mut types = Vec::new();
        T::types(&mut types);
        let scalars = types.into_iter().map(|kind| zeroed(kind.memory(), len)).collect::<Result<_, _>>()?;
        Ok(Self::of(scalars, len))
    }

    /// The tiles of so many rows and columns, fewer at the ends, of a matrix of rows of `stride` elements: row of tiles after row.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_expressions::{Buffers, Columns};
    /// let device = Device::from_env()?;
    /// let from = Columns::from_elements(&[1u32, 2, 3, 4, 5, 6]);
    /// let corner = Buffers::upload_block(&device, &from, 3, 0..2, 1..3)?;
    /// assert_eq!(corner.download()?.elements(), [2, 3, 5, 6]);
    /// let mut to = Columns::<u32>::zeroed(6)?;
    /// let mut tiles = to.tiles(3, (2, 2))?;
    /// corner.read_block(&mut tiles[0][0])?;
    /// assert_eq!(to.elements(), [2, 3, 0, 5, 6, 0]);
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::Length`] where the elements are no whole rows.
    pub fn tiles(&mut self, stride: usize, tile: (usize, usize)) -> Result<Vec<Vec<ElementTile<'_>>>, DeviceError> {
        let mut all: Vec<Vec<ElementTile<'_>>> = Vec::new();
        for words in self.columns_mut() {
            for (i, line) in tiles(words, stride, tile)?.into_iter().enumerate() {
                if all.len() <= i {
                    all.push(line.iter().map(|_| Vec::new()).collect());
                }
                all[i].iter_mut().zip(line).for_each(|(tile, window)| tile.push(window));
            }
        }
        Ok(all)
    }
}

impl<T: Elements> Buffers<T> {
    /// A copy of some rows and columns of a matrix of rows of `stride` elements.
    ///
    /// # Errors
    /// [`DeviceError`] without the memory; [`DeviceError::Range`] for rows and columns that there are not.
    pub fn upload_block(
        device: &Device,
        elements: &Columns<T>,
        stride: usize,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Result<Self, DeviceError> {
        let words = elements.columns().into_iter();
        let memory = words.map(|words| uploaded(device, words, stride, (&rows, &columns))).collect::<Result<_, _>>()?;
        Self::of(memory, rows.len() * columns.len()).ok_or_else(DeviceError::elsewhere)
    }

    /// Copies all elements to a tile of as many.
    ///
    /// # Errors
    /// [`DeviceError::Length`] for another number; [`DeviceError`] of the copy.
    pub fn read_block(&self, to: &mut [ColumnWindow<'_>]) -> Result<(), DeviceError> {
        if self.memory().len() != to.len() {
            let (expected, given) = (self.memory().len(), to.len());
            return Err(DeviceError::Length { what: "windows of a tile of elements", expected, given });
        }
        self.memory().iter().zip(to).try_for_each(|(memory, to)| downloaded(memory, to))
    }
}
