//! The units of subproduct trees and of values at geometric progressions.

use crate::table::{ACCUMULATE, U64, residue_parts, text};
use crate::unit::Unit;

/// The lowest levels: nodes, values at their points, sums of interpolation.
pub static TREE_LEAVES: Unit = Unit {
    path: "kernels/poly/tree_leaves.cl",
    source: text!("poly/tree_leaves.cl"),
    parts: residue_parts![&ACCUMULATE],
    entries: &["tree_leaves", "tree_values", "tree_leaf_sums"],
    parameter_sets: &[
        &[],
        &[("LOG_LEAF", "7"), ("SUM_TERMS", "4")],
        &[U64[0], ("ARITHMETIC", "1"), ("LOG_LEAF", "4")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("SUM_TERMS", "4")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// What products leave to do at the nodes above.
pub static TREE_NODES: Unit = Unit {
    path: "kernels/poly/tree_nodes.cl",
    source: text!("poly/tree_nodes.cl"),
    parts: residue_parts![],
    entries: &["tree_join", "tree_descend"],
    parameter_sets: &[
        &[],
        &[("PRODUCTS", "2")],
        &[U64[0], ("ARITHMETIC", "1"), ("PRODUCTS", "2")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Inverses of many residues, and products with them.
pub static TREE_WEIGHTS: Unit = Unit {
    path: "kernels/poly/tree_weights.cl",
    source: text!("poly/tree_weights.cl"),
    parts: residue_parts![],
    entries: &["tree_invert", "tree_scale"],
    parameter_sets: &[
        &[],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Words of rows, for subinverse trees and remainders at nodes.
pub static TREE_REMAINDERS: Unit = Unit {
    path: "kernels/poly/tree_remainders.cl",
    source: text!("poly/tree_remainders.cl"),
    parts: residue_parts![],
    entries: &["tree_rows", "tree_horner"],
    parameter_sets: &[
        &[],
        &[("OPERATION", "1")],
        &[("OPERATION", "2")],
        &[("OPERATION", "3")],
        &[("OPERATION", "4")],
        &[("OPERATION", "5")],
        &[("OPERATION", "6")],
        &[U64[0], ("ARITHMETIC", "1"), ("OPERATION", "3")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("OPERATION", "5")],
        &[U64[0], ("ARITHMETIC", "2"), ("OPERATION", "5")],
        &[U64[0], ("ARITHMETIC", "3"), ("OPERATION", "3")],
    ],
};

/// Factors of polynomials at geometric progressions.
pub static PROGRESSION: Unit = Unit {
    path: "kernels/poly/progression.cl",
    source: text!("poly/progression.cl"),
    parts: residue_parts![],
    entries: &["progression_factors"],
    parameter_sets: &[
        &[],
        &[("ONES", "1")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("ONES", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};
