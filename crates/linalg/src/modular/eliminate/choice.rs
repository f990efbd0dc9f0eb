//! The choice of a plan of elimination.

use manycore_device::Buffer;
use manycore_model::{DoesNotFit, Estimate, Machine};
use manycore_tuning::{Asked, Choice, Operation, Proof, choose};

use super::cost::Eliminations;
use super::plan::{Elimination, EliminationShape, Reach};
use super::steps::Extent;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::shape::entries;

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
        let &EliminationShape { rows, columns, search, .. } = shape;
        entries(rows, columns)?;
        if search > columns {
            return Err(LinalgError::TooLarge { rows, columns: search });
        }
        self.planner().choice(&Eliminations { space: self }, shape)
    }

    /// Asks for the plan of eliminations of a shape, which is one.
    #[allow(clippy::unnecessary_wraps)] // the form that plans ask for
    fn ask_elimination(&self, shape: &EliminationShape) -> Result<Asked<'_, Elimination, LinalgError>, LinalgError> {
        Ok(self.planner().ask(Eliminations { space: self }, *shape))
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
        self.eliminations.0.run(self.device(), shape, |shape| self.ask_elimination(shape), |&how| run(how))
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
        self.eliminations.0.run_in_place(a, shape, |shape| self.ask_elimination(shape), |&how, a| run(how, a))
    }
}

impl<F: MatrixField> Operation for Eliminations<'_, F> {
    type Costs = Self;
    /// A matrix, and memory to work in.
    type Trial = [Buffer<F::Element>; 2];
    type Error = LinalgError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self {
        self
    }

    fn family(&self, shape: &EliminationShape) -> String {
        format!("matrix-eliminate, {}, {}", self.space.plan_key(), shape.reach)
    }

    fn sizes(&self, shape: &EliminationShape) -> Vec<usize> {
        vec![shape.rows, shape.columns, shape.search]
    }

    fn is_empty(&self, shape: &EliminationShape) -> bool {
        shape.limit() == 0
    }

    fn trial(&self, shape: &EliminationShape) -> Result<Self::Trial, LinalgError> {
        let (space, count) = (self.space, entries(shape.rows, shape.columns)?);
        Ok([space.random(shape.rows, shape.columns, 1)?.buffer, space.device().scratch(count)?])
    }

    fn try_plan(
        &self,
        &EliminationShape { rows, columns, search, reach }: &EliminationShape,
        [a, work]: &mut Self::Trial,
        &plan: &Elimination,
    ) -> Result<(), LinalgError> {
        work.copy_from(a)?;
        self.space.eliminate(work, Extent { rows, width: columns, search }, reach, plan).map(drop)
    }

    /// A matrix of a panel and a quarter, with a zero for its first pivot and, where its determinant is not asked for, a row that
    /// is there twice: the columns of pivots, the determinant, and the reduced rows.
    fn proof(&self, shape: &EliminationShape, plan: &Elimination) -> Result<Proof, LinalgError> {
        let panel = if let Elimination::Blocks(columns) = *plan { columns } else { 0 };
        let most = (panel + panel / 4).clamp(199, 401);
        let (rows, search) = (shape.rows.min(most), shape.search.min(most));
        let width = search + (shape.columns - shape.search).min(most);
        let is_square = rows == width && shape.reach == Reach::Below;
        let host = self.space.proving();
        let mut words = host.entries(&host.random(rows, width, 1)?)?;
        words[0] = host.field().zero();
        if !is_square {
            words.copy_within(..width, rows / 2 * width);
        }
        let extent = Extent { rows, width, search };
        let eliminate = |space: &LinearAlgebra<F>, plan: Elimination| {
            let mut work = space.device().upload(&words)?;
            let found = space.eliminate(&mut work, extent, shape.reach, plan)?;
            let reduced = if shape.reach == Reach::All { found.rank() * width } else { 0 };
            let determinant = (is_square && found.rank() == rows).then(|| found.determinant(space.field()));
            Ok::<_, LinalgError>(((found.columns, determinant), work.view(..reduced)?.download()?))
        };
        let (expected, expected_rows) = eliminate(&host, Elimination::Columns)?;
        let (found, found_rows) = eliminate(self.space, *plan)?;
        Ok(Proof::of_values(&found, &expected).and(Proof::of_words(&found_rows, &expected_rows)))
    }
}
