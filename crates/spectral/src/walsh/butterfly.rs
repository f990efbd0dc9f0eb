//! The butterflies and the algorithms of the transforms that share passes: Walsh-Hadamard, Reed-Muller, arithmetic.

use manycore_device::Defines;

/// What is done to each pair `(u, v)` of values whose indices differ in one bit (paper 001, Table 1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Butterfly {
    /// Walsh-Hadamard: `(u + v, u - v)`.
    #[default]
    Walsh,
    /// Reed-Muller: `(u, u xor v)`, on words of 64 bits that hold values of `2^log_unit_bits` bits each, or on single values.
    ReedMuller {
        /// The base-2 logarithm of a value's bits, at most 6; 6 also where words are values of any width.
        log_unit_bits: u32,
    },
    /// Arithmetic: `(u, v - u)`.
    Arithmetic,
    /// Inverse arithmetic: `(u, u + v)`.
    ArithmeticInverse,
}

impl Butterfly {
    /// The defines that make a kernel do it.
    pub(super) fn define(self, defines: Defines) -> Defines {
        match self {
            Self::Walsh => defines,
            Self::ReedMuller { log_unit_bits: 6 } => defines.set("BUTTERFLY", 1u8),
            Self::ReedMuller { log_unit_bits } => defines.set("BUTTERFLY", 1u8).set("UNIT_LOG_BITS", log_unit_bits),
            Self::Arithmetic => defines.set("BUTTERFLY", 2u8),
            Self::ArithmeticInverse => defines.set("BUTTERFLY", 3u8),
        }
    }

    /// The transform's name, and those of its steps in profiles: in place, in constant geometry, reordering.
    pub(super) const fn names(self) -> [&'static str; 4] {
        match self {
            Self::Walsh => ["walsh", "walsh_in_place", "walsh_geometry", "walsh_order"],
            Self::ReedMuller { .. } => {
                ["reed_muller", "reed_muller_in_place", "reed_muller_geometry", "reed_muller_order"]
            }
            Self::Arithmetic | Self::ArithmeticInverse => {
                ["arithmetic", "arithmetic_in_place", "arithmetic_geometry", "arithmetic_order"]
            }
        }
    }
}

/// A fast algorithm of the Walsh-Hadamard transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// In place; gives natural order, and other orders by a permutation afterwards.
    #[default]
    CooleyTukey,
    /// Out of place with two buffers that swap; gives dyadic or sequency order directly.
    ConstantGeometry,
}
