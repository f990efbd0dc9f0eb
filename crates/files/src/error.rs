//! Errors of reading and writing files.

use std::io;

use crate::fault::LineFault;
use crate::memory::OutOfMemory;

/// Why a file cannot be read or written. Every variant names the file; the line or value that is wrong stands with it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be opened or read.
    #[error("{file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// What the system said.
        error: io::Error,
    },
    /// There is no memory for what the file holds.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The file cannot be created or written.
    #[error("{file}: {error}")]
    Write {
        /// The file.
        file: String,
        /// What the system said.
        error: io::Error,
    },
    /// Bytes that are neither UTF-8 nor the beginning of a `.npy` file.
    #[error("{file}:{line}: neither text nor a .npy file")]
    NotText {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// A file that is compressed.
    #[error("{file}: compressed by {form}: unpack it first")]
    Packed {
        /// The file.
        file: String,
        /// What by.
        form: &'static str,
    },
    /// A line that is wrong: a word that is no number of the type, or what its format does not have.
    #[error("{file}:{line}: {reason}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1; one past the last where something is missing at the end.
        line: usize,
        /// What is wrong with it.
        reason: Box<LineFault>,
    },
    /// A value of a `.npy` array that is wrong.
    #[error("{file}: value {}: {reason}", index + 1)]
    Value {
        /// The file.
        file: String,
        /// The index, from 0, where the message counts from 1.
        index: usize,
        /// What is wrong with it.
        reason: Box<LineFault>,
    },
    /// Two commas with nothing between them, or one at the beginning of a line.
    #[error("{file}:{line}: no number before comma {comma}")]
    Comma {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The comma's number in the line, from 1.
        comma: usize,
    },
    /// A `.npy` file that cannot be read.
    #[error("{file}: {reason}")]
    Npy {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An array of one dimension, of none or of more than two.
    #[error("{file}: an array of shape ({shape}), where a matrix has two dimensions")]
    MatrixShape {
        /// The file.
        file: String,
        /// Its shape, as the file has it.
        shape: String,
    },
    /// An array of several dimensions, or of none.
    #[error("{file}: an array of shape ({shape}), where a vector has one dimension")]
    Shape {
        /// The file.
        file: String,
        /// Its shape, as the file has it.
        shape: String,
    },
}

impl FileError {
    /// A line of a file that is wrong.
    pub(crate) fn at(file: &str, line: usize, reason: LineFault) -> Self {
        Self::Line { file: file.to_owned(), line, reason: Box::new(reason) }
    }

    /// Whether memory was missing, and nothing is wrong with the file.
    pub fn is_out_of_memory(&self) -> bool {
        match self {
            Self::Memory(_) => true,
            Self::Read { error, .. } | Self::Write { error, .. } => error.kind() == io::ErrorKind::OutOfMemory,
            _ => false,
        }
    }
}
