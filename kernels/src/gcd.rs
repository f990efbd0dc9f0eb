//! The units of greatest common divisors.

use crate::table::{ACCUMULATE, COMBINE, MEET, U64, residue_parts, text};
use crate::unit::Unit;

/// Steps of a greatest common divisor, some in each launch.
pub static GCD_STEPS: Unit = Unit {
    path: "kernels/poly/gcd_steps.cl",
    source: text!("poly/gcd_steps.cl"),
    parts: residue_parts![&ACCUMULATE, &COMBINE, &MEET],
    entries: &["gcd_steps", "gcd_steps_persistent"],
    parameter_sets: &[
        &[],
        &[("RULE", "1")],
        &[("MONTGOMERY", "1")],
        &[("MONTGOMERY", "1"), ("RULE", "1"), ("STEPS", "64"), ("WIDTH", "448"), ("GROUP", "256")],
        &[U64[0], ("ARITHMETIC", "1"), ("MONTGOMERY", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("RULE", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Greatest common divisors within local memory, of many pairs or of one.
pub static GCD_BATCH: Unit = Unit {
    path: "kernels/poly/gcd_batch.cl",
    source: text!("poly/gcd_batch.cl"),
    parts: residue_parts![&ACCUMULATE, &COMBINE],
    entries: &["gcd_batch"],
    parameter_sets: &[
        &[],
        &[("LOG_GROUP", "6"), ("LOG_PACK", "3"), ("MONTGOMERY", "1")],
        &[("LOG_GROUP", "8"), ("CAPACITY", "1024"), ("MONTGOMERY", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MONTGOMERY", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("LOG_PACK", "1")],
        &[U64[0], ("ARITHMETIC", "2"), ("LOG_PACK", "1")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};
