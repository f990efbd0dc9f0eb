#![doc = include_str!("../README.md")]

mod context;
mod convolution;
mod error;
mod instances;
mod numbers;
pub mod transform;

pub use context::Fourier;
pub use error::FourierError;
#[doc(hidden)]
pub use instances::instances;
pub use manycore_characters::{AbelianGroup, Complex, Residues};
pub use numbers::Numbers;
pub use transform::{Direction, Plan};
