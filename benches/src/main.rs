//! Bench.
fn main(){}
