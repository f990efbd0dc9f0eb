//! Results that are computed where they are read: the functions of what they are made of within each other, down to tables of what
//! is stored.

use std::sync::Arc;

use manycore_expressions::{Function, Program as Expression, Value};

use super::nodes::{Bound, Composed, Computation, Table, operand};
use crate::error::SemiringError;
use crate::plan::{Node, Plan, Representation};

/// An entry as a function of column and row, with the tables that it reads.
#[derive(Clone)]
pub(super) struct Lazy {
    pub(super) entry: Arc<Expression>,
    pub(super) tables: Vec<Table>,
}

impl Lazy {
    /// An entry that reads tables of this list: those that it does read, each once.
    fn new(entry: Arc<Expression>, all: &[Table]) -> Result<Self, SemiringError> {
        let (mut numbers, mut tables) = (Vec::with_capacity(all.len()), Vec::new());
        for (number, table) in (0u16..).zip(all) {
            let place = if entry.reads_table(number) {
                tables.iter().position(|known| known == table).unwrap_or_else(|| {
                    tables.push(*table);
                    tables.len() - 1
                })
            } else {
                0
            };
            numbers.push(place as u16);
        }
        let is_as_it_was = tables.len() == all.len() && entry.tables().len() == all.len();
        let entry = if is_as_it_was { entry } else { Arc::new(entry.with_tables(&numbers)?) };
        Ok(Self { entry, tables })
    }
}

impl Computation {
    /// Whether a node's result is in memory while the plan runs; a function that is given is not.
    pub(super) fn is_stored(&self, plan: &Plan, node: Node) -> bool {
        let known = &self.nodes[node.index()];
        match &known.bound {
            Bound::Given(Some(given)) => given.function().is_none(),
            Bound::Given(None) | Bound::Output => true,
            Bound::Factor(..) => false,
            // Long products, and what the plan says.
            Bound::Product(..) | Bound::Elements => {
                known.compose.is_none() || plan.representation(node) == Representation::Stored
            }
        }
    }

    /// The entry of a node as what reads it sees it.
    pub(super) fn entry(&self, plan: &Plan, node: Node) -> Result<Lazy, SemiringError> {
        if self.is_stored(plan, node) {
            let known = &self.nodes[node.index()];
            let words = (0..known.kinds.len()).map(|scalar| Table::Words(node, scalar));
            let tables: Vec<Table> = [Table::Place(node)].into_iter().chain(words).collect();
            return Lazy::new(Arc::clone(&known.stored), &tables);
        }
        self.made(plan, node)
    }

    /// The entry of a node by what makes it, stored or not.
    pub(super) fn made(&self, plan: &Plan, node: Node) -> Result<Lazy, SemiringError> {
        let known = &self.nodes[node.index()];
        if let Bound::Given(Some(given)) = &known.bound
            && let Some(entry) = given.function()
        {
            if let Some((number, kind)) =
                entry.tables().iter().enumerate().find(|(number, _)| entry.reads_table(*number as u16))
            {
                return Err(SemiringError::Table { number, expected: kind.name(), given: "none" });
            }
            return Lazy::new(entry, &[]);
        }
        let (mut entries, mut tables) = (Vec::new(), Vec::new());
        for operand in self.program.operands(node) {
            let lazy = self.entry(plan, operand)?;
            entries.push(lazy.entry);
            tables.extend(lazy.tables);
        }
        let Some(compose) = &known.compose else { return self.entry(plan, node) };
        Lazy::new((compose.compose)(&entries)?, &tables)
    }

    /// Operations for an entry of a node as what reads it sees it, at most: those of operands, whose lengths are known, as often as it
    /// reads them, and its own.
    pub(super) fn length(&self, plan: &Plan, node: Node, lengths: &[u64]) -> u64 {
        let known = &self.nodes[node.index()];
        match (&known.bound, &known.compose) {
            (Bound::Given(Some(given)), _) if given.function().is_some() => {
                given.function().map_or(0, |entry| entry.operations() as u64)
            }
            (_, Some(Composed { terms, operations, .. })) if !self.is_stored(plan, node) => {
                let read =
                    self.program.operands(node).fold(*operations, |sum, of| sum.saturating_add(lengths[of.index()]));
                // At least one, so that chains of rearrangements have an end.
                read.saturating_mul(*terms).saturating_add(1)
            }
            _ => known.stored.operations() as u64,
        }
    }

    /// The entry of a block of rows: rows count from the first word of a table behind the others.
    pub(super) fn counted_from_row(&self, node: Node, lazy: &Lazy) -> Result<Arc<Expression>, SemiringError> {
        let shift = Arc::clone(&self.nodes[node.index()].shift);
        shift(std::slice::from_ref(&lazy.entry))
    }
}

/// An entry whose rows count from the first word of the table behind its own.
pub(super) fn shifted<T: manycore_expressions::Elements>(
    operands: &[Arc<Expression>],
) -> Result<Arc<Expression>, SemiringError> {
    let a = operand::<T>(operands, 0)?;
    let number = a.program().tables().len() as u16;
    let entry = Function::<(u64, u64), T>::new(|(x, y): (Value<u64>, Value<u64>)| {
        a.of((x, y + Value::<u64>::from(0u64).read::<u64>(number)))
    })?;
    Ok(entry.shared())
}
