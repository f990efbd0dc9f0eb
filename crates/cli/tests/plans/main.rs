//! Plans of every operation as programs take them: proved before their first use, and on trial where estimates may be wrong.

#[path = "../common/mod.rs"]
mod common;
mod operations;
mod proofs;
mod trials;
