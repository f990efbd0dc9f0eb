//! The build system of Manycore.

fn main() {}
