//! The unit of erasure codes.

use crate::table::{ACCUMULATE, residue_parts, text};
use crate::unit::Unit;

/// Combinations of rows.
pub static CODES_COMBINE: Unit = Unit {
    path: "kernels/codes/combine.cl",
    source: text!("codes/combine.cl"),
    parts: residue_parts![&ACCUMULATE],
    entries: &["codes_combine"],
    parameter_sets: &[&[], &[("OUTPUTS", "1"), ("SUM_TERMS", "4")], &[("OUTPUTS", "8"), ("GROUP", "64")]],
};
