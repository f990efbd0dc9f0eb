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

/// The book's page on shards.
fn page() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/scale.md");
    std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{page}: {error}"))
}
