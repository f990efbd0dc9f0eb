//! Products of a sparse matrix of the host's memory by several devices: runs of rows go to whichever lane is free.

use manycore_device::{DeviceSet, LANES};
use sprs::{CsMatViewI, SpIndex};

use super::prepared::{ProductOptions, SparseProduct};
use crate::error::SparseError;
use crate::ring::{SparseRing, check};
use crate::rows::CompressedRows;

/// Runs of rows of a lane, at most.
const SHARES: usize = 4;

impl<R: SparseRing> SparseProduct<R> {
    /// The product `Y = A X` of a matrix in compressed rows or columns with a dense matrix of `n` rows of `width` values, by several
    /// devices: each gets `X`, and runs of rows of `A`, larger ones the faster it is. For one product; whoever multiplies by one matrix
    /// many times keeps a [`SparseProduct`].
    ///
    /// Residues are those of one device. Floating-point sums are in the order of the device and of the algorithm that a run of rows
    /// takes, within the same bound; on hosts from the first to the last.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceSet};
    /// use manycore_field::Reals;
    /// use manycore_sparse::{ProductOptions, SparseProduct};
    /// let matrix = sprs::CsMat::new((2, 3), vec![0, 2, 3], vec![0, 2, 1], vec![1.0, 2.0, 3.0]);
    /// let set = DeviceSet::equal(vec![Device::from_env()?, Device::host_with(1)?])?;
    /// let (ring, x) = (Reals::<f64>::new(), [1.0, 10.0, 100.0]);
    /// let y = SparseProduct::multiply_on(&set, &ring, matrix.view(), &x, 1, ProductOptions::default())?;
    /// assert_eq!(y, [201.0, 30.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`SparseProduct::new`] and [`SparseProduct::multiply_dense`], where all devices fail.
    pub fn multiply_on<I: SpIndex, Iptr: SpIndex>(
        set: &DeviceSet,
        ring: &R,
        matrix: CsMatViewI<'_, R::Value, I, Iptr>,
        x: &[R::Value],
        width: usize,
        options: ProductOptions,
    ) -> Result<Vec<R::Value>, SparseError> {
        check(ring, "the matrix", matrix.data())?;
        Self::multiply_rows(set, ring, &CompressedRows::of(matrix)?, x, width, options)
    }

    #[inline(never)]
    pub(crate) fn multiply_rows(
        set: &DeviceSet,
        ring: &R,
        matrix: &CompressedRows<R::Value>,
        x: &[R::Value],
        width: usize,
        options: ProductOptions,
    ) -> Result<Vec<R::Value>, SparseError> {
        let (rows, columns) = (matrix.pattern.rows(), matrix.pattern.columns());
        if columns.checked_mul(width) != Some(x.len()) {
            let expected = columns.saturating_mul(width);
            return Err(SparseError::Length { what: "x", given: x.len(), expected });
        }
        check(ring, "x", x)?;
        let mut y = Self::zeros(ring, &set.devices()[0], rows, width)?;
        if y.is_empty() {
            return Ok(y);
        }
        let lanes = set.lanes(LANES)?;
        let least = rows.div_ceil(SHARES * lanes.devices().len());
        // A quarter of what a lane may take is left to vectors.
        let rooms = lanes.rooms(None);
        lanes.share_into(&mut y, width, least, |lane, rows, part| {
            let at = lanes.devices().iter().position(|other| other == lane).unwrap_or(0);
            let room = rooms[at] / 4 * 3;
            let resident_bytes = Some(options.resident_bytes.map_or(room, |bytes| bytes.min(room)));
            let options = ProductOptions { resident_bytes, ..options };
            let product = Self::of_rows(lane, ring.clone(), matrix.part(rows), options)?;
            product.multiply_into(x, part, width)
        })?;
        Ok(y)
    }
}
