//! A matrix on a device.

use std::fmt;

use manycore_field::ResidueWord as _;
use manycore_files::grid;

use manycore_device::{Buffer, Device};

use crate::error::LinalgError;
use crate::field::MatrixField;

/// A dense matrix over a prime field, in the memory of one device: rows one behind the other, entries canonical residues.
///
/// Rows, columns or both may be 0. Made and computed with by a [`LinearAlgebra`](crate::LinearAlgebra) over the field.
pub struct Matrix<F: MatrixField> {
    /// `rows * columns` words.
    pub(crate) buffer: Buffer<F::Element>,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) field: F,
}

impl<F: MatrixField> fmt::Debug for Matrix<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns, p) = (self.rows, self.columns, self.field.order());
        write!(f, "Matrix of {rows} rows and {columns} columns mod {p} on {}", self.device().info().id)
    }
}

impl<F: MatrixField> Matrix<F> {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// Whether there are as many rows as columns.
    pub fn is_square(&self) -> bool {
        self.rows == self.columns
    }

    /// The device whose memory it is in.
    pub fn device(&self) -> &Device {
        self.buffer.device()
    }

    /// The field of its entries.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// Its entries, row after row, for kernels of one's own.
    pub fn buffer(&self) -> &Buffer<F::Element> {
        &self.buffer
    }

    /// Its text, aligned, each row in brackets as Sage prints it; of more than 12 rows or columns the first and the last five. Reading a
    /// text without `...` gives the matrix back. The rows shown are downloaded.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(101)?)?;
    /// assert_eq!(space.matrix(2, 2, &[1, 20, 100, 4])?.display()?, "[  1 20]\n[100  4]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::Device`] when the device failed.
    #[inline(never)]
    pub fn display(&self) -> Result<String, LinalgError> {
        let mut shown = Vec::new();
        if self.columns > 0 {
            let mut row = vec![self.field.zero(); self.columns];
            for i in grid::places(self.rows) {
                self.buffer.view(i * self.columns..(i + 1) * self.columns)?.read_into(&mut row)?;
                shown.extend(grid::places(self.columns).into_iter().map(|j| row[j].as_u64().to_string()));
            }
        }
        Ok(grid::text(self.rows, self.columns, &shown))
    }

    /// Fails unless the matrix is square; returns its order.
    pub(crate) fn order(&self, operation: &'static str) -> Result<usize, LinalgError> {
        if self.is_square() {
            Ok(self.rows)
        } else {
            Err(LinalgError::NotSquare { operation, rows: self.rows, columns: self.columns })
        }
    }
}
