//! The library's operations on matrices, in the form in which they are timed: operands and results stay on the device.

use anyhow::{Result, bail};
use manycore_device::Device;
use manycore_field::{PrimeField, ResidueWord as _};
use manycore_linalg::{EliminationShape, LinearAlgebra, Matrix, MatrixField};

use crate::peers::tasks::{Computation, Task};
use crate::solved::Planned;

/// Takes a task to a device.
pub(super) fn prepare(device: &Device, p: u64, task: &Task) -> Result<Planned> {
    match u32::try_from(p) {
        Ok(p) if p >> 31 == 0 => over(device, PrimeField::<u32>::new(p)?, task),
        _ => over(device, PrimeField::<u64>::new(p)?, task),
    }
}

fn over<F: MatrixField + 'static>(device: &Device, field: F, task: &Task) -> Result<Planned> {
    let space = LinearAlgebra::new(device, field)?;
    let matrix = |order: usize, x: &[u64]| {
        let words: Vec<F::Element> = x.iter().map(|&value| F::Element::from_u64(value)).collect();
        space.matrix(order, order, &words)
    };
    let elimination =
        |shape| -> Result<String> { Ok(space.explain_elimination(&shape)?.best().parameters.to_string()) };
    let (operands, way) = match task {
        Task::MatrixProduct { order, a, b } => {
            let way = space.explain_product(*order, *order, *order)?.best().parameters.to_string();
            (Operands::Product(matrix(*order, a)?, matrix(*order, b)?), way)
        }
        Task::Determinant { order, a } => {
            (Operands::Determinant(matrix(*order, a)?), elimination(EliminationShape::determinant(*order))?)
        }
        Task::Inverse { order, a } => {
            // Small ones are taken at once, without a choice.
            let way = space.explain_inverse(*order)?.best().parameters.to_string();
            (Operands::Inverse(matrix(*order, a)?), format!("at once if it is small, else {way}"))
        }
        other => bail!("{other:?} is no task of matrices"),
    };
    Ok((Box::new(Ours { space, operands, matrix: None, value: None }), way))
}

enum Operands<F: MatrixField> {
    Product(Matrix<F>, Matrix<F>),
    Determinant(Matrix<F>),
    Inverse(Matrix<F>),
}

struct Ours<F: MatrixField> {
    space: LinearAlgebra<F>,
    operands: Operands<F>,
    matrix: Option<Matrix<F>>,
    value: Option<F::Element>,
}

impl<F: MatrixField> Computation for Ours<F> {
    fn run(&mut self) -> Result<()> {
        match &self.operands {
            Operands::Product(a, b) => self.matrix = Some(self.space.mul(a, b)?),
            Operands::Determinant(a) => self.value = Some(self.space.determinant(a)?),
            Operands::Inverse(a) => self.matrix = Some(self.space.inverse(a)?),
        }
        Ok(())
    }

    fn result(&self) -> Result<Vec<Vec<u64>>> {
        let words = match (&self.matrix, self.value) {
            (Some(matrix), _) => self.space.entries(matrix)?,
            (None, Some(value)) => vec![value],
            (None, None) => bail!("nothing was computed"),
        };
        Ok(vec![words.iter().map(|word| word.as_u64()).collect()])
    }
}
