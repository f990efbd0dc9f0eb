//! Vectors, arrays and polynomials.

use std::fmt::Debug;

use manycore::field::ModularField;
use manycore::files::{
    FileError, NotFinite, Number, NumberText, Numeral, Source, Table, decode, write_npy, write_text,
};
use manycore::operation::vector::{NumberType, Vector};
use manycore::operation::{Given, read};
use manycore::{Goldilocks, PrimeField, poly};
use manycore_cli::{input, readers};

use super::file::{NAME, file, placed, text, told};

/// An input of an operation.
fn given(data: &[u8]) -> Given {
    Given::new().with(NAME, data)
}

/// Vectors of each number type and of the text's own type; arrays, too.
pub(super) fn text_vector(data: &[u8]) -> bool {
    let types = [NumberType::I32, NumberType::I64, NumberType::F32, NumberType::F64].map(Some);
    let mut taken = false;
    for wanted in types.into_iter().chain([None]) {
        match read::vector(&mut given(data), 0, wanted) {
            Ok(vector) => {
                taken = true;
                assert!(!vector.is_empty() && wanted.is_none_or(|wanted| wanted == vector.number_type()));
                comes_back(&vector);
            }
            Err(error) => {
                placed(error, NAME);
            }
        }
    }
    taken
}

/// What is written as a text and as an array is read as the same vector.
fn comes_back(vector: &Vector) {
    let number_type = vector.number_type();
    for npy in [false, true] {
        let mut bytes = Vec::new();
        let written = match (vector, npy) {
            (Vector::I32(x), false) => write_text(&mut bytes, x),
            (Vector::I64(x), false) => write_text(&mut bytes, x),
            (Vector::F32(x), false) => write_text(&mut bytes, x),
            (Vector::F64(x), false) => write_text(&mut bytes, x),
            (Vector::I32(x), true) => write_npy(&mut bytes, x),
            (Vector::I64(x), true) => write_npy(&mut bytes, x),
            (Vector::F32(x), true) => write_npy(&mut bytes, x),
            (Vector::F64(x), true) => write_npy(&mut bytes, x),
        };
        written.unwrap_or_else(|error| panic!("not written: {error}"));
        let again = read::vector(&mut given(&bytes), 0, Some(number_type));
        let again = again.unwrap_or_else(|error| panic!("not read again: {error}"));
        // Texts are compared, since a NaN is unequal to itself.
        assert_eq!(format!("{again:?}"), format!("{vector:?}"), "another vector comes back (array: {npy})");
    }
}

/// Arrays: every number of them.
pub(super) fn npy(data: &[u8]) -> bool {
    let source = match Source::new(NAME, data) {
        Ok(source) => source,
        Err(error) => return placed(error, NAME),
    };
    let mut numbers = Vec::new();
    let read = match source {
        Source::Text(text) => text.words(|line, word| {
            assert!(line >= 1 && !word.is_empty());
            Ok::<(), FileError>(())
        }),
        Source::Array(array) => array.each(|index, number| {
            assert_eq!(index, numbers.len());
            numbers.push(match number {
                Number::Integer(value) => value,
                Number::Real(value) => value as i128,
            });
            Ok::<(), FileError>(())
        }),
    };
    match read {
        Ok(()) => true,
        Err(error) => placed(error, NAME),
    }
}

/// Values 0 and 1.
pub(super) fn bits(data: &[u8]) -> bool {
    match read::bits(&mut given(data), 0) {
        Ok(bits) => {
            assert!(!bits.is_empty() && bits.iter().all(|&bit| bit <= 1));
            let text: Vec<String> = bits.iter().map(ToString::to_string).collect();
            assert_eq!(read::bits(&mut given(text.join(" ").as_bytes()), 0).ok(), Some(bits));
            true
        }
        Err(error) => placed(error, NAME),
    }
}

/// Words of 64 values.
pub(super) fn words(data: &[u8]) -> bool {
    match read::words(&mut given(data), 0) {
        Ok(words) => {
            let text: Vec<String> = words.iter().map(|word| format!("{word:#x}")).collect();
            assert_eq!(read::words(&mut given(text.join("\n").as_bytes()), 0).ok(), Some(words));
            true
        }
        Err(error) => placed(error, NAME),
    }
}

/// Coefficients over a small field, one of long words, and the one of 64 bits.
pub(super) fn polynomial(data: &[u8]) -> bool {
    let short = PrimeField::<u32>::new(7).map(|field| coefficients(&field, data));
    let long = PrimeField::<u64>::new(9_223_372_036_854_775_783).map(|field| coefficients(&field, data));
    let all = [short == Ok(true), long == Ok(true), coefficients(&Goldilocks, data)];
    assert!(!all[0] || all[1], "residues of a small field are residues of a large one");
    all[2]
}

fn coefficients<F: ModularField>(field: &F, data: &[u8]) -> bool
where
    F::Element: manycore::files::NpyNumber,
{
    let read = |data: &[u8]| poly::file::coefficients(field, Source::new(NAME, data)?);
    match read(data) {
        Ok(words) => {
            assert!(field.check(&words).is_ok(), "a coefficient that is no residue");
            for npy in [false, true] {
                let mut bytes = Vec::new();
                let written = if npy { write_npy(&mut bytes, &words) } else { write_text(&mut bytes, &words) };
                written.unwrap_or_else(|error| panic!("not written: {error}"));
                let again = read(&bytes).unwrap_or_else(|error| panic!("not read again: {error}"));
                assert_eq!(again, words, "other coefficients come back (array: {npy})");
            }
            true
        }
        Err(error) => placed(error, NAME),
    }
}

/// Texts without their comments.
pub(super) fn plain_text(data: &[u8]) -> bool {
    match input::plain_text(&file(data)) {
        Ok(plain) => {
            let given = decode(data, NAME).unwrap_or_else(|_| panic!("bytes that are no text were taken"));
            assert!(!plain.contains('#') && plain.chars().count() <= given.chars().count());
            assert_eq!(plain, plain.trim_end());
            let again = input::plain_text(&file(plain.as_bytes()));
            assert_eq!(again.ok(), Some(plain));
            true
        }
        Err(error) => placed(error, NAME),
    }
}

/// Words of one number, of each type and with each rule on what is not finite.
pub(super) fn numeral(data: &[u8]) -> bool {
    let Some(word) = text(data) else { return false };
    let all = [
        of_word::<u32>(word),
        of_word::<i32>(word),
        of_word::<u64>(word),
        of_word::<i64>(word),
        of_word::<f32>(word),
        of_word::<f64>(word),
    ];
    assert!(!all[1] || all[3], "an i32 is an i64");
    assert!(!all[0] || all[2], "a u32 is a u64");
    all.contains(&true)
}

fn of_word<T: Numeral + NumberText + Debug>(word: &str) -> bool {
    let mut taken = false;
    for not_finite in [NotFinite::Refused, NotFinite::Infinities, NotFinite::Taken] {
        match T::of_word(word, not_finite) {
            Ok(number) => {
                taken = true;
                let again = T::of_word(&number.typed_text(), not_finite);
                assert_eq!(again.map(NumberText::typed_text).ok(), Some(number.typed_text()), "of {word:?}");
            }
            Err(fault) => {
                told(fault);
            }
        }
    }
    taken
}

/// Tables: rows of fields, quoted or not.
pub(super) fn table(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let Some(rows) = rows_of(text) else { return false };
    let quoted = |field: &String| format!("\"{}\"", field.replace('"', "\"\""));
    let lines = rows.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(","));
    let printed = lines.collect::<Vec<_>>().join("\n");
    assert_eq!(rows_of(&printed), Some(rows), "another table comes back from {printed:?}");
    true
}

fn rows_of(text: &str) -> Option<Vec<Vec<String>>> {
    // No field is a number, so that no row is a header.
    let mut table = Table::new(text, NAME, |_| false);
    let mut rows = Vec::new();
    loop {
        match table.next_row() {
            Ok(Some((_, fields))) => rows.push(fields.iter().map(ToString::to_string).collect()),
            Ok(None) => return Some(rows),
            Err(error) => {
                placed(error, NAME);
                return None;
            }
        }
    }
}

/// Numbers in the type that they have, NaN and infinities too.
pub(super) fn keys(data: &[u8]) -> bool {
    // A table, too, where the name says so.
    let of_table = readers::keys(&super::file::table(data)).map_or_else(|error| placed(error, NAME), |_| true);
    match readers::keys(&file(data)) {
        Ok((is_real, keys)) => {
            let again = readers::keys(&file(keys.join("\n").as_bytes()));
            let again = again.unwrap_or_else(|error| panic!("not read again: {error}"));
            // Single precision is read again as double precision, and nothing at all as integers.
            assert!(again.1 == keys && (again.0 == is_real || keys.is_empty()), "other numbers come back");
            true
        }
        Err(error) => placed(error, NAME) || of_table,
    }
}

/// Complex numbers.
pub(super) fn complex_vector(data: &[u8]) -> bool {
    let mut taken = false;
    for wanted in [Some(NumberType::F64), Some(NumberType::F32), None] {
        match read::vector_of_parts(&mut given(data), 0, wanted) {
            Ok((vector, is_complex)) => {
                taken = true;
                assert!(!is_complex || vector.len() % 2 == 0, "half a complex number");
            }
            Err(error) => {
                placed(error, NAME);
            }
        }
    }
    taken
}

/// Positions of ones, a word a line.
pub(super) fn positions(data: &[u8]) -> bool {
    match readers::positions(&file(data)) {
        Ok((offsets, positions)) => {
            let words = offsets.windows(2).map(|ends| &positions[ends[0]..ends[1]]);
            let lines: Vec<String> =
                words.map(|word| word.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n").collect();
            let again = readers::positions(&file(lines.concat().as_bytes()));
            assert_eq!(again.ok(), Some((offsets, positions)), "other words come back");
            true
        }
        Err(error) => placed(error, NAME),
    }
}
