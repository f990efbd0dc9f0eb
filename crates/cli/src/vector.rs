//! The number types of vectors, as the command line and checks have them.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use manycore::operation::vector;
pub use manycore::operation::vector::{Element, NumberType, Vector};

/// Reads the names of number types.
pub(crate) fn number_types() -> impl TypedValueParser<Value = NumberType> {
    let names = PossibleValuesParser::new(NumberType::ALL.map(NumberType::name));
    names.try_map(|name| NumberType::of_name(&name).ok_or("no type of numbers"))
}

/// An integer type.
pub trait Integer: vector::Element + manycore::verify::Integer {}

/// A floating-point type.
pub trait Real: vector::Element + manycore::verify::Real {}

impl Integer for i32 {}
impl Integer for i64 {}
impl Real for f32 {}
impl Real for f64 {}
