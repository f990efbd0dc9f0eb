//! The plain loops of transforms whose matrix is a Kronecker power of a matrix of order 2, and the orders of their results.

use manycore_arrays::orders::{BitOrder, Order};

use crate::threads;

/// `(u, v)` becomes `step(u, v)` for each pair of values whose indices differ in one bit, bit after bit; `z` has a power of two
/// values. Depth first: `n 2^(n-1)` steps.
pub(crate) fn transform<N: Copy + Send>(z: &mut [N], step: &(impl Fn(N, N) -> [N; 2] + Sync)) {
    fn part<N: Copy + Send>(levels: u32, z: &mut [N], step: &(impl Fn(N, N) -> [N; 2] + Sync)) {
        if z.len() < 2 {
            return;
        }
        let values = z.len();
        let (low, high) = z.split_at_mut(values / 2);
        threads::join(levels, values, |levels| part(levels, low, step), |levels| part(levels, high, step));
        for (u, v) in low.iter_mut().zip(high) {
            [*u, *v] = step(*u, *v);
        }
    }
    part(threads::levels(), z, step);
}

/// The lowest `bits` bits of an index in reversed order.
pub(crate) fn reversed(index: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { index.reverse_bits() >> (usize::BITS - bits) }
}

/// The row of the Hadamard matrix that stands at `row` of an order: sequency order counts by the sign changes of rows, so that
/// the bits are those of the Gray code, reversed (N. J. Fine 1949; J. L. Walsh 1923).
pub(crate) fn hadamard_row(order: Order, row: usize, bits: u32) -> usize {
    match order {
        Order::Hadamard => row,
        Order::Dyadic => reversed(row, bits),
        Order::Sequency => reversed(row ^ row >> 1, bits),
    }
}

/// The natural index of the coefficient at `place` of an order.
pub(crate) fn natural(order: BitOrder, place: usize, bits: u32) -> usize {
    match order {
        BitOrder::Natural => place,
        BitOrder::Reversed => reversed(place, bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_every_bit_is_stepped() {
        let mut z: Vec<u64> = vec![1; 1 << 17];
        transform(&mut z, &|u, v| [u + v, u + v]);
        assert!(z.iter().all(|&sum| sum == 1 << 17));
        let mut z = vec![3, 1, 4, 1];
        transform(&mut z, &|u, v| [u + v, u - v]);
        assert_eq!(z, [9, 5, -1, -1]);
        transform(&mut z[..1], &|_, _| [0, 0]);
        assert_eq!(z[0], 9);
    }

    #[test]
    fn rows_in_sequency_order_change_their_sign_once_more_each() {
        for bits in 0..7u32 {
            for place in 0..1usize << bits {
                let row = hadamard_row(Order::Sequency, place, bits);
                let sign = |column: usize| (row & column).count_ones() % 2;
                let changes = (1..1usize << bits).filter(|&column| sign(column) != sign(column - 1)).count();
                assert_eq!(changes, place);
                assert_eq!(Order::Sequency.natural_index(place, bits), row);
                assert_eq!(Order::Dyadic.natural_index(place, bits), hadamard_row(Order::Dyadic, place, bits));
                assert_eq!(BitOrder::Reversed.natural_index(place, bits), natural(BitOrder::Reversed, place, bits));
            }
        }
    }
}
