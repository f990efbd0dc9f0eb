//! Gauss-Jordan elimination: one text of the algorithm, whose steps have a form on the host and one on OpenCL devices
//! (Golub and Van Loan, Matrix Computations, section 3.2; blocked as in paper 002, section 7.7 of its corrected form).
//!
//! | file | what |
//! |---|---|
//! | `reference` | the reduced echelon form by its definition |
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
mod plan;
pub mod reference;
mod solve;
mod spaces;

use manycore_device::{Buffer, Executor, checkpoint};

use crate::algebra::LinearAlgebra;
use crate::error::LinalgError;
use crate::field::MatrixField;

pub(crate) use choice::EliminationChoices;
pub(crate) use cost::PANELS;
pub use echelon::Echelon;
pub use plan::{Elimination, EliminationShape, Reach};
pub use solve::Solution;

/// Which rows and columns of a buffer are eliminated: `rows` rows of `width` words, pivots in the first `search` columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) rows: usize,
    pub(crate) width: usize,
    pub(crate) search: usize,
}

impl Extent {
    /// The most pivots that there can be.
    fn limit(self) -> usize {
        self.rows.min(self.search)
    }

    /// What is asked for.
    pub(crate) fn to(self, reach: Reach) -> EliminationShape {
        EliminationShape { rows: self.rows, columns: self.width, search: self.search, reach }
    }
}

/// What was found during elimination.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Eliminated<E> {
    /// The column of each pivot, ascending; the pivot of number k stands in row k.
    pub(crate) columns: Vec<u32>,
    /// For each pivot the row that it was exchanged with.
    pub(crate) swaps: Vec<u32>,
    /// Each pivot, before its row was divided by it; of a regular block its determinant, and ones.
    pub(crate) values: Vec<E>,
}

impl<E: Copy> Eliminated<E> {
    fn none() -> Self {
        Self { columns: Vec::new(), swaps: Vec::new(), values: Vec::new() }
    }

    pub(crate) fn rank(&self) -> usize {
        self.columns.len()
    }

    /// The determinant of a square matrix that has a pivot in each row.
    pub(crate) fn determinant<F: MatrixField<Element = E>>(&self, field: &F) -> E {
        let product = field.product(&self.values);
        let exchanges = (0u32..).zip(&self.swaps).filter(|&(k, &row)| k != row).count();
        if exchanges % 2 == 1 { field.neg(product) } else { product }
    }
}

/// Whether steps can find more pivots.
enum Progress {
    More,
    /// Each row has one: known at once on the host, and never before the end on a device.
    Over,
}

/// The steps of elimination of one column after the other.
trait Steps<E> {
    /// Finds the first row without a pivot whose entry in the column is not 0.
    fn pivot(&mut self, column: usize) -> Result<Progress, LinalgError>;

    /// Exchanges it with the first row without a pivot, and divides it by the pivot.
    fn exchange(&mut self, column: usize) -> Result<(), LinalgError>;

    /// Takes it from other rows, so that their entries in the column become 0.
    fn update(&mut self, column: usize, reach: Reach) -> Result<(), LinalgError>;

    /// What was found.
    fn finish(self) -> Result<Eliminated<E>, LinalgError>;
}

/// Elimination column by column.
fn by_columns<E: Copy>(mut steps: impl Steps<E>, search: usize, reach: Reach) -> Result<Eliminated<E>, LinalgError> {
    for column in 0..search {
        checkpoint()?;
        if let Progress::Over = steps.pivot(column)? {
            break;
        }
        steps.exchange(column)?;
        steps.update(column, reach)?;
    }
    steps.finish()
}

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
            Elimination::Local => {
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
                    if how == Elimination::Local {
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
