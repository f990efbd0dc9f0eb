//! `manycore explain`: what the library would choose for an operation, what the model says of every candidate, and how the work is cut
//! because of devices or memory.
//!
//! | file | what |
//! |---|---|
//! | `mod` | operations that are tuned, too |
//! | `cut` | sorts, generalized products and stars |

mod cut;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::auto::{self, Wanted};
use super::choice::{Explained, Operation};
use super::label;
use super::several::{Devices, is_several};
use crate::arguments::Global;
use crate::destination;
use crate::error::Error;

/// What is explained, and where a page of it goes.
#[derive(Debug, Clone, Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Arguments {
    /// What is explained.
    #[command(subcommand)]
    pub asked: Asked,

    /// Write a page to look at to this file, too: the candidates with estimate, floor and measurement
    #[arg(long, global = true, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// What is explained.
#[derive(Debug, Clone, Subcommand)]
pub enum Asked {
    /// An operation that `tune` measures, too.
    #[command(flatten)]
    Operation(Operation),
    /// A sort of numbers
    SortNumbers(cut::SortArguments),
    /// The product of two matrices over a semiring
    SemiringProduct(cut::ProductArguments),
    /// The star of a matrix: longest paths between all pairs of nodes
    MaxplusStar(cut::StarArguments),
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
    match &arguments.asked {
        Asked::Operation(operation) => tuned(operation, global),
        Asked::SortNumbers(arguments) => cut::sort(arguments, global),
        Asked::SemiringProduct(arguments) => cut::product(arguments, global),
        Asked::MaxplusStar(arguments) => cut::star(arguments, global),
    }
}

/// Whether the command of an operation shares its work among several devices.
const fn is_shared(operation: &Operation) -> bool {
    use Operation::{Arithmetic, Characters, MatrixDet, MatrixMul, Ntt, ReedMuller, Walsh};
    matches!(operation, Walsh(_) | ReedMuller(_) | Arithmetic(_) | Ntt(_) | Characters(_) | MatrixMul(_) | MatrixDet(_))
}

/// The candidates of each of several devices that share the work, or of the one.
fn tuned(operation: &Operation, global: &Global) -> Result<(), Error> {
    if is_several(&global.device) && is_shared(operation) {
        let devices = Devices::best(global)?;
        let each = |device| Ok((label(device), operation.explain(device)?));
        let each = devices.set().devices().iter().map(each).collect::<Result<_, Error>>()?;
        let blocks = operation.shared_blocks(devices.set())?;
        let written = |explained: Explained| explained.on(&devices, blocks).write("explain", &devices, global);
        return Explained::of_each(each).map_or(Ok(()), written);
    }
    let wanted = Wanted::new(global)?;
    let compared = if matches!(wanted, Wanted::Auto(_)) { auto::compared(operation) } else { Vec::new() };
    let device = wanted.device(Some(operation));
    let mut explained = operation.explain(&device)?;
    if compared.len() > 1 {
        explained.compare(&compared);
    }
    explained.write("explain", &device, global)
}
