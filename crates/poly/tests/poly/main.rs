//! The tests of polynomials, in one program; those that change its whole process stand beside it.

#[path = "../common/mod.rs"]
mod common;

mod broken_device;
mod compositions;
mod division;
mod division_batches;
mod extended;
mod factors;
#[cfg(feature = "npy")]
mod files;
mod gcd;
#[cfg(feature = "bigint")]
mod integers;
mod limited_routes;
#[cfg(feature = "bigint")]
mod operations;
mod polynomials;
mod products;
mod resultants;
mod series;
mod transform_product_inputs;
mod trees;
