//! Vectors in the `.npy` format, versions 1 to 3: one dimension; integers, floating-point numbers or truth values of
//! either byte order.

use std::io::{self, BufRead, Read};

use npyz::{DType, Deserialize, NpyFile, NpyHeader, TypeChar};

use super::{InputError, residue};
use crate::vector::{Element, Number, NumberType, Vector};

/// The first bytes of every `.npy` file.
pub(super) const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The longest header that is read. One of a vector of numbers takes at most 192 bytes.
const LONGEST_HEADER: usize = 4096;

/// The deepest brackets that are read. A vector's header has two levels; the time of `npyz`'s parser is exponential in them.
const DEEPEST_BRACKETS: usize = 4;

/// Reads an array from `reader`, which errors call `file`.
pub(super) fn read(reader: impl BufRead, file: &str, wanted: Option<NumberType>) -> Result<Vector, InputError> {
    let array = Array::open(reader, file)?;
    let own = match (array.type_char, array.bytes) {
        (TypeChar::Float, 4) => NumberType::F32,
        (TypeChar::Float, _) => NumberType::F64,
        _ => NumberType::I64,
    };
    match wanted.unwrap_or(own) {
        NumberType::I32 => values::<i32>(array),
        NumberType::I64 => values::<i64>(array),
        NumberType::F32 => values::<f32>(array),
        NumberType::F64 => values::<f64>(array),
    }
}

fn values<T: Element>(array: Array<'_, impl BufRead>) -> Result<Vector, InputError> {
    // Not reserved: the header of a broken file may promise any number of values.
    let (mut values, file) = (Vec::new(), array.file);
    array.each(|index, number| {
        values.push(T::from_number(number).ok_or_else(|| InputError::Value {
            file: file.to_owned(),
            index,
            value: number.to_string(),
            number_type: T::NUMBER_TYPE,
        })?);
        Ok(())
    })?;
    Ok(T::vector(values))
}

/// Reads an array of integers below `modulus`.
pub(super) fn residues(reader: impl BufRead, file: &str, modulus: u64) -> Result<Vec<u64>, InputError> {
    let mut values = Vec::new();
    Array::open(reader, file)?.each(|index, number| {
        let wrong = || InputError::Value {
            file: file.to_owned(),
            index,
            value: number.to_string(),
            number_type: NumberType::I64,
        };
        let value = match number {
            Number::Integer(value) => value,
            Number::Real(_) => i64::from_number(number).ok_or_else(wrong)?.into(),
        };
        values.push(residue(value, modulus, index, || file.to_owned())?);
        Ok(())
    })?;
    Ok(values)
}

fn not_npy(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "ends within the header of a .npy file".to_owned(),
        _ => format!("no header of a .npy file: {error}"),
    }
}

/// The magic, version, length and text of the header, with a bound on the length so that a broken one costs nothing.
fn header_bytes(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let invalid = |reason: String| io::Error::new(io::ErrorKind::InvalidData, reason);
    let mut bytes = vec![0; 10];
    reader.read_exact(&mut bytes)?;
    if !bytes.starts_with(MAGIC) {
        return Err(invalid("its first bytes are others".into()));
    }
    let len = if bytes[6] == 1 {
        u32::from(u16::from_le_bytes([bytes[8], bytes[9]]))
    } else {
        let mut high = [0; 2];
        reader.read_exact(&mut high)?;
        bytes.extend(high);
        u32::from_le_bytes([bytes[8], bytes[9], high[0], high[1]])
    } as usize;
    if len > LONGEST_HEADER {
        return Err(invalid(format!("{len} bytes, where {LONGEST_HEADER} are enough")));
    }
    let start = bytes.len();
    bytes.resize(start + len, 0);
    reader.read_exact(&mut bytes[start..])?;
    if depth(&bytes[start..]) > DEEPEST_BRACKETS {
        return Err(invalid("its brackets are too deep".into()));
    }
    Ok(bytes)
}

/// How deep brackets open in a text.
fn depth(text: &[u8]) -> usize {
    let open = text.iter().scan(0usize, |open, byte| {
        match byte {
            b'(' | b'[' | b'{' => *open += 1,
            b')' | b']' | b'}' => *open = open.saturating_sub(1),
            _ => {}
        }
        Some(*open)
    });
    open.max().unwrap_or(0)
}

/// The shape in a header's text if it has more than one number. It is looked at before the header is interpreted, since
/// the product of broken dimensions may not fit a word.
fn several_dimensions(header: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(header);
    let after = text.split_once("shape").map(|(_, after)| after)?;
    let begin = after.find(['(', '['])? + 1;
    let end = begin + after[begin..].find([')', ']'])?;
    let shape = after[begin..end].trim().trim_end_matches(',').trim();
    shape.contains(',').then(|| shape.to_owned())
}

/// An array whose header is read.
struct Array<'a, R: Read> {
    npy: NpyFile<R>,
    file: &'a str,
    type_char: TypeChar,
    bytes: u64,
}

impl<'a, R: BufRead> Array<'a, R> {
    /// Reads the header of an array, which must have one dimension and numbers of a type that is known.
    fn open(mut reader: R, file: &'a str) -> Result<Self, InputError> {
        let wrong = |reason: String| InputError::Npy { file: file.to_owned(), reason };
        let header = header_bytes(&mut reader).map_err(|error| wrong(not_npy(&error)))?;
        if let Some(shape) = several_dimensions(&header) {
            return Err(InputError::Shape { file: file.to_owned(), shape });
        }
        let header = NpyHeader::from_reader(&header[..]).map_err(|error| wrong(not_npy(&error)))?;
        if header.shape().len() != 1 {
            return Err(InputError::Shape { file: file.to_owned(), shape: String::new() });
        }
        let dtype = header.dtype();
        let unknown = || wrong(format!("an array of {}, which is no type of numbers of this program", dtype.descr()));
        let DType::Plain(plain) = &dtype else { return Err(unknown()) };
        let (type_char, bytes) = (plain.type_char(), plain.size_field());
        match (type_char, bytes) {
            (TypeChar::Bool, 1) | (TypeChar::Int | TypeChar::Uint, 1 | 2 | 4 | 8) | (TypeChar::Float, 4 | 8) => {}
            _ => return Err(unknown()),
        }
        Ok(Self { npy: NpyFile::with_header(header, reader), file, type_char, bytes })
    }

    /// Hands every number with its index to `take`.
    fn each(self, take: impl FnMut(usize, Number) -> Result<(), InputError>) -> Result<(), InputError> {
        let integer = |value: i128| Number::Integer(value);
        match (self.type_char, self.bytes) {
            (TypeChar::Bool, _) => self.visit::<bool>(|value| integer(value.into()), take),
            (TypeChar::Int, 1) => self.visit::<i8>(|value| integer(value.into()), take),
            (TypeChar::Int, 2) => self.visit::<i16>(|value| integer(value.into()), take),
            (TypeChar::Int, 4) => self.visit::<i32>(|value| integer(value.into()), take),
            (TypeChar::Int, _) => self.visit::<i64>(|value| integer(value.into()), take),
            (TypeChar::Uint, 1) => self.visit::<u8>(|value| integer(value.into()), take),
            (TypeChar::Uint, 2) => self.visit::<u16>(|value| integer(value.into()), take),
            (TypeChar::Uint, 4) => self.visit::<u32>(|value| integer(value.into()), take),
            (TypeChar::Uint, _) => self.visit::<u64>(|value| integer(value.into()), take),
            (_, 4) => self.visit::<f32>(|value| Number::Real(value.into()), take),
            _ => self.visit::<f64>(Number::Real, take),
        }
    }

    fn visit<S: Deserialize>(
        self,
        number: impl Fn(S) -> Number,
        mut take: impl FnMut(usize, Number) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let wrong = |reason: String| InputError::Npy { file: self.file.to_owned(), reason };
        let len = self.npy.len();
        let data = self.npy.data::<S>().map_err(|error| wrong(error.to_string()))?;
        for (index, value) in data.enumerate() {
            let value = value.map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => wrong(format!("ends after {index} of {len} values")),
                _ => wrong(error.to_string()),
            })?;
            take(index, number(value))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn read_bytes(bytes: &[u8], wanted: Option<NumberType>) -> Result<Vector, String> {
        read(bytes, "x.npy", wanted).map_err(|error| error.to_string())
    }

    #[test]
    fn types_and_byte_orders() {
        let cases = [
            (file("|i1", "2,", &[1, 255]), Vector::I64(vec![1, -1])),
            (file("|u1", "2,", &[1, 255]), Vector::I64(vec![1, 255])),
            (file("|b1", "2,", &[1, 0]), Vector::I64(vec![1, 0])),
            (file("<i2", "1,", &[1, 2]), Vector::I64(vec![513])),
            (file(">i4", "1,", &[0, 0, 2, 1]), Vector::I64(vec![513])),
            (file("<f4", "1,", &1.5f32.to_le_bytes()), Vector::F32(vec![1.5])),
            (file(">f8", "1,", &(-0.1f64).to_be_bytes()), Vector::F64(vec![-0.1])),
            (file("<i8", "0,", &[]), Vector::I64(vec![])),
        ];
        for (bytes, expected) in cases {
            assert_eq!(read_bytes(&bytes, None), Ok(expected));
        }
    }

    #[test]
    fn a_wanted_type_is_given_or_refused() {
        let halves = file("<f8", "2,", &[2.0f64.to_le_bytes(), 0.5f64.to_le_bytes()].concat());
        assert_eq!(read_bytes(&halves, Some(NumberType::F32)), Ok(Vector::F32(vec![2.0, 0.5])));
        assert_eq!(read_bytes(&halves, Some(NumberType::I64)), Err("x.npy: value 1, 0.5, is no i64".into()));
        let large = file("<u8", "1,", &u64::MAX.to_le_bytes());
        assert_eq!(read_bytes(&large, None), Err("x.npy: value 0, 18446744073709551615, is no i64".into()));
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
            (file("<i4", "3,", &[1, 0, 0, 0, 2]), "x.npy: ends after 1 of 3 values"),
            (file("<i4", "18446744073709551615,", &[]), "x.npy: ends after 0 of 18446744073709551615 values"),
            (file("<c16", "1,", &[0; 16]), "x.npy: an array of '<c16', which is no type of numbers of this program"),
            (MAGIC.to_vec(), "x.npy: ends within the header of a .npy file"),
            (b"\x93NUMBER and more".to_vec(), "x.npy: no header of a .npy file: its first bytes are others"),
        ];
        for (bytes, message) in cases {
            assert_eq!(read_bytes(&bytes, None), Err(message.to_owned()));
        }
        let mut long = MAGIC.to_vec();
        long.extend([2, 0, 255, 255, 255, 255]);
        assert!(read_bytes(&long, None).unwrap_err().contains("4294967295 bytes, where 4096 are enough"));
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
            assert!(read_bytes(&raw(&text, &[]), None).is_err(), "{text}");
        }
    }
}
