//! The number types of vectors, as the command line and checks have them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use manycore::operation::vector;
pub use manycore::operation::vector::{Element, NumberType, Vector};
use manycore::semiring::operations::{Kind, TYPES};

/// Reads the types of entries over semirings, with what they are.
pub(crate) fn entry_types() -> impl TypedValueParser<Value = NumberType> {
    words(TYPES).try_map(|name| NumberType::of_name(&name).ok_or("no type of entries"))
}

/// Reads the names of semirings.
pub(crate) fn semirings() -> impl TypedValueParser<Value = Kind> {
    words(Kind::WORDS).try_map(|name| name.parse::<Kind>())
}

fn words(words: &'static [(&'static str, &'static str)]) -> PossibleValuesParser {
    PossibleValuesParser::new(words.iter().map(|&(word, help)| PossibleValue::new(word).help(help)))
}

/// An integer type.
pub trait Integer: vector::Element + manycore::verify::Integer {}

/// A floating-point type.
pub trait Real: vector::Element + manycore::verify::Real {}

impl Integer for i32 {}
impl Integer for i64 {}
impl Real for f32 {}
impl Real for f64 {}
