//! What operations on systems give, as text, JSON or `.npy`.

use std::fmt::Display;
use std::io::{self, Write};

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::arguments::Global;
use crate::destination;
use crate::error::Error;
use crate::output::{self, JsonInteger, Report, Residues};

/// A result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Coefficients modulo a prime, the constant term first.
    Residues(Residues),
    /// Rational coefficients as decimal text, the constant term first.
    Fractions(Vec<String>),
    /// Curves, chains `T ; H`, and coordinates of points.
    Solutions { curves: Vec<String>, chains: Vec<[String; 2]>, points: Vec<[String; 2]> },
}

/// A number as decimal text: an integer up to 2^53 is a number in JSON, others are strings.
struct Decimal<'a>(&'a str);

impl Serialize for Decimal<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse() {
            Ok(value) => JsonInteger(value).serialize(serializer),
            Err(_) => serializer.serialize_str(self.0),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Residues(words) => words.serialize(serializer),
            Self::Fractions(words) => serializer.collect_seq(words.iter().map(|word| Decimal(word))),
            Self::Solutions { curves, chains, points } => {
                let chains: Vec<_> = chains.iter().map(|[t, h]| serde_json::json!({ "t": t, "h": h })).collect();
                let points: Vec<_> = points.iter().map(|point| point.each_ref().map(|c| Decimal(c))).collect();
                let mut map = serializer.serialize_map(Some(3))?;
                map.serialize_entry("curves", curves)?;
                map.serialize_entry("chains", &chains)?;
                map.serialize_entry("points", &points)?;
                map.end()
            }
        }
    }
}

impl Value {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Residues(words) if words.0.is_empty() => writeln!(out, "0"),
            Self::Fractions(words) if words.is_empty() => writeln!(out, "0"),
            Self::Residues(words) => words.0.iter().try_for_each(|word| writeln!(out, "{word}")),
            Self::Fractions(words) => words.iter().try_for_each(|word| writeln!(out, "{word}")),
            Self::Solutions { curves, chains, points }
                if curves.is_empty() && chains.is_empty() && points.is_empty() =>
            {
                writeln!(out, "no solutions")
            }
            Self::Solutions { curves, chains, points } => {
                curves.iter().try_for_each(|curve| writeln!(out, "curve {curve}"))?;
                chains.iter().try_for_each(|[t, h]| writeln!(out, "chain {t} ; {h}"))?;
                points.iter().try_for_each(|[x, y]| writeln!(out, "point {x} {y}"))
            }
        }
    }
}

/// Writes a result as text, or as `.npy` where it is a list of residues and the name asks for an array; with `--json`, the whole report.
///
/// # Errors
/// [`Error::Output`] when it cannot be written.
pub(super) fn write(global: &Global, report: Report<Value>) -> Result<(), Error> {
    if global.json {
        return output::write_report(global, &report);
    }
    match &report.result {
        Value::Residues(words) if !(words.0.is_empty() && destination::is_text(global)) => {
            let words = words.clone();
            output::write_residues(global, &report.with(words))
        }
        value => output::write(global, |out| value.write_text(out)),
    }
}

/// A polynomial as text in variables of these names.
pub(super) fn shown(f: &impl Display, [x, y]: [&str; 2]) -> String {
    let mut text = String::new();
    for c in f.to_string().chars() {
        match c {
            'x' => text.push_str(x),
            'y' => text.push_str(y),
            c => text.push(c),
        }
    }
    text
}
