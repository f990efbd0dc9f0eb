//! Arrays of the machine's own numbers read in blocks of bytes, without a look at each number for itself.

use std::io::{self, BufRead};

use npyz::TypeChar;

use crate::array::{Array, ended};
use crate::error::FileError;
use crate::memory;
use crate::npy::Number;
use crate::number::{NotFinite, Numeral};

/// Bytes that are read at once: a whole number of every type, and little enough for a cache.
const BLOCK_BYTES: usize = 1 << 18;

impl Array<'_> {
    /// The numbers in a type, read in blocks where they stand in the byte order of most machines.
    ///
    /// # Errors
    /// [`FileError::Value`] with the first number that the type does not hold; [`FileError::Npy`]; [`FileError::Memory`].
    pub fn numbers<T: Numeral>(self, not_finite: NotFinite) -> Result<Vec<T>, FileError> {
        if self.is_half || self.is_big_endian || cfg!(target_endian = "big") {
            return self.one_by_one(not_finite);
        }
        macro_rules! integers {
            ($type:ty) => {
                self.read_blocks(not_finite, |bytes| Number::Integer(<$type>::from_le_bytes(bytes).into()))
            };
        }
        match (self.type_char, self.bytes) {
            (TypeChar::Int, 1) => integers!(i8),
            (TypeChar::Int, 2) => integers!(i16),
            (TypeChar::Int, 4) => integers!(i32),
            (TypeChar::Int, 8) => integers!(i64),
            (TypeChar::Uint, 1) => integers!(u8),
            (TypeChar::Uint, 2) => integers!(u16),
            (TypeChar::Uint, 4) => integers!(u32),
            (TypeChar::Uint, 8) => integers!(u64),
            (TypeChar::Float, 4) => {
                self.read_blocks(not_finite, |bytes| Number::Real(f32::from_le_bytes(bytes).into()))
            }
            (TypeChar::Float, 8) => self.read_blocks(not_finite, |bytes| Number::Real(f64::from_le_bytes(bytes))),
            // Truth values are 0 and 1 only, which `npyz` looks at.
            _ => self.one_by_one(not_finite),
        }
    }

    /// The numbers in a type, each looked at for itself.
    ///
    /// # Errors
    /// As [`Array::numbers`].
    fn one_by_one<T: Numeral>(self, not_finite: NotFinite) -> Result<Vec<T>, FileError> {
        // Not reserved: the header of a broken file may promise any number of values.
        let (mut values, file) = (Vec::new(), self.file().to_owned());
        self.each(|index, number| {
            let value = T::of_number(number, not_finite).map_err(|reason| FileError::Value {
                file: file.clone(),
                index,
                reason: Box::new(reason),
            })?;
            Ok::<(), FileError>(memory::push(&mut values, value, || format!("the values of {file}"))?)
        })?;
        Ok(values)
    }
    fn read_blocks<T: Numeral, const BYTES: usize>(
        self,
        not_finite: NotFinite,
        number: impl Fn([u8; BYTES]) -> Number,
    ) -> Result<Vec<T>, FileError> {
        let (file, len) = (self.file, self.npy.len());
        let mut reader = self.npy.into_inner();
        // Not reserved: the header of a broken file may promise any number of values.
        let (mut values, mut block, mut left) = (Vec::new(), vec![0; BLOCK_BYTES], len);
        while left > 0 {
            let expected =
                usize::try_from(left).map_or(BLOCK_BYTES, |left| left.saturating_mul(BYTES).min(BLOCK_BYTES));
            let (found, error) = fill(&mut reader, &mut block[..expected]);
            let (numbers, _) = block[..found].as_chunks::<BYTES>();
            memory::room(&mut values, numbers.len(), || format!("the values of {file}"))?;
            for &bytes in numbers {
                let value = T::of_number(number(bytes), not_finite).map_err(|reason| FileError::Value {
                    file: file.clone(),
                    index: values.len(),
                    reason: Box::new(reason),
                })?;
                values.push(value);
            }
            if found < expected {
                return Err(ended(file, error, values.len(), len));
            }
            left -= numbers.len() as u64;
        }
        Ok(values)
    }
}

/// Reads until the bytes are full, the file ends or is broken: how many it has, and what the system said.
fn fill(reader: &mut dyn BufRead, bytes: &mut [u8]) -> (usize, Option<io::Error>) {
    let mut found = 0;
    while found < bytes.len() {
        match reader.read(&mut bytes[found..]) {
            Ok(0) => return (found, None),
            Ok(more) => found += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (found, Some(error)),
        }
    }
    (found, None)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use proptest::prelude::*;

    use super::*;
    use crate::Source;
    use crate::npy::MAGIC;

    fn file(descr: &str, len: usize, data: &[u8]) -> Vec<u8> {
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len},), }}\n");
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn array(bytes: &[u8]) -> Array<'_> {
        let Source::Array(array) = Source::new("x.npy", bytes).unwrap() else { panic!("an array") };
        array
    }

    /// Blocks have the same numbers, or the same error: of floating point as it is written.
    fn agrees<T: Numeral>(bytes: &[u8], not_finite: NotFinite) -> Result<(), TestCaseError> {
        let text = |read: Result<Vec<T>, FileError>| match read {
            Ok(values) => format!("{values:?}"),
            Err(error) => error.to_string(),
        };
        let expected = text(array(bytes).one_by_one(not_finite));
        prop_assert!(text(array(bytes).numbers(not_finite)) == expected, "{}: {:.80}", T::NAME, expected);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn blocks_have_each_number(
            descr in prop::sample::select(vec![
                "|b1", "|i1", "<i2", "<i4", "<i8", ">i8", "|u1", "<u2", "<u4", ">u4", "<u8", "<f2", "<f4", "<f8", ">f8",
            ]),
            (len, word, missing) in (0usize..40, any::<[u8; 16]>(), 0usize..24),
            small in any::<bool>(),
        ) {
            let bytes: usize = descr[2..].parse().unwrap();
            let data: Vec<u8> = word.into_iter().cycle().enumerate().map(|(at, byte)| if small { byte & u8::from(at % bytes == 0) } else { byte }).take((len * bytes + 8).saturating_sub(missing)).collect();
            let bytes = file(descr, len, &data);
            for not_finite in [NotFinite::Refused, NotFinite::Infinities, NotFinite::Taken] {
                agrees::<i32>(&bytes, not_finite)?;
                agrees::<i64>(&bytes, not_finite)?;
                agrees::<u64>(&bytes, not_finite)?;
                agrees::<f32>(&bytes, not_finite)?;
                agrees::<f64>(&bytes, not_finite)?;
            }
        }
    }

    #[test]
    fn long_arrays_have_several_blocks() {
        let count = BLOCK_BYTES / 4;
        for len in [count - 1, count, count + 1, 3 * count + 5] {
            let values: Vec<i64> = (0..len as i64).map(|value| value * 7919 % 1_000_003).collect();
            let data: Vec<u8> = values.iter().flat_map(|&value| (value as u32).to_le_bytes()).collect();
            assert_eq!(array(&file("<u4", len, &data)).numbers::<i64>(NotFinite::Refused).unwrap(), values);
            let error = array(&file("<u4", len, &data[..data.len() - 1])).numbers::<i64>(NotFinite::Refused);
            assert_eq!(error.unwrap_err().to_string(), format!("x.npy: ends after {} of {len} values", len - 1));
        }
    }

    #[test]
    fn a_file_that_breaks_is_told() {
        struct Broken(usize);
        impl io::Read for Broken {
            fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                bytes[0] = 1;
                match self.0 {
                    6.. => Err(io::Error::other("gone")),
                    3 => Err(io::ErrorKind::Interrupted.into()),
                    _ => Ok(1),
                }
            }
        }
        let bytes = io::Cursor::new(file("|u1", 10, &[])).chain(io::BufReader::new(Broken(0)));
        let Source::Array(array) = Source::new("x.npy", bytes).unwrap() else { panic!("an array") };
        assert_eq!(array.numbers::<i64>(NotFinite::Refused).unwrap_err().to_string(), "x.npy: gone");
    }
}
