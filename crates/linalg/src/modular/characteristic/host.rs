//! The reduction to Hessenberg form with the host's threads.

use manycore_device::HostPool;

use super::steps::Steps;
use crate::error::LinalgError;
use crate::field::{MatrixField, dot};

/// Entries of a step that are worth a second thread.
const LONG: usize = 1 << 14;
/// Entries that a thread takes at a time.
const TASK: usize = 1 << 12;

pub(super) struct HostSteps<'a, F: MatrixField> {
    field: &'a F,
    pool: &'a HostPool,
    words: &'a mut [F::Element],
    order: usize,
    source: Option<usize>,
}

impl<'a, F: MatrixField> HostSteps<'a, F> {
    /// `words` are a matrix of order above 0.
    pub(super) fn new(field: &'a F, pool: &'a HostPool, words: &'a mut [F::Element], order: usize) -> Self {
        Self { field, pool, words, order, source: None }
    }
}

impl<F: MatrixField> Steps for HostSteps<'_, F> {
    fn pivot(&mut self, k: usize) -> Result<(), LinalgError> {
        self.source = (k + 1..self.order).find(|row| self.words[row * self.order + k] != self.field.zero());
        Ok(())
    }

    fn exchange(&mut self, k: usize) -> Result<(), LinalgError> {
        let (order, target) = (self.order, k + 1);
        if let Some(source) = self.source.filter(|&source| source != target) {
            let (upper, lower) = self.words.split_at_mut(source * order);
            upper[target * order..(target + 1) * order].swap_with_slice(&mut lower[..order]);
            self.words.chunks_mut(order).for_each(|row| row.swap(target, source));
        }
        Ok(())
    }

    fn update(&mut self, k: usize) -> Result<(), LinalgError> {
        if self.source.is_none() {
            return Ok(());
        }
        let field = self.field;
        let (order, target) = (self.order, k + 1);
        let pivot_row = self.words[target * order..(target + 1) * order].to_vec();
        // It is not 0.
        let inverse = field.inverse(pivot_row[k]).unwrap_or(field.one());
        let mut multipliers = vec![field.zero(); order];
        for (i, multiplier) in multipliers.iter_mut().enumerate().skip(target + 1) {
            *multiplier = field.mul(self.words[i * order + k], inverse);
        }
        let band = (TASK / order).max(1);
        let bands = self.words.chunks_mut(band * order).enumerate();
        self.pool.team().only_if(order * (order - k) >= LONG).each(bands, |(number, rows)| {
            for (i, row) in rows.chunks_mut(order).enumerate() {
                let multiplier = multipliers[number * band + i];
                if multiplier != field.zero() {
                    field.sub_scaled_slice(&mut row[k..], multiplier, &pivot_row[k..]);
                }
                let sum = dot(field, &row[target + 1..], &multipliers[target + 1..]);
                row[target] = field.add(row[target], sum);
            }
        });
        Ok(())
    }
}
