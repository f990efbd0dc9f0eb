//! The choice among the plans of products by a number of columns: estimates, measurements and proofs.

use bytemuck::cast_slice;
use manycore_device::{Buffer, Device, Executor, Word as _};
use manycore_tuning::{Asked, Choice, Operation, Proof, choose, proof};
use sprs::{CsMatViewI, SpIndex};

use super::algorithm::ProductPlan;
use super::cost::Products;
use super::prepared::{ProductOptions, SparseProduct};
use crate::error::SparseError;
use crate::ring::SparseRing;
use crate::rows::CompressedRows;

impl<R: SparseRing> SparseProduct<R> {
    /// The plans of a product of a matrix by `width` columns on a device by their estimates, the best first: the matrix is not copied
    /// there, and nothing is measured, read or kept. A pass over the rows for each candidate.
    ///
    /// # Errors
    /// [`SparseError::NoChoice`] where no candidate fits the device; [`SparseError::TooLarge`].
    #[inline(never)]
    pub fn estimates<I: SpIndex, Iptr: SpIndex>(
        device: &Device,
        ring: &R,
        matrix: CsMatViewI<'_, R::Value, I, Iptr>,
        width: usize,
    ) -> Result<Choice<ProductPlan>, SparseError> {
        let matrix = CompressedRows::of(matrix)?;
        let (columns, on_host) = (matrix.pattern.columns(), matches!(device.executor(), Executor::Host(_)));
        let products = Products::new(ring, matrix.pattern.offsets(), columns, on_host, None);
        Ok(choose(&products, &width, &device.machine())?)
    }

    /// How the device multiplies by `width` columns: the best plan of [`SparseProduct::explain`], or the one that took its place in a
    /// trial.
    ///
    /// # Errors
    /// As [`SparseProduct::explain`].
    pub fn plan(&self, width: usize) -> Result<ProductPlan, SparseError> {
        self.plans.plan(width, |&width| self.ask(width))
    }

    /// The plans of a product by `width` columns with their estimates, the chosen one first. Where the device's mode is
    /// [`TuningMode::Measure`](manycore_device::TuningMode::Measure), those that were not measured before are measured now: over
    /// numbers only plans that give the bits of the best estimate, over residues all. A pass over the rows for each candidate.
    ///
    /// # Errors
    /// [`SparseError::NoChoice`] where no candidate fits the device.
    #[inline(never)]
    pub fn explain(&self, width: usize) -> Result<Choice<ProductPlan>, SparseError> {
        self.planner.choice(&self.multiplication(), &width)
    }

    #[inline(never)]
    #[allow(clippy::unnecessary_wraps)] // the form that plans ask for
    pub(super) fn ask(&self, width: usize) -> Result<Asked<'_, ProductPlan, SparseError>, SparseError> {
        Ok(self.planner.ask(self.multiplication(), width))
    }

    fn multiplication(&self) -> Multiplication<'_, R> {
        let on_host = self.planner.on_host();
        let costs = Products::new(&self.ring, &self.offsets, self.columns, on_host, self.algorithm);
        Multiplication { product: self, costs }
    }

    /// The seconds of a product by `width` columns of zeros by a plan, one of [`SparseProduct::explain`]'s, by the device's clock:
    /// the median of several runs, after one that builds kernels.
    ///
    /// # Errors
    /// [`SparseError::Parameter`] for another plan; [`SparseError::Device`].
    #[inline(never)]
    pub fn time(&self, width: usize, plan: &ProductPlan) -> Result<f64, SparseError> {
        if !self.explain(width)?.candidates().iter().any(|candidate| candidate.parameters == *plan) {
            let expected = "a plan of the product's choice";
            return Err(SparseError::Parameter { name: "plan", value: plan.to_string(), expected });
        }
        self.planner.seconds(&self.multiplication(), &width, plan)
    }
}

/// Pseudo-random elements of a ring: whole numbers, and residues of all bits.
fn known_values<R: SparseRing>(ring: &R, count: usize, seed: u64) -> Vec<R::Value> {
    let count = count * R::value_words();
    let words = match ring.arithmetic() {
        Some(_) => proof::known_residues(ring.constants().0, count, seed),
        None => proof::known_words::<R::Word>(count, seed),
    };
    cast_slice(&words).to_vec()
}

/// Products by a number of columns.
pub(super) struct Multiplication<'a, R: SparseRing> {
    pub(super) product: &'a SparseProduct<R>,
    pub(super) costs: Products<'a>,
}

impl<'a, R: SparseRing> Operation for Multiplication<'a, R> {
    type Costs = Products<'a>;
    /// `x` and `y`.
    type Trial = [Buffer<R::Word>; 2];
    type Error = SparseError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Products<'a> {
        &self.costs
    }

    fn family(&self, _: &usize) -> String {
        match self.product.ring.arithmetic() {
            Some(arithmetic) => format!("sparse product, {arithmetic}"),
            None => format!("sparse product, {} words of {:?}", R::value_words(), R::Word::TYPE),
        }
    }

    /// Rows, non-zeros of a row and of the longest one, columns: each by its power of two.
    fn sizes(&self, &width: &usize) -> Vec<usize> {
        let [rows, average, longest] = self.costs.shape();
        vec![1 << rows, 1 << average, 1 << longest, width.max(1).next_power_of_two()]
    }

    fn trial(&self, &width: &usize) -> Result<Self::Trial, SparseError> {
        let words = |lines: usize| lines.saturating_mul(width).saturating_mul(R::value_words());
        let device = self.product.device();
        Ok([device.zeros(words(self.product.columns))?, device.scratch(words(self.product.rows()))?])
    }

    fn try_plan(&self, &width: &usize, [x, y]: &mut Self::Trial, &plan: &ProductPlan) -> Result<(), SparseError> {
        self.product.run((&*x).into(), y.into(), width, plan)
    }

    /// A matrix of some hundred rows of such lengths beside the sums of its definition. Numbers are whole, so that sums of any
    /// order are exact.
    fn proof(&self, &width: &usize, &plan: &ProductPlan) -> Result<Proof, SparseError> {
        const MOST: [usize; 4] = [301, 1 << 12, 1 << 6, 37];
        let (ring, device) = (&self.product.ring, self.product.device());
        let [_, average, longest] = self.costs.shape().map(|log| 1usize << log);
        let (rows, columns) = (self.product.rows().min(MOST[0]), self.product.columns.min(MOST[1]));
        let width = width.min(MOST[3]);
        let mut known = proof::KnownWords::new(1);
        let (mut offsets, mut places) = (vec![0], Vec::new());
        for row in 0..rows {
            let len =
                if row == rows / 2 { longest } else { known.next_word() as usize % (2 * average.min(MOST[2]) + 1) };
            let len = len.min(columns);
            places.extend((0..len).map(|i| (i * columns / len) as u32));
            offsets.push(places.len());
        }
        let (values, x) = (known_values(ring, places.len(), 2), known_values(ring, columns * width, 3));
        let wrong =
            |what: String| SparseError::Parameter { name: "the matrix", value: what, expected: "rows in order" };
        let matrix = CsMatViewI::<R::Value, u32, usize>::try_new((rows, columns), &offsets, &places, &values);
        let matrix = matrix.map_err(|(.., error)| wrong(error.to_string()))?;
        let product = SparseProduct::new(device, ring.clone(), matrix, ProductOptions::default())?;
        let column = |i: usize| -> Vec<R::Value> { x.iter().skip(i).step_by(width).copied().collect() };
        let by_column: Vec<Vec<R::Value>> = (0..width).map(column).collect();
        let entry = |row: usize, x: &Vec<R::Value>| {
            let range = offsets[row]..offsets[row + 1];
            ring.dot(&values[range.clone()], &places[range], x)
        };
        let expected: Vec<R::Value> =
            (0..rows).flat_map(|row| by_column.iter().map(move |x| (row, x))).map(|(row, x)| entry(row, x)).collect();
        let x = device.upload::<R::Word>(cast_slice(&x))?;
        let mut y = device.scratch::<R::Word>(expected.len() * R::value_words())?;
        product.run((&x).into(), (&mut y).into(), width, plan)?;
        Ok(Proof::of_words::<R::Word>(&y.download()?, cast_slice(&expected)))
    }
}
