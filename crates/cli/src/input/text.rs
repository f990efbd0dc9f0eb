//! Vectors as text: decimal numbers separated by white space or commas; `#` begins a comment.

use std::io::BufRead;
use std::num::IntErrorKind;
use std::str::FromStr;

use super::{InputError, residue};
use crate::vector::{Element, NumberType, Vector};

/// Reads all of `reader`, which errors call `file`.
pub(super) fn read(reader: impl BufRead, file: &str, wanted: Option<NumberType>) -> Result<Vector, InputError> {
    parse(&text(reader, file)?, file, wanted)
}

/// Reads integers below `modulus`, whose places errors tell as those of coefficients.
pub(super) fn residues(reader: impl BufRead, file: &str, modulus: u64) -> Result<Vec<u64>, InputError> {
    let text = text(reader, file)?;
    let mut values = Vec::new();
    words(&text, file, |line, word| {
        let value = word.parse::<i128>().map_err(|_| InputError::Number {
            file: file.to_owned(),
            line,
            value: word.to_owned(),
            expected: if word.parse::<f64>().is_ok() { "integer" } else { "number" },
        })?;
        values.push(residue(value, modulus, values.len(), || format!("{file}:{line}"))?);
        Ok(())
    })?;
    Ok(values)
}

/// All of `reader` as text.
fn text(mut reader: impl BufRead, file: &str) -> Result<String, InputError> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(|error| InputError::Read { file: file.to_owned(), error })?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        InputError::NotText { file: file.to_owned(), line: valid.split(|&byte| byte == b'\n').count() }
    })
}

fn parse(text: &str, file: &str, wanted: Option<NumberType>) -> Result<Vector, InputError> {
    match wanted {
        Some(NumberType::I32) => integers::<i32>(text, file).map(Vector::I32),
        Some(NumberType::I64) => integers::<i64>(text, file).map(Vector::I64),
        Some(NumberType::F32) => reals::<f32>(text, file).map(Vector::F32),
        Some(NumberType::F64) => reals::<f64>(text, file).map(Vector::F64),
        None => match integers::<i64>(text, file) {
            Ok(values) => Ok(Vector::I64(values)),
            // A number past i64 is refused, rather than rounded, unless the text has fractions anyway.
            Err(InputError::Number { .. } | InputError::Range { .. }) if has_fraction(text, file) => {
                reals::<f64>(text, file).map(Vector::F64)
            }
            Err(error) => Err(error),
        },
    }
}

/// Calls `take` for each word with its line.
fn words<'a>(
    text: &'a str,
    file: &str,
    mut take: impl FnMut(usize, &'a str) -> Result<(), InputError>,
) -> Result<(), InputError> {
    for (index, line) in text.lines().enumerate() {
        let values = line.split_once('#').map_or(line, |(values, _)| values);
        let commas = values.bytes().filter(|&byte| byte == b',').count();
        for (field, content) in values.split(',').enumerate() {
            let mut words = content.split_whitespace().peekable();
            // A comma may end a line, but a value left out would shift those after it.
            if words.peek().is_none() && field < commas {
                return Err(InputError::Comma { file: file.to_owned(), line: index + 1, comma: field + 1 });
            }
            words.try_for_each(|word| take(index + 1, word))?;
        }
    }
    Ok(())
}

fn integers<T>(text: &str, file: &str) -> Result<Vec<T>, InputError>
where
    T: Element + FromStr<Err = std::num::ParseIntError>,
{
    let mut values = Vec::new();
    words(text, file, |line, word| {
        let value = word.parse::<T>().map_err(|error| {
            let (file, value) = (file.to_owned(), word.to_owned());
            match error.kind() {
                IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
                    InputError::Range { file, line, value, number_type: T::NUMBER_TYPE }
                }
                _ if word.parse::<f64>().is_ok() => InputError::Number { file, line, value, expected: "integer" },
                _ => InputError::Number { file, line, value, expected: "number" },
            }
        })?;
        values.push(value);
        Ok(())
    })?;
    Ok(values)
}

fn reals<T: Element + FromStr>(text: &str, file: &str) -> Result<Vec<T>, InputError> {
    let mut values = Vec::new();
    words(text, file, |line, word| {
        let value = word.parse::<T>().map_err(|_| InputError::Number {
            file: file.to_owned(),
            line,
            value: word.to_owned(),
            expected: "number",
        })?;
        values.push(value);
        Ok(())
    })?;
    Ok(values)
}

/// Whether some word is a number but no integer.
fn has_fraction(text: &str, file: &str) -> bool {
    let mut found = false;
    let is_integer = |word: &str| {
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let whole = words(text, file, |_, word| {
        found |= !is_integer(word) && word.parse::<f64>().is_ok();
        Ok(())
    });
    whole.is_ok() && found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str, wanted: Option<NumberType>) -> Result<Vector, String> {
        read(text.as_bytes(), "x.txt", wanted).map_err(|error| error.to_string())
    }

    #[test]
    fn separators_and_comments() {
        let text = "# four values\n1, 2\t-3 # and\n\n+4,\r\n";
        assert_eq!(read_text(text, None), Ok(Vector::I64(vec![1, 2, -3, 4])));
        assert_eq!(read_text("", None), Ok(Vector::I64(vec![])));
        assert_eq!(read_text("1,2,#", None), Ok(Vector::I64(vec![1, 2])));
    }

    #[test]
    fn types_are_taken_from_the_values() {
        assert_eq!(read_text("1 2.5", None), Ok(Vector::F64(vec![1.0, 2.5])));
        assert_eq!(read_text("1e3 2", None), Ok(Vector::F64(vec![1000.0, 2.0])));
        assert_eq!(read_text("9223372036854775807", None), Ok(Vector::I64(vec![i64::MAX])));
        assert_eq!(read_text("9223372036854775808 0.5", None), Ok(Vector::F64(vec![9.223_372_036_854_776e18, 0.5])));
        assert_eq!(read_text("1 2", Some(NumberType::I32)), Ok(Vector::I32(vec![1, 2])));
        // Rounded once: by way of f64 this would be 1.
        let near = "1.00000005960464478";
        assert_eq!(read_text(near, Some(NumberType::F32)), Ok(Vector::F32(vec![1.0 + f32::EPSILON])));
        assert_eq!(read_text("inf -inf", Some(NumberType::F32)), Ok(Vector::F32(vec![f32::INFINITY, -f32::INFINITY])));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let cases = [
            ("1\n2 abc", None, "x.txt:2: `abc` is no number"),
            ("1\n2 0.5 abc", None, "x.txt:2: `abc` is no number"),
            ("1\n2.5", Some(NumberType::I32), "x.txt:2: `2.5` is no integer"),
            ("0x10", Some(NumberType::F64), "x.txt:1: `0x10` is no number"),
            ("0\n\n9223372036854775808", None, "x.txt:3: 9223372036854775808 is out of the range of i64"),
            ("-2147483649", Some(NumberType::I32), "x.txt:1: -2147483649 is out of the range of i32"),
            ("1\n2, ,3", None, "x.txt:2: no number before comma 2"),
            (",3", None, "x.txt:1: no number before comma 1"),
            ("1;2", None, "x.txt:1: `1;2` is no number"),
            ("+", None, "x.txt:1: `+` is no number"),
        ];
        for (text, wanted, message) in cases {
            assert_eq!(read_text(text, wanted), Err(message.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_line() {
        let error = read(&b"1\n2\n\xff"[..], "x.txt", None).unwrap_err();
        assert_eq!(error.to_string(), "x.txt:3: neither text nor a .npy file");
    }
}
