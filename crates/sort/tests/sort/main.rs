//! The tests of sorts, in one program.

mod counting;
mod lists;
mod radix;
#[cfg(feature = "bigint")]
mod strings;
