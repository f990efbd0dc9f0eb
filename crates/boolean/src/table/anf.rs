//! The algebraic normal form: a polynomial over GF(2) in which no variable has a power.

use std::fmt;

use manycore_files::memory::refusable;

use super::{TruthTable, check_variables, room};
use crate::error::TableError;
use crate::transforms::reed_muller_words;

/// The algebraic normal form of a Boolean function: the sum modulo 2 of products of different variables.
///
/// The coefficient of the product of the variables whose bits stand in `u` has the index `u`; the coefficients are the
/// Reed-Muller spectrum of the truth table, `c(u) = sum modulo 2 of f(x) over the x whose bits are among those of u`.
///
/// As text it is terms joined by ` + `, those of the highest degree first and equal degrees by ascending variables, such as
/// `x1 x2 x4 + x3 + 1`; the zero function is `0`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Anf {
    coefficients: TruthTable,
}

impl Anf {
    /// The form with these coefficients, packed as a truth table: bit `u` is the coefficient of the product of the variables
    /// whose bits stand in `u`.
    pub fn of_coefficients(coefficients: TruthTable) -> Self {
        Self { coefficients }
    }

    /// The coefficients, packed as a truth table.
    pub fn coefficients(&self) -> &TruthTable {
        &self.coefficients
    }

    /// The number of variables.
    pub fn variables(&self) -> u32 {
        self.coefficients.variables
    }

    /// The function's values. The transform is its own inverse.
    pub fn truth_table(&self) -> TruthTable {
        let mut words = self.coefficients.words.clone();
        reed_muller_words(&mut words, self.variables());
        TruthTable::of_words(self.variables(), words)
    }

    /// The algebraic degree, the most variables in one term; 0 for the constants, the zero function included.
    pub fn degree(&self) -> u32 {
        let words = self.coefficients.words.iter().enumerate();
        words.map(|(w, &word)| (w as u64).count_ones() * u32::from(word != 0) + degree_within(word)).max().unwrap_or(0)
    }

    /// The number of terms.
    pub fn terms(&self) -> u64 {
        self.coefficients.weight()
    }

    /// Reads a sum of terms: terms are joined by `+`, `^` or `⊕`; a term is `0`, `1`, or variables `x1`, `x2`, ... one after
    /// the other with `*`, `·`, spaces or nothing between them. Equal terms cancel, and `x1 x1` is `x1`. Without a number of variables, the
    /// largest variable in the text determines it.
    ///
    /// # Errors
    /// [`TableError::Syntax`] with the position of what was not understood; [`TableError::Variable`] for a variable that the
    /// function does not have; [`TableError::TooManyVariables`]; [`TableError::OutOfMemory`].
    pub fn parse(text: &str, variables: impl Into<Option<u32>>) -> Result<Self, TableError> {
        let variables = variables.into();
        let mut characters = room(text.len(), "the characters of a normal form")?;
        characters.extend(text.chars());
        let terms = Parser { characters, at: 0, variables }.sum()?;
        let largest = terms.iter().filter(|term| **term != 0).map(|term| term.ilog2() + 1).max().unwrap_or(0);
        let variables = variables.unwrap_or(largest);
        check_variables(variables)?;
        let mut coefficients = TruthTable::constant(variables, false)?;
        for term in terms {
            coefficients.words[(term / 64) as usize] ^= 1 << (term % 64);
        }
        Ok(Self { coefficients })
    }
}

/// The degree of a word's terms by the variables `x1` to `x6` alone.
pub(crate) fn degree_within(word: u64) -> u32 {
    const OF_DEGREE: [u64; 7] = {
        let mut masks = [0u64; 7];
        let mut u = 0u64;
        while u < 64 {
            masks[u.count_ones() as usize] |= 1 << u;
            u += 1;
        }
        masks
    };
    (0..7u32).rev().find(|&k| word & OF_DEGREE[k as usize] != 0).unwrap_or(0)
}

impl fmt::Display for Anf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms: Vec<u64> = self.coefficients.minterms().collect();
        if terms.is_empty() {
            return f.write_str("0");
        }
        // Among equal degrees the term whose first different variable is lower stands first.
        terms.sort_by_key(|u| (std::cmp::Reverse(u.count_ones()), std::cmp::Reverse(u.reverse_bits())));
        for (i, &term) in terms.iter().enumerate() {
            f.write_str(if i > 0 { " + " } else { "" })?;
            if term == 0 {
                f.write_str("1")?;
            }
            for (k, variable) in (0..64u32).filter(|bit| term >> bit & 1 == 1).enumerate() {
                write!(f, "{}x{}", if k > 0 { " " } else { "" }, variable + 1)?;
            }
        }
        Ok(())
    }
}

struct Parser {
    characters: Vec<char>,
    at: usize,
    variables: Option<u32>,
}

impl Parser {
    fn peek(&mut self) -> Option<char> {
        while self.characters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.characters.get(self.at).copied()
    }

    fn wrong(&self, expected: &'static str) -> TableError {
        let found = self.characters.get(self.at).map_or_else(|| "the end".into(), |c| format!("\"{c}\""));
        TableError::Syntax { position: self.at as u64 + 1, found, expected }
    }

    /// The terms, 0 left out, each as the set of its variables.
    fn sum(&mut self) -> Result<Vec<u64>, TableError> {
        let mut terms = Vec::new();
        loop {
            if let Some(term) = self.term()? {
                let bytes = 8 * (terms.len() as u64 + 1);
                let refused = |_| TableError::OutOfMemory { bytes, what: "the terms of a normal form" };
                refusable(|| terms.try_reserve(1)).map_err(refused)?;
                terms.push(term);
            }
            match self.peek() {
                None => return Ok(terms),
                Some('+' | '^' | '⊕') => self.at += 1,
                Some(_) => return Err(self.wrong("+ between terms")),
            }
        }
    }

    /// A product; `None` where a factor is 0.
    fn term(&mut self) -> Result<Option<u64>, TableError> {
        let mut term = Some(0u64);
        let mut first = true;
        loop {
            match self.peek() {
                Some('0') if first => {
                    self.at += 1;
                    term = None;
                }
                Some('1') if first => self.at += 1,
                Some('x' | 'X') => {
                    let bit = self.variable()?;
                    term = term.map(|term| term | 1 << bit);
                }
                _ if first => return Err(self.wrong("a variable such as x1, 0 or 1")),
                _ => return Ok(term),
            }
            first = false;
            if matches!(self.peek(), Some('*' | '·')) {
                self.at += 1;
                first = true;
            }
        }
    }

    /// The bit of a variable.
    fn variable(&mut self) -> Result<u32, TableError> {
        let position = self.at as u64 + 1;
        self.at += 1;
        let start = self.at;
        while self.characters.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        let digits: String = self.characters[start..self.at].iter().collect();
        if digits.is_empty() {
            return Err(self.wrong("the number of a variable, such as 1"));
        }
        let last = self.variables.unwrap_or(TruthTable::MOST_VARIABLES);
        match digits.parse::<u32>() {
            Ok(variable) if (1..=last).contains(&variable) => Ok(variable - 1),
            _ => Err(TableError::Variable { position, variable: format!("x{digits}"), last }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples() {
        fn anf(text: &str, variables: impl Into<Option<u32>>) -> Anf {
            Anf::parse(text, variables).unwrap()
        }
        assert_eq!(anf("x1 x2 + x3 + 1", 3).coefficients().words(), [1 | 1 << 3 | 1 << 4]);
        assert_eq!(anf("x2*x1^1⊕x3", 3), anf("x1 x2 + x3 + 1", 3));
        assert_eq!(anf("1 + 0 + x1 + x1 + x1x1·x2 + 0*x3", 3).to_string(), "x1 x2 + 1");
        assert_eq!(anf("x10 x2 + x1 x3 + x1x2x3", 10).to_string(), "x1 x2 x3 + x1 x3 + x2 x10");
        assert_eq!(
            (anf("0", 2).to_string(), anf("0", 2).degree(), anf("1", 0).to_string()),
            ("0".into(), 0, "1".into())
        );
        assert_eq!(anf("x1 x7 x8 + x2", None).variables(), 8);
        assert_eq!((anf("x1 x7 x8 + x2", None).degree(), anf("x1 x7 x8 + x2", None).terms()), (3, 2));
    }

    #[test]
    fn packed_coefficients() {
        let of = |words: &[u64], variables| {
            TruthTable::from_words(variables, words.to_vec()).unwrap().anf().coefficients().words().to_vec()
        };
        assert_eq!(of(&[0x1], 6), [u64::MAX]);
        assert_eq!(of(&[1 << 63], 6), [1 << 63]);
        assert_eq!(of(&[u64::MAX], 6), [1]);
        assert_eq!(of(&[0xb9], 3), [0xa7]);
        assert_eq!(
            of(&[0x0ee1_dc3b_8770_ee1d, 0x3b87_70ee_1dc3_b877], 7),
            [0x4449_3cc6_ccdb_454b, 0x4142_f3c1_c3c7_1442]
        );
        // [1,0,0,1,0,1,1,1] has the coefficients [1,1,1,0,1,0,0,1].
        assert_eq!(of(&[0b1110_1001], 3), [0b1001_0111]);
    }

    #[test]
    fn values_and_texts_read_back() {
        for variables in [0, 1, 2, 5, 6, 7, 9] {
            let f = TruthTable::from_fn(variables, |x| (x * x + 3 * x + 5) % 7 < 3).unwrap();
            let anf = f.anf();
            assert_eq!(anf.truth_table(), f);
            assert_eq!(Anf::parse(&anf.to_string(), variables).unwrap(), anf);
            let degree = anf.coefficients().minterms().map(u64::count_ones).max().unwrap_or(0);
            assert_eq!(anf.degree(), degree);
        }
    }

    #[test]
    fn bad_text_is_named() {
        let error = |text: &str| Anf::parse(text, 3).unwrap_err().to_string();
        assert_eq!(error("x1 + x4"), "character 6: x4 is no variable of the function, which has x1 to x3");
        assert_eq!(error("x0"), "character 1: x0 is no variable of the function, which has x1 to x3");
        assert_eq!(error("x1 + "), "character 6, the end: expected a variable such as x1, 0 or 1");
        assert_eq!(error(""), "character 1, the end: expected a variable such as x1, 0 or 1");
        assert_eq!(error("x1 y"), "character 4, \"y\": expected + between terms");
        assert_eq!(error("x1 * + x2"), "character 6, \"+\": expected a variable such as x1, 0 or 1");
        assert_eq!(error("x"), "character 2, the end: expected the number of a variable, such as 1");
        assert!(error("x99999999999").contains("x99999999999 is no variable"));
        assert!(Anf::parse("x35", None).is_err());
    }
}
