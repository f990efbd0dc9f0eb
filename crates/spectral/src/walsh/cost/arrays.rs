//! The arrays of a transform, and the key of their choice.

use manycore_arrays::orders::Order;
use manycore_device::WordType;

use crate::walsh::butterfly::{Algorithm, Butterfly};

/// What is transformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrays {
    /// Arrays side by side.
    pub count: usize,
    /// The base-2 logarithm of the values of one.
    pub log_len: u32,
    /// Their type.
    pub element: WordType,
}

impl Arrays {
    /// Values of all arrays, at most `u64::MAX`.
    pub fn values(&self) -> u64 {
        u64::try_from((self.count as u128) << self.log_len).unwrap_or(u64::MAX)
    }

    /// Bytes of all arrays, at most `u64::MAX`.
    pub fn bytes(&self) -> u64 {
        self.values().saturating_mul(self.element.bytes() as u64)
    }
}

/// The key of a choice among the candidates of a transform of `arrays`, but for their number and their length.
pub(super) fn key(butterfly: Butterfly, order: Order, algorithm: Algorithm, arrays: &Arrays) -> String {
    let unit = match butterfly {
        Butterfly::ReedMuller { log_unit_bits } => format!(" of 2^{log_unit_bits} bits"),
        _ => String::new(),
    };
    let algorithm = match algorithm {
        Algorithm::CooleyTukey => "in place",
        Algorithm::ConstantGeometry => "constant geometry",
    };
    let [name, ..] = butterfly.names();
    format!("{name}{unit}, {}, {order} order, {algorithm}", arrays.element.name())
}
