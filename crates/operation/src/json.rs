//! Numbers as JSON has them, where every reader holds them exactly.

use num_bigint::BigInt;
use num_rational::BigRational;
use serde::{Serialize, Serializer};
pub use serde_json::Value as Json;

/// The JSON form of an integer: a number where every reader holds it exactly, a string past 2^53.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonInteger(pub i128);

impl Serialize for JsonInteger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0) {
            Ok(value) if value.unsigned_abs() <= 1 << 53 => serializer.serialize_i64(value),
            _ => serializer.collect_str(&self.0),
        }
    }
}

/// An integer as a value of JSON: as [`JsonInteger`].
pub fn integer(value: impl Into<i128>) -> serde_json::Value {
    let value = value.into();
    match i64::try_from(value) {
        Ok(number) if number.unsigned_abs() <= 1 << 53 => number.into(),
        _ => value.to_string().into(),
    }
}

/// The text of a value: of numbers, lists and names alone, which always have one.
pub fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The JSON form of a floating-point number: a number, or one of the strings `NaN`, `Infinity` and `-Infinity`.
#[derive(Debug, Clone, Copy)]
pub struct JsonReal<T>(pub T);

impl<T: Copy + Into<f64> + Serialize> Serialize for JsonReal<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: f64 = self.0.into();
        if value.is_finite() {
            self.0.serialize(serializer)
        } else if value.is_nan() {
            serializer.serialize_str("NaN")
        } else {
            serializer.serialize_str(if value > 0.0 { "Infinity" } else { "-Infinity" })
        }
    }
}

/// Residues: the coefficients of a polynomial, the constant term first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Residues(pub Vec<u64>);

impl Serialize for Residues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|&value| JsonInteger(value.into())))
    }
}

/// The JSON form of an integer of any size: as [`JsonInteger`].
#[derive(Debug, Clone, Copy)]
pub struct JsonBig<'a>(pub &'a BigInt);

impl Serialize for JsonBig<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i128::try_from(self.0) {
            Ok(value) => JsonInteger(value).serialize(serializer),
            Err(_) => serializer.collect_str(self.0),
        }
    }
}

/// The JSON form of a fraction: an integer as [`JsonBig`], others as text in lowest terms.
#[derive(Debug, Clone, Copy)]
pub struct JsonRational<'a>(pub &'a BigRational);

impl Serialize for JsonRational<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_integer() { JsonBig(self.0.numer()).serialize(serializer) } else { serializer.collect_str(self.0) }
    }
}
