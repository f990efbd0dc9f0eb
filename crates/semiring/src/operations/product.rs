//! `manycore semiring product`.

use std::path::PathBuf;

use clap::Args;
use manycore::Device;
use manycore::files::write_lines;
use manycore::semiring::operations::{Infinities, Kind, zero};
use manycore::semiring::{Products, SemiringError};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::check::Plain;
use super::read;
use crate::arguments::Global;
use crate::commands::auto::{ByChoice, Wanted};
use crate::commands::label;
use crate::commands::several::Asked;
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::progress;
use crate::shard::{self, Shards, Split};
use crate::vector::{NumberType, entry_types, semirings};
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
The product of two matrices over a semiring

An entry is the sum over i, in order, of the products of A's entries in row u, column i and B's in row i, column v, where sum and \
product are those of the semiring: min-plus gives shortest paths of two arcs, max-min the widest. Written as text, a row a line; \
with --json, as a list of rows.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A matrix is a .npy array, text, a row a line, with white space or commas between entries, where # begins a comment, or a file in the \
Matrix Market, SMS or Harwell-Boeing format, whose missing entries are the semiring's zero. inf and -inf are infinities, which plus-times \
and or-and have none of, and max-times of integers neither; NaN is refused. Integers are exact: an entry that its type does not hold is an error that names it, \
exit code 2. With --wrap sums and products are modulo 2^bits, and no integer is an infinity.

With --arg each entry is followed by a colon and the index i, from 0, of the product that it is, the lowest of equal ones; by - where \
there is none. The sum must take one of its terms, as max and min do. With --json the result has entries and places.

--verify computes every entry once more on the host, by plain loops, of integers with 128 bits, and compares. No wrong result passes.

Examples:
  printf '0 3\\ninf 0\\n' | manycore semiring product - - --semiring min-plus --verify
  manycore semiring product a.txt b.txt --semiring max-plus --type f64 --json";

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// One matrix: text, a row a line; - is standard input
    pub a: PathBuf,

    /// The other matrix
    pub b: PathBuf,

    /// The semiring, by its sum and its product
    #[arg(long, value_name = "NAME", value_parser = semirings())]
    pub semiring: Kind,

    /// The type of the entries
    #[arg(long = "type", value_name = "TYPE", default_value = "i64", value_parser = entry_types())]
    pub number: NumberType,

    /// Sums and products of integers are modulo 2^bits, and no integer is an infinity
    #[arg(long)]
    pub wrap: bool,

    /// Print the index of the product that each entry is
    #[arg(long)]
    pub arg: bool,
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    if arguments.arg {
        output::check_text(global, "a product with places")?;
    }
    output::check_form(global)?;
    let kind = arguments.semiring;
    let is_real = matches!(arguments.number, NumberType::F32 | NumberType::F64);
    if is_real && kind == Kind::OrAnd {
        return Err(Error::Usage("--semiring or-and is of integers: --type i32 or i64".to_owned()));
    }
    if arguments.wrap && (is_real || !kind.has_arithmetic()) {
        return Err(Error::Usage(
            "--wrap goes with --semiring plus-times, max-times, max-plus or min-plus of integers".to_owned(),
        ));
    }
    if arguments.arg && matches!(kind, Kind::PlusTimes | Kind::OrAnd) {
        return Err(Error::Usage("--arg goes with sums that take one of their terms: max and min".to_owned()));
    }
    match arguments.number {
        NumberType::I32 => of::<i32>(arguments, global, "i32"),
        NumberType::I64 => of::<i64>(arguments, global, "i64"),
        NumberType::F32 => of::<f32>(arguments, global, "f32"),
        NumberType::F64 => of::<f64>(arguments, global, "f64"),
    }
}

fn of<T: Plain>(arguments: &Arguments, global: &Global, type_name: &str) -> Result<(), Error> {
    let Arguments { semiring: kind, wrap, .. } = *arguments;
    let is_integer = matches!(arguments.number, NumberType::I32 | NumberType::I64);
    let is_kept = is_integer && !wrap && kind.has_infinities();
    // Numbers have infinities of their own, of which a ring has none.
    let infinities =
        if is_kept || (!is_integer && kind != Kind::PlusTimes) { Infinities::Kept } else { Infinities::None };
    // Places are of one device.
    let asked = if arguments.arg { Asked::One(Wanted::new(global)?) } else { Asked::new(global)? };
    let files = [arguments.a.as_path(), arguments.b.as_path()];
    let read = input::each_once(&files, |path| {
        progress::step(format!("reading {}", input::name(path)));
        read::<T>(path, infinities, Some(zero(kind)))
    })?;
    let (all, b) = (&read[0], &read[1]);
    if all.shape().columns != b.shape().rows {
        let (first, second) = (input::name(files[0]), input::name(files[1]));
        let (columns, rows) = (all.shape().columns, b.shape().rows);
        return Err(Error::Usage(format!("{second}: {rows} rows, where {first} has {columns} columns")));
    }
    let Some(rows) = shard::range(global, all.shape().rows as usize) else { return shard::write_empty(global) };
    let first = rows.start as u64;
    let part = shard::is_on(global).then(|| all.part(first..rows.end as u64)).transpose()?;
    let a = part.as_ref().unwrap_or(all);
    let (left, right) = (a.shape(), b.shape());
    let entries = left.rows * left.columns + right.rows * right.columns + left.rows * right.columns;
    let bytes = entries * size_of::<T>() as u64;
    let semiring = T::estimated(kind)?;
    let job =
        ByChoice { bytes, choice: |device: &Device| Products::new(device).explain_shapes(&semiring, left, right) };
    let devices = asked.devices(Some(&job));
    progress::compute(format!("multiplying on {}", label(&devices)));
    let (made, spent) = devices.measured(|| T::multiply(kind, wrap, &devices, (a, b), arguments.arg))?;
    let shape = (a.shape().rows as usize, a.shape().columns as usize, b.shape().columns as usize);
    let columns = shape.2;
    let verification = if global.verify {
        progress::step("verifying");
        let (left, right) = (a.entries(), b.entries());
        let operands = (&left[..], &right[..]);
        let found = match &made {
            Ok((entries, places)) => Some(Ok((&entries[..], places.as_deref()))),
            &Err(SemiringError::Overflow { row, column }) => Some(Err((row, column))),
            Err(_) => None,
        };
        let domain = T::domain(is_kept, wrap);
        let outcome = found.map(|found| T::check(kind, &domain, shape, operands, found));
        outcome.map(|outcome| verified(outcome, &devices)).transpose()?
    } else {
        None
    };
    let (entries, places) = made.map_err(|error| match error {
        SemiringError::Overflow { row, column } => Error::Usage(format!(
            "row {}, column {column} of the product: {}",
            row + first,
            past(type_name, "the exact integer")
        )),
        error => error.into(),
    })?;
    let shapes = [[all.shape().rows, all.shape().columns], [b.shape().rows, b.shape().columns]];
    let parameters = json!({
        "semiring": kind.name(), "type": type_name, "wrap": wrap, "shapes": shapes,
    });
    let text = |(index, &entry): (usize, &T)| {
        let text = infinities.text(entry);
        match places.as_ref().and_then(|places| places.get(index)) {
            None => text,
            Some(&u32::MAX) => format!("{text}:-"),
            Some(place) => format!("{text}:{place}"),
        }
    };
    let line = |number: usize| {
        let row = number * columns..(number + 1) * columns;
        row.clone().zip(&entries[row]).map(text).collect::<Vec<_>>().join(" ")
    };
    let report = Report::new("semiring product", parameters, ()).of_run(&devices, spent, verification);
    if !global.json && !shard::is_on(global) {
        if places.is_some() {
            return output::write(global, |out| write_lines(out, shape.0, |number, text| text.push_str(&line(number))));
        }
        let (field, zero) = (if T::IS_INTEGER { "integer" } else { "real" }, zero::<T>(kind));
        let push = |&entry: &T, text: &mut String| infinities.push(entry, text);
        return output::write_matrix(global, [shape.0, columns], &entries, (field, push), |&entry| entry.is_same(zero));
    }
    let rows = entries.chunks_exact(columns).map(|row| row.iter().map(|&entry| infinities.json(entry)).collect());
    let place = |&place: &u32| if place == u32::MAX { Json::Null } else { json!(place) };
    let places = places.as_ref().map(|places| {
        places.chunks_exact(columns).map(|row| row.iter().map(place).collect::<Json>()).collect::<Vec<Json>>()
    });
    let part = Part { rows: rows.collect(), places, lines: Vec::new() };
    if shard::is_on(global) {
        return shard::write(global, &report, &Part { lines: (0..shape.0).map(line).collect(), ..part });
    }
    output::write_report(global, &report.with(part.result()))
}

/// What is wrong with an integer that its type does not hold.
pub(super) fn past(type_name: &str, what: &str) -> String {
    let other = if type_name == "i32" { "i64" } else { "f64, which rounds" };
    let bits = if type_name == "i32" { 32 } else { 64 };
    format!("{what} is past type {type_name}: --type {other}, or --wrap for integers modulo 2^{bits}")
}

/// Rows of a product, as shards have them: as JSON and as text.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    rows: Vec<Json>,
    places: Option<Vec<Json>>,
    lines: Vec<String>,
}

impl Part {
    /// What JSON has of them.
    fn result(self) -> Json {
        match self.places {
            Some(places) => json!({ "entries": self.rows, "places": places }),
            None => self.rows.into(),
        }
    }
}

impl Split for Arguments {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let mut merged = shards.decode::<Part>()?;
        let mut parts = std::mem::take(&mut merged.parts).into_iter();
        let Some(mut all) = parts.next() else {
            return Err(shards.damaged("the first shard has no part".to_owned()).into());
        };
        for part in parts {
            all.rows.extend(part.rows);
            all.lines.extend(part.lines);
            if let (Some(places), Some(more)) = (&mut all.places, part.places) {
                places.extend(more);
            }
        }
        if all.rows.len() as u64 != shards.items() || all.lines.len() as u64 != shards.items() {
            return Err(shards.damaged("the parts have not as many rows as they tell".to_owned()).into());
        }
        let report =
            merged.report(Report::new("semiring product", merged.run.parameters.clone(), all), global.verify)?;
        if global.json {
            return output::write_report(global, &report.map(Part::result));
        }
        output::write(global, |out| report.result.lines.iter().try_for_each(|line| writeln!(out, "{line}")))
    }
}
