//! Results that are kept as lists of entries: functions of the entries of a matrix that is given as lists, computed where products
//! read them (paper 003, section IV-B: CSR and CSC by their functions `rowsize`, `col`, `val`).
//!
//! Such a result has the places of the lists that it is made of, and for the missing entries what the functions make of the
//! missing ones. A function of two matrices has the places of the one whose missing entries make the same of all entries of the
//! other, as far as was tried.

use std::sync::Arc;

use manycore_expressions::{Elements, Function, Laws, Program as Expression, Value};

use super::nodes::{Bound, ComposeLists, Computation, LeavesOut, Listed, Made, Part, Table, operand};
use crate::error::SemiringError;
use crate::plan::{Node, Plan, Representation, Shape, Sparsity};

type V64 = Value<u64>;

/// Index and entry by line and number.
pub(super) type Listing<T> = Function<(u64, u64), (u64, T)>;

/// Lists of a matrix that is given as lists: tables are columns and the first row, offsets, indices, and entries.
pub(super) fn given<T: Elements>() -> ComposeLists {
    Arc::new(|_, is_by_rows| {
        let read = |at: V64, table: u16| at.read::<u64>(table);
        // Rows of a block are counted from its first one on; columns are of matrices that are there whole.
        let place = move |line: V64| if is_by_rows { line - read(V64::from(1u64), 0) } else { line };
        let size = Function::<u64, u64>::new(|line: V64| {
            let line = place(line);
            read(line + 1, 1) - read(line, 1)
        })?;
        let entry = Listing::<T>::new(|(line, number): (V64, V64)| {
            let at = read(place(line), 1) + number;
            (read(at, 2), T::reads(at, &mut 3))
        })?;
        let (size, entry) = (size.shared(), entry.shared());
        Ok(Some(Listed { is_by_rows, size, entry, tables: Vec::new(), absent: Vec::new() }))
    })
}

fn listing<T: Elements>(listed: &Listed) -> Result<(Listing<T>, T), SemiringError> {
    let entry = Listing::<T>::typed(Arc::clone(&listed.entry));
    let entry = entry.ok_or(SemiringError::Expression(manycore_expressions::ExpressionError::Foreign))?;
    Ok((entry, T::take_bits(&mut listed.absent.iter().copied())))
}

/// A list's entries through a function of them, with its missing entries.
fn with<R: Elements>(listed: &Listed, entry: &Listing<R>, absent: R, more: &[Table]) -> Listed {
    let mut bits = Vec::new();
    absent.put_bits(&mut bits);
    let tables = listed.tables.iter().chain(more).copied().collect();
    Listed { entry: entry.shared(), tables, absent: bits, ..listed.clone() }
}

/// Column and row of an entry of a list.
fn place(is_by_rows: bool, line: V64, index: V64) -> (V64, V64) {
    if is_by_rows { (index, line) } else { (line, index) }
}

/// Of a function of each entry.
pub(super) fn map<A: Elements, R: Elements>(function: Function<A, R>) -> ComposeLists {
    Arc::new(move |parts, _| {
        let [Part { listed: Some(listed), .. }] = parts else { return Ok(None) };
        let (a, absent) = listing::<A>(listed)?;
        let entry = Listing::<R>::new(|at: (V64, V64)| {
            let (index, value) = a.of(at);
            (index, function.of(value))
        })?;
        Ok(Some(with(listed, &entry, function.call(absent), &[])))
    })
}

/// Of a function of each entry and of its column and row.
pub(super) fn map_at<A: Elements, R: Elements>(function: Function<((u64, u64), A), R>) -> ComposeLists {
    Arc::new(move |parts, is_by_rows| {
        let [Part { listed: Some(listed), .. }] = parts else { return Ok(None) };
        let (a, absent) = listing::<A>(listed)?;
        let Some(missing) = the_same(|at: (u64, u64)| function.call((at, absent))) else { return Ok(None) };
        let entry = Listing::<R>::new(|(line, number): (V64, V64)| {
            let (index, value) = a.of((line, number));
            (index, function.of((place(is_by_rows, line, index), value)))
        })?;
        Ok(Some(with(listed, &entry, missing, &[])))
    })
}

/// Of a function of the entries of two matrices at one place.
pub(super) fn zip<A: Elements, B: Elements, R: Elements>(function: Function<(A, B), R>) -> ComposeLists {
    Arc::new(move |parts, is_by_rows| {
        let [a, b] = parts else { return Ok(None) };
        if let Some(listed) = &a.listed {
            let (left, absent) = listing::<A>(listed)?;
            if let Some(missing) = the_same(|b: B| function.call((absent, b))) {
                let (right, first) = (operand::<B>(&[Arc::clone(&b.entry)], 0)?, listed.tables.len() as u16);
                let entry = Listing::<R>::new(|(line, number): (V64, V64)| {
                    let (index, value) = left.of((line, number));
                    let other = right.of_from(place(is_by_rows, line, index), first);
                    (index, function.of((value, other)))
                })?;
                return Ok(Some(with(listed, &entry, missing, &b.tables)));
            }
        }
        if let Some(listed) = &b.listed {
            let (right, absent) = listing::<B>(listed)?;
            if let Some(missing) = the_same(|a: A| function.call((a, absent))) {
                let (left, first) = (operand::<A>(&[Arc::clone(&a.entry)], 0)?, listed.tables.len() as u16);
                let entry = Listing::<R>::new(|(line, number): (V64, V64)| {
                    let (index, value) = right.of((line, number));
                    let other = left.of_from(place(is_by_rows, line, index), first);
                    (index, function.of((other, value)))
                })?;
                return Ok(Some(with(listed, &entry, missing, &a.tables)));
            }
        }
        Ok(None)
    })
}

/// Of the transpose.
pub(super) fn transpose() -> ComposeLists {
    Arc::new(|parts, is_by_rows| {
        let [Part { listed: Some(listed), .. }] = parts else { return Ok(None) };
        Ok(Some(Listed { is_by_rows, ..listed.clone() }))
    })
}

/// What a function is at all elements that are tried, where it is the same.
fn the_same<T: Elements, R: Elements>(function: impl Fn(T) -> R) -> Option<R> {
    let laws = Laws::<T>::new(&[]);
    let mut all = laws.samples().iter().map(|&sample| function(sample));
    let first = all.next()?;
    let bits = |element: R| {
        let mut bits = Vec::new();
        element.put_bits(&mut bits);
        bits
    };
    let of_first = bits(first);
    all.all(|other| bits(other) == of_first).then_some(first)
}

impl Computation {
    /// A node as lists of its rows or of its columns; `None` where it is stored with all entries, or has no such lists.
    pub(super) fn listed(&self, plan: &Plan, node: Node, is_by_rows: bool) -> Result<Option<Listed>, SemiringError> {
        let known = &self.nodes[node.index()];
        let Some(compose) = &known.lists else { return Ok(None) };
        match &known.bound {
            Bound::Given(Some(given)) => {
                let Some(absent) = given.absent() else { return Ok(None) };
                let words = (0..known.kinds.len()).map(|scalar| Table::Entry(node, is_by_rows, scalar));
                let tables = [Table::Place(node), Table::Offsets(node, is_by_rows), Table::Indices(node, is_by_rows)];
                let tables = tables.into_iter().chain(words).collect();
                Ok(compose(&[], is_by_rows)?.map(|listed| Listed { tables, absent, ..listed }))
            }
            Bound::Elements if plan.representation(node) != Representation::Stored => {
                let mut parts = Vec::new();
                for operand in self.program.operands(node) {
                    let listed = self.listed(plan, operand, is_by_rows != known.is_turned)?;
                    let lazy = self.entry(plan, operand)?;
                    parts.push(Part { listed, entry: lazy.entry, tables: lazy.tables });
                }
                compose(&parts, is_by_rows)
            }
            _ => Ok(None),
        }
    }

    /// Whether products of an operand that is given as lists read its missing entries, because they are not zero.
    ///
    /// # Errors
    /// [`SemiringError::Absent`] for lists that functions make, whose missing entries nothing reads.
    pub(super) fn reads_missing(
        &self,
        leaves_out: &LeavesOut,
        (operand, is_left): (Node, bool),
    ) -> Result<bool, SemiringError> {
        let (absent, is_made) = match self.nodes.get(operand.index()).map(|known| &known.bound) {
            Some(Bound::Given(Some(given))) => (given.absent(), false),
            Some(Bound::Factor(_, absent)) => (absent.clone(), true),
            _ => return Ok(false),
        };
        let Some(absent) = absent.as_deref() else { return Ok(false) };
        let left_out = if is_left { leaves_out(Some(absent), None) } else { leaves_out(None, Some(absent)) };
        match left_out {
            Err(error) if is_made => Err(error),
            left_out => Ok(left_out.is_err()),
        }
    }

    /// The operand of a product as lists, where the plan keeps it so, its lines are those that products read, and its missing
    /// entries may be left out; of a matrix that is given there is nothing to make.
    pub(super) fn listed_factor(
        &self,
        plan: &Plan,
        product: Node,
        (operand, is_left): (Node, bool),
    ) -> Result<Option<Listed>, SemiringError> {
        let wanted = if is_left { Representation::Rows } else { Representation::Columns };
        let known = &self.nodes[operand.index()];
        if !matches!(known.bound, Bound::Elements) || plan.representation(operand) != wanted {
            return Ok(None);
        }
        let Bound::Product(_, leaves_out) = &self.nodes[product.index()].bound else { return Ok(None) };
        let Some(listed) = self.listed(plan, operand, is_left)? else { return Ok(None) };
        let absent = Some(&listed.absent[..]);
        let left_out = if is_left { leaves_out(absent, None) } else { leaves_out(None, absent) };
        Ok(left_out.is_ok().then_some(listed))
    }

    /// The entries of a row or of a column of a matrix that is given as lists, on the average.
    pub(super) fn line_entries(&self, node: Node, is_by_rows: bool) -> Option<u64> {
        let Bound::Given(Some(given)) = &self.nodes.get(node.index())?.bound else { return None };
        given.absent()?;
        let Shape { rows, columns } = given.shape();
        Some(given.stored_entries()?.div_ceil(if is_by_rows { rows } else { columns }.max(1)))
    }

    /// The entries that products read of a factor: of lists that are given as many as a line has on the average, of lists by
    /// functions as many as the first line has.
    pub(super) fn sparsity(&self, leaves_out: &LeavesOut, a: Node, b: Node) -> Sparsity {
        let of = |(node, is_left): (Node, bool)| match &self.nodes.get(node.index())?.bound {
            Bound::Factor(made, _) => match &**made {
                Made::Lists(lists) => of_first_line(&lists.size),
                Made::AtResult(_) => None,
            },
            _ if self.reads_missing(leaves_out, (node, is_left)).is_ok_and(|reads| !reads) => {
                self.line_entries(node, is_left)
            }
            _ => None,
        };
        let entries = [(a, true), (b, false)].into_iter().filter_map(of).min();
        entries.map_or(Sparsity::Dense, Sparsity::Entries)
    }
}

/// The entries of the first line, of lists that functions make without a table.
pub(super) fn of_first_line(size: &Arc<Expression>) -> Option<u64> {
    let has_no_table = size.tables().is_empty();
    Function::<u64, u64>::typed(Arc::clone(size)).filter(|_| has_no_table).map(|size| size.call(0))
}
