//! Vectors and matrices in the `.npy` format, versions 1 to 3: integers, floating-point numbers of 16 to 64 bits or truth values of
//! either byte order, in one dimension or in two.

use std::fmt;
use std::io::{self, BufRead};

use npyz::{DType, Deserialize, Endianness, NpyFile, TypeChar};

use crate::error::FileError;
use crate::header::{self, Header, Shape, header_bytes, not_npy};
use crate::npy::{Kind, Number};
use crate::shown::shown;

/// An array whose header is read: of one dimension, or a matrix of two.
pub struct Array<'a> {
    pub(crate) npy: NpyFile<Box<dyn BufRead + 'a>>,
    pub(crate) file: String,
    pub(crate) type_char: TypeChar,
    pub(crate) bytes: u64,
    /// Whether the integers of 16 bits stand for numbers in floating point.
    pub(crate) is_half: bool,
    /// Whether the highest byte of a number stands first.
    pub(crate) is_big_endian: bool,
}

impl fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array of {:?} in {}", self.kind(), self.file)
    }
}

impl<'a> Array<'a> {
    /// Reads the header of an array, which must have one dimension and numbers of a type that is known.
    pub(crate) fn open(reader: Box<dyn BufRead + 'a>, file: String) -> Result<Self, FileError> {
        Self::of_dimensions(reader, file, 1)
    }

    /// Reads the header of an array, which must have two dimensions and numbers of a type that is known.
    pub(crate) fn open_matrix(reader: Box<dyn BufRead + 'a>, file: String) -> Result<Self, FileError> {
        Self::of_dimensions(reader, file, 2)
    }

    fn of_dimensions(mut reader: Box<dyn BufRead + 'a>, file: String, dimensions: usize) -> Result<Self, FileError> {
        let wrong = |reason: String| FileError::Npy { file: file.clone(), reason };
        let shape = |shape: String| match dimensions {
            1 => FileError::Shape { file: file.clone(), shape },
            _ => FileError::MatrixShape { file: file.clone(), shape },
        };
        let header = header_bytes(&mut reader).map_err(|error| wrong(not_npy(&error)))?;
        let (written, place) = header::shape(&header).map_err(wrong)?;
        if written.sizes().len() != dimensions {
            return Err(shape(shown(&header::tuple(written.sizes()))));
        }
        let Shape::Sizes(sizes) = written else {
            let sizes = header::tuple(written.sizes());
            return Err(wrong(format!("an array of shape ({sizes}), of more values than 64 bits count")));
        };
        let Header { npy: header, is_half } = header::interpret(header, &sizes, place).map_err(wrong)?;
        let dtype = header.dtype();
        let unknown = || {
            let descr = shown(&dtype.descr());
            wrong(format!("an array of {descr}, which is no type of numbers that is read here"))
        };
        let DType::Plain(plain) = &dtype else { return Err(unknown()) };
        let (type_char, bytes) = (plain.type_char(), plain.size_field());
        match (type_char, bytes) {
            (TypeChar::Bool, 1) | (TypeChar::Int | TypeChar::Uint, 1 | 2 | 4 | 8) | (TypeChar::Float, 4 | 8) => {}
            _ => return Err(unknown()),
        }
        let is_big_endian = plain.endianness() == Endianness::Big;
        Ok(Self { npy: NpyFile::with_header(header, reader), file, type_char, bytes, is_half, is_big_endian })
    }

    /// What errors call it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Rows and columns of a matrix; of a vector its length and 1.
    pub fn shape(&self) -> (u64, u64) {
        let shape = self.npy.shape();
        (shape.first().copied().unwrap_or(0), shape.get(1).copied().unwrap_or(1))
    }

    /// Whether a matrix stands column after column, and not row after row.
    pub fn is_by_columns(&self) -> bool {
        self.npy.header().order() == npyz::Order::Fortran
    }

    /// What its numbers are.
    pub fn kind(&self) -> Kind {
        match (self.type_char, self.bytes) {
            (TypeChar::Float, 4) => Kind::F32,
            _ if self.is_half => Kind::F32,
            (TypeChar::Float, _) => Kind::F64,
            (TypeChar::Uint, 8) => Kind::U64,
            _ => Kind::Integers,
        }
    }

    /// Hands every number with its index, from 0, to `take`. The length that the header promises is not trusted.
    ///
    /// # Errors
    /// [`FileError::Npy`] where the file ends too early; those of `take`, which end the reading.
    pub fn each<E: From<FileError>>(self, mut take: impl FnMut(usize, Number) -> Result<(), E>) -> Result<(), E> {
        let mut outcome = Ok(());
        self.all(&mut |index, number| {
            outcome = take(index, number);
            outcome.is_ok()
        })?;
        outcome
    }

    fn all(self, take: &mut dyn FnMut(usize, Number) -> bool) -> Result<(), FileError> {
        match (self.type_char, self.bytes) {
            _ if self.is_half => self.visit::<u16>(|value| Number::Real(header::half(value)), take),
            (TypeChar::Bool, _) => self.visit::<bool>(|value| Number::Integer(value.into()), take),
            (TypeChar::Int, 1) => self.visit::<i8>(|value| Number::Integer(value.into()), take),
            (TypeChar::Int, 2) => self.visit::<i16>(|value| Number::Integer(value.into()), take),
            (TypeChar::Int, 4) => self.visit::<i32>(|value| Number::Integer(value.into()), take),
            (TypeChar::Int, _) => self.visit::<i64>(|value| Number::Integer(value.into()), take),
            (TypeChar::Uint, 1) => self.visit::<u8>(|value| Number::Integer(value.into()), take),
            (TypeChar::Uint, 2) => self.visit::<u16>(|value| Number::Integer(value.into()), take),
            (TypeChar::Uint, 4) => self.visit::<u32>(|value| Number::Integer(value.into()), take),
            (TypeChar::Uint, _) => self.visit::<u64>(|value| Number::Integer(value.into()), take),
            (_, 4) => self.visit::<f32>(|value| Number::Real(value.into()), take),
            _ => self.visit::<f64>(Number::Real, take),
        }
    }

    /// Gives each number with its index to `take`, until that says that it takes no more.
    fn visit<S: Deserialize>(
        self,
        number: fn(S) -> Number,
        take: &mut dyn FnMut(usize, Number) -> bool,
    ) -> Result<(), FileError> {
        let file = self.file;
        let wrong = |reason: String| FileError::Npy { file: file.clone(), reason };
        let len = self.npy.len();
        let data = self.npy.data::<S>().map_err(|error| wrong(error.to_string()))?;
        for (index, value) in data.enumerate() {
            let value = value.map_err(|error| ended(file.clone(), Some(error), index, len))?;
            if !take(index, number(value)) {
                break;
            }
        }
        Ok(())
    }
}

/// The error of an array that ends, or fails to be read, after `index` of its `len` values.
pub(crate) fn ended(file: String, error: Option<io::Error>, index: usize, len: u64) -> FileError {
    let reason = match error.filter(|error| error.kind() != io::ErrorKind::UnexpectedEof) {
        None => format!("ends after {index} of {len} values"),
        Some(error) => error.to_string(),
    };
    FileError::Npy { file, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npy::MAGIC;

    fn file(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
        raw(&text, data)
    }

    fn raw(text: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((text.len() as u16 + 1).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.push(b'\n');
        bytes.extend(data);
        bytes
    }

    fn read_bytes(bytes: &[u8]) -> Result<(Kind, Vec<Number>), String> {
        numbers(Array::open(Box::new(bytes), "x.npy".into()))
    }

    fn numbers(array: Result<Array<'_>, FileError>) -> Result<(Kind, Vec<Number>), String> {
        let read = || {
            let array = array?;
            let (kind, mut numbers) = (array.kind(), Vec::new());
            array.each(|index, number| {
                assert_eq!(index, numbers.len());
                numbers.push(number);
                Ok::<(), FileError>(())
            })?;
            Ok((kind, numbers))
        };
        read().map_err(|error: FileError| error.to_string())
    }

    fn integers(values: &[i128]) -> (Kind, Vec<Number>) {
        (Kind::Integers, values.iter().map(|&value| Number::Integer(value)).collect())
    }

    #[test]
    fn types_and_byte_orders() {
        let cases = [
            (file("|i1", "2,", &[1, 255]), integers(&[1, -1])),
            (file("|u1", "2,", &[1, 255]), integers(&[1, 255])),
            (file("|b1", "2,", &[1, 0]), integers(&[1, 0])),
            (file("<i2", "1,", &[1, 2]), integers(&[513])),
            (file(">i4", "1,", &[0, 0, 2, 1]), integers(&[513])),
            (file("<u4", "1,", &[255; 4]), integers(&[(1 << 32) - 1])),
            (file("<u8", "1,", &[255; 8]), (Kind::U64, vec![Number::Integer((1 << 64) - 1)])),
            (file("<f4", "1,", &1.5f32.to_le_bytes()), (Kind::F32, vec![Number::Real(1.5)])),
            (file(">f8", "1,", &(-0.1f64).to_be_bytes()), (Kind::F64, vec![Number::Real(-0.1)])),
            (file("<i8", "0,", &[]), integers(&[])),
            (file("<i2", "1L,", &[1, 2]), integers(&[513])),
            (
                file("<f2", "2,", &[0, 0x3c, 1, 0x80]),
                (Kind::F32, vec![Number::Real(1.0), Number::Real(-(2f64.powi(-24)))]),
            ),
            (file(">f2", "1,", &[0xc0, 0]), (Kind::F32, vec![Number::Real(-2.0)])),
        ];
        for (bytes, expected) in cases {
            assert_eq!(read_bytes(&bytes), Ok(expected));
        }
    }

    #[test]
    fn broken_files_are_refused() {
        let cases = [
            (file("<i4", "2, 4", &[]), "x.npy: an array of shape (2, 4), where a vector has one dimension"),
            (
                file("<i4", "18446744073709551615, 18446744073709551615", &[]),
                "x.npy: an array of shape (18446744073709551615, 18446744073709551615), where a vector has one dimension",
            ),
            (file("<i4", "", &[1, 0, 0, 0]), "x.npy: an array of shape (), where a vector has one dimension"),
            (
                file("<i4", "4", &[]),
                "x.npy: the shape (4) in the header of a .npy file is no tuple of whole numbers below 2^64",
            ),
            (
                raw("{'descr': 1", &[]),
                "x.npy: no header of a .npy file: it is no dictionary of descr, fortran_order and shape",
            ),
            (file("<i4", "3,", &[1, 0, 0, 0, 2]), "x.npy: ends after 1 of 3 values"),
            (file("<i4", "18446744073709551615,", &[]), "x.npy: ends after 0 of 18446744073709551615 values"),
            (file("<c16", "1,", &[0; 16]), "x.npy: an array of '<c16', which is no type of numbers that is read here"),
            (MAGIC.to_vec(), "x.npy: ends within the header of a .npy file"),
            (b"\x93NUMBER and more".to_vec(), "x.npy: no header of a .npy file: its first bytes are others"),
        ];
        for (bytes, message) in cases {
            assert_eq!(read_bytes(&bytes), Err(message.to_owned()));
        }
        let mut long = MAGIC.to_vec();
        long.extend([2, 0, 255, 255, 255, 255]);
        assert!(read_bytes(&long).unwrap_err().contains("4294967295 bytes, where 4096 are enough"));
    }

    #[test]
    fn matrices_have_two_dimensions() {
        let open = |bytes: &'static [u8]| Array::open_matrix(Box::new(bytes), "x.npy".into());
        let leaked = |bytes: Vec<u8>| -> &'static [u8] { bytes.leak() };
        let rows = leaked(file("|u1", "2, 3", &[1, 2, 3, 4, 5, 6]));
        let array = open(rows).unwrap();
        assert_eq!((array.shape(), array.is_by_columns()), ((2, 3), false));
        assert_eq!(numbers(Ok(array)), Ok(integers(&[1, 2, 3, 4, 5, 6])));
        let text = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 0), }";
        let array = open(leaked(raw(text, &[]))).unwrap();
        assert_eq!((array.shape(), array.is_by_columns()), ((2, 0), true));
        let message = |shape: &str| open(leaked(file("|u1", shape, &[1, 2]))).unwrap_err().to_string();
        let matrix = "where a matrix has two dimensions";
        assert_eq!(message("2,"), format!("x.npy: an array of shape (2,), {matrix}"));
        assert_eq!(message(""), format!("x.npy: an array of shape (), {matrix}"));
        assert_eq!(message("1, 1, 2"), format!("x.npy: an array of shape (1, 1, 2), {matrix}"));
        let most = u64::MAX;
        assert_eq!(
            message(&format!("{most}, 2")),
            format!("x.npy: an array of shape ({most}, 2), of more values than 64 bits count")
        );
        let short = open(leaked(file("|u1", "2, 2", &[1, 2, 3])));
        assert_eq!(numbers(short), Err("x.npy: ends after 3 of 4 values".into()));
    }

    #[test]
    fn no_header_makes_the_reader_panic() {
        let mut texts = vec![
            "(".repeat(4000),
            "[".repeat(4000),
            "({[(".into(),
            "{1:".repeat(4),
            "{'shape': (1,)}".into(),
            String::new(),
            "7".into(),
        ];
        let whole = "{'descr': [('a', '<f8', (9223372036854775807, 9))], 'fortran_order': True, 'shape': (1,), }";
        texts.extend((0..whole.len()).map(|end| whole[..end].to_owned()));
        texts.push(whole.to_owned());
        for text in texts {
            assert!(read_bytes(&raw(&text, &[])).is_err(), "{text}");
        }
    }
}
