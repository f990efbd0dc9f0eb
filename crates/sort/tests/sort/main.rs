//! The tests of sorts, in one program.

mod blocks;
mod counting;
mod lists;
mod radix;
#[cfg(feature = "bigint")]
mod strings;
