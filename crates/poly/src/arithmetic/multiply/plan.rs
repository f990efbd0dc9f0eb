//! Algorithms of products, and plans: an algorithm with its parameters.

use std::fmt;

use super::transform::Route;

/// An algorithm that multiplies polynomials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// The definition, every coefficient a sum of products: one launch on a device.
    Plain,
    /// The definition in the two phases of paper 002, algorithms 11 to 13: products by `x` coefficients of the shorter
    /// factor each, then a tree of additions. On OpenCL devices.
    TwoPhase {
        /// Coefficients of the shorter factor for each row.
        x: usize,
    },
    /// Three products of half the length instead of four, again and again (Karatsuba and Ofman, 1962). On the host.
    Karatsuba,
    /// Number-theoretic transforms modulo the prime itself, or modulo several primes with Chinese remainders.
    Transform,
}

impl Algorithm {
    /// Its name, without parameters: `plain`, `two-phase`, `karatsuba` or `transform`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::TwoPhase { .. } => "two-phase",
            Self::Karatsuba => "karatsuba",
            Self::Transform => "transform",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TwoPhase { x } => write!(f, "{} with x = {x}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

/// How a group of a device makes coefficients of plain products; see `product_tile.cl`. Base-2 logarithms but for
/// `outputs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Neighbouring coefficients of an item: 4 or 8.
    pub outputs: u32,
    /// Items that share a part of the sums.
    pub log_slots: u32,
    /// Parts into which the sums are cut.
    pub log_segments: u32,
    /// Products of a group.
    pub log_pack: u32,
    /// Terms that are staged in local memory at a time.
    pub log_chunk: u32,
}

impl Tile {
    /// The base-2 logarithm of the items of a group.
    pub const fn log_group(&self) -> u32 {
        self.log_slots + self.log_segments + self.log_pack
    }

    /// Coefficients of a product that a group makes.
    pub const fn width(&self) -> usize {
        (self.outputs as usize) << self.log_slots
    }

    /// Words of local memory.
    pub const fn local_words(&self) -> u64 {
        let staged = ((2u64 << self.log_chunk) + self.width() as u64) << self.log_pack;
        let sums =
            if self.log_segments == 0 { 0 } else { (self.width() as u64) << (self.log_pack + self.log_segments) };
        if staged > sums { staged } else { sums }
    }

    /// What is wrong with the shape, if anything.
    pub(super) fn fault(&self, group_limit: usize, local_bytes: usize, word_bytes: usize) -> Option<String> {
        if !matches!(self.outputs, 4 | 8) {
            return Some(format!("items make 4 or 8 coefficients, not {}", self.outputs));
        }
        let small = self.log_slots <= 16 && self.log_segments <= 16 && self.log_pack <= 16;
        if !small || self.log_group() > 16 || 1usize << self.log_group() > group_limit {
            return Some(format!("groups have at most {group_limit} items"));
        }
        if self.log_chunk < self.log_segments + 2 || self.log_chunk > 20 {
            return Some(format!("2^{} terms do not go round 2^{} segments", self.log_chunk, self.log_segments));
        }
        let bytes = self.local_words() * word_bytes as u64;
        (bytes > local_bytes as u64).then(|| format!("{bytes} bytes of local memory, of {local_bytes}"))
    }
}

impl Tile {
    /// All but the terms at a time.
    pub(super) fn form(&self) -> String {
        let Self { outputs, log_segments, log_pack, .. } = self;
        let pack = if *log_pack > 0 { format!(", {} products a group", 1 << log_pack) } else { String::new() };
        format!("{} coefficients a group, {outputs} an item{pack}, sums in {} parts", self.width(), 1 << log_segments)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} terms at a time", self.form(), 1 << self.log_chunk)
    }
}

/// An algorithm for products with its parameters, as candidates are; [`PolyRing::mul_by`](crate::PolyRing::mul_by)
/// takes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Plan {
    /// By the definition on the host.
    Plain,
    /// By the definition on a device.
    PlainTile(Tile),
    /// In two phases on a device.
    TwoPhase {
        /// Coefficients of the shorter factor for each row.
        x: usize,
        /// Items of a group.
        group: usize,
    },
    /// Karatsuba's on the host.
    Karatsuba {
        /// Factors of fewer coefficients are multiplied by the definition.
        base: usize,
    },
    /// By number-theoretic transforms.
    Transform(Route),
}

impl Plan {
    /// Its algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        match self {
            Self::Plain | Self::PlainTile(_) => Algorithm::Plain,
            Self::TwoPhase { x, .. } => Algorithm::TwoPhase { x: *x },
            Self::Karatsuba { .. } => Algorithm::Karatsuba,
            Self::Transform(_) => Algorithm::Transform,
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain => f.write_str("plain"),
            Self::PlainTile(tile) => write!(f, "plain, {tile}"),
            Self::TwoPhase { x, group } => write!(f, "two phases, x = {x}, groups of {group}"),
            Self::Karatsuba { base } => write!(f, "Karatsuba, plain below {base} coefficients"),
            Self::Transform(route) => write!(f, "{route}"),
        }
    }
}
