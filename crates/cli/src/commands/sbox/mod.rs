//! `manycore sbox`: S-boxes.

mod compare;
mod read;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use manycore::boolean::{DifferenceSummary, LinearSummary};
use manycore::device::Kind;
use manycore::{Boolean, BooleanError, Device, Profile, SBox};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{label, refuse_json};
use crate::arguments::Global;
use crate::commands::several::one;
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::pages::{self, known, sbox as page};
use crate::progress;
use crate::shard::{self, Shards, Split};
use crate::verification::{Verification, verified};
use manycore::verify::{Outcome, sbox as check};
use read::read;

/// What is asked of an S-box.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// Linearity, differential uniformity, degrees, branch numbers, and histograms of the linear and difference tables
    #[command(after_long_help = AFTER_HELP)]
    Info(Arguments),
    /// The linear approximation table: row a, column b has the sum of (-1)^(a . x + b . S(x)) over x, twice the bias
    #[command(after_long_help = AFTER_HELP)]
    Lat(TableArguments),
    /// The difference distribution table: row a, column b has the number of x with S(x) + S(x + a) = b
    #[command(after_long_help = AFTER_HELP)]
    Ddt(TableArguments),
    /// A page to look at: both tables as heat maps, components, histograms, and known S-boxes beside it
    #[command(long_about = REPORT, after_long_help = REPORT_HELP)]
    Report(Arguments),
    /// Nonlinearity and differential uniformity of many S-boxes, one a line, or the best of them
    #[command(after_long_help = compare::AFTER_HELP)]
    Compare(compare::Arguments),
}

/// How the work of an operation splits into shards.
pub(crate) fn split(operation: &Operation) -> Option<&dyn Split> {
    match operation {
        Operation::Compare(_) | Operation::Lat(_) | Operation::Ddt(_) => Some(operation),
        Operation::Info(_) | Operation::Report(_) => None,
    }
}

/// The S-box.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The outputs as text, S(0) first: decimal numbers, or hexadecimal ones that begin with 0x, with white space, commas or
    /// brackets between them; # begins a comment; - is standard input
    pub file: PathBuf,

    /// All numbers are hexadecimal
    #[arg(long)]
    pub hex: bool,

    /// Number of output bits. Default: the bits of the largest output
    #[arg(long, value_name = "N")]
    pub output_bits: Option<u32>,
}

/// The S-box, and rows of a table.
#[derive(Debug, Args)]
pub struct TableArguments {
    /// The S-box.
    #[command(flatten)]
    pub sbox: Arguments,

    /// Only the rows A to before B
    #[arg(long, value_name = "A..B", value_parser = super::characters::range)]
    pub rows: Option<Range<u64>>,
}

/// What `--help` says last.
const AFTER_HELP: &str = "\
A table is written as one line of text a row. Entries of lat are sums of signs, W(a, b) = sum of (-1)^(a . x + b . S(x)): \
twice the bias #{x : a . x = b . S(x)} - 2^(m-1) that other programs have (Sage: scale absolute_bias); linearity is the \
largest |W(a, b)| with b other than 0. The degree of constant components is 0.

--verify computes every row that is written once more on the host, by plain loops, and compares every entry; for info both \
whole tables and every figure. No wrong result passes.

Examples:
  echo c 5 6 b 9 0 a d 3 e f 8 4 7 1 2 | manycore sbox info - --hex
  manycore sbox lat aes.txt --rows 1..2
  manycore sbox ddt aes.txt --json";

/// What `--help` says first of a report.
const REPORT: &str = "\
Write a page to look at: both tables as heat maps, components, histograms, and known S-boxes beside it

One HTML file that loads nothing. Known S-boxes of as many bits are inversion in the field, a random permutation, an affine map, and \
that of the AES or of PRESENT; they are computed in place.";

/// What `--help` says last of a report.
const REPORT_HELP: &str = "\
--verify computes both tables once more on the host, by plain loops, and compares every entry, and every figure of the S-box. No \
wrong table passes.

Examples:
  manycore sbox report aes.txt -o aes.html
  echo c 5 6 b 9 0 a d 3 e f 8 4 7 1 2 | manycore sbox report - --hex --verify -o present.html";

/// Input and output bits of an S-box that a page has room for.
const PAGE_BITS: u32 = 12;

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    output::check_text(global, "a table or a list of facts")?;
    match operation {
        Operation::Info(arguments) => Job::new(arguments, global)?.info(),
        Operation::Lat(arguments) => Job::new(&arguments.sbox, global)?.table(
            "sbox lat",
            arguments,
            |boolean, sbox, rows| Ok(boolean.linear_table(sbox, rows)?.download()?),
            check::check_linear_table,
        ),
        Operation::Ddt(arguments) => Job::new(&arguments.sbox, global)?.table(
            "sbox ddt",
            arguments,
            |boolean, sbox, rows| {
                let table = boolean.difference_table(sbox, rows)?.download()?;
                Ok(table.into_iter().map(|count| count as i32).collect())
            },
            check::check_difference_table,
        ),
        Operation::Report(arguments) => {
            refuse_json(global, "sbox report")?;
            Job::new(arguments, global)?.page(input::name(&arguments.file))
        }
        Operation::Compare(arguments) => compare::run(arguments, global),
    }
}

struct Job<'a> {
    sbox: SBox,
    /// Whether all numbers of the file are hexadecimal.
    hex: bool,
    boolean: Boolean,
    global: &'a Global,
}

/// What is known of an S-box, as JSON has it.
#[derive(Debug, Serialize)]
struct Info {
    input_bits: u32,
    output_bits: u32,
    permutation: bool,
    balanced: bool,
    fixed_points: usize,
    degree: u32,
    component_degrees: BTreeMap<u32, u64>,
    linearity: u64,
    linearity_at: (u16, u16),
    nonlinearity: u64,
    linear_branch_number: u32,
    differential_uniformity: u64,
    uniformity_at: (u16, u16),
    differential_branch_number: u32,
    boomerang_uniformity: Option<u32>,
    walsh: BTreeMap<i64, u64>,
    differences: BTreeMap<i64, u64>,
}

/// Permutations of up to so many bits have their boomerang table made.
const BOOMERANG_BITS: u32 = 9;

impl Info {
    fn new(sbox: &SBox, linear: LinearSummary, differences: DifferenceSummary) -> Self {
        let small = sbox.input_bits() <= BOOMERANG_BITS;
        Self {
            input_bits: sbox.input_bits(),
            output_bits: sbox.output_bits(),
            permutation: sbox.is_permutation(),
            balanced: sbox.is_balanced(),
            fixed_points: sbox.fixed_points().count(),
            degree: sbox.degree(),
            component_degrees: sbox.component_degrees(),
            linearity: linear.linearity,
            linearity_at: linear.place,
            nonlinearity: linear.nonlinearity(),
            linear_branch_number: linear.branch_number,
            differential_uniformity: differences.uniformity,
            uniformity_at: differences.place,
            differential_branch_number: differences.branch_number,
            boomerang_uniformity: if small { sbox.boomerang_uniformity().ok() } else { None },
            walsh: linear.histogram.counts,
            differences: differences.histogram.counts,
        }
    }

    /// The same as the check has it.
    fn facts(&self) -> check::Facts {
        check::Facts {
            input_bits: self.input_bits,
            output_bits: self.output_bits,
            permutation: self.permutation,
            balanced: self.balanced,
            fixed_points: self.fixed_points,
            degree: self.degree,
            component_degrees: self.component_degrees.clone(),
            linearity: self.linearity,
            linearity_at: self.linearity_at,
            nonlinearity: self.nonlinearity,
            linear_branch_number: self.linear_branch_number,
            differential_uniformity: self.differential_uniformity,
            uniformity_at: self.uniformity_at,
            differential_branch_number: self.differential_branch_number,
            boomerang_uniformity: self.boomerang_uniformity,
            walsh: self.walsh.clone(),
            differences: self.differences.clone(),
        }
    }

    /// Facts as text, masks and differences in hexadecimal where the S-box was read so.
    fn lines(&self, hex: bool) -> Vec<(&'static str, String)> {
        let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let at = |most: u64, (a, b): (u16, u16)| {
            if hex { format!("{most} at a = 0x{a:x}, b = 0x{b:x}") } else { format!("{most} at a = {a}, b = {b}") }
        };
        let mut lines = vec![
            ("input bits", self.input_bits.to_string()),
            ("output bits", self.output_bits.to_string()),
            ("permutation", yes(self.permutation)),
            ("balanced", yes(self.balanced)),
            ("fixed points", self.fixed_points.to_string()),
            ("algebraic degree", self.degree.to_string()),
            ("components by degree", counts(&self.component_degrees)),
            ("linearity", at(self.linearity, self.linearity_at)),
            ("nonlinearity", self.nonlinearity.to_string()),
            ("linear branch number", self.linear_branch_number.to_string()),
            ("differential uniformity", at(self.differential_uniformity, self.uniformity_at)),
            ("differential branch number", self.differential_branch_number.to_string()),
        ];
        lines.extend(self.boomerang_uniformity.map(|most| ("boomerang uniformity", most.to_string())));
        lines.push(("W(a, b)", counts(&self.walsh)));
        lines.push(("differences", counts(&self.differences)));
        lines
    }
}

/// Values with how often each stands: the first of many.
fn counts<K: std::fmt::Display>(counts: &BTreeMap<K, u64>) -> String {
    const MOST: usize = 64;
    let more = if counts.len() > MOST { format!(" and {} more", counts.len() - MOST) } else { String::new() };
    let some = counts.iter().take(MOST).map(|(value, count)| format!("{value}: {count}"));
    some.collect::<Vec<String>>().join(", ") + &more
}

/// One name and value a line.
fn write_lines(global: &Global, lines: &[(&'static str, String)]) -> Result<(), Error> {
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 2;
    output::write(global, |out| lines.iter().try_for_each(|(name, value)| writeln!(out, "{name:<width$}{value}")))
}

impl<'a> Job<'a> {
    fn new(arguments: &Arguments, global: &'a Global) -> Result<Self, Error> {
        let device = one(global)?;
        progress::step(format!("reading {}", input::name(&arguments.file)));
        let sbox = read(arguments)?;
        progress::compute(format!("computing on {}", label(&device)));
        Ok(Self { sbox, hex: arguments.hex, boolean: Boolean::new(&device), global })
    }

    /// What `--verify` says of a result, where it is asked for.
    fn verified(&self, check: impl FnOnce() -> Outcome) -> Result<Option<Verification>, Error> {
        if !self.global.verify {
            return Ok(None);
        }
        progress::step("verifying");
        verified(check(), self.boolean.device()).map(Some)
    }

    fn report<R>(
        &self,
        command: &'static str,
        rows: &Range<usize>,
        profile: &Profile,
        verification: Option<Verification>,
        result: R,
    ) -> Report<R> {
        let parameters = json!({
            "input_bits": self.sbox.input_bits(),
            "output_bits": self.sbox.output_bits(),
            "rows": [rows.start, rows.end],
        });
        Report {
            device: Some(label(self.boolean.device())),
            seconds: Some(profile.span_seconds()),
            transfer_seconds: Some(profile.seconds(Kind::Upload) + profile.seconds(Kind::Download)),
            verified: self.global.verify.then_some(true),
            verification,
            ..Report::new(command, parameters, result)
        }
    }

    fn info(&self) -> Result<(), Error> {
        let sbox = &self.sbox;
        let (outcome, profile) = self.boolean.device().profile(|| {
            Ok::<_, BooleanError>((self.boolean.linear_summary(sbox)?, self.boolean.difference_summary(sbox)?))
        })?;
        let (linear, differences) = outcome?;
        let info = Info::new(sbox, linear, differences);
        let verification = self.verified(|| info.facts().check(sbox.output_bits(), sbox.values(), BOOMERANG_BITS))?;
        if self.global.json {
            let report = self.report("sbox info", &(0..sbox.inputs()), &profile, verification, info);
            return output::write_report(self.global, &report);
        }
        write_lines(self.global, &info.lines(self.hex))
    }

    fn page(&self, name: String) -> Result<(), Error> {
        let sbox = &self.sbox;
        let (bits, output_bits) = (sbox.input_bits(), sbox.output_bits());
        if bits.max(output_bits) > PAGE_BITS {
            return Err(Error::Usage(format!(
                "{name}: {bits} input and {output_bits} output bits: a page has room for {PAGE_BITS}"
            )));
        }
        let boolean = &self.boolean;
        let linear = boolean.linear_table(sbox, ..)?.download()?;
        let differences = boolean.difference_table(sbox, ..)?.download()?;
        let differences: Vec<i32> = differences.into_iter().map(|count| count as i32).collect();
        let info = Info::new(sbox, boolean.linear_summary(sbox)?, boolean.difference_summary(sbox)?);
        let mut others = Vec::new();
        if bits == output_bits {
            // On the host: the figures of known S-boxes are no result of the device.
            let host = Boolean::new(&Device::host());
            for (name, known) in known::of_bits(bits) {
                let info = Info::new(&known, host.linear_summary(&known)?, host.difference_summary(&known)?);
                others.push((name, known, info));
            }
        }
        self.verified(|| {
            check::check_linear_table(output_bits, sbox.values(), 0..sbox.inputs(), &linear)?;
            check::check_difference_table(output_bits, sbox.values(), 0..sbox.inputs(), &differences)?;
            for (_, known, info) in &others {
                info.facts().check(output_bits, known.values(), BOOMERANG_BITS)?;
            }
            info.facts().check(output_bits, sbox.values(), BOOMERANG_BITS)
        })?;
        let verdict = |name: &str, sbox: &SBox, info: &Info| page::Verdict {
            name: name.to_owned(),
            nonlinearity: info.nonlinearity,
            uniformity: info.differential_uniformity,
            degree: sbox.degree(),
            fixed_points: sbox.fixed_points().count(),
        };
        let mut verdicts = vec![verdict("this one", sbox, &info)];
        verdicts.extend(others.iter().map(|(name, known, info)| verdict(name, known, info)));
        let lines = info.lines(self.hex);
        let (walsh, counts) = (info.walsh, info.differences);
        let shown = page::Shown { name, sbox, hex: self.hex, lines, verdicts, linear, differences, walsh, counts };
        pages::write(self.global, &page::page(&shown))
    }

    fn table(
        &self,
        command: &'static str,
        arguments: &TableArguments,
        make: impl FnOnce(&Boolean, &SBox, Range<usize>) -> Result<Vec<i32>, BooleanError>,
        check: impl Fn(u32, &[u16], Range<usize>, &[i32]) -> Outcome,
    ) -> Result<(), Error> {
        let (sbox, columns) = (&self.sbox, self.sbox.outputs());
        let index = |row: u64| usize::try_from(row).unwrap_or(usize::MAX);
        let rows = arguments.rows.as_ref().map_or(0..sbox.inputs(), |rows| index(rows.start)..index(rows.end));
        let all = rows;
        let Some(part) = shard::range(self.global, all.len()) else { return shard::write_empty(self.global) };
        let rows = if shard::is_on(self.global) {
            all.start.saturating_add(part.start)..all.start.saturating_add(part.end)
        } else {
            all.clone()
        };
        let (table, profile) = self.boolean.device().profile(|| make(&self.boolean, sbox, rows.clone()))?;
        let table = table?;
        let verification = self.verified(|| check(sbox.output_bits(), sbox.values(), rows.clone(), &table))?;
        let report = self.report(command, &all, &profile, verification, table);
        if shard::is_on(self.global) {
            let part = Part { columns, table: report.result.clone() };
            return shard::write(self.global, &report, &part);
        }
        write_table(self.global, report, columns)
    }
}

/// Rows of a table, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    columns: usize,
    table: Vec<i32>,
}

/// Writes a table, a line a row.
fn write_table(global: &Global, report: Report<Vec<i32>>, columns: usize) -> Result<(), Error> {
    if global.json {
        let table = report.result.clone();
        let lists: Vec<&[i32]> = table.chunks_exact(columns).collect();
        return output::write_report(global, &report.with(lists));
    }
    output::write(global, |out| {
        report.result.chunks_exact(columns).try_for_each(|row| {
            let mut separator = "";
            for value in row {
                write!(out, "{separator}{value}")?;
                separator = " ";
            }
            writeln!(out)
        })
    })
}

impl Split for Operation {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let command = match self {
            Self::Lat(_) => "sbox lat",
            Self::Ddt(_) => "sbox ddt",
            Self::Info(_) => "sbox info",
            Self::Report(_) => "sbox report",
            Self::Compare(arguments) => return arguments.merge(shards, global),
        };
        let merged = shards.decode::<Part>()?;
        let table: Vec<i32> = merged.parts.iter().flat_map(|part| part.table.iter().copied()).collect();
        let columns = merged.parts.first().map_or(0, |part| part.columns);
        if columns == 0 || table.len() as u64 != shards.items().saturating_mul(columns as u64) {
            return Err(shards.damaged("the parts have not as many rows as they tell".to_owned()).into());
        }
        let report = merged.report(Report::new(command, merged.run.parameters.clone(), table), global.verify)?;
        write_table(global, report, columns)
    }
}
