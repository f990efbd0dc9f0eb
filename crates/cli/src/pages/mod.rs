//! Pages to look at, one file a command: what the commands compute, as HTML that needs nothing else.
//!
//! | file | what |
//! |---|---|
//! | `choice` | `explain --html` |

pub(crate) mod choice;

use crate::error::Error;
use crate::global::Global;
use crate::output;

/// Writes a page where the command's result goes.
///
/// # Errors
/// [`Error::Output`].
pub(crate) fn write(global: &Global, page: &str) -> Result<(), Error> {
    output::write(global, |out| out.write_all(page.as_bytes()))
}
