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

use manycore_device::zeroed_words;
use manycore_field::{ModularField, ResidueWord as _};
use manycore_files::memory::push;
use manycore_files::{AlgebraText, DecimalInteger, shown as quoted};

use crate::error::PolyError;
use crate::factor::Factorization;
use crate::poly::Poly;
use crate::ring::{PolyField, PolyRing};

/// What is wrong with a text, and the byte where.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) found: String,
    pub(crate) expected: &'static str,
}

/// Whether a file's text is a polynomial: one letter that stands alone, and a sign or a product, or nothing else.
pub(crate) fn is_polynomial(text: &str) -> bool {
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
pub(crate) fn terms<F: ModularField>(field: &F, text: &str, count: usize) -> Result<Vec<F::Element>, Fault> {
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
        let (coefficient, exponent) = reader.term(field)?;
        let term = (if negative { field.neg(coefficient) } else { coefficient }, exponent);
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
    let mut coefficients = zeroed_words::<F::Element>(degree + 1).map_err(|_| {
        reader.at = largest;
        let bytes = (degree as u128 + 1) * size_of::<F::Element>() as u128;
        let Fault { at, found, expected } = reader.fault("an exponent that memory has room for");
        Fault { at, found: format!("{found}, with which the coefficients take {bytes} bytes"), expected }
    })?;
    for (coefficient, exponent) in terms {
        coefficients[exponent] = field.add(coefficients[exponent], coefficient);
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

    fn residue<F: ModularField>(&mut self, field: &F) -> Result<F::Element, Fault> {
        let sign = self.take("-");
        self.next();
        let start = self.at;
        let number = self.number();
        let Ok(integer) = DecimalInteger::parse(number) else {
            self.at = start;
            return Err(self.fault("an integer"));
        };
        let value = F::Element::from_u64(integer.residue(field.order()));
        Ok(if sign { field.neg(value) } else { value })
    }

    /// A coefficient and the power of the variable.
    fn term<F: ModularField>(&mut self, field: &F) -> Result<(F::Element, usize), Fault> {
        let coefficient = if self.take("Mod") {
            self.expect("(", "( after Mod")?;
            let value = self.residue(field)?;
            self.expect(",", "a comma, and the modulus")?;
            self.next();
            let start = self.at;
            if self.digits().parse() != Ok(field.order()) {
                self.at = start;
                return Err(self.fault("the modulus of the ring"));
            }
            self.expect(")", ") after the modulus")?;
            value
        } else {
            match self.next() {
                Some(c) if c.is_ascii_digit() => self.residue(field)?,
                Some(c) if c.is_ascii_alphabetic() => return Ok((field.one(), self.power()?)),
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

impl<F: PolyField> PolyRing<F> {
    /// The polynomial of a text such as `x^3 - 2*x + Mod(1, 7)`, as Sage and PARI/GP print it; integers of any size are taken modulo the
    /// prime.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let f = ring.parse("x^3 - 2*x + 8")?;
    /// assert_eq!(ring.coefficients(&f)?, [1, 5, 0, 1]);
    /// assert_eq!(ring.display(&f)?, "x^3 + 5*x + 1");
    /// assert_eq!(ring.display(&ring.parse("2.0*x + 1.5e1")?)?, "2*x + 1");
    /// assert_eq!(ring.parse("x^3 + y").unwrap_err().to_string(), "character 7, `y`: expected the variable of the other terms");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::Text`] with the place of what is wrong, and for an exponent that memory has no room for; [`PolyError::Device`].
    #[inline(never)]
    pub fn parse(&self, text: &str) -> Result<Poly<F>, PolyError> {
        let coefficients = terms(self.field(), text, usize::MAX).map_err(|Fault { at, found, expected }| {
            PolyError::Text { position: text[..at].chars().count() + 1, found, expected }
        })?;
        self.poly(&coefficients)
    }

    /// The text of a polynomial in `x`, by falling degree, with residues from 0: Sage and PARI/GP read it, and so does
    /// [`PolyRing::parse`]. Its coefficients are downloaded.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] for a polynomial of another ring; [`PolyError::Device`].
    #[inline(never)]
    pub fn display(&self, f: &Poly<F>) -> Result<String, PolyError> {
        self.display_as(f, AlgebraText::Sage)
    }

    /// The text of a polynomial in the language of a computer algebra system: `3*x^2 + 1` in Sage,
    /// `Mod(3, 7)*x^2 + Mod(1, 7)` in PARI/GP, both of which [`PolyRing::parse`] reads.
    ///
    /// # Errors
    /// As [`PolyRing::display`].
    #[inline(never)]
    pub fn display_as(&self, f: &Poly<F>, form: AlgebraText) -> Result<String, PolyError> {
        let words: Vec<u64> = self.coefficients(f)?.iter().map(|c| c.as_u64()).collect();
        Ok(form.polynomial(Some(self.field().order()), &words))
    }

    /// The text of a factorization, `3 * x^2 * (x^2 + 1)`, as Sage prints it.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let factors = ring.factor(&ring.parse("3*x^4 + 3*x^2")?)?;
    /// assert_eq!(ring.display_factors(&factors)?, "3 * x^2 * (x^2 + 1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::display`].
    #[inline(never)]
    pub fn display_factors(&self, factors: &Factorization<F>) -> Result<String, PolyError> {
        self.display_factors_as(factors, AlgebraText::Sage)
    }

    /// The text of a factorization in the language of a computer algebra system: as [`PolyRing::display_factors`] in Sage; in PARI/GP
    /// the matrix of factors and exponents, a leading coefficient other than 1 being the first.
    ///
    /// # Errors
    /// As [`PolyRing::display`].
    #[inline(never)]
    pub fn display_factors_as(&self, factors: &Factorization<F>, form: AlgebraText) -> Result<String, PolyError> {
        let words = |f: &Poly<F>| -> Result<Vec<u64>, PolyError> {
            Ok(self.coefficients(f)?.iter().map(|c| c.as_u64()).collect())
        };
        let parts = factors.factors.iter().map(|(factor, exponent)| Ok((words(factor)?, *exponent)));
        let parts = parts.collect::<Result<Vec<(Vec<u64>, usize)>, PolyError>>()?;
        let parts: Vec<(&[u64], usize)> = parts.iter().map(|(words, exponent)| (&words[..], *exponent)).collect();
        Ok(form.factorization(Some(self.field().order()), factors.leading.as_u64(), &parts))
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;
    use proptest::prelude::*;

    use super::*;

    fn ring() -> PolyRing<PrimeField<u32>> {
        PolyRing::new(&Device::host(), PrimeField::new(101).unwrap()).unwrap()
    }

    fn coefficients(text: &str) -> Result<Vec<u32>, String> {
        let ring = ring();
        let f = ring.parse(text).map_err(|error| error.to_string())?;
        Ok(ring.coefficients(&f).unwrap())
    }

    #[test]
    fn texts_of_sage_and_pari() {
        assert_eq!(coefficients("x^3 + 2*x + 1"), Ok(vec![1, 2, 0, 1]));
        assert_eq!(coefficients("Mod(1, 101)*t^2 + Mod(100, 101)"), Ok(vec![100, 0, 1]));
        assert_eq!(coefficients(" - x # minus\n+ 100000000000000000000000000000"), Ok(vec![10, 100]));
        assert_eq!(coefficients("x - x"), Ok(vec![]));
        assert_eq!(coefficients("0"), Ok(vec![]));
        assert_eq!(coefficients("x*1"), Err("character 2, `*1`: expected +, - or the end".into()));
        assert_eq!(coefficients(""), Err("character 1, the end: expected a term".into()));
        assert_eq!(coefficients("x +"), Err("character 4, the end: expected a term".into()));
        assert_eq!(coefficients("2 x"), Err("character 3, `x`: expected +, - or the end".into()));
        assert_eq!(coefficients("x^-1"), Err("character 3, `-1`: expected an exponent".into()));
        assert_eq!(coefficients("3*"), Err("character 3, the end: expected a variable of one letter".into()));
        assert_eq!(coefficients("Mod(1, 7)*x"), Err("character 8, `7)*x`: expected the modulus of the ring".into()));
        assert!(coefficients("x^99999999999999999999999999").unwrap_err().contains("expected an exponent"));
        assert!(coefficients("x^18446744073709551614").is_err());
        // Nothing is taken for the coefficients before the text is read to its end.
        let error = coefficients("x^4000000000000000000 + 1").unwrap_err();
        assert!(error.starts_with(
            "character 1, `x^4000000000000000000`, with which the coefficients take 16000000000000000004 bytes: "
        ));
        let error = coefficients("1 + x^4000000000000000000 )").unwrap_err();
        assert_eq!(error, "character 27, `)`: expected +, - or the end");
    }

    #[test]
    fn files_are_told_apart() {
        for text in ["x^3 + 1", "x", "3*t", "# f\nx - 1\n", "Mod(1, 7)*x", "# c\nMod(1, 7)", "-Mod (1, 7)"] {
            assert!(is_polynomial(text), "{text}");
        }
        for text in ["", "1 2 3", "-1 +2", "1e5 -2", "1 x 3", "abc", "1 2 # x + 1", "[1, -2]", "inf", "0x1f"] {
            assert!(!is_polynomial(text), "{text}");
        }
    }

    #[test]
    fn factorizations_have_signs_and_powers() {
        let ring = ring();
        let text = |f: &str| ring.display_factors(&ring.factor(&ring.parse(f).unwrap()).unwrap()).unwrap();
        assert_eq!(text("5"), "5");
        assert_eq!(text("x^2 + 2*x + 1"), "(x + 1)^2");
        assert_eq!(text("2*x"), "2 * x");
        let factors = ring.factor(&ring.parse("2*x^3").unwrap()).unwrap();
        let text = ring.display_factors_as(&factors, AlgebraText::Pari).unwrap();
        assert_eq!(text, "[Mod(2, 101), 1; Mod(1, 101)*x, 3]");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(coefficients in prop::collection::vec(0u32..101, 0..20)) {
            let ring = ring();
            let f = ring.poly(&coefficients).unwrap();
            for form in [AlgebraText::Sage, AlgebraText::Pari] {
                let text = ring.display_as(&f, form).unwrap();
                prop_assert!(ring.equal(&f, &ring.parse(&text).unwrap()).unwrap(), "{}", text);
                // As a file, too.
                let read = ring.read_from(manycore_files::Source::new("f", text.as_bytes()).unwrap()).unwrap();
                prop_assert!(ring.equal(&f, &read).unwrap(), "{}", text);
            }
        }
    }
}
