//! The choice of a plan of the inverse of one matrix.

use manycore_device::Buffer;
use manycore_model::{DoesNotFit, Estimate, Machine, Program};
use manycore_tuning::{Choice, Costed, Plans, TuningTask, choose};

use super::plan::Inversion;
use crate::algebra::LinearAlgebra;
use crate::eliminate::PANELS;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::matrix::{Matrix, entries};

/// Choices by order.
#[derive(Debug, Default)]
pub(crate) struct InversionChoices(Plans<usize, Inversion>);

/// Inverses over a field on a device, by order.
#[derive(Debug)]
struct Inversions<'a, F: MatrixField> {
    space: &'a LinearAlgebra<F>,
}

impl<F: MatrixField> Costed for Inversions<'_, F> {
    type Size = usize;
    type Parameters = Inversion;

    fn name(&self) -> &'static str {
        "matrix-inverse"
    }

    fn candidates(&self, &order: &usize, _: &Machine) -> Vec<Inversion> {
        let blocks = PANELS.into_iter().filter(|&columns| columns < order).map(Inversion::Blocks);
        blocks.chain([Inversion::Beside]).collect()
    }

    /// None: products within an inverse are programs of their own.
    fn program(&self, _: &usize, _: &Inversion, _: &Machine) -> Result<Program, DoesNotFit> {
        Err(DoesNotFit::Parameter { reason: "its products are programs of their own".to_owned() })
    }

    fn estimate(&self, &order: &usize, how: &Inversion, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        match *how {
            Inversion::Blocks(columns) => self.space.in_place_estimate(order, columns, machine),
            Inversion::Beside => self.space.beside_estimate(order, machine),
        }
    }
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// The choice that is taken for inverses of an order: every plan with an estimate, the chosen one first, and the origin of the
    /// choice. Where the device is to be measured ([`Device::tuned`](manycore_device::Device::tuned)) and this order was not yet,
    /// the candidates are measured now. Matrices of small orders, at most 64 on OpenCL devices and 128 on the host, are inverted at
    /// once, whatever is told here.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(469_762_049)?)?;
    /// println!("{}", space.explain_inverse(1000)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::NoChoice`] where no plan suits the device; [`LinalgError::TooLarge`] for more entries than memory can be
    /// addressed for; [`LinalgError::Device`].
    #[inline(never)]
    pub fn explain_inverse(&self, order: usize) -> Result<Choice<Inversion>, LinalgError> {
        let operation = Inversions { space: self };
        let count = entries(order, order)?;
        if order == 0 {
            // Nothing is inverted.
            return Ok(choose(&operation, &order, self.machine())?);
        }
        let key = format!("matrix-inverse, {}", self.plan_key());
        let task = TuningTask { key, sizes: vec![order], count: 1, revision: crate::REVISION };
        let mut trial: Option<(Matrix<F>, Buffer<F::Element>)> = None;
        let choice = self.planner().choose(&operation, &order, &task, |&how| -> Result<(), LinalgError> {
            let (a, work) = match &mut trial {
                Some(trial) => trial,
                none => none.insert((self.random(order, order, 1)?, self.device().scratch(count)?)),
            };
            match how {
                Inversion::Blocks(columns) => {
                    work.copy_from(&a.buffer)?;
                    self.invert_in_place(work, order, columns).map(drop)
                }
                Inversion::Beside => self.inverse_beside(a).map(drop),
            }
        })?;
        Ok(choice)
    }

    /// Inverts in the way that is taken. `run` may be called again in another way, and leaves its input as it was.
    pub(super) fn by_inversion<R>(
        &self,
        order: usize,
        mut run: impl FnMut(Inversion) -> Result<R, LinalgError>,
    ) -> Result<R, LinalgError> {
        self.inversions.0.run(self.device(), order, |&order| self.explain_inverse(order), |&how| run(how))
    }
}
