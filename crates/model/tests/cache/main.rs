//! The cache simulators against their definitions, and the spec's propositions on cache misses against the simulators.

mod condensation;
mod gray_code;
mod gray_order;
mod laws;
mod python_random;
mod scan;
mod sorting;
mod sparse_patterns;
mod vectors;
