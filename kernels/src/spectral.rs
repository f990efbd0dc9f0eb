//! The units of the Walsh-Hadamard transform and its kin.

use crate::table::{F64, I32, I64, TILE_LAYOUT, text};
use crate::unit::{Part, Unit};

static HAAR: Part = Part { path: "kernels/spectral/haar.clh", source: text!("spectral/haar.clh") };

static WALSH_REGISTERS: Part =
    Part { path: "kernels/spectral/walsh_registers.clh", source: text!("spectral/walsh_registers.clh") };

static WALSH_TILE_STAGES: Part =
    Part { path: "kernels/spectral/walsh_tile.clh", source: text!("spectral/walsh_tile.clh") };

static WALSH_SPILL: Part = Part { path: "kernels/spectral/walsh_spill.clh", source: text!("spectral/walsh_spill.clh") };

/// Walsh-Hadamard transform of contiguous tiles, in place.
pub static WALSH_TILE: Unit = Unit {
    path: "kernels/spectral/walsh_tile.cl",
    source: text!("spectral/walsh_tile.cl"),
    parts: &[&TILE_LAYOUT, &WALSH_REGISTERS, &WALSH_SPILL, &WALSH_TILE_STAGES],
    entries: &["walsh_tile"],
    parameter_sets: &[
        &[],
        &[("LOG_TILE", "12"), ("STAGES", "1")],
        &[("LOG_TILE", "12"), ("STAGES", "2")],
        &[("LOG_TILE", "12"), ("STAGES", "7")],
        &[("LOG_TILE", "12"), ("STAGES", "12"), ("LOG_REGS", "5")],
        &[("LOG_TILE", "11"), ("STAGES", "12"), ("LOG_SPILL", "1")],
        &[("LOG_TILE", "11"), ("STAGES", "13"), ("LOG_SPILL", "2")],
        &[I32[0], I32[1], ("LOG_TILE", "12"), ("STAGES", "12")],
        &[I64[0], I64[1], I64[2], I64[3], ("LOG_TILE", "11"), ("STAGES", "11")],
        &[F64[0], F64[1], F64[2], ("LOG_TILE", "11"), ("STAGES", "3")],
        &[F64[0], F64[1], F64[2], ("LOG_TILE", "11"), ("STAGES", "12"), ("LOG_SPILL", "1")],
        &[I64[0], I64[1], I64[2], I64[3], ("STAGES", "10"), ("BUTTERFLY", "1")],
        &[
            I64[0],
            I64[1],
            I64[2],
            I64[3],
            ("STAGES", "11"),
            ("LOG_SPILL", "1"),
            ("BUTTERFLY", "1"),
            ("UNIT_LOG_BITS", "0"),
        ],
        &[I32[0], I32[1], ("STAGES", "10"), ("BUTTERFLY", "2")],
        &[("STAGES", "10"), ("BUTTERFLY", "3")],
    ],
};

/// Walsh-Hadamard transform of one array by several groups in one launch, out of place.
pub static WALSH_FAN: Unit = Unit {
    path: "kernels/spectral/walsh_fan.cl",
    source: text!("spectral/walsh_fan.cl"),
    parts: &[&TILE_LAYOUT, &WALSH_REGISTERS, &WALSH_TILE_STAGES],
    entries: &["walsh_fan"],
    parameter_sets: &[
        &[],
        &[("LOG_TILE", "12"), ("TILE_STAGES", "12"), ("LOG_FAN", "3")],
        &[("LOG_TILE", "12"), ("TILE_STAGES", "12"), ("LOG_REGS", "5"), ("LOG_FAN", "1")],
        &[I32[0], I32[1], ("LOG_TILE", "12"), ("TILE_STAGES", "12"), ("LOG_FAN", "3")],
        &[I64[0], I64[1], I64[2], I64[3], ("LOG_TILE", "11"), ("TILE_STAGES", "11")],
        &[F64[0], F64[1], F64[2], ("LOG_TILE", "11"), ("TILE_STAGES", "11"), ("LOG_FAN", "3")],
        &[I64[0], I64[1], I64[2], I64[3], ("BUTTERFLY", "1"), ("UNIT_LOG_BITS", "3")],
        &[("BUTTERFLY", "2")],
        &[I32[0], I32[1], ("BUTTERFLY", "3")],
    ],
};

/// Butterflies of higher index bits: the columns of a matrix, in place.
pub static WALSH_COLUMNS: Unit = Unit {
    path: "kernels/spectral/walsh_columns.cl",
    source: text!("spectral/walsh_columns.cl"),
    parts: &[&TILE_LAYOUT, &WALSH_REGISTERS],
    entries: &["walsh_columns"],
    parameter_sets: &[
        &[],
        &[("LOG_TILE", "12")],
        &[("LOG_TILE", "7"), ("LOG_SEGMENT", "6")],
        &[("LOG_TILE", "13"), ("LOG_REGS", "5")],
        &[("LOG_TILE", "11"), ("LOG_SPILL", "1")],
        &[("LOG_TILE", "11"), ("LOG_SPILL", "2")],
        &[I32[0], I32[1], ("LOG_TILE", "12")],
        &[I64[0], I64[1], I64[2], I64[3], ("LOG_TILE", "11"), ("LOG_SEGMENT", "4")],
        &[F64[0], F64[1], F64[2], ("LOG_TILE", "11"), ("LOG_SEGMENT", "4"), ("LOG_SPILL", "1")],
        &[I64[0], I64[1], I64[2], I64[3], ("LOG_SEGMENT", "4"), ("LOG_SPILL", "1"), ("BUTTERFLY", "1")],
        &[("BUTTERFLY", "2")],
        &[I32[0], I32[1], ("BUTTERFLY", "3")],
    ],
};

/// Walsh-Hadamard transform in constant geometry, several steps a pass, out of place.
pub static WALSH_GEOMETRY: Unit = Unit {
    path: "kernels/spectral/walsh_geometry.cl",
    source: text!("spectral/walsh_geometry.cl"),
    parts: &[&TILE_LAYOUT, &WALSH_REGISTERS],
    entries: &["walsh_geometry"],
    parameter_sets: &[
        &[],
        &[("LOG_TILE", "10"), ("STAGES", "1"), ("RUN", "9"), ("SPREAD", "1")],
        &[("LOG_TILE", "12"), ("STAGES", "7"), ("SPREAD", "7")],
        &[("LOG_TILE", "12"), ("STAGES", "12"), ("RUN", "0"), ("SPREAD", "7"), ("SEQUENCY", "1")],
        &[("LOG_TILE", "12"), ("STAGES", "7"), ("SPREAD", "7"), ("BUTTERFLIES", "0")],
        &[I32[0], I32[1], ("LOG_TILE", "12"), ("STAGES", "6"), ("RUN", "0"), ("SPREAD", "1")],
        &[I64[0], I64[1], I64[2], I64[3], ("LOG_TILE", "11"), ("STAGES", "6"), ("SPREAD", "6")],
        &[F64[0], F64[1], F64[2], ("LOG_TILE", "11"), ("STAGES", "6"), ("SPREAD", "6")],
        &[I32[0], I32[1], ("STAGES", "6"), ("SPREAD", "6"), ("BUTTERFLY", "1")],
        &[("STAGES", "6"), ("SPREAD", "6"), ("BUTTERFLY", "2")],
        &[I64[0], I64[1], I64[2], I64[3], ("STAGES", "6"), ("SPREAD", "6"), ("BUTTERFLY", "3")],
    ],
};

/// The dyadic shift `x[i] -> x[i ^ by]`, in place.
pub static DYADIC_SHIFT: Unit = Unit {
    path: "kernels/spectral/dyadic_shift.cl",
    source: text!("spectral/dyadic_shift.cl"),
    parts: &[],
    entries: &["dyadic_shift"],
    parameter_sets: &[&[], &[("WITHIN_WORDS", "1")], &[("ELEMENT", "uchar")]],
};

/// Reed-Muller transforms within words.
pub static REED_MULLER_WORDS: Unit = Unit {
    path: "kernels/spectral/reed_muller_words.cl",
    source: text!("spectral/reed_muller_words.cl"),
    parts: &[],
    entries: &["reed_muller_words"],
    parameter_sets: &[&[], &[("ELEMENT", "uint")], &[("ELEMENT", "ushort")]],
};

/// Haar transform, out of place.
pub static HAAR_FORWARD: Unit = Unit {
    path: "kernels/spectral/haar_forward.cl",
    source: text!("spectral/haar_forward.cl"),
    parts: &[&HAAR],
    entries: &["haar_forward"],
    parameter_sets: &[
        &[],
        &[("LOG_TILE", "8"), ("LEVELS", "1")],
        &[("LOG_TILE", "12"), ("LEVELS", "12"), ("NORMALIZED", "1")],
        &[I32[0], I32[1], ("LEVELS", "7")],
        &[I64[0], I64[1], I64[2], ("LEVELS", "2")],
        &[F64[0], F64[1], ("LEVELS", "3"), ("NORMALIZED", "1")],
    ],
};

/// Inverse Haar transform, out of place.
pub static HAAR_INVERSE: Unit = Unit {
    path: "kernels/spectral/haar_inverse.cl",
    source: text!("spectral/haar_inverse.cl"),
    parts: &[&HAAR],
    entries: &["haar_inverse"],
    parameter_sets: &[
        &[],
        &[("LOG_TILE", "8"), ("LEVELS", "1")],
        &[("LOG_TILE", "12"), ("LEVELS", "12"), ("NORMALIZED", "1")],
        &[I32[0], I32[1], ("LEVELS", "7")],
        &[I64[0], I64[1], I64[2], ("LEVELS", "2")],
        &[F64[0], F64[1], ("LEVELS", "3"), ("NORMALIZED", "1")],
    ],
};

/// Haar transform and its inverse, in place.
pub static HAAR_IN_PLACE: Unit = Unit {
    path: "kernels/spectral/haar_in_place.cl",
    source: text!("spectral/haar_in_place.cl"),
    parts: &[&HAAR],
    entries: &["haar_in_place"],
    parameter_sets: &[
        &[],
        &[("LOG_TILE", "8"), ("LEVELS", "1"), ("INVERSE", "1"), ("STRIDED", "1")],
        &[("LOG_TILE", "12"), ("LEVELS", "12"), ("NORMALIZED", "1")],
        &[I32[0], I32[1], ("LEVELS", "7"), ("INVERSE", "1"), ("STRIDED", "1")],
        &[I64[0], I64[1], I64[2], ("LEVELS", "2")],
        &[F64[0], F64[1], ("LEVELS", "3"), ("NORMALIZED", "1")],
    ],
};
