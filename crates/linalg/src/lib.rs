#![doc = include_str!("../README.md")]

mod algebra;
mod block;
pub mod condense;
pub mod eliminate;
mod error;
mod field;
mod instances;
pub mod linear;
mod matrix;
pub mod multiply;

pub use algebra::LinearAlgebra;
pub use condense::Condensation;
pub use eliminate::{Echelon, Solution};
pub use error::{ErrorKind, LinalgError, Shape};
pub use field::MatrixField;
#[doc(hidden)]
pub use instances::instances;
pub use matrix::Matrix;
pub use multiply::ProductTile;
