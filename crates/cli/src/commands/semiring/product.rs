//! `manycore semiring product`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::semiring::{Matrix, Products, Semiring, SemiringError};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::check::{self, Plain};
use super::entries::{Entry, Infinities, read};
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::several::{Devices, one};
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::progress;
use crate::shard::{self, Shards, Split};
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
The product of two matrices over a semiring

An entry is the sum over i, in order, of the products of A's entries in row u, column i and B's in row i, column v, where sum and \
product are those of the semiring: min-plus gives shortest paths of two arcs, max-min the widest. Written as text, a row a line; \
with --json, as a list of rows.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A matrix is a .npy array, or text, a row a line, with white space or commas between entries; # begins a comment. inf and -inf are infinities. Integers \
keep them as their greatest and least number in max-plus and min-plus, whose sums end there; with --wrap all sums are modulo 2^bits, and \
products and sums of plus-times always are. With --check an entry of plus-times, max-plus or min-plus of integers is exact, or named as \
one that its type does not hold, exit code 2.

With --arg each entry is followed by a colon and the index i, from 0, of the product that it is, the lowest of equal ones; by - where \
there is none. The sum must take one of its terms, as max and min do. With --json the result has entries and places.

--verify computes every entry once more on the host, by plain loops, and compares the bits. No wrong result passes.

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
    #[arg(long, value_name = "NAME")]
    pub semiring: Kind,

    /// The type of the entries
    #[arg(long = "type", value_name = "TYPE", default_value = "i64")]
    pub number: NumberType,

    /// Sums of integers wrap around in max-plus and min-plus, and no integer is an infinity
    #[arg(long)]
    pub wrap: bool,

    /// An entry past its type is an error, of integers in plus-times, max-plus and min-plus
    #[arg(long, conflicts_with = "wrap")]
    pub check: bool,

    /// Print the index of the product that each entry is
    #[arg(long, conflicts_with = "check")]
    pub arg: bool,
}

/// A semiring by its sum and its product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// The ring of numbers
    PlusTimes,
    /// Longest paths
    MaxPlus,
    /// Shortest paths
    MinPlus,
    /// Widest paths
    MaxMin,
    /// Paths whose worst arc is best
    MinMax,
    /// Likeliest paths
    MaxTimes,
    /// Reachability, bit by bit
    OrAnd,
}

/// A type of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NumberType {
    /// Integers of 32 bits
    I32,
    /// Integers of 64 bits
    I64,
    /// Single precision
    F32,
    /// Double precision
    F64,
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_text(global, "a product over a semiring")?;
    let kind = arguments.semiring;
    let is_real = matches!(arguments.number, NumberType::F32 | NumberType::F64);
    if is_real && kind == Kind::OrAnd {
        return Err(Error::Usage("--semiring or-and is of integers: --type i32 or i64".to_owned()));
    }
    if arguments.wrap && (is_real || !matches!(kind, Kind::MaxPlus | Kind::MinPlus)) {
        return Err(Error::Usage("--wrap goes with --semiring max-plus or min-plus of integers".to_owned()));
    }
    let is_sum = matches!(kind, Kind::PlusTimes | Kind::MaxPlus | Kind::MinPlus);
    if arguments.check && (is_real || !is_sum) {
        return Err(Error::Usage(
            "--check goes with --semiring plus-times, max-plus or min-plus of integers".to_owned(),
        ));
    }
    if arguments.arg && matches!(kind, Kind::PlusTimes | Kind::OrAnd) {
        return Err(Error::Usage("--arg goes with sums that take one of their terms: max and min".to_owned()));
    }
    match arguments.number {
        NumberType::I32 => of(arguments, global, "i32", &integers::<i32>(kind, arguments.wrap)?),
        NumberType::I64 => of(arguments, global, "i64", &integers::<i64>(kind, arguments.wrap)?),
        NumberType::F32 => of(arguments, global, "f32", &numbers::<f32>(kind)?),
        NumberType::F64 => of(arguments, global, "f64", &numbers::<f64>(kind)?),
    }
}

/// The semiring of integers.
pub(crate) fn integers<T>(kind: Kind, wraps: bool) -> Result<Semiring<T, T, T>, SemiringError>
where
    T: Entry + manycore::expressions::Integer,
{
    match kind {
        Kind::MaxPlus if !wraps => Semiring::max_plus_saturating(),
        Kind::MinPlus if !wraps => Semiring::min_plus_saturating(),
        Kind::OrAnd => Semiring::or_and(),
        _ => numbers(kind),
    }
}

/// The semiring of any numbers; of bits there is none.
pub(crate) fn numbers<T: Entry>(kind: Kind) -> Result<Semiring<T, T, T>, SemiringError> {
    match kind {
        Kind::PlusTimes => Semiring::plus_times(),
        Kind::MaxPlus => Semiring::max_plus(),
        Kind::MinPlus => Semiring::min_plus(),
        Kind::MaxMin => Semiring::max_min(),
        Kind::MinMax | Kind::OrAnd => Semiring::min_max(),
        Kind::MaxTimes => Semiring::max_times(),
    }
}

fn of<T: Plain>(
    arguments: &Arguments,
    global: &Global,
    type_name: &str,
    semiring: &Semiring<T, T, T>,
) -> Result<(), Error> {
    let Arguments { semiring: kind, wrap, .. } = *arguments;
    let is_integer = matches!(arguments.number, NumberType::I32 | NumberType::I64);
    // Numbers have infinities of their own.
    let is_kept = is_integer && !wrap && matches!(kind, Kind::MaxPlus | Kind::MinPlus);
    let infinities = if is_kept { Infinities::Kept } else { Infinities::None };
    // Places and checked sums are of one device.
    let is_one = arguments.arg || arguments.check;
    let devices = if is_one { Devices::from(one(global)?) } else { Devices::new(global)? };
    let files = [arguments.a.as_path(), arguments.b.as_path()];
    let read = input::each_once(&files, |path| {
        progress::step(format!("reading {}", input::name(path)));
        read::<T>(path, infinities, type_name)
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
    progress::compute(format!("multiplying on {}", label(&devices)));
    let (made, spent) = devices.measured(|| entries(arguments, semiring, &devices, (a, b)))?;
    let shape = (a.shape().rows as usize, a.shape().columns as usize, b.shape().columns as usize);
    let columns = shape.2;
    let verification = if global.verify {
        progress::step("verifying");
        let (left, right) = (a.entries(), b.entries());
        let operands = (&left[..], &right[..]);
        let outcome = match &made {
            Ok((entries, _)) if arguments.check => Some(check::exact(kind, shape, operands, Ok(entries))),
            Ok((entries, places)) => {
                Some(check::product((kind, wrap, semiring.zero()), shape, operands, (entries, places.as_deref())))
            }
            &Err(SemiringError::Overflow { row, column }) => {
                Some(check::exact(kind, shape, operands, Err((row, column))))
            }
            Err(_) => None,
        };
        outcome.map(|outcome| verified(outcome, &devices)).transpose()?
    } else {
        None
    };
    let (entries, places) = made.map_err(|error| match error {
        SemiringError::Overflow { row, column } => SemiringError::Overflow { row: row + first, column },
        error => error,
    })?;
    let shapes = [[all.shape().rows, all.shape().columns], [b.shape().rows, b.shape().columns]];
    let name = kind.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    let parameters = json!({
        "semiring": name, "type": type_name, "wrap": wrap, "check": arguments.check, "shapes": shapes,
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
        return output::write(global, |out| (0..shape.0).try_for_each(|row| writeln!(out, "{}", line(row))));
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

/// The product's entries, and their places where they were asked for.
fn entries<T: Plain>(
    arguments: &Arguments,
    semiring: &Semiring<T, T, T>,
    devices: &Devices,
    (a, b): (&Matrix<T>, &Matrix<T>),
) -> Result<(Vec<T>, Option<Vec<u32>>), SemiringError> {
    let Some(device) = devices.single() else {
        return Ok((semiring.multiply_on(devices.set(), a, b)?.entries(), None));
    };
    if !arguments.arg && !arguments.check {
        return Ok((semiring.multiply(device, a, b)?.entries(), None));
    }
    let products = &Products::new(device);
    let (a, b) = (products.upload(a)?, products.upload(b)?);
    if arguments.arg {
        let made = products.multiply_with_places(semiring, &a, &b)?.download()?.entries();
        let (entries, places) = made.into_iter().unzip();
        return Ok((entries, Some(places)));
    }
    if let Some(made) = arguments.check.then(|| T::checked(arguments.semiring, products, &a, &b)).flatten() {
        return Ok((made?.download()?.entries(), None));
    }
    Ok((products.multiply(semiring, &a, &b)?.download()?.entries(), None))
}
