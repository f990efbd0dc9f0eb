//! The tests of sorts, in one program.

mod blocks;
mod counting;
mod kernels_fold;
mod kernels_primitives;
mod kernels_radix;
mod kernels_refine;
mod kernels_sweep;
mod lists;
mod misses;
#[cfg(feature = "operations")]
mod operations;
mod radix;
mod refine_words;
mod several;
#[cfg(feature = "bigint")]
mod strings;
mod words;
