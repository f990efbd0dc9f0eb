//! The choice of a plan of the inverse of one matrix.

use manycore_device::Buffer;
use manycore_model::{DoesNotFit, Estimate, Machine, Program};
use manycore_tuning::{Asked, Choice, Costed, Operation, Proof};

use super::plan::Inversion;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::eliminate::PANELS;
use crate::modular::matrix::Matrix;
use crate::shape::entries;

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

impl<F: MatrixField> Operation for Inversions<'_, F> {
    type Costs = Self;
    /// A matrix, and memory to work in.
    type Trial = (Matrix<F>, Buffer<F::Element>);
    type Error = LinalgError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self {
        self
    }

    fn family(&self, _: &usize) -> String {
        format!("matrix-inverse, {}", self.space.plan_key())
    }

    fn sizes(&self, &order: &usize) -> Vec<usize> {
        vec![order]
    }

    fn is_empty(&self, &order: &usize) -> bool {
        order == 0
    }

    fn trial(&self, &order: &usize) -> Result<Self::Trial, LinalgError> {
        Ok((self.space.random(order, order, 1)?, self.space.device().scratch(entries(order, order)?)?))
    }

    fn try_plan(&self, &order: &usize, (a, work): &mut Self::Trial, &plan: &Inversion) -> Result<(), LinalgError> {
        match plan {
            Inversion::Blocks(columns) => {
                work.copy_from(&a.buffer)?;
                self.space.invert_in_place(work, order, columns).map(drop)
            }
            Inversion::Beside => self.space.inverse_beside(a).map(drop),
        }
    }

    /// The inverse of a product of triangular matrices, of a panel and a quarter.
    fn proof(&self, &order: &usize, &plan: &Inversion) -> Result<Proof, LinalgError> {
        let panel = if let Inversion::Blocks(columns) = plan { columns } else { 0 };
        let order = order.min((panel + panel / 4).clamp(199, 401));
        let host = self.space.proving();
        let triangular = |seed: u64, is_zero: fn(usize, usize) -> bool| {
            let (mut words, field) = (host.entries(&host.random(order, order, seed)?)?, host.field());
            for (i, word) in words.iter_mut().enumerate() {
                match (i / order, i % order) {
                    (row, column) if row == column => *word = field.one(),
                    (row, column) if is_zero(row, column) => *word = field.zero(),
                    _ => {}
                }
            }
            host.matrix(order, order, &words)
        };
        let (lower, upper) = (triangular(1, |row, column| row < column)?, triangular(2, |row, column| row > column)?);
        let known = host.mul(&lower, &upper)?;
        let expected = host.entries(&host.inverse(&known)?)?;
        let mut a = self.space.matrix(order, order, &host.entries(&known)?)?;
        let found = match plan {
            Inversion::Blocks(columns) => match self.space.invert_in_place(&mut a.buffer, order, columns)? {
                Some(determinant) if determinant == host.field().one() => a.buffer.download()?,
                determinant => return Ok(Proof::Differs(format!("the determinant is {determinant:?}, not 1"))),
            },
            Inversion::Beside => match self.space.inverse_beside(&a) {
                Ok(inverse) => inverse.buffer.download()?,
                Err(error @ LinalgError::Singular { .. }) => return Ok(Proof::Differs(error.to_string())),
                Err(error) => return Err(error),
            },
        };
        Ok(Proof::of_words(&found, &expected))
    }
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// The choice that is taken for inverses of an order: every plan with an estimate, the chosen one first, and the origin of the
    /// choice. Where the device is to be measured ([`Device::tuned`](manycore_device::Device::tuned)) and this order was not yet,
    /// the candidates are measured now. Matrices of small orders, at most 64 on OpenCL devices and 128 on the host, are inverted at once,
    /// whatever this choice is.
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
        entries(order, order)?;
        self.planner().choice(&Inversions { space: self }, &order)
    }

    /// Asks for the plan of inverses of an order, whose matrix is one.
    #[allow(clippy::unnecessary_wraps)] // the form that plans ask for
    fn ask_inverse(&self, order: usize) -> Result<Asked<'_, Inversion, LinalgError>, LinalgError> {
        Ok(self.planner().ask(Inversions { space: self }, order))
    }

    /// Inverts in the way that is taken. `run` may be called again in another way, and leaves its input as it was.
    pub(super) fn by_inversion<R>(
        &self,
        order: usize,
        mut run: impl FnMut(Inversion) -> Result<R, LinalgError>,
    ) -> Result<R, LinalgError> {
        self.inversions.0.run(self.device(), order, |&order| self.ask_inverse(order), |&how| run(how))
    }
}
