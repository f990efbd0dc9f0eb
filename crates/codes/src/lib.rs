#![doc = include_str!("../README.md")]

mod archive;
mod code;
mod combine;
mod error;
mod part;

pub use archive::{Joined, join, split};
pub use code::ErasureCode;
pub use error::{CodeError, Damage};
pub use part::{Header, Part};
