//! Units of known-answer tests, by which a device proves itself.

use crate::table::{GOLDILOCKS_WIDE, GOLDILOCKS_WORDS, MONTGOMERY, U64, residue_parts, text};
use crate::unit::Unit;

/// Known answers of integers, single precision, work-item numbers, local memory and atomics.
pub static SELF_TEST_WORDS: Unit = Unit {
    path: "kernels/device/self_test_words.cl",
    source: text!("device/self_test_words.cl"),
    parts: &[],
    entries: &["self_test_words", "self_test_group"],
    parameter_sets: &[&[], &[("SELF_TEST_BREAK", "3u")]],
};

/// Known answers of double precision.
pub static SELF_TEST_DOUBLE: Unit = Unit {
    path: "kernels/device/self_test_double.cl",
    source: text!("device/self_test_double.cl"),
    parts: &[],
    entries: &["self_test_double"],
    parameter_sets: &[&[], &[("SELF_TEST_BREAK", "3u")]],
};

/// Known answers of each arithmetic modulo p.
pub static SELF_TEST_RESIDUES: Unit = Unit {
    path: "kernels/device/self_test_residues.cl",
    source: text!("device/self_test_residues.cl"),
    parts: residue_parts![&GOLDILOCKS_WIDE, &GOLDILOCKS_WORDS, &MONTGOMERY],
    entries: &["self_test_residues"],
    parameter_sets: &[
        &[],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "2")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "2"), ("MOD_WIDE", "0")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "3"), ("SELF_TEST_BREAK", "3u")],
    ],
};
