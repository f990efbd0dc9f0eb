//! Numbers of operations by kind.

use manycore_model::{Machine, Operation};

/// Numbers of operations by kind, as the source of a kernel or of the host's code has them.
///
/// A multiplication with the addition of its product is one operation, as is any other addition, subtraction, minimum,
/// comparison or shift. Of 64-bit words the latter are two operations on words of 32 bits: that is what devices with
/// lanes of 32 bits do, and the room that they take in vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Operations {
    /// On 32-bit words.
    pub int32: u64,
    /// Multiplications of 64-bit words, a result of one word each.
    pub int64: u64,
    /// In double precision.
    pub f64: u64,
    /// On the host, on one number at a time.
    pub scalar: u64,
}

impl Operations {
    /// None.
    pub const NONE: Self = Self { int32: 0, int64: 0, f64: 0, scalar: 0 };

    /// A number of operations on 32-bit words.
    pub const fn int32(int32: u64) -> Self {
        Self { int32, ..Self::NONE }
    }

    /// A number of operations in double precision.
    pub const fn f64(f64: u64) -> Self {
        Self { f64, ..Self::NONE }
    }

    /// A number of operations on one number at a time.
    pub const fn scalar(scalar: u64) -> Self {
        Self { scalar, ..Self::NONE }
    }

    /// Multiplications of 64-bit words, and additions and their like.
    pub const fn long(multiplications: u64, additions: u64) -> Self {
        Self { int32: 2 * additions, int64: multiplications, ..Self::NONE }
    }

    /// These and others.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            int32: self.int32.saturating_add(other.int32),
            int64: self.int64.saturating_add(other.int64),
            f64: self.f64.saturating_add(other.f64),
            scalar: self.scalar.saturating_add(other.scalar),
        }
    }

    /// These but for others, none of a kind where those are more.
    #[must_use]
    pub const fn less(self, other: Self) -> Self {
        Self {
            int32: self.int32.saturating_sub(other.int32),
            int64: self.int64.saturating_sub(other.int64),
            f64: self.f64.saturating_sub(other.f64),
            scalar: self.scalar.saturating_sub(other.scalar),
        }
    }

    /// These, `count` times.
    #[must_use]
    pub const fn times(self, count: u64) -> Self {
        Self {
            int32: self.int32.saturating_mul(count),
            int64: self.int64.saturating_mul(count),
            f64: self.f64.saturating_mul(count),
            scalar: self.scalar.saturating_mul(count),
        }
    }

    /// A part of these, rounded up.
    #[must_use]
    pub const fn shared(self, parts: u64) -> Self {
        let parts = if parts == 0 { 1 } else { parts };
        Self {
            int32: self.int32.div_ceil(parts),
            int64: self.int64.div_ceil(parts),
            f64: self.f64.div_ceil(parts),
            scalar: self.scalar.div_ceil(parts),
        }
    }

    const fn by_kind(self) -> [(Operation, u64); 4] {
        [
            (Operation::F64, self.f64),
            (Operation::Int64, self.int64),
            (Operation::Scalar, self.scalar),
            (Operation::Int32, self.int32),
        ]
    }

    /// The kind that stands for all of them in a kernel: of those that there are, the one with the slowest lanes.
    pub fn kind(self) -> Operation {
        self.by_kind().into_iter().find(|(_, count)| *count > 0).map_or(Operation::Int32, |(kind, _)| kind)
    }

    /// The equivalent number of operations of [`Operations::kind`] on `machine`, by its rates.
    pub fn of_one_kind(self, machine: &Machine) -> u64 {
        let rate = machine.rate(self.kind());
        let of = |(kind, count): (Operation, u64)| {
            if kind == self.kind() { count } else { (count as f64 * (rate / machine.rate(kind))).ceil() as u64 }
        };
        self.by_kind().into_iter().filter(|(_, count)| *count > 0).map(of).fold(0, u64::saturating_add)
    }

    /// The seconds in which all processors of `machine` do them; infinite where it has no such operations.
    pub fn seconds(self, machine: &Machine) -> f64 {
        let of = |(kind, count): (Operation, u64)| count as f64 / machine.rate(kind);
        self.by_kind().into_iter().filter(|(_, count)| *count > 0).map(of).sum()
    }

    /// Whether one processor does them at once, while `bytes` go through memory, sooner than all do them after a
    /// launch: the longest of transfers and operations counts.
    pub fn suit_one_processor(self, bytes: u64, machine: &Machine) -> bool {
        let rate = machine.memory_rate(None, Some(bytes));
        let own_rate = machine.processor_bandwidth * (rate / machine.bandwidth);
        let (operations, bytes) = (self.seconds(machine), bytes as f64);
        let all = operations.max(bytes / rate);
        let alone = (operations * f64::from(machine.processors)).max(bytes / own_rate);
        alone <= all + machine.launch_seconds
    }
}

#[cfg(test)]
mod tests {
    use manycore_model::machine::{Class, Rates};

    use super::*;

    fn machine() -> Machine {
        let class = Class {
            name: "a host".into(),
            vendor: String::new(),
            processors: 4,
            clock_hz: 0,
            local_bytes: 0,
            block_threads: 1,
            fp64: true,
        };
        let rates = Rates { int32: 8e9, int64: 2e9, f32: 8e9, f64: 4e9, scalar: Some(1e9) };
        Machine { rates, launch_seconds: 1e-6, ..class.host() }
    }

    #[test]
    fn other_kinds_count_by_their_rates() {
        let machine = machine();
        assert_eq!(Operations::int32(7).of_one_kind(&machine), 7);
        let long = Operations::long(3, 5);
        assert_eq!((long.kind(), long.of_one_kind(&machine)), (Operation::Int64, 3 + 3), "10 of 32 bits as 2.5");
        assert!((long.seconds(&machine) - (3.0 / 2e9 + 10.0 / 8e9)).abs() < 1e-18);
        assert_eq!(Operations::NONE.of_one_kind(&machine), 0);
        assert_eq!(Operations::f64(u64::MAX).plus(Operations::f64(1)).times(2), Operations::f64(u64::MAX));
        let none = Machine { rates: Rates { f64: 0.0, ..machine.rates }, ..machine };
        assert!(Operations::f64(1).seconds(&none).is_infinite());
    }

    #[test]
    fn few_operations_suit_one_processor() {
        let machine = machine();
        // One of four processors does 2000 in a microsecond, and all of them in a quarter of it.
        assert!(Operations::int32(2600).suit_one_processor(0, &machine));
        assert!(!Operations::int32(2700).suit_one_processor(0, &machine));
        let alone = Machine { processors: 1, ..machine.clone() };
        assert!(Operations::int32(u64::MAX).suit_one_processor(0, &alone));
        // Memory that all processors move faster than one: 2 MB of a cache.
        assert!(Operations::NONE.suit_one_processor(1 << 10, &machine));
        assert!(!Operations::NONE.suit_one_processor(2 << 20, &machine));
    }
}
