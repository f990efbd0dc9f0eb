//! The units of Fourier transforms on groups.

use crate::table::{F64, U64, residue_parts, text};
use crate::unit::{Defines, Part, Unit};

static NUMBER: Part = Part { path: "kernels/fourier/number.clh", source: text!("fourier/number.clh") };

static CODELETS: Part = Part { path: "kernels/fourier/codelets.clh", source: text!("fourier/codelets.clh") };

const COMPLEX_PARTS: &[&Part] = &[&NUMBER];
const RESIDUE_PARTS: &[&Part] = residue_parts![&NUMBER];

const COMPLEX_SETS: &[Defines] = &[&[], &[F64[0], F64[1]]];
const RESIDUE_SETS: &[Defines] = &[
    &[],
    &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1")],
    &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
    &[U64[0], U64[1], U64[2], ("ARITHMETIC", "2")],
];

/// A tile of 5 * 3 rows, the first step with twiddles, a twist of one table, whole units.
const TWO_STEPS: [(&str, &str); 14] = [
    ("ROWS", "15"),
    ("UNITS", "5"),
    ("RUN", "3"),
    ("STEPS", "2"),
    ("LOAD_ROWS", "1"),
    ("STORE_ROWS", "1"),
    ("TWIST", "1"),
    ("RADIX0", "5"),
    ("STRIDE0", "3"),
    ("INNER0", "1"),
    ("OFFSET0", "0"),
    ("RADIX1", "3"),
    ("STRIDE1", "1"),
    ("INNER1", "1"),
];

/// Passes in tiles, of complex numbers.
pub static FOURIER_TILE: Unit = Unit {
    path: "kernels/fourier/tile.cl",
    source: text!("fourier/tile.cl"),
    parts: &[&NUMBER, &CODELETS],
    entries: &["fourier_tile", "fourier_tile_in_place"],
    parameter_sets: &[
        &[],
        &[F64[0], F64[1], ("TWIST", "2"), ("TWIST_BITS", "7")],
        &[
            TWO_STEPS[0],
            TWO_STEPS[1],
            TWO_STEPS[2],
            TWO_STEPS[3],
            TWO_STEPS[4],
            TWO_STEPS[5],
            TWO_STEPS[6],
            TWO_STEPS[7],
            TWO_STEPS[8],
            TWO_STEPS[9],
            TWO_STEPS[10],
            TWO_STEPS[11],
            TWO_STEPS[12],
            TWO_STEPS[13],
            ("OFFSET1", "12"),
        ],
        &[("RADIX0", "16"), ("STRIDE0", "1"), ("INNER0", "1"), ("OFFSET0", "0"), ("ROWS", "16")],
        &[("RADIX0", "13"), ("STRIDE0", "1"), ("INNER0", "1"), ("OFFSET0", "0"), ("ROWS", "13")],
    ],
};

/// The same of residues.
pub static FOURIER_TILE_RESIDUES: Unit = Unit {
    path: "kernels/fourier/tile.cl",
    source: text!("fourier/tile.cl"),
    parts: residue_parts![&NUMBER, &CODELETS],
    entries: &["fourier_tile", "fourier_tile_in_place"],
    parameter_sets: RESIDUE_SETS,
};

/// Passes by the definition, of complex numbers.
pub static FOURIER_DENSE: Unit = Unit {
    path: "kernels/fourier/dense.cl",
    source: text!("fourier/dense.cl"),
    parts: COMPLEX_PARTS,
    entries: &["fourier_dense"],
    parameter_sets: COMPLEX_SETS,
};

/// The same of residues.
pub static FOURIER_DENSE_RESIDUES: Unit = Unit {
    path: "kernels/fourier/dense.cl",
    source: text!("fourier/dense.cl"),
    parts: RESIDUE_PARTS,
    entries: &["fourier_dense"],
    parameter_sets: RESIDUE_SETS,
};

/// Products by chirps and of spectra, of complex numbers.
pub static FOURIER_WEIGH: Unit = Unit {
    path: "kernels/fourier/weigh.cl",
    source: text!("fourier/weigh.cl"),
    parts: COMPLEX_PARTS,
    entries: &["fourier_weigh", "fourier_weigh_in_place", "fourier_multiply"],
    parameter_sets: COMPLEX_SETS,
};

/// The same of residues.
pub static FOURIER_WEIGH_RESIDUES: Unit = Unit {
    path: "kernels/fourier/weigh.cl",
    source: text!("fourier/weigh.cl"),
    parts: RESIDUE_PARTS,
    entries: &["fourier_weigh", "fourier_weigh_in_place", "fourier_multiply"],
    parameter_sets: RESIDUE_SETS,
};
