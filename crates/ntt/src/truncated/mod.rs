//! Truncated transforms: number-theoretic transforms of any length, whose cost follows the length and not the next power of
//! two (van der Hoeven, "The truncated Fourier transform and applications", ISSAC 2004).
//!
//! Let `n` be the least power of two that is `len` or more, and `w` of order `n`. The truncated transform of `len`
//! coefficients is the first `len` values, in bit-reversed order, of the cyclic transform of the coefficients and `n - len`
//! zeros. These values determine the coefficients, so that pointwise products of spectra give every product of polynomials
//! that has at most `len` coefficients.
//!
//! The values are leaves of the tree of remainders, whose root is modulo `x^n - 1`. The binary digits of `len` cut the first
//! `len` leaves into blocks, one for each digit that is 1, each a whole subtree: a cyclic transform of its own, after its
//! values are multiplied by powers of a root. For `len = 11 = 8 + 2 + 1` of `n = 16`, with
//! `i^2 = -1`, `j^2 = i`, `k^2 = -j`:
//!
//! ```text
//! x^16 - 1 --+-- x^8 - 1   block of 8                leaves 0 to 7
//!            +-- x^8 + 1 --+-- x^4 - i --+-- x^2 - j   block of 2            leaves 8, 9
//!                          |             +-- x^2 + j --+-- x - k   block of 1   leaf 10
//!                          |                           +-- x + k
//!                          +-- x^4 + i
//! ```
//!
//! Forward, one walk down the path halves a remainder at each node: `2 n` products beside those of the blocks.
//!
//! Back, the blocks' remainders `u_1, u_2, ...`, `u_i` modulo `x^(B_i) - c_i`, are interpolated in Newton's form:
//!
//! ```text
//! f = h_1 + (x^(B_1) - c_1) (h_2 + (x^(B_2) - c_2) (h_3 + ...)),     deg h_i < B_i
//! ```
//!
//! The walk down the same path keeps what is known of `f` modulo the node. At block `i` the product of the factors before
//! `h_i` is a scalar `d` modulo the node, so that `h_i` is `(u_i - what is known) / d`. The sum is then multiplied out from
//! its end, where each factor is one subtraction for each value behind it, so that this way takes `O(n)` operations beside
//! the blocks' as well.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition, quadratic: specification and oracle |
//! | `path` | the path down the tree and its constants |
//! | `transform` | transforms as values |
//! | `host` | its steps over threads |
//! | `device` | its steps on OpenCL devices |

mod device;
mod host;
mod path;
pub mod reference;
mod transform;

use manycore_device::{Buffer, Executor, HostPool, Word};

use crate::{NttError, NttField};
use path::{Block, Rows, Step};
pub use transform::TruncatedNtt;

/// The truncated spectra of one or more arrays, on a device.
#[derive(Debug)]
pub struct TruncatedSpectrum<W: Word> {
    blocks: Vec<Buffer<W>>,
    count: usize,
}

impl<W: Word> TruncatedSpectrum<W> {
    /// The blocks, the longest first: their lengths are the powers of two in the transform's length. A buffer holds its block
    /// of every array, one array after another. Pointwise work need not know more.
    pub fn blocks(&self) -> &[Buffer<W>] {
        &self.blocks
    }

    /// The blocks to change.
    pub fn blocks_mut(&mut self) -> &mut [Buffer<W>] {
        &mut self.blocks
    }

    /// The number of arrays.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A copy on the host: the values of each array in the order of the definition, one array after another.
    ///
    /// # Errors
    /// [`NttError::Device`] when the device failed.
    #[inline(never)]
    pub fn download(&self) -> Result<Vec<W>, NttError> {
        let blocks = self.blocks.iter().map(Buffer::download).collect::<Result<Vec<_>, _>>()?;
        let mut values = Vec::with_capacity(blocks.iter().map(Vec::len).sum());
        for array in 0..self.count {
            for block in &blocks {
                let len = block.len() / self.count;
                values.extend_from_slice(&block[array * len..(array + 1) * len]);
            }
        }
        Ok(values)
    }
}

impl<F: NttField> TruncatedNtt<F> {
    /// The truncated spectra of every run of `len` residues of `x`, which must be below `p`.
    ///
    /// Takes `B log2(B) / 2` butterflies for each block of `B` values and about `2 n` products beside them; besides the
    /// spectrum, memory for `n` values, `n` the power of two below `len`.
    ///
    /// # Errors
    /// [`NttError::Batch`] for a length; [`NttError::NoChoice`] where no way fits the device; [`NttError::Device`].
    #[inline(never)]
    pub fn forward(&self, x: &Buffer<F::Element>) -> Result<TruncatedSpectrum<F::Element>, NttError> {
        self.device().same_as(x.device())?;
        if !x.len().is_multiple_of(self.len) {
            return Err(NttError::Batch { buffer_len: x.len(), len: self.len });
        }
        self.down(x, x.len() / self.len)
    }

    /// The coefficients, one array after another, of truncated spectra: the inverse of [`TruncatedNtt::forward`].
    ///
    /// Takes the blocks' butterflies and about `3 n` products.
    ///
    /// # Errors
    /// [`NttError::Blocks`] for spectra of another length; else as [`TruncatedNtt::forward`].
    #[inline(never)]
    pub fn inverse(&self, spectrum: TruncatedSpectrum<F::Element>) -> Result<Buffer<F::Element>, NttError> {
        for block in &spectrum.blocks {
            self.device().same_as(block.device())?;
        }
        let lens = self.steps.iter().filter(|step| step.block.is_some()).map(|step| spectrum.count << step.log_len);
        if !lens.eq(spectrum.blocks.iter().map(Buffer::len)) {
            let blocks = spectrum.blocks.iter().map(Buffer::len).collect();
            return Err(NttError::Blocks { blocks, count: spectrum.count, len: self.len });
        }
        self.up(spectrum)
    }

    fn down(&self, x: &Buffer<F::Element>, count: usize) -> Result<TruncatedSpectrum<F::Element>, NttError> {
        let mut blocks = Vec::with_capacity(self.steps.len());
        let mut rest: Option<Buffer<F::Element>> = None;
        for (i, step) in self.steps.iter().enumerate() {
            let from = match &rest {
                Some(rest) => Rows { values: rest, row: 2 << step.log_len },
                None => Rows { values: x, row: self.len },
            };
            let mut next = self.next(i, count)?;
            if let Some(block) = &step.block {
                let mut values = self.device().scratch(count << step.log_len)?;
                self.split((step, block), &from, &mut values, &mut next)?;
                block.ntt.forward(&mut values)?;
                blocks.push(values);
            } else {
                self.fold(step, &from, &mut next)?;
            }
            rest = Some(next);
        }
        Ok(TruncatedSpectrum { blocks, count })
    }

    fn up(&self, spectrum: TruncatedSpectrum<F::Element>) -> Result<Buffer<F::Element>, NttError> {
        let count = spectrum.count;
        let mut x = self.device().scratch(count * self.len)?;
        // Nothing is known of the coefficients: the first node is 0.
        let mut rest = self.device().scratch(0)?;
        let mut blocks = spectrum.blocks.into_iter();
        for (i, step) in self.steps.iter().enumerate() {
            let from = Rows { values: &rest, row: if i == 0 { 0 } else { 2 << step.log_len } };
            let mut next = self.next(i, count)?;
            match (&step.block, step.block.as_ref().and_then(|_| blocks.next())) {
                (Some(block), Some(mut values)) => {
                    block.ntt.inverse(&mut values)?;
                    self.join((step, block), &values, &from, &mut x, &mut next)?;
                }
                _ => self.fold(step, &from, &mut next)?,
            }
            rest = next;
        }
        for step in self.steps.iter().rev() {
            if let Some(block) = step.block.as_ref().filter(|block| block.tail > 0) {
                self.unfold((step, block), &mut x)?;
            }
        }
        Ok(x)
    }

    /// The values with which the path goes on after step `i`; none after the last one, which keeps nothing.
    fn next(&self, i: usize, count: usize) -> Result<Buffer<F::Element>, NttError> {
        let len = if i + 1 < self.steps.len() { count << self.steps[i].log_len } else { 0 };
        Ok(self.device().scratch(len)?)
    }

    fn threads<'a>(&'a self, pool: &'a HostPool) -> host::Threads<'a> {
        host::Threads { pool, machine: self.planner.machine() }
    }

    /// A node's left half, twisted to a block, and its right half.
    fn split(
        &self,
        at: (&Step<F>, &Block<F>),
        from: &Rows<'_, F::Element>,
        to: &mut Buffer<F::Element>,
        rest: &mut Buffer<F::Element>,
    ) -> Result<(), NttError> {
        match self.device().executor() {
            Executor::Host(pool) => host::split(&self.field, &self.threads(pool), at, from, to, rest)?,
            Executor::OpenCl(cl) => device::split(self, cl, at, from, to, rest)?,
        }
        Ok(())
    }

    /// A node's left half.
    fn fold(&self, step: &Step<F>, from: &Rows<'_, F::Element>, rest: &mut Buffer<F::Element>) -> Result<(), NttError> {
        match self.device().executor() {
            Executor::Host(pool) => host::fold(&self.field, &self.threads(pool), step, from, rest)?,
            Executor::OpenCl(cl) => device::fold(self, cl, step, from, rest)?,
        }
        Ok(())
    }

    /// What a block adds in Newton's form, and the right half of what is known then.
    fn join(
        &self,
        at: (&Step<F>, &Block<F>),
        values: &Buffer<F::Element>,
        from: &Rows<'_, F::Element>,
        to: &mut Buffer<F::Element>,
        rest: &mut Buffer<F::Element>,
    ) -> Result<(), NttError> {
        match self.device().executor() {
            Executor::Host(pool) => {
                host::join(&self.field, &self.threads(pool), at, values, from, (to, self.len), rest)?;
            }
            Executor::OpenCl(cl) => device::join(self, cl, at, values, from, to, rest)?,
        }
        Ok(())
    }

    /// A factor of Newton's form multiplied out.
    fn unfold(&self, at: (&Step<F>, &Block<F>), to: &mut Buffer<F::Element>) -> Result<(), NttError> {
        match self.device().executor() {
            Executor::Host(pool) => host::unfold(&self.field, &self.threads(pool), at, (to, self.len))?,
            Executor::OpenCl(cl) => device::unfold(self, cl, at, to)?,
        }
        Ok(())
    }
}
