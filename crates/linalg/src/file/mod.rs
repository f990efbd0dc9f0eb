//! Matrices in files: text with a row a line, Matrix Market, SMS, Harwell-Boeing and `.npy` arrays.
//!
//! | format | told by |
//! |---|---|
//! | `.npy`: an array of two dimensions, by rows or by columns | the first byte |
//! | text: the numbers of a row on a line, separated by white space or commas; `#` begins a comment | anything else |
//! | brackets of Sage and PARI/GP: `[1, 2; 3, 4]`, `[[1, 2], [3, 4]]`, rows `[1 2]` on lines, `matrix(GF(7), [[1, 2], [3, 4]])`, entries `Mod(3, 7)` | a bracket at the beginning, or `matrix(` |
//! | Matrix Market: coordinate or array; general, symmetric or skew-symmetric; real, integer or pattern | the first word `%%MatrixMarket` |
//! | SMS: `rows columns M`, then `row column value` from 1, closed by `0 0 0` | three words on the first line, of which the last is `M` |
//! | Harwell-Boeing: assembled matrices | a type such as `RUA` at the beginning of line 3 |
//!
//! A place that is given twice is an error.
//!
//! Sources: Boisvert, Pozo, Remington, "The Matrix Market exchange formats", NISTIR 5935 (1996); the SMS format of `LinBox`.

mod bits;
mod entry;
mod error;
mod parse;

use manycore_field::ResidueWord as _;
use manycore_files::{DecimalInteger, Source};

use self::error::of_matrix;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

pub use entry::{Dense, FileEntry};
pub use error::MatrixFileError;
pub use manycore_files::write_integers;

/// Reads a matrix whose entries are `i128`, `DecimalInteger`, `BigInt` or `f64` from a source that [`Source::matrix`] opened; entries that a file of coordinates leaves out are zero.
///
/// ```
/// use manycore_files::Source;
/// use manycore_linalg::file::read;
/// let text = "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 5\n2 1 -3\n";
/// let matrix = read::<i128>(Source::new("a.mtx", text.as_bytes())?)?;
/// assert_eq!((matrix.rows, matrix.entries), (2, vec![5, -3, -3, 0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MatrixFileError`] with the file and what is wrong in it.
pub fn read<T: FileEntry>(source: Source<'_>) -> Result<Dense<T>, MatrixFileError> {
    read_as(source, None, &T::zero(), |value| value)
}

/// Reads a matrix of numbers, each of which is converted at once, modulo `modulus` where there is one; `zero` stands where a file of coordinates has no entry.
fn read_as<T: FileEntry, U: Clone + Send>(
    source: Source<'_>,
    modulus: Option<u64>,
    zero: &U,
    convert: impl Fn(T) -> U + Sync,
) -> Result<Dense<U>, MatrixFileError> {
    match source {
        Source::Text(text) => parse::matrix(&text, modulus, zero, convert),
        Source::Array(array) => parse::array(array, zero, convert),
    }
}

/// Reads a matrix of integers of any size modulo the prime of a field.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_files::Source;
/// use manycore_linalg::file::residues;
/// let field = PrimeField::<u32>::new(7)?;
/// let text = "-1 7\n100000000000000000000000000000000000000000 3.0";
/// assert_eq!(residues(&field, Source::new("a.txt", text.as_bytes())?)?.entries, [6, 0, 5, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read`].
pub fn residues<F: MatrixField>(field: &F, source: Source<'_>) -> Result<Dense<F::Element>, MatrixFileError> {
    let p = field.order();
    read_as(source, Some(p), &field.zero(), |value: DecimalInteger| F::Element::from_u64(value.residue(p)))
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// Reads a matrix from an opened file: text, Matrix Market, SMS, Harwell-Boeing or an array.
    ///
    /// # Errors
    /// As [`residues`]; [`MatrixFileError::Matrix`] for too little memory or when the device fails.
    pub fn read_from(&self, source: Source<'_>) -> Result<Matrix<F>, MatrixFileError> {
        let file = source.file().to_owned();
        let Dense { rows, columns, entries } = residues(self.field(), source)?;
        self.matrix(rows, columns, &entries).map_err(|error| of_matrix(&file, error))
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(101).unwrap()).unwrap();
        for (rows, columns) in [(1, 1), (2, 3), (5, 1), (0, 3), (3, 0)] {
            let a = space.random(rows, columns, 4).unwrap();
            let mut text = Vec::new();
            write_integers(&mut text, rows, columns, &space.entries(&a).unwrap()).unwrap();
            let back = space.read_from(Source::new("a.mtx", &text[..]).unwrap()).unwrap();
            assert!(space.equal(&a, &back).unwrap());
        }
    }

    #[test]
    fn integers_of_any_size_are_taken_modulo_the_prime() {
        let field = PrimeField::<u32>::new(7).unwrap();
        let read = |text: &str| {
            residues(&field, Source::new("a", text.as_bytes()).unwrap())
                .map(|dense| dense.entries)
                .map_err(|error| error.to_string())
        };
        assert_eq!(read("1 2\n3 7"), Ok(vec![1, 2, 3, 0]));
        assert_eq!(read("-1 -7 -8"), Ok(vec![6, 0, 6]));
        assert_eq!(read("3.0 1.5D+03"), Ok(vec![3, 2]));
        assert_eq!(read("0.5"), Err("a:1: `0.5` is no integer".into()));
        // 2^64 = 2, and -(2^128 + 1) = -5 = 2.
        let past = "%%MatrixMarket matrix array integer general\n2 2\n18446744073709551616\n1\n-1\n\
                    -340282366920938463463374607431768211457\n";
        assert_eq!(read(past), Ok(vec![2, 6, 1, 2]));
        let skew = "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n4\n-1\n7\n";
        assert_eq!(read(skew), Ok(vec![0, 3, 1, 4, 0, 0, 6, 0, 0]));
        assert_eq!(read("2 3 M\n1 2 8\n2 1 0\n2 3 -2\n0 0 0\n"), Ok(vec![0, 1, 0, 0, 0, 5]));
    }
}
