//! The choice of a plan of elimination.

use manycore_device::Buffer;
use manycore_model::{DoesNotFit, Estimate, Machine};
use manycore_tuning::{Choice, Plans, TuningTask, choose};

use super::Extent;
use super::cost::Eliminations;
use super::plan::{Elimination, EliminationShape};
use crate::algebra::LinearAlgebra;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::matrix::entries;

/// Choices by shape.
#[derive(Debug, Default)]
pub(crate) struct EliminationChoices(Plans<EliminationShape, Elimination>);

impl<F: MatrixField> LinearAlgebra<F> {
    /// The choice that is taken for eliminations of a shape: every plan with an estimate, the chosen one first, and the origin of
    /// the choice. Where the device is to be measured ([`Device::tuned`](manycore_device::Device::tuned)) and this shape was not
    /// yet, the candidates are measured now. Products within an elimination go by estimates.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::{EliminationShape, LinearAlgebra};
    /// let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(469_762_049)?)?;
    /// println!("{}", space.explain_elimination(&EliminationShape::determinant(1000))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::NoChoice`] where no plan suits the device; [`LinalgError::TooLarge`] for more entries than memory can be
    /// addressed for, or pivots in more columns than there are; [`LinalgError::Device`].
    #[inline(never)]
    pub fn explain_elimination(&self, shape: &EliminationShape) -> Result<Choice<Elimination>, LinalgError> {
        let operation = Eliminations { space: self };
        let &EliminationShape { rows, columns, search, reach } = shape;
        let count = entries(rows, columns)?;
        if search > columns {
            return Err(LinalgError::TooLarge { rows, columns: search });
        }
        if shape.limit() == 0 {
            // Nothing is eliminated.
            return Ok(choose(&operation, shape, self.machine())?);
        }
        let key = format!("matrix-eliminate, {}, {reach}", self.plan_key());
        let task = TuningTask { key, sizes: vec![rows, columns, search], count: 1, revision: crate::REVISION };
        let mut trial: Option<[Buffer<F::Element>; 2]> = None;
        let choice = self.planner().choose(&operation, shape, &task, |&how| -> Result<(), LinalgError> {
            let [a, work] = match &mut trial {
                Some(trial) => trial,
                none => none.insert([self.random(rows, columns, 1)?.buffer, self.device().scratch(count)?]),
            };
            work.copy_from(a)?;
            self.eliminate(work, Extent { rows, width: columns, search }, reach, how).map(drop)
        })?;
        Ok(choice)
    }

    /// The estimate of the plan that is estimated best.
    pub(crate) fn elimination_estimate(
        &self,
        shape: EliminationShape,
        machine: &Machine,
    ) -> Result<Estimate, DoesNotFit> {
        match choose(&Eliminations { space: self }, &shape, machine) {
            Ok(choice) => Ok(choice.best().estimate.clone()),
            Err(none) => Err(none.first.unwrap_or(DoesNotFit::Parameter { reason: "no plan is known".to_owned() })),
        }
    }

    /// Eliminates in the way that is taken. `run` may be called again in another way, and leaves its input as it was.
    pub(super) fn by_elimination<R>(
        &self,
        shape: EliminationShape,
        mut run: impl FnMut(Elimination) -> Result<R, LinalgError>,
    ) -> Result<R, LinalgError> {
        if shape.limit() == 0 {
            return run(Elimination::Columns);
        }
        self.eliminations.0.run(self.device(), shape, |shape| self.explain_elimination(shape), |&how| run(how))
    }

    /// Eliminates in the way that is taken, in place.
    pub(super) fn eliminate_in_place<R>(
        &self,
        a: &mut Buffer<F::Element>,
        shape: EliminationShape,
        mut run: impl FnMut(Elimination, &mut Buffer<F::Element>) -> Result<R, LinalgError>,
    ) -> Result<R, LinalgError> {
        if shape.limit() == 0 {
            return run(Elimination::Columns, a);
        }
        self.eliminations.0.run_in_place(a, shape, |shape| self.explain_elimination(shape), |&how, a| run(how, a))
    }
}
