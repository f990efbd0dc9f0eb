//! Tables larger than memory: blocks of rows, one after the other, to a function or a file.
//!
//! Two blocks are on the device at a time: while one comes to the host, the next one is made.

use std::io::{self, Write};
use std::ops::{ControlFlow, Range};

use manycore_device::Pinned;

use crate::context::Characters;
use crate::error::CharacterError;
use crate::group::{AbelianGroup, GroupError};
use crate::table::{Construction, Table, Tile, words};
use crate::values::Values;

/// Rows of a table on the host: one part of a table that is streamed, or all of one by [`Table::block`].
#[derive(Debug)]
pub struct Block<'a, V: Values> {
    /// The group.
    pub group: &'a AbelianGroup,
    /// The kind of the entries.
    pub values: &'a V,
    /// The characters that are its rows.
    pub rows: Range<u64>,
    /// The elements that are its columns.
    pub columns: Range<u64>,
    /// The rows of the whole tile.
    pub all: Range<u64>,
    /// The construction, which determines the rounding of complex entries.
    pub construction: Construction,
    /// The entries, row after row.
    pub entries: &'a [V::Value],
}

impl<V: Values> Block<'_, V> {
    /// The rows done with this block, and all rows.
    pub fn progress(&self) -> (u64, u64) {
        (self.rows.end - self.all.start, self.all.end - self.all.start)
    }

    /// The rows, each with its character's index.
    pub fn rows(&self) -> impl Iterator<Item = (u64, &[V::Value])> + '_ {
        let width = (self.columns.end - self.columns.start) as usize;
        let row = move |i: usize| self.entries.get(i * width..(i + 1) * width).unwrap_or_default();
        self.rows.clone().enumerate().map(move |(i, character)| (character, row(i)))
    }

    /// Writes the rows as [`Characters::write_text`] does.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (character, row) in self.rows() {
            for &entry in row {
                self.values.write_text(out, entry)?;
                out.write_all(b" ")?;
            }
            writeln!(out, "# {}", self.group.name(character).unwrap_or_default())?;
        }
        Ok(())
    }

    /// Writes the rows as [`Characters::write_npy`] does, as an array of their own.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_npy(&self, out: &mut dyn Write) -> io::Result<()> {
        write_npy_header(self.values, &self.rows, &self.columns, out)?;
        out.write_all(bytemuck::cast_slice(self.entries))
    }
}

impl<V: Values> Table<V> {
    /// All rows as one block, with their entries that [`Table::download`] gave.
    ///
    /// # Errors
    /// [`CharacterError::Buffer`] for another number of entries, in words.
    pub fn block<'a>(&'a self, entries: &'a [V::Value]) -> Result<Block<'a, V>, CharacterError> {
        let (expected, given) = (self.buffer().len(), entries.len() * V::WORDS);
        if expected != given {
            return Err(CharacterError::Buffer { expected, given });
        }
        let (group, values, rows, columns) = (self.group(), self.values(), self.rows(), self.columns());
        let construction = self.plan().construction;
        Ok(Block { group, values, all: rows.clone(), rows, columns, construction, entries })
    }
}

/// Writes the head of an array of rows and columns: version 1.0 of the format, padded with spaces to a multiple of 64 bytes.
fn write_npy_header<V: Values>(
    values: &V,
    rows: &Range<u64>,
    columns: &Range<u64>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let order = match values.npy_type() {
        "u1" => '|',
        _ if cfg!(target_endian = "big") => '>',
        _ => '<',
    };
    let (scalar, height, width) = (values.npy_type(), rows.end - rows.start, columns.end - columns.start);
    let mut text = format!("{{'descr': '{order}{scalar}', 'fortran_order': False, 'shape': ({height}, {width}, ), }}");
    // Before the text come eight bytes and its length, behind it the end of the line.
    let whole = (10 + text.len() + 1).next_multiple_of(64);
    text.extend(std::iter::repeat_n(' ', whole - 10 - 1 - text.len()));
    text.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    // Two numbers of 64 bits take less than 128 bytes of text.
    out.write_all(&(text.len() as u16).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As text, a row a line.
    Text,
    /// As an array of rows and columns in the form `.npy`.
    Npy,
}

/// Why a table was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// A block was not made.
    #[error(transparent)]
    Characters(#[from] CharacterError),
    /// The writer failed.
    #[error("the table cannot be written: {0}")]
    Write(#[from] io::Error),
    /// The progress callback said to stop.
    #[error("stopped after {done} of {all} rows")]
    Stopped {
        /// Rows written.
        done: u64,
        /// All rows.
        all: u64,
    },
}

impl From<GroupError> for StreamError {
    fn from(error: GroupError) -> Self {
        Self::Characters(error.into())
    }
}

/// Bytes of a block, where nothing else is said.
const BLOCK_BYTES: u64 = 64 << 20;

impl Characters {
    /// Makes a tile in blocks of rows and gives each to `take`, in order; `take` may stop it. `rows_each` is the number of
    /// rows of a block, by default as many as make 64 MB, or fit the device's [room](manycore_device::Device::room_bytes). Tells
    /// whether all rows were made.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use manycore_characters::{AbelianGroup, CharacterError, Characters, Exponents, Tile};
    /// let characters = Characters::new(&manycore_device::Device::host());
    /// let (group, mut sum) = (AbelianGroup::power(3, 5)?, 0u64);
    /// characters.stream(&group, &Exponents::<u8>::new(), &Tile::whole(), Some(100), |block| {
    ///     sum += block.entries.iter().map(|&e| u64::from(e)).sum::<u64>();
    ///     Ok::<_, CharacterError>(ControlFlow::Continue(()))
    /// })?;
    /// assert_eq!(sum, 242 * 243); // every row but the first has each exponent 81 times
    /// # Ok::<(), CharacterError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Characters::table`], and those of `take`.
    pub fn stream<V: Values, E: From<CharacterError>>(
        &self,
        group: &AbelianGroup,
        values: &V,
        tile: &Tile,
        rows_each: Option<u64>,
        mut take: impl FnMut(&Block<'_, V>) -> Result<ControlFlow<()>, E>,
    ) -> Result<bool, E> {
        let (all, columns) = tile.ranges(group)?;
        values.base(group.exponent()).map_err(E::from)?;
        let row_bytes = (columns.end - columns.start).saturating_mul(size_of::<V::Value>() as u64).max(1);
        // Two blocks are on the device, beside tables of roots.
        let block_bytes = BLOCK_BYTES.min(self.device().room_bytes() / 4);
        let each = rows_each.unwrap_or(block_bytes / row_bytes).clamp(1, (all.end - all.start).max(1));
        let block = |start: u64| start..all.end.min(start.saturating_add(each));
        let len = |rows: &Range<u64>| words::<V>(rows, &columns);
        let device = self.device();
        let buffers = || device.scratch::<V::Word>(len(&block(all.start))?).map_err(CharacterError::from);
        let (mut now, mut next) = (buffers()?, buffers()?);
        let mut landing: Option<Pinned<V::Word>> = None;
        let mut rows = block(all.start);
        let make = |rows: &Range<u64>, into: &mut manycore_device::Buffer<V::Word>| {
            if into.len() != len(rows)? {
                // The last block is shorter.
                *into = device.scratch(len(rows)?)?;
            }
            let plan = self.table_into(group, values, &tile.clone().rows(rows.clone()), into)?;
            Ok::<_, CharacterError>(plan.construction)
        };
        let mut made_by = Construction::Direct;
        if !rows.is_empty() {
            made_by = make(&rows, &mut now)?;
        }
        while !rows.is_empty() {
            let following = block(rows.end);
            let words = now.len();
            let mut next_made_by = made_by;
            let entries: &[V::Word] = if self.on_host() {
                now.host().map_err(CharacterError::from)?
            } else {
                let landing = match &mut landing {
                    Some(landing) => landing,
                    none => none.insert(device.pinned(words).map_err(CharacterError::from)?),
                };
                let landing = &mut landing[..words];
                let outcome = device.overlap(|transfers| {
                    let view = now.view(..).map_err(CharacterError::from)?;
                    let download = transfers.download(view, landing).map_err(CharacterError::from)?;
                    if !following.is_empty() {
                        next_made_by = make(&following, &mut next)?;
                    }
                    download.wait().map_err(CharacterError::from)
                });
                outcome.map_err(CharacterError::from)??
            };
            let (rows_of, columns, all) = (rows.clone(), columns.clone(), all.clone());
            let entries = bytemuck::cast_slice(entries);
            let block = Block { group, values, rows: rows_of, columns, all, construction: made_by, entries };
            if take(&block)?.is_break() {
                return Ok(false);
            }
            if self.on_host() && !following.is_empty() {
                next_made_by = make(&following, &mut next)?;
            }
            std::mem::swap(&mut now, &mut next);
            (rows, made_by) = (following, next_made_by);
        }
        Ok(true)
    }

    /// Writes a tile as an array of rows and columns in the form `.npy` (complex numbers as `c8` or `c16`), block by block.
    /// `progress` hears the rows done and all rows after each block, and may stop it.
    ///
    /// # Errors
    /// [`StreamError`].
    pub fn write_npy<V: Values>(
        &self,
        group: &AbelianGroup,
        values: &V,
        tile: &Tile,
        mut out: impl Write,
        mut progress: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), StreamError> {
        let (rows, columns) = tile.ranges(group)?;
        values.base(group.exponent())?;
        write_npy_header(values, &rows, &columns, &mut out)?;
        self.write(group, values, tile, &mut progress, |block| out.write_all(bytemuck::cast_slice(block.entries)))?;
        Ok(out.flush()?)
    }

    /// Writes a tile as text, a row a line: entries separated by spaces, and then the row's name behind `#`. Exponents and
    /// residues are decimal, complex numbers such as `-0.5+0.8660254i`, in the fewest digits that read back the same.
    /// `progress` hears the rows done and all rows after each block, and may stop it.
    ///
    /// # Errors
    /// [`StreamError`].
    pub fn write_text<V: Values>(
        &self,
        group: &AbelianGroup,
        values: &V,
        tile: &Tile,
        mut out: impl Write,
        mut progress: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), StreamError> {
        self.write(group, values, tile, &mut progress, |block| block.write_text(&mut out))?;
        Ok(out.flush()?)
    }

    /// Writes a tile as [`Characters::write_text`] or [`Characters::write_npy`] does, block by block. `check` sees each block before
    /// it is written, and may stop there: then that block and those after it are not written.
    ///
    /// # Errors
    /// [`StreamError`]; [`StreamError::Stopped`] where `check` stopped, with the rows before that block.
    pub fn write_checked<V: Values>(
        &self,
        group: &AbelianGroup,
        values: &V,
        tile: &Tile,
        form: Form,
        mut out: impl Write,
        mut check: impl FnMut(&Block<'_, V>) -> ControlFlow<()>,
    ) -> Result<(), StreamError> {
        let stream = |take: Take<'_, V>| self.stream(group, values, tile, None, take);
        checked((group, values, tile, form), &mut out, &mut check, stream)
    }

    /// Streams a tile to a writer of blocks.
    fn write<V: Values>(
        &self,
        group: &AbelianGroup,
        values: &V,
        tile: &Tile,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
        mut write: impl FnMut(&Block<'_, V>) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        let mut reached = (0, 0);
        let whole = self.stream(group, values, tile, None, |block| {
            write(block)?;
            reached = block.progress();
            Ok::<_, StreamError>(progress(reached.0, reached.1))
        })?;
        if whole || reached.0 == reached.1 {
            Ok(())
        } else {
            Err(StreamError::Stopped { done: reached.0, all: reached.1 })
        }
    }
}

/// What a stream gives its blocks to.
pub(crate) type Take<'a, V> = &'a mut dyn FnMut(&Block<'_, V>) -> Result<ControlFlow<()>, StreamError>;

/// Writes the blocks of a stream that pass a check.
pub(crate) fn checked<V: Values>(
    (group, values, tile, form): (&AbelianGroup, &V, &Tile, Form),
    out: &mut dyn Write,
    check: &mut dyn FnMut(&Block<'_, V>) -> ControlFlow<()>,
    stream: impl FnOnce(Take<'_, V>) -> Result<bool, StreamError>,
) -> Result<(), StreamError> {
    let (rows, columns) = tile.ranges(group)?;
    values.base(group.exponent())?;
    if form == Form::Npy {
        write_npy_header(values, &rows, &columns, out)?;
    }
    let (mut done, all) = (0, rows.end - rows.start);
    let whole = stream(&mut |block| {
        if check(block).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        match form {
            Form::Text => block.write_text(out)?,
            Form::Npy => out.write_all(bytemuck::cast_slice(block.entries))?,
        }
        done = block.progress().0;
        Ok(ControlFlow::Continue(()))
    })?;
    if whole { Ok(out.flush()?) } else { Err(StreamError::Stopped { done, all }) }
}
