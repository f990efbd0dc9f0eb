//! Results in the language of Sage or PARI/GP.

use manycore_files::AlgebraText;

use super::{Part, Value};

impl Value {
    /// Its text in a language, without the end of the line; `None` of what has none: no solution, and a number with a bound.
    pub fn in_language(&self, text: AlgebraText, modulus: Option<u64>) -> Option<String> {
        match self {
            Self::Number(value) => Some(value.to_string()),
            Self::Element(value) => Some(text.number(modulus, value)),
            Self::Integer(value) => Some(value.to_string()),
            Self::Polynomial(f) => Some(text.polynomial_in(&f.variable, modulus, &f.coefficients)),
            Self::RationalPolynomial(f) => Some(text.polynomial_in(&f.variable, None, &f.coefficients)),
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
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;

    use super::super::Polynomial;
    use super::*;

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
        assert_eq!(
            Value::Polynomial(Polynomial::in_x(vec![2, 0, 1])).in_language(sage, Some(5)),
            Some("x^2 + 2".into())
        );
        let f = Polynomial { variable: "y".to_owned(), coefficients: rationals(["-1/2", "0", "-1"]) };
        assert_eq!(Value::RationalPolynomial(f).in_language(pari, None), Some("-y^2 - 1/2".into()));
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
}
