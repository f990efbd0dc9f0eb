//! Errors of calibrations and of cache files.

use std::path::PathBuf;

use manycore_model::MachineError;

use crate::error::DeviceError;

/// Why a device was not calibrated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrateError {
    /// The numbers make no machine.
    #[error("the calibration of {device} failed: {reason}")]
    Machine {
        /// The device.
        device: String,
        /// Which number.
        reason: MachineError,
    },
    /// A cache file cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
