//! Errors of commands, and their exit statuses.

use std::io;
use std::path::Path;

use manycore::{CalibrateError, DeviceError, FileError};

use manycore::codes::CodeError;
use manycore::device::UnknownTuningMode;
use manycore::operation::OperationError;
use manycore::verify::CheckError;

use crate::input::{self, InputError};
use crate::shard::error::ShardError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A shard cannot be computed, or shards not be put together.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// Options that exclude each other or name something that does not exist.
    #[error("{0}")]
    Usage(String),
    /// The variable of the tuning mode names none.
    #[error("{variable}: {0}", variable = manycore::device::TUNING_VARIABLE)]
    Tuning(#[from] UnknownTuningMode),
    /// Every candidate failed where it was measured.
    #[error("no candidate of {operation} could be measured on {device}: it may have too little memory for this shape")]
    Unmeasured {
        /// The operation.
        operation: &'static str,
        /// The device.
        device: String,
    },
    /// The device cannot be had or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The device cannot be measured, or its machine not be kept.
    #[error(transparent)]
    Calibrate(#[from] CalibrateError),
    /// The file was not split, or not put together.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// A declared operation was not done.
    #[error("{message}")]
    Operation {
        /// The message, with the file or option that it is about.
        message: String,
        /// Why.
        error: OperationError,
    },
    /// A file that is read or written, too, would be written over.
    #[error("{file}: {what}")]
    Overwritten {
        /// The file.
        file: String,
        /// What would become of it.
        what: &'static str,
    },
    /// The result cannot be written.
    #[error("{}: {error}", file.as_deref().unwrap_or("standard output"))]
    Output {
        /// The file; none is standard output.
        file: Option<String>,
        /// What the system said.
        error: io::Error,
    },
    /// The result cannot be verified.
    #[error("--verify: {0}")]
    Check(CheckError),
    /// The result is wrong.
    #[error("--verify: the result of {device} is wrong: {reason}")]
    Wrong {
        /// The device that computed it.
        device: String,
        /// Which relation does not hold.
        reason: String,
    },
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Self::Input(error.into())
    }
}

impl From<OperationError> for Error {
    fn from(error: OperationError) -> Self {
        Self::of_operation(error, &[])
    }
}

impl Error {
    /// The error of a declared operation, with the file or option that it is about.
    pub(crate) fn of_operation(error: OperationError, files: &[&Path]) -> Self {
        let names: Vec<String> = files.iter().map(|path| input::name(path)).collect();
        Self::Operation { message: error.told(&names), error }
    }

    /// Whether the work needs more memory than there is, and the error does not name the option or file that makes it so large.
    pub fn is_of_size(&self) -> bool {
        let device = match self {
            Self::Operation { error, .. } => return error.is_of_size(),
            Self::Unmeasured { .. } => return true,
            Self::Device(error) | Self::Code(CodeError::Device(error)) => error,
            _ => return false,
        };
        matches!(device, DeviceError::OutOfMemory { .. })
    }

    /// The exit status, of [`STATUS`].
    #[allow(clippy::too_many_lines)] // one table
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Output { error, .. } if is_named_wrongly(error) => 2,
            Self::Operation { error, .. } => 1 + u8::from(error.is_refusal()),
            Self::Input(error) if error.is_out_of_memory() => 1,
            Self::Input(_)
            | Self::Shard(_)
            | Self::Usage(_)
            | Self::Overwritten { .. }
            | Self::Tuning(_)
            | Self::Code(
                CodeError::Counts { .. }
                | CodeError::NoPart { .. }
                | CodeError::TooFew { .. }
                | CodeError::Mixed { .. }
                | CodeError::Wrong { .. },
            )
            | Self::Device(
                DeviceError::NoDevice { .. } | DeviceError::NoRuntime { .. } | DeviceError::Ambiguous { .. },
            ) => 2,
            _ => 1,
        }
    }
}

/// The exit statuses of the program, and when it ends with them: faults of the command line and its files differ from faults of the
/// machine.
pub const STATUS: [(u8, &str); 3] = [
    (0, "done; with `--verify`, the result was found right"),
    (
        1,
        "a failure of the machine, or a wrong result: no memory, no room on the disk, a device that fails, a check that fails or cannot be made",
    ),
    (
        2,
        "bad usage or input: wrong options, a file, folder or device that is not there, a file that may not be opened, values that the operation does not take",
    ),
];

/// Whether a file cannot be written for its name or its rights, which the command line can change.
fn is_named_wrongly(error: &io::Error) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory | PermissionDenied)
}

#[cfg(test)]
mod tests {
    use manycore::{LinalgError, PolyError, SpectralError};

    use super::*;

    #[test]
    fn codes() {
        let absent = DeviceError::NoDevice { wanted: "x".into(), seen: vec![] };
        assert_eq!(Error::from(absent).exit_code(), 2);
        assert_eq!(Error::from(DeviceError::NoRuntime { tried: String::new() }).exit_code(), 2);
        let output = |kind: io::ErrorKind| Error::Output { file: None, error: kind.into() }.exit_code();
        assert_eq!((output(io::ErrorKind::NotFound), output(io::ErrorKind::StorageFull)), (2, 1));
        let of_operation = |error: SpectralError| Error::from(OperationError::from(error)).exit_code();
        assert_eq!(of_operation(SpectralError::NotPowerOfTwo { len: 3 }), 2);
        let threads = DeviceError::Threads { reason: String::new() };
        assert_eq!(of_operation(SpectralError::from(threads)), 1);
        assert_eq!(Error::Usage(String::new()).exit_code(), 2);
    }

    #[test]
    fn the_book_has_the_table_of_statuses() {
        // Of the workspace: no package has the book.
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/program.md");
        let book = std::fs::read_to_string(page).unwrap();
        for (status, when) in STATUS {
            assert!(book.contains(&format!("| {status} | {when} |")), "{status}");
        }
    }

    #[test]
    fn sizes_are_told_of() {
        let reason = "the limit of memory that was set";
        let memory =
            DeviceError::OutOfMemory { device: "host".into(), wanted_bytes: 2, free_or_limit_bytes: 1, reason };
        assert!(Error::from(memory.clone()).is_of_size());
        assert!(Error::from(OperationError::from(PolyError::from(memory))).is_of_size());
        let too_large = LinalgError::TooLarge { rows: 1, columns: 1 };
        assert!(Error::from(OperationError::from(too_large)).is_of_size());
        assert!(!Error::from(DeviceError::Cancelled).is_of_size());
        assert!(!Error::Usage(String::new()).is_of_size());
    }

    #[test]
    fn output_errors_name_the_file() {
        let error = || io::Error::other("full");
        assert_eq!(Error::Output { file: Some("x.txt".into()), error: error() }.to_string(), "x.txt: full");
        assert_eq!(Error::Output { file: None, error: error() }.to_string(), "standard output: full");
    }
}
