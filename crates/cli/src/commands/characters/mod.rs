//! `manycore characters`: character tables of finite Abelian groups.

mod shards;

use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use std::path::Path;

use clap::{Args, ValueEnum};
use manycore::characters::{
    Block, Complexes, Construction, Exponents, Form, Residues, StreamError, Tile, Values, table_over,
    write_checked_over,
};
use manycore::field::ResidueWord as _;
use manycore::{AbelianGroup, Characters, PolyField};
use serde::{Serialize, Serializer};
use serde_json::json;

use super::label;
use super::several::Devices;
use crate::arguments::{Global, modulus};
use crate::commands::poly::{Modulus, WithField};
use crate::destination;
use crate::error::Error;
use crate::output::{self, JsonInteger, Report};
use crate::progress;
use crate::shard;
use crate::verification::verified;
use manycore::verify::Outcome;
use manycore::verify::characters as check;

/// The arguments of `manycore characters`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The orders of the group's cyclic factors, the most significant first, such as 3,3,3 or 3^3 or 2^4,6
    #[arg(value_name = "FACTORS", value_parser = group)]
    pub group: AbelianGroup,

    /// The exact exponents of the root of unity whose order is the group's exponent, instead of complex numbers
    #[arg(long, conflicts_with_all = ["modulus", "number_type"])]
    pub exponents: bool,

    /// Residues modulo this prime, which must have roots of unity of the group's exponent, instead of complex numbers
    #[arg(long, value_name = "P", value_parser = modulus, conflicts_with = "number_type")]
    pub modulus: Option<u64>,

    /// The parts of complex numbers
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value = "f64")]
    pub number_type: Part,

    /// Only the characters A to before B
    #[arg(long, value_name = "A..B", value_parser = range)]
    pub rows: Option<Range<u64>>,

    /// Only their values at the elements C to before D
    #[arg(long, value_name = "C..D", value_parser = range)]
    pub columns: Option<Range<u64>>,

    /// How to make the table; without it, what the library chooses (`manycore explain characters`)
    #[arg(long, value_enum)]
    pub algorithm: Option<AlgorithmName>,
}

/// What `--help` says first.
pub const LONG_ABOUT: &str = "\
The character table of a finite Abelian group, whole or a tile of it

Row w has the values of character w at the elements: exp(2 pi i E / L) with E = sum of w_j z_j L / n_j for the factors n_j \
and their least common multiple L. Characters and elements are numbered alike, the first factor's digit being the most \
significant. A line of text is a row, with the character's digits behind #; -o NAME.npy writes an array, of complex numbers \
as c8 or c16. Without --json the table is computed, verified and written in blocks of rows, so it may exceed the memory.";

/// What `--help` says last.
pub const AFTER_HELP: &str = "\
--verify computes every entry once more on the host by the definition, block by block before it is written. No wrong \
exponent or residue passes; complex entries of the direct construction are compared to the last bit, those of the kronecker \
construction within the rounding of as many products as there are factors.

Examples:
  manycore characters 3,3 --exponents
  manycore characters 2^14 --type f32 --rows 0..16 -o walsh.npy
  manycore characters 4,6 --modulus 13 --json --verify";

/// The type of the parts of complex numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Single precision
    F32,
    /// Double precision
    F64,
}

impl Part {
    /// The bytes of a part.
    pub(crate) const fn bytes(self) -> u64 {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// The names of the constructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmName {
    /// Each entry from its exponent
    Direct,
    /// The Kronecker product of the factors' tables, factor after factor
    Kronecker,
}

/// A list of factors: numbers, or powers such as `3^4`.
pub(crate) fn group(text: &str) -> Result<AbelianGroup, String> {
    AbelianGroup::parse(text)
}

/// `A..B`.
pub(crate) fn range(text: &str) -> Result<Range<u64>, String> {
    let ends =
        text.split_once("..").and_then(|(start, end)| Some(start.trim().parse().ok()?..end.trim().parse().ok()?));
    ends.ok_or_else(|| format!("\"{text}\" is no range such as 3..9"))
}

/// Makes the table and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    with_values(arguments, Job { arguments, global, devices: Devices::new(global)? })
}

/// What is done with a table of values of any kind.
trait OfValues {
    fn values<V: JsonValues>(&self, values: &V) -> Result<(), Error>;
}

/// Does it with the values that are asked for.
fn with_values<J: OfValues + WithField<Output = ()>>(arguments: &Arguments, job: J) -> Result<(), Error> {
    if let Some(p) = arguments.modulus {
        return Modulus(p).with(job);
    }
    match (arguments.exponents, arguments.number_type, arguments.group.exponent()) {
        (true, _, ..=0x100) => job.values(&Exponents::<u8>::new()),
        (true, _, ..=0x1_0000) => job.values(&Exponents::<u16>::new()),
        (true, ..) => job.values(&Exponents::<u32>::new()),
        (false, Part::F32, _) => job.values(&Complexes::<f32>::new()),
        (false, Part::F64, _) => job.values(&Complexes::<f64>::new()),
    }
}

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    devices: Devices,
}

impl WithField for Job<'_> {
    type Output = ();

    fn run<F: PolyField>(self, field: F) -> Result<(), Error> {
        self.values(&Residues::new(field))
    }
}

/// The part of the table that is asked for.
fn tile(arguments: &Arguments) -> Tile {
    let Arguments { rows, columns, algorithm, .. } = arguments;
    let tile = rows.iter().fold(Tile::whole(), |tile, rows| tile.rows(rows.clone()));
    let tile = columns.iter().fold(tile, |tile, columns| tile.columns(columns.clone()));
    match algorithm {
        None => tile,
        Some(AlgorithmName::Direct) => tile.by(Construction::Direct),
        Some(AlgorithmName::Kronecker) => tile.by(Construction::Kronecker),
    }
}

impl OfValues for Job<'_> {
    fn values<V: JsonValues>(&self, values: &V) -> Result<(), Error> {
        let Self { arguments: Arguments { group, .. }, global, devices } = self;
        let (set, tile) = (devices.set(), tile(self.arguments));
        let (rows, columns) = tile.ranges(group)?;
        values.base(group.exponent())?;
        let Some(part) = shard::range(global, usize::try_from(rows.end - rows.start).unwrap_or(usize::MAX)) else {
            return shard::write_empty(global);
        };
        progress::compute(format!("making the table on {}", label(devices)));
        let verify = |block: &Block<'_, V>| verified(checked(block), devices);
        if !global.json && !shard::is_on(global) {
            let form = form(global);
            let mut wrong = None;
            let outcome = written(global, |out| {
                let check = |block: &Block<'_, V>| {
                    let (done, all) = block.progress();
                    progress::step(format!("{done} of {all} rows on {}", label(devices)));
                    match if global.verify { verify(block).map(drop) } else { Ok(()) } {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(error) => {
                            wrong = Some(error);
                            ControlFlow::Break(())
                        }
                    }
                };
                match devices.single() {
                    Some(device) => Characters::new(device).write_checked(group, values, &tile, form, out, check),
                    None => write_checked_over(set, group, values, &tile, form, out, check),
                }
            });
            devices.tell_failures();
            return wrong.map_or(outcome, Err);
        }
        let row_bytes = (columns.end - columns.start).saturating_mul(size_of::<V::Value>() as u64);
        let first =
            rows.start..rows.end.min(rows.start.saturating_add(BLOCK_BYTES / row_bytes.max(1)).max(rows.start + 1));
        // A shard's entries are rounded as those of a table that is written in blocks, whose first one tells how.
        let sample = if shard::is_on(global) { tile.clone().rows(first) } else { tile.clone() };
        let chosen = Chosen::new(&Characters::new(&set.devices()[0]), group, values, &sample)?;
        let (construction, all) = (chosen.construction, rows.start);
        let own = all + part.start as u64..all + part.end as u64;
        let tile = tile.by(construction).rows(own.clone());
        let (entries, spent) = devices.measured(|| table_over(set, group, values, &tile))?;
        let entries = entries?;
        let block = Block {
            group,
            values,
            rows: own.clone(),
            columns: columns.clone(),
            all: own,
            construction,
            entries: &entries,
        };
        let verification = if global.verify {
            progress::step("verifying");
            Some(verify(&block)?)
        } else {
            None
        };
        let integers = |numbers: &[u64]| numbers.iter().map(|&n| JsonInteger(n.into())).collect::<Vec<_>>();
        let parameters = json!({
            "group": integers(group.factors()),
            "order": JsonInteger(group.order().into()),
            "exponent": JsonInteger(group.exponent().into()),
            "values": values.name(),
            "rows": integers(&[rows.start, rows.end]),
            "columns": integers(&[columns.start, columns.end]),
            "way": chosen.plan,
        });
        let report = Report {
            device: Some(label(devices)),
            algorithm: Some(construction.name()),
            seconds: Some(spent.seconds),
            transfer_seconds: spent.transfer_seconds,
            predicted_seconds: devices.single().and(chosen.seconds).filter(|_| !shard::is_on(global)),
            verified: global.verify.then_some(true),
            verification,
            ..Report::new(COMMAND, parameters, RowLists(&block))
        };
        if shard::is_on(global) {
            return shards::write(global, &report, &block);
        }
        output::write_report(global, &report)
    }
}

/// The command, as reports name it.
const COMMAND: &str = "characters";

/// Bytes of a block of a table that is written in blocks.
const BLOCK_BYTES: u64 = 64 << 20;

/// The construction of a table that is made whole.
struct Chosen {
    construction: Construction,
    /// It as reports have it.
    plan: String,
    /// Its seconds by the machine model.
    seconds: Option<f64>,
}

impl Chosen {
    /// What the tile asks for, or else what a device chooses for it.
    fn new<V: Values>(on: &Characters, group: &AbelianGroup, values: &V, tile: &Tile) -> Result<Self, Error> {
        let (rows, columns) = tile.ranges(group)?;
        if rows.is_empty() || columns.is_empty() {
            let construction = tile.construction().unwrap_or(Construction::Direct);
            return Ok(Self { construction, plan: construction.to_string(), seconds: None });
        }
        let explained = on.explain_table(group, values, tile)?;
        let construction = tile.construction().unwrap_or(explained.best().parameters.construction);
        let found = explained.candidates().iter().find(|found| found.parameters.construction == construction);
        let plan = found.map_or_else(|| construction.to_string(), |found| found.parameters.to_string());
        Ok(Self { construction, plan, seconds: found.map(|found| found.estimate.seconds) })
    }
}

/// The form that `-o` asks for.
fn form(global: &Global) -> Form {
    if destination::file(global).is_some_and(is_npy) { Form::Npy } else { Form::Text }
}

/// Whether `-o` asks for an array.
fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"))
}

/// Writes what a stream writes; errors of the table keep their kind.
fn written(global: &Global, write: impl FnOnce(&mut dyn Write) -> Result<(), StreamError>) -> Result<(), Error> {
    let mut failed = None;
    let outcome = output::write(global, |out| match write(out) {
        Ok(()) => Ok(()),
        Err(StreamError::Write(error)) => Err(error),
        Err(StreamError::Characters(error)) => {
            failed = Some(error);
            Err(io::Error::other("no table"))
        }
        Err(other) => Err(io::Error::other(other)),
    });
    failed.map_or(outcome, |error| Err(error.into()))
}

/// Values that JSON has a form for: integers, or the two parts of complex numbers.
trait JsonValues: Values {
    fn json<S: Serializer>(value: &Self::Value, serializer: S) -> Result<S::Ok, S::Error>;

    /// Whether the entries of a block of a group with this exponent are right.
    fn check(&self, block: &Block<'_, Self>, tile: &check::Tile<'_>, exponent: u64) -> Outcome;
}

/// Whether the entries of a block, which are written, are right.
fn checked<V: JsonValues>(block: &Block<'_, V>) -> Outcome {
    let tile = check::Tile { factors: block.group.factors(), rows: block.rows.clone(), columns: block.columns.clone() };
    block.values.check(block, &tile, block.group.exponent())
}

/// Complex entries: rounded roots, or products of them.
fn check_complex<T: manycore::verify::Real>(
    entries: &[[T; 2]],
    tile: &check::Tile<'_>,
    construction: Construction,
    root: &(dyn Fn(u64) -> [T; 2] + Sync),
) -> Outcome {
    check::check_complex(
        tile,
        entries,
        match construction {
            Construction::Direct => check::Rounding::Roots(root),
            Construction::Kronecker => check::Rounding::Products,
        },
    )
}

macro_rules! json_values {
    ($($values:ty => |$own:ident, $block:ident, $tile:ident, $exponent:ident| $check:expr;)*) => {
        $(impl JsonValues for $values {
            fn json<S: Serializer>(value: &Self::Value, serializer: S) -> Result<S::Ok, S::Error> {
                value.serialize(serializer)
            }

            fn check(&self, $block: &Block<'_, Self>, $tile: &check::Tile<'_>, $exponent: u64) -> Outcome {
                let $own = self;
                $check
            }
        })*
    };
}

json_values! {
    Exponents<u8> => |_own, block, tile, _exponent| check::check_exponents(tile, block.entries);
    Exponents<u16> => |_own, block, tile, _exponent| check::check_exponents(tile, block.entries);
    Exponents<u32> => |_own, block, tile, _exponent| check::check_exponents(tile, block.entries);
}

macro_rules! json_complexes {
    ($($part:ty)*) => {
        $(impl JsonValues for Complexes<$part> {
            fn json<S: Serializer>(value: &Self::Value, serializer: S) -> Result<S::Ok, S::Error> {
                [value.re, value.im].serialize(serializer)
            }

            fn check(&self, block: &Block<'_, Self>, tile: &check::Tile<'_>, exponent: u64) -> Outcome {
                let root = |t| self.root(exponent, t);
                check_complex(bytemuck::cast_slice(block.entries), tile, block.construction, &|t| [root(t).re, root(t).im])
            }
        })*
    };
}

json_complexes!(f32 f64);

impl<F: PolyField> JsonValues for Residues<F> {
    fn json<S: Serializer>(value: &Self::Value, serializer: S) -> Result<S::Ok, S::Error> {
        JsonInteger(value.as_u64().into()).serialize(serializer)
    }

    fn check(&self, block: &Block<'_, Self>, tile: &check::Tile<'_>, exponent: u64) -> Outcome {
        // There is a root: without one no table was made.
        let root = self.field().root_of_unity(exponent).map_or(0, F::Element::as_u64);
        check::check_residues(tile, self.field().order(), root, block.entries)
    }
}

/// The rows as lists.
struct RowLists<'a, V: JsonValues>(&'a Block<'a, V>);

struct RowList<'a, V: JsonValues>(&'a [V::Value]);

struct Entry<'a, V: JsonValues>(&'a V::Value);

impl<V: JsonValues> Serialize for RowLists<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.rows().map(|(_, row)| RowList::<V>(row)))
    }
}

impl<V: JsonValues> Serialize for RowList<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Entry::<V>))
    }
}

impl<V: JsonValues> Serialize for Entry<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        V::json(self.0, serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_numbers_and_powers() {
        assert_eq!(group("3,3,3").unwrap(), group("3^3").unwrap());
        assert_eq!(group(" 2^2, 6").unwrap().factors(), [2, 2, 6]);
        for wrong in ["", "3,", "x", "2^", "2^65", "0", "3,0", "2^64", "-1"] {
            assert!(group(wrong).is_err(), "{wrong}");
        }
        assert_eq!(group("3,0").unwrap_err(), "factor 2 of the group is 0: cyclic groups have at least one element");
    }

    #[test]
    fn ranges() {
        assert_eq!(range("3..9"), Ok(3..9));
        assert!(range("3").is_err() && range("..4").is_err() && range("a..b").is_err());
    }
}
