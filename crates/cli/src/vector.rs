//! The number types of vectors, as the command line and checks have them.

use manycore::operation::vector;
pub use manycore::operation::vector::{Element, NumberType, Vector};

/// An integer type.
pub trait Integer: vector::Element + manycore::verify::Integer {}

/// A floating-point type.
pub trait Real: vector::Element + manycore::verify::Real {}

impl Integer for i32 {}
impl Integer for i64 {}
impl Real for f32 {}
impl Real for f64 {}
