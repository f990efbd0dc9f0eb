//! `manycore explain`: what the library would choose for an operation, and what the model says of every candidate.

use manycore::Device;

use super::choice::Operation;
use crate::arguments::Global;
use crate::error::Error;

/// Prints the candidates of an operation on the selected device, the choice first. Nothing is measured, unless `MANYCORE_TUNING`
/// says so.
///
/// # Errors
/// [`Error::Usage`] for a size that the operation does not have, [`Error::Device`], [`Error::Output`].
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    let device = Device::select(&global.device)?;
    operation.explain(&device)?.write("explain", &device, global)
}
