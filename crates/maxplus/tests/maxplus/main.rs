//! The tests of graphs, stars, spectral theory and projects, in one program.

mod algebra;
mod common;
mod kernels_star;
mod kernels_variants;
mod projects;
mod star;
