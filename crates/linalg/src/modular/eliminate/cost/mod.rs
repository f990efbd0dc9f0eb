//! Counts of eliminations, and the candidates: operations and memory by the sources of the kernels and of the host's code. Where no pivot
//! has to be searched, as in all matrices but special ones.
//!
//! | file | what |
//! |---|---|
//! | `host` | column by column on the host, and four columns at once |
//! | `device` | column by column on OpenCL devices, and within local memory |
//! | `blocked` | some columns at once: an inverse, then products |

mod blocked;
mod device;
mod host;

use manycore_device::Executor;
use manycore_model::{DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_tuning::Costed;

use super::plan::{Elimination, EliminationShape, Reach};
use crate::field::{MatrixField, PIVOTS};
use crate::modular::algebra::LinearAlgebra;

/// Columns that are taken at once.
pub(crate) const PANELS: [usize; 6] = [16, 32, 64, 128, 256, 512];
/// One kernel's estimate.
fn one(kernel: Kernel, machine: &Machine) -> Result<Estimate, DoesNotFit> {
    let mut program = Program::new();
    program.queue(kernel)?;
    machine.estimate(&program)
}

impl EliminationShape {
    /// Rows that the pivot of number `k` is taken from.
    const fn changed(self, k: usize) -> usize {
        match self.reach {
            Reach::All => self.rows.saturating_sub(1),
            Reach::Below => self.rows.saturating_sub(k + 1),
        }
    }
}

/// Elimination over a field on a device.
#[derive(Debug)]
pub(super) struct Eliminations<'a, F: MatrixField> {
    pub(super) space: &'a LinearAlgebra<F>,
}

impl<F: MatrixField> Eliminations<'_, F> {
    const WORD_BYTES: u32 = size_of::<F::Element>() as u32;

    /// Bytes of the matrix.
    fn bytes(shape: EliminationShape) -> u64 {
        (shape.rows as u64).saturating_mul(shape.columns as u64).saturating_mul(u64::from(Self::WORD_BYTES))
    }
}

impl<F: MatrixField> Costed for Eliminations<'_, F> {
    type Size = EliminationShape;
    type Parameters = Elimination;

    fn name(&self) -> &'static str {
        "matrix-eliminate"
    }

    fn candidates(&self, shape: &EliminationShape, machine: &Machine) -> Vec<Elimination> {
        let limit = shape.limit();
        let local = match self.space.device().executor() {
            Executor::Host(_) => Self::bytes(*shape) <= machine.local_bytes,
            Executor::OpenCl(cl) => {
                super::device::most_entries::<F>(cl).is_ok_and(|most| shape.rows.saturating_mul(shape.columns) <= most)
            }
        };
        // A panel with more columns than pivots is the whole matrix.
        let blocks = PANELS.into_iter().filter(|&columns| columns / 2 < limit).map(Elimination::Blocks);
        let local = local.then_some(Elimination::NearMemory);
        local.into_iter().chain([Elimination::Columns]).chain(blocks).collect()
    }

    /// The launches of plans without products, which are programs of their own: see [`Costed::estimate`].
    fn program(&self, shape: &EliminationShape, how: &Elimination, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        match (self.space.device().executor(), how) {
            (_, Elimination::Blocks(columns)) if *columns > 0 => {
                let reason = "its products are programs of their own".to_owned();
                return Err(DoesNotFit::Parameter { reason });
            }
            (Executor::Host(_), Elimination::NearMemory) => {
                for k in (0..shape.limit()).step_by(PIVOTS) {
                    program.queue(self.host_four(*shape, k, machine))?;
                }
            }
            (Executor::Host(_), _) => {
                for k in 0..shape.limit() {
                    program.queue(self.host_column(*shape, k, machine))?;
                }
            }
            (Executor::OpenCl(cl), Elimination::NearMemory) => {
                program.queue(self.local(cl, *shape, machine).0)?;
            }
            (Executor::OpenCl(cl), _) => {
                for column in 0..shape.search {
                    for (kernel, _) in self.device_column(cl, *shape, column, machine) {
                        program.queue(kernel)?;
                    }
                }
            }
        }
        Ok(program)
    }

    fn estimate(&self, shape: &EliminationShape, how: &Elimination, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        match (self.space.device().executor(), *how) {
            (_, Elimination::Blocks(columns)) if columns > 0 => self.blocked(*shape, columns, machine),
            (Executor::Host(_), Elimination::NearMemory) => self.host_fours(*shape, machine),
            (Executor::Host(_), _) => self.host_columns(*shape, machine),
            (Executor::OpenCl(cl), Elimination::NearMemory) => self.local_estimate(cl, *shape, machine),
            (Executor::OpenCl(cl), _) => self.device_columns(cl, *shape, machine),
        }
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;
    use manycore_ntt::cost::Operations;
    use manycore_tuning::choose;

    use super::*;

    fn space() -> LinearAlgebra<PrimeField<u32>> {
        LinearAlgebra::new(&Device::host_with(1).unwrap(), PrimeField::new(2_147_483_647).unwrap()).unwrap()
    }

    #[test]
    fn columns_count_the_definition_s_operations() {
        let space = space();
        let operation = Eliminations { space: &space };
        for (shape, expected) in [
            (EliminationShape::echelon(1000, 1000), 500_000_000),
            (EliminationShape::determinant(1000), 1_000_000_000 / 3),
        ] {
            let program = operation.program(&shape, &Elimination::Columns, space.machine()).unwrap();
            let work: u128 = program.kernels().iter().filter_map(Kernel::work).sum();
            // Inverses are operations on one number: all count as such.
            let many = space.host_counts().scaled(1 << 20).plus(Operations::scalar(1)).of_one_kind(space.machine());
            let ratio = work as f64 * f64::from(1 << 20) / many as f64 / f64::from(expected);
            assert!((0.9..1.5).contains(&ratio), "{shape}: {ratio}");
            let program = space.machine().estimate(&program).unwrap().seconds;
            let estimate = operation.estimate(&shape, &Elimination::Columns, space.machine()).unwrap().seconds;
            assert!((estimate / program - 1.0).abs() < 0.05, "{shape}: {estimate} {program}");
        }
    }

    #[test]
    fn small_matrices_go_four_columns_at_once_and_large_ones_by_blocks() {
        let space = space();
        let best = |shape| choose(&Eliminations { space: &space }, &shape, space.machine()).unwrap().best().parameters;
        for order in [8, 16, 64, 128] {
            assert_eq!(best(EliminationShape::determinant(order)), Elimination::NearMemory, "{order}");
        }
        let wide = PrimeField::<u64>::new(4_611_686_009_971_671_041).unwrap();
        let space = LinearAlgebra::new(&Device::host_with(1).unwrap(), wide).unwrap();
        let best = |shape| choose(&Eliminations { space: &space }, &shape, space.machine()).unwrap().best().parameters;
        assert!(matches!(best(EliminationShape::echelon(2000, 2000)), Elimination::Blocks(_)));
    }

    #[test]
    fn four_columns_at_once_count_what_their_program_does() {
        let space = space();
        let operation = Eliminations { space: &space };
        for shape in [EliminationShape::echelon(1000, 1000), EliminationShape::determinant(1000)] {
            let program = operation.program(&shape, &Elimination::NearMemory, space.machine()).unwrap();
            let program = space.machine().estimate(&program).unwrap().seconds;
            let estimate = operation.estimate(&shape, &Elimination::NearMemory, space.machine()).unwrap().seconds;
            assert!((estimate / program - 1.0).abs() < 0.05, "{shape}: {estimate} {program}");
        }
    }
}
