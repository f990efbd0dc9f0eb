//! Blocks of coefficients times powers of a polynomial: a product of matrices, of dot products that both executors have.

use crate::error::PolyError;
use crate::poly::Poly;
use crate::ring::{PolyField, PolyRing};

/// Coefficients of the powers that are multiplied at a time, which bounds the transposed copy.
const COLUMNS: usize = 1 << 13;
/// Coefficients of a power that are transposed at a time: a line or two of the cache.
const LINE: usize = 16;

impl<F: PolyField> PolyRing<F> {
    /// The powers `g^0, ..., g^(count - 1)`, each the product of two earlier ones, or a square.
    pub(super) fn powers_of(
        &self,
        g: &Poly<F>,
        count: usize,
        product: &impl Fn(&Poly<F>, &Poly<F>) -> Result<Poly<F>, PolyError>,
    ) -> Result<Vec<Poly<F>>, PolyError> {
        let mut powers = Vec::with_capacity(count);
        for k in 0..count {
            powers.push(match k {
                0 => self.one()?,
                1 => self.copy(g)?,
                k if k % 2 == 0 => product(&powers[k / 2], &powers[k / 2])?,
                k => product(&powers[k - 1], g)?,
            });
        }
        Ok(powers)
    }

    /// For each block of `2^log_block` coefficients of `f` the sum of its coefficients times `powers`, of which there are as many:
    /// the value of the block at the polynomial of which they are the powers.
    ///
    /// The powers go through the host once, transposed, and so do the sums.
    pub(super) fn values_of_blocks(
        &self,
        f: &Poly<F>,
        powers: &[Poly<F>],
        log_block: u32,
    ) -> Result<Vec<Poly<F>>, PolyError> {
        let (field, block) = (self.field(), 1usize << log_block);
        let rows = f.len().div_ceil(block);
        let mut table = self.coefficients(f)?;
        table.resize(rows << log_block, field.zero());
        let width = powers.iter().map(Poly::len).max().unwrap_or(0);
        let powers: Vec<_> = powers.iter().map(|power| self.coefficients(power)).collect::<Result<_, _>>()?;
        let mut values = vec![vec![field.zero(); width]; rows];
        for start in (0..width).step_by(COLUMNS) {
            let columns = COLUMNS.min(width - start);
            let mut transposed = vec![field.zero(); columns << log_block];
            for at in (0..columns).step_by(LINE) {
                for (j, power) in powers.iter().enumerate() {
                    let first = power.len().min(start + at);
                    let last = power.len().min(start + columns.min(at + LINE));
                    for (i, &c) in power[first..last].iter().enumerate() {
                        transposed[((at + i) << log_block) + j] = c;
                    }
                }
            }
            let len = transposed.len();
            let sums = self.project(&self.exact(self.device().upload(&transposed)?, len), &table, log_block, rows)?;
            for (column, sums) in sums.chunks(rows).enumerate() {
                values.iter_mut().zip(sums).for_each(|(value, &sum)| value[start + column] = sum);
            }
        }
        values.iter().map(|value| self.poly(value)).collect()
    }
}
