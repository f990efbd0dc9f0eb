//! Algorithms of greatest common divisors, and plans: an algorithm with its parameters.

use std::fmt;

/// An algorithm that takes the greatest common divisor of two polynomials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GcdAlgorithm {
    /// Euclid's: remainders again and again. On the host.
    Euclid,
    /// Steps that cancel one leading coefficient each, without divisions (paper 002, algorithms 20 to 23, corrected). On
    /// OpenCL devices.
    Steps,
    /// Division steps, whose number depends on the degrees alone (Bernstein and Yang, 2019). On OpenCL devices.
    DivisionSteps,
    /// Half-gcd: the quotients by divide and conquer over products (Knuth 1970; Moenck 1973; Thull and Yap 1990).
    HalfGcd,
}

impl GcdAlgorithm {
    /// Its name: `euclid`, `steps`, `division-steps` or `half-gcd`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Euclid => "euclid",
            Self::Steps => "steps",
            Self::DivisionSteps => "division-steps",
            Self::HalfGcd => "half-gcd",
        }
    }
}

impl fmt::Display for GcdAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How steps are dealt to launches and to groups; see `gcd_steps.cl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Segments {
    /// Steps between two exchanges of coefficients between groups: with 1 it is the naive algorithm.
    pub steps: u32,
    /// Coefficients of a group, of each polynomial.
    pub width: u32,
    /// Items of a group.
    pub group: u32,
    /// Whether all steps are made in one launch, in which groups wait for each other: on NVIDIA's GPUs, with no more groups
    /// than compute units; elsewhere for polynomials of one group.
    pub persistent: bool,
}

impl Segments {
    /// Words of local memory: the first coefficients, a group's own ones and those behind, of both polynomials, and one by which
    /// groups wait.
    pub const fn local_words(&self) -> u64 {
        2 * (2 * self.steps as u64 + self.width as u64) + self.persistent as u64
    }

    /// What is wrong with them on a device, if anything.
    pub(super) fn fault(&self, group_limit: usize, local_bytes: usize, word_bytes: usize) -> Option<String> {
        if self.steps == 0 || self.width == 0 {
            return Some("a group needs a step and a coefficient at least".into());
        }
        if self.group == 0 || self.group as usize > group_limit {
            return Some(format!("groups have at most {group_limit} items"));
        }
        let bytes = self.local_words().saturating_mul(word_bytes as u64);
        (bytes > local_bytes as u64).then(|| format!("{bytes} bytes of local memory, of {local_bytes}"))
    }
}

impl fmt::Display for Segments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { steps, width, group, persistent } = self;
        let between = if *persistent { "a round of one launch" } else { "a launch" };
        write!(f, "{steps} {between}, {width} coefficients a group of {group}")
    }
}

/// How pairs of polynomials are dealt to groups that hold them in local memory; see `gcd_batch.cl`. Base-2 logarithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packing {
    /// Items of a group.
    pub log_group: u32,
    /// Pairs of a group.
    pub log_pack: u32,
}

impl Packing {
    /// Words of local memory for polynomials of up to `len` coefficients; `None` past the address space.
    pub fn local_words(self, len: usize) -> Option<u64> {
        (2 * capacity(len)? as u64).checked_shl(self.log_pack)
    }

    /// What is wrong with it on a device, if anything.
    pub(super) fn fault(self, len: usize, group_limit: usize, local_bytes: usize, word_bytes: usize) -> Option<String> {
        if self.log_group > 16 || 1usize << self.log_group > group_limit {
            return Some(format!("groups have at most {group_limit} items"));
        }
        if self.log_pack > self.log_group {
            return Some("a pair needs an item at least".into());
        }
        let bytes = self.local_words(len).map_or(u64::MAX, |words| words.saturating_mul(word_bytes as u64));
        (bytes > local_bytes as u64).then(|| format!("{bytes} bytes of local memory, of {local_bytes}"))
    }
}

/// The coefficients that a kernel has room for, for polynomials of up to `len`: few sizes, so that few kernels are built.
pub(super) fn capacity(len: usize) -> Option<usize> {
    const LEAST: usize = 64;
    len.max(LEAST).checked_next_power_of_two().filter(|&capacity| u32::try_from(capacity).is_ok())
}

impl fmt::Display for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "groups of {}", 1u64 << self.log_group)?;
        if self.log_pack > 0 { write!(f, " with {} pairs", 1u64 << self.log_pack) } else { Ok(()) }
    }
}

/// An algorithm for greatest common divisors with its parameters, as candidates are;
/// [`PolyRing::gcd_by`](crate::PolyRing::gcd_by) takes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GcdPlan {
    /// Euclid's algorithm on the host.
    Euclid,
    /// Steps on a device, some of them between two exchanges of coefficients.
    Steps(Segments),
    /// Division steps on a device, some of them between two exchanges of coefficients.
    DivisionSteps(Segments),
    /// All steps in one launch on a device, within the local memory of one group.
    Local(Packing),
    /// Half-gcd on any device.
    Half {
        /// The quotients of this degree together are found by Euclid's algorithm; at most the largest transition of the device.
        base: usize,
    },
}

impl GcdPlan {
    /// Its algorithm.
    pub const fn algorithm(&self) -> GcdAlgorithm {
        match self {
            Self::Euclid => GcdAlgorithm::Euclid,
            Self::Steps(_) | Self::Local(_) => GcdAlgorithm::Steps,
            Self::DivisionSteps(_) => GcdAlgorithm::DivisionSteps,
            Self::Half { .. } => GcdAlgorithm::HalfGcd,
        }
    }
}

impl fmt::Display for GcdPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Euclid => f.write_str("Euclid"),
            Self::Steps(segments) => write!(f, "steps, {segments}"),
            Self::DivisionSteps(segments) => write!(f, "division steps, {segments}"),
            Self::Local(packing) => write!(f, "steps in local memory, {packing}"),
            Self::Half { base } => write!(f, "half-gcd, Euclid's quotients up to degree {base}"),
        }
    }
}

/// The sizes of a greatest common divisor, or of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GcdShape {
    /// Pairs of polynomials.
    pub count: usize,
    /// Coefficients of one of a pair.
    pub n: usize,
    /// Coefficients of the other.
    pub m: usize,
}

impl GcdShape {
    /// Coefficients of the longer one.
    pub fn longest(&self) -> usize {
        self.n.max(self.m)
    }

    /// Steps that cancel a leading coefficient each, at most: each lowers the number of coefficients of both together.
    pub(super) fn steps(&self) -> u64 {
        (self.n as u64).saturating_add(self.m as u64).saturating_sub(1)
    }
}
