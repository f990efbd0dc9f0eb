//! The units of divisions of polynomials.

use crate::table::{ACCUMULATE, U64, residue_parts, text};
use crate::unit::{Part, Unit};

static POWER: Part = Part { path: "kernels/poly/divide_power.clh", source: text!("poly/divide_power.clh") };

/// Divisions by several coefficients of the quotient a launch.
pub static DIVIDE_HEADS: Unit = Unit {
    path: "kernels/poly/divide_heads.cl",
    source: text!("poly/divide_heads.cl"),
    parts: residue_parts![&ACCUMULATE, &POWER],
    entries: &["divide_head_inverse", "divide_heads"],
    parameter_sets: &[
        &[],
        &[("GROUP", "256"), ("EACH", "4"), ("LOG_ROOM", "7"), ("SUM_TERMS", "4")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("SUM_TERMS", "4"), ("EACH", "4")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// What a part of a quotient leaves of the dividend.
pub static DIVIDE_SUBTRACT: Unit = Unit {
    path: "kernels/poly/divide_subtract.cl",
    source: text!("poly/divide_subtract.cl"),
    parts: residue_parts![],
    entries: &["divide_subtract"],
    parameter_sets: &[
        &[],
        &[("GROUP", "64")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Divisions of many pairs at once, in local memory.
pub static DIVIDE_PAIRS: Unit = Unit {
    path: "kernels/poly/divide_pairs.cl",
    source: text!("poly/divide_pairs.cl"),
    parts: residue_parts![&POWER],
    entries: &["divide_pairs"],
    parameter_sets: &[
        &[],
        &[("GROUP", "256"), ("LOG_ROOM", "11")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};
