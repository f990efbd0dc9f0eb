//! `manycore sbox compare`: nonlinearity and differential uniformity of many S-boxes, one a line.

use std::cmp::Reverse;
use std::path::PathBuf;

use clap::Args;
use manycore::boolean::{nonlinearities_over, uniformities_over};
use manycore::verify::sbox::check_figures;
use manycore::{BooleanError, SBox};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::read::number_error;
use crate::arguments::{Global, positive};
use crate::commands::label;
use crate::commands::several::Devices;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, Report};
use crate::progress;
use crate::shard::{self, Shards, Split};
use crate::verification::verified;

/// The S-boxes.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The S-boxes as text, each on a line of its own: its outputs, S(0) first, as decimal numbers, or hexadecimal ones that
    /// begin with 0x, with white space, commas or brackets between them; # begins a comment; - is standard input
    pub file: PathBuf,

    /// All numbers are hexadecimal
    #[arg(long)]
    pub hex: bool,

    /// The output bits of every S-box; without it, as many as its largest output needs
    #[arg(long, value_name = "N")]
    pub output_bits: Option<u32>,

    /// Print the COUNT best only: largest nonlinearity first; ties by least differential uniformity
    #[arg(long, value_name = "COUNT", value_parser = positive::<usize>)]
    pub best: Option<usize>,
}

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
Every S-box has a line: the line of the file where it stands, its input and output bits, whether it is a permutation, its \
nonlinearity (2^m - linearity) / 2, and its differential uniformity.

--verify computes both figures of every S-box once more on the host, by plain loops. No wrong result passes.

--shard splits the S-boxes of the file.

Examples:
  manycore sbox compare candidates.txt --best 10
  printf 'c 5 6 b 9 0 a d 3 e f 8 4 7 1 2\\n0 1 2 3\\n' | manycore sbox compare - --hex --json";

/// What is told of one S-box.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Figures {
    line: usize,
    input_bits: u32,
    output_bits: u32,
    permutation: bool,
    nonlinearity: u32,
    differential_uniformity: u32,
}

/// The S-boxes of a file, and the line of each, from 1.
fn read(arguments: &Arguments) -> Result<(Vec<SBox>, Vec<usize>), Error> {
    let text = input::plain_text(&arguments.file)?;
    let (mut sboxes, mut lines) = (Vec::new(), Vec::new());
    for (line, words) in (1..).zip(text.lines()).filter(|(_, words)| !words.trim().is_empty()) {
        let wrong = |error| InputError::Table { place: format!("{}:{line}", input::name(&arguments.file)), error };
        let sbox = SBox::parse(words, if arguments.hex { 16 } else { 10 })
            .map_err(|error| number_error(words, arguments.hex, error, wrong))?;
        sboxes.push(match arguments.output_bits {
            None => sbox,
            Some(bits) => SBox::new(bits, sbox.values().to_vec()).map_err(wrong)?,
        });
        lines.push(line);
    }
    if sboxes.is_empty() {
        return Err(InputError::Empty { file: input::name(&arguments.file) }.into());
    }
    Ok((sboxes, lines))
}

/// Some of the S-boxes, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    rows: Vec<Figures>,
}

impl Split for Arguments {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let merged = shards.decode::<Part>()?;
        let rows: Vec<Figures> = merged.parts.iter().flat_map(|part| part.rows.iter().copied()).collect();
        if rows.len() as u64 != shards.items() {
            return Err(shards.damaged("the parts are not of as many S-boxes as they tell".to_owned()).into());
        }
        let report = merged.report(Report::new(COMMAND, self.parameters(rows.len()), rows), global.verify)?;
        self.write(report, global)
    }
}

/// The command, as reports name it.
const COMMAND: &str = "sbox compare";

/// Does what was asked for.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let devices = Devices::new(global)?;
    progress::step(format!("reading {}", input::name(&arguments.file)));
    let (sboxes, lines) = read(arguments)?;
    let total = sboxes.len();
    let Some(range) = shard::range(global, total) else { return shard::write_empty(global) };
    let (sboxes, lines) = (&sboxes[range.clone()], &lines[range]);
    progress::compute(format!("computing on {}", label(&devices)));
    let set = devices.set();
    let (outcome, spent) = devices
        .measured(|| Ok::<_, BooleanError>((nonlinearities_over(set, sboxes)?, uniformities_over(set, sboxes)?)))?;
    let (nonlinearities, uniformities) = outcome?;
    let verification = if global.verify {
        progress::step("verifying");
        let outputs: Vec<(u32, &[u16])> = sboxes.iter().map(|sbox| (sbox.output_bits(), sbox.values())).collect();
        Some(verified(check_figures(&outputs, &nonlinearities, &uniformities), &devices)?)
    } else {
        None
    };
    let figures = nonlinearities.iter().zip(&uniformities).zip(sboxes.iter().zip(lines));
    let rows: Vec<Figures> = figures
        .map(|((&nonlinearity, &differential_uniformity), (sbox, &line))| Figures {
            line,
            input_bits: sbox.input_bits(),
            output_bits: sbox.output_bits(),
            permutation: sbox.is_permutation(),
            nonlinearity,
            differential_uniformity,
        })
        .collect();
    let report = Report {
        device: Some(label(&devices)),
        seconds: Some(spent.seconds),
        transfer_seconds: spent.transfer_seconds,
        verified: global.verify.then_some(true),
        verification,
        ..Report::new(COMMAND, arguments.parameters(total), rows)
    };
    if shard::is_on(global) {
        let part = Part { rows: report.result.clone() };
        return shard::write(global, &report, &part);
    }
    arguments.write(report, global)
}

impl Arguments {
    fn parameters(&self, sboxes: usize) -> serde_json::Value {
        json!({ "sboxes": sboxes, "output_bits": self.output_bits, "best": self.best })
    }

    /// Writes the figures of all S-boxes, or of the best.
    fn write(&self, report: Report<Vec<Figures>>, global: &Global) -> Result<(), Error> {
        let report = report.map(|mut rows| {
            if let Some(best) = self.best {
                rows.sort_by_key(|row| (Reverse(row.nonlinearity), row.differential_uniformity));
                rows.truncate(best);
            }
            rows
        });
        if global.json {
            return output::write_report(global, &report);
        }
        output::write(global, |out| {
            writeln!(out, "line  bits   permutation  nonlinearity  differential uniformity")?;
            report.result.iter().try_for_each(|row| {
                let bits = format!("{}, {}", row.input_bits, row.output_bits);
                let permutation = if row.permutation { "yes" } else { "no" };
                writeln!(
                    out,
                    "{:>4}  {bits:<6} {permutation:<11}  {:>12}  {:>23}",
                    row.line, row.nonlinearity, row.differential_uniformity
                )
            })
        })
    }
}
