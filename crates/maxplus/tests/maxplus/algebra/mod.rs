//! Spectral theory, linear maps and systems.

mod linear;
mod spectral;
mod systems;
