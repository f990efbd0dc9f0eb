//! Vectors and matrices written as text or as `.npy`.

use std::fmt::Debug;
use std::io::{self, Write};
use std::path::Path;

#[cfg(feature = "npy")]
use npyz::{AutoSerialize, WriterBuilder};

/// The form of a vector in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One number a line.
    Text,
    /// A `.npy` array of one dimension.
    Npy,
}

impl Format {
    /// What a file's name asks for: `.npy` an array, every other one text.
    pub fn of(path: impl AsRef<Path>) -> Self {
        let npy = path.as_ref().extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"));
        if npy { Self::Npy } else { Self::Text }
    }

    /// Writes `values` in this form.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write<T: NpyNumber>(self, out: &mut dyn Write, values: &[T]) -> io::Result<()> {
        match self {
            Self::Text => write_text(out, values),
            Self::Npy => write_npy(out, values),
        }
    }
}

/// The number types of arrays that are written.
#[cfg(feature = "npy")]
pub trait NpyNumber: AutoSerialize + Copy + Debug {}

/// The number types of vectors that are written.
#[cfg(not(feature = "npy"))]
pub trait NpyNumber: Copy + Debug {}

macro_rules! numbers {
    ($($type:ty)*) => { $(impl NpyNumber for $type {})* };
}

numbers!(u8 i32 i64 u32 u64 f32 f64);

/// One number a line: integers in decimal; floating point in the fewest digits that read back the same, and always with
/// a point or an exponent so that it reads back as floating point.
///
/// # Errors
/// Those of `out`.
pub fn write_text<T: NpyNumber>(out: &mut dyn Write, values: &[T]) -> io::Result<()> {
    values.iter().try_for_each(|value| writeln!(out, "{value:?}"))
}

/// An array of one dimension, of the type of the values in the machine's byte order.
///
/// # Errors
/// Those of `out`; [`io::ErrorKind::Unsupported`] without the feature `npy`.
pub fn write_npy<T: NpyNumber>(out: &mut dyn Write, values: &[T]) -> io::Result<()> {
    write_shaped(out, &[values.len() as u64], values)
}

/// A matrix, row after row, as an array of two dimensions, of the type of the values in the machine's byte order.
///
/// # Errors
/// Those of `out`; [`io::ErrorKind::InvalidInput`] for another number of values than `rows * columns`;
/// [`io::ErrorKind::Unsupported`] without the feature `npy`.
pub fn write_npy_matrix<T: NpyNumber>(
    out: &mut dyn Write,
    rows: usize,
    columns: usize,
    values: &[T],
) -> io::Result<()> {
    if rows.checked_mul(columns) != Some(values.len()) {
        let message = format!("{} values of a matrix of {rows} x {columns}", values.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    write_shaped(out, &[rows as u64, columns as u64], values)
}

#[cfg_attr(not(feature = "npy"), allow(unused_variables))]
fn write_shaped<T: NpyNumber>(out: &mut dyn Write, shape: &[u64], values: &[T]) -> io::Result<()> {
    #[cfg(feature = "npy")]
    {
        let options = npyz::WriteOptions::new().default_dtype().shape(shape);
        let mut writer = options.writer(out).begin_nd()?;
        writer.extend(values.iter().copied())?;
        writer.finish()
    }
    #[cfg(not(feature = "npy"))]
    Err(io::Error::new(io::ErrorKind::Unsupported, crate::array::NO_NPY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ask_for_a_form() {
        for (name, format) in
            [("a.npy", Format::Npy), ("b.NPY", Format::Npy), ("npy", Format::Text), ("-", Format::Text)]
        {
            assert_eq!(Format::of(name), format, "{name}");
        }
    }

    #[test]
    fn text_reads_back_as_the_same_type() {
        let mut text = Vec::new();
        write_text(&mut text, &[2.0f64, 0.1, 1e300, f64::INFINITY]).unwrap();
        assert_eq!(text, b"2.0\n0.1\n1e300\ninf\n");
        text.clear();
        Format::Text.write(&mut text, &[-7i32, i32::MAX]).unwrap();
        assert_eq!(text, b"-7\n2147483647\n");
    }

    #[test]
    #[cfg(feature = "npy")]
    fn npy_reads_back() {
        let mut bytes = Vec::new();
        Format::Npy.write(&mut bytes, &[1u64, 2, u64::MAX]).unwrap();
        let file = npyz::NpyFile::new(&bytes[..]).unwrap();
        assert_eq!(file.shape(), [3]);
        assert_eq!(file.into_vec::<u64>().unwrap(), [1, 2, u64::MAX]);
        for (rows, columns) in [(2, 3), (0, 3), (3, 0), (1, 1)] {
            let values: Vec<i64> = (0..rows * columns).map(|value| value as i64 - 2).collect();
            bytes.clear();
            write_npy_matrix(&mut bytes, rows, columns, &values).unwrap();
            let Ok(crate::Source::Array(array)) = crate::Source::matrix("x", &bytes[..]) else { panic!("no array") };
            assert_eq!((array.shape(), array.is_by_columns()), ((rows as u64, columns as u64), false));
            let mut read = Vec::new();
            let all = array.each(|_, number| {
                read.push(number.integer().unwrap() as i64);
                Ok::<(), crate::FileError>(())
            });
            all.unwrap();
            assert_eq!(read, values);
        }
        assert!(write_npy_matrix(&mut bytes, 2, 2, &[1u64]).is_err());
    }
}
