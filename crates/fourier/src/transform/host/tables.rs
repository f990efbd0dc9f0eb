//! Constants as the host's tiles read them.

use manycore_characters::Values;
use manycore_device::Lines;

use super::tile::Shape;
use crate::numbers::Numbers;
use crate::transform::plan::stages::{Method, Stage, Step, TilePass};
use crate::transform::tables::{Constants, Part, PlainPart, Tables, Twiddles};

/// Constants as tiles read them, [prepared](Numbers::prepared).
#[derive(Debug, Clone)]
pub(crate) struct HostTables<N: Numbers> {
    pub(super) steps: Vec<Constants<N::Value>>,
    pub(super) roots: Vec<N::Value>,
    /// The low powers are prepared, the high ones are not, so that their products are.
    pub(super) twiddles: Option<Twiddles<N::Value>>,
    /// The twiddle factors of a tile with several units, as the tile lies in memory, beside those of its first unit.
    pub(super) columns: Lines<N::Word>,
    pub(super) columns_plane: usize,
    /// For each tile along the cofactor the twiddle factors of its first unit, prepared; empty where they would be too many.
    pub(super) rows: Vec<N::Value>,
    /// For each row of the result the words before the row of the tile that it stands in after the steps.
    pub(super) offsets: Vec<u32>,
    /// The reverse: for each row of the tile that of the result.
    pub(super) finals: Vec<u32>,
    pub(super) shape: Shape,
    pub(super) scale: Option<N::Value>,
    pub(super) weights: Vec<N::Value>,
    /// The weights of products along an axis, not prepared.
    pub(super) plain_weights: Vec<N::Value>,
}

impl<N: Numbers> HostTables<N> {
    fn new(numbers: &N, part: &PlainPart<N::Value>) -> Self {
        let prepare = |values: &[N::Value]| values.iter().map(|&value| numbers.prepared(value)).collect::<Vec<_>>();
        let empty = Self {
            steps: Vec::new(),
            roots: Vec::new(),
            twiddles: None,
            columns: Lines::zeroed(0),
            columns_plane: 0,
            rows: Vec::new(),
            offsets: Vec::new(),
            finals: Vec::new(),
            shape: Shape { rows: 0, columns: 0, block: 1, skip: 0, plane: 0 },
            scale: part.scale.map(|scale| numbers.prepared(scale)),
            weights: Vec::new(),
            plain_weights: Vec::new(),
        };
        match (&part.tables, &part.placed.stage) {
            (Tables::Tile { steps, roots, twiddles }, Stage::Tile(pass)) => {
                let twiddles =
                    twiddles.as_ref().map(|twiddles| Twiddles { low: prepare(&twiddles.low), ..twiddles.clone() });
                let (columns, columns_plane) = match &twiddles {
                    Some(twiddles) if pass.units_each > 1 => columns(numbers, pass, twiddles),
                    _ => (Lines::zeroed(0), 0),
                };
                let rows = twiddles.as_ref().map_or_else(Vec::new, |twiddles| rows(numbers, pass, twiddles));
                let list: &[Step] = if let Method::Steps(list) = &pass.method { list } else { &[] };
                let constants = |(step, table): (&Step, &Constants<N::Value>)| Constants {
                    radix: prepare(&table.radix),
                    twiddles: by_index(&prepare(&table.twiddles), step.twiddles()),
                };
                let (places, shape) = (pass.places(), Shape::new(numbers, pass));
                let mut finals = vec![0; places.len()];
                for (k, &place) in (0..).zip(&places) {
                    finals[place as usize] = k;
                }
                let steps = list.iter().zip(steps).map(constants).collect();
                Self {
                    steps,
                    roots: prepare(roots),
                    twiddles,
                    columns,
                    columns_plane,
                    rows,
                    offsets: places.iter().map(|&place| shape.offset(place as usize) as u32).collect(),
                    finals,
                    shape,
                    ..empty
                }
            }
            (Tables::Multiply { weights }, _) => {
                Self { weights: prepare(weights), plain_weights: weights.clone(), ..empty }
            }
            (Tables::Tile { .. }, Stage::Multiply(_)) => empty,
        }
    }
}

/// The most twiddle factors of the tiles' first units that are tabulated.
const MOST_ROWS: usize = 1 << 22;

/// The number of twiddle factors of tiles' first units in a table: 0 where they would be too many.
pub(crate) fn row_twiddles(pass: &TilePass) -> usize {
    let count = pass.geometry().unit_tiles.saturating_mul(pass.rows);
    if count > MOST_ROWS { 0 } else { count }
}

/// The prepared `w^(j k)` for every tile along the cofactor, `j` its first unit, and every row `k`.
fn rows<N: Numbers>(numbers: &N, pass: &TilePass, twiddles: &Twiddles<N::Value>) -> Vec<N::Value> {
    if row_twiddles(pass) == 0 {
        return Vec::new();
    }
    let tiles = pass.geometry().unit_tiles;
    let unit = |tile: usize| tile * pass.units_each;
    (0..tiles).flat_map(|tile| (0..pass.rows).map(move |k| twiddles.power(numbers, k * unit(tile)))).collect()
}

/// Twiddles with those of one index next to each other.
fn by_index<V: Copy>(twiddles: &[V], count: usize) -> Vec<V> {
    let rows = twiddles.len() / count.max(1);
    (0..count).flat_map(|j| (0..rows).map(move |k| twiddles[k * count + j])).collect()
}

/// The prepared `w^(u k)` for every row `k` and unit `u` of a tile, in the tile's columns, and the distance of its planes.
fn columns<N: Numbers>(numbers: &N, pass: &TilePass, twiddles: &Twiddles<N::Value>) -> (Lines<N::Word>, usize) {
    let width = pass.columns().next_multiple_of(numbers.lanes());
    let plane = pass.rows * width;
    let mut words = Lines::zeroed(N::WORDS * plane);
    for k in 0..pass.rows {
        for u in 0..pass.units_each {
            let value = [twiddles.power(numbers, k * u)];
            for (p, &word) in bytemuck::cast_slice::<N::Value, N::Word>(&value).iter().enumerate() {
                let at = p * plane + k * width + u * pass.run_each;
                words[at..at + pass.run_each].fill(word);
            }
        }
    }
    (words, plane)
}

/// The stages of a transform, ready to run.
pub(crate) type HostPart<N> = Part<HostTables<N>, <N as Values>::Value>;

/// Makes stages ready.
pub(crate) fn prepare<N: Numbers>(numbers: &N, parts: Vec<PlainPart<N::Value>>) -> Vec<HostPart<N>> {
    let ready = |part: PlainPart<N::Value>| Part {
        tables: HostTables::new(numbers, &part),
        placed: part.placed,
        conjugate_first: part.conjugate_first,
        conjugate_last: part.conjugate_last,
        scale: part.scale,
    };
    parts.into_iter().map(ready).collect()
}
