//! Sums and prefix sums on the host: shares of threads. A sum that is one exact operation runs through the words; any other one is
//! evaluated over tiles of lanes, each a run of elements, side by side (Hillis and Steele, Data parallel algorithms, 1986, over the
//! lanes' sums).

use std::sync::{Mutex, PoisonError};

use manycore_device::{DeviceError, HostPool};
use manycore_expressions::{Buffers, Column, ColumnMut, Columns, Elements, Evaluator, ExpressionError, Input, Running};

use super::{Fold, Scan};
use crate::error::SortError;

/// Lanes of a tile, which an operation sums up at once.
const LANES: usize = 256;
/// Elements of a lane, at most.
const DEPTH: usize = 32;
/// Elements of a thread's share, at least.
const SHARE: usize = 1 << 14;

impl<T: Elements> Fold<T> {
    pub(super) fn reduce_host(&self, pool: &HostPool, elements: &Buffers<T>) -> Result<T, SortError> {
        let columns = columns(elements)?;
        let sums = self.sums_of_shares(pool, &columns, elements.len())?;
        Ok(sums.into_iter().fold(self.identity, |sum, next| self.sum.call((sum, next))))
    }

    pub(super) fn scan_host(
        &self,
        pool: &HostPool,
        elements: &Buffers<T>,
        scan: Scan,
    ) -> Result<Buffers<T>, SortError> {
        let (columns, len) = (columns(elements)?, elements.len());
        let share = share(pool, len);
        let mut before = self.identity;
        let mut starts = Vec::new();
        for sum in if len > share { self.sums_of_shares(pool, &columns, len)? } else { vec![self.identity] } {
            starts.push(before);
            before = self.sum.call((before, sum));
        }
        let mut made = Buffers::<T>::scratch(&self.device, len)?;
        let outputs = made.memory_mut().iter_mut().map(|memory| memory.words_mut().into_host());
        let mut outputs: Vec<ColumnMut<'_>> = outputs.collect::<Result<_, DeviceError>>()?;
        let mut parts = Vec::new();
        for (place, start) in starts.into_iter().enumerate() {
            let own = share.min(len - place * share);
            let (part, rest): (Vec<_>, Vec<_>) = outputs.into_iter().map(|output| output.split_at(own)).unzip();
            outputs = rest;
            parts.push((place * share, start, part));
        }
        let running = self.sum.program().running();
        let failed = Mutex::new(None);
        pool.team().each(parts, |(at, start, mut part)| {
            let own: Vec<Column<'_>> = columns.iter().map(|column| column.part(at, at + share)).collect();
            if let Some(running) = &running {
                running.sums(&mut bits(start), &own, &mut part, scan == Scan::Exclusive);
            } else if let Err(error) = Tiles::new(self).scan(&own, &mut part, start, scan) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        });
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error.into()),
            None => Ok(made),
        }
    }

    /// The sum of each share.
    fn sums_of_shares(&self, pool: &HostPool, columns: &[Column<'_>], len: usize) -> Result<Vec<T>, SortError> {
        let share = share(pool, len);
        let running = self.sum.program().running();
        let mut sums = vec![Ok(self.identity); len.div_ceil(share)];
        pool.team().each(sums.iter_mut().enumerate(), |(place, sum)| {
            let (begin, end) = (place * share, len.min((place + 1) * share));
            let own: Vec<Column<'_>> = columns.iter().map(|column| column.part(begin, end)).collect();
            *sum = match &running {
                Some(running) => Ok(self.total(running, &own)),
                None => Tiles::new(self).sum(&own, end - begin),
            };
        });
        sums.into_iter().collect::<Result<_, _>>().map_err(SortError::from)
    }

    fn total(&self, running: &Running, columns: &[Column<'_>]) -> T {
        let mut before = bits(self.identity);
        running.total(&mut before, columns);
        T::take_bits(&mut before.into_iter())
    }
}

/// Tiles of elements: rows of as many as there are lanes, of which each lane has its next one.
struct Tiles<'f, T> {
    fold: &'f Fold<T>,
    sum: Evaluator<'f>,
    /// The elements, row after row.
    rows: Columns<T>,
    /// The sums of each lane up to each row.
    sums: Columns<T>,
    /// The sums of all lanes before each one, and memory for the next ones.
    before: [Columns<T>; 2],
    /// What goes to the outputs, row after row.
    made: Columns<T>,
}

impl<'f, T: Elements> Tiles<'f, T> {
    fn new(fold: &'f Fold<T>) -> Self {
        let of = |len| Columns::filled(fold.identity, len);
        Self {
            fold,
            sum: fold.sum.program().evaluator(),
            rows: of(LANES * DEPTH),
            sums: of(LANES * DEPTH),
            before: [of(LANES), of(LANES)],
            made: of(LANES * DEPTH),
        }
    }

    /// The sum of a share.
    fn sum(&mut self, columns: &[Column<'_>], len: usize) -> Result<T, ExpressionError> {
        let mut before = self.fold.identity;
        for begin in (0..len).step_by(LANES * DEPTH) {
            let own = (LANES * DEPTH).min(len - begin);
            before = self.sums_of_lanes(columns, begin, own, before)?;
        }
        Ok(before)
    }

    /// The prefix sums of a share, `start` before them all.
    fn scan(
        &mut self,
        columns: &[Column<'_>],
        outputs: &mut [ColumnMut<'_>],
        start: T,
        scan: Scan,
    ) -> Result<(), ExpressionError> {
        let len = outputs.first().map_or(0, ColumnMut::len);
        let mut before = start;
        for begin in (0..len).step_by(LANES * DEPTH) {
            let own = (LANES * DEPTH).min(len - begin);
            before = self.sums_of_lanes(columns, begin, own, before)?;
            let (depth, of_sums) = (own.div_ceil(LANES), self.sums.columns());
            let of_before = self.before[0].columns();
            let mut of_made = self.made.columns_mut();
            for row in 0..depth {
                // Before the first element of a lane are the other lanes alone.
                let of = match scan {
                    Scan::Inclusive => Some(row),
                    Scan::Exclusive => row.checked_sub(1),
                };
                let mut outputs = row_mut(&mut of_made, row);
                match of {
                    Some(of) => {
                        let inputs: Vec<Input<'_>> =
                            of_before.iter().copied().map(Input::Column).chain(self::row(&of_sums, of)).collect();
                        self.sum.evaluate(&inputs, &[], &mut outputs)?;
                    }
                    None => outputs.iter_mut().zip(&of_before).for_each(|(output, before)| output.copy_from(*before)),
                }
            }
            for (output, made) in outputs.iter_mut().zip(self.made.columns()) {
                output.part_mut(begin, begin + own).transpose_from(made, (depth, LANES));
            }
        }
        Ok(())
    }

    /// Prefix sums of the lanes of a tile, each after all lanes before it; returns the sum of `before` and the whole tile.
    ///
    /// Places past the elements keep their values: the returned sum does not depend on them.
    fn sums_of_lanes(
        &mut self,
        columns: &[Column<'_>],
        begin: usize,
        own: usize,
        before: T,
    ) -> Result<T, ExpressionError> {
        let depth = own.div_ceil(LANES);
        for (mut row, column) in self.rows.columns_mut().into_iter().zip(columns) {
            row.transpose_from(column.part(begin, begin + own), (LANES, depth));
        }
        let of_rows = self.rows.columns();
        for (mut to, from) in self.sums.columns_mut().into_iter().zip(&of_rows) {
            to.part_mut(0, LANES).copy_from(from.part(0, LANES));
        }
        let mut of_sums = self.sums.columns_mut();
        for row in 1..depth {
            let (sums, mut outputs) = of_sums
                .iter_mut()
                .map(|column| {
                    let (done, rest) = column.reborrow().split_at(row * LANES);
                    (done.into_column().part((row - 1) * LANES, row * LANES), rest.split_at(LANES).0)
                })
                .unzip::<_, _, Vec<_>, Vec<_>>();
            let inputs: Vec<Input<'_>> = sums.into_iter().map(Input::Column).chain(self::row(&of_rows, row)).collect();
            self.sum.evaluate(&inputs, &[], &mut outputs)?;
        }
        drop(of_sums);
        let last = (own - 1) / depth;
        let at_last = self.sums.get((own - 1) % depth * LANES + last);
        self.sums_before_lanes(depth, before)?;
        let whole = self.before[0].get(last).zip(at_last).map(|pair| self.fold.sum.call(pair));
        Ok(whole.unwrap_or(before))
    }

    /// Prefix sums of the lanes' sums behind `before`, in steps that double their reach.
    fn sums_before_lanes(&mut self, depth: usize, before: T) -> Result<(), ExpressionError> {
        let last = (depth - 1) * LANES;
        for (mut to, from) in self.before[0].columns_mut().into_iter().zip(self.sums.columns()) {
            to.part_mut(1, LANES).copy_from(from.part(last, last + LANES - 1));
        }
        self.before[0].set(0, before);
        let mut reach = 1;
        while reach < LANES {
            let [from, to] = &mut self.before;
            let of_from = from.columns();
            let left = of_from.iter().map(|column| Input::Column(column.part(0, LANES - reach)));
            let right = of_from.iter().map(|column| Input::Column(column.part(reach, LANES)));
            let inputs: Vec<Input<'_>> = left.chain(right).collect();
            let mut of_to = to.columns_mut();
            let mut outputs: Vec<_> = of_to.iter_mut().map(|output| output.part_mut(reach, LANES)).collect();
            self.sum.evaluate(&inputs, &[], &mut outputs)?;
            drop(outputs);
            for (output, column) in of_to.iter_mut().zip(&of_from) {
                output.part_mut(0, reach).copy_from(column.part(0, reach));
            }
            self.before.swap(0, 1);
            reach *= 2;
        }
        Ok(())
    }
}

/// A row of each column.
fn row<'a>(columns: &'a [Column<'a>], row: usize) -> impl Iterator<Item = Input<'a>> {
    columns.iter().map(move |column| Input::Column(column.part(row * LANES, (row + 1) * LANES)))
}

fn row_mut<'a>(columns: &'a mut [ColumnMut<'_>], row: usize) -> Vec<ColumnMut<'a>> {
    columns.iter_mut().map(|column| column.part_mut(row * LANES, (row + 1) * LANES)).collect()
}

fn bits<T: Elements>(element: T) -> Vec<u64> {
    let mut bits = Vec::new();
    element.put_bits(&mut bits);
    bits
}

fn share(pool: &HostPool, len: usize) -> usize {
    len.div_ceil(pool.threads()).max(SHARE)
}

fn columns<T: Elements>(elements: &Buffers<T>) -> Result<Vec<Column<'_>>, DeviceError> {
    elements.memory().iter().map(|memory| memory.words().host()).collect()
}
