//! Text that is generated into tracked files, between two markers, and kept current.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result};
use manycore_operations::ALL;
use manycore_operations::inputs::{Answer, INPUTS};

use super::source::{Findings, SourceFile};
use super::{messages, tables};
use crate::ci::times::Times;
use crate::{layers, metadata, shell};

/// A generated block: the file, the marker's name, its lines.
struct Block {
    file: String,
    name: String,
    lines: String,
}

/// The table of operations, the times of continuous integration, the messages of errors, and the book's tables of measurements.
fn blocks(files: &[SourceFile]) -> Result<Vec<Block>> {
    let operations = Block { file: "README.md".into(), name: "capabilities".into(), lines: capabilities() };
    let kept = Times::kept()?.unwrap_or_default();
    let times = Block { file: "CONTRIBUTING.md".into(), name: "times".into(), lines: kept.tables() };
    let measured = tables::read()?
        .into_iter()
        .map(|table| Ok(Block { file: format!("docs/src/{}", table.page), lines: table.lines()?, name: table.name }));
    let page = "docs/src/numbers.md";
    let inputs = Block { file: page.into(), name: "inputs".into(), lines: inputs() };
    let examples = Block { file: page.into(), name: "examples of inputs".into(), lines: examples() };
    let messages =
        Block { file: "docs/src/messages.md".into(), name: "messages".into(), lines: messages::tables(files) };
    let packages = metadata::workspace()?.packages;
    let page = "docs/src/architecture.md";
    let rows = Block { file: page.into(), name: "crates".into(), lines: layers::table(&packages) };
    [operations, times, inputs, examples, messages, rows].map(Ok).into_iter().chain(measured).collect()
}

const END: &str = "<!-- end generated -->";

/// Compares every block with what it should be, and writes it again where `write` is set.
pub(super) fn check(files: &[SourceFile], write: bool, findings: &mut Findings) -> Result<()> {
    // Several blocks may stand in one file.
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for block in blocks(files)? {
        let Some(file) = files.iter().find(|file| file.path == block.file) else {
            findings.faults.push(format!("{} with the generated block {} is missing", block.file, block.name));
            continue;
        };
        let text = texts.entry(block.file.clone()).or_insert_with(|| file.text.clone());
        match renewed(text, &block.name, &block.lines) {
            None => findings.faults.push(format!("{} has no generated block {}", block.file, block.name)),
            Some(new) if new == *text => {}
            Some(new) if write => {
                let path = shell::root().join(&block.file);
                std::fs::write(&path, &new).with_context(|| format!("cannot write {}", block.file))?;
                eprintln!("tidy: wrote the block {} of {}", block.name, block.file);
                *text = new;
            }
            Some(_) => findings.faults.push(format!(
                "{}: the generated block {} is not current: run `cargo xtask tidy --write`",
                block.file, block.name
            )),
        }
    }
    Ok(())
}

/// The text with the block's lines replaced; `None` where its markers are not there.
fn renewed(text: &str, name: &str, lines: &str) -> Option<String> {
    let marker = format!("<!-- generated: {name} -->");
    let (before, rest) = text.split_once(&marker)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{marker}\n{lines}{END}{after}"))
}

/// The README's table of what works on which device.
fn capabilities() -> String {
    let mut table =
        String::from("| operation | elements | sizes | host | OpenCL | program |\n|---|---|---|---|---|---|\n");
    for operation in ALL {
        let cells =
            [operation.title, operation.elements, operation.sizes, operation.host, operation.opencl, operation.program];
        let _ = writeln!(table, "| {} |", cells.join(" | "));
    }
    table
}

/// The book's table of what each command takes.
fn inputs() -> String {
    let mut table = String::from("| commands | read | range | infinities, NaN | files |\n|---|---|---|---|---|\n");
    for input in INPUTS {
        let commands: Vec<String> = input.commands().map(|command| format!("`{command}`")).collect();
        let cells = [&commands.join(", "), input.reads, input.range, input.not_finite, input.formats];
        let _ = writeln!(table, "| {} |", cells.join(" | "));
    }
    table
}

/// The book's table of inputs that are taken and refused.
fn examples() -> String {
    let code = |text: &str| {
        let text = text.replace('|', "\\|").replace('\r', "").replace('\t', "\\t");
        let fence = if text.contains('`') { "``" } else { "`" };
        let blank = if text.starts_with(['`', ' ']) || text.ends_with('`') { " " } else { "" };
        format!("{fence}{blank}{text}{blank}{fence}")
    };
    let mut table = String::from("| `manycore` | the file `x` | answer |\n|---|---|---|\n");
    for example in INPUTS.iter().flat_map(|input| input.examples) {
        let text = example.text.trim_end().replace('\n', " / ");
        let answer = match example.answer {
            Answer::Gives(output) => code(output),
            Answer::Refuses(message) => format!("refused: {}", code(message)),
        };
        let _ = writeln!(table, "| {} | {} | {answer} |", code(example.line), code(&text));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{capabilities, renewed};

    #[test]
    fn only_the_block_changes() {
        let text = "a\n<!-- generated: t -->\nold\n<!-- end generated -->\nb\n";
        let new = renewed(text, "t", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- generated: t -->\nnew\n<!-- end generated -->\nb\n");
        assert_eq!(renewed(&new, "t", "new\n").unwrap(), new);
        assert_eq!(renewed(text, "other", "new\n"), None);
    }

    #[test]
    fn every_row_has_the_columns_of_the_head() {
        let table = capabilities();
        let bars: Vec<usize> = table.lines().map(|line| line.matches('|').count()).collect();
        assert!(bars.len() > 2 && bars.iter().all(|&count| count == bars[0]), "{table}");
    }
}
