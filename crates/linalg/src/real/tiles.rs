//! Sizes of blocks, groups and tiles in the elimination of doubles on OpenCL devices: what `real_tiles.clh` is built with.

use manycore_device::{Defines, WordType};

/// Sizes of blocks, groups and tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tiles {
    /// Rows of a block.
    pub(super) block: usize,
    /// Items of a group.
    pub(super) group: usize,
    /// Items of a row of multipliers, a divisor of the group.
    pub(super) line: usize,
    /// Items along a row of a tile, a divisor of the group.
    pub(super) side: usize,
    /// Entries of an item along each side.
    pub(super) regs: usize,
}

impl Tiles {
    /// The number of tiles that cover `rows` rows and `columns` columns.
    pub(super) fn count(&self, rows: usize, columns: usize) -> usize {
        rows.div_ceil(self.rows()) * columns.div_ceil(self.columns())
    }

    /// Rows of a tile.
    pub(super) fn rows(&self) -> usize {
        self.group / self.side * self.regs
    }

    /// Columns of a tile.
    pub(super) fn columns(&self) -> usize {
        self.side * self.regs
    }

    /// Rows of multipliers of a group.
    pub(super) fn lines(&self) -> usize {
        self.group / self.line
    }

    /// The definitions for kernels of doubles.
    pub(super) fn defines(&self) -> Defines {
        let number = |count: usize| format!("{count}u");
        Defines::new()
            .element(WordType::F64)
            .set("BLOCK", number(self.block))
            .set("GROUP", number(self.group))
            .set("LINE", number(self.line))
            .set("SIDE", number(self.side))
            .set("REGS", number(self.regs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_rows_and_columns() {
        let tiles = Tiles { block: 32, group: 256, line: 16, side: 32, regs: 4 };
        assert_eq!((tiles.rows(), tiles.columns(), tiles.lines()), (32, 128, 16));
        assert_eq!([(0, 5), (32, 128), (33, 128), (33, 129)].map(|(r, c)| tiles.count(r, c)), [0, 1, 2, 4]);
    }
}
