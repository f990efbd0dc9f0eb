//! The units of dense linear algebra.

use crate::table::{ACCUMULATE, COMBINE, F64, MEET, RESIDUES, U64, WORD32, residue_parts, text};
use crate::unit::{Part, Unit};

static REAL_TILES: Part = Part { path: "kernels/linalg/real_tiles.clh", source: text!("linalg/real_tiles.clh") };

static REAL_PANEL: Part = Part { path: "kernels/linalg/real_panel.clh", source: text!("linalg/real_panel.clh") };

static INVERSE: Part = Part { path: "kernels/linalg/inverse.clh", source: text!("linalg/inverse.clh") };

/// Products of matrices.
pub static MATRIX_PRODUCT: Unit = Unit {
    path: "kernels/linalg/product.cl",
    source: text!("linalg/product.cl"),
    parts: residue_parts![&ACCUMULATE],
    entries: &["matrix_product"],
    parameter_sets: &[
        &[],
        &[("STORE", "2"), ("SUM_TERMS", "4"), ("SIDE", "16u"), ("REGS", "4u"), ("DEPTH", "16u")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("SUM_TERMS", "4"), ("STORE", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Products of matrices by digits.
pub static PRODUCT_DIGITS: Unit = Unit {
    path: "kernels/linalg/product_digits.cl",
    source: text!("linalg/product_digits.cl"),
    parts: residue_parts![],
    entries: &["product_digits"],
    parameter_sets: &[
        &[],
        &[("DIGITS", "1u"), ("ROW_TILES", "4u"), ("COLUMN_TILES", "4u"), ("STORE", "1")],
        &[("DIGITS", "3u"), ("STORE", "2")],
        &[
            U64[0],
            ("ARITHMETIC", "1"),
            ("DIGITS", "8u"),
            ("ROW_TILES", "1u"),
            ("WARP_ROWS", "4u"),
            ("WARP_COLUMNS", "2u"),
        ],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("DIGITS", "6u"), ("ROW_TILES", "1u"), ("STORE", "2")],
        &[U64[0], ("ARITHMETIC", "2"), ("DIGITS", "8u"), ("ROW_TILES", "1u"), ("STORE", "1")],
    ],
};

/// Operations on entries one by one, and copies of blocks.
pub static ENTRIES: Unit = Unit {
    path: "kernels/linalg/entries.cl",
    source: text!("linalg/entries.cl"),
    parts: residue_parts![],
    entries: &[
        "entries_combine",
        "entries_transpose",
        "entries_copy",
        "entries_unit",
        "entries_take",
        "entries_differ",
        "entries_pick",
    ],
    parameter_sets: &[
        &[],
        &[("OPERATION", "1")],
        &[("OPERATION", "2"), ("GROUP", "64")],
        &[U64[0], ("ARITHMETIC", "1"), ("OPERATION", "2")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], ("ARITHMETIC", "2"), ("OPERATION", "1")],
        &[U64[0], ("ARITHMETIC", "3"), ("OPERATION", "2")],
    ],
};

/// Steps of Gauss-Jordan elimination.
pub static ELIMINATE: Unit = Unit {
    path: "kernels/linalg/eliminate.cl",
    source: text!("linalg/eliminate.cl"),
    parts: residue_parts![&INVERSE],
    entries: &["eliminate_pivot", "eliminate_exchange", "eliminate_update", "eliminate_permute"],
    parameter_sets: &[
        &[],
        &[("GROUP", "64u"), ("BAND", "8u")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Steps of condensation.
pub static CONDENSE: Unit = Unit {
    path: "kernels/linalg/condense.cl",
    source: text!("linalg/condense.cl"),
    parts: residue_parts![&ACCUMULATE, &INVERSE],
    entries: &["condense_pivot", "condense_step"],
    parameter_sets: &[
        &[],
        &[("GROUP", "64u"), ("BAND", "8u")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Steps of the reduction to Hessenberg form.
pub static HESSENBERG: Unit = Unit {
    path: "kernels/linalg/hessenberg.cl",
    source: text!("linalg/hessenberg.cl"),
    parts: residue_parts![&ACCUMULATE, &INVERSE],
    entries: &[
        "hessenberg_pivot",
        "hessenberg_exchange",
        "hessenberg_columns",
        "hessenberg_rows",
        "hessenberg_combine",
    ],
    parameter_sets: &[
        &[],
        &[("GROUP", "64u"), ("BAND", "8u"), ("SUM_TERMS", "4")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("SUM_TERMS", "4")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Determinants of many small matrices.
pub static DETERMINANTS: Unit = Unit {
    path: "kernels/linalg/determinants.cl",
    source: text!("linalg/determinants.cl"),
    parts: residue_parts![&ACCUMULATE, &INVERSE],
    entries: &["determinants", "determinants_modulo"],
    parameter_sets: &[
        &[],
        &[("GROUP", "64u"), ("CAPACITY", "4096u")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Residues of integers of any number of words.
pub static INTEGER_RESIDUES: Unit = Unit {
    path: "kernels/linalg/integer_residues.cl",
    source: text!("linalg/integer_residues.cl"),
    parts: &[&RESIDUES, &WORD32],
    entries: &["integer_residues"],
    parameter_sets: &[&[], &[("GROUP", "64u")]],
};

/// Inverses of many small matrices.
pub static INVERSES: Unit = Unit {
    path: "kernels/linalg/inverses.cl",
    source: text!("linalg/inverses.cl"),
    parts: residue_parts![&ACCUMULATE, &COMBINE, &INVERSE],
    entries: &["inverses"],
    parameter_sets: &[
        &[],
        &[("MONTGOMERY", "1"), ("SIDE", "16u"), ("REGS", "4u")],
        &[U64[0], ("ARITHMETIC", "1"), ("MONTGOMERY", "1"), ("SIDE", "8u"), ("REGS", "4u")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Steps of condensation in floating point.
pub static REAL: Unit = Unit {
    path: "kernels/linalg/real.cl",
    source: text!("linalg/real.cl"),
    parts: &[],
    entries: &["real_range", "real_candidates", "real_choose", "real_factors", "real_step"],
    parameter_sets: &[
        &[],
        &[("RULE", "1")],
        &[F64[0], F64[1], ("RULE", "2"), ("GROUP", "64u")],
        &[F64[0], F64[1]],
        &[F64[0], F64[1], ("RULE", "1")],
    ],
};

/// Elimination in floating point by blocks of rows.
pub static REAL_BLOCKS: Unit = Unit {
    path: "kernels/linalg/real_blocks.cl",
    source: text!("linalg/real_blocks.cl"),
    parts: &[&REAL_TILES],
    entries: &["block_step", "block_multipliers", "block_update"],
    parameter_sets: &[
        &[],
        &[F64[0], F64[1], ("RULE", "0")],
        &[
            F64[0],
            F64[1],
            ("BLOCK", "32u"),
            ("WIDTH", "32u"),
            ("GROUP", "256u"),
            ("LINE", "16u"),
            ("SIDE", "16u"),
            ("REGS", "4u"),
        ],
    ],
};

/// Elimination in floating point in one launch.
pub static REAL_WHOLE: Unit = Unit {
    path: "kernels/linalg/real_whole.cl",
    source: text!("linalg/real_whole.cl"),
    parts: &[&MEET, &REAL_TILES, &REAL_PANEL],
    entries: &["real_eliminate"],
    parameter_sets: &[
        &[],
        &[("KEPT", "2u"), ("RULE", "0")],
        &[F64[0], F64[1], ("KEPT", "2u"), ("PANELS", "64u"), ("REDUX", "1")],
        &[
            F64[0],
            F64[1],
            ("BLOCK", "32u"),
            ("PANELS", "32u"),
            ("REDUX", "1"),
            ("GROUP", "256u"),
            ("LINE", "16u"),
            ("SIDE", "16u"),
            ("REGS", "4u"),
        ],
    ],
};

/// What bounds of the error of determinants in floating point take.
pub static REAL_BOUND: Unit = Unit {
    path: "kernels/linalg/real_bound.cl",
    source: text!("linalg/real_bound.cl"),
    parts: &[&REAL_TILES],
    entries: &["bound_begin", "bound_solve", "bound_update", "bound_product", "bound_sums"],
    parameter_sets: &[
        &[],
        &[F64[0], F64[1]],
        &[F64[0], F64[1], ("BLOCK", "32u"), ("GROUP", "256u"), ("SIDE", "16u"), ("REGS", "4u")],
    ],
};

/// Elimination of a small matrix in one launch.
pub static ECHELON: Unit = Unit {
    path: "kernels/linalg/echelon.cl",
    source: text!("linalg/echelon.cl"),
    parts: residue_parts![&INVERSE],
    entries: &["echelon_local"],
    parameter_sets: &[
        &[],
        &[("GROUP", "256u"), ("CAPACITY", "4096u")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Products of matrices of bits.
pub static BITS_PRODUCT: Unit = Unit {
    path: "kernels/linalg/bits_product.cl",
    source: text!("linalg/bits_product.cl"),
    parts: &[],
    entries: &["bits_product"],
    parameter_sets: &[&[], &[("SIDE", "16u")]],
};

/// Products of matrices of bits by tables.
pub static BITS_TABLES: Unit = Unit {
    path: "kernels/linalg/bits_tables.cl",
    source: text!("linalg/bits_tables.cl"),
    parts: &[],
    entries: &["bits_product_tables"],
    parameter_sets: &[&[], &[("REGS", "16u"), ("LINES", "8u")], &[("REGS", "2u"), ("BITS", "5u")]],
};

/// Copies, exchanges and transposes of rows of bits.
pub static BITS_ROWS: Unit = Unit {
    path: "kernels/linalg/bits_rows.cl",
    source: text!("linalg/bits_rows.cl"),
    parts: &[],
    entries: &["bits_copy", "bits_add", "bits_swap", "bits_transpose"],
    parameter_sets: &[&[], &[("GROUP", "64u")]],
};
