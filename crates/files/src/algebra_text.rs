//! Numbers, polynomials, lists and matrices written in the languages of Sage and PARI/GP: what is written is read here again, and by
//! them.

use std::fmt::Display;

use crate::write_terms;

/// The language of a computer algebra system.
///
/// ```
/// use manycore_files::AlgebraText;
/// assert_eq!(AlgebraText::Sage.polynomial(Some(7), &[1, 0, 3]), "3*x^2 + 1");
/// assert_eq!(AlgebraText::Pari.polynomial(Some(7), &[1, 0, 3]), "Mod(3, 7)*x^2 + Mod(1, 7)");
/// assert_eq!(AlgebraText::Sage.matrix(Some(7), 2, &[1, 2, 3, 4]), "matrix(GF(7), 2, 2, [1, 2, 3, 4])");
/// assert_eq!(AlgebraText::Pari.matrix(None, 2, &["1/2", "0", "3", "-1"]), "[1/2, 0; 3, -1]");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AlgebraText {
    /// Sage: residues are plain numbers, and a matrix names its ring.
    Sage,
    /// PARI/GP: residues are `Mod(3, 7)`.
    Pari,
}

impl AlgebraText {
    /// A number, a residue where there is a modulus.
    pub fn number(self, modulus: Option<u64>, number: impl Display) -> String {
        match (self, modulus) {
            (Self::Pari, Some(modulus)) => format!("Mod({number}, {modulus})"),
            _ => number.to_string(),
        }
    }

    /// Numbers in brackets.
    pub fn list(self, modulus: Option<u64>, numbers: &[impl Display]) -> String {
        format!("[{}]", self.joined(modulus, numbers))
    }

    /// The polynomial in `x` with these coefficients, the constant term first, by falling degree; `0` of none. Coefficients that
    /// are residues are below the modulus.
    pub fn polynomial(self, modulus: Option<u64>, coefficients: &[u64]) -> String {
        self.polynomial_in("x", modulus, coefficients)
    }

    /// The text of a polynomial in the given variable, whose coefficients may be negative or fractions.
    pub fn polynomial_in<C: Display + PartialEq + Default>(
        self,
        variable: &str,
        modulus: Option<u64>,
        coefficients: &[C],
    ) -> String {
        let zero = C::default();
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = write_terms(&mut text, variable, coefficients, |c, text| {
            if *c != zero {
                text.push_str(&self.number(modulus, c));
            }
        });
        String::from_utf8(text).unwrap_or_default()
    }

    /// The product of a number and of powers of polynomials: `3 * x^2 * (x^2 + 1)` in Sage; in PARI/GP the matrix of factors and
    /// exponents that `factorback` takes.
    pub fn factorization(self, modulus: Option<u64>, leading: u64, factors: &[(&[u64], usize)]) -> String {
        let mut parts = Vec::new();
        if leading != 1 || factors.is_empty() {
            parts.push((self.number(modulus, leading), 1));
        }
        parts.extend(factors.iter().map(|&(factor, exponent)| (self.polynomial(modulus, factor), exponent)));
        let texts: Vec<String> = parts
            .into_iter()
            .map(|(text, exponent)| match self {
                Self::Pari => format!("{text}, {exponent}"),
                Self::Sage => {
                    let text = if text.contains(' ') { format!("({text})") } else { text };
                    if exponent == 1 { text } else { format!("{text}^{exponent}") }
                }
            })
            .collect();
        match self {
            Self::Sage => texts.join(" * "),
            Self::Pari => format!("[{}]", texts.join("; ")),
        }
    }

    /// The matrix of `columns` with these numbers, row after row: integers, residues where there is a modulus, or fractions. Of a
    /// matrix without entries PARI/GP's form keeps no columns.
    pub fn matrix(self, modulus: Option<u64>, columns: usize, numbers: &[impl Display]) -> String {
        let rows = numbers.len().checked_div(columns).unwrap_or(0);
        match self {
            Self::Sage => {
                let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                let ring = match modulus {
                    Some(modulus) => format!("GF({modulus})"),
                    None if texts.iter().any(|text| text.contains('/')) => "QQ".to_owned(),
                    None => "ZZ".to_owned(),
                };
                format!("matrix({ring}, {rows}, {columns}, [{}])", texts.join(", "))
            }
            Self::Pari if rows == 0 => "[;]".to_owned(),
            Self::Pari => {
                let rows: Vec<String> = numbers.chunks(columns).map(|row| self.joined(modulus, row)).collect();
                // A list of one row is a vector there.
                if rows.len() == 1 { format!("Mat([{}])", rows[0]) } else { format!("[{}]", rows.join("; ")) }
            }
        }
    }

    fn joined(self, modulus: Option<u64>, numbers: &[impl Display]) -> String {
        numbers.iter().map(|number| self.number(modulus, number)).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{FileError, Source};

    /// The rows of a text, which the shared reader gives, with the number of rows.
    fn read(text: &str, modulus: Option<u64>) -> (usize, Vec<String>) {
        let Source::Text(text) = Source::new("a", text.as_bytes()).unwrap() else { panic!("a text") };
        assert!(text.is_bracketed(), "{}", text.as_str());
        let mut words = Vec::new();
        let rows = text.bracketed(modulus, |_, _, word| {
            words.push(word.to_owned());
            Ok::<(), FileError>(())
        });
        (rows.unwrap(), words)
    }

    proptest! {
        #[test]
        fn lists_and_matrices_are_read_back(
            rows in 1usize..6,
            columns in 1usize..6,
            words in prop::collection::vec(0u64..97, 25),
            is_modular in any::<bool>(),
        ) {
            let (words, modulus) = (&words[..rows * columns], is_modular.then_some(97));
            let expected: Vec<String> = words.iter().map(ToString::to_string).collect();
            for form in [AlgebraText::Sage, AlgebraText::Pari] {
                let matrix = form.matrix(modulus, columns, words);
                prop_assert_eq!(read(&matrix, modulus), (rows, expected.clone()), "{}", matrix);
                prop_assert_eq!(read(&form.list(modulus, words), modulus), (1, expected.clone()));
            }
        }
    }

    #[test]
    fn every_form() {
        let [sage, pari] = [AlgebraText::Sage, AlgebraText::Pari];
        assert_eq!((sage.number(Some(7), 3), pari.number(Some(7), 3)), ("3".into(), "Mod(3, 7)".into()));
        assert_eq!((pari.number(None, "-1/2"), pari.list(None, &[1, -2])), ("-1/2".into(), "[1, -2]".into()));
        assert_eq!(sage.polynomial(Some(7), &[0, 1, 6]), "6*x^2 + x");
        assert_eq!(pari.polynomial(None, &[0, 1, 6]), "6*x^2 + x");
        assert_eq!(pari.polynomial(Some(7), &[0, 1]), "Mod(1, 7)*x");
        assert_eq!((sage.polynomial(Some(7), &[]), pari.polynomial(Some(7), &[0, 0])), ("0".into(), "0".into()));
        let factors: [(&[u64], usize); 2] = [(&[0, 1], 2), (&[1, 0, 1], 1)];
        assert_eq!(sage.factorization(Some(7), 3, &factors), "3 * x^2 * (x^2 + 1)");
        assert_eq!(
            pari.factorization(Some(7), 3, &factors),
            "[Mod(3, 7), 1; Mod(1, 7)*x, 2; Mod(1, 7)*x^2 + Mod(1, 7), 1]"
        );
        assert_eq!(
            (sage.factorization(Some(7), 1, &[]), pari.factorization(None, 5, &[])),
            ("1".into(), "[5, 1]".into())
        );
        let none: [u64; 0] = [];
        assert_eq!(
            (sage.matrix(None, 3, &none), pari.matrix(None, 3, &none)),
            ("matrix(ZZ, 0, 3, [])".into(), "[;]".into())
        );
        assert_eq!(sage.matrix(None, 1, &["1/2", "3"]), "matrix(QQ, 2, 1, [1/2, 3])");
        assert_eq!(pari.matrix(Some(5), 2, &[1, 2]), "Mat([Mod(1, 5), Mod(2, 5)])");
        assert_eq!(read("Mat([1; 2])", None), (2, vec!["1".into(), "2".into()]));
    }
}
