//! Residues modulo a prime below 2^64, by division of 128-bit products.
//!
//! Checks take a few products for each value, or sums of products that are reduced once; so the plainest arithmetic will do,
//! and none of it is that of the fields whose results are checked.

use manycore_field::ResidueWord;

use crate::{CheckError, SplitMix};

/// A prime modulus. Operands of its operations lie below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Modulus(u64);

/// Strong pseudoprimes to these bases are primes below 2^64 (J. Sorenson, J. Webster, Strong Pseudoprimes to Twelve Prime
/// Bases, 2017).
const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

impl Modulus {
    /// The modulus `p`.
    ///
    /// # Errors
    /// [`CheckError::Shape`] where `p` is no prime.
    pub(crate) fn new(p: u64) -> Result<Self, CheckError> {
        if is_prime(p) {
            Ok(Self(p))
        } else {
            Err(CheckError::Shape { what: format!("residues modulo {p}, no prime") })
        }
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }

    pub(crate) fn reduce(self, x: u128) -> u64 {
        (x % u128::from(self.0)) as u64
    }

    pub(crate) fn add(self, a: u64, b: u64) -> u64 {
        let (sum, past) = a.overflowing_add(b);
        if past || sum >= self.0 { sum.wrapping_sub(self.0) } else { sum }
    }

    pub(crate) fn sub(self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a.wrapping_sub(b).wrapping_add(self.0) }
    }

    pub(crate) fn mul(self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }

    pub(crate) fn power(self, a: u64, mut exponent: u64) -> u64 {
        let (mut square, mut result) = (a, self.reduce(1));
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.mul(result, square);
            }
            square = self.mul(square, square);
            exponent >>= 1;
        }
        result
    }

    /// The inverse of a residue other than 0, by Fermat's theorem.
    pub(crate) fn inverse(self, a: u64) -> u64 {
        self.power(a, self.0 - 2)
    }

    /// A residue drawn uniformly: words of as many bits as the modulus has, until one lies below it.
    pub(crate) fn random(self, random: &mut SplitMix) -> u64 {
        let shift = (self.0 - 1).leading_zeros().min(63);
        loop {
            let word = random.next_word() >> shift;
            if word < self.0 {
                return word;
            }
        }
    }

    /// Whether sums of `terms` products of residues fit 64 bits.
    pub(crate) fn has_short_sums(self, terms: usize) -> bool {
        u128::from(self.0 - 1).pow(2).checked_mul(terms as u128).is_some_and(|most| most <= u128::from(u64::MAX))
    }

    /// The sum of products of values with weights; as many as there are of both.
    pub(crate) fn dot<T: ResidueWord>(self, values: &[T], weights: &[u64]) -> u64 {
        let pairs = values.iter().zip(weights);
        if self.0 > 1 << 32 {
            let mut sum = WideSum::default();
            pairs.for_each(|(value, &weight)| sum.add(value.as_u64(), weight));
            return sum.reduced(self);
        }
        // Both fit 32 bits, which compilers multiply in vectors once told.
        let products = pairs.map(|(value, &weight)| u64::from(value.as_u64() as u32) * u64::from(weight as u32));
        if self.has_short_sums(values.len()) {
            return products.sum::<u64>() % self.0;
        }
        // Low and high halves have sums of their own, of which 2^32 fit 64 bits; no slice of more terms fits an addition here.
        let halves =
            |(low, high): (u64, u64), product: u64| (low + (product & u64::from(u32::MAX)), high + (product >> 32));
        let (low, high) = products.fold((0, 0), halves);
        self.reduce((u128::from(high) << 32) + u128::from(low))
    }

    /// The index of the first value that is no residue.
    pub(crate) fn first_outside<T: ResidueWord>(self, values: &[T]) -> Option<usize> {
        values.iter().position(|value| value.as_u64() >= self.0)
    }

    /// Refuses an input that has other values than residues.
    pub(crate) fn check_input<T: ResidueWord>(self, values: &[T]) -> Result<(), CheckError> {
        match self.first_outside(values) {
            None => Ok(()),
            Some(index) => {
                Err(CheckError::Input { index, found: values[index].to_string(), expected: self.to_string() })
            }
        }
    }

    /// Refuses a result that has other values than residues; `run` is the length of a run.
    pub(crate) fn check_result<T: ResidueWord>(self, values: &[T], run: usize) -> Result<(), CheckError> {
        match self.first_outside(values) {
            None => Ok(()),
            Some(place) => Err(CheckError::OutOfRange {
                run: place / run.max(1),
                index: place % run.max(1),
                found: values[place].to_string(),
                expected: self.to_string(),
            }),
        }
    }
}

impl std::fmt::Display for Modulus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "residue modulo {}", self.0)
    }
}

/// A sum of fewer than 2^64 products of words: two words, and how often they overflowed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WideSum {
    low: u128,
    overflows: u64,
}

impl WideSum {
    pub(crate) fn add(&mut self, a: u64, b: u64) {
        let (low, past) = self.low.overflowing_add(u128::from(a) * u128::from(b));
        self.low = low;
        self.overflows += u64::from(past);
    }

    pub(crate) fn reduced(self, modulus: Modulus) -> u64 {
        let low = modulus.reduce(self.low);
        if self.overflows == 0 {
            return low;
        }
        let word = modulus.reduce(1 << 64);
        modulus.add(low, modulus.mul(modulus.reduce(self.overflows.into()), modulus.mul(word, word)))
    }
}

/// The test of Miller and Rabin to [`BASES`].
fn is_prime(p: u64) -> bool {
    if p < 2 || BASES.iter().any(|&base| p != base && p.is_multiple_of(base)) {
        return false;
    }
    if BASES.contains(&p) {
        return true;
    }
    let twos = (p - 1).trailing_zeros();
    let modulus = Modulus(p);
    BASES.iter().all(|&base| {
        let start = modulus.power(base, (p - 1) >> twos);
        let mut squares = std::iter::successors(Some(start), |&x| Some(modulus.mul(x, x)));
        start == 1 || squares.by_ref().take(twos as usize).any(|x| x == p - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The primes that tests of modular checks go through: the smallest ones, the largest of each word, with and without roots.
    pub(crate) const PRIMES: [u64; 10] = [
        2,
        3,
        7,
        9001,
        469_762_049,
        2_147_483_647,
        (1 << 61) - 1,
        4_611_686_009_971_671_041,
        9_223_372_036_854_775_783,
        18_446_744_069_414_584_321,
    ];

    #[test]
    fn primes_are_told_from_others() {
        let sieve: Vec<u64> =
            (0..3000).filter(|&n| n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| n % d > 0)).collect();
        assert_eq!((0..3000).filter(|&n| is_prime(n)).collect::<Vec<u64>>(), sieve);
        assert!(PRIMES.into_iter().all(is_prime));
        // The least strong pseudoprime to the first nine bases, and a square of a prime.
        for composite in [3_825_123_056_546_413_051, 4_295_098_369, u64::MAX] {
            assert_eq!(
                Modulus::new(composite).unwrap_err().to_string(),
                format!("no check of residues modulo {composite}, no prime")
            );
        }
    }

    #[test]
    fn operations_agree_with_wide_integers() {
        let mut random = SplitMix::new(5);
        for p in PRIMES {
            let modulus = Modulus::new(p).unwrap();
            let wide = u128::from(p);
            for _ in 0..200 {
                let (a, b) = (modulus.random(&mut random), modulus.random(&mut random));
                let (x, y) = (u128::from(a), u128::from(b));
                assert_eq!(u128::from(modulus.add(a, b)), (x + y) % wide);
                assert_eq!(u128::from(modulus.sub(a, b)), (x + wide - y) % wide);
                assert_eq!(u128::from(modulus.mul(a, b)), x * y % wide);
                assert_eq!(modulus.add(modulus.sub(a, b), b), a);
                assert!(a == 0 || modulus.mul(a, modulus.inverse(a)) == 1 % p);
                assert_eq!(modulus.power(a, p), a);
            }
            let values: Vec<u64> = (0..3000).map(|_| modulus.random(&mut random)).collect();
            let weights: Vec<u64> = values.iter().rev().copied().collect();
            for len in [0, 1, 2, 1024, 3000] {
                let products = values.iter().zip(&weights).take(len);
                let sum = products.fold(0, |sum, (&a, &b)| (sum + u128::from(a) * u128::from(b) % wide) % wide);
                assert_eq!(u128::from(modulus.dot(&values[..len], &weights)), sum, "{p} {len}");
            }
            let largest = vec![p - 1; 3000];
            assert_eq!(modulus.dot(&largest, &largest), modulus.reduce(3000));
        }
    }

    #[test]
    fn random_residues_take_every_value() {
        let mut random = SplitMix::new(1);
        for p in [2, 3, 7] {
            let modulus = Modulus::new(p).unwrap();
            let mut counts = vec![0; p as usize];
            (0..1000).for_each(|_| counts[modulus.random(&mut random) as usize] += 1);
            assert!(counts.iter().all(|&count| count > 700 / p), "{counts:?}");
        }
    }

    #[test]
    fn values_past_the_modulus_are_named() {
        let modulus = Modulus::new(7).unwrap();
        assert_eq!(
            modulus.check_input(&[6u32, 7]).unwrap_err().to_string(),
            "value 2 of the input is 7, no residue modulo 7"
        );
        assert_eq!(
            modulus.check_result(&[6u64, 0, 9], 2).unwrap_err().to_string(),
            "value 1 of run 2 is 9, no residue modulo 7"
        );
    }
}
