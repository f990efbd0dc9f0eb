//! Shards of every command whose work splits, put together, are byte for byte what the command writes, and what is wrong with shards is
//! told with file and line.

#[allow(dead_code, reason = "faults look at more of a case")]
#[path = "../faults/cases.rs"]
mod cases;
#[path = "../common/mod.rs"]
mod common;
mod outputs;
mod refusals;
mod scripts;
