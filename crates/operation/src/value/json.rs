//! Results as JSON: integers past `2^53` are strings.

use num_bigint::BigInt;
use num_rational::BigRational;
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

use super::text::word_text;
use super::{Part, Polynomial, Value};
use crate::json::{JsonBig, JsonInteger, JsonRational, JsonReal, Residues};

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde asks for
pub(super) fn real<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    JsonReal(*value).serialize(serializer)
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.columns {
            Some(columns) => serializer.collect_seq(self.entries.chunks(columns.max(1)).map(Row)),
            None => Row(&self.entries).serialize(serializer),
        }
    }
}

fn residues<S: Serializer>(words: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(words.iter().map(|&word| JsonInteger(word.into())))
}

/// A power of a polynomial in JSON.
#[derive(Serialize)]
struct Factor {
    factor: Residues,
    multiplicity: usize,
}

impl Factor {
    fn of((words, multiplicity): &(Vec<u64>, usize)) -> Self {
        Self { factor: Residues(words.clone()), multiplicity: *multiplicity }
    }
}

struct Row<'a>(&'a [BigInt]);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(JsonBig))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(value) | Self::Element(value) => JsonInteger((*value).into()).serialize(serializer),
            Self::Integer(value) => serializer.collect_str(value),
            Self::Polynomial(Polynomial { coefficients: words, .. }) | Self::Elements(words) => {
                residues(words, serializer)
            }
            Self::Polynomials(parts) => {
                serializer.collect_map(parts.iter().map(|(name, words)| (name, Residues(words.clone()))))
            }
            Self::Factors(leading, factors) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("leading", &JsonInteger((*leading).into()))?;
                map.serialize_entry("factors", &factors.iter().map(Factor::of).collect::<Vec<_>>())?;
                map.end()
            }
            Self::Matrix { rows, columns, entries } => {
                let mut list = serializer.serialize_seq(Some(*rows))?;
                for row in 0..*rows {
                    list.serialize_element(&Residues(entries[row * columns..][..*columns].to_vec()))?;
                }
                list.end()
            }
            Self::Integers { rows, columns, entries } => {
                serializer.collect_seq((0..*rows).map(|row| Row(&entries[row * columns..][..*columns])))
            }
            Self::Fractions { columns, entries } => {
                let row = |row: &[BigRational]| row.iter().map(ToString::to_string).collect::<Vec<_>>();
                serializer.collect_seq(entries.chunks((*columns).max(1)).map(row))
            }
            Self::Rationals(entries) | Self::RationalPolynomial(Polynomial { coefficients: entries, .. }) => {
                serializer.collect_seq(entries.iter().map(JsonRational))
            }
            Self::Parts(parts) => serializer.collect_map(parts.iter().map(|part| (part.key, part))),
            Self::Bounded(number) => number.serialize(serializer),
            Self::Vector(vector) => vector.serialize(serializer),
            Self::Left(written) => written.serialize(serializer),
            Self::Bits(bits) => bits.serialize(serializer),
            Self::Words(words) => serializer.collect_seq(words.iter().map(|&word| word_text(word))),
            Self::Shown { json, .. } => json.serialize(serializer),
            Self::Table { columns, entries } => serializer.collect_seq(entries.chunks((*columns).max(1))),
            Self::Streamed(streamed) => streamed.serialize(serializer),
            Self::Page(page) => serializer.serialize_str(page),
            Self::None => serializer.serialize_none(),
        }
    }
}
