//! Memory traffic of a product before and after a reordering, by counts.

use manycore_model::cache::{Geometry, Report};

use crate::pattern::Pattern;

/// Bytes of a column index.
const INDEX_BYTES: u64 = 4;

/// Bytes that a product moves between memory and cache, in two orders of one matrix.
///
/// The matrix is read once, as are its offsets, and `y` is written: these bytes are the same in every order. Of `x` each
/// miss moves a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prediction {
    /// Misses on `x` before.
    pub before: Report,
    /// Misses on `x` after.
    pub after: Report,
    /// Bytes of a line.
    pub line_bytes: u64,
    /// Bytes of the matrix and of `y`.
    pub streamed_bytes: u64,
}

impl Prediction {
    /// The prediction for a matrix with values of `value_bytes`, column indices of 4 bytes and offsets of 4 bytes.
    pub fn new(pattern: &Pattern, geometry: Geometry, value_bytes: u64, before: Report, after: Report) -> Self {
        let (rows, non_zeros) = (pattern.rows() as u64, pattern.non_zeros() as u64);
        let streamed_bytes = non_zeros * (INDEX_BYTES + value_bytes) + rows * (INDEX_BYTES + value_bytes);
        Self { before, after, line_bytes: geometry.line_words().saturating_mul(value_bytes), streamed_bytes }
    }

    /// Bytes of a product before.
    pub fn bytes_before(&self) -> u64 {
        self.streamed_bytes.saturating_add(self.before.misses.saturating_mul(self.line_bytes))
    }

    /// Bytes of a product after.
    pub fn bytes_after(&self) -> u64 {
        self.streamed_bytes.saturating_add(self.after.misses.saturating_mul(self.line_bytes))
    }

    /// The part of a product's bytes that is saved, at most 1; negative where there are more afterwards, 0 for none.
    pub fn saved_part(&self) -> f64 {
        match self.bytes_before() {
            0 => 0.0,
            before => 1.0 - self.bytes_after() as f64 / before as f64,
        }
    }

    /// The number of products after which a reordering that takes `seconds` has paid for itself, where memory moves
    /// `bytes_per_second`; `None` where it never has.
    pub fn products_to_pay(&self, seconds: f64, bytes_per_second: f64) -> Option<u64> {
        let saved_bytes = self.bytes_before().checked_sub(self.bytes_after()).filter(|&bytes| bytes > 0)?;
        let products = (seconds * bytes_per_second / saved_bytes as f64).ceil();
        (products >= 0.0 && products < u64::MAX as f64).then_some(products as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_as_told() {
        let pattern = Pattern::from_parts(2, 3, vec![0, 2, 3], vec![0, 2, 1]);
        let report = |misses| Report { accesses: 3, misses, compulsory: 1 };
        let geometry = Geometry::with_lines(4, 8).unwrap();
        let prediction = Prediction::new(&pattern, geometry, 8, report(3), report(1));
        assert_eq!((prediction.bytes_before(), prediction.bytes_after()), (60 + 192, 60 + 64));
        assert!((prediction.saved_part() - 128.0 / 252.0).abs() < 1e-15);
        // 128 bytes saved a product; 1 s at 1000 bytes/s is 1000 bytes.
        assert_eq!(prediction.products_to_pay(1.0, 1000.0), Some(8));
        assert_eq!(prediction.products_to_pay(f64::NAN, 1000.0), None);
        let worse = Prediction::new(&pattern, geometry, 8, report(1), report(3));
        assert!(worse.saved_part() < 0.0 && worse.products_to_pay(1.0, 1000.0).is_none());
    }
}
