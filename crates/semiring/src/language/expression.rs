//! Functions of entries as text: a parser by precedence (Pratt, "Top down operator precedence", 1973), and evaluation with any
//! arithmetic.

use std::fmt;

use manycore_expressions::{Number, Value};
use manycore_operation::files::shown;

/// A function of the entries `a` and `b`, of the column `x` and the row `y`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expression {
    Number(String),
    Variable(char),
    Negative(Box<Self>),
    Binary(char, Box<Self>, Box<Self>),
    Call(Function, Vec<Self>),
    /// Where the comparison holds the first, else the second.
    If(Comparison, Box<[Self; 4]>),
}

/// A function with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Min,
    Max,
    Abs,
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    Different,
}

impl Comparison {
    /// Whether two values compare so.
    pub(crate) fn holds<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Self::Less => a < b,
            Self::LessOrEqual => a <= b,
            Self::Equal => a == b,
            Self::Different => a != b,
        }
    }

    /// Whether two values of a function that is being written do.
    pub(crate) fn of_values<T: Number>(self, a: Value<T>, b: Value<T>) -> Value<bool> {
        match self {
            Self::Less => a.lt(b),
            Self::LessOrEqual => a.le(b),
            Self::Equal => a.equals(b),
            Self::Different => a.differs(b),
        }
    }
}

/// What is wrong with a text, and the column from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) column: usize,
    pub(crate) what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.column, self.what)
    }
}

/// Numbers in which expressions are evaluated: those themselves, or functions that are being written.
pub(crate) trait Arithmetic {
    /// A value.
    type Value: Copy;

    /// A number; `None` where it is none of the type.
    fn number(&self, text: &str) -> Option<Self::Value>;
    /// `a`, `b`, `x` or `y`.
    fn variable(&self, name: char) -> Self::Value;
    /// `-a`.
    fn negative(&self, a: Self::Value) -> Self::Value;
    /// `a + b`, `a - b`, `a * b` or `a / b`.
    fn binary(&self, operator: char, a: Self::Value, b: Self::Value) -> Self::Value;
    /// The least, the greatest or the size.
    fn call(&self, function: Function, a: Self::Value, b: Self::Value) -> Self::Value;
    /// The third where the first two compare so, else the fourth.
    fn select(&self, comparison: Comparison, of: [Self::Value; 4]) -> Self::Value;
}

impl Expression {
    /// The function that a text says, of the variables that there are.
    pub(crate) fn parse(text: &str, variables: &str) -> Result<Self, Wrong> {
        let mut parser = Parser { text, at: 0, variables, depth: 0, values: 0 };
        let expression = parser.sum(0)?;
        match parser.peek() {
            None => Ok(expression),
            Some(found) => Err(parser.wrong(format!("{found:?} where the function should end"))),
        }
    }

    /// The first number that is none of the type, if there is one.
    pub(crate) fn foreign<A: Arithmetic>(&self, arithmetic: &A) -> Option<&str> {
        match self {
            Self::Number(text) => arithmetic.number(text).is_none().then_some(text),
            Self::Variable(_) => None,
            Self::Negative(a) => a.foreign(arithmetic),
            Self::Binary(_, a, b) => a.foreign(arithmetic).or_else(|| b.foreign(arithmetic)),
            Self::Call(_, all) => all.iter().find_map(|a| a.foreign(arithmetic)),
            Self::If(_, all) => all.iter().find_map(|a| a.foreign(arithmetic)),
        }
    }

    /// Whether it has an infinity.
    pub(crate) fn has_infinity(&self) -> bool {
        self.any(&|part| matches!(part, Self::Number(text) if text == "inf"))
    }

    /// Whether it divides.
    pub(crate) fn divides(&self) -> bool {
        self.any(&|part| matches!(part, Self::Binary('/', ..)))
    }

    /// Whether a part of it is such.
    fn any(&self, is: &dyn Fn(&Self) -> bool) -> bool {
        is(self)
            || match self {
                Self::Number(_) | Self::Variable(_) => false,
                Self::Negative(a) => a.any(is),
                Self::Binary(_, a, b) => a.any(is) || b.any(is),
                Self::Call(_, all) => all.iter().any(|a| a.any(is)),
                Self::If(_, all) => all.iter().any(|a| a.any(is)),
            }
    }

    /// Its value; numbers that are none of the type were refused.
    pub(crate) fn value<A: Arithmetic>(&self, with: &A) -> A::Value {
        match self {
            Self::Number(text) => with.number(text).unwrap_or_else(|| with.variable('x')),
            Self::Variable(name) => with.variable(*name),
            Self::Negative(a) => with.negative(a.value(with)),
            Self::Binary(operator, a, b) => with.binary(*operator, a.value(with), b.value(with)),
            Self::Call(function, all) => {
                let values: Vec<A::Value> = all.iter().map(|a| a.value(with)).collect();
                // One of a size, two or more of the others.
                let mut values = values.into_iter();
                let first = values.next().unwrap_or_else(|| with.variable('x'));
                match function {
                    Function::Abs => with.call(*function, first, first),
                    _ => values.fold(first, |a, b| with.call(*function, a, b)),
                }
            }
            Self::If(comparison, all) => {
                let [a, b, yes, no] = &**all;
                with.select(*comparison, [a.value(with), b.value(with), yes.value(with), no.value(with)])
            }
        }
    }
}

/// Values and operators of a function, at most, and parentheses and signs within each other: a function is a recursive structure, and
/// each of a device's items computes all of it.
const MOST_VALUES: usize = 1000;
const MOST_DEPTH: usize = 100;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    variables: &'a str,
    /// Terms that are open.
    depth: usize,
    /// Terms that were begun.
    values: usize,
}

impl<'a> Parser<'a> {
    fn wrong(&self, what: impl Into<String>) -> Wrong {
        Wrong { column: self.text[..self.at].chars().count() + 1, what: what.into() }
    }

    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn takes(&mut self, expected: char) -> bool {
        let is_next = self.peek() == Some(expected);
        if is_next {
            self.at += expected.len_utf8();
        }
        is_next
    }

    fn take(&mut self, expected: char) -> Result<(), Wrong> {
        if self.takes(expected) {
            return Ok(());
        }
        let found = self.peek().map_or_else(|| "the end".to_owned(), |found| format!("{found:?}"));
        Err(self.wrong(format!("{found} where {expected:?} is expected")))
    }

    /// What follows while it is of these characters.
    fn word(&mut self, is_of: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let len = rest.find(|c: char| !is_of(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// Terms and operators that bind at least so strongly.
    fn sum(&mut self, least: u8) -> Result<Expression, Wrong> {
        let mut left = self.term()?;
        while let Some(operator @ ('+' | '-' | '*' | '/')) = self.peek() {
            let strength = if matches!(operator, '+' | '-') { 1 } else { 2 };
            if strength < least {
                break;
            }
            self.at += 1;
            let right = self.sum(strength + 1)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// A value, a sign or parentheses with what they hold, or a call.
    fn term(&mut self) -> Result<Expression, Wrong> {
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err(self.wrong(format!(
                "a function of more than {MOST_VALUES} values: make a part of it a statement of its own"
            )));
        }
        if self.depth == MOST_DEPTH {
            return Err(self.wrong(format!(
                "more than {MOST_DEPTH} parentheses, signs and calls within each other: make a part of them a statement of its own"
            )));
        }
        self.depth += 1;
        let term = self.open_term();
        self.depth -= 1;
        term
    }

    fn open_term(&mut self) -> Result<Expression, Wrong> {
        let Some(next) = self.peek() else { return Err(self.wrong("the end where a value is expected")) };
        if self.takes('-') {
            return Ok(Expression::Negative(Box::new(self.sum(2)?)));
        }
        if self.takes('(') {
            let inner = self.sum(0)?;
            self.take(')')?;
            return Ok(inner);
        }
        if next.is_ascii_digit() || next == '.' {
            let start = self.at;
            self.word(|c| c.is_ascii_digit() || c == '.');
            if self.text[self.at..].starts_with(['e', 'E']) {
                self.at += 1;
                if self.text[self.at..].starts_with(['+', '-']) {
                    self.at += 1;
                }
                self.word(|c| c.is_ascii_digit());
            }
            return Ok(Expression::Number(self.text[start..self.at].to_owned()));
        }
        let start = self.at;
        let word = self.word(|c| c.is_alphanumeric() || c == '_');
        let function = match word {
            "inf" => return Ok(Expression::Number(word.to_owned())),
            "if" => return self.choice(),
            "min" => Function::Min,
            "max" => Function::Max,
            "abs" => Function::Abs,
            _ => {
                let mut letters = word.chars();
                return match (letters.next(), letters.next()) {
                    (Some(name), None) if self.variables.contains(name) => Ok(Expression::Variable(name)),
                    _ => {
                        self.at = start;
                        let word =
                            shown(if word.is_empty() { &self.text[start..start + next.len_utf8()] } else { word });
                        let known: Vec<String> = self.variables.chars().map(String::from).collect();
                        let known = known.join(", ");
                        Err(self.wrong(format!("\"{word}\", where {known}, a number, min, max, abs or if may stand")))
                    }
                };
            }
        };
        self.take('(')?;
        let mut all = vec![self.sum(0)?];
        while self.takes(',') {
            all.push(self.sum(0)?);
        }
        self.take(')')?;
        let is_right = if function == Function::Abs { all.len() == 1 } else { all.len() > 1 };
        if !is_right {
            self.at = start;
            let wanted = if function == Function::Abs { "one value" } else { "two values or more" };
            return Err(self.wrong(format!("{word} of {} values, which takes {wanted}", all.len())));
        }
        Ok(Expression::Call(function, all))
    }

    /// `if(a < b, yes, no)`, behind its name.
    fn choice(&mut self) -> Result<Expression, Wrong> {
        self.take('(')?;
        let a = self.sum(0)?;
        self.peek();
        let operator = self.word(|c| "<>=!".contains(c));
        let (comparison, is_swapped) = match operator {
            "<" => (Comparison::Less, false),
            ">" => (Comparison::Less, true),
            "<=" => (Comparison::LessOrEqual, false),
            ">=" => (Comparison::LessOrEqual, true),
            "==" => (Comparison::Equal, false),
            "!=" => (Comparison::Different, false),
            _ => return Err(self.wrong("a comparison is expected: <, <=, ==, !=, >= or >")),
        };
        let b = self.sum(0)?;
        self.take(',')?;
        let yes = self.sum(0)?;
        self.take(',')?;
        let no = self.sum(0)?;
        self.take(')')?;
        let (a, b) = if is_swapped { (b, a) } else { (a, b) };
        Ok(Expression::If(comparison, Box::new([a, b, yes, no])))
    }
}

#[allow(clippy::float_cmp)] // exact values
#[cfg(test)]
mod tests {
    use super::*;

    struct Plain;

    impl Arithmetic for Plain {
        type Value = f64;

        fn number(&self, text: &str) -> Option<f64> {
            text.parse().ok()
        }

        fn variable(&self, name: char) -> f64 {
            f64::from(name as u32 - 'a' as u32)
        }

        fn negative(&self, a: f64) -> f64 {
            -a
        }

        fn binary(&self, operator: char, a: f64, b: f64) -> f64 {
            match operator {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                _ => a / b,
            }
        }

        fn call(&self, function: Function, a: f64, b: f64) -> f64 {
            match function {
                Function::Min => a.min(b),
                Function::Max => a.max(b),
                Function::Abs => a.abs(),
            }
        }

        fn select(&self, comparison: Comparison, [a, b, yes, no]: [f64; 4]) -> f64 {
            if comparison.holds(&a, &b) { yes } else { no }
        }
    }

    #[test]
    fn operators_bind_as_usual() {
        let value = |text: &str| Expression::parse(text, "abxy").unwrap().value(&Plain);
        // a is 0, b is 1, x is 23, y is 24.
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("10 - 4 - 3", 3.0),
            ("12 / 4 / 3", 1.0),
            ("-2 * 3 + 1", -5.0),
            ("- (x - y)", 1.0),
            ("2 - -b", 3.0),
            ("min(x, y, 5.5) + abs(-2e1)", 25.5),
            ("max(a,b)", 1.0),
            ("if(x >= y, 1, if(a != b, 2, 3))", 2.0),
            ("if(x<y,x,y)", 23.0),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        assert!(Expression::parse("min(1, 2/a)", "a").unwrap().divides());
        assert_eq!(Expression::parse("1 + 1.5.5", "a").unwrap().foreign(&Plain), Some("1.5.5"));
    }

    #[test]
    fn long_and_deep_functions_are_refused() {
        let wrong = |text: &str| Expression::parse(text, "ax").unwrap_err().to_string();
        let deep = |open: &str, close: &str| format!("{}a{}", open.repeat(30_000), close.repeat(30_000));
        for text in [deep("(", ")"), deep("-", ""), deep("abs(", ")"), deep("min(1,", ")"), deep("if(a<a,1,", ",1)")] {
            assert!(
                wrong(&text).contains("more than 100 parentheses, signs and calls within each other"),
                "{text:.20}"
            );
        }
        let wide = |values: usize| vec!["a"; values].join("+");
        assert_eq!(
            wrong(&wide(100_000)),
            "2001: a function of more than 1000 values: make a part of it a statement of its own"
        );
        let depth = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
        for text in [wide(1000), depth(99)] {
            assert!(Expression::parse(&text, "a").unwrap().value(&Plain).abs() < 1.0);
        }
        assert!(Expression::parse(&depth(100), "a").is_err());
        assert!(wrong(&"z".repeat(200_000)).len() < 400);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_column() {
        let wrong = |text: &str| Expression::parse(text, "ax").unwrap_err().to_string();
        assert_eq!(wrong("a + b"), "5: \"b\", where a, x, a number, min, max, abs or if may stand");
        assert_eq!(wrong("a +"), "4: the end where a value is expected");
        assert_eq!(wrong("(a"), "3: the end where ')' is expected");
        assert_eq!(wrong("a a"), "3: 'a' where the function should end");
        assert_eq!(wrong("1 + min(a)"), "5: min of 1 values, which takes two values or more");
        assert_eq!(wrong("if(a, 1, 2)"), "5: a comparison is expected: <, <=, ==, !=, >= or >");
        assert_eq!(wrong("a * &"), "5: \"&\", where a, x, a number, min, max, abs or if may stand");
    }
}
