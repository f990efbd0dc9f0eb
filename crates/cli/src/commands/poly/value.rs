//! What operations on polynomials give, as text, JSON or `.npy`.

use std::io::{self, Write};

use manycore::files::AlgebraText;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::arguments::Global;
use crate::destination;
use crate::error::Error;
use crate::output::{self, JsonInteger, Report, Residues};
use crate::shard::{self, array};

/// A result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// The coefficients of a polynomial, the constant term first, or a list of elements of the field.
    List(Residues),
    /// An element of the field.
    Integer(u64),
    /// Several polynomials with their names.
    Parts(Vec<(&'static str, Residues)>),
    /// A leading coefficient, and monic polynomials with their multiplicities.
    Factors(u64, Vec<(Residues, usize)>),
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::List(list) => list.serialize(serializer),
            Self::Integer(value) => JsonInteger((*value).into()).serialize(serializer),
            Self::Parts(parts) => serializer.collect_map(parts.iter().map(|(name, list)| (name, list))),
            Self::Factors(leading, factors) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("leading", &JsonInteger((*leading).into()))?;
                let rows = factors.iter().map(|(factor, multiplicity)| Factor { factor, multiplicity: *multiplicity });
                map.serialize_entry("factors", &rows.collect::<Vec<_>>())?;
                map.end()
            }
        }
    }
}

#[derive(Serialize)]
struct Factor<'a> {
    factor: &'a Residues,
    multiplicity: usize,
}

impl Value {
    /// Its text in a language, without the end of the line; a list is that of a polynomial if said so.
    fn in_language(&self, text: AlgebraText, modulus: u64, is_polynomial: bool) -> String {
        let modulus = Some(modulus);
        match self {
            Self::List(list) if is_polynomial => text.polynomial(modulus, &list.0),
            Self::List(list) => text.list(modulus, &list.0),
            Self::Integer(value) => text.number(modulus, value),
            Self::Parts(parts) => {
                let parts: Vec<String> = parts.iter().map(|(_, list)| text.polynomial(modulus, &list.0)).collect();
                match text {
                    AlgebraText::Sage => format!("({})", parts.join(", ")),
                    AlgebraText::Pari => format!("[{}]", parts.join(", ")),
                }
            }
            Self::Factors(leading, factors) => {
                let factors: Vec<_> = factors.iter().map(|(factor, exponent)| (&factor.0[..], *exponent)).collect();
                text.factorization(modulus, *leading, &factors)
            }
        }
    }

    /// One of several polynomials instead of all.
    pub(super) fn only(self, wanted: Option<&str>) -> Self {
        match (self, wanted) {
            (Self::Parts(parts), Some(wanted)) => {
                let part = parts.into_iter().find(|(name, _)| *name == wanted);
                Self::List(part.map_or(Residues(Vec::new()), |(_, list)| list))
            }
            (value, _) => value,
        }
    }

    /// The coefficients of a part; none of a value without it.
    pub(super) fn part(&self, wanted: &str) -> &[u64] {
        match self {
            Self::List(list) => &list.0,
            Self::Parts(parts) => parts.iter().find(|(name, _)| *name == wanted).map_or(&[], |(_, list)| &list.0),
            Self::Integer(_) | Self::Factors(..) => &[],
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::List(list) => lines(out, list),
            Self::Integer(value) => writeln!(out, "{value}"),
            Self::Parts(parts) => parts.iter().try_for_each(|(name, list)| {
                writeln!(out, "# {name}")?;
                coefficients(out, list)
            }),
            Self::Factors(leading, factors) => {
                writeln!(out, "{leading}")?;
                factors.iter().try_for_each(|(factor, multiplicity)| {
                    write!(out, "{multiplicity}:")?;
                    factor.0.iter().try_for_each(|c| write!(out, " {c}"))?;
                    writeln!(out)
                })
            }
        }
    }
}

/// The coefficients of a polynomial, of the zero polynomial a 0.
fn coefficients(out: &mut dyn Write, list: &Residues) -> io::Result<()> {
    if list.0.is_empty() { writeln!(out, "0") } else { lines(out, list) }
}

fn lines(out: &mut dyn Write, list: &Residues) -> io::Result<()> {
    list.0.iter().try_for_each(|c| writeln!(out, "{c}"))
}

/// Writes a value as text, in the language of `--format` where one was asked for, or as `.npy` where it is one list; with `--json`, the
/// whole report. A list is that of a polynomial modulo a prime if said so.
///
/// # Errors
/// [`Error::Output`] when it cannot be written.
pub(super) fn write(
    global: &Global,
    report: Report<Value>,
    (modulus, is_polynomial): (u64, bool),
) -> Result<(), Error> {
    if shard::is_on(global)
        && let Value::List(list) = &report.result
    {
        let list = list.clone();
        return array::write_run(global, &report.with(list));
    }
    if let Some(language) = global.language {
        let text = report.result.in_language(language.text(), modulus, is_polynomial);
        return output::write(global, |out| writeln!(out, "{text}"));
    }
    if global.json {
        return output::write_report(global, &report);
    }
    match &report.result {
        Value::List(list) if is_polynomial && list.0.is_empty() && destination::is_text(global) => {
            output::write(global, |out| coefficients(out, list))
        }
        Value::List(_) => {
            let Value::List(list) = report.result.clone() else { return Ok(()) };
            output::write_residues(global, &report.with(list))
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
    fn every_kind_of_result_has_a_text_and_json() {
        let list = Residues(vec![1, 0, 3]);
        assert_eq!(forms(&Value::List(list.clone())), ("1\n0\n3\n".into(), "[1,0,3]".into()));
        assert_eq!(
            forms(&Value::Integer(1 << 60)),
            ("1152921504606846976\n".into(), r#""1152921504606846976""#.into())
        );
        let parts = Value::Parts(vec![("quotient", list.clone()), ("remainder", Residues(vec![]))]);
        let json = r#"{"quotient":[1,0,3],"remainder":[]}"#;
        assert_eq!(forms(&parts), ("# quotient\n1\n0\n3\n# remainder\n0\n".into(), json.into()));
        assert_eq!((parts.part("quotient"), parts.part("x")), (&list.0[..], &[][..]));
        assert_eq!(parts.clone().only(Some("quotient")), Value::List(list.clone()));
        let factors = Value::Factors(5, vec![(Residues(vec![0, 1]), 2)]);
        let of = |value: &Value, text| value.in_language(text, 7, true);
        assert_eq!(of(&factors, AlgebraText::Sage), "5 * x^2");
        assert_eq!(of(&factors, AlgebraText::Pari), "[Mod(5, 7), 1; Mod(1, 7)*x, 2]");
        assert_eq!(of(&parts, AlgebraText::Sage), "(3*x^2 + 1, 0)");
        assert_eq!(of(&Value::Integer(3), AlgebraText::Pari), "Mod(3, 7)");
        assert_eq!(Value::List(list.clone()).in_language(AlgebraText::Sage, 7, false), "[1, 0, 3]");
        let json = r#"{"leading":5,"factors":[{"factor":[0,1],"multiplicity":2}]}"#;
        assert_eq!(forms(&factors), ("5\n2: 0 1\n".into(), json.into()));
    }
}
