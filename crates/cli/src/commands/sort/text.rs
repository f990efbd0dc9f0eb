//! `manycore sort text`.

use std::path::PathBuf;

use clap::Args;
use manycore::sort::SparseSorter;
use serde_json::json;

use super::{check_places, order, report};
use crate::arguments::Global;
use crate::commands::auto::Wanted;
use crate::commands::choice::Operation;
use crate::commands::label;
use crate::error::Error;
use crate::input;
use crate::output;
use crate::progress;
use crate::vector::Vector;
use crate::verification::verified;

/// The arguments of `sort text`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The text; - is standard input
    pub file: PathBuf,

    /// The last line of the order first
    #[arg(long)]
    pub descending: bool,

    /// Write the places of the lines, from 0, in place of them
    #[arg(long)]
    pub places: bool,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Lines of a text by their bytes

The lines in the order of their bytes, a line that begins another before it: equal lines keep their order. Bytes are written as they are \
read, whatever they stand for, carriage returns, byte order marks and zeros too; a last line without its end is given one. With --places, and in the \
JSON object of --json, the place of each line, from 0, in the given ones.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify sorts again by the standard library and compares every place. No wrong result passes.

Examples:
  manycore sort text names.txt
  manycore sort text names.txt --descending --places --json";

/// Reads the lines, sorts them, checks the order where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    if arguments.places {
        output::check_form(global)?;
    } else {
        output::check_text(global, "a sorted text")?;
    }
    progress::step(format!("reading {}", input::name(&arguments.file)));
    let text = input::bytes(&arguments.file)?;
    let lines = lines(&text);
    let device = Wanted::new(global)?.device(None::<&Operation>);
    progress::compute(format!("sorting {} lines on {}", lines.len(), label(&device)));
    let direction = order(arguments.descending);
    let (made, profile) = device.profile(|| SparseSorter::new(&device)?.argsort_bytes(&lines, direction))?;
    let places = made?;
    let mut verification = None;
    if global.verify {
        progress::step("verifying");
        let compare = |a: &&[u8], b: &&[u8]| if arguments.descending { b.cmp(a) } else { a.cmp(b) };
        verification = Some(verified(check_places(&lines, &places, compare), &device)?);
    }
    if !arguments.places && !global.json {
        return output::write(global, |out| {
            places.iter().try_for_each(|&place| {
                out.write_all(lines[place as usize])?;
                out.write_all(b"\n")
            })
        });
    }
    let parameters = json!({
        "lines": lines.len(),
        "order": if arguments.descending { "descending" } else { "ascending" },
    });
    let result = Vector::I64(places.into_iter().map(i64::from).collect());
    output::write_vector(global, &report("sort text", parameters, result, &device, (&profile).into(), verification))
}

/// The lines of a text without their ends; what follows the last end is a line where it is not empty.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    if text.is_empty() {
        return Vec::new();
    }
    text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_newlines_alone() {
        let of = |text: &'static [u8]| lines(text);
        assert_eq!(of(b""), [&b""[..]; 0]);
        assert_eq!(of(b"\n"), [b""]);
        assert_eq!(of(b"b\r\na"), [&b"b\r"[..], b"a"]);
        assert_eq!(of(b"b\n\n\0\xe9\n"), [&b"b"[..], b"", b"\0\xe9"]);
    }
}
