//! The units of Boolean functions and S-boxes.

use crate::table::text;
use crate::unit::Unit;

/// Packed values, signs and integers.
pub static BOOLEAN_FUNCTION: Unit = Unit {
    path: "kernels/boolean/function.cl",
    source: text!("boolean/function.cl"),
    parts: &[],
    entries: &["boolean_signs", "boolean_negative", "boolean_squares", "boolean_shifted", "boolean_weigh"],
    parameter_sets: &[&[], &[("GROUP", "64")]],
};

/// Sums and maxima over a spectrum by the index's weight.
pub static BOOLEAN_CLASSES: Unit = Unit {
    path: "kernels/boolean/classes.cl",
    source: text!("boolean/classes.cl"),
    parts: &[],
    entries: &["boolean_classes"],
    parameter_sets: &[&[], &[("GROUP", "64")]],
};

/// Counts of even integers by value, and the largest.
pub static BOOLEAN_TALLY: Unit = Unit {
    path: "kernels/boolean/tally.cl",
    source: text!("boolean/tally.cl"),
    parts: &[],
    entries: &["boolean_tally"],
    parameter_sets: &[&[], &[("GROUP", "64")]],
};

/// Rows of linear approximation tables before their transform.
pub static BOOLEAN_MASKS: Unit = Unit {
    path: "kernels/boolean/masks.cl",
    source: text!("boolean/masks.cl"),
    parts: &[],
    entries: &["boolean_components", "boolean_preimages"],
    parameter_sets: &[&[], &[("GROUP", "64")]],
};

/// Rows of difference distribution tables, stored or counted.
pub static BOOLEAN_DIFFERENCES: Unit = Unit {
    path: "kernels/boolean/differences.cl",
    source: text!("boolean/differences.cl"),
    parts: &[],
    entries: &["boolean_differences"],
    parameter_sets: &[
        &[],
        &[("STORE", "1")],
        &[("GROUP", "64"), ("LOG_COUNTERS", "1")],
        &[("GROUP", "64"), ("LOG_COUNTERS", "8"), ("STORE", "1")],
    ],
};
