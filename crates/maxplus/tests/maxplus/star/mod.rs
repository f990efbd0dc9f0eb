//! Graphs and stars: against the definition, on every device, by every algorithm.

mod graphs;
mod laws;
mod limits;
mod rounding;
mod shared;
mod stars;
