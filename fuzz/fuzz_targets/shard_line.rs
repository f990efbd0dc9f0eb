//! See `crates/soak/src/fuzz`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| manycore_soak::fuzz::run("shard_line", data));
