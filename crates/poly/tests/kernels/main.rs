//! The kernels of polynomials on every OpenCL device, in one program.

#[path = "../common/mod.rs"]
mod common;

mod division;
mod evaluate;
mod gcd;
mod linear;
mod long_products;
mod product;
mod transform_product;
mod transition;
mod trees;
