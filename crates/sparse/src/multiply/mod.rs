//! Products of a sparse matrix with vectors and dense matrices.
//!
//! | file | what |
//! |---|---|
//! | `algorithm` | algorithms, and the plans that are candidates |
//! | `cost` | what each candidate counts |
//! | `choice` | measurements and proofs of candidates |
//! | `host` | runs of rows on threads |
//! | `device` | blocks of rows in device memory, and launches |
//! | `several` | runs of rows on several devices |
//! | `reference` | the slow definition |

mod algorithm;
mod choice;
mod cost;
mod device;
mod host;
pub(crate) mod reference;
mod several;

use std::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut};
use manycore_device::{Buffer, Device, DeviceError, Executor, OpenCl, View, ViewMut, checkpoint};
use manycore_tuning::{Asked, Choice, Planner, Plans, choose};
use sprs::{CsMatViewI, SpIndex};

pub use algorithm::{ProductAlgorithm, ProductPlan};
pub(crate) use device::items_of_group;

use self::choice::Multiplication;
use self::cost::Products;
use self::device::Block;
use crate::error::SparseError;
use crate::ring::{SparseRing, check};
use crate::rows::CompressedRows;

/// How a matrix is prepared for products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProductOptions {
    /// How an OpenCL device shares the work; `None` for what the planner chooses.
    pub algorithm: Option<ProductAlgorithm>,
    /// Bytes of the device's memory that the matrix may take; `None` for three quarters of what is free. A matrix that takes more
    /// is copied anew, block after block, at every product.
    pub resident_bytes: Option<u64>,
}

/// A matrix that is ready to be multiplied on a device: checked, in compressed rows with 32-bit indices, on an OpenCL
/// device copied there with its partition. Products reuse all of it.
///
/// ```
/// use manycore_device::Device;
/// use manycore_field::Reals;
/// use manycore_sparse::{ProductOptions, SparseProduct};
///
/// let matrix = sprs::CsMat::new((2, 3), vec![0, 2, 3], vec![0, 2, 1], vec![1.0, 2.0, 3.0]);
/// let device = Device::from_env()?; // MANYCORE_DEVICE, else an OpenCL GPU, else the host
/// let product = SparseProduct::new(&device, Reals::<f64>::new(), matrix.view(), ProductOptions::default())?;
/// assert_eq!(product.multiply(&[1.0, 10.0, 100.0])?, [201.0, 30.0]);
/// // Two columns at once, rows one behind the other.
/// assert_eq!(product.multiply_dense(&[1.0, 0.0, 10.0, 1.0, 100.0, 2.0], 2)?, [201.0, 4.0, 30.0, 3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Each value of the result is a sum over a row's non-zeros in one order for a device and algorithm: from the first to the last on
/// the host and by one item a row, so that both give the same bits where the device rounds every product and sum; by several items
/// of a row in as many sums, added in pairs; by merging in parts, from the first to the last. Results do not change from run to
/// run, on the host not with the number of threads, and not with what was measured: choices of numbers go by counts alone. Residues are exact everywhere; floating-point
/// sums of `k` products with absolute values summing to `s` are within `k u s` of the true ones up to terms in `u^2`,
/// for `u` half a unit in the last place of one (`(k + 2) u s` for each part of complex ones). NaN and infinities go
/// where the sums lead them; zeros that are stored count as values.
#[derive(Debug)]
pub struct SparseProduct<R: SparseRing> {
    planner: Planner,
    ring: R,
    columns: usize,
    /// Where each row begins among the non-zeros, and their number.
    offsets: Vec<usize>,
    algorithm: Option<ProductAlgorithm>,
    place: Place<R>,
    /// By the columns of `x`.
    plans: Plans<usize, ProductPlan>,
}

/// Choices that a matrix keeps, at most: one for each number of columns of `x`.
const MOST_CHOICES: usize = 64;

/// Where the matrix is.
#[derive(Debug)]
enum Place<R: SparseRing> {
    /// In the host's memory, for the host.
    Host(CompressedRows<R::Value>),
    /// In the device's memory.
    Resident(Vec<Block<R::Word>>),
    /// In the host's memory, for a device that it does not fit: block after block.
    Streamed(CompressedRows<R::Value>, Vec<Range<usize>>),
}

impl<R: SparseRing> SparseProduct<R> {
    /// Prepares a matrix in compressed rows or columns. `O(m + n + non-zeros)` on the host, and a copy to the device.
    ///
    /// # Errors
    /// [`SparseError::TooLarge`]; [`SparseError::Value`] for a value that is no element of the ring;
    /// [`SparseError::Parameter`] for lanes that are no power of two up to 32; [`SparseError::Device`].
    #[inline(never)]
    pub fn new<I: SpIndex, Iptr: SpIndex>(
        device: &Device,
        ring: R,
        matrix: CsMatViewI<'_, R::Value, I, Iptr>,
        options: ProductOptions,
    ) -> Result<Self, SparseError> {
        check(&ring, "the matrix", matrix.data())?;
        Self::of_rows(device, ring, CompressedRows::of(matrix)?, options)
    }

    /// Prepares a matrix that was checked.
    fn of_rows(
        device: &Device,
        ring: R,
        matrix: CompressedRows<R::Value>,
        options: ProductOptions,
    ) -> Result<Self, SparseError> {
        let (rows, columns) = (matrix.pattern.rows(), matrix.pattern.columns());
        let offsets = matrix.pattern.offsets().to_vec();
        if let Some(algorithm) = options.algorithm
            && !algorithm.is_valid()
        {
            let expected = "a power of two up to 32";
            return Err(SparseError::Parameter { name: "lanes", value: algorithm.to_string(), expected });
        }
        let place = match device.executor() {
            Executor::Host(_) => Place::Host(matrix),
            Executor::OpenCl(_) => {
                let info = device.info();
                let room = device.usable_bytes() / 4 * 3;
                let budget = options.resident_bytes.map_or(room, |bytes| bytes.min(room));
                // No array of a block is larger than all of it.
                let blocks = device::blocks::<R>(&matrix, budget.min(info.largest_allocation_bytes));
                if device::bytes::<R>(&matrix, &(0..rows)) <= budget {
                    let copy = |rows| Block::new::<R>(device, &matrix, rows);
                    Place::Resident(blocks.into_iter().map(copy).collect::<Result<_, _>>()?)
                } else {
                    Place::Streamed(matrix, blocks)
                }
            }
        };
        let (planner, plans) = (Planner::new(device), Plans::at_most(MOST_CHOICES));
        Ok(Self { planner, ring, columns, offsets, algorithm: options.algorithm, place, plans })
    }

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

    /// The number of rows, `m`: values of `y`.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of columns, `n`: values of `x`.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of stored values.
    pub fn non_zeros(&self) -> usize {
        self.offsets[self.rows()]
    }

    /// The device that multiplies.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The ring.
    pub fn ring(&self) -> &R {
        &self.ring
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
    fn ask(&self, width: usize) -> Result<Asked<'_, ProductPlan, SparseError>, SparseError> {
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

    /// Whether the matrix is too large for the device's memory and copied anew at every product.
    pub fn is_streamed(&self) -> bool {
        matches!(self.place, Place::Streamed(..))
    }

    /// The blocks of rows in which a matrix that is [streamed](Self::is_streamed) is copied at every product; `None` of one that stays
    /// on the device, or is multiplied on the host.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::Reals;
    /// use manycore_sparse::{ProductOptions, SparseProduct};
    /// let matrix = sprs::CsMat::new((2, 3), vec![0, 2, 3], vec![0, 2, 1], vec![1.0, 2.0, 3.0]);
    /// let options = ProductOptions { resident_bytes: Some(1), ..ProductOptions::default() };
    /// let product = SparseProduct::new(&Device::from_env()?, Reals::<f64>::new(), matrix.view(), options)?;
    /// assert_eq!(product.blocks().is_some(), product.is_streamed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blocks(&self) -> Option<usize> {
        match &self.place {
            Place::Streamed(_, blocks) => Some(blocks.len()),
            Place::Host(_) | Place::Resident(_) => None,
        }
    }

    /// The product `y = A x`; `x` has `n` values. A multiplication and an addition for each non-zero. An OpenCL device
    /// gets `x` and gives `y` back.
    ///
    /// # Errors
    /// [`SparseError::Length`]; [`SparseError::Value`]; [`SparseError::Device`].
    #[inline(never)]
    pub fn multiply(&self, x: &[R::Value]) -> Result<Vec<R::Value>, SparseError> {
        self.multiply_dense(x, 1)
    }

    /// The product `Y = A X` with a dense matrix of `n` rows of `width` values, one behind the other; `Y` has `m` such
    /// rows. The matrix is read once for all of them.
    ///
    /// # Errors
    /// [`SparseError::Length`]; [`SparseError::Value`]; [`SparseError::Device`].
    #[inline(never)]
    pub fn multiply_dense(&self, x: &[R::Value], width: usize) -> Result<Vec<R::Value>, SparseError> {
        // A wrong `x` is told before memory is taken.
        self.check_x(x, width)?;
        let mut y = Self::zeros(&self.ring, self.device(), self.rows(), width)?;
        self.multiply_checked(x, &mut y, width)?;
        Ok(y)
    }

    /// The product `Y = A X` as [`SparseProduct::multiply_dense`] makes it, written to `y` of `m` rows of `width` values; what was
    /// there is overwritten.
    ///
    /// # Errors
    /// As [`SparseProduct::multiply_dense`]; [`SparseError::Length`] also for an output of another length.
    #[inline(never)]
    pub fn multiply_into(&self, x: &[R::Value], y: &mut [R::Value], width: usize) -> Result<(), SparseError> {
        self.check_x(x, width)?;
        let expected = self.rows().saturating_mul(width);
        if y.len() != expected {
            return Err(SparseError::Length { what: "y", given: y.len(), expected });
        }
        y.fill(self.ring.zero());
        self.multiply_checked(x, y, width)
    }

    /// Room for a product.
    fn zeros(ring: &R, device: &Device, rows: usize, width: usize) -> Result<Vec<R::Value>, SparseError> {
        let Some(len) = rows.checked_mul(width).filter(|&len| len <= isize::MAX as usize / size_of::<R::Value>())
        else {
            let (size, limit) = (width as u64, isize::MAX as u64 / rows.max(1) as u64);
            let device = device.info().label();
            return Err(DeviceError::TooLarge { what: "columns of x".into(), size, limit, device }.into());
        };
        Ok(vec![ring.zero(); len])
    }

    fn check_x(&self, x: &[R::Value], width: usize) -> Result<(), SparseError> {
        if self.columns.checked_mul(width) != Some(x.len()) {
            let expected = self.columns.saturating_mul(width);
            return Err(SparseError::Length { what: "x", given: x.len(), expected });
        }
        check(&self.ring, "x", x)
    }

    /// The product of an `x` of this ring and shape into zeros.
    fn multiply_checked(&self, x: &[R::Value], y: &mut [R::Value], width: usize) -> Result<(), SparseError> {
        match (&self.place, self.device().executor()) {
            _ if y.is_empty() => {}
            (Place::Host(matrix), Executor::Host(pool)) => {
                checkpoint()?;
                let plan = self.plan(width)?;
                host::multiply(pool, &self.ring, matrix, x, y, (width, plan.steps()))?;
            }
            _ => {
                let x = self.device().upload(cast_slice::<_, R::Word>(x))?;
                let mut out = self.device().scratch(y.len() * R::value_words())?;
                self.multiply_buffers(&x, &mut out, width)?;
                out.read_into(cast_slice_mut(y))?;
            }
        }
        Ok(())
    }

    /// The product `Y = A X` of buffers on the product's device, or of parts of them: `X` has `n` rows of `width`
    /// values, `Y` has `m`. Values of `x` that are no elements of the ring give values that are not specified. Kernels
    /// are enqueued; nothing is waited for unless the matrix is [streamed](Self::is_streamed).
    ///
    /// # Errors
    /// [`SparseError::Length`]; [`SparseError::Device`], with `MixedDevices` for buffers of another device.
    pub fn multiply_buffers<'a>(
        &self,
        x: impl Into<View<'a, R::Word>>,
        y: impl Into<ViewMut<'a, R::Word>>,
        width: usize,
    ) -> Result<(), SparseError> {
        self.multiply_views(x.into(), y.into(), width)
    }

    #[inline(never)]
    pub(crate) fn multiply_views(
        &self,
        x: View<'_, R::Word>,
        mut y: ViewMut<'_, R::Word>,
        width: usize,
    ) -> Result<(), SparseError> {
        self.device().same_as(x.buffer().device())?;
        self.device().same_as(y.device())?;
        for (what, given, lines) in [("x", x.len(), self.columns), ("y", y.len(), self.rows())] {
            let expected = lines.saturating_mul(width).saturating_mul(R::value_words());
            if given != expected {
                return Err(SparseError::Length { what, given, expected });
            }
        }
        if y.is_empty() {
            return Ok(());
        }
        let ask = |&width: &usize| self.ask(width);
        self.plans.run(self.device(), width, ask, |&plan| self.multiply_with(x, y.reborrow(), width, plan))
    }

    /// The product of views of as many words as there should be.
    fn multiply_with(
        &self,
        x: View<'_, R::Word>,
        mut y: ViewMut<'_, R::Word>,
        width: usize,
        plan: ProductPlan,
    ) -> Result<(), SparseError> {
        if y.is_empty() {
            return Ok(());
        }
        match (&self.place, self.device().executor()) {
            (Place::Host(matrix), Executor::Host(pool)) => {
                let (x, y) = (cast_slice(x.host()?), cast_slice_mut(y.into_host()?));
                Ok(host::multiply(pool, &self.ring, matrix, x, y, (width, plan.steps()))?)
            }
            // A device takes no buffer of no words for one that it reads.
            (_, Executor::OpenCl(_)) if x.is_empty() => Ok(y.fill(bytemuck::Zeroable::zeroed())?),
            (Place::Resident(blocks), Executor::OpenCl(cl)) => {
                blocks.iter().try_for_each(|block| self.launch(cl, block, x, &mut y, width, plan))
            }
            (Place::Streamed(matrix, blocks), Executor::OpenCl(cl)) => blocks.iter().try_for_each(|rows| {
                let block = Block::new::<R>(self.device(), matrix, rows.clone())?;
                self.launch(cl, &block, x, &mut y, width, plan)
            }),
            // The place was made for the device.
            _ => Err(DeviceError::elsewhere().into()),
        }
    }

    fn launch(
        &self,
        cl: &OpenCl,
        block: &Block<R::Word>,
        x: View<'_, R::Word>,
        y: &mut ViewMut<'_, R::Word>,
        width: usize,
        plan: ProductPlan,
    ) -> Result<(), SparseError> {
        Ok(block.multiply((cl, &self.planner), &self.ring, &self.offsets, (x, y), width, plan)?)
    }

    /// A buffer of values on the product's device.
    ///
    /// # Errors
    /// [`SparseError::Value`]; [`SparseError::Device`].
    pub fn upload(&self, values: &[R::Value]) -> Result<Buffer<R::Word>, SparseError> {
        check(&self.ring, "x", values)?;
        Ok(self.device().upload(cast_slice(values))?)
    }
}
