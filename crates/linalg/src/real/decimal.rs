//! Decimal digits of numbers with exponents without end, and of numbers that are known up to an error: a ball, as in Arb
//! (Johansson, IEEE Transactions on Computers 66 (2017)), of which the digits that are known are written.
//!
//! `mantissa 2^exponent` times a power of ten, by squaring on mantissas of 128 bits, has about 30 digits before the point. For `10^k`
//! the products lose less than `4 k 2^-127` of it: below one unit of digit 25 for exponents below `2^40`.

use std::fmt;

use super::options::RealDeterminant;
use super::scaled::Scaled;

/// Digits that are computed, one less or more.
const DIGITS: i64 = 30;
/// Significant digits that are written, at most: those of a double.
const WRITTEN: i64 = 17;

/// `mantissa 2^exponent` with the highest bit of the mantissa set.
#[derive(Debug, Clone, Copy)]
struct Wide {
    mantissa: u128,
    exponent: i64,
}

impl Wide {
    const ONE: Self = Self { mantissa: 1 << 127, exponent: -127 };
    const TEN: Self = Self { mantissa: 10 << 124, exponent: -124 };
    /// One tenth, rounded down.
    const TENTH: Self = Self { mantissa: u128::MAX / 10 * 8 + 4, exponent: -131 };

    fn of(x: Scaled) -> Self {
        let mantissa = (x.mantissa.abs() * 2f64.powi(53)) as u128;
        Self { mantissa: mantissa << 75, exponent: x.exponent.saturating_sub(128) }
    }

    /// The product, rounded down.
    fn times(self, other: Self) -> Self {
        let halves = |x: u128| (x >> 64, x & u128::from(u64::MAX));
        let ((a, b), (c, d)) = (halves(self.mantissa), halves(other.mantissa));
        let middle = ((b * d) >> 64) + halves(a * d).1 + halves(b * c).1;
        let high = a * c + halves(a * d).0 + halves(b * c).0 + (middle >> 64);
        let shift = high.leading_zeros();
        let exponent = self.exponent.saturating_add(other.exponent).saturating_add(128 - i64::from(shift));
        Self { mantissa: high << shift, exponent }
    }

    /// `10^power`.
    fn power_of_ten(power: i64) -> Self {
        let (mut base, mut left) = (if power < 0 { Self::TENTH } else { Self::TEN }, power.unsigned_abs());
        let mut product = Self::ONE;
        while left > 0 {
            if left % 2 == 1 {
                product = product.times(base);
            }
            left /= 2;
            if left > 0 {
                base = base.times(base);
            }
        }
        product
    }
}

/// `digits 10^power`.
#[derive(Debug, Clone, Copy)]
struct Decimal {
    digits: u128,
    power: i64,
}

impl Decimal {
    /// The size of a number; `None` for 0, infinite numbers and those that are none.
    fn of(x: Scaled) -> Option<Self> {
        if x.mantissa == 0.0 || !x.mantissa.is_finite() {
            return None;
        }
        let wide = Wide::of(x);
        // A power of two is about 0.3 powers of ten, and the logarithm of a large exponent is off by some.
        let mut power = (x.exponent as f64 * std::f64::consts::LOG10_2) as i64 - DIGITS;
        for _ in 0..3 {
            let product = wide.times(Wide::power_of_ten(-power));
            let bits = product.exponent.saturating_add(128);
            if (1..=128).contains(&bits)
                && (10u128.pow(28)..10u128.pow(33)).contains(&(product.mantissa >> (128 - bits)))
            {
                return Some(Self { digits: product.mantissa >> (128 - bits), power });
            }
            power = power.saturating_add((bits as f64 * std::f64::consts::LOG10_2) as i64 - DIGITS);
        }
        None
    }

    /// The power of ten of the first digit.
    fn leading(self) -> i64 {
        self.power + i64::from(self.digits.ilog10())
    }

    /// In units of `10^position`, rounded to the nearest.
    fn rounded(self, position: i64) -> u128 {
        match u32::try_from(position.saturating_sub(self.power)).ok().and_then(|dropped| 10u128.checked_pow(dropped)) {
            Some(unit) => (self.digits + unit / 2) / unit,
            None => 0,
        }
    }
}

/// `digits 10^position` with all of its digits: with a power of ten where a plain number would be long, or would show digits that
/// are not among them.
fn text(is_negative: bool, digits: u128, position: i64) -> String {
    let sign = if is_negative && digits > 0 { "-" } else { "" };
    let all = digits.to_string();
    let leading = position + all.len() as i64 - 1;
    if digits == 0 || (position == 0 && leading < WRITTEN) {
        return format!("{sign}{all}");
    }
    if position < 0 && (-3..WRITTEN).contains(&leading) {
        let places = position.unsigned_abs() as usize;
        let padded = format!("{all:0>width$}", width = places + 1);
        let (whole, fraction) = padded.split_at(padded.len() - places);
        return format!("{sign}{whole}.{fraction}");
    }
    let (first, rest) = all.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}e{leading}")
}

impl fmt::Display for Scaled {
    /// In decimal, with six digits behind the point: `4.206179e-226`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&with_six_digits(*self))
    }
}

/// A number with six digits behind the point.
fn with_six_digits(x: Scaled) -> String {
    let Some(decimal) = Decimal::of(x) else { return x.mantissa.to_string() };
    let mut position = decimal.leading() - 6;
    let mut digits = decimal.rounded(position);
    if digits == 10u128.pow(7) {
        (digits, position) = (digits / 10, position + 1);
    }
    let (first, rest) = (digits / 10u128.pow(6), digits % 10u128.pow(6));
    format!("{}{first}.{rest:06}e{}", if x.mantissa < 0.0 { "-" } else { "" }, position + 6)
}

/// A number without a bound, in the fewest digits that distinguish it from other doubles; 17 where it is none.
fn alone(x: Scaled) -> String {
    let word = x.to_f64();
    if x.mantissa == 0.0 {
        return "0".to_owned();
    }
    if word.is_normal() {
        let plain = 1e-5 <= word.abs() && word.abs() < 1e16;
        return if plain { word.to_string() } else { format!("{word:e}") };
    }
    let Some(decimal) = Decimal::of(x) else { return x.mantissa.to_string() };
    let position = decimal.leading() - (WRITTEN - 1);
    text(x.mantissa < 0.0, decimal.rounded(position), position)
}

impl fmt::Display for RealDeterminant {
    /// The digits that are known and the bound, which counts that others are left out: `-6.000000000000000 +/- 1.3e-14`. A value
    /// whose bound is 0, or that has none, alone.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_linalg::real::{RealOptions, determinant};
    /// let singular = determinant(&Device::host(), 2, &[0.1, 0.3, 0.2, 0.6], RealOptions::default())?;
    /// assert!(singular.to_string().starts_with("0 +/- "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ball(self))
    }
}

/// A value and the bound of its error: the digits of the value up to the second one of the bound, which counts the rounding of these
/// digits too.
fn ball(found: &RealDeterminant) -> String {
    let value = found.value;
    let Some(bound) = found.error_bound.filter(|bound| bound.mantissa != 0.0) else { return alone(value) };
    let Some(radius) = Decimal::of(bound) else { return format!("{} +/- {}", alone(value), bound.mantissa) };
    let decimal = Decimal::of(value);
    let least = decimal.map_or(i64::MIN, |decimal| decimal.leading() - (WRITTEN - 1));
    let mut position = (radius.leading() - 1).max(least);
    // Half a unit each for the rounding of value and bound.
    while radius.rounded(position) + 1 >= 100 {
        position += 1;
    }
    let digits = decimal.map_or(0, |decimal| decimal.rounded(position));
    let units = radius.rounded(position) + 1;
    format!("{} +/- {}", text(value.mantissa < 0.0, digits, position), text(false, units, position))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(value: f64, bound: f64) -> String {
        ball(&RealDeterminant { value: Scaled::new(value, 0), error_bound: Some(Scaled::new(bound, 0)) })
    }

    #[test]
    fn known_digits_are_written() {
        assert_eq!(known(-6.0, 1.16e-14), "-6.000000000000000 +/- 1.3e-14");
        assert_eq!(known(-3.568_343_342_501_474e-21, 3.3e-7), "0 +/- 3.4e-7");
        assert_eq!(known(0.0, 11.2), "0 +/- 12");
        assert_eq!(known(123_456.0, 11.2), "123456 +/- 12");
        assert_eq!(known(123_456.0, 112.0), "1.2346e5 +/- 1.2e2");
        assert_eq!(known(123_456.0, 98.6), "1.2346e5 +/- 1.1e2");
        assert_eq!(known(9.99e-3, 1e-4), "0.00999 +/- 1.1e-4");
        assert_eq!(known(-4.4e-10, 1e-9), "-4e-10 +/- 1.1e-9");
        assert_eq!(known(2.79329e-78, 4.2e-81), "2.7933e-78 +/- 4.3e-81");
        assert_eq!(known(1e22, 3e5), "1.0000000000000000e22 +/- 1e6");
        assert_eq!(known(2.5, f64::INFINITY), "2.5 +/- inf");
        // More digits of the bound than of the value are not written.
        assert_eq!(known(0.1, 1e-30), "0.10000000000000001 +/- 1e-17");
        assert_eq!(known(-2.5, 0.0), "-2.5");
        assert_eq!(known(0.0, 0.0), "0");
        assert_eq!(known(1e300, 0.0), "1e300");
        assert_eq!(alone(Scaled::new(-0.75, 4000)), "-9.8865307007320733e1203");
    }

    #[test]
    fn digits_are_right_for_exponents_of_any_size() {
        for (mantissa, exponent, expected) in [
            (0.5, 1, "1.000000e0"),
            (0.625, 4, "1.000000e1"),
            (0.999_999_99, 0, "1.000000e0"),
            (0.5, 4984, "1.077627e1500"),
            (-0.5, -1073, "-4.940656e-324"),
            (0.5, 1_000_001, "9.900656e301029"),
        ] {
            assert_eq!(with_six_digits(Scaled { mantissa, exponent }), expected);
        }
        assert_eq!(with_six_digits(Scaled::ZERO), "0");
        for exponent in [i64::MAX, i64::MIN, 1 << 40] {
            // Any text will do, and no panic.
            assert!(!with_six_digits(Scaled { mantissa: 0.7, exponent }).is_empty());
        }
    }

    #[test]
    fn powers_of_ten_are_those_of_integers() {
        let mut power = 1u128;
        for k in 0..=38 {
            let wide = Wide::power_of_ten(k);
            assert_eq!(wide.mantissa >> (-wide.exponent), power, "{k}");
            power = power.saturating_mul(10);
            // A tenth is rounded down.
            let near = wide.times(Wide::power_of_ten(-k));
            assert!(near.exponent == -128 && near.mantissa > u128::MAX - 1000 || k == 0, "{k} {near:?}");
        }
    }
}
