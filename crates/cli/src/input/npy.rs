//! Vectors from `.npy` arrays.

use manycore::files::memory::push;
use manycore::files::{Array, Kind, Number};

use super::{InputError, finite};
use crate::vector::{Element, NumberType, Real, Vector};

/// Reads an array in the type wanted; without one, in its own, and integers as i64.
pub(super) fn vector(array: Array<'_>, wanted: Option<NumberType>) -> Result<Vector, InputError> {
    let own = match array.kind() {
        Kind::F32 => NumberType::F32,
        Kind::F64 => NumberType::F64,
        Kind::Integers => NumberType::I64,
    };
    match wanted.unwrap_or(own) {
        NumberType::I32 => values::<i32>(array),
        NumberType::I64 => values::<i64>(array),
        NumberType::F32 => reals::<f32>(array),
        NumberType::F64 => reals::<f64>(array),
    }
}

fn values<T: Element>(array: Array<'_>) -> Result<Vector, InputError> {
    // Not reserved: the header of a broken file may promise any number of values.
    let (mut values, file) = (Vec::new(), array.file().to_owned());
    array.each(|index, number| {
        let value = T::from_number(number).ok_or_else(|| InputError::Value {
            file: file.clone(),
            index,
            value: number.to_string(),
            number_type: T::NUMBER_TYPE,
        })?;
        Ok::<(), InputError>(push(&mut values, value, || format!("the values of {file}"))?)
    })?;
    Ok(T::vector(values))
}

/// Finite numbers: others are refused, and those that round to infinity.
fn reals<T: Real>(array: Array<'_>) -> Result<Vector, InputError> {
    let (mut values, file) = (Vec::new(), array.file().to_owned());
    array.each(|index, number| {
        let value = T::from_number(number).unwrap_or_default();
        let is_finite = !matches!(number, Number::Real(value) if !value.is_finite());
        let value = finite(value, is_finite, || format!("{file}: value {}", index + 1), || number.to_string())?;
        Ok::<(), InputError>(push(&mut values, value, || format!("the values of {file}"))?)
    })?;
    Ok(T::vector(values))
}

#[cfg(test)]
mod tests {
    use manycore::files::{NpyNumber, Source, write_npy};

    use super::*;

    fn read<T: NpyNumber>(values: &[T], wanted: Option<NumberType>) -> Result<Vector, String> {
        let mut bytes = Vec::new();
        write_npy(&mut bytes, values).unwrap();
        let Source::Array(array) = Source::new("x.npy", &bytes[..]).unwrap() else { panic!("an array") };
        vector(array, wanted).map_err(|error| error.to_string())
    }

    #[test]
    fn arrays_keep_their_type() {
        assert_eq!(read(&[1i32, -1], None), Ok(Vector::I64(vec![1, -1])));
        assert_eq!(read(&[1u64, 255], None), Ok(Vector::I64(vec![1, 255])));
        assert_eq!(read(&[1.5f32], None), Ok(Vector::F32(vec![1.5])));
        assert_eq!(read(&[-0.1f64], None), Ok(Vector::F64(vec![-0.1])));
        assert_eq!(read::<i64>(&[], None), Ok(Vector::I64(vec![])));
    }

    #[test]
    fn a_wanted_type_is_given_or_refused() {
        let halves = [2.0f64, 0.5];
        assert_eq!(read(&halves, Some(NumberType::F32)), Ok(Vector::F32(vec![2.0, 0.5])));
        assert_eq!(read(&halves, Some(NumberType::I64)), Err("x.npy: value 2, 0.5, is no i64".into()));
        assert_eq!(read(&[u64::MAX], None), Err("x.npy: value 1, 18446744073709551615, is no i64".into()));
    }
}
