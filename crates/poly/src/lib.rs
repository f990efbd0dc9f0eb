#![doc = include_str!("../README.md")]

mod counts;
mod error;
pub mod evaluate;
pub mod file;
mod host;
pub mod linear;
pub mod multiply;
mod poly;
mod ring;
mod verify;

pub use error::PolyError;
pub use file::PolyFileError;
pub use multiply::{Algorithm, Batch, Operation, Plan, Shape, Tile};
pub use poly::Poly;
pub use ring::{PolyField, PolyRing};
