//! `manycore explain`: what the library would choose for an operation, what the model says of every candidate, and how the work is cut
//! because of devices or memory.

use std::path::PathBuf;

use clap::Args;
use manycore::Device;
use manycore::operation::Explained;

use super::auto;
use super::choice::Chosen;
use super::explained;
use super::several::{Devices, Wanted, is_several};
use crate::destination;
use crate::error::Error;
use crate::global::Global;
use crate::label::label;

/// What is explained, and where a page of it goes.
#[derive(Debug, Clone, Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Arguments {
    /// What is explained.
    #[command(subcommand)]
    pub operation: Chosen,

    /// Write a page to look at to this file, too: the candidates with estimate, floor and measurement
    #[arg(long, global = true, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Prints the candidates of an operation on the selected device, the choice first, and the blocks in which the work is done where it is
/// cut; where the device is left to the program and
/// there is a GPU, what each device would take in all. Nothing is measured, unless `MANYCORE_TUNING`
/// says so.
///
/// # Errors
/// [`Error::Usage`] for a size that the operation does not have, and for one file that `--html` and `-o` name; [`Error::Device`];
/// [`Error::Output`].
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let global = &Global { page: destination::page(arguments.html.as_deref(), global)?, ..global.clone() };
    let operation = &arguments.operation;
    if is_several(&global.device) && operation.is_shared() {
        let devices = Devices::best(global)?;
        let each = |device| Ok((label(device), operation.explain(device)?));
        let each = devices.set().devices().iter().map(each).collect::<Result<_, Error>>()?;
        let blocks = operation.blocks(devices.set())?;
        let is_one = devices.single().is_some();
        let cut = |told: Explained| if is_one { told.in_blocks(blocks) } else { told.shared_in(blocks) };
        let written = |told: Explained| explained::write(cut(told), "explain", &devices, global);
        return Explained::of_each(each).map_or(Ok(()), written);
    }
    let wanted = Wanted::new(global)?;
    let compared = if matches!(wanted, Wanted::Auto(_)) { auto::compared(operation) } else { Vec::new() };
    let device = wanted.device(Some(operation));
    let blocks = |device: &Device| operation.blocks(&device.clone().into());
    let mut explained = operation.explain(&device)?.in_blocks(blocks(&device)?);
    if compared.len() > 1 {
        explained::compare(&mut explained, &compared);
    }
    explained::write(explained, "explain", &device, global)
}
