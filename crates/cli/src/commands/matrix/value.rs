//! What operations on matrices give, as text, Matrix Market or JSON.

use std::io::{self, Write};

use manycore::files::{AlgebraText, write_npy_matrix};
use manycore::linalg::file::write_integers;
use manycore::linalg::real::{RealDeterminant, Scaled};
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

use super::shards;
use crate::arguments::Global;
use crate::error::Error;
use crate::output::{self, JsonInteger, JsonReal, Report, Residues};
use crate::shard;

/// A result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A residue or a number of something.
    Integer(u64),
    /// An integer of any size.
    Decimal(String),
    /// The coefficients of a polynomial, the constant term first.
    List(Residues),
    /// A matrix of residues, row after row.
    Rows { rows: usize, columns: usize, words: Vec<u64> },
    /// A matrix of fractions in lowest terms, as decimal text, row after row.
    Fractions { columns: usize, words: Vec<String> },
    /// Integers or fractions of any size, as decimal text.
    Decimals(Vec<String>),
    /// A matrix of integers of any size, as decimal text, row after row.
    Integers { rows: usize, columns: usize, words: Vec<String> },
    /// Lists and matrices of integers of any size, one behind the other.
    Parts(Vec<Part>),
    /// A number of double precision with a bound of its error.
    Real(RealDeterminant),
    /// No solution.
    None,
}

/// A part of a result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    /// Its name in texts.
    pub(super) name: &'static str,
    /// Its name in JSON.
    pub(super) key: &'static str,
    /// The columns of a matrix, row after row; `None` for a list.
    pub(super) columns: Option<usize>,
    /// The integers, as decimal text.
    pub(super) words: Vec<String>,
}

impl Part {
    /// A line with the name, and the rows, or the list in one line.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# {}", self.name)?;
        let columns = self.columns.unwrap_or(self.words.len()).max(1);
        self.words.chunks(columns).try_for_each(|row| writeln!(out, "{}", row.join(" ")))
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = |row: &[String]| row.iter().map(Decimal).map(|word| serde_json::json!(word)).collect::<Vec<_>>();
        match self.columns {
            Some(columns) => serializer.collect_seq(self.words.chunks(columns.max(1)).map(row)),
            None => serializer.collect_seq(self.words.iter().map(Decimal)),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(value) => JsonInteger((*value).into()).serialize(serializer),
            Self::Decimal(text) => serializer.serialize_str(text),
            Self::List(list) => list.serialize(serializer),
            Self::Rows { rows, columns, words } => {
                let mut list = serializer.serialize_seq(Some(*rows))?;
                for row in 0..*rows {
                    list.serialize_element(&Residues(words[row * columns..][..*columns].to_vec()))?;
                }
                list.end()
            }
            Self::Real(real) => {
                let mut map = serializer.serialize_map(Some(5))?;
                map.serialize_entry("sign", &real.value.signum())?;
                map.serialize_entry("mantissa", &real.value.mantissa.abs())?;
                map.serialize_entry("exponent2", &real.value.exponent)?;
                map.serialize_entry("log_abs", &JsonReal(real.log_abs()))?;
                map.serialize_entry("error_bound", &real.error_bound.map(Bound))?;
                map.end()
            }
            Self::Fractions { columns, words } => {
                let rows = words.chunks((*columns).max(1));
                serializer.collect_seq(rows)
            }
            Self::Decimals(words) => serializer.collect_seq(words.iter().map(Decimal)),
            Self::Integers { rows, columns, words } => {
                let row = |row: usize| words[row * columns..][..*columns].iter().map(Decimal).collect::<Vec<_>>();
                serializer.collect_seq((0..*rows).map(row))
            }
            Self::Parts(parts) => serializer.collect_map(parts.iter().map(|part| (part.key, part))),
            Self::None => serializer.serialize_none(),
        }
    }
}

/// A number as decimal text: an integer up to 2^53 is a number in JSON, others are strings.
struct Decimal<'a>(&'a String);

impl Serialize for Decimal<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse() {
            Ok(value) => JsonInteger(value).serialize(serializer),
            Err(_) => serializer.serialize_str(self.0),
        }
    }
}

/// A bound of an error, `mantissa 2^exponent2`.
struct Bound(Scaled);

impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("mantissa", &JsonReal(self.0.mantissa))?;
        map.serialize_entry("exponent2", &self.0.exponent)?;
        map.end()
    }
}

impl Value {
    /// Its text in a language, without the end of the line; `None` of what has none: no solution, and a number with a bound.
    fn in_language(&self, text: AlgebraText, modulus: Option<u64>) -> Option<String> {
        match self {
            Self::Integer(value) => Some(value.to_string()),
            Self::Decimal(value) => Some(value.clone()),
            Self::List(list) => Some(text.polynomial(modulus, &list.0)),
            Self::Rows { columns, words, .. } => Some(text.matrix(modulus, *columns, words)),
            Self::Fractions { columns, words } | Self::Integers { columns, words, .. } => {
                Some(text.matrix(None, *columns, words))
            }
            Self::Decimals(words) => Some(text.list(None, words)),
            Self::Parts(parts) => {
                let part = |part: &Part| match part.columns {
                    Some(columns) => text.matrix(modulus, columns, &part.words),
                    None => text.list(None, &part.words),
                };
                let parts = parts.iter().map(part).collect::<Vec<_>>().join(", ");
                Some(match text {
                    AlgebraText::Sage => format!("({parts})"),
                    AlgebraText::Pari => format!("[{parts}]"),
                })
            }
            Self::Real(_) | Self::None => None,
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Integer(value) => writeln!(out, "{value}"),
            Self::Decimal(text) => writeln!(out, "{text}"),
            Self::List(list) => list.0.iter().try_for_each(|c| writeln!(out, "{c}")),
            Self::Rows { rows, columns, words } => write_integers(out, *rows, *columns, words),
            Self::Real(real) => writeln!(out, "{real}"),
            Self::Fractions { columns, words } => {
                words.chunks((*columns).max(1)).try_for_each(|row| writeln!(out, "{}", row.join(" ")))
            }
            Self::Decimals(words) => words.iter().try_for_each(|word| writeln!(out, "{word}")),
            Self::Integers { rows, columns, words } => write_integers(out, *rows, *columns, words),
            Self::Parts(parts) => parts.iter().try_for_each(|part| part.write_text(out)),
            Self::None => writeln!(out, "none"),
        }
    }
}

/// Writes a value as text, in the language of `--format` where one was asked for and has it, or as `.npy` where it is a list or a matrix and the name asks for an array; with `--json`, the whole report.
///
/// # Errors
/// [`Error::Output`] when it cannot be written.
pub(super) fn write(global: &Global, report: Report<Value>, modulus: Option<u64>) -> Result<(), Error> {
    if let (true, Value::Rows { columns, words, .. }) = (shard::is_on(global), &report.result) {
        return shards::write_rows(global, &report, *columns, words);
    }
    if global.json {
        return output::write_report(global, &report);
    }
    if let Some(text) = global.language.and_then(|language| report.result.in_language(language.text(), modulus)) {
        return output::write(global, |out| writeln!(out, "{text}"));
    }
    match &report.result {
        Value::List(list) => {
            let list = list.clone();
            output::write_residues(global, &report.with(list))
        }
        Value::Rows { rows, columns, words } if output::is_array(global) => {
            output::write(global, |out| write_npy_matrix(out, *rows, *columns, words))
        }
        Value::None if output::is_array(global) => {
            let error = io::Error::new(
                io::ErrorKind::InvalidData,
                "there is no solution, which no array tells: write text or JSON",
            );
            output::write(global, |_| Err(error))
        }
        Value::Fractions { .. } | Value::Integers { .. } | Value::Decimals(_) | Value::Parts(_)
            if output::is_array(global) =>
        {
            let error = io::Error::new(
                io::ErrorKind::InvalidData,
                "numbers of any size, which no array holds: write text or JSON",
            );
            output::write(global, |_| Err(error))
        }
        value => output::write(global, |out| value.write_text(out)),
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

    #[test]
    fn languages_have_forms_of_what_they_know() {
        let [sage, pari] = [AlgebraText::Sage, AlgebraText::Pari];
        let rows = Value::Rows { rows: 2, columns: 2, words: vec![1, 2, 3, 4] };
        assert_eq!(rows.in_language(sage, Some(5)), Some("matrix(GF(5), 2, 2, [1, 2, 3, 4])".into()));
        assert_eq!(rows.in_language(pari, Some(5)), Some("[Mod(1, 5), Mod(2, 5); Mod(3, 5), Mod(4, 5)]".into()));
        let fractions = Value::Fractions { columns: 2, words: ["1/2", "3", "-1", "0"].map(str::to_owned).to_vec() };
        assert_eq!(fractions.in_language(sage, None), Some("matrix(QQ, 2, 2, [1/2, 3, -1, 0])".into()));
        assert_eq!(fractions.in_language(pari, None), Some("[1/2, 3; -1, 0]".into()));
        let list = Value::List(Residues(vec![2, 0, 1]));
        assert_eq!(list.in_language(sage, Some(5)), Some("x^2 + 2".into()));
        assert_eq!(Value::Integer(3).in_language(pari, Some(5)), Some("3".into()));
        assert_eq!(Value::Decimal("-12".into()).in_language(sage, None), Some("-12".into()));
        assert_eq!(Value::Decimals(vec!["1".into(), "-7".into()]).in_language(pari, None), Some("[1, -7]".into()));
        assert_eq!(Value::None.in_language(sage, Some(5)), None);
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let list = Part { name: "invariants", key: "invariants", columns: None, words: words(&["1", "6"]) };
        let matrix = Part { name: "U", key: "u", columns: Some(2), words: words(&["1", "0", "-2", "1"]) };
        let parts = Value::Parts(vec![list, matrix]);
        assert_eq!(parts.in_language(sage, None), Some("([1, 6], matrix(ZZ, 2, 2, [1, 0, -2, 1]))".into()));
        assert_eq!(parts.in_language(pari, None), Some("[[1, 6], [1, 0; -2, 1]]".into()));
    }

    #[test]
    fn every_kind_of_result_has_a_text_and_json() {
        assert_eq!(forms(&Value::Integer(7)), ("7\n".into(), "7".into()));
        assert_eq!(forms(&Value::Decimal("-12".into())), ("-12\n".into(), r#""-12""#.into()));
        assert_eq!(forms(&Value::None), ("none\n".into(), "null".into()));
        let rows = Value::Rows { rows: 2, columns: 3, words: vec![1, 2, 3, 4, 5, 6] };
        let text = "%%MatrixMarket matrix array integer general\n2 3\n1\n4\n2\n5\n3\n6\n";
        assert_eq!(forms(&rows), (text.into(), "[[1,2,3],[4,5,6]]".into()));
        let fractions = Value::Fractions { columns: 2, words: ["1/2", "3", "-1", "0"].map(str::to_owned).to_vec() };
        assert_eq!(forms(&fractions), ("1/2 3\n-1 0\n".into(), r#"[["1/2","3"],["-1","0"]]"#.into()));
        let decimals = Value::Decimals(["-7", "1/2", "9007199254740993"].map(str::to_owned).to_vec());
        assert_eq!(forms(&decimals), ("-7\n1/2\n9007199254740993\n".into(), r#"[-7,"1/2","9007199254740993"]"#.into()));
        let words = ["1", "-2", "3", "4"].map(str::to_owned).to_vec();
        let text = "%%MatrixMarket matrix array integer general\n2 2\n1\n3\n-2\n4\n";
        let integers = Value::Integers { rows: 2, columns: 2, words };
        assert_eq!(forms(&integers), (text.into(), "[[1,-2],[3,4]]".into()));
        let list = Part { name: "rows", key: "rows", columns: None, words: vec!["1".into(), "0".into()] };
        let words = ["1", "0", "-2", "18446744073709551616"].map(str::to_owned).to_vec();
        let factor = Part { name: "L", key: "lower", columns: Some(2), words };
        let text = "# rows\n1 0\n# L\n1 0\n-2 18446744073709551616\n";
        let json = r#"{"rows":[1,0],"lower":[[1,0],[-2,"18446744073709551616"]]}"#;
        assert_eq!(forms(&Value::Parts(vec![list, factor])), (text.into(), json.into()));
        let bound = Some(Scaled { mantissa: 0.5, exponent: -50 });
        let real = |mantissa, exponent| RealDeterminant { value: Scaled { mantissa, exponent }, error_bound: bound };
        let (text, json) = forms(&Value::Real(real(-0.75, 3)));
        assert_eq!(text, "-6.0000000000000000 +/- 5e-16\n");
        assert!(json.starts_with(r#"{"sign":-1,"mantissa":0.75,"exponent2":3,"log_abs":1.79"#), "{json}");
        assert!(json.ends_with(r#""error_bound":{"mantissa":0.5,"exponent2":-50}}"#), "{json}");
        assert_eq!(forms(&Value::Real(real(0.5, 4984))).0, "1.0776268250575455e1500 +/- 1e1484\n");
        assert_eq!(forms(&Value::Real(real(0.5, -200))).0, "0 +/- 4.5e-16\n");
        let zero = forms(&Value::Real(RealDeterminant { value: Scaled::ZERO, error_bound: None }));
        assert_eq!(zero.0, "0\n");
        assert!(zero.1.contains(r#""log_abs":"-Infinity","error_bound":null"#), "{}", zero.1);
    }
}
