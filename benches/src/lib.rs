//! Benchmarks of Manycore: every operation on every device, checked in the same run, beside the hardware's floor and
//! other codes' figures.
//!
//! | file | what |
//! |---|---|
//! | [`lines`] | what a run prints: one JSON object a line |
//! | [`environment`] | the machine, the commit and the day |
//! | [`measure`] | groups of repetitions by the device's clock; their median |
//! | [`memory_rate`] | the floor: the rate at which the device reads and writes a number of bytes |
//! | [`walsh`] | the cases of the Walsh-Hadamard transform |
//! | [`prepare`], [`verify`], [`data`] | one case set up on a device, its input, and the check of its result |
//! | [`spectral`] | the cases of the Reed-Muller, arithmetic and Haar transforms |
//! | [`modular`] | the cases of number-theoretic transforms and products of polynomials |
//! | [`polynomials`] | the cases of division, greatest common divisors, evaluation and interpolation |
//! | [`matrices`] | the cases of products, determinants and inverses of matrices |
//! | [`operations`] | the cases of all other operations |
//! | [`solved`] | one case of polynomials or matrices, checked and timed beside other codes |
//! | [`contest`] | other codes on the same work on the host, in turns with ours |
//! | [`baseline`] | the plain one-thread forms that paper 001 compares with |
//! | [`peers`] | other codes: their figures as data, and those that this program runs itself |
//! | [`paper`] | figures of the papers, as data |
//! | [`runner`] | all of it, case after case |
//! | [`choices`] | every candidate of a choice, measured: whether the library takes the fastest |
//! | [`launches`] | what a launch costs the host, beside the bare call |
//! | [`table`] | the lines for a reader |
//!
//! `cargo xtask bench` runs the program `manycore-bench` of this package and makes a report of its lines;
//! `cargo bench -p manycore-benches` runs the same cases under criterion.

pub mod baseline;
pub mod choices;
pub mod contest;
pub mod data;
pub mod environment;
pub mod launches;
pub mod lines;
pub mod matrices;
pub mod measure;
pub mod memory_rate;
pub mod modular;
pub mod operations;
pub mod paper;
pub mod peers;
pub mod polynomials;
pub mod prepare;
pub mod runner;
pub mod solved;
pub mod spectral;
pub mod table;
pub mod verify;
pub mod wait;
pub mod walsh;
