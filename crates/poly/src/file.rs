//! Polynomials in files: the coefficients as text or as a `.npy` array, the constant term first.
//!
//! A text has decimal numbers separated by white space or commas, and `#` begins a comment, or is a vector in the Matrix Market format, or
//! `[1, 2, 3]`, or a polynomial such as `x^3 + 2*x + 1`, as Sage and PARI/GP print it ([`crate::text`]);
//! an array has one dimension and integers of any width, or floating-point numbers without fractions. Integers are taken modulo the
//! prime. No coefficients are the zero polynomial.

use std::io::{self, Write};
use std::path::Path;

use manycore_field::{FieldWords, ModularField};
use manycore_files::polynomial::{self, CoefficientError};
use manycore_files::{self as files, FileError, Format, Source};

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Why a polynomial was not read from a file, or not written to one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolyFileError {
    /// The file cannot be read or written, or holds something else than numbers; it says where.
    #[error(transparent)]
    File(#[from] FileError),
    /// A number of an array of floating-point numbers that is no integer.
    #[error("{file}: number {number} is {value}, which is no integer")]
    NotInteger {
        /// The file.
        file: String,
        /// Which number of the file, from 1.
        number: usize,
        /// The value.
        value: f64,
    },
    /// The polynomial is one of another ring, or the device failed.
    #[error(transparent)]
    Poly(#[from] PolyError),
}

/// Reads coefficients over `field` from an opened file, the constant term first; leading zeros are kept. Integers of any size are
/// taken modulo the prime, and so are whole numbers with a point or an exponent.
///
/// `O(n)` for `n` digits, on the calling thread.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_files::Source;
/// use manycore_poly::file::coefficients;
///
/// let field = PrimeField::<u32>::new(7)?;
/// assert_eq!(coefficients(&field, Source::new("f.txt", "3 0 5 1 # cubic".as_bytes())?)?, [3, 0, 5, 1]);
/// assert_eq!(coefficients(&field, Source::new("f.txt", "-1 9 5.0".as_bytes())?)?, [6, 2, 5]);
/// let error = coefficients(&field, Source::new("f.txt", "3\n0.5".as_bytes())?).unwrap_err();
/// assert_eq!(error.to_string(), "f.txt:2: `0.5` is no integer");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PolyFileError::NotInteger`] with the first number of an array that is no integer, and [`PolyFileError::File`] for everything
/// else that is wrong in the file.
pub fn coefficients<F: ModularField>(field: &F, source: Source<'_>) -> Result<Vec<F::Element>, PolyFileError> {
    coefficients_below(field, source, usize::MAX)
}

/// The first `count` coefficients at most, where no more are needed: a text such as `x^1000000000 + 1` has no list of its degree then.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_files::Source;
/// use manycore_poly::file::coefficients_below;
/// let field = PrimeField::<u32>::new(7)?;
/// let source = Source::new("f.txt", "x^1000000000000 + 2*x + 1".as_bytes())?;
/// assert_eq!(coefficients_below(&field, source, 200)?, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`coefficients`].
#[inline(never)]
pub fn coefficients_below<F: ModularField>(
    field: &F,
    source: Source<'_>,
    count: usize,
) -> Result<Vec<F::Element>, PolyFileError> {
    Ok(polynomial::coefficients(&FieldWords(field), source, count)?)
}

impl From<CoefficientError> for PolyFileError {
    fn from(error: CoefficientError) -> Self {
        match error {
            CoefficientError::NotInteger { file, number, value } => Self::NotInteger { file, number, value },
            CoefficientError::File(error) => Self::File(error),
        }
    }
}

impl<F: PolyField> PolyRing<F> {
    /// Reads a polynomial from a file: text, or a `.npy` array; leading zeros are dropped.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("f.npy");
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let f = ring.random(1000, 1)?;
    /// ring.write(&f, &path)?; // an array, because of its name
    /// assert!(ring.equal(&ring.read(&path)?, &f)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`coefficients`]; [`PolyFileError::Poly`] when the device fails.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Poly<F>, PolyFileError> {
        self.read_from(Source::open(path)?)
    }

    /// Reads a polynomial from an opened file, standard input or any reader.
    ///
    /// # Errors
    /// As [`PolyRing::read`].
    #[inline(never)]
    pub fn read_from(&self, source: Source<'_>) -> Result<Poly<F>, PolyFileError> {
        Ok(self.poly(&coefficients(self.field(), source)?)?)
    }

    /// Writes a polynomial to a file, which is whole or as it was ([`files::Target`]): to `.npy` an array of `u32` or `u64`, as the field has its
    /// residues, to any other name text with a coefficient a line. Both end with the leading coefficient.
    ///
    /// # Errors
    /// [`PolyFileError::File`] with the file; [`PolyFileError::Poly`] for a polynomial of another ring, before the file is
    /// touched.
    pub fn write(&self, f: &Poly<F>, path: impl AsRef<Path>) -> Result<(), PolyFileError> {
        let coefficients = self.coefficients(f)?;
        let path = path.as_ref();
        Ok(files::create(path, |out| Format::of(path).write(out, &coefficients))?)
    }

    /// Writes a polynomial into any writer, which errors call `file`.
    ///
    /// # Errors
    /// As [`PolyRing::write`].
    #[inline(never)]
    pub fn write_to(&self, f: &Poly<F>, format: Format, file: &str, out: &mut dyn Write) -> Result<(), PolyFileError> {
        let coefficients = self.coefficients(f)?;
        let wrong = |error: io::Error| FileError::Write { file: file.to_owned(), error };
        Ok(format.write(out, &coefficients).map_err(wrong)?)
    }
}
