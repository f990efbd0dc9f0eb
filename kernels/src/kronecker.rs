//! The units of Kronecker transforms.

use crate::table::{F64, I32, U64, residue_parts, text};
use crate::unit::{Part, Unit};

static KRONECKER_VALUE: Part = Part { path: "kernels/kronecker/value.clh", source: text!("kronecker/value.clh") };

static KRONECKER_MATRICES: Part =
    Part { path: "kernels/kronecker/matrices.clh", source: text!("kronecker/matrices.clh") };

static KRONECKER_MULTIPLY: Part =
    Part { path: "kernels/kronecker/multiply.clh", source: text!("kronecker/multiply.clh") };

/// A pass of a Kronecker transform: numbers and complex numbers.
pub static KRONECKER_PASS: Unit = Unit {
    path: "kernels/kronecker/pass.cl",
    source: text!("kronecker/pass.cl"),
    parts: &[
        &KRONECKER_VALUE,
        &KRONECKER_MATRICES,
        &KRONECKER_MULTIPLY,
        &KRONECKER_MULTIPLY,
        &KRONECKER_MULTIPLY,
        &KRONECKER_MULTIPLY,
    ],
    entries: &["kronecker_pass"],
    parameter_sets: &[
        &[],
        &[("CONTIGUOUS", "0"), ("PIECES", "1"), ("COLUMNS", "32"), ("STRIDE_0", "96"), ("STRIDE_1", "32")],
        &[
            ("ROUNDS", "1"),
            ("STAGE_IN", "0"),
            ("STAGE_OUT", "0"),
            ("ROWS", "4"),
            ("REGISTERS_0", "4"),
            ("STRIDE_0", "1"),
            ("DIVIDED", "1"),
            ("DIVISOR", "E(0.25f)"),
        ],
        &[I32[0], I32[1], ("DIVIDED", "1"), ("DIVISOR", "E(12)")],
        &[("COMPUTATION", "1"), ("SIGNS_1", "0"), ("Q_1", "1"), ("MATRIX_1", "E(1.0f)E(0.0f)")],
        &[F64[0], F64[1], ("COMPUTATION", "1"), ("SIGNS_0", "0"), ("Q_0", "1"), ("MATRIX_0", "E(0.5)E(-1.5)")],
    ],
};

/// The same for residues.
pub static KRONECKER_PASS_RESIDUES: Unit = Unit {
    path: "kernels/kronecker/pass.cl",
    source: text!("kronecker/pass.cl"),
    parts: residue_parts![
        &KRONECKER_VALUE,
        &KRONECKER_MATRICES,
        &KRONECKER_MULTIPLY,
        &KRONECKER_MULTIPLY,
        &KRONECKER_MULTIPLY,
        &KRONECKER_MULTIPLY
    ],
    entries: &["kronecker_pass"],
    parameter_sets: &[
        &[],
        &[("SIGNS_0", "0"), ("Q_0", "1"), ("MATRIX_0", "E(5u)E(7u)"), ("DIVIDED", "1"), ("DIVISOR", "E(5u)E(7u)")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "2"), ("SIGNS_0", "0"), ("Q_0", "1"), ("MATRIX_0", "E(5ul)E(0ul)")],
    ],
};
