//! Results of operations as text, JSON, arrays, or in the language of a computer algebra system.

use std::io;

use manycore::files::write_npy_matrix;
use manycore::operation::Value;

use crate::arguments::Global;
use crate::destination;
use crate::error::Error;
use crate::output::{self, Report, Residues};
use crate::shard::{self, array, rows};

/// Writes a value as text, in the language of `--format` where one was asked for and has it, or as `.npy` where it is a list or a matrix and the name asks for an array; with `--json`, the whole report.
///
/// # Errors
/// [`Error::Output`] when it cannot be written.
pub(crate) fn write(global: &Global, report: Report<Value>, modulus: Option<u64>) -> Result<(), Error> {
    if let (true, Value::Matrix { columns, entries, .. }) = (shard::is_on(global), &report.result) {
        return rows::write(global, &report, *columns, entries);
    }
    if let (true, Value::Elements(words)) = (shard::is_on(global), &report.result) {
        let words = Residues(words.clone());
        return array::write_run(global, &report.with(words));
    }
    if global.json {
        return output::write_report(global, &report);
    }
    if let Some(text) = global.language.and_then(|language| report.result.in_language(language.text(), modulus)) {
        return output::write(global, |out| writeln!(out, "{text}"));
    }
    match &report.result {
        Value::Polynomial(words) if words.is_empty() && destination::is_text(global) => {
            output::write(global, |out| report.result.write_text(out))
        }
        Value::Polynomial(words) | Value::Elements(words) => {
            let words = Residues(words.clone());
            output::write_residues(global, &report.with(words))
        }
        Value::Matrix { rows, columns, entries } if output::is_array(global) => {
            output::write(global, |out| write_npy_matrix(out, *rows, *columns, entries))
        }
        Value::None if output::is_array(global) => {
            let error = io::Error::new(
                io::ErrorKind::InvalidData,
                "there is no solution, which no array tells: write text or JSON",
            );
            output::write(global, |_| Err(error))
        }
        Value::Fractions { .. } | Value::Integers { .. } | Value::Rationals(_) | Value::Parts(_)
            if output::is_array(global) =>
        {
            let error = io::Error::new(
                io::ErrorKind::InvalidData,
                "numbers of any size, which no array holds: write text or JSON",
            );
            output::write(global, |_| Err(error))
        }
        value => output::write(global, |out| value.write_text(out)),
    }
}
