//! Products modulo `x^len - 1` or `x^len + 1` on the host, without spectra in between.

use manycore_device::{Buffer, Executor};

use super::{Ntt, NttError, NttField, host};

/// Rows of a buffer that are multiplied: see [`Ntt::multiply_rows`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// Left factors, which stand first.
    pub left: usize,
    /// Left factors in a row that have the same right factor; 0 for squares, which have none.
    pub shared: usize,
    /// Whether all left factors have zeros in their upper halves, which then are not read.
    pub left_half: bool,
    /// Whether all right ones do.
    pub right_half: bool,
    /// The products are multiplied by 2 to this power: for factors that were divided by some on their way.
    pub shift: u32,
}

impl<F: NttField> Ntt<F> {
    /// Products on the host: every run of `len` residues among the first `left` of `rows` becomes its product, modulo
    /// `x^len - 1` or for negacyclic transforms `x^len + 1`, by a run of those behind them. Tells whether it did: not on
    /// OpenCL devices, where a product of spectra is a kernel of its own.
    ///
    /// The residues must be below `p`; those of the products are, and what is left of the right factors has no meaning.
    /// Takes as many butterflies as the transforms there and back, with fewer passes over the memory.
    ///
    /// # Errors
    /// [`NttError::Batch`] where `x` does not hold these rows; [`NttError::Device`] for a buffer on another device.
    #[inline(never)]
    pub fn multiply_rows(&self, x: &mut Buffer<F::Element>, rows: &Rows) -> Result<bool, NttError> {
        self.device().same_as(x.device())?;
        let right = rows.left.checked_div(rows.shared).map_or(0, |_| rows.left.div_ceil(rows.shared));
        if rows.left.checked_add(right).and_then(|rows| rows.checked_mul(self.len())) != Some(x.len()) {
            return Err(NttError::Batch { buffer_len: x.len(), len: self.len() });
        }
        let Executor::Host(pool) = self.device().executor() else { return Ok(false) };
        if rows.left == 0 {
            return Ok(true);
        }
        let (left, right) = x.host_mut()?.split_at_mut(rows.left << self.log_len);
        if self.log_len == 0 {
            let scale = self.field.power(self.field.natural(2), rows.shift.into());
            for (i, x) in left.iter_mut().enumerate() {
                let y = i.checked_div(rows.shared).map_or(*x, |i| right[i]);
                *x = self.field.mul(self.field.mul(*x, y), scale);
            }
            return Ok(true);
        }
        let values = left.len() + right.len();
        let (bytes, arrays) = (2 * size_of::<F::Element>() as u64 * values as u64, self.arrays(values + left.len())?);
        let alone = arrays.suit_one_processor(self.field.order(), self.planner.machine());
        let team = pool.team().only_if(!alone);
        let operations = 3 * arrays.butterflies() + 2 * left.len() as u64;
        pool.step("ntt_products", bytes, operations, || {
            host::convolve(self, self.host_tables(), (left, right), rows, team);
        });
        Ok(true)
    }
}
