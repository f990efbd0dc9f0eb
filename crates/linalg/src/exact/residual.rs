//! The residual of the right side in p-adic lifting, modulo `2^64` or a power of it.

use manycore_field::{PrimeField, ResidueWord as _};
use num_bigint::BigInt;

use super::IntegerEntry;

/// A right side `r` of as many integers as a square matrix `A` has rows.
pub(super) trait Residual {
    /// The residues of `r`.
    fn residues(&self, field: &PrimeField<u32>, out: &mut [u32]);

    /// `r` becomes `(r - A x) / p` for digits `x` that make the difference a multiple of `p`.
    fn divide(&mut self, digits: &[u32]);
}

/// The inverse of an odd number modulo `2^64`, by Newton's iteration.
#[inline(never)]
fn inverse(p: u32) -> u64 {
    let p = u64::from(p);
    // p p = 1 modulo 8; every step doubles the bits.
    (0..5).fold(p, |x, _| x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x))))
}

/// Integers of a word.
pub(super) struct Narrow {
    matrix: Vec<u64>,
    rest: Vec<u64>,
    inverse: u64,
}

impl Narrow {
    /// A matrix and a right side whose words hold everything that remains.
    pub(super) fn new<T: IntegerEntry>(field: &PrimeField<u32>, matrix: &[T], right: &[BigInt]) -> Self {
        Self {
            matrix: matrix.iter().map(|entry| entry.word(0)).collect(),
            rest: right.iter().map(|entry| entry.word(0)).collect(),
            inverse: inverse(field.modulus()),
        }
    }
}

impl Residual for Narrow {
    fn residues(&self, field: &PrimeField<u32>, out: &mut [u32]) {
        let p = i64::from(field.modulus());
        out.iter_mut()
            .zip(&self.rest)
            .for_each(|(out, &word)| *out = u32::from_u64((word as i64).rem_euclid(p) as u64));
    }

    fn divide(&mut self, digits: &[u32]) {
        for (rest, row) in self.rest.iter_mut().zip(self.matrix.chunks(digits.len().max(1))) {
            let product = row.iter().zip(digits).fold(0u64, |sum, (&a, &x)| sum.wrapping_add(a.wrapping_mul(x.into())));
            *rest = rest.wrapping_sub(product).wrapping_mul(self.inverse);
        }
    }
}

/// Integers of some words in two's complement.
pub(super) struct Wide {
    /// Word `l` of entry `(i, j)` at `(i words + l) order + j`.
    matrix: Vec<u64>,
    /// The words of each integer, one behind the other.
    rest: Vec<u64>,
    words: usize,
    p: u64,
    inverse: u64,
}

impl Wide {
    /// A matrix and a right side, of which `words` words hold every remainder.
    pub(super) fn new<T: IntegerEntry>(field: &PrimeField<u32>, matrix: &[T], right: &[BigInt], words: usize) -> Self {
        let mut planes = Vec::with_capacity(matrix.len().saturating_mul(words));
        for row in matrix.chunks(right.len().max(1)) {
            for index in 0..words {
                planes.extend(row.iter().map(|entry| entry.word(index)));
            }
        }
        let rest = right.iter().flat_map(|entry| (0..words).map(|index| entry.word(index))).collect();
        Self { matrix: planes, rest, words, p: field.modulus().into(), inverse: inverse(field.modulus()) }
    }
}

impl Residual for Wide {
    fn residues(&self, _: &PrimeField<u32>, out: &mut [u32]) {
        let p = u128::from(self.p);
        for (out, words) in out.iter_mut().zip(self.rest.chunks(self.words)) {
            // The sign stands above the highest word: 0 or -1.
            let is_negative = words.last().is_some_and(|top| top >> 63 == 1);
            let sign = if is_negative { p - 1 } else { 0 };
            *out = u32::from_u64(
                words.iter().rev().fold(sign, |rest, &word| ((rest << 64) | u128::from(word)) % p) as u64
            );
        }
    }

    fn divide(&mut self, digits: &[u32]) {
        let order = digits.len().max(1);
        let rows = self.matrix.chunks(order * self.words);
        for (rest, planes) in self.rest.chunks_mut(self.words).zip(rows) {
            // The carry of the product, the borrow of the difference, and that of the exact division from the lowest word on.
            let (mut carry, mut borrow, mut owed) = (0u128, false, 0u64);
            for (word, plane) in rest.iter_mut().zip(planes.chunks(order)) {
                // Products of 95 bits, of which fewer than 2^32 are added.
                let sum = plane.iter().zip(digits).fold(carry, |sum, (&a, &x)| sum + u128::from(a) * u128::from(x));
                carry = sum >> 64;
                let (difference, under) = word.overflowing_sub(sum as u64);
                let (difference, under_again) = difference.overflowing_sub(borrow.into());
                borrow = under || under_again;
                let (difference, under) = difference.overflowing_sub(owed);
                *word = difference.wrapping_mul(self.inverse);
                owed = ((u128::from(*word) * u128::from(self.p)) >> 64) as u64 + u64::from(under);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use manycore_verify::SplitMix;

    use super::*;

    /// The integer of words in two's complement.
    fn integer(words: &[u64]) -> BigInt {
        let sign = words.last().map_or(0, |top| -((top >> 63) as i64));
        words.iter().rev().fold(BigInt::from(sign), |number, &word| (number << 64u32) + word)
    }

    #[test]
    fn what_remains_is_exact() {
        let mut random = SplitMix::new(4);
        for p in [3u32, 7, 2_147_483_647, 2_147_483_629] {
            let field = PrimeField::<u32>::new(p).unwrap();
            assert_eq!(inverse(p).wrapping_mul(p.into()), 1);
            for (order, bits) in [(1usize, 40u32), (3, 56), (5, 1), (4, 100), (2, 127)] {
                let mut draw = |bits: u32| BigInt::from(random.next_double_word() as i128 >> (128 - bits));
                let matrix: Vec<BigInt> = (0..order * order).map(|_| draw(bits)).collect();
                let mut exact: Vec<BigInt> = (0..order).map(|_| draw(bits)).collect();
                let words = if bits < 60 { 1 } else { 3 };
                let mut wide = Wide::new(&field, &matrix, &exact, words);
                let mut narrow = Narrow::new(&field, &matrix, &exact);
                for step in 0..6u32 {
                    let residues: Vec<u32> = exact.iter().map(|entry| entry.residue(&field)).collect();
                    let mut found = vec![0; order];
                    wide.residues(&field, &mut found);
                    assert_eq!(found, residues);
                    if words == 1 {
                        narrow.residues(&field, &mut found);
                        assert_eq!(found, residues);
                    }
                    // Digits of any kind, and a right side that makes the difference a multiple.
                    let digits: Vec<u32> = (0..order as u32).map(|j| (j * 77 + step * 1_000_003) % p).collect();
                    for (i, (rest, row)) in exact.iter_mut().zip(matrix.chunks(order)).enumerate() {
                        let product: BigInt = row.iter().zip(&digits).map(|(entry, &digit)| entry * digit).sum();
                        let excess = (&*rest - &product).residue(&field);
                        *rest -= excess;
                        wide.rest[i * words..][..words]
                            .copy_from_slice(&(0..words).map(|l| rest.word(l)).collect::<Vec<_>>());
                        narrow.rest[i] = rest.word(0);
                        *rest = (&*rest - product) / p;
                    }
                    wide.divide(&digits);
                    narrow.divide(&digits);
                    for (words, exact) in wide.rest.chunks(words).zip(&exact) {
                        assert_eq!(integer(words), *exact, "{order} {bits} {p}");
                    }
                    if words == 1 {
                        assert!(narrow.rest.iter().zip(&exact).all(|(&word, exact)| integer(&[word]) == *exact));
                    }
                }
            }
        }
    }
}
