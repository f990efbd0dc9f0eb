//! The units of character tables.

use crate::table::{F64, I32, U64, residue_parts, text};
use crate::unit::{Part, Unit};

static CHARACTER_VALUE: Part = Part { path: "kernels/characters/value.clh", source: text!("characters/value.clh") };

/// Character tables by exponents.
pub static CHARACTERS_DIRECT: Unit = Unit {
    path: "kernels/characters/direct.cl",
    source: text!("characters/direct.cl"),
    parts: &[&CHARACTER_VALUE],
    entries: &["characters_direct"],
    parameter_sets: &[
        &[],
        &[("LOOKUP", "1"), ("ROOTS", "4")],
        &[("LOOKUP", "2"), ("PART", "uint"), ("PARTS", "4096"), ("WIDE", "1")],
        &[("LOOKUP", "3"), ("LOG_ORDER", "1")],
        &[F64[0], F64[1], ("LOOKUP", "1"), ("ROOTS", "64")],
        &[("ELEMENT", "uchar"), ("ELEMENT_BYTES", "1"), ("ELEMENT_FLOATING", "0"), ("VALUE_WORDS", "1")],
        &[("ELEMENT", "ushort"), ("ELEMENT_BYTES", "2"), ("ELEMENT_FLOATING", "0"), ("VALUE_WORDS", "1")],
        &[I32[1], ("ELEMENT", "uint"), ("VALUE_WORDS", "1"), ("PART", "uint"), ("WIDE", "1")],
        &[U64[0], U64[1], U64[2], ("VALUE_WORDS", "1"), ("LOOKUP", "1"), ("ROOTS", "8")],
    ],
};

/// A step of the Kronecker construction of character tables: exponents and complex numbers.
pub static CHARACTERS_KRONECKER: Unit = Unit {
    path: "kernels/characters/kronecker.cl",
    source: text!("characters/kronecker.cl"),
    parts: &[&CHARACTER_VALUE],
    entries: &["characters_kronecker"],
    parameter_sets: &[
        &[],
        &[("DIVIDE", "1")],
        &[("Q", "3")],
        &[F64[0], F64[1]],
        &[
            ("ELEMENT", "uchar"),
            ("ELEMENT_BYTES", "1"),
            ("ELEMENT_FLOATING", "0"),
            ("VALUE_WORDS", "1"),
            ("PRODUCT", "0"),
        ],
        &[I32[1], ("ELEMENT", "uint"), ("VALUE_WORDS", "1"), ("PRODUCT", "0")],
    ],
};

/// The same for residues.
pub static CHARACTERS_KRONECKER_RESIDUES: Unit = Unit {
    path: "kernels/characters/kronecker.cl",
    source: text!("characters/kronecker.cl"),
    parts: residue_parts![&CHARACTER_VALUE],
    entries: &["characters_kronecker"],
    parameter_sets: &[
        &[],
        &[("Q", "5")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "1"), ("MOD_LAZY", "1")],
        &[U64[0], U64[1], U64[2], ("ARITHMETIC", "2")],
    ],
};
