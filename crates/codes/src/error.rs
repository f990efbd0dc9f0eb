//! Errors of splitting and joining files.

use std::fmt;
use std::io;
use std::sync::Arc;

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use serde::Serialize;

/// A part that was left out, wholly or in damaged blocks, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The part's name, as it was given.
    pub part: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.reason)
    }
}

/// What the system said, in a form that is copied and compared.
#[derive(Debug, Clone)]
pub struct SystemError(Arc<io::Error>);

impl SystemError {
    fn key(&self) -> (io::ErrorKind, Option<i32>, String) {
        (self.0.kind(), self.0.raw_os_error(), self.0.to_string())
    }
}

impl PartialEq for SystemError {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<io::Error> for SystemError {
    fn from(error: io::Error) -> Self {
        Self(Arc::new(error))
    }
}

impl From<SystemError> for io::Error {
    fn from(error: SystemError) -> Self {
        match error.0.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(error.0.kind(), error.0.to_string()),
        }
    }
}

/// Why a file was not split, or not put together again.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// Numbers of parts that the field does not have points for, or no part at all.
    #[error(
        "{data} data and {parity} parity parts: there must be at least one data part, and at most 65536 parts in all"
    )]
    Counts {
        /// Data parts.
        data: usize,
        /// Parity parts.
        parity: usize,
    },
    /// Bytes that do not make rows of words of equal length.
    #[error("{bytes} bytes do not make {rows} rows of equally many words of two bytes")]
    Rows {
        /// The number of bytes.
        bytes: usize,
        /// The rows asked for.
        rows: usize,
    },
    /// A part that the code does not have, or one that is given twice.
    #[error("part {index} is given twice, or is none of the {count} parts, which are numbered from 0")]
    Index {
        /// The part.
        index: usize,
        /// The parts of the code.
        count: usize,
    },
    /// Nothing that was given is a whole part.
    #[error("none of the files is a part of a split file{}", listed(left_out))]
    NoPart {
        /// Those that were left out.
        left_out: Vec<LeftOut>,
    },
    /// Not enough parts are left.
    #[error("{needed} different parts are needed, and {present} {} whole{}", if *present == 1 { "is" } else { "are" }, listed(left_out))]
    TooFew {
        /// Parts that are needed.
        needed: usize,
        /// Whole and different parts that were given.
        present: usize,
        /// Those that were left out.
        left_out: Vec<LeftOut>,
    },
    /// Enough parts of several files.
    #[error("there are enough parts of different files, such as {first} and {second}: give the parts of one")]
    Mixed {
        /// The name of a part.
        first: String,
        /// The name of another.
        second: String,
    },
    /// The file put together is not the one that was split, although every part is whole.
    #[error("the parts are whole and do not make the file that was split: its checksum is {expected}, theirs {found}")]
    Wrong {
        /// The file's checksum.
        expected: String,
        /// The hash of the joined file.
        found: String,
    },
    /// A device computed another file than the host, whose file has the right checksum.
    #[error("the result of {device} is wrong: {reason}")]
    WrongOnDevice {
        /// The device.
        device: String,
        /// What does not hold.
        reason: String,
    },
    /// The input cannot be read.
    #[error("the input cannot be read: {0}")]
    Input(SystemError),
    /// A part or the file cannot be written.
    #[error("the output cannot be written: {0}")]
    Output(SystemError),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

fn listed(left_out: &[LeftOut]) -> String {
    /// Parts that a message names.
    const MOST: usize = 8;
    let list = left_out.iter().take(MOST).fold(String::new(), |list, part| list + "; " + &part.to_string());
    if left_out.len() > MOST { format!("{list}; and {} more", left_out.len() - MOST) } else { list }
}

impl LibraryError for CodeError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Counts { .. }
            | Self::Rows { .. }
            | Self::Index { .. }
            | Self::NoPart { .. }
            | Self::TooFew { .. }
            | Self::Mixed { .. }
            | Self::Wrong { .. } => ErrorKind::Value,
            Self::WrongOnDevice { .. } => ErrorKind::Check,
            Self::Input(_) | Self::Output(_) => ErrorKind::File,
            Self::Device(error) => error.kind(),
        }
    }

    fn device_error(&self) -> Option<&DeviceError> {
        match self {
            Self::Device(error) => Some(error),
            _ => None,
        }
    }
}
