//! The part of a character table that arguments ask for, and the values of its entries.

use std::ops::Range;

use manycore_field::with_field;
use manycore_operation::{Arguments, OperationError, range};

use super::entries::Entries;
use crate::group::AbelianGroup;
use crate::table::{Construction, Tile};
use crate::values::{Complexes, Exponents, Residues};

/// The part of a table that a call asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The characters that are its rows.
    pub rows: Range<u64>,
    /// The elements that are its columns.
    pub columns: Range<u64>,
    /// The words of an entry.
    pub words: usize,
}

/// The part of a table that the arguments of a call ask for.
///
/// # Errors
/// What is wrong with an argument.
pub fn shape(arguments: &Arguments) -> Result<Shape, OperationError> {
    struct Sizes;

    impl OfEntries for Sizes {
        type Output = Shape;

        fn of<E: Entries>(self, _: E, group: AbelianGroup, tile: Tile) -> Result<Shape, OperationError> {
            let (rows, columns) = tile.ranges(&group)?;
            Ok(Shape { rows, columns, words: E::WORDS })
        }
    }

    with_entries(arguments, Sizes)
}

/// What is done with a table of entries of any kind.
pub(super) trait OfEntries {
    /// What comes of it.
    type Output;

    /// Does it.
    fn of<E: Entries>(self, values: E, group: AbelianGroup, tile: Tile) -> Result<Self::Output, OperationError>;
}

/// Runs `work` with the entries of the option.
pub(super) fn with_entries<W: OfEntries>(arguments: &Arguments, work: W) -> Result<W::Output, OperationError> {
    let usage = |option: &str, reason: String| OperationError::usage(format!("--{option}: {reason}"));
    let text = arguments.text("group").unwrap_or_default();
    let group = AbelianGroup::parse(text).map_err(|reason| usage("group", reason))?;
    let within = |option: &str| arguments.text(option).map(range).transpose().map_err(|reason| usage(option, reason));
    let (rows, columns) = (within("rows")?, within("columns")?);
    let tile = rows.into_iter().fold(Tile::whole(), Tile::rows);
    let tile = columns.into_iter().fold(tile, Tile::columns);
    let tile = match arguments.word("algorithm") {
        Some("kronecker") => tile.by(Construction::Kronecker),
        Some(_) => tile.by(Construction::Direct),
        None => tile,
    };
    if let Some(p) = arguments.number("modulus") {
        return with_field!(p, field => work.of(Residues::new(field), group, tile))?;
    }
    match (arguments.is_given("exponents"), arguments.word("type"), group.exponent()) {
        (true, _, ..=0x100) => work.of(Exponents::<u8>::new(), group, tile),
        (true, _, ..=0x1_0000) => work.of(Exponents::<u16>::new(), group, tile),
        (true, ..) => work.of(Exponents::<u32>::new(), group, tile),
        (false, Some("f32"), _) => work.of(Complexes::<f32>::new(), group, tile),
        (false, ..) => work.of(Complexes::<f64>::new(), group, tile),
    }
}
