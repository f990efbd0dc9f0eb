//! The table of units.

use crate::boolean::{BOOLEAN_CLASSES, BOOLEAN_DIFFERENCES, BOOLEAN_FUNCTION, BOOLEAN_MASKS, BOOLEAN_TALLY};
use crate::characters::{CHARACTERS_DIRECT, CHARACTERS_KRONECKER, CHARACTERS_KRONECKER_RESIDUES};
use crate::codes::CODES_COMBINE;
use crate::division::{DIVIDE_HEADS, DIVIDE_PAIRS, DIVIDE_SUBTRACT};
use crate::fourier::{
    FOURIER_DENSE, FOURIER_DENSE_RESIDUES, FOURIER_TILE, FOURIER_TILE_RESIDUES, FOURIER_WEIGH, FOURIER_WEIGH_RESIDUES,
};
use crate::gcd::{GCD_BATCH, GCD_STEPS};
use crate::kronecker::{KRONECKER_PASS, KRONECKER_PASS_RESIDUES};
use crate::linalg::{
    BITS_PRODUCT, BITS_ROWS, BITS_TABLES, CONDENSE, DETERMINANTS, ECHELON, ELIMINATE, ENTRIES, HESSENBERG,
    INTEGER_RESIDUES, INVERSES, MATRIX_PRODUCT, PRODUCT_DIGITS, REAL, REAL_BLOCKS, REAL_BOUND, REAL_WHOLE,
};
use crate::products::{
    TRANSFORM_LOAD, TRANSFORM_LOAD_COLUMNS, TRANSFORM_MIDDLE, TRANSFORM_PRODUCT, TRANSFORM_STORE,
    TRANSFORM_STORE_COLUMNS, TRANSFORM_TILE, TRANSFORM_TWIST,
};
use crate::self_test::{SELF_TEST_DOUBLE, SELF_TEST_RESIDUES, SELF_TEST_WORDS};
use crate::sparse::{SPARSE_MERGE, SPARSE_MERGE_RESIDUES, SPARSE_ROWS, SPARSE_ROWS_RESIDUES, SPARSE_VECTORS};
use crate::spectral::{
    DYADIC_SHIFT, HAAR_FORWARD, HAAR_IN_PLACE, HAAR_INVERSE, REED_MULLER_WORDS, WALSH_COLUMNS, WALSH_FAN,
    WALSH_GEOMETRY, WALSH_TILE,
};
use crate::transition::GCD_TRANSITION;
use crate::tree::{PROGRESSION, TREE_LEAVES, TREE_NODES, TREE_REMAINDERS, TREE_WEIGHTS};
use crate::unit::{Defines, Part, Unit};

macro_rules! text {
    ($path:literal) => {
        include_str!(concat!("../", $path))
    };
}
pub(crate) use text;

/// The parts of a unit that computes with residues, and more.
macro_rules! residue_parts {
    ($($more:expr),*) => {
        &[
            &crate::table::RESIDUES,
            &crate::table::WORD32,
            &crate::table::WORD64,
            &crate::table::GOLDILOCKS,
            &crate::table::FLOATING,
            $($more),*
        ]
    };
}
pub(crate) use residue_parts;

/// The parts of a unit with rounds of number-theoretic transforms, and more.
macro_rules! round_parts {
    ($($more:expr),*) => {
        crate::table::residue_parts![
            &crate::table::GOLDILOCKS_WIDE,
            &crate::table::GOLDILOCKS_WORDS,
            &crate::table::TILE_LAYOUT,
            &crate::table::NTT_ROUNDS
            $(, $more)*
        ]
    };
}
pub(crate) use round_parts;

pub(crate) static TILE_LAYOUT: Part =
    Part { path: "kernels/transform/tile_layout.clh", source: text!("transform/tile_layout.clh") };

static NTT_KEEP: Part = Part { path: "kernels/transform/ntt_keep.clh", source: text!("transform/ntt_keep.clh") };

pub(crate) static MEET: Part = Part { path: "kernels/device/meet.clh", source: text!("device/meet.clh") };

pub(crate) static RESIDUES: Part = Part { path: "kernels/field/residues.clh", source: text!("field/residues.clh") };

pub(crate) static WORD32: Part = Part { path: "kernels/field/word32.clh", source: text!("field/word32.clh") };

pub(crate) static WORD64: Part = Part { path: "kernels/field/word64.clh", source: text!("field/word64.clh") };

pub(crate) static GOLDILOCKS: Part =
    Part { path: "kernels/field/goldilocks.clh", source: text!("field/goldilocks.clh") };

pub(crate) static MONTGOMERY: Part =
    Part { path: "kernels/field/montgomery.clh", source: text!("field/montgomery.clh") };

pub(crate) static FLOATING: Part = Part { path: "kernels/field/floating.clh", source: text!("field/floating.clh") };

pub(crate) static GOLDILOCKS_WIDE: Part =
    Part { path: "kernels/field/goldilocks_wide.clh", source: text!("field/goldilocks_wide.clh") };
pub(crate) static GOLDILOCKS_WORDS: Part =
    Part { path: "kernels/field/goldilocks_words.clh", source: text!("field/goldilocks_words.clh") };
pub(crate) static NTT_ROUNDS: Part =
    Part { path: "kernels/transform/ntt_rounds.clh", source: text!("transform/ntt_rounds.clh") };

pub(crate) static NTT_COLUMN_LAYOUT: Part =
    Part { path: "kernels/transform/ntt_columns.clh", source: text!("transform/ntt_columns.clh") };

pub(crate) static ACCUMULATE: Part = Part { path: "kernels/poly/accumulate.clh", source: text!("poly/accumulate.clh") };
pub(crate) static COMBINE: Part = Part { path: "kernels/field/combine.clh", source: text!("field/combine.clh") };

pub(crate) const F64: [(&str, &str); 3] = [("ELEMENT", "double"), ("ELEMENT_BYTES", "8"), ("SWIZZLE", "4")];
pub(crate) const I32: [(&str, &str); 2] = [("ELEMENT", "int"), ("ELEMENT_FLOATING", "0")];
pub(crate) const U64: [(&str, &str); 4] =
    [("ELEMENT", "ulong"), ("ELEMENT_BYTES", "8"), ("ELEMENT_FLOATING", "0"), ("SWIZZLE", "4")];
pub(crate) const I64: [(&str, &str); 4] =
    [("ELEMENT", "long"), ("ELEMENT_BYTES", "8"), ("ELEMENT_FLOATING", "0"), ("SWIZZLE", "4")];

/// Fills a buffer with a pattern of 16 bytes.
pub static FILL: Unit = Unit {
    path: "kernels/device/fill.cl",
    source: text!("device/fill.cl"),
    parts: &[],
    entries: &["fill"],
    parameter_sets: &[&[]],
};

/// Counts the words of static local memory that a group gets.
pub static LOCAL_PROBE: Unit = Unit {
    path: "kernels/device/local_probe.cl",
    source: text!("device/local_probe.cl"),
    parts: &[],
    entries: &["local_probe"],
    parameter_sets: &[&[]],
};

/// Multiply-adds in independent chains and in one.
pub static CALIBRATE_RATE: Unit = Unit {
    path: "kernels/device/calibrate_rate.cl",
    source: text!("device/calibrate_rate.cl"),
    parts: &[],
    entries: &["calibrate_rate", "calibrate_latency"],
    parameter_sets: &[
        &[],
        &[("ELEMENT", "float")],
        &[("ELEMENT", "ulong"), ("ELEMENT_BYTES", "8")],
        &[("ELEMENT", "double"), ("ELEMENT_BYTES", "8")],
    ],
};

/// Copies in short runs, and reads that wait for each other.
pub static CALIBRATE_MEMORY: Unit = Unit {
    path: "kernels/device/calibrate_memory.cl",
    source: text!("device/calibrate_memory.cl"),
    parts: &[],
    entries: &["calibrate_copy", "calibrate_chase"],
    parameter_sets: &[&[]],
};

/// Tiles that are loaded, exchanged in local memory and stored.
pub static CALIBRATE_TILE: Unit = Unit {
    path: "kernels/device/calibrate_tile.cl",
    source: text!("device/calibrate_tile.cl"),
    parts: &[],
    entries: &["calibrate_tile"],
    parameter_sets: &[
        &[],
        &[("GROUP", "256"), ("LOCAL_WORDS", "4096")],
        &[("GROUP", "256"), ("LOCAL_WORDS", "8192")],
        &[("ELEMENT", "ulong"), ("LOCAL_WORDS", "1024")],
    ],
};

/// Number-theoretic transform of contiguous tiles, in place.
pub static NTT_TILE: Unit = Unit {
    path: "kernels/transform/ntt_tile.cl",
    source: text!("transform/ntt_tile.cl"),
    parts: round_parts![&NTT_KEEP],
    entries: &["ntt_tile"],
    parameter_sets: &[
        &[],
        &[("INVERSE", "1"), ("SCALE", "1")],
        &[("LOG_TILE", "12"), ("STAGES", "12"), ("LOG_REGS", "5"), ("TWIST", "1")],
        &[("LOG_TILE", "12"), ("STAGES", "12"), ("LOG_REGS", "5"), ("TWIST", "1"), ("INVERSE", "1")],
        &[("LOG_TILE", "8"), ("STAGES", "3"), ("INVERSE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("TWIST", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("TWIST", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("INVERSE", "1"), ("SCALE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("TWIST", "1"), ("MOD_WIDE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("INVERSE", "1"), ("MOD_WIDE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("TWIST", "1"), ("MOD_WIDE", "0")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("INVERSE", "1"), ("SCALE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("TWIST", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("INVERSE", "1"), ("SCALE", "1")],
    ],
};

/// Number-theoretic transform of the higher index bits: the columns of a matrix, in place.
pub static NTT_COLUMNS: Unit = Unit {
    path: "kernels/transform/ntt_columns.cl",
    source: text!("transform/ntt_columns.cl"),
    parts: round_parts![&NTT_COLUMN_LAYOUT, &NTT_KEEP],
    entries: &["ntt_columns"],
    parameter_sets: &[
        &[],
        &[("INVERSE", "1"), ("SCALE", "1")],
        &[("LOG_TILE", "13"), ("LOG_REGS", "5"), ("LOG_STRIDE", "9"), ("TWIST", "1")],
        &[("LOG_TILE", "12"), ("LOG_REGS", "4"), ("LOG_SEGMENT", "4"), ("LOG_STRIDE", "16"), ("TWIST", "1")],
        &[
            ("LOG_TILE", "12"),
            ("LOG_REGS", "4"),
            ("TILE_RUN", "4"),
            ("TILE_GAP", "8"),
            ("TWIST", "1"),
            ("INVERSE", "1"),
        ],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("INVERSE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("TWIST", "2")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("TWIST", "2"), ("INVERSE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("TWIST", "1")],
    ],
};

/// Steps of truncated number-theoretic transforms down the tree of remainders.
pub static NTT_TRUNCATE: Unit = Unit {
    path: "kernels/transform/ntt_truncate.cl",
    source: text!("transform/ntt_truncate.cl"),
    parts: residue_parts![],
    entries: &["truncate_split", "truncate_fold", "truncate_join", "truncate_unfold"],
    parameter_sets: &[
        &[],
        &[("GROUP", "64"), ("LOG_LOW", "4")],
        &[U64[0], U64[2], ("ARITHMETIC", "1")],
        &[U64[0], U64[2], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], U64[2], ("ARITHMETIC", "2")],
        &[U64[0], U64[2], ("ARITHMETIC", "3")],
    ],
};

/// Products of polynomials by their definition, in one launch.
pub static PRODUCT_TILE: Unit = Unit {
    path: "kernels/poly/product_tile.cl",
    source: text!("poly/product_tile.cl"),
    parts: residue_parts![&ACCUMULATE],
    entries: &["product_tile"],
    parameter_sets: &[
        &[],
        &[("LOG_SEGMENTS", "0"), ("LOG_PACK", "3"), ("LOG_SLOTS", "2"), ("OUTPUTS", "8"), ("SUM_TERMS", "4")],
        &[("LOG_SEGMENTS", "6"), ("LOG_SLOTS", "4"), ("LOG_CHUNK", "11"), ("SUM_TERMS", "4"), ("READS", "4")],
        &[U64[0], ("ARITHMETIC", "1"), ("LOG_SEGMENTS", "2"), ("READS", "4")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("SUM_TERMS", "4"), ("OUTPUTS", "8")],
        &[U64[0], ("ARITHMETIC", "2"), ("LOG_PACK", "1")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Products of polynomials in two phases: rows of products, then a tree of additions.
pub static PRODUCT_ROWS: Unit = Unit {
    path: "kernels/poly/product_rows.cl",
    source: text!("poly/product_rows.cl"),
    parts: residue_parts![&ACCUMULATE],
    entries: &["product_rows", "product_add_rows"],
    parameter_sets: &[
        &[],
        &[("GROUP", "256"), ("WIDTH", "64"), ("SUM_TERMS", "4")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("SUM_TERMS", "4")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Operations on the coefficients of polynomials one by one.
pub static ELEMENTWISE: Unit = Unit {
    path: "kernels/poly/elementwise.cl",
    source: text!("poly/elementwise.cl"),
    parts: residue_parts![],
    entries: &["coefficients_combine", "coefficients_highest", "coefficients_differ", "coefficients_random"],
    parameter_sets: &[
        &[],
        &[("OPERATION", "1")],
        &[("OPERATION", "2")],
        &[("OPERATION", "3")],
        &[("OPERATION", "4")],
        &[("OPERATION", "5")],
        &[U64[0], ("ARITHMETIC", "1"), ("OPERATION", "4")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("OPERATION", "3")],
        &[U64[0], ("ARITHMETIC", "2"), ("OPERATION", "2")],
    ],
};

/// Sums of products of blocks of coefficients with rows of a table.
pub static PROJECT: Unit = Unit {
    path: "kernels/poly/project.cl",
    source: text!("poly/project.cl"),
    parts: residue_parts![&ACCUMULATE],
    entries: &["project"],
    parameter_sets: &[
        &[],
        &[("LOG_GROUP", "8"), ("SUM_TERMS", "4")],
        &[U64[0], ("ARITHMETIC", "1")],
        &[U64[0], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("SUM_TERMS", "4")],
        &[U64[0], ("ARITHMETIC", "2")],
        &[U64[0], ("ARITHMETIC", "3")],
    ],
};

/// Products modulo p one after another, by each of the multiplications.
pub static PRODUCTS: Unit = Unit {
    path: "kernels/field/products.cl",
    source: text!("field/products.cl"),
    parts: residue_parts![&MONTGOMERY],
    entries: &["products", "butterflies"],
    parameter_sets: &[
        &[],
        &[("METHOD", "1"), ("CHAINS", "8u")],
        &[("METHOD", "2")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("METHOD", "1")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1"), ("METHOD", "2")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "2"), ("METHOD", "1")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "3"), ("METHOD", "0")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "3"), ("METHOD", "1")],
    ],
};

/// Bit reversal of arrays, in place.
pub static BIT_REVERSAL: Unit = Unit {
    path: "kernels/transform/bit_reversal.cl",
    source: text!("transform/bit_reversal.cl"),
    parts: &[],
    entries: &["reverse_short", "reverse_long"],
    parameter_sets: &[&[], &[("ELEMENT", "ulong"), ("LOG_SIDE", "4")]],
};

/// Every unit.
pub static UNITS: &[&Unit] = &[
    &FILL,
    &LOCAL_PROBE,
    &CALIBRATE_RATE,
    &CALIBRATE_MEMORY,
    &CALIBRATE_TILE,
    &SELF_TEST_WORDS,
    &SELF_TEST_DOUBLE,
    &SELF_TEST_RESIDUES,
    &NTT_TILE,
    &NTT_COLUMNS,
    &NTT_TRUNCATE,
    &BIT_REVERSAL,
    &PRODUCTS,
    &PRODUCT_TILE,
    &PRODUCT_ROWS,
    &ELEMENTWISE,
    &PROJECT,
    &PROGRESSION,
    &TREE_LEAVES,
    &TREE_NODES,
    &TREE_REMAINDERS,
    &TREE_WEIGHTS,
    &DIVIDE_HEADS,
    &DIVIDE_SUBTRACT,
    &DIVIDE_PAIRS,
    &GCD_STEPS,
    &GCD_BATCH,
    &GCD_TRANSITION,
    &WALSH_TILE,
    &WALSH_FAN,
    &WALSH_COLUMNS,
    &WALSH_GEOMETRY,
    &DYADIC_SHIFT,
    &REED_MULLER_WORDS,
    &HAAR_FORWARD,
    &HAAR_INVERSE,
    &HAAR_IN_PLACE,
    &TRANSFORM_LOAD,
    &TRANSFORM_TWIST,
    &TRANSFORM_PRODUCT,
    &TRANSFORM_STORE,
    &TRANSFORM_TILE,
    &TRANSFORM_MIDDLE,
    &TRANSFORM_LOAD_COLUMNS,
    &TRANSFORM_STORE_COLUMNS,
    &CODES_COMBINE,
    &MATRIX_PRODUCT,
    &PRODUCT_DIGITS,
    &ENTRIES,
    &ELIMINATE,
    &ECHELON,
    &CONDENSE,
    &DETERMINANTS,
    &HESSENBERG,
    &INTEGER_RESIDUES,
    &INVERSES,
    &REAL,
    &REAL_BLOCKS,
    &REAL_BOUND,
    &REAL_WHOLE,
    &BITS_PRODUCT,
    &BITS_TABLES,
    &BITS_ROWS,
    &SPARSE_ROWS,
    &SPARSE_ROWS_RESIDUES,
    &SPARSE_MERGE,
    &SPARSE_MERGE_RESIDUES,
    &SPARSE_VECTORS,
    &CHARACTERS_DIRECT,
    &CHARACTERS_KRONECKER,
    &CHARACTERS_KRONECKER_RESIDUES,
    &BOOLEAN_FUNCTION,
    &BOOLEAN_CLASSES,
    &BOOLEAN_TALLY,
    &BOOLEAN_MASKS,
    &BOOLEAN_DIFFERENCES,
    &KRONECKER_PASS,
    &KRONECKER_PASS_RESIDUES,
    &FOURIER_TILE,
    &FOURIER_TILE_RESIDUES,
    &FOURIER_DENSE,
    &FOURIER_DENSE_RESIDUES,
    &FOURIER_WEIGH,
    &FOURIER_WEIGH_RESIDUES,
];

// The sets above name their defines one by one, because constants cannot be concatenated.
const _: Defines = &F64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_stands_in_its_source() {
        for unit in UNITS {
            for entry in unit.entries {
                assert!(unit.source.contains(&format!("void {entry}(")), "{}: no kernel {entry}", unit.path);
            }
            assert_eq!(unit.source.matches("__kernel").count(), unit.entries.len(), "{}", unit.path);
        }
    }

    #[test]
    fn every_parameter_is_one_that_the_text_knows() {
        for unit in UNITS {
            let text = crate::spliced(unit);
            assert!(unit.parameter_sets[0].is_empty(), "{}: the first set is the defaults", unit.path);
            for (name, _) in unit.parameter_sets.iter().copied().flatten() {
                assert!(text.contains(&format!("#ifndef {name}\n")), "{}: {name} has no default", unit.path);
            }
        }
    }
}
