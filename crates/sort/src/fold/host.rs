//! Sums and prefix sums on the host: shares of threads, and within them blocks whose prefix sums double their reach step by step
//! (Hillis and Steele, Data parallel algorithms, 1986), so that each step is one evaluation over a slice.

use std::sync::{Mutex, PoisonError};

use manycore_device::{DeviceError, HostPool};
use manycore_expressions::{Buffers, Column, ColumnMut, Columns, Elements, ExpressionError, Input};

use super::{Fold, Scan};
use crate::error::SortError;

/// Elements of a block.
const BLOCK: usize = 256;
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
        let failed = Mutex::new(None);
        pool.team().each(parts, |(at, start, mut part)| {
            let own: Vec<Column<'_>> = columns.iter().map(|column| column.part(at, at + share)).collect();
            if let Err(error) = self.scan_share(&own, &mut part, start, scan) {
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
        let mut sums = vec![Ok(self.identity); len.div_ceil(share)];
        pool.team().each(sums.iter_mut().enumerate(), |(place, sum)| {
            let (begin, end) = (place * share, len.min((place + 1) * share));
            let own: Vec<Column<'_>> = columns.iter().map(|column| column.part(begin, end)).collect();
            *sum = self.sum_of(&own, end - begin);
        });
        sums.into_iter().collect::<Result<_, _>>().map_err(SortError::from)
    }

    /// The sum of a share: of blocks side by side where elements may change places, else of one block after the other.
    fn sum_of(&self, columns: &[Column<'_>], len: usize) -> Result<T, ExpressionError> {
        let program = self.sum.program();
        let mut sum = self.identity;
        if program.is_exact_sum() {
            let mut sums = [Columns::filled(self.identity, BLOCK), Columns::filled(self.identity, BLOCK)];
            for begin in (0..len).step_by(BLOCK) {
                let own = BLOCK.min(len - begin);
                let [from, to] = &mut sums;
                let left = from.columns().into_iter().map(|column| Input::Column(column.part(0, own)));
                let right = columns.iter().map(|column| Input::Column(column.part(begin, begin + own)));
                let inputs: Vec<Input<'_>> = left.chain(right).collect();
                let mut outputs = to.columns_mut();
                let mut outputs: Vec<_> = outputs.iter_mut().map(|output| output.part_mut(0, own)).collect();
                program.evaluate(&inputs, &[], &mut outputs)?;
                if own < BLOCK {
                    // The others stay as they are.
                    drop(outputs);
                    for at in own..BLOCK {
                        if let Some(element) = from.get(at) {
                            to.set(at, element);
                        }
                    }
                }
                sums.swap(0, 1);
            }
            return Ok(sums[0].elements().into_iter().fold(sum, |sum, next| self.sum.call((sum, next))));
        }
        let mut blocks = [Columns::filled(self.identity, BLOCK), Columns::filled(self.identity, BLOCK)];
        for begin in (0..len).step_by(BLOCK) {
            let own = BLOCK.min(len - begin);
            let block: Vec<Column<'_>> = columns.iter().map(|column| column.part(begin, begin + own)).collect();
            self.scan_block(&block, &mut blocks, own)?;
            if let Some(last) = blocks[0].get(own - 1) {
                sum = self.sum.call((sum, last));
            }
        }
        Ok(sum)
    }

    /// The prefix sums of a share, `start` before them all.
    fn scan_share(
        &self,
        columns: &[Column<'_>],
        outputs: &mut [ColumnMut<'_>],
        start: T,
        scan: Scan,
    ) -> Result<(), ExpressionError> {
        let len = outputs.first().map_or(0, ColumnMut::len);
        let mut blocks = [Columns::filled(self.identity, BLOCK), Columns::filled(self.identity, BLOCK)];
        let mut before = start;
        for begin in (0..len).step_by(BLOCK) {
            let own = BLOCK.min(len - begin);
            let block: Vec<Column<'_>> = columns.iter().map(|column| column.part(begin, begin + own)).collect();
            self.scan_block(&block, &mut blocks, own)?;
            let mut bits = Vec::new();
            before.put_bits(&mut bits);
            // An exclusive scan has the sums one place on, and what is before at its first place.
            let (shown, skipped) = match scan {
                Scan::Inclusive => (own, 0),
                Scan::Exclusive => (own - 1, 1),
            };
            let of_sums = blocks[0].columns();
            let sums = of_sums.iter().map(|column| Input::Column(column.part(0, shown)));
            let inputs: Vec<Input<'_>> = bits.iter().map(|&bits| Input::Same(bits)).chain(sums).collect();
            let mut parts: Vec<ColumnMut<'_>> =
                outputs.iter_mut().map(|output| output.part_mut(begin + skipped, begin + own)).collect();
            self.sum.program().evaluate(&inputs, &[], &mut parts)?;
            if skipped == 1 {
                for (output, bits) in outputs.iter_mut().zip(bits) {
                    output.part_mut(begin, begin + 1).fill(bits);
                }
            }
            if let Some(last) = blocks[0].get(own - 1) {
                before = self.sum.call((before, last));
            }
        }
        Ok(())
    }

    /// The inclusive prefix sums of a block, into the first of both.
    fn scan_block(
        &self,
        columns: &[Column<'_>],
        blocks: &mut [Columns<T>; 2],
        len: usize,
    ) -> Result<(), ExpressionError> {
        for (mut output, &column) in blocks[0].columns_mut().into_iter().zip(columns) {
            output.part_mut(0, len).copy_from(column);
        }
        let mut reach = 1;
        while reach < len {
            let [from, to] = blocks;
            let of_from = from.columns();
            let left = of_from.iter().map(|column| Input::Column(column.part(0, len - reach)));
            let right = of_from.iter().map(|column| Input::Column(column.part(reach, len)));
            let inputs: Vec<Input<'_>> = left.chain(right).collect();
            let mut of_to = to.columns_mut();
            let mut outputs: Vec<_> = of_to.iter_mut().map(|output| output.part_mut(reach, len)).collect();
            self.sum.program().evaluate(&inputs, &[], &mut outputs)?;
            drop(outputs);
            for (output, column) in of_to.iter_mut().zip(&of_from) {
                output.part_mut(0, reach).copy_from(column.part(0, reach));
            }
            blocks.swap(0, 1);
            reach *= 2;
        }
        Ok(())
    }
}

fn share(pool: &HostPool, len: usize) -> usize {
    len.div_ceil(pool.threads()).max(SHARE)
}

fn columns<T: Elements>(elements: &Buffers<T>) -> Result<Vec<Column<'_>>, DeviceError> {
    elements.memory().iter().map(|memory| memory.words().host()).collect()
}
