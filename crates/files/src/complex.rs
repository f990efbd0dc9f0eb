//! Arrays of complex numbers as arrays of their parts: the header is read as that of twice as many floating-point numbers.

use std::io::{BufRead, Cursor, Read as _};

use npyz::{DType, TypeChar};

use crate::error::FileError;
use crate::header::{self, header_bytes, not_npy};
use crate::npy::MAGIC;
use crate::opened::unpacked;
use crate::source::Source;

impl<'a> Source<'a> {
    /// Reads `reader`, which errors call `file`; an array of complex numbers (`<c8`, `<c16` and those of the other byte order) is
    /// read as its real and imaginary parts, one after the other, and so is a complex vector in the Matrix Market format. Tells
    /// whether it was one.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn with_parts(file: impl Into<String>, reader: impl BufRead + 'a) -> Result<(Self, bool), FileError> {
        let (mut reader, file) = unpacked(reader, file.into())?;
        let is_npy = match reader.fill_buf() {
            Ok(bytes) => bytes.first() == Some(&MAGIC[0]),
            Err(error) => return Err(FileError::Read { file, error }),
        };
        if !is_npy {
            let source = Self::new(file, reader)?;
            let is_complex = matches!(&source, Self::Text(text) if text.is_complex());
            return Ok((source, is_complex));
        }
        let wrong = |reason: String| FileError::Npy { file: file.clone(), reason };
        let header = header_bytes(&mut reader).map_err(|error| wrong(not_npy(&error)))?;
        let is_vector = header::shape(&header).is_ok_and(|(shape, _)| shape.sizes().len() == 1);
        let parts = if is_vector { header_of_parts(&header) } else { None };
        let is_complex = parts.is_some();
        let header = Cursor::new(parts.unwrap_or(header));
        Ok((Self::new(file, header.chain(reader))?, is_complex))
    }
}

/// The header of the parts of an array of complex numbers in one dimension; `None` for others.
fn header_of_parts(header: &[u8]) -> Option<Vec<u8>> {
    let (shape, place) = header::shape(header).ok()?;
    let header = header::interpret(header.to_vec(), shape.sizes(), place).ok()?.npy;
    let DType::Plain(plain) = header.dtype() else { return None };
    let (TypeChar::Complex, bytes @ (8 | 16), &[len]) = (plain.type_char(), plain.size_field(), header.shape()) else {
        return None;
    };
    let order = if plain.to_string().starts_with('>') { '>' } else { '<' };
    let (bytes, parts) = (bytes / 2, len.checked_mul(2)?);
    let text = format!("{{'descr': '{order}f{bytes}', 'fortran_order': False, 'shape': ({parts},), }}\n");
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    out.extend(u16::try_from(text.len()).ok()?.to_le_bytes());
    out.extend(text.as_bytes());
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npy::{Kind, Number};

    fn file(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}\n");
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<(bool, Kind, Vec<f64>), String> {
        let (source, is_complex) = Source::with_parts("x.npy", bytes).map_err(|error| error.to_string())?;
        let Source::Array(array) = source else { return Err("a text".into()) };
        let (kind, mut parts) = (array.kind(), Vec::new());
        array
            .each(|_, number| {
                if let Number::Real(part) = number {
                    parts.push(part);
                }
                Ok::<(), FileError>(())
            })
            .map_err(|error| error.to_string())?;
        Ok((is_complex, kind, parts))
    }

    #[test]
    fn complex_numbers_are_their_parts() {
        let little: Vec<u8> = [1.5f64, -2.0, 0.25, 4.0].iter().flat_map(|part| part.to_le_bytes()).collect();
        assert_eq!(read(&file("<c16", "2,", &little)), Ok((true, Kind::F64, vec![1.5, -2.0, 0.25, 4.0])));
        let big: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|part| part.to_be_bytes()).collect();
        assert_eq!(read(&file(">c8", "1,", &big)), Ok((true, Kind::F32, vec![1.5, -2.0])));
        assert_eq!(read(&file("<f8", "4,", &little)), Ok((false, Kind::F64, vec![1.5, -2.0, 0.25, 4.0])));
        assert_eq!(read(&file("<c16", "0,", &[])), Ok((true, Kind::F64, vec![])));
        assert_eq!(read(b"1 2"), Err("a text".into()));
    }

    #[test]
    fn broken_arrays_are_refused() {
        let cases = [
            (file("<c16", "2,", &[0; 20]), "x.npy: ends after 2 of 4 values"),
            (file("<c16", "2, 2", &[0; 64]), "x.npy: an array of shape (2, 2), where a vector has one dimension"),
            (file("<c32", "1,", &[0; 32]), "x.npy: an array of '<c32', which is no type of numbers that is read here"),
            (
                file("<c16", "18446744073709551615,", &[]),
                "x.npy: an array of '<c16', which is no type of numbers that is read here",
            ),
        ];
        for (bytes, message) in cases {
            assert_eq!(read(&bytes), Err(message.to_owned()));
        }
        assert!(read(MAGIC).unwrap_err().contains("ends within the header"));
    }
}
