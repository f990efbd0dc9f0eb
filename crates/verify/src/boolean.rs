//! The check of Reed-Muller transforms: both sides at a random point of the field of 2^64 elements.
//!
//! With the weight `prod t_j^(w_j)` for coefficient w, the sum of the coefficients is the sum of the values x(v) times
//! `prod (t_j if v_j else 1 + t_j)`, the j-th factor turned round where variable j is complemented. The difference of both
//! sides is a polynomial in the `t_j`, of degree 1 in each, whose coefficients are the errors, 0 or 1: one that is not zero
//! vanishes at a random point with a chance of at most `variables / 2^64` (J. T. Schwartz, R. Zippel). Transforms of a batch are
//! added with powers of one more random number, which adds their number to the variables.

use super::{BitShape, SplitMix};

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
    fn new(pairs: &[(u64, u64)]) -> Self {
        let table = |pairs: &[(u64, u64)]| {
            pairs.iter().fold(vec![1], |table: Vec<u64>, &(zero, one)| {
                let times = |factor| table.iter().map(move |&entry| product(entry, factor));
                times(zero).chain(times(one)).collect()
            })
        };
        let (low, high) = pairs.split_at(pairs.len().div_ceil(2).max(LOW_BITS.min(pairs.len())));
        Self { low: table(low), high: table(high) }
    }

    /// The sum of the entries where `bit` is set.
    fn sum(&self, bit: impl Fn(usize) -> bool) -> u64 {
        self.high.iter().enumerate().fold(0, |sum, (row, &weight)| {
            let places = self.low.iter().enumerate().filter(|&(column, _)| bit(row * self.low.len() + column));
            sum ^ product(places.fold(0, |sum, (_, &entry)| sum ^ entry), weight)
        })
    }
}

/// Whether the bits `coefficients` can be those of the bits `values`, of as many functions as make `len` bits. Wrong ones
/// pass with a chance below `(variables + number of functions) / 2^64` over the choices of `random`.
pub fn check(
    len: usize,
    values: impl Fn(usize) -> bool,
    coefficients: impl Fn(usize) -> bool,
    shape: BitShape,
    random: &mut SplitMix,
) -> bool {
    let point: Vec<u64> = (0..shape.variables).map(|_| random.next_word()).collect();
    let step = random.next_word();
    let side = |pairs: &[(u64, u64)], bits: &dyn Fn(usize) -> bool| {
        let weights = Weights::new(pairs);
        let runs = (0..len >> shape.variables).map(|run| weights.sum(|index| bits((run << shape.variables) + index)));
        runs.fold(0, |sum, next| product(sum, step) ^ next)
    };
    side(&shape.rows(&point, 1), &coefficients) == side(&shape.columns(&point, |t| 1 ^ t), &values)
}

#[cfg(test)]
mod tests {
    use manycore_spectral::BitOrder;
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

    #[test]
    fn true_results_pass_and_wrong_ones_do_not() {
        for seed in 0..3 {
            let mut random = SplitMix::new(seed);
            for order in BitOrder::ALL {
                for (variables, polarity, count) in
                    [(0, 0, 1), (0, 0, 3), (1, 1, 1), (3, 0, 5), (9, 0x155, 2), (12, 5, 1)]
                {
                    let shape = BitShape { variables, order, polarity };
                    let x: Vec<u8> = (0..count << variables).map(|_| random.next_word() as u8 & 1).collect();
                    let runs = x.chunks(shape.len());
                    let y: Vec<u8> = runs.flat_map(|run| reed_muller(run, order, polarity as usize).unwrap()).collect();
                    let right = |y: &[u8], random: &mut SplitMix| {
                        check(x.len(), |index| x[index] == 1, |index| y[index] == 1, shape, random)
                    };
                    assert!(right(&y, &mut random), "{shape:?}");
                    for place in [0, y.len() / 2, y.len() - 1] {
                        let mut wrong = y.clone();
                        wrong[place] ^= 1;
                        assert!(!right(&wrong, &mut random), "{shape:?}");
                    }
                    let mut turned = y.clone();
                    turned.reverse();
                    assert!(turned == y || !right(&turned, &mut random), "{shape:?}");
                }
            }
        }
    }
}
