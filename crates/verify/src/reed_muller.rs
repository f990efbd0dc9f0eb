//! The check of Reed-Muller transforms: both sides at a random point of the field of 2^64 elements.
//!
//! With the weight `prod t_j^(w_j)` for coefficient w, the sum of the coefficients is the sum of the values x(v) times
//! `prod (t_j if v_j else 1 + t_j)`, the j-th factor turned round where variable j is complemented. The difference of both
//! sides is a polynomial in the `t_j`, of degree 1 in each, whose coefficients are the errors, 0 or 1: one that is not zero
//! vanishes at a random point with a chance of at most `variables / 2^64` (J. T. Schwartz, R. Zippel). Transforms of a batch are
//! added with powers of one more random number, which adds their number to the variables.

use manycore_arrays::orders::Direction;

use crate::SplitMix;
use crate::bit_shape::BitShape;
use crate::outcome::{Chance, CheckError, Outcome, Passed, reserved};

/// The product in the field of 2^64 elements, as polynomials over GF(2) modulo `x^64 + x^4 + x^3 + x + 1`.
fn product(a: u64, b: u64) -> u64 {
    (0..u64::BITS).rev().fold(0, |sum, bit| {
        let doubled = sum << 1 ^ if sum >> 63 == 1 { 0b1_1011 } else { 0 };
        if b >> bit & 1 == 1 { doubled ^ a } else { doubled }
    })
}

/// A Kronecker product of pairs, as two tables: entry i is the product over j of the pair j's first number where bit j of i is
/// 0 and its second where it is 1.
struct Weights {
    low: Vec<u64>,
    high: Vec<u64>,
}

/// Index bits of the first table at least, where there are as many: its entries are added without a product.
const LOW_BITS: usize = 10;

impl Weights {
    fn new(pairs: &[(u64, u64)]) -> Result<Self, CheckError> {
        let table = |pairs: &[(u64, u64)]| {
            let mut table = reserved(1 << pairs.len())?;
            table.push(1);
            for &(zero, one) in pairs {
                for index in 0..table.len() {
                    table.push(product(table[index], one));
                    table[index] = product(table[index], zero);
                }
            }
            Ok(table)
        };
        let (low, high) = pairs.split_at(pairs.len().div_ceil(2).max(LOW_BITS.min(pairs.len())));
        Ok(Self { low: table(low)?, high: table(high)? })
    }

    /// The sum of the entries where `bit` is set.
    fn sum(&self, bit: impl Fn(usize) -> bool) -> u64 {
        self.high.iter().enumerate().fold(0, |sum, (row, &weight)| {
            let places = self.low.iter().enumerate().filter(|&(column, _)| bit(row * self.low.len() + column));
            sum ^ product(places.fold(0, |sum, (_, &entry)| sum ^ entry), weight)
        })
    }
}

/// Checks transforms of bits, each in a byte of its own: coefficients `y` of the values `x`, or for an inverse values `y` of the
/// coefficients `x`. A wrong result passes with a chance below `(variables + number of functions) / 2^64` over the choices of
/// `random`.
///
/// # Errors
/// [`CheckError::OutOfRange`] for a byte of the result that is no bit, [`CheckError::Relation`], [`CheckError::Length`].
pub fn bits(x: &[u8], y: &[u8], direction: Direction, shape: BitShape, random: &mut SplitMix) -> Outcome {
    let runs = shape.runs(x.len(), y.len())?;
    if let Some(place) = y.iter().position(|&bit| bit > 1) {
        return Err(CheckError::OutOfRange {
            run: place / runs.len,
            index: place % runs.len,
            found: y[place].to_string(),
            expected: "bit".into(),
        });
    }
    if let Some(index) = x.iter().position(|&bit| bit > 1) {
        return Err(CheckError::Input { index, found: x[index].to_string(), expected: "bit".into() });
    }
    check(x.len(), |index| x[index] == 1, |index| y[index] == 1, direction, shape, random)
}

/// Checks transforms of bits of which a word holds 64, bit i of word w the value `64 w + i`; a word holds several functions of
/// fewer than 6 variables. As [`bits`].
///
/// # Errors
/// [`CheckError::Relation`], [`CheckError::Length`].
pub fn words(x: &[u64], y: &[u64], direction: Direction, shape: BitShape, random: &mut SplitMix) -> Outcome {
    if x.len() != y.len() {
        return Err(CheckError::Length { found: y.len(), expected: x.len() });
    }
    let bit = |words: &[u64], index: usize| words[index / 64] >> (index % 64) & 1 == 1;
    check(64 * x.len(), |index| bit(x, index), |index| bit(y, index), direction, shape, random)
}

fn check(
    len: usize,
    input: impl Fn(usize) -> bool,
    result: impl Fn(usize) -> bool,
    direction: Direction,
    shape: BitShape,
    random: &mut SplitMix,
) -> Outcome {
    let runs = shape.runs(len, len)?;
    let point: Vec<u64> = (0..shape.variables).map(|_| random.next_word()).collect();
    let step = random.next_word();
    let side = |pairs: &[(u64, u64)], bits: &dyn Fn(usize) -> bool| {
        let weights = Weights::new(pairs)?;
        let sums = (0..runs.count).map(|run| weights.sum(|index| bits((run << shape.variables) + index)));
        Ok::<_, CheckError>(sums.fold(0, |sum, next| product(sum, step) ^ next))
    };
    let (values, coefficients): (&dyn Fn(usize) -> bool, &dyn Fn(usize) -> bool) = match direction {
        Direction::Forward => (&input, &result),
        Direction::Inverse => (&result, &input),
    };
    if side(&shape.rows(&point, 1), coefficients)? != side(&shape.columns(&point, |t| 1 ^ t), values)? {
        let relation = "the polynomial's value at a random point of the field of 2^64 elements".into();
        return Err(CheckError::Relation { relation });
    }
    let chance = Chance::of_degree(shape.variables as usize + runs.count, 64);
    Ok(Passed { method: "both sides at a random point of the field of 2^64 elements", chance })
}

#[cfg(test)]
mod tests {
    use manycore_arrays::orders::BitOrder;
    use manycore_spectral::reed_muller::reference::reed_muller;

    use super::*;

    #[test]
    fn the_products_are_those_of_a_field() {
        let mut random = SplitMix::new(3);
        assert_eq!(product(1 << 63, 2), 0b1_1011);
        for _ in 0..100 {
            let [a, b, c] = [(); 3].map(|()| random.next_word());
            assert_eq!(product(a, 1), a);
            assert_eq!(product(a, b), product(b, a));
            assert_eq!(product(product(a, b), c), product(a, product(b, c)));
            assert_eq!(product(a, b ^ c), product(a, b) ^ product(a, c));
            // Every element is a root of x^(2^64) - x; one of order 2^64 - 1 at least of no smaller power of two.
            assert_eq!((0..64).fold(a, |power, _| product(power, power)), a);
        }
        // x^(2^32) is not x: the polynomial has no factor whose degree divides 32, so that it is irreducible.
        assert_ne!((0..32).fold(2, |power, _| product(power, power)), 2);
    }

    /// Shapes with bits and their true coefficients.
    fn cases() -> Vec<(BitShape, Vec<u8>, Vec<u8>)> {
        let mut random = SplitMix::new(11);
        let mut cases = Vec::new();
        for order in BitOrder::ALL {
            for (variables, polarity, count) in
                [(0, 0, 0), (0, 0, 1), (0, 0, 3), (1, 1, 1), (1, 0, 2), (3, 5, 8), (6, 33, 1), (9, 0x155, 2)]
            {
                let shape = BitShape { variables, order, polarity };
                let x: Vec<u8> = (0..count << variables).map(|_| random.next_word() as u8 & 1).collect();
                let runs = x.chunks(shape.len());
                let y = runs.flat_map(|run| reed_muller(run, order, polarity as usize).unwrap()).collect();
                cases.push((shape, x, y));
            }
        }
        cases
    }

    #[test]
    fn true_results_pass_and_every_wrong_bit_is_found() {
        let mut random = SplitMix::new(0);
        for (shape, x, y) in cases() {
            let chance = Chance::of_degree(shape.variables as usize + x.len() / shape.len(), 64);
            assert_eq!(bits(&x, &y, Direction::Forward, shape, &mut random).unwrap().chance, chance, "{shape:?}");
            assert!(bits(&y, &x, Direction::Inverse, shape, &mut random).is_ok(), "{shape:?}");
            for place in 0..y.len() {
                let mut wrong = y.clone();
                wrong[place] ^= 1;
                let found = bits(&x, &wrong, Direction::Forward, shape, &mut random);
                assert!(matches!(found, Err(CheckError::Relation { .. })), "{shape:?} {place}");
                let mut wrong = x.clone();
                wrong[place] ^= 1;
                assert!(bits(&y, &wrong, Direction::Inverse, shape, &mut random).is_err(), "{shape:?} {place}");
                wrong[place] += 2;
                let found = bits(&y, &wrong, Direction::Inverse, shape, &mut random);
                assert!(matches!(found, Err(CheckError::OutOfRange { .. })), "{shape:?} {place}");
            }
            for wrong in [y.iter().rev().copied().collect::<Vec<u8>>(), vec![0; y.len()], x.clone()] {
                assert_eq!(bits(&x, &wrong, Direction::Forward, shape, &mut random).is_ok(), wrong == y, "{shape:?}");
            }
            assert!(y.is_empty() || bits(&x, &y[1..], Direction::Forward, shape, &mut random).is_err());
        }
    }

    #[test]
    fn packed_words_hold_several_functions() {
        let mut random = SplitMix::new(0);
        let packed = |bits: &[u8]| -> Vec<u64> {
            let word = |bits: &[u8]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
            bits.chunks(64).map(word).collect()
        };
        let natural = |(shape, x, _): &(BitShape, Vec<u8>, Vec<u8>)| {
            shape.order == BitOrder::Natural && x.len().is_multiple_of(64) && !x.is_empty()
        };
        let mut seen = 0;
        for (shape, x, y) in cases().into_iter().filter(natural) {
            let (x, y) = (packed(&x), packed(&y));
            assert!(words(&x, &y, Direction::Forward, shape, &mut random).is_ok());
            for (word, bit) in (0..y.len()).flat_map(|word| (0..64).map(move |bit| (word, bit))) {
                let mut wrong = y.clone();
                wrong[word] ^= 1 << bit;
                assert!(words(&x, &wrong, Direction::Forward, shape, &mut random).is_err(), "{shape:?} {word} {bit}");
            }
            seen += 1;
        }
        assert_eq!(seen, 3);
    }
}
