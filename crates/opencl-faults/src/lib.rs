#![doc = include_str!("../README.md")]

mod change;
mod facts;
mod hooks;
mod library;
mod miscompile;
mod opened;
mod plan;
mod real;

// The loader's own table, compiled here with `library` of this crate: every function that the loader may ask for is defined,
// and forwarded to the real library except where `hooks` has another.
#[path = "../../opencl-loader/src/forward.rs"]
mod forward;
#[path = "../../opencl-loader/src/table.rs"]
// OpenCL's own names and signatures, and a public function of the loader.
#[allow(non_snake_case, clippy::too_many_arguments, unreachable_pub, dead_code)]
mod table;
#[path = "../../opencl-loader/src/types.rs"]
#[allow(non_camel_case_types)] // C's own names.
mod types;
