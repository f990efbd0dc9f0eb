//! The tests of sorts, in one program.

mod blocks;
mod counting;
mod lists;
mod misses;
mod radix;
mod refine_words;
mod several;
#[cfg(feature = "bigint")]
mod strings;
mod words;
