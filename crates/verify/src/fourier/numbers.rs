//! Complex numbers in double precision, and residues modulo a prime, as transforms take them.
//!
//! Convolutions with chirps are transforms of radix 2: of complex numbers by roots of unity, of residues by three primes whose
//! product is past every sum of products, whence the Chinese remainders give the sum modulo the prime that is meant.

use super::cyclic::Numbers;
use crate::butterflies::reversed;
use crate::complex::{minus, plus, times, unit_root};
use crate::modulus::Modulus;
use crate::ntt;
use crate::outcome::{CheckError, collected, reserved};

/// Complex numbers; the transform's root is `exp(-2 pi i / n)`, or its conjugate for an inverse.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Complex {
    pub(crate) inverse: bool,
}

/// The transform of a chirp and the roots of its length.
pub(crate) struct ComplexChirp {
    spectrum: Vec<[f64; 2]>,
    roots: Vec<[f64; 2]>,
}

/// A cyclic function as a filter of linear convolutions: its values at 0, ..., n - 1 and at -1, ..., -(n - 1) from the end.
fn filter<V: Copy + Default>(chirp: &[V]) -> Result<Vec<V>, CheckError> {
    let (n, len) = (chirp.len(), (2 * chirp.len()).next_power_of_two());
    collected((0..len).map(|index| match index {
        index if index < n => chirp[index],
        // The cyclic function at index - len is that at n more.
        index if len - index < n => chirp[n - (len - index)],
        _ => V::default(),
    }))
}

/// Values and zeros up to a length.
fn padded<V: Copy + Default>(values: &[V], len: usize) -> Result<Vec<V>, CheckError> {
    collected((0..len).map(|index| values.get(index).copied().unwrap_or_default()))
}

/// The complex transform of radix 2 with the powers of a root.
fn radix_two(z: &mut [[f64; 2]], roots: &[[f64; 2]]) {
    let bits = z.len().ilog2();
    for index in 0..z.len() {
        let other = reversed(index, bits);
        if index < other {
            z.swap(index, other);
        }
    }
    let mut half = 1;
    while half < z.len() {
        let stride = z.len() / (2 * half);
        for run in z.chunks_exact_mut(2 * half) {
            let (low, high) = run.split_at_mut(half);
            for (k, (u, v)) in low.iter_mut().zip(high).enumerate() {
                let product = times(*v, roots[k * stride]);
                (*u, *v) = (plus(*u, product), minus(*u, product));
            }
        }
        half *= 2;
    }
}

impl Numbers for Complex {
    type Value = [f64; 2];
    type Chirp = ComplexChirp;

    fn plus(&self, a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        plus(a, b)
    }

    fn times(&self, a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        times(a, b)
    }

    fn roots(&self, order: u64) -> Result<Vec<[f64; 2]>, CheckError> {
        collected((0..order as usize).map(|t| {
            let [re, im] = unit_root(t as u64, order);
            if self.inverse { [re, im] } else { [re, -im] }
        }))
    }

    fn prepare(&self, chirp: Vec<[f64; 2]>) -> Result<ComplexChirp, CheckError> {
        let mut spectrum = filter(&chirp)?;
        let len = spectrum.len();
        let roots = collected((0..len / 2).map(|t| unit_root(t as u64, len as u64)))?;
        radix_two(&mut spectrum, &roots);
        for value in &mut spectrum {
            *value = value.map(|part| part / len as f64);
        }
        Ok(ComplexChirp { spectrum, roots })
    }

    fn convolve(&self, values: &mut [[f64; 2]], chirp: &ComplexChirp) -> Result<(), CheckError> {
        let mut z = padded(values, chirp.spectrum.len())?;
        radix_two(&mut z, &chirp.roots);
        // The inverse is the transform of the conjugates, conjugated.
        for (z, chirp) in z.iter_mut().zip(&chirp.spectrum) {
            let [re, im] = times(*z, *chirp);
            *z = [re, -im];
        }
        radix_two(&mut z, &chirp.roots);
        values.iter_mut().zip(z).for_each(|(value, [re, im])| *value = [re, -im]);
        Ok(())
    }
}

/// Residues; `root` is of the order `exponent`, a multiple of those of all cyclic factors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Residues {
    pub(crate) field: Modulus,
    pub(crate) root: u64,
    pub(crate) exponent: u64,
}

/// The largest primes below 2^62 less multiples of 2^40, with numbers that are no squares: roots of orders to 2^40.
const PRIMES: [(u64, u64); 3] =
    [(4_611_615_649_683_210_241, 7), (4_611_613_450_659_954_689, 3), (4_611_549_678_985_543_681, 11)];

/// For each of [`PRIMES`] the transform of the chirp, over its length, and the roots of both directions.
pub(crate) struct ResidueChirp([ChirpModulo; 3]);

struct ChirpModulo {
    field: Modulus,
    spectrum: Vec<u64>,
    roots: [Vec<u64>; 2],
}

impl ChirpModulo {
    fn new(chirp: &[u64], (prime, generator): (u64, u64)) -> Result<Self, CheckError> {
        let field = Modulus::new(prime)?;
        let mut spectrum = filter(chirp)?;
        let len = spectrum.len() as u64;
        let root = field.power(generator, (prime - 1) / len);
        let [forward, inverse] = [root, field.inverse(root)].map(|root| field.powers(root, spectrum.len() / 2));
        let roots = [forward?, inverse?];
        for value in &mut spectrum {
            *value %= prime;
        }
        ntt::transform(&mut spectrum, field, &roots[0]);
        let scale = field.inverse(len);
        for value in &mut spectrum {
            *value = field.mul(*value, scale);
        }
        Ok(Self { field, spectrum, roots })
    }

    fn convolved(&self, values: &[u64]) -> Result<Vec<u64>, CheckError> {
        let mut z = padded(values, self.spectrum.len())?;
        for value in &mut z {
            *value %= self.field.value();
        }
        ntt::transform(&mut z, self.field, &self.roots[0]);
        z.iter_mut().zip(&self.spectrum).for_each(|(z, &chirp)| *z = self.field.mul(*z, chirp));
        ntt::transform(&mut z, self.field, &self.roots[1]);
        z.truncate(values.len());
        Ok(z)
    }
}

impl Numbers for Residues {
    type Value = u64;
    type Chirp = ResidueChirp;

    fn plus(&self, a: u64, b: u64) -> u64 {
        self.field.add(a, b)
    }

    fn times(&self, a: u64, b: u64) -> u64 {
        self.field.mul(a, b)
    }

    fn roots(&self, order: u64) -> Result<Vec<u64>, CheckError> {
        self.field.powers(self.field.power(self.root, self.exponent / order), order as usize)
    }

    fn prepare(&self, chirp: Vec<u64>) -> Result<ResidueChirp, CheckError> {
        let [a, b, c] = PRIMES.map(|prime| ChirpModulo::new(&chirp, prime));
        Ok(ResidueChirp([a?, b?, c?]))
    }

    /// Sums of up to 2^40 products of residues below 2^64 are below 2^168, and the three primes multiply to more than 2^185.
    fn convolve(&self, values: &mut [u64], chirp: &ResidueChirp) -> Result<(), CheckError> {
        let mut sums = reserved(3)?;
        for part in &chirp.0 {
            sums.push(part.convolved(values)?);
        }
        let [p, q, r] = [0, 1, 2].map(|i| chirp.0[i].field);
        // Garner's mixed radix: a + b p + c p q.
        let (p_inverse, pq_inverse) =
            (q.inverse(p.value() % q.value()), r.inverse(r.mul(p.value() % r.value(), q.value() % r.value())));
        let field = self.field;
        let [p_here, q_here] = [p.value(), q.value()].map(|prime| prime % field.value());
        for (index, value) in values.iter_mut().enumerate() {
            let a = sums[0][index];
            let b = q.mul(q.sub(sums[1][index], a % q.value()), p_inverse);
            let known = r.add(a % r.value(), r.mul(b % r.value(), p.value() % r.value()));
            let c = r.mul(r.sub(sums[2][index], known), pq_inverse);
            let upper = field.mul(field.add(b % field.value(), field.mul(c % field.value(), q_here)), p_here);
            *value = field.add(a % field.value(), upper);
        }
        Ok(())
    }
}
