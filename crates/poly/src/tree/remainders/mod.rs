//! Values at the points of a subproduct tree by remainders from the root down, with a subinverse tree (paper 002, algorithms
//! 26, 28 to 31, corrected): the thesis's way, beside the transposed descent of `evaluate`.
//!
//! | file | what |
//! |---|---|
//! | `inverses` | the power series inverses of all reversed nodes below the root |
//! | `descent` | remainders, and values at the lowest nodes |
//! | `rows`, `host`, `device` | words of rows that products do not make |

mod descent;
mod device;
mod host;
mod inverses;
mod rows;

use manycore_device::{Buffer, Executor};

pub use inverses::SubinverseTree;
use rows::Rows;

use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// Rows of `2^log_words` words into `out`, which has `count` words of them; for remainders twice as many.
    fn rows(
        &self,
        rows: Rows,
        operands: [&Buffer<F::Element>; 3],
        log_words: u32,
        out: &mut Buffer<F::Element>,
    ) -> Result<(), PolyError> {
        match self.device().executor() {
            Executor::Host(pool) => host::rows(self.field(), pool, rows, operands, log_words, out),
            Executor::OpenCl(cl) => device::rows(self, cl, rows, operands, log_words, out),
        }
    }

    /// The rows in new memory of `len` words.
    fn new_rows(
        &self,
        rows: Rows,
        operands: [&Buffer<F::Element>; 3],
        log_words: u32,
        len: usize,
    ) -> Result<Buffer<F::Element>, PolyError> {
        let mut out = self.device().scratch(len)?;
        self.rows(rows, operands, log_words, &mut out)?;
        Ok(out)
    }
}
