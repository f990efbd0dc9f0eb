//! From the residues of coefficients modulo three primes to the words of an integer: digits of a mixed radix (Garner, 1959), the
//! sum of the coefficients times powers of `2^32`.
//!
//! Pieces are summed side by side, each without what the one before carries; the carries between pieces, each below `2^62`, are
//! added afterwards, and rarely go further than two words.

use manycore_device::HostPool;
use manycore_field::crt::Garner;

/// Coefficients of a piece, whose residues and words stay in the nearest cache.
const PIECE: usize = 1 << 11;

/// The words, the lowest first, of the sum of `c_i 2^(32 i)`, one more than coefficients `c_i`, of which `residues` has those
/// modulo each prime; they are overwritten. The sum must fit the words.
pub(super) fn words(pool: &HostPool, garner: &Garner<u32, 3>, residues: [&mut [u32]; 3]) -> Vec<u32> {
    let [x, y, z] = residues;
    let len = x.len();
    let mut words = vec![0; len + 1];
    let mut carries = vec![0; len.div_ceil(PIECE)];
    let digits = x.chunks_mut(PIECE).zip(y.chunks_mut(PIECE)).zip(z.chunks_mut(PIECE));
    let pieces = digits.zip(words[..len].chunks_mut(PIECE).zip(&mut carries));
    let (bytes, operations) = (16 * len as u64, 12 * len as u64);
    pool.step("integer_carry", bytes, operations, || {
        let team = pool.team().only_if(len >= 2 * PIECE);
        team.each(pieces, |(((x, y), z), (words, carry))| *carry = piece(garner, [x, y, z], words));
    });
    for (i, carry) in carries.into_iter().enumerate() {
        let mut carry: u64 = carry;
        let above = &mut words[len.min((i + 1) * PIECE)..];
        for word in above {
            if carry == 0 {
                break;
            }
            let sum = u64::from(*word) + (carry & u64::from(u32::MAX));
            *word = sum as u32;
            carry = (carry >> 32) + (sum >> 32);
        }
    }
    words
}

/// The words of a piece's coefficients, and what is carried beyond: coefficients are below the product of the primes, below `2^93`,
/// so that a carry is below `2^62`.
fn piece(garner: &Garner<u32, 3>, [x, y, z]: [&mut [u32]; 3], words: &mut [u32]) -> u64 {
    let [first, second, _] = garner.moduli().map(u64::from);
    // The lengths are equal.
    let _ = garner.digit_slices([&mut *x, &mut *y, &mut *z]);
    let radix = u128::from(first * second);
    let mut carry = 0u128;
    for (((word, &x), &y), &z) in words.iter_mut().zip(&*x).zip(&*y).zip(&*z) {
        carry += u128::from(u64::from(x) + first * u64::from(y)) + radix * u128::from(z);
        *word = carry as u32;
        carry >>= 32;
    }
    carry as u64
}

#[cfg(test)]
mod tests {
    use manycore_device::{Device, Executor};
    use num_bigint::BigUint;

    use super::*;

    #[test]
    fn the_largest_coefficients_are_carried_across_pieces() {
        let primes = [2_113_929_217u32, 2_130_706_433, 2_147_352_577];
        let garner = Garner::new(primes).unwrap();
        let largest = primes.iter().map(|&p| u128::from(p)).product::<u128>() - 1;
        for device in [Device::host(), Device::host_with(1).unwrap()] {
            let Executor::Host(pool) = device.executor() else { unreachable!() };
            for len in [1, 2, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE + 7] {
                // The last two coefficients are small, so that the sum fits; the others as large as can be, or alternate.
                for step in [1, 2] {
                    let value = |i: usize| match i {
                        _ if i + 2 >= len => 7,
                        _ if i.is_multiple_of(step) => largest,
                        _ => 0,
                    };
                    let mut residues =
                        primes.map(|p| -> Vec<u32> { (0..len).map(|i| (value(i) % u128::from(p)) as u32).collect() });
                    let found = words(pool, &garner, residues.each_mut().map(|x| &mut x[..]));
                    let mut expected = BigUint::default();
                    for i in (0..len).rev() {
                        expected = (expected << 32) + value(i);
                    }
                    assert_eq!(BigUint::new(found), expected, "{len}");
                }
            }
        }
    }
}
