//! Gauss-Jordan elimination: one text of the algorithm, whose steps have a form on the host and one on OpenCL devices
//! (Golub and Van Loan, Matrix Computations, section 3.2; blocked as in paper 002, section 7.7 of its corrected form).
//!
//! | file | what |
//! |---|---|
//! | `reference` | the reduced echelon form by its definition |
//! | `steps` | elimination column by column, by steps of either form |
//! | `host`, `device` | the steps: find the pivot of a column, exchange and divide its row, take it from the others |
//! | `four`, `head` | four columns at once on the host, with one inverse of a residue |
//! | `blocked` | some columns at once, the rest of the matrix by products |
//! | `echelon` | echelon forms, ranks, determinants |
//! | `solve` | solutions, nullspaces, and inverses beside the identity |
//! | `spaces` | bases of rows, columns and left nullspaces, rank profiles |
//! | `plan` | plans of an elimination, and its shape |
//! | `cost` | the cost of each plan |
//! | `choice` | the choice of a plan |

mod blocked;
mod choice;
mod cost;
mod device;
mod echelon;
mod four;
mod head;
mod host;
pub(crate) mod plan;
pub mod reference;
mod solve;
mod spaces;
pub(crate) mod steps;

use manycore_device::{Buffer, Executor};

use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use steps::{Eliminated, Extent, by_columns};

pub(crate) use cost::PANELS;
pub use echelon::Echelon;
pub use plan::{Elimination, EliminationShape, Reach};
pub use solve::Solution;

impl<F: MatrixField> LinearAlgebra<F> {
    /// Brings the rows of a buffer into echelon form.
    pub(crate) fn eliminate(
        &self,
        buffer: &mut Buffer<F::Element>,
        extent: Extent,
        reach: Reach,
        how: Elimination,
    ) -> Result<Eliminated<F::Element>, LinalgError> {
        if extent.limit() == 0 {
            return Ok(Eliminated::none());
        }
        match how {
            Elimination::Blocks(panel) if panel > 0 => {
                return blocked::eliminate(self, buffer, extent, reach, panel);
            }
            Elimination::NearMemory => {
                if let Executor::OpenCl(cl) = self.device().executor()
                    && let Some(found) = device::local(self, cl, buffer, extent, reach)?
                {
                    return Ok(found);
                }
            }
            Elimination::Columns | Elimination::Blocks(_) => {}
        }
        match self.device().executor() {
            Executor::Host(pool) => {
                let words = buffer.host_mut()?;
                let operations = (extent.limit() * extent.rows * extent.width) as u64;
                pool.step("eliminate", size_of_val(words) as u64, operations, || {
                    let steps = host::HostSteps::new(self.field(), pool, words, extent);
                    if how == Elimination::NearMemory {
                        four::eliminate(steps, reach)
                    } else {
                        by_columns(steps, extent.search, reach)
                    }
                })
            }
            Executor::OpenCl(cl) => {
                by_columns(device::DeviceSteps::new(self, cl, buffer, extent)?, extent.search, reach)
            }
        }
    }
}
