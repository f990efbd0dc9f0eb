//! Polynomials from text, by recursive descent: `x^2*y - 3*x + 1`, as Sage and PARI/GP print them.
//!
//! ```text
//!   sum     = [+-] product { [+-] product }
//!   product = power { ["*"] power | "/" power }      a divisor is a constant
//!   power   = atom [ ("^" | "**") number ]
//!   atom    = number | x | y | "(" sum ")" | "Mod(" sum "," number ")"
//! ```

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::CharIndices;

use manycore_field::ModularField;
use manycore_field::ResidueWord as _;

use crate::error::{BivariateError, ParseError};
use crate::polynomial::{Bivariate, MOST_DEGREE};

/// Parentheses within each other, at most: each takes memory of the thread.
const MOST_DEPTH: usize = 100;

/// Terms of a product of sums, at most.
const MOST_PRODUCTS: usize = 1 << 24;

/// Coefficients by powers of `y` and `x`; none is zero.
type Terms<F> = BTreeMap<(usize, usize), <F as manycore_field::Semiring>::Element>;

impl<F: ModularField> Bivariate<F> {
    /// The polynomial in `x` and `y` of a text: sums, products, powers by `^` or `**` and parentheses of integers of any size, which
    /// are reduced, and of PARI's `Mod(c, p)`; a constant may be divided by. The sign of a product may be left out, `3x y`.
    ///
    /// # Errors
    /// [`BivariateError::Parse`] with the column; [`BivariateError::Degree`] and [`BivariateError::TooLarge`].
    pub fn parse(field: &F, text: &str) -> Result<Self, BivariateError> {
        Self::parse_in(field, text, ["x", "y"])
    }

    /// The polynomial of a text in variables of these names, the first one becoming `x`.
    ///
    /// # Errors
    /// As [`Bivariate::parse`].
    pub fn parse_in(field: &F, text: &str, variables: [&str; 2]) -> Result<Self, BivariateError> {
        let mut parser = Parser { field, text, variables, at: text.char_indices().peekable(), depth: 0 };
        let terms = parser.sum()?;
        match parser.peek() {
            None => {}
            Some(')') => return Err(parser.error("a parenthesis is closed that was not opened").into()),
            Some(c) => return Err(parser.error(format!("unexpected {c:?}")).into()),
        }
        let terms: Vec<_> = terms.into_iter().map(|((j, i), c)| (c, i, j)).collect();
        Self::from_terms(field, &terms)
    }
}

struct Parser<'a, F> {
    field: &'a F,
    text: &'a str,
    variables: [&'a str; 2],
    at: Peekable<CharIndices<'a>>,
    depth: usize,
}

impl<'a, F: ModularField> Parser<'a, F> {
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

    fn sum(&mut self) -> Result<Terms<F>, ParseError> {
        let mut terms = Terms::<F>::new();
        let mut negative = self.take('-');
        if !negative {
            self.take('+');
        }
        loop {
            for (power, c) in self.product()? {
                let c = if negative { self.field.neg(c) } else { c };
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

    fn product(&mut self) -> Result<Terms<F>, ParseError> {
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
                    let Some(inverse) = constant.and_then(|&c| self.field.inverse(c)) else {
                        let reason =
                            if divisor.is_empty() { "a division by zero" } else { "a division by no constant" };
                        return Err(self.error_at(place, reason));
                    };
                    for c in product.values_mut() {
                        *c = self.field.mul(*c, inverse);
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

    fn power(&mut self) -> Result<Terms<F>, ParseError> {
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
                None if exponent == 0 => self.constant(self.field.one()),
                None => base,
                // Both products are at most 2^20.
                Some(((j, i), c)) => {
                    let power = self.field.power(c, exponent);
                    Terms::<F>::from([((j * exponent as usize, i * exponent as usize), power)])
                }
            });
        }
        let mut result = self.constant(self.field.one());
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            result = self.multiplied(&result, &result, place)?;
            if exponent >> bit & 1 == 1 {
                result = self.multiplied(&result, &base, place)?;
            }
        }
        Ok(result)
    }

    fn atom(&mut self) -> Result<Terms<F>, ParseError> {
        let place = self.place();
        match self.peek() {
            None => Err(self.error("the text ends where a term should begin")),
            Some('(') => {
                self.at.next();
                self.enclosed(place, ')')
            }
            Some(c) if c.is_ascii_digit() => {
                let digits = self.digits();
                Ok(self.constant(self.residue(digits)))
            }
            Some(c) if c.is_alphabetic() || c == '_' => self.name(place),
            Some(c) => Err(self.error(format!("unexpected {c:?} where a term should begin"))),
        }
    }

    /// A sum up to a closing character.
    fn enclosed(&mut self, place: usize, end: char) -> Result<Terms<F>, ParseError> {
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
    fn name(&mut self, place: usize) -> Result<Terms<F>, ParseError> {
        let rest = &self.text[place..];
        let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..len];
        if let Some(at) = self.variables.iter().position(|&variable| variable == name) {
            self.skip_to(place + len);
            return Ok(Terms::<F>::from([(if at == 0 { (0, 1) } else { (1, 0) }, self.field.one())]));
        }
        if name == "Mod" && rest[len..].trim_start().starts_with('(') {
            self.skip_to(place + len);
            self.take('(');
            let terms = self.enclosed(place, ',')?;
            let place = self.place();
            let modulus = self.digits();
            if modulus.parse() != Ok(self.field.order()) {
                let reason = format!("a residue mod {modulus:?}, where the modulus is {}", self.field.order());
                return Err(self.error_at(place, reason));
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

    /// Decimal digits mod `p`.
    fn residue(&self, digits: &str) -> F::Element {
        let p = u128::from(self.field.order());
        let value = digits.bytes().fold(0, |value, digit| (value * 10 + u128::from(digit - b'0')) % p);
        F::Element::from_u64(value as u64)
    }

    fn constant(&self, c: F::Element) -> Terms<F> {
        let mut terms = Terms::<F>::new();
        accumulate(self.field, &mut terms, (0, 0), c);
        terms
    }

    fn multiplied(&self, a: &Terms<F>, b: &Terms<F>, place: usize) -> Result<Terms<F>, ParseError> {
        if a.len().saturating_mul(b.len()) > MOST_PRODUCTS {
            return Err(self.error_at(place, format!("a product of {} by {} terms", a.len(), b.len())));
        }
        let mut product = Terms::<F>::new();
        for (&(j, i), &c) in a {
            for (&(k, l), &d) in b {
                if (i + l).max(j + k) > MOST_DEGREE {
                    return Err(self.error_at(place, format!("a power of a variable above {MOST_DEGREE}")));
                }
                accumulate(self.field, &mut product, (j + k, i + l), self.field.mul(c, d));
            }
        }
        Ok(product)
    }
}

fn accumulate<F: ModularField>(field: &F, terms: &mut Terms<F>, power: (usize, usize), c: F::Element) {
    let sum = terms.get(&power).map_or(c, |&before| field.add(before, c));
    if sum == field.zero() {
        terms.remove(&power);
    } else {
        terms.insert(power, sum);
    }
}
