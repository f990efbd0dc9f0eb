//! The unit of erasure codes.

use crate::table::text;
use crate::unit::Unit;

/// Combinations of rows.
pub static CODES_COMBINE: Unit = Unit {
    path: "kernels/codes/combine.cl",
    source: text!("codes/combine.cl"),
    parts: &[],
    entries: &["codes_combine"],
    parameter_sets: &[&[], &[("OUTPUTS", "1")], &[("OUTPUTS", "2"), ("GROUP", "64")]],
};
