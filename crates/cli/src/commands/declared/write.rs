//! Results of operations as text, JSON, arrays, or in the language of a computer algebra system.

use manycore::operation::Value;

use crate::error::Error;
use crate::global::{Global, Language};
use crate::output::{self, Bits, PackedBits, Report, Residues};
use crate::pages;
use crate::shard::{self, array, rows};

/// Writes a value: as text, in the form of `--format`, as a `.npy` array or as Matrix Market, by the name of the file; with `--json`, the
/// whole report, and with `--shard`, a part.
///
/// # Errors
/// [`Error::Output`] when it cannot be written.
pub(crate) fn write(global: &Global, report: Report<Value>, modulus: Option<u64>) -> Result<(), Error> {
    if shard::is_on(global) {
        return write_part(global, report);
    }
    if let Value::Page(page) = &report.result {
        return pages::write(global, page);
    }
    if global.json {
        return output::write_report(global, &report);
    }
    let value = &report.result;
    let language = global.language.and_then(Language::text);
    if let Some(text) = language.and_then(|language| value.in_language(language, modulus)) {
        return output::write(global, |out| writeln!(out, "{text}"));
    }
    if output::is_array(global) {
        return output::write(global, |out| value.write_array(out));
    }
    output::write(global, |out| match global.language {
        Some(Language::Coefficients) => value.write_coefficients(out),
        _ if output::is_matrix_market(global) => value.write_matrix_market(out),
        _ => value.write_text(out),
    })
}

/// Writes a part of a result.
fn write_part(global: &Global, report: Report<Value>) -> Result<(), Error> {
    let mut value = Value::None;
    let report = report.map(|whole| value = whole);
    match value {
        Value::Elements(words) => array::write_run(global, &report.with(Residues(words))),
        Value::Vector(values) => array::write_run(global, &report.with(values)),
        Value::Bits(bits) => array::write_run(global, &report.with(Bits(bits))),
        Value::Words(words) => array::write_run(global, &report.with(PackedBits(words))),
        Value::Matrix { columns, entries, .. } => rows::write(global, &report, columns, entries),
        Value::Table { columns, entries } => rows::write_table(global, &report, columns, entries),
        other => shard::write(global, &report, &other),
    }
}
