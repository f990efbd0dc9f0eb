//! Algorithms of generalized products, and the parameters with which they run.

use std::fmt;

use manycore_expressions::ScalarType;

use crate::algebra::Algebra;

/// How matrices are multiplied; the products are the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProductPlan {
    /// On the host: rows shared by threads, each the sum of scaled rows of the second matrix.
    Rows,
    /// On the host, of operations that are known by name: tiles of sums in vector registers.
    Registers,
    /// On OpenCL devices, of an operand that is lists of entries: an item for each entry of the result, or a group for each row.
    Lists,
    /// On OpenCL devices, of all operands: an item for each entry of the result, which reads what it needs from memory.
    Direct,
    /// On OpenCL devices: tiles in local memory, sums in registers.
    Tiles(ProductTile),
    /// On the host, of truth values whose unions or sums modulo 2 are known by name: 32 of the inner index to a word.
    Bits,
    /// On OpenCL devices, as [`ProductPlan::Bits`], words by tiles.
    BitTiles(ProductTile),
}

impl fmt::Display for ProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows => f.write_str("rows"),
            Self::Registers => f.write_str("registers"),
            Self::Lists => f.write_str("lists"),
            Self::Direct => f.write_str("direct"),
            Self::Tiles(tile) => tile.fmt(f),
            Self::Bits => f.write_str("bits"),
            Self::BitTiles(tile) => write!(f, "bits, {tile}"),
        }
    }
}

/// The tile of the result that a group of items makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProductTile {
    /// Items along the rows and along the columns of the tile.
    pub items: (u32, u32),
    /// Entries of an item along both sides, in its registers.
    pub registers: (u32, u32),
    /// Entries of the inner index that are in local memory at a time.
    pub depth: u32,
    /// Whether the next entries are read while products of these are added, into a second part of local memory.
    pub double_buffer: bool,
    /// Products that are added at a time, 1 or 2; two are added to each other first, which keeps the bits of exact sums alone.
    pub steps: u32,
    /// Whether maxima and minima of single precision are the device's own instruction as long as no factor is one that it treats
    /// otherwise than the definition: no number, -0.0, or an infinity that makes no number of another. Of known operations.
    pub extrema: bool,
    /// Whether two columns of 16 bits stand in a word, both of which operations work on at once; entries of an item along the
    /// columns are such words. Of known operations, and of an even number of columns: else words are of one column each.
    pub halves: bool,
}

impl fmt::Display for ProductTile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { items, registers, depth, double_buffer, steps, .. } = self;
        write!(
            f,
            "tiles, {} x {} items, {} x {} entries each, depth {depth}",
            items.0, items.1, registers.0, registers.1
        )?;
        if *double_buffer {
            f.write_str(", double buffer")?;
        }
        if *steps == 2 {
            f.write_str(", two steps at a time")?;
        }
        if self.extrema {
            f.write_str(", own extrema")?;
        }
        if self.halves { f.write_str(", two columns in a word") } else { Ok(()) }
    }
}

impl ProductTile {
    /// Words of 32 bits of an item: its sums, the factors of a step, and reads that wait for local memory.
    pub(crate) fn item_words(self, algebra: &Algebra) -> usize {
        let words = |kinds: &[_]| self.bytes(kinds).1.div_ceil(4);
        let (high, wide) = (self.registers.0 as usize, self.registers.1 as usize);
        let (left, right) = (words(algebra.left()), words(algebra.right()));
        let waiting = self.depth as usize * (self.rows() * left + self.words() * right);
        high * wide * words(algebra.sums())
            + self.steps as usize * (high * left + wide * right)
            + waiting.div_ceil(self.group().max(1))
    }

    /// Rows of the tile.
    pub(crate) const fn rows(self) -> usize {
        (self.items.0 * self.registers.0) as usize
    }

    /// Columns of the tile.
    pub(crate) const fn columns(self) -> usize {
        if self.halves { 2 * self.words() } else { self.words() }
    }

    /// Words of a row of the tile, of one column each or of two.
    pub(crate) const fn words(self) -> usize {
        (self.items.1 * self.registers.1) as usize
    }

    /// Items of the group.
    pub(crate) const fn group(self) -> usize {
        self.items.0 as usize * self.items.1 as usize
    }

    /// Parts of local memory.
    pub(crate) const fn stages(self) -> usize {
        if self.double_buffer { 2 } else { 1 }
    }

    /// Rows of the tile in local memory, with those that keep columns in different banks.
    pub(crate) fn padded_rows(self, algebra: &Algebra) -> usize {
        self.rows() + Self::width(self.registers.0, self.bytes(algebra.left()).0)
    }

    /// Bytes of the largest scalar and of all, as items have them; of two columns in a word those of the word.
    pub(crate) fn bytes(self, kinds: &[ScalarType]) -> (usize, usize) {
        if self.halves { (4, 4) } else { Algebra::bytes(kinds) }
    }

    /// Entries of `bytes` bytes that an item reads from local memory at once: up to 16 bytes.
    pub(crate) fn width(registers: u32, bytes: usize) -> usize {
        (registers as usize).min(16 / bytes)
    }

    /// Bytes of local memory.
    pub(crate) fn local_bytes(self, algebra: &Algebra) -> usize {
        let (left, right) = (self.bytes(algebra.left()).1, self.bytes(algebra.right()).1);
        let scalars = algebra.left().len() + algebra.right().len();
        let words = self.padded_rows(algebra) * left + self.words() * right;
        self.stages() * self.depth as usize * words + 16 * scalars
    }
}
