#![doc = include_str!("../README.md")]

mod archive;
mod code;
mod combine;
mod error;
mod first;
mod form;
mod join;
mod lagrange;
mod parts;
pub mod reference;
mod split;
mod verify;

pub use archive::{Joined, join, split};
pub use code::{ErasureCode, Recovery};
pub use error::{CodeError, LeftOut, SystemError};
pub use form::{Header, Layout};
pub use join::{Join, Restored};
pub use parts::PartSource;
pub use split::{PartSink, split_to};
pub use verify::{CHANCE_LOG2, check_parts};
