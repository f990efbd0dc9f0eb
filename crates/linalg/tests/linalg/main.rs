//! The tests of matrices over finite fields, integers and doubles, in one program; those that change its whole process stand beside it.

#[path = "../common/mod.rs"]
mod common;

mod bits;
mod decompositions;
#[cfg(all(feature = "ndarray", feature = "bigint"))]
mod exact;
#[cfg(feature = "bigint")]
mod exact_systems;
#[cfg(feature = "bigint")]
mod files;
#[cfg(feature = "bigint")]
mod forms;
mod inverse_ways;
mod known;
mod matrices;
mod minimal;
#[cfg(feature = "bigint")]
mod operations;
#[cfg(all(feature = "ndarray", feature = "bigint"))]
mod real;
#[cfg(feature = "bigint")]
mod real_range;
mod several;
mod shared_decompositions;
mod spectra;
mod verification;
