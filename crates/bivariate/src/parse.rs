//! Polynomials from text, by recursive descent: `x^2*y - 3*x + 1`, as Sage and PARI/GP print them.
//!
//! ```text
//!   text    = sum [ ("=" | "==") sum ]             an equation is its left side less its right one
//!   sum     = [+-] product { [+-] product }
//!   product = power { ["*"] power | "/" power }      a divisor is a constant
//!   power   = atom [ ("^" | "**") number ]
//!   atom    = number | decimal | x | y | "(" sum ")" | "Mod(" sum "," number ")"
//! ```

use std::iter::Peekable;
use std::str::CharIndices;

use manycore_field::{ModularField, ResidueWord as _};
use manycore_files::{DecimalInteger, LineFault};

use crate::error::{BivariateError, ParseError};
use crate::polynomial::{Bivariate, MOST_DEGREE};
use crate::terms::{Coefficients, Terms, accumulate, product};

/// Parentheses within each other, at most: each takes memory of the thread.
const MOST_DEPTH: usize = 100;

/// Terms of a product of sums, at most.
const MOST_PRODUCTS: usize = 1 << 24;

/// Products of words of the coefficients of a product of sums, at most.
const MOST_WORD_PRODUCTS: usize = 1 << 28;

/// Residues of a prime as words: texts are read once for all fields.
struct Residues(u64);

impl Coefficients for Residues {
    type Element = u64;

    fn decimal(&self, digits: &str) -> u64 {
        let p = u128::from(self.0);
        digits.bytes().fold(0, |value, digit| (value * 10 + u128::from(digit - b'0')) % p) as u64
    }

    fn number(&self, word: &str) -> Result<u64, LineFault> {
        Ok(DecimalInteger::parse(word)?.residue(self.0))
    }

    fn is_zero(&self, &c: &u64) -> bool {
        c == 0
    }

    fn sum(&self, &a: &u64, &b: &u64) -> u64 {
        let (sum, is_past) = a.overflowing_add(b);
        if is_past || sum >= self.0 { sum.wrapping_sub(self.0) } else { sum }
    }

    fn negative(&self, &c: &u64) -> u64 {
        if c == 0 { 0 } else { self.0 - c }
    }

    fn product(&self, &a: &u64, &b: &u64) -> u64 {
        match a.checked_mul(b) {
            Some(product) => product % self.0,
            None => (u128::from(a) * u128::from(b) % u128::from(self.0)) as u64,
        }
    }

    fn inverse(&self, c: &u64) -> Option<u64> {
        // Fermat.
        self.power(c, self.0 - 2).filter(|_| *c != 0)
    }

    fn power(&self, &c: &u64, exponent: u64) -> Option<u64> {
        let bits = (0..u64::BITS - exponent.leading_zeros()).rev();
        Some(bits.fold(1 % self.0, |power, bit| {
            let square = self.product(&power, &power);
            if exponent >> bit & 1 == 1 { self.product(&square, &c) } else { square }
        }))
    }

    fn words(&self, _: &u64) -> usize {
        1
    }

    fn modulus(&self) -> Option<u64> {
        Some(self.0)
    }
}

/// The terms of a text in variables of these names.
pub(crate) fn terms<C: Coefficients>(
    coefficients: &C,
    text: &str,
    variables: [&str; 2],
) -> Result<Terms<C>, ParseError> {
    let mut parser = Parser { field: coefficients, text, variables, at: text.char_indices().peekable(), depth: 0 };
    let mut terms = parser.sum()?;
    if parser.take('=') {
        parser.take('=');
        for (power, c) in parser.sum()? {
            accumulate(coefficients, &mut terms, power, coefficients.negative(&c));
        }
    }
    match parser.peek() {
        None => Ok(terms),
        Some(')') => Err(parser.error("a parenthesis is closed that was not opened")),
        Some(c) => Err(parser.error(format!("unexpected {c:?}"))),
    }
}

impl<F: ModularField> Bivariate<F> {
    /// The polynomial in `x` and `y` of a text: sums, products, powers by `^` or `**` and parentheses of integers of any size, which
    /// are reduced, which may have a point or an exponent where they are whole, and of PARI's `Mod(c, p)`; a constant may be divided by. The sign of a product may be left out, `3x y`. An
    /// equation, `x y = 2`, is its left side less its right one.
    ///
    /// # Errors
    /// [`BivariateError::Parse`] with the column; [`BivariateError::Degree`] and [`BivariateError::TooLarge`].
    #[inline(never)]
    pub fn parse(field: &F, text: &str) -> Result<Self, BivariateError> {
        Self::parse_in(field, text, ["x", "y"])
    }

    /// The polynomial of a text in variables of these names, the first one becoming `x`.
    ///
    /// # Errors
    /// As [`Bivariate::parse`].
    #[inline(never)]
    pub fn parse_in(field: &F, text: &str, variables: [&str; 2]) -> Result<Self, BivariateError> {
        let terms = terms(&Residues(field.order()), text, variables)?;
        let terms: Vec<_> = terms.into_iter().map(|((j, i), c)| (F::Element::from_u64(c), i, j)).collect();
        Self::from_terms(field, &terms)
    }
}

struct Parser<'a, C> {
    field: &'a C,
    text: &'a str,
    variables: [&'a str; 2],
    at: Peekable<CharIndices<'a>>,
    depth: usize,
}

impl<'a, C: Coefficients> Parser<'a, C> {
    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        while self.at.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        self.at.peek().map(|&(_, c)| c)
    }

    fn take(&mut self, expected: char) -> bool {
        let there = self.peek() == Some(expected);
        if there {
            self.at.next();
        }
        there
    }

    /// The byte where the next character begins.
    fn place(&mut self) -> usize {
        self.peek();
        self.at.peek().map_or(self.text.len(), |&(at, _)| at)
    }

    fn error(&mut self, reason: impl Into<String>) -> ParseError {
        let place = self.place();
        self.error_at(place, reason)
    }

    fn error_at(&self, place: usize, reason: impl Into<String>) -> ParseError {
        ParseError { column: self.text[..place].chars().count() + 1, reason: reason.into() }
    }

    fn sum(&mut self) -> Result<Terms<C>, ParseError> {
        let mut terms = Terms::<C>::new();
        let mut negative = self.take('-');
        if !negative {
            self.take('+');
        }
        loop {
            for (power, c) in self.product()? {
                let c = if negative { self.field.negative(&c) } else { c };
                accumulate(self.field, &mut terms, power, c);
            }
            match self.peek() {
                Some('+') => negative = false,
                Some('-') => negative = true,
                _ => return Ok(terms),
            }
            self.at.next();
        }
    }

    fn product(&mut self) -> Result<Terms<C>, ParseError> {
        let mut product = self.power()?;
        loop {
            let place = self.place();
            match self.peek() {
                Some('*') => {
                    self.at.next();
                    let factor = self.power()?;
                    product = self.multiplied(&product, &factor, place)?;
                }
                Some('/') => {
                    self.at.next();
                    let place = self.place();
                    let divisor = self.power()?;
                    let constant = if divisor.len() <= 1 { divisor.get(&(0, 0)) } else { None };
                    let Some(inverse) = constant.and_then(|c| self.field.inverse(c)) else {
                        let reason =
                            if divisor.is_empty() { "a division by zero" } else { "a division by no constant" };
                        return Err(self.error_at(place, reason));
                    };
                    for c in product.values_mut() {
                        *c = self.field.product(c, &inverse);
                    }
                }
                Some(c) if c == '(' || c.is_alphabetic() || c == '_' => {
                    let factor = self.power()?;
                    product = self.multiplied(&product, &factor, place)?;
                }
                _ => return Ok(product),
            }
        }
    }

    fn power(&mut self) -> Result<Terms<C>, ParseError> {
        let mut base = self.atom()?;
        let place = self.place();
        let mut raised = self.take('^');
        if !raised && self.text[place..].starts_with("**") {
            self.at.next();
            self.at.next();
            raised = true;
        }
        if !raised {
            return Ok(base);
        }
        let place = self.place();
        let digits = self.digits();
        if digits.is_empty() {
            return Err(self.error_at(place, "an exponent is a non-negative integer"));
        }
        let exponent: u64 = digits.parse().unwrap_or(u64::MAX);
        let highest = base.keys().map(|&(j, i)| i.max(j)).max().unwrap_or(0) as u64;
        if highest.saturating_mul(exponent) > MOST_DEGREE as u64 {
            let reason = format!("a power of a variable above {MOST_DEGREE}");
            return Err(self.error_at(place, reason));
        }
        if base.len() <= 1 && (exponent > 0 || base.is_empty()) {
            // 0^0 is 1, as everywhere.
            return Ok(match base.pop_first() {
                None if exponent == 0 => self.constant(self.field.decimal("1")),
                None => base,
                // Both products are at most 2^20.
                Some(((j, i), c)) => {
                    let power = self.field.power(&c, exponent);
                    let power = power.ok_or_else(|| self.error_at(place, "a power of a number that is too long"))?;
                    Terms::<C>::from([((j * exponent as usize, i * exponent as usize), power)])
                }
            });
        }
        // A power of two terms or more has a root as often as the exponent tells on an edge of its polygon, and so many terms and one more
        // (Hajós) where the characteristic is past its degree. The last square is that of half the power.
        let least = exponent / 2 + 1;
        let is_free = self.field.modulus().is_none_or(|p| p > highest.max(1).saturating_mul(exponent));
        if is_free && least.saturating_mul(least) > MOST_PRODUCTS as u64 {
            let reason =
                format!("a power of {} terms takes a product of at least {least} by {least} terms", base.len());
            return Err(self.error_at(place, reason));
        }
        let mut result = self.constant(self.field.decimal("1"));
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            result = self.multiplied(&result, &result, place)?;
            if exponent >> bit & 1 == 1 {
                result = self.multiplied(&result, &base, place)?;
            }
        }
        Ok(result)
    }

    fn atom(&mut self) -> Result<Terms<C>, ParseError> {
        let place = self.place();
        match self.peek() {
            None => Err(self.error("the text ends where a term should begin")),
            Some('(') => {
                self.at.next();
                self.enclosed(place, ')')
            }
            Some(c) if c.is_ascii_digit() || c == '.' => {
                let c = match self.number() {
                    word if word.bytes().all(|byte| byte.is_ascii_digit()) => self.field.decimal(word),
                    word => self.field.number(word).map_err(|fault| self.error_at(place, fault.to_string()))?,
                };
                Ok(self.constant(c))
            }
            Some(c) if c.is_alphabetic() || c == '_' => self.name(place),
            Some(c) => Err(self.error(format!("unexpected {c:?} where a term should begin"))),
        }
    }

    /// A sum up to a closing character.
    fn enclosed(&mut self, place: usize, end: char) -> Result<Terms<C>, ParseError> {
        if self.depth == MOST_DEPTH {
            return Err(self.error_at(place, format!("more than {MOST_DEPTH} parentheses within each other")));
        }
        self.depth += 1;
        let terms = self.sum()?;
        self.depth -= 1;
        if !self.take(end) {
            let opened = self.error_at(place, "").column;
            return Err(self.error(format!("{end:?} is missing for what opens at column {opened}")));
        }
        Ok(terms)
    }

    /// A variable, several of one letter beside each other, or `Mod(c, p)`.
    fn name(&mut self, place: usize) -> Result<Terms<C>, ParseError> {
        let rest = &self.text[place..];
        let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..len];
        if let Some(at) = self.variables.iter().position(|&variable| variable == name) {
            self.skip_to(place + len);
            return Ok(Terms::<C>::from([(if at == 0 { (0, 1) } else { (1, 0) }, self.field.decimal("1"))]));
        }
        if name == "Mod" && rest[len..].trim_start().starts_with('(') {
            self.skip_to(place + len);
            self.take('(');
            let terms = self.enclosed(place, ',')?;
            let place = self.place();
            let modulus = self.digits();
            let own = self.field.modulus();
            if own.is_none() || modulus.parse().ok() != own {
                let own = own.map_or("coefficients are fractions".to_owned(), |p| format!("the modulus is {p}"));
                return Err(self.error_at(place, format!("a residue mod {modulus:?}, where {own}")));
            }
            return if self.take(')') { Ok(terms) } else { Err(self.error("')' is missing after a modulus")) };
        }
        let [x, y] = self.variables;
        Err(self.error_at(place, format!("{name:?} is neither of the two variables {x} and {y}")))
    }

    fn skip_to(&mut self, place: usize) {
        while self.at.next_if(|&(at, _)| at < place).is_some() {}
    }

    fn digits(&mut self) -> &'a str {
        let (text, from) = (self.text, self.place());
        let mut to = from;
        while let Some((at, c)) = self.at.next_if(|(_, c)| c.is_ascii_digit()) {
            to = at + c.len_utf8();
        }
        &text[from..to]
    }

    /// Digits with a point and an exponent, unless a variable begins as one.
    fn number(&mut self) -> &'a str {
        let (text, from) = (self.text, self.place());
        let digits = |at: usize| at + text[at..].bytes().take_while(u8::is_ascii_digit).count();
        let mut to = digits(from);
        if text[to..].starts_with('.') {
            to = digits(to + 1);
        }
        let is_variable = self.variables.iter().any(|name| name.starts_with(['e', 'E']));
        if text[to..].starts_with(['e', 'E']) && !is_variable {
            let begin = to + 1 + usize::from(text[to + 1..].starts_with(['+', '-']));
            let end = digits(begin);
            to = if end > begin { end } else { to };
        }
        self.skip_to(to);
        &text[from..to]
    }

    fn constant(&self, c: C::Element) -> Terms<C> {
        let mut terms = Terms::<C>::new();
        accumulate(self.field, &mut terms, (0, 0), c);
        terms
    }

    fn multiplied(&self, a: &Terms<C>, b: &Terms<C>, place: usize) -> Result<Terms<C>, ParseError> {
        let words = |f: &Terms<C>| f.values().map(|c| self.field.words(c)).max().unwrap_or(0);
        let products = a.len().saturating_mul(b.len());
        let of_words = products.saturating_mul(words(a)).saturating_mul(words(b));
        if products > MOST_PRODUCTS || of_words > MOST_WORD_PRODUCTS {
            return Err(self.error_at(place, format!("a product of {} by {} terms", a.len(), b.len())));
        }
        let most = |f: &Terms<C>| f.keys().fold((0, 0), |(y, x), &(j, i)| (j.max(y), i.max(x)));
        let ((j, i), (k, l)) = (most(a), most(b));
        if (i + l).max(j + k) > MOST_DEGREE {
            return Err(self.error_at(place, format!("a power of a variable above {MOST_DEGREE}")));
        }
        Ok(product(self.field, a, b, j + k + 1))
    }
}
