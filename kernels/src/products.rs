//! The units of products by transforms.

use crate::table::{NTT_COLUMN_LAYOUT, RESIDUES, U64, residue_parts, round_parts, text};
use crate::unit::{Part, Unit};

static TRANSFORM_ROWS: Part =
    Part { path: "kernels/poly/transform_rows.clh", source: text!("poly/transform_rows.clh") };

/// Coefficients to rows of a transform's length.
pub static TRANSFORM_LOAD: Unit = Unit {
    path: "kernels/poly/transform_load.cl",
    source: text!("poly/transform_load.cl"),
    parts: &[&RESIDUES, &TRANSFORM_ROWS],
    entries: &["transform_load"],
    parameter_sets: &[
        &[],
        &[("REDUCE", "1")],
        &[("SOURCE", "ulong"), ("REDUCE", "1")],
        &[U64[0], U64[2], ("REDUCE", "1")],
        &[U64[0], U64[2], ("SOURCE", "ulong")],
        &[U64[0], U64[2], ("SOURCE", "ulong"), ("REDUCE", "1")],
    ],
};

/// Lengths of three quarters of a power of two: coefficients to two sets of rows, and back.
pub static TRANSFORM_TWIST: Unit = Unit {
    path: "kernels/poly/transform_twist.cl",
    source: text!("poly/transform_twist.cl"),
    parts: residue_parts![&TRANSFORM_ROWS],
    entries: &["transform_load_twisted", "transform_combine"],
    parameter_sets: &[
        &[],
        &[("SOURCE", "ulong"), ("REDUCE", "1")],
        &[U64[0], U64[2], ("SOURCE", "ulong"), ("ARITHMETIC", "1")],
        &[U64[0], U64[2], ("SOURCE", "ulong"), ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("REDUCE", "1")],
        &[U64[0], U64[2], ("SOURCE", "ulong"), ("ARITHMETIC", "2")],
    ],
};

/// Spectra times spectra.
pub static TRANSFORM_PRODUCT: Unit = Unit {
    path: "kernels/poly/transform_product.cl",
    source: text!("poly/transform_product.cl"),
    parts: residue_parts![],
    entries: &["transform_product"],
    parameter_sets: &[
        &[],
        &[("SQUARE", "1")],
        &[U64[0], U64[2], ("ARITHMETIC", "1")],
        &[U64[0], U64[2], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("SQUARE", "1")],
        &[U64[0], U64[2], ("ARITHMETIC", "2")],
    ],
};

/// Cyclic products to the coefficients wanted: overlaps added, residues modulo several primes combined.
pub static TRANSFORM_STORE: Unit = Unit {
    path: "kernels/poly/transform_store.cl",
    source: text!("poly/transform_store.cl"),
    parts: residue_parts![],
    entries: &["transform_store"],
    parameter_sets: &[
        &[],
        &[("WRAP", "1")],
        &[("SPLIT", "1"), ("PRIMES", "1")],
        &[("PRIMES", "3")],
        &[("PRIMES", "2"), ("DIGIT", "ulong"), ("WIDE", "ulong"), ("WRAP", "1")],
        &[U64[0], U64[2], ("ARITHMETIC", "1"), ("WIDE", "ulong"), ("PRIMES", "5"), ("SPLIT", "1")],
        &[U64[0], U64[2], ("ARITHMETIC", "1"), ("WIDE", "ulong"), ("DIGIT", "ulong"), ("PRIMES", "3"), ("WRAP", "1")],
        &[U64[0], U64[2], ("ARITHMETIC", "2"), ("DIGIT", "ulong"), ("WIDE", "ulong"), ("SPLIT", "1"), ("WRAP", "1")],
    ],
};

/// Products of rows that fit a tile, in one launch.
pub static TRANSFORM_TILE: Unit = Unit {
    path: "kernels/poly/transform_tile.cl",
    source: text!("poly/transform_tile.cl"),
    parts: round_parts![&TRANSFORM_ROWS],
    entries: &["transform_tile"],
    parameter_sets: &[
        &[],
        &[("SQUARE", "1"), ("LOG_REGS", "3"), ("ROWS", "0")],
        &[("LOG_TILE", "8"), ("LOG_REGS", "3"), ("STAGES", "5"), ("SOURCE", "ulong"), ("REDUCE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("LOG_REGS", "3"), ("SOURCE", "ulong"), ("ROWS", "0")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("LOG_REGS", "3"), ("REDUCE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("LOG_REGS", "3"), ("SOURCE", "ulong")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("LOG_REGS", "3"), ("SOURCE", "ulong"), ("REDUCE", "1")],
    ],
};

/// The lowest index bits of both operands' transforms, the products, and those of the transform back, in one launch.
pub static TRANSFORM_MIDDLE: Unit = Unit {
    path: "kernels/poly/transform_middle.cl",
    source: text!("poly/transform_middle.cl"),
    parts: round_parts![],
    entries: &["transform_middle"],
    parameter_sets: &[
        &[],
        &[("SQUARE", "1"), ("LOG_TILE", "12")],
        &[("LOG_TILE", "12"), ("LOG_REGS", "3")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("SQUARE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3")],
    ],
};

/// Coefficients to the first pass of their transforms.
pub static TRANSFORM_LOAD_COLUMNS: Unit = Unit {
    path: "kernels/poly/transform_load_columns.cl",
    source: text!("poly/transform_load_columns.cl"),
    parts: round_parts![&NTT_COLUMN_LAYOUT, &TRANSFORM_ROWS],
    entries: &["transform_load_columns"],
    parameter_sets: &[
        &[],
        &[("LOG_TILE", "12"), ("LOG_SEGMENT", "4"), ("REDUCE", "1")],
        &[("SOURCE", "ulong"), ("REDUCE", "1"), ("LOG_SEGMENT", "8")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("SOURCE", "ulong")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("SOURCE", "ulong")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("REDUCE", "1")],
    ],
};

/// The last pass of inverse transforms to coefficients.
pub static TRANSFORM_STORE_COLUMNS: Unit = Unit {
    path: "kernels/poly/transform_store_columns.cl",
    source: text!("poly/transform_store_columns.cl"),
    parts: round_parts![&NTT_COLUMN_LAYOUT],
    entries: &["transform_store_columns"],
    parameter_sets: &[
        &[],
        &[("INVERSE", "1")],
        &[("INVERSE", "1"), ("LOG_TILE", "12"), ("LOG_SEGMENT", "4")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("INVERSE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("INVERSE", "1"), ("LOG_SEGMENT", "8")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("INVERSE", "1")],
    ],
};
