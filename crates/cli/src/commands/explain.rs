//! `manycore explain`: what the library would choose for an operation, and what the model says of every candidate.

use super::auto::{self, Wanted};
use super::choice::Operation;
use crate::arguments::Global;
use crate::error::Error;

/// Prints the candidates of an operation on the selected device, the choice first; where the device is left to the program and
/// there is a GPU, what each device would take in all. Nothing is measured, unless `MANYCORE_TUNING`
/// says so.
///
/// # Errors
/// [`Error::Usage`] for a size that the operation does not have, [`Error::Device`], [`Error::Output`].
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    let wanted = Wanted::new(global)?;
    let compared = if matches!(wanted, Wanted::Auto(_)) { auto::compared(operation) } else { Vec::new() };
    let device = wanted.device(Some(operation));
    let mut explained = operation.explain(&device)?;
    if compared.len() > 1 {
        explained.compare(&compared);
    }
    explained.write("explain", &device, global)
}
