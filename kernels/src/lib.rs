#![doc = include_str!("../README.md")]

mod unit;

pub use unit::{Defines, Entry, Param, ParamType, Part, Passing, Unit, spliced};

include!(concat!(env!("OUT_DIR"), "/units.rs"));

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
