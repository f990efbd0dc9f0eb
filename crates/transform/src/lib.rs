#![doc = include_str!("../README.md")]

pub(crate) use manycore_device::Word;

pub mod ntt;

pub use ntt::{Columns, Kind, Middle, Ntt, NttError, NttField, Rows, SpectrumOrder, TruncatedNtt, TruncatedSpectrum};
