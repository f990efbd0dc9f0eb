//! Polynomials as text, `x^3 + 2*x + 1`, as Sage and PARI/GP print and read them.
//!
//! ```text
//!   polynomial = [+-] term { (+|-) term }
//!   term       = number [ * power ] | power
//!   power      = letter [ ^ exponent ]
//!   number     = digits | Mod( digits , modulus )
//! ```
//!
//! The variable is one letter, any but the same in all terms. Terms of one power are added.

use crate::error::FileError;
use crate::fault::LineFault;
use crate::integer::DecimalInteger;
use crate::memory::{push, reserve};
use crate::npy::Number;
use crate::shown::shown as quoted;
use crate::source::Source;

/// Why coefficients were not read from a file.
#[derive(Debug, thiserror::Error)]
pub enum CoefficientError {
    /// The file cannot be read, or holds something else than numbers; it says where.
    #[error(transparent)]
    File(#[from] FileError),
    /// A number of an array of floating-point numbers that is no integer.
    #[error("{file}: number {number} is {value}, which is no integer")]
    NotInteger {
        /// The file.
        file: String,
        /// Which number of the file, from 1.
        number: usize,
        /// The value.
        value: f64,
    },
}

/// Reads the first `count` coefficients of an opened file at most, the constant term first; leading zeros are kept. Integers of any size
/// are taken modulo the modulus, and so are whole numbers with a point or an exponent.
///
/// # Errors
/// [`CoefficientError::NotInteger`] with the first number of an array that is no integer, and [`CoefficientError::File`] for everything
/// else that is wrong in the file.
pub fn coefficients<W: ResidueWords + Sync>(
    words: &W,
    source: Source<'_>,
    count: usize,
) -> Result<Vec<W::Word>, CoefficientError> {
    let modulus = words.modulus();
    let mut residues = Vec::new();
    let residue = |integer: &DecimalInteger| words.word(integer.residue(modulus));
    match source {
        Source::Text(text) if is_polynomial(text.as_str()) => {
            return terms(words, text.as_str(), count).map_err(|fault| {
                let line = text.as_str()[..fault.at].matches('\n').count() + 1;
                let reason = LineFault::Bracket { found: fault.found, expected: fault.expected };
                FileError::Line { file: text.file().to_owned(), line, reason: Box::new(reason) }.into()
            });
        }
        Source::Text(text) => {
            let of_integer = |integer: i128| Some(residue(&DecimalInteger::from(integer)));
            let of_word = |word: &str| DecimalInteger::parse(word).map(|integer| residue(&integer));
            residues = text.values(Some(modulus), of_integer, of_word, "coefficients")?;
        }
        Source::Array(array) => {
            let file = array.file().to_owned();
            array.each(|index, number| {
                let integer = number.decimal().ok_or_else(|| CoefficientError::NotInteger {
                    file: file.clone(),
                    number: index + 1,
                    // Integers are integers.
                    value: if let Number::Real(value) = number { value } else { 0.0 },
                })?;
                Ok::<(), CoefficientError>(
                    push(&mut residues, residue(&integer), || format!("the coefficients of {file}"))
                        .map_err(FileError::from)?,
                )
            })?;
        }
    }
    residues.truncate(count);
    Ok(residues)
}

/// What is wrong with a text, and the byte where.
#[derive(Debug)]
pub struct Fault {
    /// The byte.
    pub at: usize,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: &'static str,
}

/// Words that hold residues below a modulus.
pub trait ResidueWords {
    /// A word.
    type Word: Copy + Send;

    /// The modulus.
    fn modulus(&self) -> u64;

    /// The word of a residue.
    fn word(&self, residue: u64) -> Self::Word;

    /// The residue of a word.
    fn residue(&self, word: Self::Word) -> u64;
}

/// `-a` modulo the modulus.
fn negated(a: u64, modulus: u64) -> u64 {
    if a == 0 { 0 } else { modulus - a }
}

/// `a + b` modulo the modulus, which both are below.
fn added(a: u64, b: u64, modulus: u64) -> u64 {
    if a >= modulus - b { a - (modulus - b) } else { a + b }
}

/// Whether a file's text is a polynomial: one letter that stands alone, and a sign or a product, or nothing else.
pub fn is_polynomial(text: &str) -> bool {
    if has_modulus(text) {
        return true;
    }
    let mut has_letter = false;
    let mut has_sign = false;
    let mut has_more = false;
    for line in text.lines() {
        let line = line.split_once('#').map_or(line, |(values, _)| values);
        let bytes = line.as_bytes();
        let is_word = |i: usize| bytes.get(i).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_'));
        for (i, byte) in bytes.iter().enumerate() {
            let alone = byte.is_ascii_alphabetic() && !is_word(i + 1) && (i == 0 || !is_word(i - 1));
            has_letter |= alone;
            has_sign |= matches!(byte, b'+' | b'-' | b'*' | b'^');
            has_more |= !alone && !byte.is_ascii_whitespace();
        }
    }
    has_letter && (has_sign || !has_more)
}

/// Whether the first word is that of a residue, `Mod(3, 7)`, which vectors have in brackets alone.
fn has_modulus(text: &str) -> bool {
    let lines = text.lines().map(|line| line.split_once('#').map_or(line, |(values, _)| values).trim());
    lines
        .filter(|line| !line.is_empty())
        .map(|line| line.trim_start_matches('-'))
        .next()
        .is_some_and(|line| line.strip_prefix("Mod").is_some_and(|rest| rest.trim_start().starts_with('(')))
}

/// The first `count` coefficients of a polynomial's text at most, the constant term first; trailing zeros may stand.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn terms<W: ResidueWords>(words: &W, text: &str, count: usize) -> Result<Vec<W::Word>, Fault> {
    let mut reader = Reader { text, at: 0, variable: None };
    // All terms before the first coefficient: a text of some characters can have the degree of a long list.
    let (mut terms, mut degree, mut largest) = (Vec::new(), 0, 0);
    let mut negative = reader.take("-");
    if !negative {
        reader.take("+");
    }
    loop {
        reader.next();
        let start = reader.at;
        let (coefficient, exponent) = reader.term(words.modulus())?;
        let term = (if negative { negated(coefficient, words.modulus()) } else { coefficient }, exponent);
        if exponent < count {
            push(&mut terms, term, String::new)
                .map_err(|_| reader.fault("fewer terms: memory has no room for more"))?;
            if exponent > degree {
                (degree, largest) = (exponent, start);
            }
        }
        negative = match reader.next() {
            Some('+') => false,
            Some('-') => true,
            None => break,
            Some(_) => return Err(reader.fault("+, - or the end")),
        };
        reader.at += 1;
    }
    let mut coefficients = Vec::new();
    reserve(&mut coefficients, degree.saturating_add(1), String::new).map_err(|_| {
        reader.at = largest;
        let bytes = (degree as u128 + 1) * size_of::<W::Word>() as u128;
        let Fault { at, found, expected } = reader.fault("an exponent that memory has room for");
        Fault { at, found: format!("{found}, with which the coefficients take {bytes} bytes"), expected }
    })?;
    coefficients.resize(degree + 1, words.word(0));
    for (coefficient, exponent) in terms {
        let sum = added(words.residue(coefficients[exponent]), coefficient, words.modulus());
        coefficients[exponent] = words.word(sum);
    }
    Ok(coefficients)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    variable: Option<u8>,
}

impl<'a> Reader<'a> {
    /// The next character past blanks and comments, where it then stands.
    fn next(&mut self) -> Option<char> {
        loop {
            let rest = &self.text[self.at..];
            let next = rest.chars().next()?;
            if next == '#' {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if next.is_whitespace() {
                self.at += next.len_utf8();
            } else {
                return Some(next);
            }
        }
    }

    fn take(&mut self, word: &str) -> bool {
        self.next();
        let there = self.text[self.at..].starts_with(word);
        self.at += if there { word.len() } else { 0 };
        there
    }

    fn fault(&mut self, expected: &'static str) -> Fault {
        self.next();
        let word = self.text[self.at..].split_whitespace().next();
        let found = word.map_or("the end".to_owned(), |word| format!("`{}`", quoted(word)));
        Fault { at: self.at, found, expected }
    }

    fn expect(&mut self, word: &str, expected: &'static str) -> Result<(), Fault> {
        if self.take(word) { Ok(()) } else { Err(self.fault(expected)) }
    }

    fn digits(&mut self) -> &'a str {
        self.next();
        let rest = &self.text[self.at..];
        let len = rest.bytes().take_while(u8::is_ascii_digit).count();
        self.at += len;
        &rest[..len]
    }

    /// Digits, with a point and an exponent where those follow.
    fn number(&mut self) -> &'a str {
        self.next();
        let (text, from) = (self.text, self.at);
        let digits = |at: usize| at + text[at..].bytes().take_while(u8::is_ascii_digit).count();
        let mut to = digits(from);
        if text[to..].starts_with('.') {
            to = digits(to + 1);
        }
        if text[to..].starts_with(['e', 'E']) {
            let begin = to + 1 + usize::from(text[to + 1..].starts_with(['+', '-']));
            let end = digits(begin);
            to = if end > begin { end } else { to };
        }
        self.at = to;
        &text[from..to]
    }

    fn residue(&mut self, modulus: u64) -> Result<u64, Fault> {
        let sign = self.take("-");
        self.next();
        let start = self.at;
        let number = self.number();
        let Ok(integer) = DecimalInteger::parse(number) else {
            self.at = start;
            return Err(self.fault("an integer"));
        };
        let value = integer.residue(modulus);
        Ok(if sign { negated(value, modulus) } else { value })
    }

    /// A coefficient and the power of the variable.
    fn term(&mut self, modulus: u64) -> Result<(u64, usize), Fault> {
        let coefficient = if self.take("Mod") {
            self.expect("(", "( after Mod")?;
            let value = self.residue(modulus)?;
            self.expect(",", "a comma, and the modulus")?;
            self.next();
            let start = self.at;
            if self.digits().parse() != Ok(modulus) {
                self.at = start;
                return Err(self.fault("the modulus of the ring"));
            }
            self.expect(")", ") after the modulus")?;
            value
        } else {
            match self.next() {
                Some(c) if c.is_ascii_digit() => self.residue(modulus)?,
                Some(c) if c.is_ascii_alphabetic() => return Ok((1 % modulus, self.power()?)),
                _ => return Err(self.fault("a term")),
            }
        };
        let degree = if self.take("*") { self.power()? } else { 0 };
        Ok((coefficient, degree))
    }

    fn power(&mut self) -> Result<usize, Fault> {
        self.next();
        let bytes = &self.text.as_bytes()[self.at..];
        let is_alone = !bytes.get(1).is_some_and(u8::is_ascii_alphanumeric);
        match (bytes.first(), self.variable) {
            (Some(&letter), None) if letter.is_ascii_alphabetic() && is_alone => self.variable = Some(letter),
            (Some(&letter), Some(variable)) if letter == variable && is_alone => {}
            (_, None) => return Err(self.fault("a variable of one letter")),
            _ => return Err(self.fault("the variable of the other terms")),
        }
        self.at += 1;
        if !self.take("^") {
            return Ok(1);
        }
        let start = self.at;
        match self.digits().parse() {
            Ok(exponent) if exponent < usize::MAX => Ok(exponent),
            _ => {
                self.at = start;
                Err(self.fault("an exponent"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart() {
        for text in ["x^3 + 1", "x", "3*t", "# f\nx - 1\n", "Mod(1, 7)*x", "# c\nMod(1, 7)", "-Mod (1, 7)"] {
            assert!(is_polynomial(text), "{text}");
        }
        for text in ["", "1 2 3", "-1 +2", "1e5 -2", "1 x 3", "abc", "1 2 # x + 1", "[1, -2]", "inf", "0x1f"] {
            assert!(!is_polynomial(text), "{text}");
        }
    }

    struct Words(u64);

    impl ResidueWords for Words {
        type Word = u64;

        fn modulus(&self) -> u64 {
            self.0
        }

        fn word(&self, residue: u64) -> u64 {
            residue
        }

        fn residue(&self, word: u64) -> u64 {
            word
        }
    }

    #[test]
    fn sums_are_those_of_residues() {
        let of = |modulus, text: &str| {
            coefficients(&Words(modulus), Source::new("f", text.as_bytes()).unwrap(), 9).map_err(|e| e.to_string())
        };
        assert_eq!(of(101, "x^2 - x + 100*x + 3 + 99"), Ok(vec![1, 99, 1]));
        let largest = u64::MAX - (1 << 32) + 2;
        assert_eq!(of(largest, &format!("{0}*x + {0}*x - x^20", largest - 1)), Ok(vec![0, largest - 2]));
        assert_eq!(of(7, "-1 9 5.0"), Ok(vec![6, 2, 5]));
        assert_eq!(of(7, "1 y"), Err("f:1: `y` is no number".into()));
    }
}
