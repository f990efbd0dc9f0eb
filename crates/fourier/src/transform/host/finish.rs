//! The finish of a tile after its steps: twiddle factors, scale, conjugation.

use super::tables::HostTables;
use super::tile::{Place, Shape};
use crate::numbers::{Engine, Numbers};
use crate::transform::tables::{Part, Twiddles};

/// Row `k` of the results at place `j` of the cofactor times `w^(j k)`, then what the last stage of a transform does.
pub(super) struct Finish<'a, N: Numbers> {
    /// Whether there is nothing to do.
    pub(super) plain: bool,
    /// The twiddle factors of the tile's first unit, if it is not the very first one.
    first: Option<First<'a, N>>,
    /// The twiddle factors of the tile's other units, in the tile's layout without gaps, and the distance of their planes.
    others: Option<(&'a [N::Word], usize)>,
    columns: usize,
    scale: Option<N::Value>,
    conjugate: bool,
}

/// The twiddle factors of one unit.
enum First<'a, N: Numbers> {
    Known(&'a [N::Value]),
    Powers(&'a Twiddles<N::Value>, usize),
}

impl<'a, N: Numbers> Finish<'a, N> {
    pub(super) fn new(part: &'a Part<HostTables<N>, N::Value>, place: &Place, many: bool, shape: &Shape) -> Self {
        let tables = &part.tables;
        let mut finish = Self {
            plain: false,
            first: None,
            others: None,
            columns: shape.columns,
            scale: tables.scale,
            conjugate: part.conjugate_last,
        };
        if let Some(twiddles) = &tables.twiddles {
            if place.unit != 0 {
                let known = tables.rows.get(place.tile * shape.rows..(place.tile + 1) * shape.rows);
                finish.first = Some(known.map_or(First::Powers(twiddles, place.unit), First::Known));
            }
            if many {
                finish.others = Some((&tables.columns, tables.columns_plane));
            }
        }
        finish.plain = finish.first.is_none() && finish.others.is_none() && finish.scale.is_none() && !finish.conjugate;
        finish
    }

    /// Numbers of row `k` of the results, from a column on.
    ///
    /// # Safety
    /// The row and the columns are the tile's, and the instruction set of the engine is there.
    #[inline(always)]
    pub(super) unsafe fn one<E: Engine<N>>(
        &self,
        e: E,
        numbers: &N,
        x: E::Number,
        k: usize,
        column: usize,
    ) -> E::Number {
        if self.plain {
            return x;
        }
        let mut x = x;
        // SAFETY: the tables have all rows and columns.
        unsafe {
            match &self.first {
                None => {}
                Some(First::Known(known)) => x = e.times(x, e.constant(known.as_ptr().add(k))),
                Some(First::Powers(twiddles, unit)) => x = e.times(x, e.all(twiddles.power(numbers, k * unit))),
            }
            if let Some((others, plane)) = &self.others {
                x = e.times(x, e.load(others.as_ptr().add(k * self.columns + column), *plane));
            }
            if let Some(scale) = self.scale {
                x = e.times(x, e.all(scale));
            }
        }
        if self.conjugate { e.conjugated(x) } else { x }
    }
}
