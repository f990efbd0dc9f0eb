//! The kinds of entries: their JSON, and their checks by the definition.

use manycore_field::{KernelField, ResidueWord as _};
use manycore_operation::Row;
use manycore_operation::verify::{Outcome, Real, characters as verify};

use crate::stream::Block;
use crate::table::Construction;
use crate::values::{Complexes, Exponents, Residues, Values};

/// Entries that results have.
pub(super) trait Entries: Values {
    /// A row of a table.
    fn row(entries: &[Self::Value]) -> Row;

    /// Whether the entries of a block are right; the block is of a group with this exponent.
    fn check_block(&self, block: &Block<'_, Self>, tile: &verify::Tile<'_>, exponent: u64) -> Outcome;
}

/// Whether the entries of a block are right.
pub(super) fn check<E: Entries>(block: &Block<'_, E>) -> Outcome {
    let tile =
        verify::Tile { factors: block.group.factors(), rows: block.rows.clone(), columns: block.columns.clone() };
    block.values.check_block(block, &tile, block.group.exponent())
}

macro_rules! exponents {
    ($($word:ty)*) => {
        $(impl Entries for Exponents<$word> {
            fn row(entries: &[$word]) -> Row {
                Row::Integers(entries.iter().map(|&entry| entry.into()).collect())
            }

            fn check_block(&self, block: &Block<'_, Self>, tile: &verify::Tile<'_>, _: u64) -> Outcome {
                verify::check_exponents(tile, block.entries)
            }
        })*
    };
}

exponents!(u8 u16 u32);

/// Whether complex entries are right: rounded roots, or products of them.
fn check_complex<T: Real>(
    entries: &[[T; 2]],
    tile: &verify::Tile<'_>,
    construction: Construction,
    root: &(dyn Fn(u64) -> [T; 2] + Sync),
) -> Outcome {
    let rounding = match construction {
        Construction::Direct => verify::Rounding::Roots(root),
        Construction::Kronecker => verify::Rounding::Products,
    };
    verify::check_complex(tile, entries, rounding)
}

macro_rules! complexes {
    ($($part:ty: $row:ident),*) => {
        $(impl Entries for Complexes<$part> {
            fn row(entries: &[Self::Value]) -> Row {
                Row::$row(entries.iter().map(|entry| [entry.re, entry.im]).collect())
            }

            fn check_block(&self, block: &Block<'_, Self>, tile: &verify::Tile<'_>, exponent: u64) -> Outcome {
                let root = |t| self.root(exponent, t);
                let parts = |t| [root(t).re, root(t).im];
                check_complex(bytemuck::cast_slice(block.entries), tile, block.construction, &parts)
            }
        })*
    };
}

complexes!(f32: Singles, f64: Doubles);

impl<F: KernelField> Entries for Residues<F> {
    fn row(entries: &[F::Element]) -> Row {
        Row::Integers(entries.iter().copied().map(F::Element::as_u64).collect())
    }

    fn check_block(&self, block: &Block<'_, Self>, tile: &verify::Tile<'_>, exponent: u64) -> Outcome {
        // There is a root: without one no table was made.
        let root = self.field().root_of_unity(exponent).map_or(0, F::Element::as_u64);
        verify::check_residues(tile, self.field().order(), root, block.entries)
    }
}
