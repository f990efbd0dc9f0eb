//! Inputs as numbers: vectors, complex numbers, residues, values of Boolean functions.

use manycore_field::{FieldWords, ModularField};
use manycore_files::memory::{probe, push};
use manycore_files::polynomial::coefficients;
use manycore_files::{FileError, NotFinite, Numeral as _, OutOfMemory, Source, shown};

use crate::failure::OperationError;
use crate::job::Files;
use crate::value_error::ValueError;
use crate::vector::{NumberType, Vector};

/// Reads a vector of the type wanted. Without one, integers become i64 and a text with fractions f64; an array of floating-point numbers
/// keeps its type.
///
/// # Errors
/// What is wrong in the file, and where; [`ValueError::Empty`].
pub fn vector(files: &mut dyn Files, input: usize, wanted: Option<NumberType>) -> Result<Vector, OperationError> {
    let source = files.numbers(input)?;
    of_source(source, wanted)
}

/// Reads a vector, and an array of complex numbers as their real and imaginary parts, one after the other. Tells whether it was such an
/// array.
///
/// # Errors
/// As [`vector`].
pub fn vector_of_parts(
    files: &mut dyn Files,
    input: usize,
    wanted: Option<NumberType>,
) -> Result<(Vector, bool), OperationError> {
    let (source, is_complex) = files.parts(input)?;
    Ok((of_source(source, wanted)?, is_complex))
}

fn of_source(source: Source<'_>, wanted: Option<NumberType>) -> Result<Vector, OperationError> {
    let file = source.file().to_owned();
    let vector = Vector::read(source, wanted, NotFinite::Refused)?;
    vector.room_for_results(&file)?;
    if vector.is_empty() { Err(ValueError::Empty { file }.into()) } else { Ok(vector) }
}

/// Reads integers modulo the prime of a field, of no values too.
///
/// # Errors
/// What is wrong in the file, and where.
pub fn residues<F: ModularField>(
    files: &mut dyn Files,
    input: usize,
    field: &F,
) -> Result<Vec<F::Element>, OperationError> {
    let source = files.numbers(input)?;
    let file = source.file().to_owned();
    let values = coefficients(&FieldWords(field), source, usize::MAX)?;
    room_for_results(&values, &file)?;
    Ok(values)
}

/// Reads values of Boolean functions.
///
/// # Errors
/// [`ValueError::NoBit`] with the place of the first value other than 0 and 1; [`ValueError::Empty`]; what is wrong in the file.
pub fn bits(files: &mut dyn Files, input: usize) -> Result<Vec<u8>, OperationError> {
    let source = files.numbers(input)?;
    each(source, bit)
}

fn bit(place: &str, index: usize, value: &str) -> Result<u8, ValueError> {
    match u32::of_word(value, NotFinite::Refused) {
        Ok(0) => Ok(0),
        Ok(1) => Ok(1),
        _ => Err(ValueError::NoBit { place: place.to_owned(), index, value: shown(value) }),
    }
}

/// Reads words below 2^64: hexadecimal after `0x`, or decimal.
///
/// # Errors
/// [`ValueError::NoWord`] with the place of the first that is none; [`ValueError::Empty`]; what is wrong in the file.
pub fn words(files: &mut dyn Files, input: usize) -> Result<Vec<u64>, OperationError> {
    let source = files.numbers(input)?;
    each(source, word)
}

fn word(place: &str, index: usize, value: &str) -> Result<u64, ValueError> {
    let number = match value.strip_prefix("0x") {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok(),
        Some(_) => None,
        None => u64::of_word(value, NotFinite::Refused).ok(),
    };
    number.ok_or_else(|| ValueError::NoWord { place: place.to_owned(), index, value: shown(value) })
}

/// Why a value is not taken.
enum Wrong {
    File(FileError),
    Value(ValueError),
}

impl From<FileError> for Wrong {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<Wrong> for OperationError {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::File(error) => error.into(),
            Wrong::Value(error) => error.into(),
        }
    }
}

/// Takes every value of a file, with its place (the file, and the line of a text) and its index; those of an array as a text has them.
fn each<T>(
    source: Source<'_>,
    take: impl Fn(&str, usize, &str) -> Result<T, ValueError>,
) -> Result<Vec<T>, OperationError> {
    let file = source.file().to_owned();
    let mut values = Vec::new();
    let (mut place, mut place_line) = (String::new(), 0);
    let mut add = |place: &str, index: usize, word: &str| {
        let value = take(place, index, word).map_err(Wrong::Value)?;
        push(&mut values, value, || format!("the values of {file}")).map_err(|error| Wrong::File(error.into()))
    };
    let mut count = 0;
    match source {
        Source::Text(text) => text.words(|line, word| {
            if line != place_line {
                (place, place_line) = (format!("{file}:{line}"), line);
            }
            count += 1;
            add(&place, count - 1, word)
        })?,
        Source::Array(array) => array.each(|index, number| {
            let text = number.integer().map_or_else(|| number.to_string(), |integer| integer.to_string());
            add(&file, index, &text)
        })?,
    }
    if values.is_empty() {
        return Err(ValueError::Empty { file }.into());
    }
    room_for_results(&values, &file)?;
    Ok(values)
}

/// Refuses values with which nothing can be computed: there must be memory for them on a device, and for their result.
fn room_for_results<T>(values: &[T], file: &str) -> Result<(), OutOfMemory> {
    probe(2 * size_of_val(values) as u64, || format!("the results of {file}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source<'_> {
        Source::new("x", text.as_bytes()).unwrap()
    }

    fn bits_of(text: &str) -> Result<Vec<u8>, String> {
        each(source(text), bit).map_err(|error| error.to_string())
    }

    fn words_of(text: &str) -> Result<Vec<u64>, String> {
        each(source(text), word).map_err(|error| error.to_string())
    }

    #[test]
    fn values_other_than_bits_are_told_with_their_index() {
        assert_eq!(bits_of("1, 0 # f\n0.0 1e0"), Ok(vec![1, 0, 0, 1]));
        for (text, line, index, value) in
            [("1 0\n2", 2, 3, "2"), ("-1", 1, 1, "-1"), ("0 0.5", 1, 2, "0.5"), ("0\n\nb", 3, 2, "b")]
        {
            let message = format!("x:{line}: value {index} is {value}: a Boolean function has the values 0 and 1 only");
            assert_eq!(bits_of(text), Err(message));
        }
        assert_eq!(bits_of("#"), Err("x: no values".to_owned()));
    }

    #[test]
    fn words_are_hexadecimal_or_decimal() {
        assert_eq!(words_of("0xB9 0xffffffffffffffff 17 2e3"), Ok(vec![0xB9, u64::MAX, 17, 2000]));
        for wrong in ["0x1ffffffffffffffff", "b9", "-1", "0x", "0x+1", "18446744073709551616"] {
            let message = format!("x:1: word 2, {wrong}, is no number below 2^64");
            assert_eq!(words_of(&format!("1 {wrong}")), Err(message));
        }
    }

    #[test]
    fn arrays_are_read_alike() {
        let mut bytes = Vec::new();
        manycore_files::write_npy(&mut bytes, &[1.0f32, 0.0, 0.5]).unwrap();
        let error = each(Source::new("x.npy", &bytes[..]).unwrap(), bit).unwrap_err().to_string();
        assert_eq!(error, "x.npy: value 3 is 0.5: a Boolean function has the values 0 and 1 only");
        bytes.clear();
        manycore_files::write_npy(&mut bytes, &[u64::MAX, 0]).unwrap();
        assert_eq!(each(Source::new("x.npy", &bytes[..]).unwrap(), word).unwrap(), [u64::MAX, 0]);
    }
}
