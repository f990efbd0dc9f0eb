//! Benchmarks of Manycore.
