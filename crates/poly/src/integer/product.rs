//! Products of integers on one device: three products of polynomials of limbs, and the choice between them and `num-bigint`.

use std::fmt;
use std::sync::Arc;

use manycore_device::{Buffer, Cache, Device, Executor};
use manycore_field::crt::Garner;
use manycore_field::{PrimeField, primes};
use manycore_model::Machine;
use manycore_ntt::cost::Operations;
use manycore_tuning::{Costed as _, Planner};
use num_bigint::{BigInt, BigUint};

use super::carry;
use crate::arithmetic::multiply::{Factors, Shape, cost};
use crate::error::PolyError;
use crate::ring::PolyRing;

/// Bits of a limb.
const LIMB_BITS: u64 = 32;
/// Bits of the primes that are tried, the fewest first: butterflies reduce less often where words have more room.
const PRIME_BITS: [u32; 3] = [29, 30, 31];
/// Primes for shorter products have roots of this order too, so that they are the same ones for all lengths up to it.
const LEAST_LOG_ORDER: u32 = 20;
/// No three primes below `2^31` have roots of a larger order.
const MOST_LOG_ORDER: u32 = 26;
/// Choices that are remembered.
const MOST_CHOICES: usize = 1 << 12;

/// How a product of integers is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IntegerAlgorithm {
    /// Word by word, by `num-bigint`.
    Words,
    /// By three products of polynomials modulo primes.
    Primes {
        /// Bits of the primes.
        bits: u32,
        /// The base-2 logarithm of the order of the roots of unity that all of them have.
        log_order: u32,
    },
}

/// Products of integers on one device: keeps primes, tables and choices.
///
/// ```
/// use manycore_device::Device;
/// use manycore_poly::integer::IntegerProduct;
/// use num_bigint::BigUint;
/// let integers = IntegerProduct::new(&Device::from_env()?);
/// let (a, b) = (BigUint::from(3u32).pow(20_000), BigUint::from(3u32).pow(30_000));
/// assert_eq!(integers.mul(&a, &b)?, BigUint::from(3u32).pow(50_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct IntegerProduct {
    planner: Arc<Planner>,
    sets: Cache<(u32, u32), Primes>,
    chosen: Cache<(usize, usize, bool), IntegerAlgorithm>,
}

/// Three primes, the ring of each, and the constants of their mixed radix.
struct Primes {
    rings: [PolyRing<PrimeField<u32>>; 3],
    garner: Garner<u32, 3>,
}

impl fmt::Debug for Primes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Primes").field(&self.garner.moduli()).finish()
    }
}

impl IntegerProduct {
    /// Products on `device`, planned by the device's machine and its mode. On an OpenCL device the products modulo primes are made
    /// there, and carries on the host.
    pub fn new(device: &Device) -> Self {
        let planner = Arc::new(Planner::new(device));
        Self { planner, sets: Cache::default(), chosen: Cache::at_most(MOST_CHOICES) }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// `a b`, with a transform less for each prime where `a` and `b` are the same reference: `O(n log n)` operations for `n` bits.
    ///
    /// # Errors
    /// [`PolyError::Device`] for too little memory, or where the device fails.
    pub fn mul(&self, a: &BigUint, b: &BigUint) -> Result<BigUint, PolyError> {
        let square = std::ptr::eq(a, b);
        match self.choice(limbs(a), limbs(b), square)? {
            IntegerAlgorithm::Words => Ok(a * b),
            IntegerAlgorithm::Primes { bits, log_order } => {
                let primes = self.primes(bits, log_order)?;
                let other = (!square).then(|| b.to_u32_digits());
                Ok(BigUint::new(primes.multiply(&a.to_u32_digits(), other.as_deref())?))
            }
        }
    }

    /// `a b` with its sign.
    ///
    /// # Errors
    /// As [`IntegerProduct::mul`].
    pub fn mul_signed(&self, a: &BigInt, b: &BigInt) -> Result<BigInt, PolyError> {
        let sign = a.sign() * b.sign();
        Ok(BigInt::from_biguint(sign, self.mul(a.magnitude(), b.magnitude())?))
    }

    /// `a^2`.
    ///
    /// # Errors
    /// As [`IntegerProduct::mul`].
    pub fn square(&self, a: &BigUint) -> Result<BigUint, PolyError> {
        self.mul(a, a)
    }

    /// The algorithm of a product of integers of `a_bits` and `b_bits` bits: the one of the least estimate.
    ///
    /// # Errors
    /// As [`IntegerProduct::mul`].
    pub fn algorithm(&self, a_bits: u64, b_bits: u64) -> Result<IntegerAlgorithm, PolyError> {
        let limbs = |bits: u64| usize::try_from(bits.div_ceil(LIMB_BITS)).unwrap_or(usize::MAX);
        self.choice(limbs(a_bits), limbs(b_bits), false)
    }

    fn choice(&self, n: usize, m: usize, square: bool) -> Result<IntegerAlgorithm, PolyError> {
        // Looking a choice up takes as long as such a product.
        if n.min(m) <= cost::ALWAYS_PLAIN {
            return Ok(IntegerAlgorithm::Words);
        }
        Ok(*self.chosen.get((n, m, square), |_| self.estimated(n, m, square))?)
    }

    /// The algorithm of the least estimate.
    fn estimated(&self, n: usize, m: usize, square: bool) -> Result<IntegerAlgorithm, PolyError> {
        let Some((bits, log_order)) = enough(n, m) else { return Ok(IntegerAlgorithm::Words) };
        let host = if self.planner.on_host() { self.planner.machine().clone() } else { Device::host().machine() };
        let primes = self.primes(bits, log_order)?;
        let shape = Shape { square: square && n == m, ..Shape::full(n, m) };
        let mut seconds = carry_seconds(n + m, &host);
        for ring in &primes.rings {
            seconds += ring.product_estimate(&shape, ring.machine())?.seconds;
        }
        let by_words = words_seconds(n, m, &host);
        let transforms = IntegerAlgorithm::Primes { bits, log_order };
        Ok(if seconds < by_words { transforms } else { IntegerAlgorithm::Words })
    }

    /// What is kept for the three largest primes below `2^bits` with roots of unity of order `2^log_order`.
    fn primes(&self, bits: u32, log_order: u32) -> Result<Arc<Primes>, PolyError> {
        self.sets.get((bits, log_order), |_| Primes::new(&self.planner, largest(bits, log_order)))
    }
}

/// The limbs of an integer.
fn limbs(a: &BigUint) -> usize {
    usize::try_from(a.bits().div_ceil(LIMB_BITS)).unwrap_or(usize::MAX)
}

/// The three largest primes below `2^bits` with roots of unity of order `2^log_order`, ascending; fewer where there are no three.
fn largest(bits: u32, log_order: u32) -> Vec<u64> {
    let mut found: Vec<u64> = primes::ntt_primes(bits, log_order).take(3).collect();
    found.reverse();
    found
}

/// Bits of the primes, and the order of their roots, for residues that determine the coefficients of a product of `n` by `m` limbs; `None`
/// where no three do. The order is that of the whole product if there are such primes, else the largest that there is.
fn enough(n: usize, m: usize) -> Option<(u32, u32)> {
    let limb = u128::from(u32::MAX);
    let largest_coefficient = (n.min(m) as u128).checked_mul(limb * limb)?;
    let log_order = n.checked_add(m)?.checked_next_power_of_two()?.ilog2();
    let tells = |bits: u32, log_order: u32| {
        let primes = largest(bits, log_order);
        primes.len() == 3 && primes.into_iter().map(u128::from).product::<u128>() > largest_coefficient
    };
    let orders = (LEAST_LOG_ORDER..=log_order.clamp(LEAST_LOG_ORDER, MOST_LOG_ORDER)).rev();
    let mut candidates = orders.flat_map(|log_order| PRIME_BITS.map(|bits| (bits, log_order)));
    candidates.find(|&(bits, log_order)| tells(bits, log_order))
}

/// The estimated seconds of digits and carries of `len` limbs: of the vectors the reductions to three residues and the digits, of
/// the scalar unit two long products, four sums and a shift.
fn carry_seconds(len: usize, machine: &Machine) -> f64 {
    let operations = Operations::int32(3 * 8 + 3 * 6).plus(Operations::scalar(9)).times(len as u64);
    operations.seconds(machine)
}

/// The estimated seconds of a product of integers of `n` by `m` limbs word by word: those of polynomials with as many coefficients
/// as the integers have words of 64 bits, by the definition or Karatsuba's algorithm.
fn words_seconds(n: usize, m: usize, machine: &Machine) -> f64 {
    let shape = Shape::full(n.div_ceil(2), m.div_ceil(2));
    // One thread, whatever the machine has: so does num-bigint.
    let machine = Machine { processors: 1, ..machine.clone() };
    let by_words = cost::OnHost { word_bytes: 8, order: i64::MAX as u64 };
    let seconds = |plan| by_words.estimate(&shape, &plan, &machine).map_or(f64::INFINITY, |estimate| estimate.seconds);
    by_words.candidates(&shape, &machine).into_iter().map(seconds).fold(f64::INFINITY, f64::min)
}

impl Primes {
    fn new(planner: &Arc<Planner>, primes: Vec<u64>) -> Result<Self, PolyError> {
        let too_few = || PolyError::TooLong { what: "a product of integers" };
        let primes = <[u64; 3]>::try_from(primes).map_err(|_| too_few())?.map(|p| p as u32);
        let ring = |p: u32| -> Result<_, PolyError> {
            Ok(PolyRing::of(Arc::clone(planner), PrimeField::new(p).map_err(|_| too_few())?))
        };
        let [first, second, third] = primes.map(ring);
        let garner = Garner::new(primes).map_err(|_| too_few())?;
        Ok(Self { rings: [first?, second?, third?], garner })
    }

    /// The words of the product of integers of these limbs, or of a square; neither is empty.
    fn multiply(&self, a: &[u32], b: Option<&[u32]>) -> Result<Vec<u32>, PolyError> {
        let (n, m) = (a.len(), b.map_or(a.len(), <[u32]>::len));
        let shape = Shape { square: b.is_none(), ..Shape::full(n, m) };
        let product = |ring: &PolyRing<PrimeField<u32>>| -> Result<Buffer<u32>, PolyError> {
            let (x, y) = (residues(ring, a)?, b.map(|b| residues(ring, b)).transpose()?);
            let mut out = ring.device().scratch(shape.len)?;
            ring.multiply(&shape, &Factors { a: &x, b: y.as_ref().unwrap_or(&x) }, &mut out, None)?;
            Ok(out)
        };
        let [first, second, third] = self.rings.each_ref().map(product);
        let mut products = [first?, second?, third?];
        let mut host = self.rings[0].device().clone();
        if !matches!(host.executor(), Executor::Host(_)) {
            host = Device::host();
            for product in &mut products {
                *product = host.upload(&product.download()?)?;
            }
        }
        let Executor::Host(pool) = host.executor() else { return Ok(Vec::new()) };
        let [x, y, z] = &mut products;
        Ok(carry::words(pool, &self.garner, [x.host_mut()?, y.host_mut()?, z.host_mut()?]))
    }
}

/// Limbs modulo a ring's prime, on its device.
fn residues(ring: &PolyRing<PrimeField<u32>>, limbs: &[u32]) -> Result<Buffer<u32>, PolyError> {
    let p = ring.field().modulus();
    let mut words = ring.device().scratch(limbs.len())?;
    if let Some(to) = words.as_host_mut() {
        reduce(p, limbs, to);
    } else {
        let mut to = vec![0; limbs.len()];
        reduce(p, limbs, &mut to);
        words.write(&to)?;
    }
    Ok(words)
}

/// Words modulo a `p` of at least `2^28`: words are below `16 p`, and a multiple of `p` is subtracted where the difference is not
/// below 0, else it is the larger one of the two as a word.
fn reduce(p: u32, from: &[u32], to: &mut [u32]) {
    // Multiples above all words are not subtracted.
    let multiples = [8, 4, 2, 1].map(|k| p.checked_mul(k).unwrap_or(0));
    for (to, &x) in to.iter_mut().zip(from) {
        *to = multiples.into_iter().fold(x, |x, multiple| x.min(x.wrapping_sub(multiple)));
    }
}

#[cfg(test)]
mod tests {
    use manycore_testkit::devices;

    use super::*;

    /// Limbs of a kind: 0 all ones, 1 alternating with zeros, 2 a one and zeros, else what looks random.
    fn integer(len: usize, kind: u32) -> Vec<u32> {
        let word = |i: usize| match kind {
            0 => u32::MAX,
            1 => {
                if i.is_multiple_of(2) {
                    u32::MAX
                } else {
                    0
                }
            }
            2 => u32::from(i + 1 == len),
            _ => (i as u32 + 1).wrapping_mul(0x9e37_79b9).rotate_left(i as u32 % 31) ^ kind,
        };
        let mut limbs: Vec<u32> = (0..len).map(word).collect();
        limbs[len - 1] |= 1;
        limbs
    }

    #[test]
    fn products_modulo_primes_equal_num_bigint_for_all_primes() {
        for device in devices() {
            let integers = IntegerProduct::new(&device);
            let host = integers.planner.on_host();
            for bits in if host { &PRIME_BITS[..] } else { &PRIME_BITS[..1] } {
                let primes = integers.primes(*bits, LEAST_LOG_ORDER).unwrap();
                let sizes = [(1, 1), (1, 2), (3, 2), (40, 40), (64, 1), (1000, 1000), (3000, 17), (5000, 4097)];
                for (n, m) in &sizes[..if host { sizes.len() } else { 6 }] {
                    for kind in if host { 0..4 } else { 0..1 } {
                        let (a, b) = (integer(*n, kind), integer(*m, kind / 2));
                        let found = BigUint::new(primes.multiply(&a, Some(&b)).unwrap());
                        assert_eq!(found, BigUint::new(a.clone()) * BigUint::new(b), "{n} by {m}, {bits} bits");
                        let found = BigUint::new(primes.multiply(&a, None).unwrap());
                        assert_eq!(found, BigUint::new(a.clone()).pow(2), "the square of {n}, {bits} bits");
                    }
                }
            }
        }
    }

    #[test]
    fn primes_tell_all_coefficients_apart() {
        let limb = u128::from(u32::MAX);
        for (n, m) in [(1, 1), (1 << 20, 1 << 20), (1 << 22, 1 << 22), (1 << 23, 1 << 23), (1 << 26, 100)] {
            let (bits, log_order) = enough(n, m).unwrap();
            let product: u128 = largest(bits, log_order).into_iter().map(u128::from).product();
            assert!(product > n.min(m) as u128 * limb * limb, "{n} {m}");
        }
        assert_eq!(enough(1000, 1000), Some((29, LEAST_LOG_ORDER)));
        assert_eq!((enough(1 << 40, 1 << 40), enough(usize::MAX, 1)), (None, None));
        assert!(PRIME_BITS.iter().all(|&bits| largest(bits, MOST_LOG_ORDER + 1).len() < 3));
    }

    #[test]
    fn words_are_reduced_whatever_they_are() {
        for p in [(1 << 28) + 3, 536_870_909, 1_073_741_789, 2_147_483_647] {
            let words: Vec<u32> = (0..16u32)
                .flat_map(|k| [k.wrapping_mul(p).wrapping_sub(1), k.wrapping_mul(p), k << 28, u32::MAX - k])
                .collect();
            let mut found = vec![0; words.len()];
            reduce(p, &words, &mut found);
            assert!(words.iter().zip(&found).all(|(word, found)| word % p == *found), "{p}");
        }
    }
}
