#![doc = include_str!("../README.md")]

pub mod arithmetic;
pub mod boolean;
pub mod boolean_function;
pub mod characters;
mod compared;
pub mod haar;
mod modular;
mod number;
mod outcome;
pub mod product;
mod random;
mod reals;
pub mod sbox;
mod threads;
mod wrapping;

pub use modular::check as exact;
pub use number::{Integer, Real};
pub use outcome::{Chance, CheckError, Outcome, Passed, collected, equal, reserved};
pub use random::SplitMix;
pub use reals::check as reals;
pub use wrapping::check as wrapping;

use manycore_spectral::{BitOrder, Order};

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
        manycore_spectral::walsh::reference::is_negative(row, column, self.log_len(), self.order)
    }
}

/// What Reed-Muller or arithmetic transforms a result holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitShape {
    /// The variables of one function, which has two to their power values.
    pub variables: u32,
    /// The order of the coefficients.
    pub order: BitOrder,
    /// The variables that stand complemented.
    pub polarity: u64,
}

impl BitShape {
    /// The length of one transform.
    fn len(self) -> usize {
        1 << self.variables
    }

    /// The weights of the coefficients at a point, `(1, t)` for each index bit in their order.
    fn rows<T: Copy>(self, point: &[T], one: T) -> Vec<(T, T)> {
        let pairs = point.iter().map(|&t| (one, t));
        if self.order == BitOrder::Reversed { pairs.rev().collect() } else { pairs.collect() }
    }

    /// The weights of the values at the same point: `(1 - t, t)` for each variable, turned round where it is complemented.
    fn columns<T: Copy>(self, point: &[T], one_less: impl Fn(T) -> T) -> Vec<(T, T)> {
        let pairs = point.iter().map(|&t| (one_less(t), t)).enumerate();
        pairs.map(|(bit, (zero, one))| if self.polarity >> bit & 1 == 1 { (one, zero) } else { (zero, one) }).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use manycore_spectral::walsh::reference::walsh_hadamard;
    use manycore_spectral::{Order, Scalar};

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
