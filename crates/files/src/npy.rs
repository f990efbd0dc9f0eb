//! The numbers of files in the `.npy` format.

use std::fmt;

use crate::integer::DecimalInteger;

/// The first bytes of every `.npy` file.
pub(crate) const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// A number as a file holds it, before it is given a type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer of at most 64 bits, signed or not.
    Integer(i128),
    /// A floating-point number.
    Real(f64),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Real(value) => write!(f, "{value:?}"),
        }
    }
}

impl Number {
    /// The number as an integer of any size: exactly; `None` for a fraction, an infinity and NaN.
    pub fn decimal(self) -> Option<DecimalInteger> {
        match self {
            Self::Integer(value) => Some(value.into()),
            Self::Real(value) if value.is_finite() && value.fract() == 0.0 => Some(if value.abs() < 1e18 {
                i128::from(value as i64).into()
            } else {
                // All digits, as the number is at least 1.
                DecimalInteger::of_digits(value < 0.0, &format!("{:.0}", value.abs()))
            }),
            Self::Real(_) => None,
        }
    }

    /// The number as an integer: exactly, and `None` for a fraction or a floating-point number of size `2^64` or more.
    #[inline]
    pub fn integer(self) -> Option<i128> {
        match self {
            Self::Integer(value) => Some(value),
            Self::Real(value) => {
                (value.fract() == 0.0 && value.abs() < 18_446_744_073_709_551_616.0).then_some(value as i128)
            }
        }
    }
}

/// What the numbers of an array are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Integers of 8 to 64 bits, signed or not, or truth values, which are 0 and 1; but not unsigned ones of 64 bits.
    Integers,
    /// Unsigned integers of 64 bits.
    U64,
    /// Floating-point numbers of 32 bits.
    F32,
    /// Floating-point numbers of 64 bits.
    F64,
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn whole_numbers_of_any_size_are_integers() {
        let decimal = |number: Number| number.decimal().map(|integer| integer.to_string());
        assert_eq!(decimal(Number::Integer(u64::MAX.into())).unwrap(), "18446744073709551615");
        assert_eq!(decimal(Number::Real(-3.0)).unwrap(), "-3");
        assert_eq!(decimal(Number::Real(2f64.powi(100))).unwrap(), (1u128 << 100).to_string());
        assert_eq!(decimal(Number::Real(-(2f64.powi(63)))).unwrap(), i64::MIN.to_string());
        for refused in [0.5, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(decimal(Number::Real(refused)), None, "{refused}");
        }
    }

    #[test]
    fn integers_are_told_from_fractions() {
        assert_eq!(Number::Integer(-5).integer(), Some(-5));
        assert_eq!(Number::Real(-3.0).integer(), Some(-3));
        assert_eq!(Number::Real(18_446_744_073_709_549_568.0).integer(), Some(18_446_744_073_709_549_568));
        for refused in [0.5, f64::NAN, f64::INFINITY, 18_446_744_073_709_551_616.0, 1e300] {
            assert_eq!(Number::Real(refused).integer(), None, "{refused}");
        }
    }
}
