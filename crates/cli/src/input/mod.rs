//! Vectors from files: text or `.npy` arrays, told apart by their first bytes; `-` is standard input.

mod npy;
mod text;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::vector::{NumberType, Vector};

/// Why an input cannot be used. Every variant names the file, and the line or value that is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The file cannot be opened or read.
    #[error("{file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// What the system said.
        error: io::Error,
    },
    /// Bytes that are neither UTF-8 nor the beginning of a `.npy` file.
    #[error("{file}:{line}: neither text nor a .npy file")]
    NotText {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// A word that is no number of the type wanted.
    #[error("{file}:{line}: `{value}` is no {expected}")]
    Number {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The word.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A number that its type does not hold.
    #[error("{file}:{line}: {value} is out of the range of {number_type}")]
    Range {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The number.
        value: String,
        /// The type.
        number_type: NumberType,
    },
    /// Two commas with nothing between them, or one at the beginning of a line.
    #[error("{file}:{line}: no number before comma {comma}")]
    Comma {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The comma's number in the line, from 1.
        comma: usize,
    },
    /// A file without values.
    #[error("{file}: no values")]
    Empty {
        /// The file.
        file: String,
    },
    /// A `.npy` file that cannot be read.
    #[error("{file}: {reason}")]
    Npy {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An array of several dimensions.
    #[error("{file}: an array of shape ({shape}), where a vector has one dimension")]
    Shape {
        /// The file.
        file: String,
        /// Its shape, as the file has it.
        shape: String,
    },
    /// A value of a `.npy` file that the type wanted does not hold.
    #[error("{file}: value {index}, {value}, is no {number_type}")]
    Value {
        /// The file.
        file: String,
        /// Its index, from 0.
        index: usize,
        /// The value.
        value: String,
        /// The type.
        number_type: NumberType,
    },
    /// A coefficient that is no residue of the modulus.
    #[error("{place}: coefficient {index} is {value}, and must be at least 0 and below the modulus {modulus}")]
    Residue {
        /// The file, and the line of a text.
        place: String,
        /// The coefficient's index, from 0.
        index: usize,
        /// The value.
        value: i128,
        /// The modulus.
        modulus: u64,
    },
    /// A length that the transform is not defined for.
    #[error("{file}: {len} values: the length of a transform must be a power of two")]
    NotPowerOfTwo {
        /// The file.
        file: String,
        /// The length.
        len: usize,
    },
    /// A length that is no multiple of the length of one transform.
    #[error("{file}: {len} values are no whole number of transforms of {batch} (--batch)")]
    Batch {
        /// The file.
        file: String,
        /// The length.
        len: usize,
        /// The length of one transform.
        batch: usize,
    },
    /// Integers whose spectrum could leave its type.
    #[error(
        "{file}: coefficients of transform {transform} could reach {bound}, past the largest {number_type}; \
         use --type {wider}, or --wrap to compute modulo 2^{bits}"
    )]
    Overflow {
        /// The file.
        file: String,
        /// Which transform of the batch, from 0.
        transform: usize,
        /// The sum of the sizes of the values.
        bound: i128,
        /// The type.
        number_type: NumberType,
        /// A type that would do.
        wider: NumberType,
        /// The type's bits.
        bits: u32,
    },
    /// The input of an integer inverse that is no spectrum of integers.
    #[error("{file}: no spectrum of integers: value {index} of its inverse is {numerator}/{len}; use --type f64")]
    NotSpectrum {
        /// The file.
        file: String,
        /// The value's index, from 0.
        index: usize,
        /// The value times the length.
        numerator: i64,
        /// The length.
        len: usize,
    },
    /// A value that `--verify` cannot compute with.
    #[error("{file}: value {index} is {value}: --verify checks finite values only")]
    NotFinite {
        /// The file.
        file: String,
        /// The value's index, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
}

/// What messages call a file.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads a vector of the type wanted. Without one, integers become i64 and a text with fractions f64; an array of
/// floating-point numbers keeps its type.
///
/// # Errors
/// [`InputError`] with the file and what is wrong in it.
pub fn vector(path: &Path, wanted: Option<NumberType>) -> Result<Vector, InputError> {
    let (reader, is_npy) = open(path)?;
    let file = name(path);
    let vector = if is_npy { npy::read(reader, &file, wanted)? } else { text::read(reader, &file, wanted)? };
    if vector.is_empty() {
        return Err(InputError::Empty { file });
    }
    Ok(vector)
}

/// Reads the coefficients of a polynomial mod `modulus`, the constant term first; none are the zero polynomial.
///
/// # Errors
/// [`InputError::Residue`] with the index of the first that is not below the modulus; [`InputError`] for the rest.
pub fn residues(path: &Path, modulus: u64) -> Result<Vec<u64>, InputError> {
    let (reader, is_npy) = open(path)?;
    let file = name(path);
    if is_npy { npy::residues(reader, &file, modulus) } else { text::residues(reader, &file, modulus) }
}

/// Opens a file, and tells whether it begins like an array.
fn open(path: &Path) -> Result<(Box<dyn BufRead>, bool), InputError> {
    let failed = |error| InputError::Read { file: name(path), error };
    let mut reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::with_capacity(1 << 16, File::open(path).map_err(failed)?))
    };
    // Text never begins with this byte: it is no first byte of a character.
    let is_npy = reader.fill_buf().map_err(failed)?.first() == Some(&npy::MAGIC[0]);
    Ok((reader, is_npy))
}

/// The integer as a residue, if it is one; `place` tells where it stands.
fn residue(value: i128, modulus: u64, index: usize, place: impl Fn() -> String) -> Result<u64, InputError> {
    match u64::try_from(value) {
        Ok(residue) if residue < modulus => Ok(residue),
        _ => Err(InputError::Residue { place: place(), index, value, modulus }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(name(Path::new("-")), "standard input");
        assert_eq!(name(Path::new("a/b.txt")), "a/b.txt");
    }

    #[test]
    fn an_absent_file_is_named() {
        let error = vector(Path::new("no/such/file"), None).unwrap_err();
        assert!(error.to_string().starts_with("no/such/file: "), "{error}");
    }
}
