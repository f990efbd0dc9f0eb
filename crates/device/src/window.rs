//! Blocks of a matrix in the host's memory, which threads and devices take at the same time.

use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use crate::buffer::view::View;
use crate::buffer::view_mut::ViewMut;
use crate::error::DeviceError;
use crate::word::Word;

/// A block of a matrix of `rows` by `columns` words that lies in the host's memory, row after row, its rows `stride` words apart.
///
/// Blocks made of one by [`split_rows`](Window::split_rows) and [`split_columns`](Window::split_columns) have no word in common, so
/// that each may go to another thread.
///
/// ```
/// use manycore_device::{Device, Window};
/// let mut words: Vec<u32> = (0..12).collect();
/// let (left, mut right) = Window::new(&mut words, 4)?.split_columns(3)?;
/// assert_eq!((left.rows(), left.row(1)), (3, &[4, 5, 6][..]));
/// let device = Device::from_env()?;
/// let mut x = device.zeros::<u32>(right.len())?;
/// right.upload((&mut x).into())?; // 3, 7, 11
/// x.view_mut(1..2)?.fill(70)?;
/// right.download((&x).into())?;
/// assert_eq!(words[7], 70);
/// # Ok::<(), manycore_device::DeviceError>(())
/// ```
#[derive(Debug)]
pub struct Window<'a, T: Word> {
    first: NonNull<T>,
    rows: usize,
    columns: usize,
    stride: usize,
    words: PhantomData<&'a mut [T]>,
}

// SAFETY: a window is the only way to its words, as `&mut [T]` would be.
unsafe impl<T: Word> Send for Window<'_, T> {}
// SAFETY: as above; nothing is written through `&`.
unsafe impl<T: Word> Sync for Window<'_, T> {}

impl<'a, T: Word> Window<'a, T> {
    /// The whole matrix of rows of `columns` words.
    ///
    /// # Errors
    /// [`DeviceError::Length`] where the words are no whole rows.
    pub fn new(words: &'a mut [T], columns: usize) -> Result<Self, DeviceError> {
        if columns == 0 || !words.len().is_multiple_of(columns) {
            let expected = words.len().next_multiple_of(columns.max(1));
            return Err(DeviceError::Length { what: "words of whole rows", expected, given: words.len() });
        }
        let rows = words.len() / columns;
        Ok(Self { first: NonNull::from(words).cast(), rows, columns, stride: columns, words: PhantomData })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first words of row `row`, which exists.
    fn start(&self, row: usize) -> *mut T {
        // SAFETY: row `row` of the window lies in the slice that it was made of.
        unsafe { self.first.as_ptr().add(row * self.stride) }
    }

    /// A row.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn row(&self, row: usize) -> &[T] {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        // SAFETY: the row's words are this window's alone, and borrowed with it.
        unsafe { std::slice::from_raw_parts(self.start(row), self.columns) }
    }

    /// A row to change.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        // SAFETY: the row's words are this window's alone, and borrowed mutably with it.
        unsafe { std::slice::from_raw_parts_mut(self.start(row), self.columns) }
    }

    fn within(at: usize, len: usize) -> Result<(), DeviceError> {
        if at <= len { Ok(()) } else { Err(DeviceError::Range { start: 0, end: at, len }) }
    }

    /// The first `at` rows, and the others.
    ///
    /// # Errors
    /// [`DeviceError::Range`] where it has fewer.
    pub fn split_rows(self, at: usize) -> Result<(Self, Self), DeviceError> {
        Self::within(at, self.rows)?;
        let Self { first, rows, columns, stride, words } = self;
        // A window without rows begins anywhere.
        let second = if at < rows { NonNull::new(self.start(at)).unwrap_or(first) } else { first };
        Ok((
            Self { first, rows: at, columns, stride, words },
            Self { first: second, rows: rows - at, columns, stride, words },
        ))
    }

    /// The first `at` columns, and the others.
    ///
    /// # Errors
    /// [`DeviceError::Range`] where it has fewer.
    pub fn split_columns(self, at: usize) -> Result<(Self, Self), DeviceError> {
        Self::within(at, self.columns)?;
        let Self { first, rows, columns, stride, words } = self;
        // SAFETY: where there is a row, its word `at` or the place behind its last one lies in the slice or at its end.
        let second = if rows > 0 { unsafe { first.add(at) } } else { first };
        Ok((
            Self { first, rows, columns: at, stride, words },
            Self { first: second, rows, columns: columns - at, stride, words },
        ))
    }

    /// Its blocks of `width` columns, the last one of fewer where they do not divide it; 0 counts as 1.
    pub fn into_columns(self, width: usize) -> Vec<Self> {
        Self::blocks(self, width.max(1), Self::columns, Self::split_columns)
    }

    /// Its blocks of `height` rows, the last one of fewer where they do not divide it; 0 counts as 1.
    pub fn into_rows(self, height: usize) -> Vec<Self> {
        Self::blocks(self, height.max(1), Self::rows, Self::split_rows)
    }

    fn blocks(
        mut rest: Self,
        size: usize,
        len: fn(&Self) -> usize,
        split: fn(Self, usize) -> Result<(Self, Self), DeviceError>,
    ) -> Vec<Self> {
        let mut blocks = Vec::with_capacity(len(&rest).div_ceil(size));
        while len(&rest) > 0 {
            let at = size.min(len(&rest));
            let Ok((block, others)) = split(rest, at) else { break };
            blocks.push(block);
            rest = others;
        }
        blocks
    }

    /// Copies its words, row after row, to a device's memory.
    ///
    /// # Errors
    /// [`DeviceError::Length`] where `to` has another length; as [`ViewMut::write_with`].
    pub fn upload(&self, mut to: ViewMut<'_, T>) -> Result<(), DeviceError> {
        self.same_length(to.len())?;
        to.write_with(|start, part| {
            self.runs(start, part.len(), |row, column, at, len| {
                part[at..at + len].copy_from_slice(&self.row(row)[column..column + len]);
            });
        })
    }

    /// Takes its words, row after row, from a device's memory.
    ///
    /// # Errors
    /// As [`Window::upload`]; some words may have come then.
    pub fn download(&mut self, from: View<'_, T>) -> Result<(), DeviceError> {
        self.same_length(from.len())?;
        let target = &*self;
        from.read_with(|start, part| {
            target.runs(start, part.len(), |row, column, at, len| {
                let from = &part[at..at + len];
                // SAFETY: the run lies in row `row`. Parts do not overlap, so nobody else writes or reads these words, which
                // the window alone leads to and which are borrowed mutably.
                unsafe { target.start(row).add(column).copy_from_nonoverlapping(from.as_ptr(), len) };
            });
        })
    }

    /// Calls `run` with row, column, begin in the part, and length of each run of a row within `len` words from word `start`.
    fn runs(&self, start: usize, len: usize, mut run: impl FnMut(usize, usize, usize, usize)) {
        assert!(start + len <= self.len());
        let mut at = 0;
        while at < len {
            let (row, column) = ((start + at) / self.columns, (start + at) % self.columns);
            let words = (self.columns - column).min(len - at);
            run(row, column, at, words);
            at += words;
        }
    }

    fn same_length(&self, given: usize) -> Result<(), DeviceError> {
        let expected = self.len();
        if given == expected {
            return Ok(());
        }
        Err(DeviceError::Length { what: "words of a block of a matrix", expected, given })
    }
}

impl<T: Word> ViewMut<'_, T> {
    /// Copies some rows and columns of a matrix of the host's memory, whose rows have `stride` words, row after row.
    ///
    /// ```
    /// use manycore_device::Device;
    /// let mut x = Device::from_env()?.zeros::<u32>(4)?;
    /// x.view_mut(..)?.write_block(&[1, 2, 3, 4, 5, 6, 7, 8, 9], 3, 0..2, 1..3)?;
    /// assert_eq!(x.download()?, [2, 3, 5, 6]);
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::Range`] for rows and columns outside of the matrix; [`DeviceError::Length`] where the block has another number of
    /// words; as [`ViewMut::write_with`].
    pub fn write_block(
        &mut self,
        words: &[T],
        stride: usize,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Result<(), DeviceError> {
        let all = words.len().checked_div(stride).unwrap_or(0);
        for (range, len) in [(&rows, all), (&columns, stride)] {
            if range.start > range.end || range.end > len {
                return Err(DeviceError::Range { start: range.start, end: range.end, len });
            }
        }
        let width = columns.len();
        let (expected, given) = (self.len(), rows.len() * width);
        if expected != given {
            return Err(DeviceError::Length { what: "words of a block of a matrix", expected, given });
        }
        if width == stride {
            return self.write(&words[rows.start * stride..rows.end * stride]);
        }
        self.write_with(|start, part| {
            let mut at = 0;
            while at < part.len() {
                let (row, column) = ((start + at) / width, (start + at) % width);
                let count = (width - column).min(part.len() - at);
                let from = (rows.start + row) * stride + columns.start + column;
                part[at..at + count].copy_from_slice(&words[from..from + count]);
                at += count;
            }
        })
    }
}
