//! Matrices that are ready to be multiplied on a device: where they are, and the plans that were taken.

use std::ops::Range;

use manycore_device::{Device, Executor};
use manycore_tuning::{Planner, Plans};
use sprs::{CsMatViewI, SpIndex};

use super::algorithm::{ProductAlgorithm, ProductPlan};
use super::device::{self, Block};
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
    pub(super) planner: Planner,
    pub(super) ring: R,
    pub(super) columns: usize,
    /// Where each row begins among the non-zeros, and their number.
    pub(super) offsets: Vec<usize>,
    pub(super) algorithm: Option<ProductAlgorithm>,
    pub(super) place: Place<R>,
    /// By the columns of `x`.
    pub(super) plans: Plans<usize, ProductPlan>,
}

/// Choices that a matrix keeps, at most: one for each number of columns of `x`.
const MOST_CHOICES: usize = 64;

/// Where the matrix is.
#[derive(Debug)]
pub(super) enum Place<R: SparseRing> {
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
    pub(super) fn of_rows(
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
}
