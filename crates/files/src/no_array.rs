//! Stand-ins for arrays in programs without the feature `npy`: arrays are refused.

use std::io::BufRead;
use std::marker::PhantomData;

use crate::error::FileError;
use crate::npy::{Kind, Number};
use crate::number::{NotFinite, Numeral};

/// No array.
#[derive(Debug)]
enum Never {}

/// An array of one dimension whose header is read: none, since the crate is compiled without the feature `npy`.
#[derive(Debug)]
pub struct Array<'a> {
    never: Never,
    reader: PhantomData<&'a ()>,
}

impl<'a> Array<'a> {
    /// Refuses the file.
    #[allow(clippy::needless_pass_by_value)] // as with the feature
    pub(crate) fn open(_: Box<dyn BufRead + 'a>, file: String) -> Result<Self, FileError> {
        Err(FileError::Npy { file, reason: NO_NPY.to_owned() })
    }

    /// Refuses the file.
    pub(crate) fn open_matrix(reader: Box<dyn BufRead + 'a>, file: String) -> Result<Self, FileError> {
        Self::open(reader, file)
    }

    /// What errors call it.
    pub fn file(&self) -> &str {
        match self.never {}
    }

    /// Rows and columns of a matrix; of a vector its length and 1.
    pub fn shape(&self) -> (u64, u64) {
        match self.never {}
    }

    /// Whether a matrix stands column after column, and not row after row.
    pub fn is_by_columns(&self) -> bool {
        match self.never {}
    }

    /// What its numbers are.
    pub fn kind(&self) -> Kind {
        match self.never {}
    }

    /// The numbers in a type.
    ///
    /// # Errors
    /// None.
    pub fn numbers<T: Numeral>(self, _: NotFinite) -> Result<Vec<T>, FileError> {
        match self.never {}
    }

    /// Hands every number with its index, from 0, to `take`.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn each<E: From<FileError>>(self, _: impl FnMut(usize, Number) -> Result<(), E>) -> Result<(), E> {
        match self.never {}
    }
}

/// Why no array is read or written.
pub(crate) const NO_NPY: &str = "a .npy file, and the program is compiled without the feature `npy`";

#[cfg(test)]
mod tests {
    use super::NO_NPY;
    use crate::{Format, Source};

    #[test]
    fn arrays_are_refused() {
        let error = Source::new("x.npy", &b"\x93NUMPY and more"[..]).unwrap_err();
        assert_eq!(error.to_string(), format!("x.npy: {NO_NPY}"));
        let error = Format::Npy.write(&mut Vec::new(), &[1u32]).unwrap_err();
        assert_eq!(error.to_string(), NO_NPY);
        let (source, is_complex) = Source::with_parts("x", &b"1 2"[..]).unwrap();
        assert!(matches!(source, Source::Text(_)) && !is_complex);
    }
}
