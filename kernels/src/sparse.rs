//! The units of sparse matrices.

use crate::table::{ACCUMULATE, F64, U64, residue_parts, text};
use crate::unit::{Part, Unit};

static SPARSE_VALUE: Part = Part { path: "kernels/sparse/value.clh", source: text!("sparse/value.clh") };

/// Products by rows, of real and complex numbers.
pub static SPARSE_ROWS: Unit = Unit {
    path: "kernels/sparse/rows.cl",
    source: text!("sparse/rows.cl"),
    parts: &[&SPARSE_VALUE],
    entries: &["sparse_multiply_rows", "sparse_multiply_dense"],
    parameter_sets: &[
        &[],
        &[("LANES", "4"), ("GROUP", "64")],
        &[("COMPUTATION", "1"), ("LANES", "32")],
        &[F64[0], F64[1]],
        &[F64[0], F64[1], ("LANES", "2")],
        &[F64[0], F64[1], ("COMPUTATION", "1"), ("LANES", "8")],
    ],
};

/// Products by rows, of residues.
pub static SPARSE_ROWS_RESIDUES: Unit = Unit {
    path: "kernels/sparse/rows.cl",
    source: text!("sparse/rows.cl"),
    parts: residue_parts![&ACCUMULATE, &SPARSE_VALUE],
    entries: &["sparse_multiply_rows", "sparse_multiply_dense"],
    parameter_sets: &[
        &[],
        &[("LANES", "16")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1"), ("LANES", "2")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("LANES", "4")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "2"), ("LANES", "8")],
    ],
};

/// Products by merging, of real and complex numbers.
pub static SPARSE_MERGE: Unit = Unit {
    path: "kernels/sparse/merge.cl",
    source: text!("sparse/merge.cl"),
    parts: &[&SPARSE_VALUE],
    entries: &["sparse_multiply_merge", "sparse_merge_carries"],
    parameter_sets: &[
        &[],
        &[("GROUP", "32"), ("ITEMS", "2")],
        &[("COMPUTATION", "1")],
        &[F64[0], F64[1]],
        &[F64[0], F64[1], ("COMPUTATION", "1")],
    ],
};

/// Products by merging, of residues.
pub static SPARSE_MERGE_RESIDUES: Unit = Unit {
    path: "kernels/sparse/merge.cl",
    source: text!("sparse/merge.cl"),
    parts: residue_parts![&ACCUMULATE, &SPARSE_VALUE],
    entries: &["sparse_multiply_merge", "sparse_merge_carries"],
    parameter_sets: &[
        &[],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "2")],
    ],
};

/// Vectors of iterative solvers.
pub static SPARSE_VECTORS: Unit = Unit {
    path: "kernels/sparse/vectors.cl",
    source: text!("sparse/vectors.cl"),
    parts: &[&SPARSE_VALUE],
    entries: &["sparse_dot", "sparse_combine"],
    parameter_sets: &[&[], &[("GROUP", "64")], &[F64[0], F64[1]]],
};
