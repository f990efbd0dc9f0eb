//! The unit of half-gcd's base.

use crate::table::{U64, residue_parts, text};
use crate::unit::Unit;

/// Transition matrices of Euclid's algorithm, and what stands around the products of matrices.
pub static GCD_TRANSITION: Unit = Unit {
    path: "kernels/poly/gcd_transition.cl",
    source: text!("poly/gcd_transition.cl"),
    parts: residue_parts![],
    entries: &["gcd_transition", "transition_arrange", "transition_add"],
    parameter_sets: &[
        &[],
        &[("LOG_MOST", "8"), ("LOG_GROUP", "8")],
        &[U64[0], U64[2], ("ARITHMETIC", "1")],
        &[U64[0], U64[2], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], U64[2], ("ARITHMETIC", "2"), ("LOG_MOST", "8"), ("LOG_GROUP", "8")],
        &[U64[0], U64[2], ("ARITHMETIC", "3")],
    ],
};
