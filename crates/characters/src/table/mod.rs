//! Character tables: entry `(w, z)` is the value of character `w` at element `z`.
//!
//! The table is the Kronecker product of the tables `[C_n]` with the entries `exp(2 pi i r c / n)`, the first factor
//! outermost; both indices have the first factor as their most significant digit. It is symmetric, its first row and
//! column are 1, and `T conj(T)^t = N I` (paper 000; equation 1 with equal positions paired, equation 9 with `+ j`).
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition: specification and oracle |
//! | `direct` | each entry from its exponent, in one pass |
//! | `kronecker` | the paper's steps, each a Kronecker product, between two buffers |
//! | `construction` | their names, and plans |
//! | `tile`, `job` | what is wanted, and all that making it needs to know |
//! | `panels`, `prepared` | how the direct construction splits columns, and the roots and digits that it needs |
//! | `part` | the parts of tables that the other one's steps go through |
//! | `host`, `device` | the primitives of both: threads, and OpenCL kernels |
//! | `shape` | tiles as the planner sees them |
//! | [`cost`] | what each construction moves, computes and launches |

pub(crate) mod construction;
pub mod cost;
mod device;
mod direct;
mod host;
mod job;
mod kronecker;
pub(crate) mod panels;
mod part;
mod prepared;
pub mod reference;
pub(crate) mod shape;
mod tile;

use std::ops::Range;

use manycore_device::{Buffer, host_room};
use manycore_files::grid;
use manycore_tuning::{Choice, Operation, Proof, proof};

use crate::context::Characters;
use crate::error::CharacterError;
use crate::group::{AbelianGroup, GroupError};
use crate::values::Values;
pub use construction::{Construction, Plan};
use cost::Tables;
use job::Job;
use shape::Shape;
pub use tile::Tile;
pub(crate) use tile::words;

/// A character table, or a tile of one, in a device's memory.
#[derive(Debug)]
pub struct Table<V: Values> {
    group: AbelianGroup,
    values: V,
    rows: Range<u64>,
    columns: Range<u64>,
    plan: Plan,
    buffer: Buffer<V::Word>,
}

impl<V: Values> Table<V> {
    /// The group.
    pub fn group(&self) -> &AbelianGroup {
        &self.group
    }

    /// The kind of the entries.
    pub fn values(&self) -> &V {
        &self.values
    }

    /// The characters that are its rows.
    pub fn rows(&self) -> Range<u64> {
        self.rows.clone()
    }

    /// The elements that are its columns.
    pub fn columns(&self) -> Range<u64> {
        self.columns.clone()
    }

    /// How it was made.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The name of the `row`-th row, its character's digits, as `(2,0,1)`.
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for a row past the group's order.
    pub fn row_name(&self, row: u64) -> Result<String, GroupError> {
        self.group.name(self.rows.start.saturating_add(row))
    }

    /// The entries, row after row; complex numbers are two words each, the real part first.
    pub fn buffer(&self) -> &Buffer<V::Word> {
        &self.buffer
    }

    /// The buffer of the entries, mutable.
    pub fn buffer_mut(&mut self) -> &mut Buffer<V::Word> {
        &mut self.buffer
    }

    /// The buffer of the entries.
    pub fn into_buffer(self) -> Buffer<V::Word> {
        self.buffer
    }

    /// Its text, aligned, each row in brackets; of more than 12 rows or columns the first and the last five. The rows shown are
    /// downloaded.
    ///
    /// ```
    /// use manycore_characters::{AbelianGroup, Characters, Exponents, Tile};
    /// let characters = Characters::new(&manycore_device::Device::from_env()?);
    /// let table = characters.table(&AbelianGroup::try_from([3])?, &Exponents::<u8>::new(), &Tile::whole())?;
    /// assert_eq!(table.display()?, "[0 0 0]\n[0 1 2]\n[0 2 1]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CharacterError::Device`] when the device failed.
    #[inline(never)]
    pub fn display(&self) -> Result<String, CharacterError> {
        let size = |range: &Range<u64>| (range.end - range.start) as usize;
        let (rows, columns) = (size(&self.rows), size(&self.columns));
        let mut shown = Vec::new();
        for i in grid::places(rows) {
            let row = self.row(i as u64)?;
            for j in grid::places(columns) {
                let mut text = Vec::new();
                // Writing to a list does not fail.
                let _ = self.values.write_text(&mut text, row[j]);
                shown.push(String::from_utf8_lossy(&text).trim_end().to_owned());
            }
        }
        Ok(grid::text(rows, columns, &shown))
    }

    /// The entries on the host, row after row.
    ///
    /// # Errors
    /// [`CharacterError::Device`] when the device failed.
    #[inline(never)]
    pub fn download(&self) -> Result<Vec<V::Value>, CharacterError> {
        host_room((self.buffer.len() * size_of::<V::Word>()) as u64)?;
        let mut entries: Vec<V::Value> = bytemuck::zeroed_vec(self.buffer.len() / V::WORDS);
        self.download_into(&mut entries)?;
        Ok(entries)
    }

    /// Copies the entries to `out`, row after row.
    ///
    /// # Errors
    /// As [`Table::download`]; [`CharacterError::Device`] for an output of another length than the table has.
    pub fn download_into(&self, out: &mut [V::Value]) -> Result<(), CharacterError> {
        Ok(self.buffer.read_into(bytemuck::cast_slice_mut(out))?)
    }
}

impl Characters {
    /// The character table of `group`, or a tile of it, on the context's device.
    ///
    /// A whole table has `N^2` entries for a group of order `N`. Exponents and residues are exact and the same on every
    /// device; for floating point see [`Construction`].
    ///
    /// ```
    /// use manycore_characters::{AbelianGroup, Characters, Exponents, Tile};
    /// use manycore_device::Device;
    /// let characters = Characters::new(&Device::from_env()?);
    /// let group = AbelianGroup::new(&[2, 3])?;
    /// let table = characters.table(&group, &Exponents::<u8>::new(), &Tile::whole().rows(4..6))?;
    /// assert_eq!(table.download()?, [0, 2, 4, 3, 5, 1, 0, 4, 2, 3, 1, 5]); // of the sixth root of unity
    /// assert_eq!(table.row_name(0)?, "(1,1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CharacterError::Range`], [`CharacterError::TooManyEntries`], [`CharacterError::Exponent`] and
    /// [`CharacterError::NoRoot`]; [`CharacterError::Device`] for too little memory, for `f64` where the device has none, or
    /// a failure.
    #[inline(never)]
    pub fn table<V: Values>(&self, group: &AbelianGroup, values: &V, tile: &Tile) -> Result<Table<V>, CharacterError> {
        let (rows, columns) = tile.ranges(group)?;
        // What cannot be made is refused before memory is taken.
        values.base(group.exponent())?;
        let mut buffer = self.device().scratch(words::<V>(&rows, &columns)?)?;
        let plan = self.table_into(group, values, tile, &mut buffer)?;
        Ok(Table { group: group.clone(), values: values.clone(), rows, columns, plan, buffer })
    }

    /// The table in an existing buffer, which must have the tile's length in words; returns the plan.
    ///
    /// # Errors
    /// As [`Characters::table`]; [`CharacterError::Buffer`] for a buffer of another length.
    #[inline(never)]
    pub fn table_into<V: Values>(
        &self,
        group: &AbelianGroup,
        values: &V,
        tile: &Tile,
        buffer: &mut Buffer<V::Word>,
    ) -> Result<Plan, CharacterError> {
        self.device().same_as(buffer.device())?;
        let (rows, columns) = tile.ranges(group)?;
        let base = values.base(group.exponent())?;
        let expected = words::<V>(&rows, &columns)?;
        if buffer.len() != expected {
            return Err(CharacterError::Buffer { expected, given: buffer.len() });
        }
        let (factors, exponent) = (group.factors(), group.exponent());
        let job = Job {
            context: self,
            factors,
            exponent,
            step: 1,
            values,
            base,
            rows,
            columns,
            group_bytes: tile.group_bytes,
        };
        let steps = factors.iter().filter(|&&n| n > 1).count().max(1);
        let plan = match tile.construction {
            Some(construction @ Construction::Direct) => Plan { construction, passes: 1 },
            Some(construction @ Construction::Kronecker) => Plan { construction, passes: steps },
            None if expected == 0 => Plan { construction: Construction::Direct, passes: 1 },
            None => {
                let shape = Self::shape(group, values, tile)?;
                let ask = |(_, shape): &(String, Shape)| {
                    Ok(self.planner().ask(self.construction(group, values, tile), shape.clone()))
                };
                return self.plans().run(self.device(), (values.name(), shape), ask, |plan| {
                    make(&job, plan.construction, buffer)?;
                    Ok(plan.clone())
                });
            }
        };
        if expected > 0 {
            make(&job, plan.construction, buffer)?;
        }
        Ok(plan)
    }

    /// Both constructions of a tile with their estimates, the chosen one first. Where the device's mode is
    /// [`TuningMode::Measure`](manycore_device::TuningMode::Measure), those that were not measured before are measured now.
    ///
    /// Exponents and residues are the same by both. Of complex numbers that construction is chosen whose estimate is best, in
    /// every mode: the other one rounds otherwise.
    ///
    /// # Errors
    /// [`CharacterError::Range`]; [`CharacterError::NoChoice`] where none fits the device.
    #[inline(never)]
    pub fn explain_table<V: Values>(
        &self,
        group: &AbelianGroup,
        values: &V,
        tile: &Tile,
    ) -> Result<Choice<Plan>, CharacterError> {
        self.planner().choice(&self.construction(group, values, tile), &Self::shape(group, values, tile)?)
    }

    fn construction<'a, V: Values>(
        &'a self,
        group: &'a AbelianGroup,
        values: &'a V,
        tile: &'a Tile,
    ) -> TileConstruction<'a, V> {
        TileConstruction { context: self, group, values, tile, costs: Tables { on_host: self.on_host() } }
    }

    fn shape<V: Values>(group: &AbelianGroup, values: &V, tile: &Tile) -> Result<Shape, CharacterError> {
        let (rows, columns) = tile.ranges(group)?;
        words::<V>(&rows, &columns)?;
        Ok(Shape {
            factors: group.factors().to_vec(),
            exponent: group.exponent(),
            rows,
            columns,
            value_bytes: size_of::<V::Value>() as u32,
            exponents: V::EXPONENTS,
            product: values.product(),
        })
    }
}

/// Makes a tile that has entries.
fn make<V: Values>(job: &Job<'_, V>, by: Construction, buffer: &mut Buffer<V::Word>) -> Result<(), CharacterError> {
    match by {
        Construction::Direct => direct::make(job, buffer),
        Construction::Kronecker => kronecker::make(job, buffer),
    }
}

/// The construction of a tile.
struct TileConstruction<'a, V> {
    context: &'a Characters,
    group: &'a AbelianGroup,
    values: &'a V,
    tile: &'a Tile,
    costs: Tables,
}

impl<V: Values> Operation for TileConstruction<'_, V> {
    type Costs = Tables;
    type Trial = Buffer<V::Word>;
    type Error = CharacterError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Tables {
        &self.costs
    }

    fn family(&self, shape: &Shape) -> String {
        format!("characters {} {} of {:?}", self.values.name(), shape.value_bytes, shape.factors)
    }

    fn sizes(&self, shape: &Shape) -> Vec<usize> {
        [&shape.rows, &shape.columns].map(|range| (range.end - range.start) as usize).into()
    }

    fn is_empty(&self, shape: &Shape) -> bool {
        shape.rows.is_empty() || shape.columns.is_empty()
    }

    fn trial(&self, shape: &Shape) -> Result<Buffer<V::Word>, CharacterError> {
        Ok(self.context.device().scratch(words::<V>(&shape.rows, &shape.columns)?)?)
    }

    fn try_plan(&self, _: &Shape, buffer: &mut Buffer<V::Word>, plan: &Plan) -> Result<(), CharacterError> {
        let mut usual = self.tile.clone();
        usual.group_bytes = None;
        self.context.table_into(self.group, self.values, &usual.by(plan.construction), buffer).map(drop)
    }

    /// The tile's first thousand rows and columns beside those that the host makes entry by entry. Complex entries of either are
    /// products of as many roots as there are factors at most, each of them rounded.
    fn proof(&self, shape: &Shape, plan: &Plan) -> Result<Proof, CharacterError> {
        const MOST: u64 = 1 << 10;
        let first = |range: &Range<u64>| range.start..range.end.min(range.start.saturating_add(MOST));
        let tile = Tile::whole().rows(first(&shape.rows)).columns(first(&shape.columns));
        let make = |context: &Characters, construction: Construction| -> Result<Vec<V::Word>, CharacterError> {
            let tile = tile.clone().by(construction);
            let words = words::<V>(&first(&shape.rows), &first(&shape.columns))?;
            let mut buffer = context.device().scratch(words)?;
            context.table_into(self.group, self.values, &tile, &mut buffer)?;
            Ok(buffer.download()?)
        };
        let expected = make(&Characters::new(&proof::host()), Construction::Direct)?;
        let found = make(self.context, plan.construction)?;
        let roundings = 2 * (shape.factors.len() as u32 + 1);
        let equal = |a: &V::Value, b: &V::Value| self.values.equal(*a, *b, roundings);
        Ok(Proof::of_equal(bytemuck::cast_slice(&found), bytemuck::cast_slice(&expected), equal))
    }
}
