//! Vectors and matrices written as text or as `.npy`.

use std::fmt::Debug;
use std::io::{self, Write};
use std::path::Path;

#[cfg(feature = "npy")]
use npyz::{AutoSerialize, WriterBuilder};

use crate::write_lines;

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

/// Numbers as text.
pub trait NumberText: Copy + Debug {
    /// Whether it is NaN with the sign bit, whose sign `Debug` does not show.
    #[doc(hidden)]
    fn is_negative_nan(self) -> bool {
        false
    }

    /// The number as text that shows its type: decimal integers; floating point in the fewest digits that read back the same, with a point
    /// or an exponent; `inf`, `-inf`, `NaN` and, with the sign bit, `-NaN`.
    fn typed_text(self) -> String {
        if self.is_negative_nan() { NEGATIVE_NAN.to_owned() } else { format!("{self:?}") }
    }

    /// Appends [`NumberText::typed_text`].
    fn push_typed(self, text: &mut String) {
        text.push_str(&self.typed_text());
    }

    /// Appends [`NumberText::short_text`].
    fn push_short(self, text: &mut String) {
        text.push_str(&self.short_text());
    }

    /// [`NumberText::typed_text`], but whole numbers below `10^15` in size without a point: for rows of matrices, whose type an option
    /// gives.
    fn short_text(self) -> String {
        let text = self.typed_text();
        match text.strip_suffix(".0") {
            Some(whole) if whole.trim_start_matches('-').len() <= WHOLE_DIGITS => whole.to_owned(),
            _ => text,
        }
    }
}

/// The text of NaN with the sign bit.
const NEGATIVE_NAN: &str = "-NaN";

/// The number types of arrays that are written.
#[cfg(feature = "npy")]
pub trait NpyNumber: AutoSerialize + NumberText + Sync {
    /// Appends the bytes of numbers in the machine's order.
    #[doc(hidden)]
    fn push_bytes(values: &[Self], bytes: &mut Vec<u8>);
}

/// The number types of vectors that are written.
#[cfg(not(feature = "npy"))]
pub trait NpyNumber: NumberText + Sync {}

/// Values of an array that are written at once.
#[cfg(feature = "npy")]
const BLOCK_VALUES: usize = 1 << 16;

/// The most digits of whole numbers that have no point: double precision holds all of them.
const WHOLE_DIGITS: usize = 15;

macro_rules! numbers {
    (integers: $($integer:ty)*; reals: $($real:ty)*) => {
        $(impl NumberText for $integer {
            fn push_typed(self, text: &mut String) {
                text.push_str(itoa::Buffer::new().format(self));
            }

            fn push_short(self, text: &mut String) {
                self.push_typed(text);
            }
        })*
        $(impl NumberText for $real {
            fn is_negative_nan(self) -> bool {
                self.is_nan() && self.is_sign_negative()
            }
        })*
        $(numbers! { array: $integer })*
        $(numbers! { array: $real })*
    };
    (array: $type:ty) => {
        impl NpyNumber for $type {
            #[cfg(feature = "npy")]
            fn push_bytes(values: &[Self], bytes: &mut Vec<u8>) {
                let begin = bytes.len();
                bytes.resize(begin + size_of_val(values), 0);
                let (places, _) = bytes[begin..].as_chunks_mut();
                for (place, value) in places.iter_mut().zip(values) {
                    *place = value.to_ne_bytes();
                }
            }
        }
    };
}

numbers! { integers: u8 i32 i64 u32 u64; reals: f32 f64 }

/// Writes one number a line, in the form of [`NumberText::typed_text`].
///
/// # Errors
/// Those of `out`.
pub fn write_text<T: NpyNumber>(out: &mut dyn Write, values: &[T]) -> io::Result<()> {
    write_lines(out, values.len(), |number, text| values[number].push_typed(text))
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
        let mut head = Vec::new();
        let options = npyz::WriteOptions::<T>::new().default_dtype().shape(shape);
        // The values follow in blocks, and not one by one as by this writer.
        drop(options.writer(&mut head).begin_nd()?);
        out.write_all(&head)?;
        let mut block = Vec::new();
        for values in values.chunks(BLOCK_VALUES) {
            block.clear();
            T::push_bytes(values, &mut block);
            out.write_all(&block)?;
        }
        out.flush()
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
        write_text(&mut text, &[f32::NAN, -f32::NAN, f32::NEG_INFINITY]).unwrap();
        assert_eq!(text, b"NaN\n-NaN\n-inf\n");
        text.clear();
        Format::Text.write(&mut text, &[-7i32, i32::MAX]).unwrap();
        assert_eq!(text, b"-7\n2147483647\n");
    }

    #[test]
    fn whole_numbers_of_rows_have_no_point() {
        let texts = [2.0, -3.0, -0.0, 0.5, 1e15, 1e22, -999_999_999_999_999.0].map(f64::short_text);
        assert_eq!(texts, ["2", "-3", "-0", "0.5", "1000000000000000.0", "1e22", "-999999999999999"]);
        assert_eq!([7i64.short_text(), i64::MIN.short_text()], ["7", "-9223372036854775808"]);
        assert_eq!(f32::NEG_INFINITY.short_text(), "-inf");
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
