//! The transform of a cyclic group of any order, over any numbers with the roots: mixed radix by prime factors, primes by the
//! definition or, where that would take too long, as a convolution with a chirp (Bluestein).
//!
//! With h the half of 1 modulo an odd prime p, `r j = h (r^2 + j^2 - (j - r)^2)`, so that the chirp needs roots of order p alone.

use crate::outcome::{CheckError, collected, reserved};
use crate::residues::primes_of;

/// The numbers of a transform.
pub(crate) trait Numbers: Sync {
    /// A number.
    type Value: Copy + Default + Send + Sync;
    /// What convolutions with one chirp need.
    type Chirp: Sync;

    fn plus(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    fn times(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The root of the transform for a cyclic group of `order` elements, to the powers `0..order`.
    fn roots(&self, order: u64) -> Result<Vec<Self::Value>, CheckError>;

    /// Prepares convolutions with a function on the cyclic group of its length.
    fn prepare(&self, chirp: Vec<Self::Value>) -> Result<Self::Chirp, CheckError>;

    /// The convolution of `values` with the prepared chirp, in place.
    fn convolve(&self, values: &mut [Self::Value], chirp: &Self::Chirp) -> Result<(), CheckError>;
}

/// Products of the definition beyond which a prime is done by a chirp.
const MOST_PRODUCTS: u128 = 1 << 30;

/// The transform of one cyclic group.
pub(crate) struct Cyclic<N: Numbers> {
    primes: Vec<u64>,
    roots: Vec<N::Value>,
    /// For the largest prime, if it is done by a chirp: the exponents `h r^2`, and the chirp.
    chirp: Option<(u64, Vec<u64>, N::Chirp)>,
}

impl<N: Numbers> Cyclic<N> {
    /// The transform for cyclic groups of `order` elements and functions of `values` values in all.
    pub(crate) fn new(numbers: &N, order: u64, values: usize) -> Result<Self, CheckError> {
        Self::limited(numbers, order, values, MOST_PRODUCTS)
    }

    /// The transform with a limit of the products in sums by the definition.
    pub(crate) fn limited(numbers: &N, order: u64, values: usize, most: u128) -> Result<Self, CheckError> {
        let (mut primes, roots) = (primes_of(order), numbers.roots(order)?);
        primes.reverse();
        let mut chirp = None;
        if let Some(&p) = primes.first().filter(|&&p| p > 2 && u128::from(p) * values as u128 > most) {
            let half = p.div_ceil(2);
            let square =
                |r: u64| (u128::from(r) * u128::from(r) % u128::from(p) * u128::from(half) % u128::from(p)) as u64;
            let squares = collected((0..p as usize).map(|r| square(r as u64)))?;
            let stride = (order / p) as usize;
            let filter = collected(squares.iter().map(|&e| roots[(p - e) as usize % p as usize * stride]))?;
            chirp = Some((p, squares, numbers.prepare(filter)?));
        }
        Ok(Self { primes, roots, chirp })
    }

    /// The number of elements.
    pub(crate) fn order(&self) -> usize {
        self.roots.len()
    }

    /// Transforms the values `x[0]`, `x[stride]`, `x[2 stride]`, ... into `out`.
    pub(crate) fn transform(
        &self,
        numbers: &N,
        x: &[N::Value],
        stride: usize,
        out: &mut [N::Value],
    ) -> Result<(), CheckError> {
        let largest = self.primes.first().copied().unwrap_or(1) as usize;
        let mut column = reserved(largest)?;
        self.part(numbers, (x, stride), out, &self.primes, &mut column)
    }

    /// One level: the transforms of the residue classes modulo the first prime, then of the columns across them.
    fn part(
        &self,
        numbers: &N,
        (x, stride): (&[N::Value], usize),
        out: &mut [N::Value],
        primes: &[u64],
        column: &mut Vec<N::Value>,
    ) -> Result<(), CheckError> {
        let Some((&p, rest)) = primes.split_first() else {
            out[0] = x[0];
            return Ok(());
        };
        let (n, p) = (out.len(), p as usize);
        let (m, step) = (n / p, self.roots.len() / n);
        for (r, out) in out.chunks_exact_mut(m).enumerate() {
            self.part(numbers, (&x[r * stride..], stride * p), out, rest, column)?;
        }
        for k in 0..m {
            column.clear();
            // The twiddles: the root of order n to the power r k.
            let twisted = |r: usize| numbers.times(out[r * m + k], self.roots[r * k * step]);
            column.extend((0..p).map(twisted));
            match &self.chirp {
                Some((prime, squares, chirp)) if *prime == p as u64 => {
                    let turn = |value, e: u64| numbers.times(value, self.roots[e as usize * (self.roots.len() / p)]);
                    column.iter_mut().zip(squares).for_each(|(value, &e)| *value = turn(*value, e));
                    numbers.convolve(column, chirp)?;
                    for (j, (&value, &e)) in column.iter().zip(squares).enumerate() {
                        out[j * m + k] = turn(value, e);
                    }
                }
                _ => {
                    for j in 0..p {
                        let term = |r: usize| numbers.times(column[r], self.roots[r * j % p * m * step]);
                        out[j * m + k] = (1..p).fold(column[0], |sum, r| numbers.plus(sum, term(r)));
                    }
                }
            }
        }
        Ok(())
    }
}
