//! Arrays that are left in their files: `.npy` arrays of the machine's own numbers, mapped to memory and read as they are looked at, and
//! room for results in a file without a name.
//!
//! Pages of both come and go as the system has memory for them, so that an array may be larger than memory. This module is the one that
//! maps files, which is unsafe: another process may change or shorten a file meanwhile. An array that is changed is computed with as it is
//! found, since every pattern of bits is a number of its types; one that is shortened ends the process, as a disk that fails does. Nobody
//! else has the file without a name.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytemuck::Pod;
use manycore_files::{FileError, Format, LineFault, Source, shown_path};
use memmap2::{Mmap, MmapMut};
use serde::{Serialize, Serializer};

use crate::json::{JsonInteger, JsonReal};
use crate::vector::{Element, NumberType};

/// The first bytes of every `.npy` file.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The numbers of an array in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    path: PathBuf,
    /// Where room for results is made.
    folder: PathBuf,
    number_type: NumberType,
    /// Where they begin in the file, in bytes.
    begin: u64,
    len: usize,
}

/// Numbers of a file, mapped for reading.
#[derive(Debug)]
pub struct Mapped<T> {
    map: Mmap,
    begin: usize,
    end: usize,
    numbers: PhantomData<T>,
}

/// Numbers in a file without a name, mapped for reading and writing.
#[derive(Debug)]
pub struct Scratch<T> {
    map: MmapMut,
    numbers: PhantomData<T>,
}

/// The types of arrays that are read as numbers of a type, or as those of their own without one, as a header of a `.npy` file names them.
pub const fn types(wanted: Option<NumberType>) -> &'static [(&'static str, NumberType)] {
    match wanted {
        // Integers are read as those of 64 bits.
        None => &[("'<i8'", NumberType::I64), ("'<f4'", NumberType::F32), ("'<f8'", NumberType::F64)],
        Some(NumberType::I32) => &[("'<i4'", NumberType::I32)],
        Some(NumberType::I64) => &[("'<i8'", NumberType::I64)],
        Some(NumberType::F32) => &[("'<f4'", NumberType::F32)],
        Some(NumberType::F64) => &[("'<f8'", NumberType::F64)],
    }
}

/// The types of arrays of integers of 64 bits, signed or not.
pub const WORDS: &[(&str, NumberType)] = &[("'<u8'", NumberType::I64), ("'<i8'", NumberType::I64)];

/// The type of arrays of unsigned integers of 64 bits.
pub const UNSIGNED: &[(&str, NumberType)] = &[("'<u8'", NumberType::I64)];

/// The array of a file that can be mapped, of one of these types; room for results is made in `folder`.
///
/// # Errors
/// [`FileError`] for a file that cannot be read, and for an array that is none.
pub fn find(path: &Path, types: &[(&str, NumberType)], folder: &Path) -> Result<Option<Numbers>, FileError> {
    let failed = |error| FileError::Read { file: shown_path(path), error };
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    if !is_file || cfg!(target_endian = "big") {
        return Ok(None);
    }
    let mut head = Vec::new();
    let mut file = File::open(path).map_err(failed)?;
    (&file).take(12).read_to_end(&mut head).map_err(failed)?;
    let (begin, text_len) = match head[..] {
        [.., 1, _, a, b, _, _] => (10, u64::from(u16::from_le_bytes([a, b]))),
        [.., 2 | 3, _, a, b, c, d] => (12, u64::from(u32::from_le_bytes([a, b, c, d]))),
        _ => return Ok(None),
    };
    if !head.starts_with(MAGIC) {
        return Ok(None);
    }
    // Its header is one that is read, of one dimension.
    let Source::Array(array) = Source::open(path)? else { return Ok(None) };
    let mut text = String::new();
    file.seek(SeekFrom::Start(begin)).map_err(failed)?;
    if (&file).take(text_len).read_to_string(&mut text).is_err() {
        return Ok(None);
    }
    let Some(&(_, number_type)) = types.iter().find(|(descr, _)| text.contains(descr)) else { return Ok(None) };
    let begin = begin + text_len;
    let bytes = array.shape().0.checked_mul(number_type.bytes()).and_then(|bytes| bytes.checked_add(begin));
    let size = file.metadata().map_err(failed)?.len();
    let is_whole = bytes.is_some_and(|bytes| bytes <= size) && begin.is_multiple_of(number_type.bytes());
    let Ok(len) = usize::try_from(array.shape().0) else { return Ok(None) };
    let numbers = Numbers { path: path.to_owned(), folder: folder.to_owned(), number_type, begin, len };
    Ok((is_whole && len > 0).then_some(numbers))
}

impl Numbers {
    /// Their type.
    pub const fn number_type(&self) -> NumberType {
        self.number_type
    }

    /// The number of values.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none, of which no array is left.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes that they take.
    pub const fn bytes(&self) -> u64 {
        self.len as u64 * self.number_type.bytes()
    }

    /// The values, mapped for reading.
    ///
    /// # Errors
    /// [`FileError`], also for a number that is infinite or none.
    pub fn map<T: Element>(&self) -> Result<Mapped<T>, FileError> {
        let mapped: Mapped<T> = self.map_all()?;
        match mapped.iter().position(|&number: &T| !number.is_finite()) {
            None => Ok(mapped),
            Some(index) => {
                let reason = Box::new(LineFault::NotFinite { found: mapped[index].typed_text() });
                Err(FileError::Value { file: shown_path(&self.path), index, reason })
            }
        }
    }

    /// The values, infinities and NaN included, mapped for reading.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn map_all<T: Element>(&self) -> Result<Mapped<T>, FileError> {
        if T::NUMBER_TYPE != self.number_type {
            return Err(self.failed(io::ErrorKind::InvalidData.into()));
        }
        self.mapped()
    }

    /// The values as words, mapped for reading.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn map_words(&self) -> Result<Mapped<u64>, FileError> {
        self.mapped()
    }

    fn mapped<T: Pod>(&self) -> Result<Mapped<T>, FileError> {
        let file = File::open(&self.path).map_err(|error| self.failed(error))?;
        // SAFETY: the numbers are read through shared references, of types without invalid patterns of bits, and bounds are those of
        // the map; the module's head says what becomes of a file that others change.
        let map = unsafe { Mmap::map(&file) }.map_err(|error| self.failed(error))?;
        let (begin, end) = (self.begin as usize, (self.begin + self.bytes()) as usize);
        if size_of::<T>() as u64 != self.number_type.bytes() || end > map.len() {
            return Err(self.failed(io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(Mapped { map, begin, end, numbers: PhantomData })
    }

    fn failed(&self, error: io::Error) -> FileError {
        FileError::Read { file: shown_path(&self.path), error }
    }

    /// A copy of them in a file without a name, in the folder of the result.
    ///
    /// # Errors
    /// [`FileError`], as for a disk that is full.
    pub fn copy<T: Pod>(&self) -> Result<Scratch<T>, FileError> {
        let folder = &*self.folder;
        let written = |error| FileError::Write { file: shown_path(folder), error };
        let mut scratch = tempfile::tempfile_in(folder).map_err(written)?;
        let mut file = File::open(&self.path).map_err(|error| self.failed(error))?;
        file.seek(SeekFrom::Start(self.begin)).map_err(|error| self.failed(error))?;
        // Bytes are written, not only reserved, so that a full disk is an error now.
        let count = io::copy(&mut file.take(self.bytes()), &mut scratch).map_err(written)?;
        scratch.flush().map_err(written)?;
        if size_of::<T>() as u64 != self.number_type.bytes() || count != self.bytes() {
            return Err(self.failed(io::ErrorKind::UnexpectedEof.into()));
        }
        // SAFETY: the file has no name, so that no other process opens it, and is as long as what was written.
        let map = unsafe { MmapMut::map_mut(&scratch) }.map_err(written)?;
        Ok(Scratch { map, numbers: PhantomData })
    }
}

impl<T: Pod> Deref for Mapped<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // Maps begin at pages, and numbers at multiples of their size.
        bytemuck::try_cast_slice(&self.map[self.begin..self.end]).unwrap_or_default()
    }
}

impl<T: Pod> Deref for Scratch<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        bytemuck::try_cast_slice(&self.map).unwrap_or_default()
    }
}

impl<T: Pod> DerefMut for Scratch<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::try_cast_slice_mut(&mut self.map).unwrap_or_default()
    }
}

impl<T: Pod> Scratch<T> {
    /// The bytes as numbers of another type of equal size.
    pub fn cast<U: Pod>(self) -> Scratch<U> {
        Scratch { map: self.map, numbers: PhantomData }
    }
}

impl<T: Pod + PartialEq> PartialEq for Scratch<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

/// A result in a file without a name.
#[derive(Clone, PartialEq)]
#[allow(missing_docs)] // the names say it
pub enum Written {
    I32(Arc<Scratch<i32>>),
    I64(Arc<Scratch<i64>>),
    F32(Arc<Scratch<f32>>),
    F64(Arc<Scratch<f64>>),
    U64(Arc<Scratch<u64>>),
}

macro_rules! written {
    ($($type:ident $name:ident)*) => { $(
        impl From<Scratch<$type>> for Written {
            fn from(values: Scratch<$type>) -> Self {
                Self::$name(Arc::new(values))
            }
        }
    )* };
}

written!(i32 I32 i64 I64 f32 F32 f64 F64 u64 U64);

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes in a file", self.bytes())
    }
}

impl Written {
    fn bytes(&self) -> usize {
        match self {
            Self::I32(values) => values.map.len(),
            Self::I64(values) => values.map.len(),
            Self::F32(values) => values.map.len(),
            Self::F64(values) => values.map.len(),
            Self::U64(values) => values.map.len(),
        }
    }

    /// Writes its numbers in a format.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, format: Format, out: &mut dyn io::Write) -> io::Result<()> {
        match self {
            Self::I32(values) => format.write(out, &values[..]),
            Self::I64(values) => format.write(out, &values[..]),
            Self::F32(values) => format.write(out, &values[..]),
            Self::F64(values) => format.write(out, &values[..]),
            Self::U64(values) => format.write(out, &values[..]),
        }
    }
}

/// A list, as of a result in memory.
impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::I32(values) => serializer.collect_seq(values.iter()),
            Self::I64(values) => serializer.collect_seq(values.iter().map(|&value| JsonInteger(value.into()))),
            Self::F32(values) => serializer.collect_seq(values.iter().map(|&value| JsonReal(value))),
            Self::F64(values) => serializer.collect_seq(values.iter().map(|&value| JsonReal(value))),
            Self::U64(values) => serializer.collect_seq(values.iter().map(|&value| JsonInteger(value.into()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use manycore_files::{NpyNumber, write_npy};

    use super::*;

    fn array<T: NpyNumber>(folder: &Path, values: &[T]) -> PathBuf {
        let path = folder.join("x.npy");
        let mut bytes = Vec::new();
        write_npy(&mut bytes, values).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn find(path: &Path, types: &[(&str, NumberType)]) -> Result<Option<Numbers>, FileError> {
        super::find(path, types, path.parent().unwrap())
    }

    #[test]
    fn arrays_of_the_machines_numbers_are_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let values: Vec<i64> = (0..1000).map(|i| i * i - 500).collect();
        let path = array(folder.path(), &values);
        let found = find(&path, types(None)).unwrap().unwrap();
        assert_eq!((found.number_type(), found.len()), (NumberType::I64, 1000));
        assert_eq!(found.map::<i64>().unwrap()[..], values);
        assert!(found.map::<i32>().is_err());
        assert_eq!(find(&path, types(Some(NumberType::I64))).unwrap(), Some(found));
        // Other types are converted as they are read.
        for wanted in [NumberType::I32, NumberType::F32, NumberType::F64] {
            assert_eq!(find(&path, types(Some(wanted))).unwrap(), None);
        }
        let path = array(folder.path(), &[1i32, -2]);
        assert_eq!(find(&path, types(None)).unwrap(), None);
        assert_eq!(find(&path, types(Some(NumberType::I32))).unwrap().unwrap().map::<i32>().unwrap()[..], [1, -2]);
        let path = array(folder.path(), &[0.5f32, f32::NAN]);
        let error = find(&path, types(None)).unwrap().unwrap().map::<f32>().unwrap_err();
        assert!(error.to_string().ends_with("x.npy: value 2: NaN is not finite"), "{error}");
        assert_eq!(find(&array(folder.path(), &[1u64]), types(None)).unwrap(), None);
        assert_eq!(find(&array::<f64>(folder.path(), &[]), types(None)).unwrap(), None);
    }

    #[test]
    fn other_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        for content in [&b""[..], b"1 2 3 4 5 6 7 8 9", b"\x93NUMPY\x01\x00"] {
            fs::write(&path, content).unwrap();
            assert_eq!(find(&path, types(None)).unwrap(), None);
        }
        assert_eq!(find(Path::new("-"), types(None)).unwrap(), None);
        assert_eq!(find(&folder.path().join("absent"), types(None)).unwrap(), None);
        // A file that ends too early is an error when it is read.
        let path = array(folder.path(), &[1i64, 2, 3]);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(find(&path, types(None)).unwrap(), None);
    }

    #[test]
    fn copies_are_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = array(folder.path(), &[1.5f64, -2.0, 4.0]);
        let numbers = find(&path, types(None)).unwrap().unwrap();
        let mut copy = numbers.copy::<f64>().unwrap();
        copy[1] = 7.0;
        assert_eq!((&copy[..], &numbers.map::<f64>().unwrap()[..]), (&[1.5, 7.0, 4.0][..], &[1.5, -2.0, 4.0][..]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
