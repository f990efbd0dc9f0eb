//! Dense matrices modulo 2, from and to rows of packed bytes without a byte for each entry.

use manycore::linalg::bits::{BitAlgebra, BitMatrix, BitSolution};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{of_type, owned_matrix, reading, wrong_type};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::work::run;

/// Bytes of a word of a row.
const WORD_BYTES: usize = size_of::<u64>();

/// The words of rows of `columns` bits from their bytes, `numpy.packbits` along the rows: the first entry of a byte is its highest
/// bit where `is_big`, else its lowest.
fn words(bytes: &[u8], columns: usize, is_big: bool) -> Vec<u64> {
    let word = |part: &[u8]| {
        let mut whole = [0; WORD_BYTES];
        whole[..part.len()].copy_from_slice(part);
        let word = u64::from_le_bytes(whole);
        if is_big { word.reverse_bits().swap_bytes() } else { word }
    };
    bytes.chunks(columns.div_ceil(8).max(1)).flat_map(|row| row.chunks(WORD_BYTES).map(word)).collect()
}

/// The bytes of [`words`] from rows of words.
fn bytes(words: &[u64], columns: usize, is_big: bool) -> Vec<u8> {
    let width = columns.div_ceil(8);
    let row = |row: &[u64]| -> Vec<u8> {
        let word = |&word: &u64| if is_big { word.reverse_bits().swap_bytes() } else { word }.to_le_bytes();
        row.iter().flat_map(word).take(width).collect()
    };
    words.chunks(columns.div_ceil(8 * WORD_BYTES).max(1)).flat_map(row).collect()
}

/// A matrix modulo 2 on a device, 64 entries to a word.
#[pyclass(frozen, name = "BitMatrix", module = "manycore._native")]
pub(crate) struct PyBitMatrix {
    space: BitAlgebra,
    matrix: BitMatrix,
}

impl PyBitMatrix {
    fn of(&self, matrix: BitMatrix) -> Self {
        Self { space: self.space.clone(), matrix }
    }
}

#[pymethods]
impl PyBitMatrix {
    /// The matrix of packed rows; bits past the last column count for nothing.
    #[new]
    fn new(device: &PyDevice, packed: &Bound<'_, PyAny>, shape: (usize, usize), is_big: bool) -> PyResult<Self> {
        let array = of_type::<u8>(packed).ok_or_else(|| wrong_type(packed, "uint8"))?;
        let access = reading(&array)?;
        let given = access.as_slice()?;
        let (rows, columns) = shape;
        if Some(given.len()) != rows.checked_mul(columns.div_ceil(8)) {
            let given = given.len();
            let message = format!("{given} bytes, and {rows} rows of {columns} bits have {} each", columns.div_ceil(8));
            return Err(PyValueError::new_err(message));
        }
        let space = device.0.bits().clone();
        let matrix = space.matrix(rows, columns, &words(given, columns, is_big)).or_raise()?;
        Ok(Self { space, matrix })
    }

    #[staticmethod]
    fn identity(device: &PyDevice, order: usize) -> PyResult<Self> {
        let space = device.0.bits().clone();
        Ok(Self { matrix: space.identity(order).or_raise()?, space })
    }

    #[staticmethod]
    fn random(py: Python<'_>, device: &PyDevice, rows: usize, columns: usize, seed: u64) -> PyResult<Self> {
        let space = device.0.bits().clone();
        Ok(Self { matrix: run(py, || space.random(rows, columns, seed))?.or_raise()?, space })
    }

    #[getter]
    fn shape(&self) -> (usize, usize) {
        self.matrix.shape()
    }

    /// The packed rows.
    fn packed<'py>(&self, py: Python<'py>, is_big: bool) -> PyResult<Bound<'py, PyAny>> {
        let (rows, columns) = self.matrix.shape();
        let packed = run(py, || Ok(bytes(&self.space.words(&self.matrix)?, columns, is_big)))?;
        let packed: Result<_, manycore::LinalgError> = packed;
        owned_matrix(py, rows, columns.div_ceil(8), packed.or_raise()?)
    }

    fn add(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        Ok(self.of(run(py, || self.space.add(&self.matrix, &other.matrix))?.or_raise()?))
    }

    fn mul(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        Ok(self.of(run(py, || self.space.mul(&self.matrix, &other.matrix))?.or_raise()?))
    }

    fn transpose(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(self.of(run(py, || self.space.transpose(&self.matrix))?.or_raise()?))
    }

    fn inverse(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(self.of(run(py, || self.space.inverse(&self.matrix))?.or_raise()?))
    }

    fn nullspace(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(self.of(run(py, || self.space.nullspace(&self.matrix))?.or_raise()?))
    }

    fn echelon(&self, py: Python<'_>) -> PyResult<(Self, Vec<usize>)> {
        let found = run(py, || self.space.echelon(&self.matrix))?.or_raise()?;
        let matrix = self.space.copy_of(found.matrix()).or_raise()?;
        Ok((self.of(matrix), found.pivots().to_vec()))
    }

    fn solve(&self, py: Python<'_>, right: &Self) -> PyResult<Option<Self>> {
        Ok(match run(py, || self.space.solve(&self.matrix, &right.matrix))?.or_raise()? {
            BitSolution::Unique(x) | BitSolution::Affine { point: x, .. } => Some(self.of(x)),
            BitSolution::None => None,
        })
    }

    fn rank(&self, py: Python<'_>) -> PyResult<usize> {
        run(py, || self.space.rank(&self.matrix))?.or_raise()
    }

    fn determinant(&self, py: Python<'_>) -> PyResult<bool> {
        run(py, || self.space.determinant(&self.matrix))?.or_raise()
    }

    fn equal(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        run(py, || self.space.equal(&self.matrix, &other.matrix))?.or_raise()
    }
}
