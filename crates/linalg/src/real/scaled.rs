//! Numbers with an exponent of their own, and products that neither overflow nor underflow.

/// A number `mantissa 2^exponent` with `0.5 <= |mantissa| < 1`, or zero: range without end for products of doubles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled {
    /// The mantissa, with the number's sign; 0, and for numbers that are none or infinite these themselves.
    pub mantissa: f64,
    /// The exponent of two; 0 for mantissas that are 0, infinite or no number.
    pub exponent: i64,
}

/// Two to the power `exponent`, of normal range.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

impl Scaled {
    /// Zero.
    pub const ZERO: Self = Self { mantissa: 0.0, exponent: 0 };
    /// One.
    pub const ONE: Self = Self { mantissa: 0.5, exponent: 1 };

    /// `mantissa 2^exponent` for any mantissa.
    ///
    /// ```
    /// use manycore_linalg::real::Scaled;
    /// assert_eq!(Scaled::new(-12.0, 100), Scaled { mantissa: -0.75, exponent: 104 });
    /// ```
    pub fn new(mantissa: f64, exponent: i64) -> Self {
        if mantissa == 0.0 || !mantissa.is_finite() {
            return Self { mantissa, exponent: 0 };
        }
        // Numbers below the normal range are brought into it first.
        let (scaled, shift) =
            if mantissa.abs() < f64::MIN_POSITIVE { (mantissa * power_of_two(64), 64) } else { (mantissa, 0) };
        let bits = scaled.to_bits();
        let own = (bits >> 52 & 0x7ff) as i64 - 1022;
        let mantissa = f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52);
        Self { mantissa, exponent: exponent.saturating_add(own - shift) }
    }

    /// The product by a double, rounded once.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let factor = Self::new(factor, 0);
        Self::new(self.mantissa * factor.mantissa, self.exponent.saturating_add(factor.exponent))
    }

    /// The product of two, rounded once.
    #[must_use]
    pub fn product_with(self, other: Self) -> Self {
        Self::new(self.mantissa * other.mantissa, self.exponent.saturating_add(other.exponent))
    }

    /// The number as a double, rounded once: 0 or infinite only where it is out of range.
    ///
    /// ```
    /// use manycore_linalg::real::Scaled;
    /// assert_eq!(Scaled::new(0.75, 4).to_f64(), 12.0);
    /// assert_eq!(Scaled::new(0.5, -1073).to_f64(), f64::from_bits(1));
    /// assert_eq!(Scaled::new(0.5, 5000).to_f64(), f64::INFINITY);
    /// ```
    pub fn to_f64(self) -> f64 {
        match self.exponent {
            ..-1100 => self.mantissa * 0.0,
            // One rounding: the first product is exact.
            -1100..-1000 => self.mantissa * power_of_two(-900) * power_of_two(self.exponent + 900),
            -1000..=1000 => self.mantissa * power_of_two(self.exponent),
            1001..=1024 => self.mantissa * power_of_two(1000) * power_of_two(self.exponent - 1000),
            _ => self.mantissa * f64::INFINITY,
        }
    }

    /// The natural logarithm of the size; -infinity for zero.
    pub fn log_abs(self) -> f64 {
        self.mantissa.abs().ln() + self.exponent as f64 * std::f64::consts::LN_2
    }

    /// -1, 0 or 1; 0 for a number that is none.
    pub fn signum(self) -> i8 {
        i8::from(self.mantissa > 0.0) - i8::from(self.mantissa < 0.0)
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        Self { mantissa: self.mantissa.abs(), ..self }
    }

    /// The sum of two, rounded once where they are of one sign.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let (large, small) = if other.mantissa == 0.0 || (self.mantissa != 0.0 && self.exponent >= other.exponent) {
            (self, other)
        } else {
            (other, self)
        };
        let apart = large.exponent.saturating_sub(small.exponent).min(1000);
        Self::new(large.mantissa + small.mantissa * power_of_two(-apart), large.exponent)
    }
}

/// The product of doubles as mantissa and exponent, with a relative error of at most `(k - 1) 2^-53` for `k` factors, whatever
/// their range; 1 of none. Source: paper 002, section 7.5, the preferred form.
///
/// ```
/// use manycore_linalg::real::{Scaled, product};
/// assert_eq!(product(&[3.0, 5.0, -7.0]), Scaled { mantissa: -0.8203125, exponent: 7 });
/// assert_eq!(product(&[1e300; 5]).exponent, 4983);
/// ```
pub fn product(factors: &[f64]) -> Scaled {
    factors.iter().fold(Scaled::ONE, |product, &factor| product.times(factor))
}

/// The product of doubles in an order that keeps partial products in range: one of the factors of size at most 1 with one of the
/// others as long as there are both, then what is left. Where all factors and the product are normal numbers, nothing overflows
/// or underflows on the way, and the relative error is at most `(k - 1) 2^-53`. 1 of none, 0 or infinite where the product is out
/// of range. `O(k)`: any order serves in the last phase. Source: algorithm 10 of paper 002, section 7.5; a factor below the
/// normal range may cost digits, which [`product`] keeps.
///
/// ```
/// use manycore_linalg::real::balanced_product;
/// assert_eq!(balanced_product(&[1e300, 1e300, 0.5, 1e-300, 1e-300]), 0.5);
/// ```
pub fn balanced_product(factors: &[f64]) -> f64 {
    let is_small = |factor: &f64| factor.abs() <= 1.0;
    let (mut small, mut large): (Vec<f64>, Vec<f64>) = factors.iter().partition(|factor| is_small(factor));
    while let (Some(&a), Some(&b)) = (small.last(), large.last()) {
        small.pop();
        large.pop();
        let product = a * b;
        if is_small(&product) { small.push(product) } else { large.push(product) }
    }
    small.iter().chain(&large).product()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "exact results are compared")]

    use super::*;

    #[test]
    fn products_keep_range_and_digits() {
        assert_eq!(product(&[]), Scaled::ONE);
        assert_eq!(product(&[0.5, 0.25]), Scaled { mantissa: 0.5, exponent: -2 });
        let tiny = product(&[1e-200, 1e-200]);
        assert_eq!((tiny.mantissa, tiny.exponent), (0.585_914_494_419_849_7, -1328));
        assert_eq!(product(&[3.0, 0.0, f64::MAX]).mantissa, 0.0);
        assert!(product(&[3.0, f64::NAN]).mantissa.is_nan());
        let large = product(&[1e300; 5]);
        assert_eq!(large.to_string(), "1.000000e1500");
        assert!((large.log_abs() - 1500.0 * 10f64.ln()).abs() < 1e-9);
        // A factor below the normal range keeps its digits.
        let mixed = product(&[3.0 * f64::from_bits(1), 2f64.powi(1000), 1.5]);
        assert_eq!(mixed.to_f64(), 4.5 * 2f64.powi(-74));
    }

    #[test]
    fn numbers_come_back_rounded_once() {
        for x in [1.0, -0.75, 1e300, f64::MAX, f64::MIN_POSITIVE, 3.0 * f64::from_bits(1), 1e-310, -5e-324] {
            let scaled = Scaled::new(x, 0);
            assert!((0.5..1.0).contains(&scaled.mantissa.abs()));
            assert_eq!(scaled.to_f64(), x);
            assert_eq!(scaled.signum(), if x < 0.0 { -1 } else { 1 });
        }
        assert_eq!(Scaled::new(0.75, -1074).to_f64(), f64::from_bits(1) * 0.75);
        assert_eq!(Scaled::new(-0.9, -2000).to_f64(), 0.0);
        assert_eq!(Scaled::new(-0.9, 2000).to_f64(), f64::NEG_INFINITY);
        assert_eq!(Scaled::new(0.5, 1025).to_f64(), f64::INFINITY);
        assert_eq!(Scaled::ZERO.to_string(), "0");
    }

    #[test]
    fn sums_are_of_numbers_far_apart() {
        let sum = |a: f64, b: f64| Scaled::new(a, 0).plus(Scaled::new(b, 0)).to_f64();
        assert_eq!((sum(3.0, 4.5), sum(0.0, 2.0), sum(2.0, 0.0), sum(1e-300, 1e300)), (7.5, 2.0, 2.0, 1e300));
        assert_eq!(Scaled::new(0.5, 9000).plus(Scaled::new(0.5, 8999)), Scaled { mantissa: 0.75, exponent: 9000 });
    }

    #[test]
    fn balanced_products_stay_in_range() {
        assert_eq!(balanced_product(&[]), 1.0);
        assert_eq!(balanced_product(&[1.0, -1.0, 2.0]), -2.0);
        assert_eq!(balanced_product(&[0.0, 1e300]), 0.0);
        let mixed = [1e300, 1e300, 1e-300, 1e-300, 1e-300, 1e300];
        assert!((balanced_product(&mixed) - 1.0).abs() < 1e-15);
        assert_eq!(mixed.iter().product::<f64>(), f64::INFINITY);
        assert_eq!(balanced_product(&[1e-200, 1e-200]), 0.0);
        assert!(balanced_product(&[f64::INFINITY, 0.0]).is_nan());
        // The order of the thesis loses a digit where a factor is below the normal range.
        let x = balanced_product(&[3.0 * f64::from_bits(1), 2f64.powi(1000), 1.5]);
        assert!((x / (4.5 * 2f64.powi(-74)) - 8.0 / 9.0).abs() < 1e-3);
    }
}
