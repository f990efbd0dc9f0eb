//! Checks of results at a fraction of the cost of a second computation.
//!
//! Each takes `x`, `y` and a [`Shape`], and tells whether `y = W x` can be: `y` are the coefficients of `x` (the values
//! times the length, for an inverse), transform by transform, with the rows of `W` in the order of the shape. All three
//! Walsh-Hadamard matrices are symmetric, so both directions are the same relation.

mod modular;
mod random;
mod reals;
mod wrapping;

pub use modular::check as exact;
pub use random::SplitMix;
pub use reals::check as reals;
pub use wrapping::check as wrapping;

use manycore::Order;

/// What transforms a result holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The length of one transform, a power of two.
    pub len: usize,
    /// The order of the rows.
    pub order: Order,
}

impl Shape {
    /// The base-2 logarithm of the length.
    pub fn log_len(self) -> u32 {
        self.len.ilog2()
    }

    /// Whether the entry of the matrix at this row and column is -1.
    fn is_negative(self, row: usize, column: usize) -> bool {
        manycore::transform::walsh::reference::is_negative(row, column, self.log_len(), self.order)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use manycore::transform::walsh::reference::walsh_hadamard;
    use manycore::{Order, Scalar};

    use super::{Shape, SplitMix};

    /// Values and their true coefficients for every order and several shapes: shape, values, coefficients.
    pub(crate) fn cases<T: Scalar>(value: impl Fn(u64) -> T) -> Vec<(Shape, Vec<T>, Vec<T>)> {
        let mut random = SplitMix::new(7);
        let mut cases = Vec::new();
        for order in Order::ALL {
            for (log_len, count) in [(0, 1), (0, 3), (1, 1), (3, 5), (6, 2), (7, 1)] {
                let shape = Shape { len: 1 << log_len, order };
                let x: Vec<T> = (0..count << log_len).map(|_| value(random.next_word())).collect();
                let y = x.chunks(shape.len).flat_map(|block| walsh_hadamard(block, order).unwrap()).collect();
                cases.push((shape, x, y));
            }
        }
        cases
    }
}
