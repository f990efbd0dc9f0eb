//! Boolean functions from texts and arrays: values 0 and 1, or words of 64 values.

use std::path::Path;

use manycore::files::memory::push;
use manycore::files::{NotFinite, Numeral, Source, shown};

use super::{InputError, open, room_for_results};

/// Reads values of Boolean functions.
///
/// # Errors
/// [`InputError::NoBit`] with the place of the first value other than 0 and 1; [`InputError::Empty`];
/// [`InputError::File`].
pub fn bits(path: &Path) -> Result<Vec<u8>, InputError> {
    read(open(path)?, bit)
}

fn bit(place: &str, index: usize, value: &str) -> Result<u8, InputError> {
    match u32::of_word(value, NotFinite::Refused) {
        Ok(0) => Ok(0),
        Ok(1) => Ok(1),
        _ => Err(InputError::NoBit { place: place.to_owned(), index, value: shown(value) }),
    }
}

/// Reads words below 2^64: hexadecimal after `0x`, or decimal.
///
/// # Errors
/// [`InputError::NoWord`] with the place of the first that is none; [`InputError::Empty`]; [`InputError::File`].
pub fn words(path: &Path) -> Result<Vec<u64>, InputError> {
    read(open(path)?, word)
}

fn word(place: &str, index: usize, value: &str) -> Result<u64, InputError> {
    let number = match value.strip_prefix("0x") {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok(),
        Some(_) => None,
        None => u64::of_word(value, NotFinite::Refused).ok(),
    };
    number.ok_or_else(|| InputError::NoWord { place: place.to_owned(), index, value: shown(value) })
}

/// Takes every value of a file, with its place (the file, and the line of a text) and its index; those of an array as a text has
/// them.
fn read<T>(
    source: Source<'_>,
    take: impl Fn(&str, usize, &str) -> Result<T, InputError>,
) -> Result<Vec<T>, InputError> {
    let file = source.file().to_owned();
    let mut values = Vec::new();
    let (mut place, mut place_line) = (String::new(), 0);
    match source {
        Source::Text(text) => text.words(|line, word| {
            if line != place_line {
                (place, place_line) = (format!("{file}:{line}"), line);
            }
            let value = take(&place, values.len(), word)?;
            Ok::<(), InputError>(push(&mut values, value, || format!("the values of {file}"))?)
        })?,
        Source::Array(array) => array.each(|index, number| {
            let text = number.integer().map_or_else(|| number.to_string(), |integer| integer.to_string());
            let value = take(&file, index, &text)?;
            Ok::<(), InputError>(push(&mut values, value, || format!("the values of {file}"))?)
        })?,
    }
    if values.is_empty() {
        return Err(InputError::Empty { file });
    }
    room_for_results(&values, &file)?;
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source<'_> {
        Source::new("x", text.as_bytes()).unwrap()
    }

    fn bits_of(text: &str) -> Result<Vec<u8>, String> {
        read(source(text), bit).map_err(|error| error.to_string())
    }

    fn words_of(text: &str) -> Result<Vec<u64>, String> {
        read(source(text), word).map_err(|error| error.to_string())
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
        manycore::files::write_npy(&mut bytes, &[1.0f32, 0.0, 0.5]).unwrap();
        let error = read(Source::new("x.npy", &bytes[..]).unwrap(), bit).unwrap_err().to_string();
        assert_eq!(error, "x.npy: value 3 is 0.5: a Boolean function has the values 0 and 1 only");
        bytes.clear();
        manycore::files::write_npy(&mut bytes, &[u64::MAX, 0]).unwrap();
        assert_eq!(read(Source::new("x.npy", &bytes[..]).unwrap(), word).unwrap(), [u64::MAX, 0]);
    }
}
