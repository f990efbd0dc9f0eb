//! Entries of a matrix as a file has them, and the matrices that they make.

use std::fs::File;
use std::path::Path;

use manycore_field::{ModularField, ResidueWord as _};
use manycore_files::memory::{filled, push, reserve};
use manycore_files::{
    DecimalInteger, EntryValue, FileError, LineFault, MatrixKind, MatrixText, Number, RepeatedEntries, Symmetry,
    decode, read_all, shown, shown_path,
};
use num_complex::Complex;
use sprs::CsMat;

use super::error::SparseFileError;
use crate::error::SparseError;
use crate::pattern::{Pattern, check_sizes};

/// The largest integer up to which double precision is exact for every integer, `2^53 - 1`: a larger value may stand for a rounded one.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_991.0;

/// Values of entries, of one kind.
#[derive(Debug, Clone, PartialEq)]
pub enum MatrixValues {
    /// None: every entry is 1.
    Pattern,
    /// Integers of 64 bits.
    Integer(Vec<i64>),
    /// Integers of which one at least does not fit 64 bits.
    LongInteger(Vec<DecimalInteger>),
    /// Real numbers; NaN and infinities are kept.
    Real(Vec<f64>),
    /// Complex numbers.
    Complex(Vec<Complex<f64>>),
}

impl MatrixValues {
    /// The kind's name in Matrix Market.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Integer(_) | Self::LongInteger(_) => "integer",
            Self::Real(_) => "real",
            Self::Complex(_) => "complex",
        }
    }
}

/// The entries of a matrix, in the order of its file; those that a symmetry implies follow the entry that they mirror.
///
/// An entry may come several times: the matrices made from it have the sum, added in the order of the file. Entries that
/// are zero are kept.
///
/// ```
/// use manycore_sparse::MatrixEntries;
/// let text = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n2 2 3\n1 1 4\n2 1 -1\n2 1 0.5\n";
/// let matrix = MatrixEntries::parse(text.as_bytes(), "a.mtx")?.reals()?;
/// assert_eq!([matrix.get(0, 0), matrix.get(0, 1), matrix.get(1, 0)], [Some(&4.0), Some(&-0.5), Some(&-0.5)]);
/// let error = MatrixEntries::parse(text.replace("2 1 0.5", "3 1 0.5").as_bytes(), "a.mtx").unwrap_err();
/// assert_eq!(error.to_string(), "a.mtx:6: row 3 is out of range: the matrix has rows 1 to 2");
/// # Ok::<(), manycore_sparse::SparseFileError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixEntries {
    pub(super) file: String,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) symmetry: Symmetry,
    /// Rows and columns, from 0.
    pub(super) places: Vec<(u32, u32)>,
    pub(super) values: MatrixValues,
}

impl MatrixEntries {
    /// Reads a file: Matrix Market, Harwell-Boeing or SMS, distinguished by [`manycore_files::MatrixFormat::of`].
    ///
    /// # Errors
    /// As [`MatrixEntries::parse`]; [`SparseFileError::File`] where it cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SparseFileError> {
        let path = path.as_ref();
        let file = shown_path(path);
        let opened = File::open(path).map_err(|error| FileError::Read { file: file.clone(), error })?;
        Self::parse(&read_all(opened, &file)?, &file)
    }

    /// Reads the bytes of a file, which errors call `file`. Matrix Market: coordinate or array, real, integer, complex
    /// or pattern, general, symmetric, skew-symmetric or Hermitian. Harwell-Boeing: assembled matrices, of which right sides are
    /// left. SMS: integers. Bytes are text as [`manycore_files::decode`] has it. Time linear in the bytes.
    ///
    /// # Errors
    /// [`FileError::Line`] with the first line that is wrong and why; [`FileError::Memory`].
    pub fn parse(bytes: &[u8], file: &str) -> Result<Self, SparseFileError> {
        let decoded = decode(bytes, file)?;
        let text = MatrixText::new(decoded.as_bytes(), file)?;
        let head = text.head();
        let (rows, columns, symmetry) = (head.rows, head.columns, head.symmetry);
        let mut places = Vec::new();
        let values = match head.kind {
            MatrixKind::Pattern => values::<()>(text, file, &mut places).map(|_| MatrixValues::Pattern)?,
            MatrixKind::Integer => match values(text, file, &mut places) {
                Ok(values) => MatrixValues::Integer(values),
                Err(FileError::Line { reason, .. }) if matches!(*reason, LineFault::Overflow { .. }) => {
                    places.clear();
                    let text = MatrixText::new(decoded.as_bytes(), file)?;
                    values(text, file, &mut places).map(MatrixValues::LongInteger)?
                }
                Err(error) => return Err(error.into()),
            },
            MatrixKind::Real => values(text, file, &mut places).map(MatrixValues::Real)?,
            MatrixKind::Complex => values(text, file, &mut places).map(MatrixValues::Complex)?,
        };
        Ok(Self { file: file.to_owned(), rows, columns, symmetry, places, values })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Entries, those that a symmetry implies among them, repeated ones each time.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The symmetry in the file's header.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// Rows and columns of the entries, from 0.
    pub fn places(&self) -> &[(u32, u32)] {
        &self.places
    }

    /// The values of the entries.
    pub fn values(&self) -> &MatrixValues {
        &self.values
    }

    /// The matrix in compressed rows; entries of a pattern are 1.
    ///
    /// # Errors
    /// [`SparseFileError::Kind`] for complex values; [`SparseFileError::Rounded`] for an integer that no number of double precision
    /// is; [`FileError::Memory`].
    pub fn reals(&self) -> Result<CsMat<f64>, SparseFileError> {
        match &self.values {
            MatrixValues::Pattern => self.compressed(|_| 1.0, |a, b| a + b),
            MatrixValues::Integer(_) | MatrixValues::LongInteger(_) => {
                let numbers = self.doubles()?;
                self.compressed(|at| numbers[at], |a, b| a + b)
            }
            MatrixValues::Real(values) => self.compressed(|at| values[at], |a, b| a + b),
            MatrixValues::Complex(_) => Err(self.unfit("real")),
        }
    }

    /// Integers as the numbers of double precision that they are.
    fn doubles(&self) -> Result<Vec<f64>, SparseFileError> {
        let mut numbers = Vec::new();
        reserve(&mut numbers, self.len(), || format!("the values of {}", self.file))?;
        let rounded = |at: usize, value: &dyn ToString| {
            let ((row, column), value) = (self.place(at), shown(&value.to_string()));
            SparseFileError::Rounded { file: self.file.clone(), row, column, value }
        };
        match &self.values {
            MatrixValues::Integer(values) => {
                for (at, &value) in values.iter().enumerate() {
                    let number = value as f64;
                    if number as i128 != i128::from(value) {
                        return Err(rounded(at, &value));
                    }
                    numbers.push(number);
                }
            }
            MatrixValues::LongInteger(values) => {
                for (at, value) in values.iter().enumerate() {
                    // Digits are read as the nearest number, whose digits are those of the integer where both are the same.
                    let number = value.to_string().parse::<f64>().ok();
                    let same = number.filter(|&number| Number::Real(number).decimal().as_ref() == Some(value));
                    numbers.push(same.ok_or_else(|| rounded(at, value))?);
                }
            }
            _ => return Err(self.unfit("integer")),
        }
        Ok(numbers)
    }

    /// Row and column of an entry, from 1.
    fn place(&self, at: usize) -> (u64, u64) {
        let (row, column) = self.places[at];
        (u64::from(row) + 1, u64::from(column) + 1)
    }

    /// The whole numbers of real values.
    fn whole(&self, values: &[f64]) -> Result<(), SparseFileError> {
        match values.iter().position(|value| value.fract() != 0.0 || value.abs() > LARGEST_WHOLE) {
            None => Ok(()),
            Some(at) => {
                let ((row, column), value) = (self.place(at), values[at]);
                Err(SparseFileError::NotInteger { file: self.file.clone(), row, column, value })
            }
        }
    }

    /// The matrix of integers in compressed rows; entries of a pattern are 1, and real values integers where they are whole.
    ///
    /// # Errors
    /// [`SparseFileError::Kind`] for complex values; [`SparseFileError::NotInteger`] for real ones that are no integers;
    /// [`SparseFileError::Matrix`] for integers and sums of repeated entries past 64 bits; [`FileError::Memory`].
    pub fn integers(&self) -> Result<CsMat<i64>, SparseFileError> {
        let sums = match &self.values {
            MatrixValues::Pattern => self.compressed(|_| 1, |a, b| a + b)?,
            // A file has fewer than 2^63 entries.
            MatrixValues::Integer(values) => self.compressed(|at| i128::from(values[at]), |a, b| a + b)?,
            MatrixValues::LongInteger(_) => return Err(self.past()),
            MatrixValues::Real(values) => {
                self.whole(values)?;
                self.compressed(|at| values[at] as i128, |a, b| a + b)?
            }
            MatrixValues::Complex(_) => return Err(self.unfit("integer")),
        };
        if sums.data().iter().any(|&sum| i64::try_from(sum).is_err()) {
            return Err(self.past());
        }
        Ok(sums.map(|&sum| sum as i64))
    }

    /// The matrix without values in compressed rows.
    ///
    /// # Errors
    /// [`FileError::Memory`].
    pub fn structure(&self) -> Result<CsMat<()>, SparseFileError> {
        self.compressed(|_| (), |(), ()| ())
    }

    /// The places of the entries, each once.
    ///
    /// # Errors
    /// [`SparseFileError::Matrix`] for `2^32 - 1` rows or columns; [`FileError::Memory`].
    pub fn pattern(&self) -> Result<Pattern, SparseFileError> {
        check_sizes(self.rows, self.columns)
            .map_err(|error| SparseFileError::Matrix { file: self.file.clone(), error: Box::new(error) })?;
        let (offsets, places, _) = self.structure()?.into_raw_storage();
        let mut indices = Vec::new();
        reserve(&mut indices, places.len(), || format!("the matrix of {}", self.file))?;
        indices.extend(places.iter().map(|&column| column as u32));
        Ok(Pattern::from_parts(self.rows, self.columns, offsets, indices))
    }

    /// The matrix in compressed rows over the complex numbers.
    ///
    /// # Errors
    /// [`FileError::Memory`].
    pub fn complexes(&self) -> Result<CsMat<Complex<f64>>, SparseFileError> {
        let real = |value: f64| Complex::new(value, 0.0);
        match &self.values {
            MatrixValues::Pattern => self.compressed(|_| real(1.0), |a, b| a + b),
            MatrixValues::Integer(_) | MatrixValues::LongInteger(_) => {
                let numbers = self.doubles()?;
                self.compressed(|at| real(numbers[at]), |a, b| a + b)
            }
            MatrixValues::Real(values) => self.compressed(|at| real(values[at]), |a, b| a + b),
            MatrixValues::Complex(values) => self.compressed(|at| values[at], |a, b| a + b),
        }
    }

    /// The matrix of residues in compressed rows; entries of a pattern are 1, integers of any size are taken modulo the prime, and
    /// so are real values that are whole. Entries that are residue 0 are kept.
    ///
    /// # Errors
    /// [`SparseFileError::Kind`] for complex values; [`SparseFileError::NotInteger`] for real ones that are no integers;
    /// [`FileError::Memory`].
    pub fn residues<F: ModularField>(&self, field: &F) -> Result<CsMat<F::Element>, SparseFileError> {
        let add = |a, b| field.add(a, b);
        let p = i128::from(field.order());
        match &self.values {
            MatrixValues::Pattern => self.compressed(|_| field.one(), add),
            MatrixValues::Integer(values) => {
                self.compressed(|at| F::Element::from_u64(i128::from(values[at]).rem_euclid(p) as u64), add)
            }
            MatrixValues::LongInteger(values) => {
                self.compressed(|at| F::Element::from_u64(values[at].residue(field.order())), add)
            }
            MatrixValues::Real(values) => {
                self.whole(values)?;
                self.compressed(|at| F::Element::from_u64((values[at] as i128).rem_euclid(p) as u64), add)
            }
            MatrixValues::Complex(_) => Err(self.unfit("integer")),
        }
    }

    /// The error of integers that do not fit.
    fn past(&self) -> SparseFileError {
        let reason = "an integer or a sum of repeated entries is past 64 bits".to_owned();
        SparseFileError::Matrix { file: self.file.clone(), error: Box::new(SparseError::Structure { reason }) }
    }

    fn unfit(&self, wanted: &'static str) -> SparseFileError {
        SparseFileError::Kind { file: self.file.clone(), found: self.values.kind(), wanted }
    }

    /// Compressed rows: a counting sort by row, each row sorted by column, equal places added in the order of the file.
    fn compressed<V: Copy>(
        &self,
        value: impl Fn(usize) -> V,
        add: impl Fn(V, V) -> V,
    ) -> Result<CsMat<V>, SparseFileError> {
        let what = || format!("the matrix of {}", self.file);
        let mut offsets = filled(0usize, self.rows + 1, what)?;
        for &(row, _) in &self.places {
            offsets[row as usize + 1] += 1;
        }
        for row in 0..self.rows {
            offsets[row + 1] += offsets[row];
        }
        // Entries by row, each with its column and its place in the file; where a row begins moves to where it ends.
        let mut sorted = filled((0u32, 0usize), self.len(), what)?;
        for (at, &(row, column)) in self.places.iter().enumerate() {
            let place = &mut offsets[row as usize];
            sorted[*place] = (column, at);
            *place += 1;
        }
        let (mut indices, mut data) = (Vec::new(), Vec::<V>::new());
        reserve(&mut indices, self.len(), what)?;
        reserve(&mut data, self.len(), what)?;
        let mut begin = 0;
        for offset in &mut offsets[..self.rows] {
            let end = std::mem::replace(offset, indices.len());
            let entries = &mut sorted[begin..end];
            begin = end;
            entries.sort_unstable();
            for equal in entries.chunk_by(|a, b| a.0 == b.0) {
                indices.push(equal[0].0 as usize);
                let sum = equal[1..].iter().fold(value(equal[0].1), |sum, &(_, at)| add(sum, value(at)));
                data.push(sum);
            }
        }
        offsets[self.rows] = indices.len();
        CsMat::try_new((self.rows, self.columns), offsets, indices, data).map_err(|(_, _, _, error)| {
            SparseFileError::Matrix {
                file: self.file.clone(),
                error: Box::new(SparseError::Structure { reason: error.to_string() }),
            }
        })
    }
}

/// The values of all entries; their places go into `places`.
fn values<T: EntryValue>(text: MatrixText<'_>, file: &str, places: &mut Vec<(u32, u32)>) -> Result<Vec<T>, FileError> {
    let mut values = Vec::new();
    text.entries(RepeatedEntries::Keep, |entry| {
        let what = || format!("the entries of {file}");
        push(places, (entry.row, entry.column), what)?;
        push(&mut values, entry.value, what)?;
        Ok::<(), FileError>(())
    })?;
    Ok(values)
}
