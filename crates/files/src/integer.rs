//! Numbers as files write them: integers of any size, with a point and an exponent where they are whole (`3.0`, `2e3`, `1.5D+03`),
//! and real numbers with Fortran's letters of exponents.

use std::fmt;
use std::str::FromStr;

use crate::fault::LineFault;
use crate::shown::shown;

/// The most digits of an integer with an exponent, and the most places of a fraction with one: nine characters of a file must not take
/// unbounded memory. Digits that are written out are not limited.
pub(crate) const MOST_DIGITS: i64 = 10_000;

/// A real number of a word, `nan` and `inf` among them; exponents begin with `e`, or with Fortran's `d`.
///
/// ```
/// use manycore_files::real;
/// assert_eq!(real::<f64>("1.5D+03"), Some(1500.0));
/// assert_eq!(real::<f64>("1.5x"), None);
/// ```
pub fn real<T: FromStr>(word: &str) -> Option<T> {
    if let Ok(value) = word.parse() {
        return Some(value);
    }
    let at = word.find(['d', 'D'])?;
    let before = word.as_bytes().get(at.checked_sub(1)?)?;
    let is_exponent = before.is_ascii_digit() || *before == b'.';
    if is_exponent { format!("{}e{}", &word[..at], &word[at + 1..]).parse().ok() } else { None }
}

/// An integer of any size: what integers of files are read as before they are given a type or taken modulo a number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DecimalInteger(Form);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Form {
    Short(i64),
    /// What does not fit 64 bits: boxed, so that the short form takes two words.
    Long(Box<Long>),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Long {
    is_negative: bool,
    /// Without zeros in front.
    digits: Box<str>,
}

impl DecimalInteger {
    /// The integer of a word: decimal digits with a sign, or a number with a point or an exponent that is whole.
    ///
    /// ```
    /// use manycore_files::DecimalInteger;
    /// assert_eq!(DecimalInteger::parse("-1.50D+03")?.to_string(), "-1500");
    /// assert_eq!(DecimalInteger::parse("0.5").unwrap_err().to_string(), "`0.5` is no integer");
    /// # Ok::<(), manycore_files::LineFault>(())
    /// ```
    ///
    /// # Errors
    /// [`LineFault::Number`], which distinguishes fractions from other texts; [`LineFault::Digits`] for an exponent that makes more than
    /// 10,000 digits.
    pub fn parse(word: &str) -> Result<Self, LineFault> {
        if let Ok(value) = word.parse() {
            return Ok(Self(Form::Short(value)));
        }
        let (is_negative, digits) = whole(word)?;
        Ok(Self::of_digits(is_negative, &digits))
    }

    /// An integer of 64 bits.
    pub fn short(&self) -> Option<i64> {
        if let Form::Short(value) = self.0 { Some(value) } else { None }
    }

    /// The integer, where 128 bits hold it.
    pub fn integer(&self) -> Option<i128> {
        match &self.0 {
            Form::Short(value) => Some((*value).into()),
            // The least integer has no positive one, and is past all types of 64 bits.
            Form::Long(long) => {
                let size: i128 = long.digits.parse().ok()?;
                Some(if long.is_negative { -size } else { size })
            }
        }
    }

    /// The integer modulo a number above 0: from 0 to below it. Time linear in the digits.
    ///
    /// ```
    /// use manycore_files::DecimalInteger;
    /// assert_eq!(DecimalInteger::parse("-1")?.residue(7), 6);
    /// assert_eq!(DecimalInteger::parse("1000000000000000000000000000000")?.residue(7), 1);
    /// # Ok::<(), manycore_files::LineFault>(())
    /// ```
    pub fn residue(&self, modulus: u64) -> u64 {
        let modulus = modulus.max(1);
        match &self.0 {
            Form::Short(value) => i128::from(*value).rem_euclid(i128::from(modulus)) as u64,
            Form::Long(long) => {
                // Eighteen digits are below 2^60, so that a step stays below 2^124.
                let size = long.digits.as_bytes().chunks(18).fold(0u128, |rest, chunk| {
                    let value = chunk.iter().fold(0u128, |value, digit| 10 * value + u128::from(digit - b'0'));
                    (rest * 10u128.pow(chunk.len() as u32) + value) % u128::from(modulus)
                }) as u64;
                if long.is_negative && size > 0 { modulus - size } else { size }
            }
        }
    }

    /// The integer with the other sign.
    #[must_use]
    pub fn negative(&self) -> Self {
        match &self.0 {
            Form::Short(value) => Self::from(-i128::from(*value)),
            Form::Long(long) => Self::of_digits(!long.is_negative, &long.digits),
        }
    }

    /// The integer of digits.
    pub(crate) fn of_digits(is_negative: bool, digits: &str) -> Self {
        let short =
            digits.parse::<i128>().ok().and_then(|size| i64::try_from(if is_negative { -size } else { size }).ok());
        if let Some(value) = short {
            return Self(Form::Short(value));
        }
        let digits = digits.trim_start_matches('0').into();
        Self(Form::Long(Box::new(Long { is_negative, digits })))
    }
}

impl From<i128> for DecimalInteger {
    fn from(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(value) => Self(Form::Short(value)),
            Err(_) => Self::of_digits(value < 0, &value.unsigned_abs().to_string()),
        }
    }
}

impl fmt::Display for DecimalInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Short(value) => value.fmt(f),
            Form::Long(long) => f.pad_integral(!long.is_negative, "", &long.digits),
        }
    }
}

/// An exponent; one of more digits than 64 bits hold is as good as endless.
fn exponent(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let is_one = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let endless = if word.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
    is_one.then(|| word.parse().unwrap_or(endless).clamp(i64::MIN / 2, i64::MAX / 2))
}

/// The sign and the digits of a whole number.
pub(crate) fn whole(word: &str) -> Result<(bool, String), LineFault> {
    let no = |expected| Err(LineFault::Number { found: shown(word), expected });
    let (is_negative, size) = match word.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let (mantissa, exponent) = match size.find(['e', 'E', 'd', 'D']) {
        Some(at) => (&size[..at], size[at + 1..].strip_prefix('+').unwrap_or(&size[at + 1..])),
        None => (size, "0"),
    };
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let signless = exponent.strip_prefix('-').unwrap_or(exponent);
    if mantissa.len() <= usize::from(mantissa.contains('.'))
        || !is_digits(before)
        || !is_digits(behind)
        || signless.is_empty()
        || !is_digits(signless)
    {
        return no(if real::<f64>(word).is_some() { "integer" } else { "number" });
    }
    let behind = behind.trim_end_matches('0');
    let mut digits = [before, behind].concat();
    if digits.bytes().all(|digit| digit == b'0') {
        return Ok((false, "0".to_owned()));
    }
    // Zeros that follow the digits, negative for digits that stand behind the point.
    let Some(zeros) = self::exponent(exponent) else { return no("number") };
    let zeros = zeros - behind.len() as i64;
    let zeros_in_front = digits.bytes().take_while(|&digit| digit == b'0').count();
    digits.drain(..zeros_in_front);
    if zeros > 0 && zeros.saturating_add(digits.len() as i64) > MOST_DIGITS {
        return Err(LineFault::Digits { found: shown(word), most: MOST_DIGITS });
    }
    if let Ok(zeros) = usize::try_from(zeros) {
        digits.extend(std::iter::repeat_n('0', zeros));
        return Ok((is_negative, digits));
    }
    let kept = usize::try_from(zeros.unsigned_abs()).ok().and_then(|behind| digits.len().checked_sub(behind));
    match kept {
        Some(kept) if digits[kept..].bytes().all(|digit| digit == b'0') => {
            digits.truncate(kept);
            Ok((is_negative, digits))
        }
        _ => no("integer"),
    }
}

/// The fraction of a word: two integers with a slash between them, or a decimal number with a point or an exponent.
#[cfg(feature = "bigint")]
pub(crate) fn fraction(word: &str) -> Result<num_rational::BigRational, LineFault> {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    let no = || LineFault::Number { found: shown(word), expected: "rational number" };
    let integer = |part: &str| -> Result<BigInt, LineFault> {
        let (is_negative, digits) = whole(part).map_err(|_| no())?;
        let size: BigInt = digits.parse().map_err(|_| no())?;
        Ok(if is_negative { -size } else { size })
    };
    if let Some((top, bottom)) = word.split_once('/') {
        let (top, bottom) = (integer(top)?, integer(bottom)?);
        return if bottom == BigInt::ZERO { Err(no()) } else { Ok(BigRational::new(top, bottom)) };
    }
    match whole(word) {
        Ok(_) => return integer(word).map(BigRational::from_integer),
        Err(fault @ LineFault::Digits { .. }) => return Err(fault),
        Err(_) => {}
    }
    // Digits behind the point are digits before it and a smaller exponent.
    let (mantissa, exponent) = match word.find(['e', 'E', 'd', 'D']) {
        Some(at) => (&word[..at], exponent(&word[at + 1..]).ok_or_else(no)?),
        None => (word, 0),
    };
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = integer(&[before, behind].concat())?;
    let places = exponent - behind.len() as i64;
    match u32::try_from(-places) {
        Ok(places) if i64::from(places) <= MOST_DIGITS + behind.len() as i64 => {
            Ok(BigRational::new(digits, BigInt::from(10).pow(places)))
        }
        _ => Err(LineFault::Digits { found: shown(word), most: MOST_DIGITS }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_integers() {
        for (word, value) in [
            ("0", "0"),
            ("-0", "0"),
            ("+7", "7"),
            ("007", "7"),
            ("3.0", "3"),
            ("3.", "3"),
            ("-3.000", "-3"),
            (".0", "0"),
            ("0e999999999999999999999", "0"),
            ("2e0", "2"),
            ("1.5D+03", "1500"),
            ("2d0", "2"),
            ("1.25E2", "125"),
            ("1500e-2", "15"),
            ("100.0e-2", "1"),
            ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808", "9223372036854775808"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("-9223372036854775809", "-9223372036854775809"),
            ("-340282366920938463463374607431768211457", "-340282366920938463463374607431768211457"),
            ("1e30", "1000000000000000000000000000000"),
            ("1e400", &format!("1{}", "0".repeat(400))),
            ("-0002.5e9999", &format!("-25{}", "0".repeat(9998))),
            (&format!("1{}", "0".repeat(20_000)), &format!("1{}", "0".repeat(20_000))),
            ("00000000000000000000000000000000000000000000000000000000000000001", "1"),
        ] {
            let parsed = DecimalInteger::parse(word).unwrap();
            assert_eq!(parsed.to_string(), value, "{word}");
            assert_eq!(parsed.short().is_some(), value.parse::<i64>().is_ok());
            assert_eq!(parsed.negative().negative(), parsed);
        }
    }

    #[test]
    fn other_words_say_why_not() {
        for word in ["0.5", "1e-1", "15e-1", "nan", "inf", "1.5D-03", "1e-99999999999999999999"] {
            let message = DecimalInteger::parse(word).unwrap_err().to_string();
            assert_eq!(message, format!("`{word}` is no integer"));
        }
        for word in ["", ".", "+", "-", "x", "1x", "e5", "1e", "1e+", "--1", "+-1", "1_0", "0x10", "1e5e5", "٣"] {
            let message = DecimalInteger::parse(word).unwrap_err().to_string();
            assert_eq!(message, format!("`{word}` is no number"));
        }
        for word in ["1e10000", "1e99999999999999999999", "-25d9999", "1.5e+10001"] {
            let message = DecimalInteger::parse(word).unwrap_err().to_string();
            assert_eq!(
                message,
                format!("`{word}` has more than the 10000 digits that an exponent may make: write them out")
            );
        }
    }

    #[test]
    fn residues_are_those_of_remainders() {
        for p in [1u64, 2, 7, 469_762_049, (1 << 63) - 25, u64::MAX - (1 << 32) + 2] {
            for value in [0i128, 1, -1, i64::MIN.into(), i64::MAX.into(), 1 << 64, -(1 << 64), i128::MAX, i128::MIN + 1]
            {
                let expected = value.rem_euclid(p.into()) as u64;
                assert_eq!(DecimalInteger::parse(&value.to_string()).unwrap().residue(p), expected);
                assert_eq!(DecimalInteger::from(value).residue(p), expected);
                assert_eq!(DecimalInteger::from(value).negative().residue(p), (-value).rem_euclid(p.into()) as u64);
            }
        }
        // 10^60 = (10^6)^10 = 1 mod 7.
        assert_eq!(DecimalInteger::parse(&format!("1{}", "0".repeat(60))).unwrap().residue(7), 1);
    }

    #[cfg(feature = "bigint")]
    #[test]
    fn fractions_are_exact() {
        for (word, value) in [
            ("3", "3"),
            ("-2/3", "-2/3"),
            ("4/-6", "-2/3"),
            ("0.5", "1/2"),
            ("-1.25", "-5/4"),
            (".1", "1/10"),
            ("1.5e-1", "3/20"),
            ("2.5D-1", "1/4"),
            ("1e20", "100000000000000000000"),
            ("0.1000", "1/10"),
        ] {
            assert_eq!(fraction(word).unwrap().to_string(), value, "{word}");
        }
        assert_eq!(fraction("1e-400").unwrap().to_string(), format!("1/1{}", "0".repeat(400)));
        for word in ["1e-10001", "1e-9999999", "1e10000", "0.5e-99999999999999999999"] {
            let message = fraction(word).unwrap_err().to_string();
            assert_eq!(
                message,
                format!("`{word}` has more than the 10000 digits that an exponent may make: write them out")
            );
        }
        for word in ["1/0", "/2", "1/", "1/2/3", "x", "nan", "0.5/2", "-", "1.2.3", "1e", "0.5e+-1", ""] {
            let message = fraction(word).unwrap_err().to_string();
            assert_eq!(message, format!("`{word}` is no rational number"));
        }
    }

    #[test]
    fn exponents_of_fortran_are_read() {
        assert_eq!(real::<f64>("1.5D+03"), Some(1500.0));
        assert_eq!(real::<f32>("2d0"), Some(2.0));
        assert_eq!(real::<f64>("1.d-1"), Some(0.1));
        assert_eq!(real::<f64>("inf"), Some(f64::INFINITY));
        for word in ["d", "d1", "1d", "1dd1", "dinf", "1x", "é"] {
            assert_eq!(real::<f64>(word), None, "{word}");
        }
    }
}
