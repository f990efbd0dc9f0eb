#![doc = include_str!("../README.md")]

pub(crate) use manycore_device::Word;

mod instances;
pub mod ntt;

#[doc(hidden)]
pub use instances::instances;
pub use ntt::{Columns, Kind, Middle, Ntt, NttError, NttField, Rows, SpectrumOrder, TruncatedNtt, TruncatedSpectrum};
