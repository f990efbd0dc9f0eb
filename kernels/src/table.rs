//! The table of units.

use crate::unit::{Defines, Part, Unit};

macro_rules! text {
    ($path:literal) => {
        include_str!(concat!("../", $path))
    };
}

static TILE_LAYOUT: Part =
    Part { path: "kernels/transform/tile_layout.clh", source: text!("transform/tile_layout.clh") };

static RESIDUES: Part = Part { path: "kernels/field/residues.clh", source: text!("field/residues.clh") };

static WORD32: Part = Part { path: "kernels/field/word32.clh", source: text!("field/word32.clh") };

static WORD64: Part = Part { path: "kernels/field/word64.clh", source: text!("field/word64.clh") };

static GOLDILOCKS: Part = Part { path: "kernels/field/goldilocks.clh", source: text!("field/goldilocks.clh") };

static MONTGOMERY: Part = Part { path: "kernels/field/montgomery.clh", source: text!("field/montgomery.clh") };

static FLOATING: Part = Part { path: "kernels/field/floating.clh", source: text!("field/floating.clh") };

static NTT_ROUNDS: Part = Part { path: "kernels/transform/ntt_rounds.clh", source: text!("transform/ntt_rounds.clh") };

static WALSH_REGISTERS: Part =
    Part { path: "kernels/transform/walsh_registers.clh", source: text!("transform/walsh_registers.clh") };

static WALSH_TILE_STAGES: Part =
    Part { path: "kernels/transform/walsh_tile.clh", source: text!("transform/walsh_tile.clh") };

static WALSH_SPILL: Part =
    Part { path: "kernels/transform/walsh_spill.clh", source: text!("transform/walsh_spill.clh") };

const F64: [(&str, &str); 3] = [("ELEMENT", "double"), ("ELEMENT_BYTES", "8"), ("SWIZZLE", "4")];
const I32: [(&str, &str); 2] = [("ELEMENT", "int"), ("ELEMENT_FLOATING", "0")];
const U64: [(&str, &str); 4] =
    [("ELEMENT", "ulong"), ("ELEMENT_BYTES", "8"), ("ELEMENT_FLOATING", "0"), ("SWIZZLE", "4")];
const I64: [(&str, &str); 4] =
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
    parameter_sets: &[&[], &[("GROUP", "256"), ("LOCAL_WORDS", "4096")], &[("GROUP", "256"), ("LOCAL_WORDS", "8192")]],
};

/// Walsh-Hadamard transform of contiguous tiles, in place.
pub static WALSH_TILE: Unit = Unit {
    path: "kernels/transform/walsh_tile.cl",
    source: text!("transform/walsh_tile.cl"),
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
    ],
};

/// Walsh-Hadamard transform of one array by several groups in one launch, out of place.
pub static WALSH_FAN: Unit = Unit {
    path: "kernels/transform/walsh_fan.cl",
    source: text!("transform/walsh_fan.cl"),
    parts: &[&TILE_LAYOUT, &WALSH_REGISTERS, &WALSH_TILE_STAGES],
    entries: &["walsh_fan"],
    parameter_sets: &[
        &[],
        &[("LOG_TILE", "12"), ("TILE_STAGES", "12"), ("LOG_FAN", "3")],
        &[("LOG_TILE", "12"), ("TILE_STAGES", "12"), ("LOG_REGS", "5"), ("LOG_FAN", "1")],
        &[I32[0], I32[1], ("LOG_TILE", "12"), ("TILE_STAGES", "12"), ("LOG_FAN", "3")],
        &[I64[0], I64[1], I64[2], I64[3], ("LOG_TILE", "11"), ("TILE_STAGES", "11")],
        &[F64[0], F64[1], F64[2], ("LOG_TILE", "11"), ("TILE_STAGES", "11"), ("LOG_FAN", "3")],
    ],
};

/// Butterflies of higher index bits: the columns of a matrix, in place.
pub static WALSH_COLUMNS: Unit = Unit {
    path: "kernels/transform/walsh_columns.cl",
    source: text!("transform/walsh_columns.cl"),
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
    ],
};

/// Walsh-Hadamard transform in constant geometry, several steps a pass, out of place.
pub static WALSH_GEOMETRY: Unit = Unit {
    path: "kernels/transform/walsh_geometry.cl",
    source: text!("transform/walsh_geometry.cl"),
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
    ],
};

/// Number-theoretic transform of contiguous tiles, in place.
pub static NTT_TILE: Unit = Unit {
    path: "kernels/transform/ntt_tile.cl",
    source: text!("transform/ntt_tile.cl"),
    parts: &[&RESIDUES, &WORD32, &WORD64, &GOLDILOCKS, &FLOATING, &TILE_LAYOUT, &NTT_ROUNDS],
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
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("TWIST", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("INVERSE", "1"), ("SCALE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("TWIST", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("INVERSE", "1"), ("SCALE", "1")],
    ],
};

/// Number-theoretic transform of the higher index bits: the columns of a matrix, in place.
pub static NTT_COLUMNS: Unit = Unit {
    path: "kernels/transform/ntt_columns.cl",
    source: text!("transform/ntt_columns.cl"),
    parts: &[&RESIDUES, &WORD32, &WORD64, &GOLDILOCKS, &FLOATING, &TILE_LAYOUT, &NTT_ROUNDS],
    entries: &["ntt_columns"],
    parameter_sets: &[
        &[],
        &[("INVERSE", "1"), ("SCALE", "1")],
        &[("LOG_TILE", "13"), ("LOG_REGS", "5"), ("TWIST", "1")],
        &[("LOG_TILE", "12"), ("LOG_REGS", "4"), ("TWIST", "1"), ("INVERSE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("INVERSE", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("TWIST", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("TWIST", "1")],
    ],
};

/// Products modulo p one after another, by each of the multiplications.
pub static PRODUCTS: Unit = Unit {
    path: "kernels/field/products.cl",
    source: text!("field/products.cl"),
    parts: &[&RESIDUES, &WORD32, &WORD64, &GOLDILOCKS, &FLOATING, &MONTGOMERY],
    entries: &["products", "butterflies"],
    parameter_sets: &[
        &[],
        &[("METHOD", "1"), ("CHAINS", "8u")],
        &[("METHOD", "2")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("MOD_LAZY", "1"), ("METHOD", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "1"), ("METHOD", "2")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "2"), ("METHOD", "1")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("METHOD", "0")],
        &[U64[0], U64[1], U64[2], U64[3], ("ARITHMETIC", "3"), ("METHOD", "1")],
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
    &NTT_TILE,
    &NTT_COLUMNS,
    &BIT_REVERSAL,
    &PRODUCTS,
    &WALSH_TILE,
    &WALSH_FAN,
    &WALSH_COLUMNS,
    &WALSH_GEOMETRY,
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
