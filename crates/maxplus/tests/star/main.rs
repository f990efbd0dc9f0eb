//! Graphs and stars: against the definition, on every device, by every algorithm.

#[path = "../common/mod.rs"]
mod common;
mod graphs;
mod laws;
mod limits;
mod shared;
mod stars;
