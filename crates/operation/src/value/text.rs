//! Results as text: polynomials as sums of terms or as coefficients, matrices a row a line, lists a number a line.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

use manycore_files::{AlgebraText, Format, NumberText, write_integers, write_lines, write_terms};

use super::{Part, Polynomial, Value};
use crate::vector::Vector;

/// A word of 64 values as text.
pub(super) fn word_text(word: u64) -> String {
    format!("{word:#018x}")
}

/// How polynomials are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As sums of terms.
    Terms,
    /// As coefficients, the constant term first.
    Coefficients,
}

impl Form {
    fn write<C: Display>(
        self,
        out: &mut dyn Write,
        Polynomial { variable, coefficients }: &Polynomial<C>,
        push: impl Fn(&C, &mut String),
    ) -> io::Result<()> {
        match self {
            Self::Terms => {
                write_terms(out, variable, coefficients, push)?;
                writeln!(out)
            }
            Self::Coefficients if coefficients.is_empty() => writeln!(out, "0"),
            Self::Coefficients => coefficients.iter().try_for_each(|c| writeln!(out, "{c}")),
        }
    }

    fn write_residues(self, out: &mut dyn Write, f: &Polynomial<u64>) -> io::Result<()> {
        self.write(out, f, |&c, text| {
            if c != 0 {
                c.push_typed(text);
            }
        })
    }

    fn write_factors(self, out: &mut dyn Write, leading: u64, factors: &[(Vec<u64>, usize)]) -> io::Result<()> {
        if self == Self::Terms {
            let factors: Vec<_> = factors.iter().map(|(factor, exponent)| (&factor[..], *exponent)).collect();
            return writeln!(out, "{}", AlgebraText::Sage.factorization(None, leading, &factors));
        }
        writeln!(out, "{leading}")?;
        factors.iter().try_for_each(|(factor, multiplicity)| {
            write!(out, "{multiplicity}:")?;
            factor.iter().try_for_each(|c| write!(out, " {c}"))?;
            writeln!(out)
        })
    }
}

impl Part {
    /// A line with the name, and the rows, or the list in one line.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# {}", self.name)?;
        write_rows(out, self.columns.unwrap_or(self.entries.len()), &self.entries)
    }
}

fn write_rows(out: &mut dyn Write, columns: usize, entries: &[impl Display + Sync]) -> io::Result<()> {
    let columns = columns.max(1);
    write_lines(out, entries.len().div_ceil(columns), |row, text| {
        let mut separator = "";
        for entry in entries.iter().skip(row * columns).take(columns) {
            // Writing to a text does not fail.
            let _ = write!(text, "{separator}{entry}");
            separator = " ";
        }
    })
}

/// A matrix a row a line; one without entries as a Matrix Market array, whose head has its shape.
fn write_matrix(out: &mut dyn Write, rows: usize, columns: usize, entries: &[impl Display + Sync]) -> io::Result<()> {
    if entries.is_empty() { write_integers(out, rows, columns, entries) } else { write_rows(out, columns, entries) }
}

impl Value {
    /// Writes it as text: polynomials as `x^2 + 3*x + 1`, matrices a row a line, lists a number a line. A matrix without entries is a
    /// Matrix Market array, whose head has its shape.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_as(out, Form::Terms)
    }

    /// Writes the value as text, but polynomials as their coefficients, the constant term first, a line each; a factor in one line behind
    /// its multiplicity.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_coefficients(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_as(out, Form::Coefficients)
    }

    /// Writes the value for a file whose name is one of the Matrix Market format: a matrix of integers as an array, a stream by its own
    /// coordinates, the rest as text.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_matrix_market(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Matrix { rows, columns, entries } => write_integers(out, *rows, *columns, entries),
            Self::Integers { rows, columns, entries } => write_integers(out, *rows, *columns, entries),
            Self::Streamed(streamed) => streamed.write_coordinates(out),
            other => other.write_text(out),
        }
    }

    fn write_as(&self, out: &mut dyn Write, form: Form) -> io::Result<()> {
        match self {
            Self::Number(value) | Self::Element(value) => writeln!(out, "{value}"),
            Self::Integer(value) => writeln!(out, "{value}"),
            Self::Polynomial(f) => form.write_residues(out, f),
            Self::RationalPolynomial(f) => form.write(out, f, |c, text| {
                if c.numer().sign() != num_bigint::Sign::NoSign {
                    let _ = write!(text, "{c}");
                }
            }),
            Self::Elements(words) => Format::Text.write(out, words),
            Self::Polynomials(parts) => parts.iter().try_for_each(|(name, words)| {
                writeln!(out, "# {name}")?;
                form.write_residues(out, &Polynomial::in_x(words.clone()))
            }),
            Self::Factors(leading, factors) => form.write_factors(out, *leading, factors),
            Self::Matrix { rows, columns, entries } => write_matrix(out, *rows, *columns, entries),
            Self::Integers { rows, columns, entries } => write_matrix(out, *rows, *columns, entries),
            Self::Fractions { columns, entries } => write_rows(out, *columns, entries),
            Self::Rationals(entries) => write_rows(out, 1, entries),
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
            Self::Table { columns, entries } => write_rows(out, *columns, entries),
            Self::Streamed(streamed) => streamed.write_text(out),
            Self::None => writeln!(out, "none"),
        }
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;

    use super::super::{Bound, Bounded};
    use super::*;

    fn forms(value: &Value) -> (String, String) {
        let mut text = Vec::new();
        value.write_text(&mut text).unwrap();
        (String::from_utf8(text).unwrap(), serde_json::to_string(value).unwrap())
    }

    fn coefficients(value: &Value) -> String {
        let mut text = Vec::new();
        value.write_coefficients(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    fn market(value: &Value) -> String {
        let mut text = Vec::new();
        value.write_matrix_market(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    fn integers<const N: usize>(words: [&str; N]) -> Vec<BigInt> {
        words.iter().map(|word| word.parse().unwrap()).collect()
    }

    fn rationals<const N: usize>(words: [&str; N]) -> Vec<BigRational> {
        words.iter().map(|word| word.parse().unwrap()).collect()
    }

    #[test]
    fn every_kind_of_result_has_a_text_and_json() {
        assert_eq!(forms(&Value::Number(7)), ("7\n".into(), "7".into()));
        assert_eq!(forms(&Value::Integer((-12).into())), ("-12\n".into(), r#""-12""#.into()));
        assert_eq!(forms(&Value::None), ("none\n".into(), "null".into()));
        let f = Value::Polynomial(Polynomial::in_x(vec![1, 1 << 60]));
        let json = r#"[1,"1152921504606846976"]"#;
        assert_eq!(forms(&f), ("1152921504606846976*x + 1\n".into(), json.into()));
        assert_eq!(coefficients(&f), "1\n1152921504606846976\n");
        let zero = Value::Polynomial(Polynomial::in_x(Vec::new()));
        assert_eq!((forms(&zero), coefficients(&zero)), (("0\n".into(), "[]".into()), "0\n".into()));
        let f = Polynomial { variable: "y".to_owned(), coefficients: rationals(["-1/2", "0", "-1"]) };
        let f = Value::RationalPolynomial(f);
        assert_eq!(forms(&f), ("-y^2 - 1/2\n".into(), r#"["-1/2",0,-1]"#.into()));
        assert_eq!(coefficients(&f), "-1/2\n0\n-1\n");
        let matrix = Value::Matrix { rows: 2, columns: 3, entries: vec![1, 2, 3, 4, 5, 6] };
        assert_eq!(forms(&matrix), ("1 2 3\n4 5 6\n".into(), "[[1,2,3],[4,5,6]]".into()));
        let text = "%%MatrixMarket matrix array integer general\n2 3\n1\n4\n2\n5\n3\n6\n";
        assert_eq!(market(&matrix), text);
        let empty = Value::Matrix { rows: 0, columns: 3, entries: Vec::new() };
        assert_eq!(forms(&empty), ("%%MatrixMarket matrix array integer general\n0 3\n".into(), "[]".into()));
        let fractions = Value::Fractions { columns: 2, entries: rationals(["1/2", "3", "-1", "0"]) };
        assert_eq!(forms(&fractions), ("1/2 3\n-1 0\n".into(), r#"[["1/2","3"],["-1","0"]]"#.into()));
        let list = Value::Rationals(rationals(["-7", "1/2", "9007199254740993"]));
        assert_eq!(forms(&list), ("-7\n1/2\n9007199254740993\n".into(), r#"[-7,"1/2","9007199254740993"]"#.into()));
        let matrix = Value::Integers { rows: 2, columns: 2, entries: integers(["1", "-2", "3", "4"]) };
        assert_eq!(forms(&matrix), ("1 -2\n3 4\n".into(), "[[1,-2],[3,4]]".into()));
        let text = "%%MatrixMarket matrix array integer general\n2 2\n1\n3\n-2\n4\n";
        assert_eq!((market(&matrix).as_str(), market(&Value::None).as_str()), (text, "none\n"));
        let parts = Value::Polynomials(vec![("quotient", vec![1, 0, 3]), ("remainder", vec![])]);
        let json = r#"{"quotient":[1,0,3],"remainder":[]}"#;
        assert_eq!(forms(&parts), ("# quotient\n3*x^2 + 1\n# remainder\n0\n".into(), json.into()));
        assert_eq!(coefficients(&parts), "# quotient\n1\n0\n3\n# remainder\n0\n");
        assert_eq!(parts.only(Some("quotient")), Value::Polynomial(Polynomial::in_x(vec![1, 0, 3])));
        let json = r#"{"leading":5,"factors":[{"factor":[1,1],"multiplicity":2}]}"#;
        let factors = Value::Factors(5, vec![(vec![1, 1], 2)]);
        assert_eq!(coefficients(&factors), "5\n2: 1 1\n");
        assert_eq!(forms(&factors), ("5 * (x + 1)^2\n".into(), json.into()));
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
