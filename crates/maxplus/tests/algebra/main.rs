//! Spectral theory, linear maps and systems.

#[path = "../common/mod.rs"]
mod common;
mod linear;
mod spectral;
mod systems;
