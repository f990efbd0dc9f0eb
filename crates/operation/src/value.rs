//! Results: numbers, polynomials, matrices and parts of them, as text, JSON, or in the language of Sage or PARI/GP.

use std::fmt::Display;
use std::io::{self, Write};

use manycore_files::{AlgebraText, Format, write_integers, write_npy_matrix};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

use crate::json::{JsonBig, JsonInteger, JsonRational, JsonReal, Residues};
use crate::left;
use crate::streamed::Streamed;
use crate::vector::Vector;

/// A result.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A residue, or a number of something.
    Number(u64),
    /// An element of a prime field.
    Element(u64),
    /// An integer of any size.
    Integer(BigInt),
    /// A polynomial modulo a prime: its coefficients, the constant term first.
    Polynomial(Vec<u64>),
    /// Elements of a prime field.
    Elements(Vec<u64>),
    /// Polynomials modulo a prime, each with its name.
    Polynomials(Vec<(&'static str, Vec<u64>)>),
    /// A leading coefficient, and monic polynomials with their multiplicities.
    Factors(u64, Vec<(Vec<u64>, usize)>),
    /// A matrix of residues, row after row.
    Matrix {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
        /// `rows * columns` entries.
        entries: Vec<u64>,
    },
    /// A matrix of integers of any size, row after row.
    Integers {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
        /// `rows * columns` entries.
        entries: Vec<BigInt>,
    },
    /// A matrix of fractions in lowest terms, row after row.
    Fractions {
        /// Its columns.
        columns: usize,
        /// Its entries.
        entries: Vec<BigRational>,
    },
    /// Integers or fractions, such as the coefficients of a polynomial, the constant term first.
    Rationals(Vec<BigRational>),
    /// Lists and matrices, one behind the other.
    Parts(Vec<Part>),
    /// A number of any exponent, with a bound of its error.
    Bounded(Bounded),
    /// Numbers of one of the types of vectors.
    Vector(Vector),
    /// Numbers in a file without a name, because memory does not hold them.
    Left(left::Written),
    /// Values 0 and 1.
    Bits(Vec<u8>),
    /// Words of 64 values 0 and 1, hexadecimal in texts.
    Words(Vec<u64>),
    /// What has a text and a JSON form of its own, such as a list of facts.
    Shown {
        /// Its text, with the ends of its lines.
        text: String,
        /// The same as JSON.
        json: serde_json::Value,
    },
    /// A table of small integers, row after row, such as counts.
    Table {
        /// Its columns.
        columns: usize,
        /// Its entries.
        entries: Vec<i32>,
    },
    /// What writes itself, piece by piece.
    Streamed(Streamed),
    /// A page of HTML.
    Page(String),
    /// That there is none, such as no solution.
    None,
}

/// A word of 64 values as text.
fn word_text(word: u64) -> String {
    format!("{word:#018x}")
}

/// A part of a result: a list or a matrix of integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its name in texts.
    pub name: &'static str,
    /// Its name in JSON.
    pub key: &'static str,
    /// The columns of a matrix, row after row; `None` of a list.
    pub columns: Option<usize>,
    /// Its integers.
    pub entries: Vec<BigInt>,
}

/// A number `mantissa 2^exponent` with a bound of its error.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bounded {
    /// Its text, with the digits that are known.
    #[serde(skip)]
    pub text: String,
    /// 1, 0 or -1; 0 of what is no number.
    pub sign: i8,
    /// The size of the mantissa.
    pub mantissa: f64,
    /// The exponent of two.
    pub exponent2: i64,
    /// The natural logarithm of the size.
    #[serde(serialize_with = "real")]
    pub log_abs: f64,
    /// The true number differs by at most so much; `None` where no bound is known.
    pub error_bound: Option<Bound>,
}

/// A bound of an error, `mantissa 2^exponent2`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bound {
    /// The mantissa.
    #[serde(serialize_with = "real")]
    pub mantissa: f64,
    /// The exponent of two.
    pub exponent2: i64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde asks for
fn real<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    JsonReal(*value).serialize(serializer)
}

impl Part {
    /// A line with the name, and the rows, or the list in one line.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# {}", self.name)?;
        write_rows(out, self.columns.unwrap_or(self.entries.len()), &self.entries)
    }
}

fn write_rows(out: &mut dyn Write, columns: usize, entries: &[impl Display]) -> io::Result<()> {
    entries.chunks(columns.max(1)).try_for_each(|row| {
        let words: Vec<String> = row.iter().map(ToString::to_string).collect();
        writeln!(out, "{}", words.join(" "))
    })
}

/// A row a line, number after number: a row of a table may be long.
fn write_table(out: &mut dyn Write, columns: usize, entries: &[i32]) -> io::Result<()> {
    entries.chunks(columns.max(1)).try_for_each(|row| {
        let mut separator = "";
        for value in row {
            write!(out, "{separator}{value}")?;
            separator = " ";
        }
        writeln!(out)
    })
}

fn write_lines(out: &mut dyn Write, entries: &[impl Display]) -> io::Result<()> {
    entries.iter().try_for_each(|entry| writeln!(out, "{entry}"))
}

/// The coefficients of a polynomial, of the zero polynomial a 0.
fn write_polynomial(out: &mut dyn Write, words: &[u64]) -> io::Result<()> {
    if words.is_empty() { writeln!(out, "0") } else { write_lines(out, words) }
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
            Self::Polynomial(words) | Self::Elements(words) => residues(words, serializer),
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
            Self::Rationals(entries) => serializer.collect_seq(entries.iter().map(JsonRational)),
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

impl Value {
    /// One of several polynomials instead of all.
    #[must_use]
    pub fn only(self, wanted: Option<&str>) -> Self {
        match (self, wanted) {
            (Self::Polynomials(parts), Some(wanted)) => {
                let part = parts.into_iter().find(|(name, _)| *name == wanted);
                Self::Polynomial(part.map_or(Vec::new(), |(_, words)| words))
            }
            (value, _) => value,
        }
    }

    /// Writes it as a `.npy` array.
    ///
    /// # Errors
    /// Those of `out`; [`io::ErrorKind::InvalidData`] of what no array holds.
    pub fn write_array(&self, out: &mut dyn Write) -> io::Result<()> {
        let no_array = |why| Err(io::Error::new(io::ErrorKind::InvalidData, why));
        match self {
            Self::Polynomial(words) | Self::Elements(words) | Self::Words(words) => Format::Npy.write(out, words),
            Self::Bits(bits) => Format::Npy.write(out, bits),
            Self::Left(written) => written.write(Format::Npy, out),
            Self::Vector(Vector::I32(values)) => Format::Npy.write(out, values),
            Self::Vector(Vector::I64(values)) => Format::Npy.write(out, values),
            Self::Vector(Vector::F32(values)) => Format::Npy.write(out, values),
            Self::Vector(Vector::F64(values)) => Format::Npy.write(out, values),
            Self::Matrix { rows, columns, entries } => write_npy_matrix(out, *rows, *columns, entries),
            Self::Streamed(streamed) => streamed.write_array(out),
            Self::None => no_array("there is no solution, which no array tells: write text or JSON"),
            Self::Fractions { .. } | Self::Integers { .. } | Self::Rationals(_) | Self::Parts(_) => {
                no_array("numbers of any size, which no array holds: write text or JSON")
            }
            Self::Number(_)
            | Self::Element(_)
            | Self::Integer(_)
            | Self::Polynomials(_)
            | Self::Factors(..)
            | Self::Bounded(_)
            | Self::Shown { .. }
            | Self::Table { .. }
            | Self::Page(_) => no_array("no list or matrix of numbers, which no array holds: write text or JSON"),
        }
    }

    /// Writes it for a file whose name is one of the Matrix Market format: as its text, where that is no other.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_coordinates(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Self::Streamed(streamed) = self { streamed.write_coordinates(out) } else { self.write_text(out) }
    }

    /// Its text in a language, without the end of the line; `None` of what has none: no solution, and a number with a bound.
    pub fn in_language(&self, text: AlgebraText, modulus: Option<u64>) -> Option<String> {
        match self {
            Self::Number(value) => Some(value.to_string()),
            Self::Element(value) => Some(text.number(modulus, value)),
            Self::Integer(value) => Some(value.to_string()),
            Self::Polynomial(words) => Some(text.polynomial(modulus, words)),
            Self::Elements(words) => Some(text.list(modulus, words)),
            Self::Polynomials(parts) => {
                let parts: Vec<String> = parts.iter().map(|(_, words)| text.polynomial(modulus, words)).collect();
                Some(match text {
                    AlgebraText::Sage => format!("({})", parts.join(", ")),
                    AlgebraText::Pari => format!("[{}]", parts.join(", ")),
                })
            }
            Self::Factors(leading, factors) => {
                let factors: Vec<_> = factors.iter().map(|(factor, exponent)| (&factor[..], *exponent)).collect();
                Some(text.factorization(modulus, *leading, &factors))
            }
            Self::Matrix { columns, entries, .. } => Some(text.matrix(modulus, *columns, entries)),
            Self::Integers { columns, entries, .. } => Some(text.matrix(None, *columns, entries)),
            Self::Fractions { columns, entries } => Some(text.matrix(None, *columns, entries)),
            Self::Rationals(entries) => Some(text.list(None, entries)),
            Self::Table { columns, entries } => Some(text.matrix(None, *columns, entries)),
            Self::Parts(parts) => {
                let part = |part: &Part| match part.columns {
                    Some(columns) => text.matrix(modulus, columns, &part.entries),
                    None => text.list(None, &part.entries),
                };
                let parts = parts.iter().map(part).collect::<Vec<_>>().join(", ");
                Some(match text {
                    AlgebraText::Sage => format!("({parts})"),
                    AlgebraText::Pari => format!("[{parts}]"),
                })
            }
            Self::Bounded(_)
            | Self::None
            | Self::Vector(_)
            | Self::Left(_)
            | Self::Bits(_)
            | Self::Words(_)
            | Self::Shown { .. }
            | Self::Streamed(_)
            | Self::Page(_) => None,
        }
    }

    /// Writes it as text: a matrix of integers as a Matrix Market array, fractions a row a line, lists a number a line.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Number(value) | Self::Element(value) => writeln!(out, "{value}"),
            Self::Integer(value) => writeln!(out, "{value}"),
            Self::Polynomial(words) => write_polynomial(out, words),
            Self::Elements(words) => Format::Text.write(out, words),
            Self::Polynomials(parts) => parts.iter().try_for_each(|(name, words)| {
                writeln!(out, "# {name}")?;
                write_polynomial(out, words)
            }),
            Self::Factors(leading, factors) => {
                writeln!(out, "{leading}")?;
                factors.iter().try_for_each(|(factor, multiplicity)| {
                    write!(out, "{multiplicity}:")?;
                    factor.iter().try_for_each(|c| write!(out, " {c}"))?;
                    writeln!(out)
                })
            }
            Self::Matrix { rows, columns, entries } => write_integers(out, *rows, *columns, entries),
            Self::Integers { rows, columns, entries } => write_integers(out, *rows, *columns, entries),
            Self::Fractions { columns, entries } => write_rows(out, *columns, entries),
            Self::Rationals(entries) => write_lines(out, entries),
            Self::Parts(parts) => parts.iter().try_for_each(|part| part.write_text(out)),
            Self::Bounded(number) => writeln!(out, "{}", number.text),
            Self::Vector(Vector::I32(values)) => Format::Text.write(out, values),
            Self::Vector(Vector::I64(values)) => Format::Text.write(out, values),
            Self::Vector(Vector::F32(values)) => Format::Text.write(out, values),
            Self::Vector(Vector::F64(values)) => Format::Text.write(out, values),
            Self::Bits(bits) => Format::Text.write(out, bits),
            Self::Left(written) => written.write(Format::Text, out),
            Self::Words(words) => words.iter().try_for_each(|&word| writeln!(out, "{}", word_text(word))),
            Self::Shown { text, .. } | Self::Page(text) => out.write_all(text.as_bytes()),
            Self::Table { columns, entries } => write_table(out, *columns, entries),
            Self::Streamed(streamed) => streamed.write_text(out),
            Self::None => writeln!(out, "none"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(value: &Value) -> (String, String) {
        let mut text = Vec::new();
        value.write_text(&mut text).unwrap();
        (String::from_utf8(text).unwrap(), serde_json::to_string(value).unwrap())
    }

    fn integers<const N: usize>(words: [&str; N]) -> Vec<BigInt> {
        words.iter().map(|word| word.parse().unwrap()).collect()
    }

    fn rationals<const N: usize>(words: [&str; N]) -> Vec<BigRational> {
        words.iter().map(|word| word.parse().unwrap()).collect()
    }

    #[test]
    fn languages_have_forms_of_what_they_know() {
        let [sage, pari] = [AlgebraText::Sage, AlgebraText::Pari];
        let matrix = Value::Matrix { rows: 2, columns: 2, entries: vec![1, 2, 3, 4] };
        assert_eq!(matrix.in_language(sage, Some(5)), Some("matrix(GF(5), 2, 2, [1, 2, 3, 4])".into()));
        assert_eq!(matrix.in_language(pari, Some(5)), Some("[Mod(1, 5), Mod(2, 5); Mod(3, 5), Mod(4, 5)]".into()));
        let fractions = Value::Fractions { columns: 2, entries: rationals(["1/2", "3", "-1", "0"]) };
        assert_eq!(fractions.in_language(sage, None), Some("matrix(QQ, 2, 2, [1/2, 3, -1, 0])".into()));
        assert_eq!(fractions.in_language(pari, None), Some("[1/2, 3; -1, 0]".into()));
        assert_eq!(Value::Polynomial(vec![2, 0, 1]).in_language(sage, Some(5)), Some("x^2 + 2".into()));
        assert_eq!(Value::Number(3).in_language(pari, Some(5)), Some("3".into()));
        assert_eq!(Value::Integer((-12).into()).in_language(sage, None), Some("-12".into()));
        assert_eq!(Value::Rationals(rationals(["1", "-7"])).in_language(pari, None), Some("[1, -7]".into()));
        assert_eq!(Value::None.in_language(sage, Some(5)), None);
        let factors = Value::Factors(5, vec![(vec![0, 1], 2)]);
        assert_eq!(factors.in_language(sage, Some(7)), Some("5 * x^2".into()));
        assert_eq!(factors.in_language(pari, Some(7)), Some("[Mod(5, 7), 1; Mod(1, 7)*x, 2]".into()));
        let parts = Value::Polynomials(vec![("q", vec![1, 0, 3]), ("r", vec![])]);
        assert_eq!(parts.in_language(sage, Some(7)), Some("(3*x^2 + 1, 0)".into()));
        assert_eq!(Value::Element(3).in_language(pari, Some(7)), Some("Mod(3, 7)".into()));
        assert_eq!(Value::Elements(vec![1, 0]).in_language(sage, Some(7)), Some("[1, 0]".into()));
        let list = Part { name: "invariants", key: "invariants", columns: None, entries: integers(["1", "6"]) };
        let matrix = Part { name: "U", key: "u", columns: Some(2), entries: integers(["1", "0", "-2", "1"]) };
        let parts = Value::Parts(vec![list, matrix]);
        assert_eq!(parts.in_language(sage, None), Some("([1, 6], matrix(ZZ, 2, 2, [1, 0, -2, 1]))".into()));
        assert_eq!(parts.in_language(pari, None), Some("[[1, 6], [1, 0; -2, 1]]".into()));
    }

    #[test]
    fn every_kind_of_result_has_a_text_and_json() {
        assert_eq!(forms(&Value::Number(7)), ("7\n".into(), "7".into()));
        assert_eq!(forms(&Value::Integer((-12).into())), ("-12\n".into(), r#""-12""#.into()));
        assert_eq!(forms(&Value::None), ("none\n".into(), "null".into()));
        assert_eq!(forms(&Value::Polynomial(vec![1, 1 << 60])).1, r#"[1,"1152921504606846976"]"#);
        let matrix = Value::Matrix { rows: 2, columns: 3, entries: vec![1, 2, 3, 4, 5, 6] };
        let text = "%%MatrixMarket matrix array integer general\n2 3\n1\n4\n2\n5\n3\n6\n";
        assert_eq!(forms(&matrix), (text.into(), "[[1,2,3],[4,5,6]]".into()));
        let fractions = Value::Fractions { columns: 2, entries: rationals(["1/2", "3", "-1", "0"]) };
        assert_eq!(forms(&fractions), ("1/2 3\n-1 0\n".into(), r#"[["1/2","3"],["-1","0"]]"#.into()));
        let list = Value::Rationals(rationals(["-7", "1/2", "9007199254740993"]));
        assert_eq!(forms(&list), ("-7\n1/2\n9007199254740993\n".into(), r#"[-7,"1/2","9007199254740993"]"#.into()));
        let text = "%%MatrixMarket matrix array integer general\n2 2\n1\n3\n-2\n4\n";
        let matrix = Value::Integers { rows: 2, columns: 2, entries: integers(["1", "-2", "3", "4"]) };
        assert_eq!(forms(&matrix), (text.into(), "[[1,-2],[3,4]]".into()));
        let parts = Value::Polynomials(vec![("quotient", vec![1, 0, 3]), ("remainder", vec![])]);
        let json = r#"{"quotient":[1,0,3],"remainder":[]}"#;
        assert_eq!(forms(&parts), ("# quotient\n1\n0\n3\n# remainder\n0\n".into(), json.into()));
        assert_eq!(parts.only(Some("quotient")), Value::Polynomial(vec![1, 0, 3]));
        let json = r#"{"leading":5,"factors":[{"factor":[0,1],"multiplicity":2}]}"#;
        assert_eq!(forms(&Value::Factors(5, vec![(vec![0, 1], 2)])), ("5\n2: 0 1\n".into(), json.into()));
        let table = Value::Table { columns: 2, entries: vec![4, 0, -2, 1] };
        assert_eq!(forms(&table), ("4 0\n-2 1\n".into(), "[[4,0],[-2,1]]".into()));
        let list = Part { name: "rows", key: "rows", columns: None, entries: integers(["1", "0"]) };
        let entries = integers(["1", "0", "-2", "18446744073709551616"]);
        let factor = Part { name: "L", key: "lower", columns: Some(2), entries };
        let text = "# rows\n1 0\n# L\n1 0\n-2 18446744073709551616\n";
        let json = r#"{"rows":[1,0],"lower":[[1,0],[-2,"18446744073709551616"]]}"#;
        assert_eq!(forms(&Value::Parts(vec![list, factor])), (text.into(), json.into()));
        let bound = Some(Bound { mantissa: 0.5, exponent2: -50 });
        let text = "-6.0 +/- 5e-16".to_owned();
        let log_abs = f64::NEG_INFINITY;
        let number = Bounded { text, sign: -1, mantissa: 0.75, exponent2: 3, log_abs, error_bound: bound };
        let json = r#"{"sign":-1,"mantissa":0.75,"exponent2":3,"log_abs":"-Infinity","error_bound":{"mantissa":0.5,"exponent2":-50}}"#;
        assert_eq!(forms(&Value::Bounded(number)), ("-6.0 +/- 5e-16\n".into(), json.into()));
    }
}
