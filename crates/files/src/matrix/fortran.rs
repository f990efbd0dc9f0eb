//! Numbers in fields of fixed width, by Fortran's formats such as `(10I8)`, `(5E16.8)`, `(1P,4D20.12)` (ANSI X3.9-1978, section 13).

use std::borrow::Cow;

use super::lines::Lines;
use crate::error::FileError;
use crate::fault::LineFault;
use crate::shown::shown;

/// The deepest parentheses within those of a format.
const MOST_NESTED: usize = 3;
/// The most numbers on a line.
const MOST_FIELDS: usize = 9999;

/// A format of one kind of number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fields {
    /// Numbers on a line.
    pub(super) on_line: usize,
    /// Characters of each.
    pub(super) width: usize,
    /// Digits behind the point of a field that has none written.
    pub(super) decimals: usize,
    /// `k` of `kP`: a field without an exponent is `10^k` times the number.
    pub(super) scale: i32,
    /// Whether numbers are integers.
    pub(super) is_integer: bool,
}

impl Fields {
    /// Reads a format with its parentheses; `None` for one that is none.
    pub(super) fn parse(format: &str) -> Option<Self> {
        let text: String = format.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
        Self::group(text.strip_prefix('(')?.strip_suffix(')')?, 0, MOST_NESTED)
    }

    /// Reads what stands within parentheses: a format, or a number of times another one in parentheses, of at most `depth`.
    fn group(mut rest: &str, mut scale: i32, depth: usize) -> Option<Self> {
        let signed = rest.find(['p', 'P']);
        if let Some(at) = signed {
            // A scale of numbers within parentheses is read with them.
            if let Ok(found) = rest[..at].parse::<i8>() {
                scale = found.into();
                rest = rest[at + 1..].trim_start_matches(',');
            } else if !rest[..at].contains('(') {
                return None;
            }
        }
        let on_line = number(&mut rest).unwrap_or(1);
        if let Some(inner) = rest.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
            let fields = Self::group(inner, scale, depth.checked_sub(1)?)?;
            let on_line = on_line.checked_mul(fields.on_line).filter(|&all| (1..=MOST_FIELDS).contains(&all))?;
            return Some(Self { on_line, ..fields });
        }
        let letter = rest.chars().next()?.to_ascii_uppercase();
        rest = rest.get(1..)?;
        let width = number(&mut rest)?;
        let mut decimals = 0;
        if let Some(after) = rest.strip_prefix('.') {
            rest = after;
            decimals = number(&mut rest)?;
        }
        if let Some(after) = rest.strip_prefix(['e', 'E']) {
            rest = after;
            number(&mut rest)?;
        }
        let is_integer = letter == 'I';
        let known = is_integer || matches!(letter, 'E' | 'D' | 'F' | 'G');
        (known && rest.is_empty() && on_line > 0 && width > 0).then_some(Self {
            on_line,
            width,
            decimals,
            scale,
            is_integer,
        })
    }

    /// The number of a field as other readers take it: with its point and an exponent that begins with `e` or `d`.
    pub(super) fn word<'a>(&self, field: &'a str) -> Cow<'a, str> {
        let has_digit = field.bytes().any(|byte| byte.is_ascii_digit());
        if self.is_integer || !has_digit {
            return Cow::Borrowed(field);
        }
        let sign = field.char_indices().find(|&(at, letter)| at > 0 && matches!(letter, '+' | '-')).map(|(at, _)| at);
        let letter = field.find(['e', 'E', 'd', 'D', 'q', 'Q']);
        let (mantissa, exponent) = match (letter, sign) {
            (Some(at), _) => (&field[..at], Some(&field[at + 1..])),
            (None, Some(at)) => (&field[..at], Some(&field[at..])),
            (None, None) => (field, None),
        };
        let has_point = mantissa.contains('.');
        if has_point && (letter.is_some() || (exponent.is_none() && self.scale == 0)) {
            return Cow::Borrowed(field);
        }
        let mut word = mantissa.to_owned();
        if !has_point && self.decimals > 0 {
            let start = usize::from(word.starts_with(['+', '-']));
            let digits = word.len() - start;
            let padding = "0".repeat((self.decimals + 1).saturating_sub(digits));
            word.insert_str(start, &padding);
            word.insert(word.len() - self.decimals, '.');
        }
        match exponent {
            Some(exponent) => word = word + "e" + exponent,
            None if self.scale != 0 => word = format!("{word}e{}", -self.scale),
            None => {}
        }
        Cow::Owned(word)
    }
}

/// The digits at the beginning, as a number of at most four of them.
fn number(rest: &mut &str) -> Option<usize> {
    let len = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, after) = rest.split_at(len);
    let value = if len <= 4 { digits.parse().ok()? } else { return None };
    *rest = after;
    Some(value)
}

/// Fields that are read one after another from a new line on.
pub(super) struct Section<'l, 'a> {
    lines: &'l mut Lines<'a>,
    fields: Fields,
    line: &'a str,
    /// The next field of the line.
    next: usize,
    given: u64,
    expected: u64,
    what: &'static str,
}

impl<'l, 'a> Section<'l, 'a> {
    /// A section of `expected` numbers, which errors call `what`.
    pub(super) fn new(lines: &'l mut Lines<'a>, fields: Fields, what: &'static str, expected: u64) -> Self {
        Self { lines, fields, line: "", next: fields.on_line, given: 0, expected, what }
    }

    /// The lines, the last of which has the number read last.
    pub(super) fn lines(&self) -> &Lines<'a> {
        self.lines
    }

    /// The next number's characters, without blanks around them.
    pub(super) fn next(&mut self) -> Result<&'a str, FileError> {
        if self.next == self.fields.on_line {
            let Some(line) = self.lines.any() else {
                let Self { what, given, expected, .. } = *self;
                return Err(self.lines.missing(LineFault::Section { what, given, expected }));
            };
            if !line.is_ascii() {
                let expected = "line of numbers in ASCII";
                return Err(self.lines.wrong(LineFault::Number { found: shown(line), expected }));
            }
            (self.line, self.next) = (line, 0);
        }
        let begin = self.next * self.fields.width;
        let end = begin + self.fields.width;
        let field = self.line.get(begin..end.min(self.line.len())).unwrap_or_default().trim();
        if field.is_empty() {
            return Err(self.lines.wrong(LineFault::Blank { first: begin + 1, last: end }));
        }
        self.next += 1;
        self.given += 1;
        Ok(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let fields =
            |on_line, width, decimals, scale, is_integer| Some(Fields { on_line, width, decimals, scale, is_integer });
        let cases = [
            ("(10I8)", fields(10, 8, 0, 0, true)),
            ("(I10)", fields(1, 10, 0, 0, true)),
            ("(5E16.8)", fields(5, 16, 8, 0, false)),
            ("(4D20.12)", fields(4, 20, 12, 0, false)),
            ("(1P,4D20.12)", fields(4, 20, 12, 1, false)),
            ("(1p4e20.12)", fields(4, 20, 12, 1, false)),
            ("( 3E26.16E3 )", fields(3, 26, 16, 0, false)),
            ("(8F10.3)", fields(8, 10, 3, 0, false)),
            ("(8F10)", fields(8, 10, 0, 0, false)),
            ("(1P,5(E16.8))", fields(5, 16, 8, 1, false)),
            ("(2(4I8))", fields(8, 8, 0, 0, true)),
            ("(5(1PE16.8))", fields(5, 16, 8, 1, false)),
            ("((10I8))", fields(10, 8, 0, 0, true)),
        ];
        for (text, expected) in cases {
            assert_eq!(Fields::parse(text), expected, "{text}");
        }
        for text in [
            "",
            "()",
            "10I8",
            "(10X8)",
            "(0I8)",
            "(10I0)",
            "(10I)",
            "(99999I8)",
            "(10I8,3X)",
            "(5E16.)",
            "(P5E16.8)",
            "(é)",
            "(5(E16.8)",
            "(5(E16.8),I3)",
            "(0(E16.8))",
            "(9999(2E16.8))",
            "(((((I8)))))",
            "(5(E16.8(2)))",
        ] {
            assert_eq!(Fields::parse(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_without_a_point_or_the_letter_of_an_exponent() {
        let word = |format: &str, field: &str| Fields::parse(format).unwrap().word(field).parse::<f64>().unwrap();
        let is = |format: &str, field: &str, value: f64| assert_eq!(word(format, field).to_bits(), value.to_bits());
        is("(5F8.3)", "123", 0.123);
        is("(5F8.3)", "-12345", -12.345);
        is("(5F8.3)", "1", 0.001);
        is("(5F8.3)", "1.", 1.0);
        is("(5E16.8)", "1.5+3", 1500.0);
        is("(5E16.8)", "-1.5-3", -0.0015);
        is("(5E16.2)", "150E+01", 15.0);
        is("(5E16.8)", "1.5E-02", 0.015);
        is("(1P,5E16.8)", "1.5E+00", 1.5);
        is("(2P,5F16.8)", "150.0", 1.5);
        assert_eq!(Fields::parse("(5D16.8)").unwrap().word("1.5D+01"), "1.5D+01");
        assert!(word("(5E16.8)", "NaN").is_nan());
    }
}
