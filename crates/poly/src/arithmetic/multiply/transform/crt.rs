//! From residues modulo several primes to residues modulo `p`, by the digits of a mixed radix.
//!
//! The primes ascend, `q_0 < q_1 < ...`, so that each digit of `x = d_0 + d_1 q_0 + d_2 q_0 q_1 + ...` is a residue modulo
//! every later prime and no digit needs a reduction before it is subtracted. After Garner; see
//! [`crt`](manycore_field::crt).

use manycore_device::{Buffer, Device, Executor};
use manycore_field::{Field as _, KernelField, PrimeField, ResidueWord, Semiring as _, SliceWord};
use manycore_field::{Montgomery, ShoupFactor, Slices};

use super::digits::{BLOCK, Done, Vectors};
use super::error::ProductError;

/// The constants of a set of primes and of the modulus `p`.
#[derive(Debug)]
pub(super) struct Crt<W: ResidueWord> {
    pub(super) primes: Vec<PrimeField<W>>,
    pub(super) slices: Vec<Slices<W>>,
    /// At `[i][j]`, for `j < i`: the inverse of prime `j` modulo prime `i`.
    inverses: Vec<Vec<W>>,
    /// The product of the primes before each, modulo `p`.
    weights: Vec<ShoupFactor<u64>>,
    /// For primes of 32 bits, on the host.
    vectors: Option<Vectors>,
    modulus: PrimeField<u64>,
    /// For odd `p`.
    montgomery: Option<Montgomery<u64>>,
    /// The weight of every other digit, times `R` for odd `p`: what pairs of short digits are multiplied by.
    pair_weights: Vec<u64>,
    /// For kernels; nothing on the host.
    pub(super) constants: Option<Buffer<u64>>,
}

impl<W: SliceWord> Crt<W>
where
    PrimeField<W>: KernelField<Element = W>,
{
    /// For ascending primes and `p < 2^63`, whose coefficients have `bits` bits in memory.
    pub(super) fn new(device: &Device, primes: &[u64], p: u64, bits: u32) -> Result<Self, ProductError> {
        let reason =
            |error: manycore_field::NotPrime| ProductError::NoRoute { log_order: 0, reason: error.to_string() };
        let modulus = PrimeField::<u64>::new(p).map_err(reason)?;
        let fields: Vec<PrimeField<W>> =
            primes.iter().map(|&q| PrimeField::new(W::from_u64(q))).collect::<Result<_, _>>().map_err(reason)?;
        let inverse = |i: usize, j: usize| {
            let field: &PrimeField<W> = &fields[i];
            // Different primes, so that there always is an inverse.
            field.inverse(field.natural(primes[j])).unwrap_or(field.zero())
        };
        let inverses: Vec<Vec<W>> = (0..primes.len()).map(|i| (0..i).map(|j| inverse(i, j)).collect()).collect();
        let mut weight = 1 % p;
        let weights: Vec<ShoupFactor<u64>> = primes
            .iter()
            .map(|&q| {
                let factor = modulus.shoup().factor(weight);
                weight = modulus.mul(weight, modulus.natural(q));
                factor
            })
            .collect();
        let all_short = W::BITS == 32 && bits == 32;
        let vectors = if W::BITS == 32 {
            let primes: Vec<u32> = primes.iter().map(|&q| q as u32).collect();
            Vectors::new(&primes, PrimeField::new(p as u32).ok().filter(|_| all_short))
        } else {
            None
        };
        let constants = match device.executor() {
            Executor::Host(_) => None,
            Executor::OpenCl(_) => {
                let mut words = Vec::new();
                for (i, field) in fields.iter().enumerate() {
                    words.push(primes[i]);
                    for j in 0..primes.len() {
                        let factor = field.shoup().factor(inverses[i].get(j).copied().unwrap_or(field.zero()));
                        words.extend([factor.value.as_u64(), factor.quotient.as_u64()]);
                    }
                }
                for w in &weights {
                    let quotient = if all_short { (w.value << 32) / p } else { w.quotient };
                    words.extend([w.value, quotient]);
                }
                Some(device.upload(&words)?)
            }
        };
        let montgomery = modulus.montgomery();
        let enter = |w: u64| montgomery.map_or(w, |by| by.enter(w));
        let pair_weights = weights.iter().step_by(2).map(|w| enter(w.value)).collect();
        let slices = fields.iter().map(PrimeField::slices).collect();
        Ok(Self { primes: fields, slices, inverses, weights, vectors, modulus, montgomery, pair_weights, constants })
    }

    /// Residues modulo `p` of the numbers whose residues modulo the primes are `digits`, which are overwritten: at most
    /// [`BLOCK`] of each.
    pub(super) fn combine<E: ResidueWord>(&self, digits: &mut [[W; BLOCK]], out: &mut [E]) {
        let len = out.len();
        let done = match (&self.vectors, bytemuck::try_cast_slice_mut(&mut *digits)) {
            (Some(vectors), Ok(digits)) => vectors.digits(digits, out),
            _ => Done::Nothing,
        };
        match done {
            Done::All => return,
            Done::Digits => {}
            Done::Nothing => {
                for i in 1..self.primes.len() {
                    let (known, rest) = digits.split_at_mut(i);
                    let own = &mut rest[0][..len];
                    for (known, &inverse) in known.iter().zip(&self.inverses[i]) {
                        // The lengths are equal.
                        let _ = self.slices[i].sub(own, &known[..len]);
                        self.slices[i].scale(own, inverse);
                    }
                }
            }
        }
        if W::BITS == 32 {
            let digits = &*digits;
            return match self.pair_weights.len() {
                1 => self.sums::<E, 1>(digits, out),
                2 => self.sums::<E, 2>(digits, out),
                _ => self.sums::<E, 3>(digits, out),
            };
        }
        let by = self.modulus.shoup();
        for (k, out) in out.iter_mut().enumerate() {
            let terms = digits.iter().zip(&self.weights).map(|(digits, w)| by.mul(digits[k].as_u64(), w));
            *out = E::from_u64(terms.fold(0, |sum, term| self.modulus.add(sum, term)));
        }
    }

    /// Digits of 31 bits in pairs, `d_0 + d_1 q_0` and so on, below `2^62`; `PAIRS` times these by their weights are below
    /// `2^64 p` and are reduced once.
    fn sums<E: ResidueWord, const PAIRS: usize>(&self, digits: &[[W; BLOCK]], out: &mut [E]) {
        let nothing = [W::zero(); BLOCK];
        let (mut low, mut high) = ([&nothing; PAIRS], [&nothing; PAIRS]);
        let (mut radix, mut weights) = ([0; PAIRS], [0; PAIRS]);
        for (i, pair) in digits.chunks(2).enumerate().take(PAIRS) {
            low[i] = &pair[0];
            weights[i] = self.pair_weights[i];
            if let Some(second) = pair.get(1) {
                (high[i], radix[i]) = (second, self.primes[2 * i].modulus().as_u64());
            }
        }
        let sum = |k: usize| -> u128 {
            let pair = |i: usize| low[i][k].as_u64() + high[i][k].as_u64() * radix[i];
            (0..PAIRS).map(|i| u128::from(pair(i)) * u128::from(weights[i])).sum()
        };
        let len = out.len().min(BLOCK);
        let halves = |sum: u128| (sum as u64, (sum >> 64) as u64);
        if let Some(by) = self.montgomery {
            for (k, out) in out[..len].iter_mut().enumerate() {
                let (low, high) = halves(sum(k));
                *out = E::from_u64(by.reduce(low, high));
            }
        } else {
            let by = self.modulus.barrett();
            for (k, out) in out[..len].iter_mut().enumerate() {
                let (low, high) = halves(sum(k));
                *out = E::from_u64(by.reduce_wide(low, high));
            }
        }
    }
}
