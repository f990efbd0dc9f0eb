#![doc = include_str!("../README.md")]

mod context;
mod convolution;
mod error;
mod numbers;
pub mod transform;

pub use context::Fourier;
pub use error::FourierError;
pub use manycore_characters::{AbelianGroup, Complex, Residues};
pub use numbers::Numbers;
pub use transform::{Direction, Plan};
