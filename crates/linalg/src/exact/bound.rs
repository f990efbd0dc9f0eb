//! Hadamard's bound of determinants.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};

use super::IntegerEntry;

/// The largest size that the determinant of a matrix of integers can have by Hadamard's inequality: the product of the rows'
/// Euclidean norms, or of the columns' if that is less, rounded down. 1 for order 0; entries that the slice lacks are zero.
///
/// ```
/// use manycore_linalg::exact::hadamard_bound;
/// assert_eq!(hadamard_bound(2, &[1i64, 1, 1, -1]), 2u32.into()); // which is the determinant's size
/// ```
pub fn hadamard_bound<T: IntegerEntry>(order: usize, entries: &[T]) -> BigUint {
    let entries = &entries[..entries.len().min(order.saturating_mul(order))];
    if entries.len().div_ceil(order.max(1)) < order {
        return BigUint::ZERO;
    }
    // In one pass: entries of a column are long strides apart.
    let (mut rows, mut columns) = (Vec::new(), Vec::new());
    rows.resize_with(order, Sum::default);
    columns.resize_with(order, Sum::default);
    for (row, own) in rows.iter_mut().zip(entries.chunks(order.max(1))) {
        for (column, integer) in columns.iter_mut().zip(own) {
            let square = Square::of(integer);
            row.add(&square);
            column.add(&square);
        }
    }
    let product = |sums: Vec<Sum>| sums.into_iter().map(Sum::total).product::<BigUint>();
    product(rows).min(product(columns)).sqrt()
}

/// The largest size that a minor of a matrix of integers can have, of any order: the product of the rows' norms that are above 1,
/// rounded down (Hadamard's inequality for some of the rows).
pub(super) fn minors_bound<T: IntegerEntry>(columns: usize, entries: &[T]) -> BigUint {
    let rows = entries.chunks(columns.max(1));
    rows.map(|row| sum_of_squares(row.iter()).max(BigUint::from(1u32))).product::<BigUint>().sqrt()
}

/// The largest size that a coefficient of the characteristic polynomial of a square matrix of integers can have: the product of the
/// rows' norms, rounded up, plus 1. A coefficient is a sum of principal minors, each at most a product of norms of its rows.
pub(super) fn coefficients_bound<T: IntegerEntry>(order: usize, entries: &[T]) -> BigUint {
    let rows = entries.chunks(order.max(1));
    rows.map(|row| sum_of_squares(row.iter()).sqrt() + 2u32).product()
}

/// Primes of 31 bits that divide a number above 0 of at most this size: no more than it has times 30 bits.
pub(super) fn dividing_primes(size: &BigUint) -> usize {
    usize::try_from(size.bits() / 30).unwrap_or(usize::MAX)
}

/// An upper bound of the bytes that copies of `count` of these integers take.
pub(super) fn copied_bytes<T: IntegerEntry>(integers: &[T], count: usize) -> u64 {
    let words = integers.iter().map(IntegerEntry::words).max().unwrap_or(1) as u64;
    // Integers of one type have their words beside, where they may be of any size.
    let beside = if size_of::<T>() > 16 { 8 * words + 32 } else { 0 };
    (count as u64).saturating_mul(size_of::<T>() as u64 + beside)
}

/// An upper bound of the bytes of a list of `count` integers of `bits` bits each: their words, the header of each, and an allocator's
/// overhead for a block.
pub(super) fn integers_bytes(count: usize, bits: u64) -> u64 {
    const BESIDE: u64 = size_of::<BigInt>() as u64 + 32;
    (count as u64).saturating_mul((bits / 8).saturating_add(BESIDE))
}

/// The square of an integer, of those of one word without numbers of any size.
enum Square {
    /// At most `2^126`.
    Short(u128),
    Long(BigUint),
}

impl Square {
    fn of<T: IntegerEntry>(integer: &T) -> Self {
        if integer.words() == 1 {
            return Self::Short(u128::from((integer.word(0) as i64).unsigned_abs()).pow(2));
        }
        let integer = integer.to_integer();
        Self::Long((&integer * &integer).into_parts().1)
    }
}

/// A sum of squares: `2^128 overflows + short + long`.
#[derive(Default)]
struct Sum {
    short: u128,
    overflows: u64,
    long: BigUint,
}

impl Sum {
    fn add(&mut self, square: &Square) {
        match square {
            Square::Short(square) => {
                let (short, overflows) = self.short.overflowing_add(*square);
                self.short = short;
                self.overflows += u64::from(overflows);
            }
            Square::Long(square) => self.long += square,
        }
    }

    fn total(self) -> BigUint {
        (BigUint::from(self.overflows) << 128u32) + self.short + self.long
    }
}

/// The sum of squares of integers.
pub(super) fn sum_of_squares<'a, T: IntegerEntry + 'a>(integers: impl Iterator<Item = &'a T>) -> BigUint {
    let mut sum = Sum::default();
    integers.for_each(|integer| sum.add(&Square::of(integer)));
    sum.total()
}

/// The bits of the largest size of an integer.
pub(super) fn most_bits<T: IntegerEntry>(integers: &[T]) -> u64 {
    let bits = |integer: &T| match integer.words() {
        1 => u64::from(u64::BITS - (integer.word(0) as i64).unsigned_abs().leading_zeros()),
        _ => integer.to_integer().bits(),
    };
    integers.iter().map(bits).max().unwrap_or(0)
}

/// Whether residues modulo numbers with this product determine every integer of absolute value up to the bound.
pub(super) fn is_enough(product: &BigInt, bound: &BigUint) -> bool {
    // The number of bits decides for most numbers.
    match product.bits().cmp(&(bound.bits() + 1)) {
        Ordering::Equal => *product.magnitude() > bound * 2u32,
        order => order == Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minors_and_coefficients_are_within_their_bounds() {
        // Rows of norms 5 and 0: minors are the entries, and the polynomial is x^2 - 3 x.
        assert_eq!(minors_bound(2, &[3i64, 4, 0, 0]), 5u32.into());
        assert_eq!(minors_bound::<i64>(0, &[]), 1u32.into());
        assert_eq!(coefficients_bound(2, &[3i64, 4, 0, 0]), 14u32.into());
        assert_eq!(coefficients_bound::<i64>(0, &[]), 1u32.into());
    }

    #[test]
    fn no_more_primes_divide_a_number_than_its_size_tells() {
        assert_eq!(dividing_primes(&BigUint::from(1u32)), 0);
        let primes = [2_147_483_647u32, 2_147_483_629, 1_073_741_827];
        for count in 1..=3 {
            let product: BigUint = primes[..count].iter().map(|&prime| BigUint::from(prime)).product();
            assert_eq!(dividing_primes(&product), count);
        }
    }

    #[test]
    fn bounds_are_products_of_norms() {
        assert_eq!(hadamard_bound::<i64>(0, &[]), 1u32.into());
        assert_eq!(hadamard_bound(1, &[-7i64]), 7u32.into());
        // Rows of norms 5 and 13, columns of squares 34 and 160.
        assert_eq!(hadamard_bound(2, &[3i64, 4, 5, 12]), 65u32.into());
        assert_eq!(hadamard_bound(2, &[3i64, 4, 0, 0]), 0u32.into());
        // The columns' product is the lower one: 10 and 1 against the root of 101 and 10.
        assert_eq!(hadamard_bound(2, &[10i64, 1, 0, 0]), 0u32.into());
        assert_eq!(hadamard_bound(2, &[3i64, 1, 4, 0]), 5u32.into());
        // Entries that the slice lacks.
        assert_eq!(hadamard_bound(2, &[3i64, 4, 5]), 23u32.into());
        assert_eq!(hadamard_bound(2, &[3i64, 4]), 0u32.into());
        assert_eq!(hadamard_bound(usize::MAX, &[3i64, 4]), 0u32.into());
        // Sums of squares past 128 bits, of one word and of more.
        let norm = (BigUint::from(1u32) << 126u32) * 7u32;
        assert_eq!(hadamard_bound(7, &[&[i64::MIN; 7][..], &[0; 42]].concat()), 0u32.into());
        assert_eq!(sum_of_squares([i64::MIN; 7].iter()), norm);
        let mixed = [BigInt::from(i64::MIN), BigInt::from(1u64 << 63), BigInt::from(-1)];
        assert_eq!(sum_of_squares(mixed.iter()), (BigUint::from(1u32) << 127u32) + 1u32);
        assert!(is_enough(&BigInt::from(11), &5u32.into()) && !is_enough(&BigInt::from(10), &5u32.into()));
    }
}
