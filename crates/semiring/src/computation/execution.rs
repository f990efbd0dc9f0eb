//! Execution node by node in the plan's order, for a block of rows of the outputs: each stored result is freed behind its last
//! reader.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use manycore_device::Device;
use manycore_expressions::{Memory, Owned, ScalarType, Words, WordsMut};

use super::lazy::Lazy;
use super::nodes::{Bound, Computation, Listed, Table};
use super::results::{Kept, Stored};
use crate::error::SemiringError;
use crate::multiply::form::{ProductForm, ProductShape};
use crate::multiply::products::Products;
use crate::operand::Operand;
use crate::plan::{Node, Plan, Representation, Shape};
use crate::resident::len;

/// Block `number` of `count` blocks of rows.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) number: u64,
    pub(super) count: u64,
}

impl Block {
    /// The rows of a matrix in the block.
    fn rows(self, rows: u64) -> Range<u64> {
        let at = |number: u64| (u128::from(rows) * u128::from(number) / u128::from(self.count)) as u64;
        at(self.number)..at(self.number + 1)
    }
}

/// Scalars of outputs.
pub(super) type Outputs = Vec<(Node, Vec<Owned>)>;

pub(super) struct Run<'a> {
    computation: &'a Computation,
    products: &'a Products,
    plan: &'a Plan,
    is_whole: Vec<bool>,
    stored: HashMap<Node, Stored>,
    is_timed: bool,
    pub(super) seconds: Vec<(Node, f64)>,
}

impl<'a> Run<'a> {
    pub(super) fn new(computation: &'a Computation, products: &'a Products, plan: &'a Plan, is_timed: bool) -> Self {
        let is_whole = computation.whole();
        Self { computation, products, plan, is_whole, stored: HashMap::new(), is_timed, seconds: Vec::new() }
    }

    fn device(&self) -> &'a Device {
        self.products.device()
    }

    /// Nodes that are needed whole.
    pub(super) fn whole(&mut self) -> Result<(), SemiringError> {
        let all = Block { number: 0, count: 1 };
        let schedule = self.plan.schedule();
        let of_blocks = schedule.iter().filter(|(node, _)| !self.is_whole[node.index()]);
        let read_by_blocks: HashSet<Node> = of_blocks.flat_map(|(node, _)| self.plan.reads(*node)).collect();
        for (node, freed) in &schedule {
            if !self.is_whole[node.index()] {
                continue;
            }
            self.timed(*node, all, &mut Vec::new())?;
            // What blocks read stays, whichever reader is the last one in the plan's order.
            for node in freed.iter().filter(|node| !read_by_blocks.contains(node)) {
                self.stored.remove(node);
            }
        }
        Ok(())
    }

    /// The other nodes, for some rows of the outputs.
    pub(super) fn block(&mut self, block: Block) -> Result<Outputs, SemiringError> {
        let mut outputs = Vec::new();
        for (node, freed) in self.plan.schedule() {
            if self.is_whole[node.index()] {
                continue;
            }
            self.timed(node, block, &mut outputs)?;
            for node in freed {
                if !self.is_whole[node.index()] || block.number + 1 == block.count {
                    self.stored.remove(&node);
                }
            }
        }
        self.stored.retain(|_, stored| stored.is_whole);
        Ok(outputs)
    }

    fn timed(&mut self, node: Node, block: Block, outputs: &mut Outputs) -> Result<(), SemiringError> {
        let begun = Instant::now();
        self.node(node, block, outputs)?;
        if self.is_timed {
            self.device().finish()?;
            self.seconds.push((node, begun.elapsed().as_secs_f64()));
        }
        Ok(())
    }

    fn node(&mut self, node: Node, block: Block, outputs: &mut Outputs) -> Result<(), SemiringError> {
        let computation = self.computation;
        let shape = computation.program.shape(node)?;
        let rows = block.rows(shape.rows);
        match &computation.nodes[node.index()].bound {
            Bound::Given(Some(given)) => {
                let held = given.upload(self.device(), rows.clone())?;
                self.keep(node, Kept::Given(held), rows)
            }
            Bound::Given(None) => Err(SemiringError::Unbound { node: computation.program.name(node).to_owned() }),
            Bound::Product(algebra, leaves_out) => {
                let mut operands = computation.program.operands(node);
                let (Some(a), Some(b)) = (operands.next(), operands.next()) else { return Ok(()) };
                let left = match computation.listed_factor(self.plan, node, (a, true))? {
                    Some(listed) => self.listed(listed, rows.start)?,
                    None if computation.reads_missing(leaves_out, (a, true))? => {
                        self.computed(a, computation.entry(self.plan, a)?, rows.start)?
                    }
                    None => self.source(a, Some(rows.start), rows.end - rows.start)?,
                };
                let right = match computation.listed_factor(self.plan, node, (b, false))? {
                    Some(listed) => self.listed(listed, 0)?,
                    None if computation.reads_missing(leaves_out, (b, false))? => {
                        self.computed(b, computation.entry(self.plan, b)?, 0)?
                    }
                    None if matches!(computation.nodes[b.index()].bound, Bound::Factor(..)) => {
                        self.source(b, Some(rows.start), 0)?
                    }
                    None => self.source(b, None, computation.program.shape(b)?.rows)?,
                };
                let part = Shape { rows: rows.end - rows.start, columns: shape.columns };
                let mut out = self.scratch(algebra.sums(), part)?;
                if out.first().is_some_and(|memory| !memory.is_empty()) {
                    let inner = computation.program.shape(a)?.columns as usize;
                    let sizes = ProductShape { rows: part.rows as usize, inner, columns: shape.columns as usize };
                    let mut words: Vec<WordsMut<'_>> = out.iter_mut().map(Memory::words_mut).collect();
                    let (left, right) = (self.operand(&left)?, self.operand(&right)?);
                    let form = ProductForm::of(algebra, &left, &right);
                    self.products.product(&form, sizes, (&left, &right), &mut words)?;
                }
                self.keep(node, Kept::Made(Rc::new(out)), rows)
            }
            // Within the products that read it.
            Bound::Factor(..) => Ok(()),
            Bound::Elements => {
                let lazy = computation.made(self.plan, node)?;
                let out = self.entries(node, lazy, &rows, shape.columns)?;
                self.keep(node, Kept::Made(Rc::new(out)), rows)
            }
            Bound::Output => {
                let Some(of) = computation.program.operands(node).next() else { return Ok(()) };
                let memory = match self.stored.get(&of) {
                    Some(Stored { kept: Kept::Made(memory), first_row, .. })
                        if *first_row == rows.start && {
                            let len = u128::from(rows.end - rows.start) * u128::from(shape.columns);
                            memory.iter().all(|memory| memory.len() as u128 == len)
                        } =>
                    {
                        Rc::clone(memory)
                    }
                    _ => {
                        let lazy = computation.entry(self.plan, of)?;
                        Rc::new(self.entries(of, lazy, &rows, shape.columns)?)
                    }
                };
                outputs.push((node, memory.iter().map(Memory::download).collect::<Result<_, _>>()?));
                // Nothing reads an output, and its schedule frees what it read.
                Ok(())
            }
        }
    }

    fn keep(&mut self, node: Node, kept: Kept, rows: Range<u64>) -> Result<(), SemiringError> {
        let columns = self.computation.program.shape(node)?.columns;
        let place = Memory::upload(self.device(), (&[columns, rows.start][..]).into())?;
        let is_whole = self.is_whole[node.index()];
        self.stored.insert(node, Stored { kept, place, dense: None, first_row: rows.start, is_whole });
        Ok(())
    }

    fn scratch(&self, kinds: &[ScalarType], shape: Shape) -> Result<Vec<Memory>, SemiringError> {
        let len = len(shape, self.device())?;
        Ok(kinds.iter().map(|kind| Memory::scratch(self.device(), kind.memory(), len)).collect::<Result<_, _>>()?)
    }

    /// Entries of some rows, stored.
    fn entries(
        &mut self,
        node: Node,
        lazy: Lazy,
        rows: &Range<u64>,
        columns: u64,
    ) -> Result<Vec<Memory>, SemiringError> {
        let source = self.computed(node, lazy, rows.start)?;
        let shape = Shape { rows: rows.end - rows.start, columns };
        let mut out = self.scratch(&self.computation.nodes[node.index()].kinds, shape)?;
        let mut words: Vec<WordsMut<'_>> = out.iter_mut().map(Memory::words_mut).collect();
        if let Operand::Computed(entry, tables) = self.operand(&source)? {
            self.products.store(&entry, &tables, shape, &mut words)?;
        }
        Ok(out)
    }

    /// What a product reads of an operand: `rows` rows from row `first` on.
    fn source(&mut self, node: Node, first: Option<u64>, rows: u64) -> Result<Source, SemiringError> {
        let first = first.unwrap_or(0);
        if let Bound::Factor(..) = self.computation.nodes[node.index()].bound {
            for read in self.computation.program.operands(node) {
                self.make_dense(read)?;
            }
            return Ok(Source::Factor(node, first));
        }
        if self.computation.is_stored(self.plan, node)
            && let Some(stored) = self.stored.get(&node)
            && stored.first_row == first
            && (!stored.is_whole || self.computation.program.shape(node)?.rows == rows)
        {
            return Ok(Source::Stored(node));
        }
        let lazy = self.computation.entry(self.plan, node)?;
        self.computed(node, lazy, first)
    }

    /// An entry, whose rows count from `first` on.
    fn computed(&mut self, node: Node, mut lazy: Lazy, first: u64) -> Result<Source, SemiringError> {
        self.make_tables(&lazy.tables)?;
        let mut place = None;
        if first > 0 {
            lazy.entry = self.computation.counted_from_row(node, &lazy)?;
            place = Some(Memory::upload(self.device(), (&[first][..]).into())?);
        }
        Ok(Source::Computed(lazy, place))
    }

    /// Lists for the product's rows from `first` on.
    fn listed(&mut self, listed: Listed, first: u64) -> Result<Source, SemiringError> {
        self.make_tables(&listed.tables)?;
        Ok(Source::Listed(listed, first))
    }

    /// All entries of what tables hold all of.
    fn make_tables(&mut self, tables: &[Table]) -> Result<(), SemiringError> {
        for table in tables {
            if let Table::Words(node, _) = table {
                self.make_dense(*node)?;
            }
        }
        Ok(())
    }

    /// All entries of what is given as lists or as a function.
    fn make_dense(&mut self, node: Node) -> Result<(), SemiringError> {
        let Some(stored) = self.stored.get(&node) else { return Ok(()) };
        let Bound::Given(Some(given)) = &self.computation.nodes[node.index()].bound else { return Ok(()) };
        if stored.dense.is_some() {
            return Ok(());
        }
        let (shape, first) = (given.shape(), stored.first_row);
        let dense = match stored.operand() {
            Operand::Lists { rows, .. } => {
                // Of what was uploaded in part the same part.
                let last = first + (rows.offsets.len() as u64).saturating_sub(1);
                given.upload_stored(self.products.device(), first..last.min(shape.rows))?
            }
            Operand::Computed(..) => {
                let lazy = self.computation.entry(self.plan, node)?;
                self.entries(node, lazy, &(first..shape.rows), shape.columns)?
            }
            _ => return Ok(()),
        };
        if let Some(stored) = self.stored.get_mut(&node) {
            stored.dense = Some(dense);
        }
        Ok(())
    }

    /// What products alone read, with the entries that its functions read.
    fn factor(&self, node: Node, first: u64) -> Result<Operand<'_>, SemiringError> {
        let computation = self.computation;
        let unbound = |node: Node| SemiringError::Unbound { node: computation.program.name(node).to_owned() };
        let Bound::Factor(made, _) = &computation.nodes[node.index()].bound else { return Err(unbound(node)) };
        let mut tables = Vec::new();
        for read in computation.program.operands(node) {
            let entries = self.stored.get(&read).ok_or_else(|| unbound(read))?.entries();
            if entries.len() != computation.nodes[read.index()].kinds.len() {
                return Err(SemiringError::Unstored { representation: Representation::Function });
            }
            tables.extend(entries);
        }
        Ok(made.operand(tables, first))
    }

    fn operand<'b>(&'b self, source: &'b Source) -> Result<Operand<'b>, SemiringError> {
        match source {
            Source::Stored(node) => Ok(self.stored.get(node).ok_or_else(|| self.lost(*node))?.operand()),
            Source::Factor(node, first) => self.factor(*node, *first),
            Source::Listed(listed, first) => {
                let tables = self.tables(&listed.tables)?;
                let kinds = tables.iter().map(|words| ScalarType::Word(words.word())).collect();
                Ok(Operand::Made(Arc::new(listed.lists(kinds)), tables, *first))
            }
            Source::Computed(lazy, place) => {
                let mut tables = self.tables(&lazy.tables)?;
                tables.extend(place.as_ref().map(Memory::words));
                Ok(Operand::Computed(Arc::clone(&lazy.entry), tables))
            }
        }
    }

    fn lost(&self, node: Node) -> SemiringError {
        SemiringError::Unbound { node: self.computation.program.name(node).to_owned() }
    }

    fn tables<'b>(&'b self, tables: &[Table]) -> Result<Vec<Words<'b>>, SemiringError> {
        let of = |table: &Table| {
            let (Table::Place(node)
            | Table::Words(node, _)
            | Table::Offsets(node, _)
            | Table::Indices(node, _)
            | Table::Entry(node, ..)) = *table;
            let stored = self.stored.get(&node).ok_or_else(|| self.lost(node))?;
            match *table {
                Table::Place(_) => Some(stored.place.words()),
                Table::Words(_, scalar) => stored.entries().get(scalar).copied(),
                Table::Offsets(_, is_by_rows) => stored.lists(is_by_rows).map(|lists| lists.offsets),
                Table::Indices(_, is_by_rows) => stored.lists(is_by_rows).map(|lists| lists.indices),
                Table::Entry(_, is_by_rows, scalar) => {
                    stored.lists(is_by_rows).and_then(|lists| lists.entries.get(scalar).copied())
                }
            }
            .ok_or_else(|| self.lost(node))
        };
        tables.iter().map(of).collect()
    }
}

/// What a product or a function of entries reads.
enum Source {
    Stored(Node),
    /// With the first row, behind its tables.
    Computed(Lazy, Option<Memory>),
    /// What products alone read, for rows from this one on.
    Factor(Node, u64),
    /// Lists for rows from this one on.
    Listed(Listed, u64),
}
