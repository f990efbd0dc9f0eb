//! Half-gcd (Knuth 1970; Moenck 1973; Thull and Yap 1990): the quotients of Euclid's algorithm by divide and conquer.
//!
//! The quotients whose degrees add up to at most `k` depend on the upper `2 k + 1` coefficients alone. So the first half of them
//! comes from the upper half of the coefficients; their matrix `R` applied to the pair gives a later pair of the sequence, of
//! which the second half comes the same way as `S`, and the matrix of all is `S R`:
//!
//! ```text
//!   (a, b)                          deg a = n
//!   R = half(a, b, k / 2)           the upper k + 1 coefficients of a
//!   (c, d) = R (a, b)               deg c = n - deg R
//!   S = half(c, d, k - deg R)       the upper 2 (k - deg R) + 1 coefficients of c
//!   S R
//! ```
//!
//! The quotient that crosses `k / 2` is the first one of the second half. Where the first quotient alone is above `k / 2` it is
//! divided out. The matrix `R` is applied and multiplied, so that its transforms may serve both (`half_spectra`). Up to a base degree the pair goes to the [transition](super::transition) of the host or the device. `O(M(k) log k)`
//! operations, with `M(k)` those of a product.

use super::half_spectra::Applied;
use super::transition::matrix::{Matrix, Pair, Step, Transition};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// What Euclid's algorithm on a pair leaves behind.
pub(crate) struct Descent<F: PolyField> {
    /// The last divisor: a greatest common divisor, not monic; the other polynomial where one is zero.
    pub(crate) gcd: Poly<F>,
    /// The divisors, their drops counted from the degree of the first polynomial; where they were asked for.
    pub(crate) steps: Vec<Step<F::Element>>,
    /// The matrices, the first applied first; where they were asked for.
    pub(crate) factors: Vec<Factor<F>>,
}

/// A part of the matrix of all quotients.
pub(crate) enum Factor<F: PolyField> {
    /// Several quotients.
    Matrix(Matrix<F>),
    /// One, whose matrix is `[[0, 1], [1, -q]]`.
    Quotient(Poly<F>),
}

/// What a descent keeps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The divisors' degrees and leading coefficients.
    pub(crate) steps: bool,
    /// The matrices.
    pub(crate) factors: bool,
}

/// A greatest common divisor, not monic: zero where both are zero. Degrees of at most `base` go to a transition.
///
/// # Errors
/// As [`PolyRing::mul`].
pub(crate) fn gcd<F: PolyField>(
    ring: &PolyRing<F>,
    a: &Poly<F>,
    b: &Poly<F>,
    base: usize,
) -> Result<Poly<F>, PolyError> {
    let (a, b) = if a.len < b.len { (b, a) } else { (a, b) };
    Ok(descend(ring, a, b, base, Kept::default())?.gcd)
}

/// The degree of the quotients that a step of Euclid's algorithm to its end takes together, of a pair of this degree.
pub(super) const fn first_degree(degree: usize) -> usize {
    degree / 2
}

/// The degree of the first half of quotients of degree `k`.
pub(super) const fn half_degree(k: usize) -> usize {
    k / 2
}

/// Euclid's algorithm to its end on `deg a >= deg b`.
///
/// # Errors
/// As [`PolyRing::mul`].
pub(crate) fn descend<F: PolyField>(
    ring: &PolyRing<F>,
    a: &Poly<F>,
    b: &Poly<F>,
    base: usize,
    kept: Kept,
) -> Result<Descent<F>, PolyError> {
    let top = a.len;
    let (mut steps, mut factors) = (Vec::new(), Vec::new());
    let mut pair = (ring.copy(a)?, ring.copy(b)?);
    let base = base.clamp(1, ring.longest_transition()?);
    while !pair.1.is_zero() {
        let (a, b) = (&pair.0, &pair.1);
        let (degree, offset) = (a.len - 1, top - a.len);
        let whole = Pair { a, b, at: 0 };
        if a.len > b.len
            && degree <= base
            && let Some(Transition { matrix, steps: own, last: Some(gcd) }) =
                ring.transition(whole, degree, kept.steps)?
        {
            append(&mut steps, own, offset);
            if kept.factors {
                factors.push(Factor::Matrix(matrix));
            }
            return Ok(Descent { gcd, steps, factors });
        }
        let found = if a.len > b.len { half(ring, whole, first_degree(degree), base, kept.steps)? } else { None };
        pair = if let Some(Quotients { matrix, steps: own }) = found {
            append(&mut steps, own, offset);
            let next = ring.apply(&matrix, whole, (0, degree - matrix.degree + 1))?;
            if kept.factors {
                factors.push(Factor::Matrix(matrix));
            }
            next
        } else {
            if kept.steps {
                append(&mut steps, divided(ring, b, top - b.len)?, 0);
            }
            let (q, r) = ring.div_rem(a, b)?;
            if kept.factors {
                factors.push(Factor::Quotient(q));
            }
            (pair.1, r)
        };
    }
    Ok(Descent { gcd: pair.0, steps, factors })
}

/// The first quotients of a pair.
pub(super) struct Quotients<F: PolyField> {
    /// Their matrix.
    pub(super) matrix: Matrix<F>,
    /// The divisors, their drops counted from the degree of the first polynomial; where they were asked for.
    pub(super) steps: Vec<Step<F::Element>>,
}

/// The quotients whose degrees add up to at most `k`, for a pair with `deg a > deg b` and `k <= deg a`, with the divisors if requested;
/// `None` where there is no such quotient.
pub(super) fn half<F: PolyField>(
    ring: &PolyRing<F>,
    pair: Pair<'_, F>,
    k: usize,
    base: usize,
    steps: bool,
) -> Result<Option<Quotients<F>>, PolyError> {
    let Some(gap) = pair.gap().filter(|&gap| gap <= k) else { return Ok(None) };
    if k <= base {
        return Ok(ring
            .transition(pair, k, steps)?
            .map(|found| Quotients { matrix: found.matrix, steps: found.steps }));
    }
    // What is below the upper 2 k + 1 coefficients is not read.
    let at = pair.at + pair.degree().saturating_sub(2 * k);
    let pair = Pair { at, ..pair };
    let n = pair.degree();
    // The coefficients of the next pair below this one are not needed, and not known where some were cut off.
    let low = |degree: usize| (n + degree).saturating_sub(2 * k);
    let (mut first, (c, d), spectra) = if let Some(first) = half(ring, pair, half_degree(k), base, steps)? {
        let degree = first.matrix.degree;
        let Applied { next, spectra } = ring.apply_and_keep(&first.matrix, pair, (low(degree), n - degree + 1))?;
        (first, next, spectra)
    } else {
        let (a, b) = (ring.shift_down(pair.a, at)?, ring.shift_down(pair.b, at)?);
        let steps = if steps { divided(ring, &b, gap)? } else { Vec::new() };
        let (q, r) = ring.div_rem(&a, &b)?;
        let first = Quotients { matrix: ring.quotient_matrix(&q)?, steps };
        (first, (ring.shift_down(&b, low(gap))?, ring.shift_down(&r, low(gap))?), None)
    };
    let rest = Pair { a: &c, b: &d, at: 0 };
    let degree = first.matrix.degree;
    let Some(second) = half(ring, rest, k - degree, base, steps)? else { return Ok(Some(first)) };
    append(&mut first.steps, second.steps, degree);
    let matrix = ring.matrix_product(&second.matrix, &first.matrix, spectra.as_ref())?;
    Ok(Some(Quotients { matrix, steps: first.steps }))
}

/// A divisor whose degree is so far below that of the first polynomial.
fn divided<F: PolyField>(ring: &PolyRing<F>, b: &Poly<F>, drop: usize) -> Result<Vec<Step<F::Element>>, PolyError> {
    Ok(ring.leading(b)?.map(|leading| Step { drop, leading }).into_iter().collect())
}

/// Adds steps whose drops are counted from a polynomial of a degree that is `offset` lower.
fn append<E>(steps: &mut Vec<Step<E>>, own: Vec<Step<E>>, offset: usize) {
    steps.extend(own.into_iter().map(|step| Step { drop: step.drop + offset, ..step }));
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::{ModularField as _, PrimeField, Ring as _};

    use super::*;
    use crate::arithmetic::gcd::reference;
    use crate::arithmetic::multiply::reference::multiply;

    fn ring(p: u32) -> PolyRing<PrimeField<u32>> {
        PolyRing::new(&Device::host(), PrimeField::new(p).unwrap()).unwrap()
    }

    /// A random polynomial; the coefficients at most places are zero where it is sparse.
    fn random(ring: &PolyRing<PrimeField<u32>>, len: usize, seed: u64, sparse: bool) -> Vec<u32> {
        let mut f = ring.coefficients(&ring.random(len, seed).unwrap()).unwrap();
        f.iter_mut().enumerate().filter(|(i, _)| sparse && i % 5 != 0).for_each(|(_, c)| *c = 0);
        f.truncate(crate::arithmetic::linear::reference::stripped_len(ring.field(), &f));
        f
    }

    #[test]
    fn every_base_gives_the_same_divisors() {
        for p in [2, 3, 7, 9001, 469_762_049] {
            let ring = ring(p);
            for seed in 0..30 {
                let len = [5, 20, 60, 150][seed as usize % 4];
                let [a, b] =
                    [1, 2].map(|salt| random(&ring, len - (seed % 3) as usize, 4 * seed + salt, seed % 2 == 1));
                let common = random(&ring, (seed % 9) as usize, 4 * seed + 3, false);
                let [a, b] = [a, b].map(|f| multiply(ring.field(), &f, &common));
                let expected = reference::gcd(ring.field(), &a, &b);
                let (a, b) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
                let mut bits = Vec::new();
                for base in [1, 2, 3, 7, 16, 64, 1000] {
                    let found = ring.monic(&gcd(&ring, &a, &b, base).unwrap()).unwrap();
                    assert_eq!(ring.coefficients(&found).unwrap(), expected, "mod {p}, base {base}, seed {seed}");
                    let x = ring.xgcd_with(&a, &b, base).unwrap();
                    bits.push([&x.gcd, &x.s, &x.t].map(|f| ring.coefficients(f).unwrap()));
                }
                assert!(bits.windows(2).all(|pair| pair[0] == pair[1]), "mod {p}, seed {seed}");
            }
        }
    }

    /// The pair that a half-gcd leads to is the one of Euclid's algorithm around the degree asked for, and the divisors are all
    /// before it.
    #[test]
    fn pairs_are_consecutive_remainders() {
        for p in [2, 7, 469_762_049] {
            let ring = ring(p);
            for seed in 0..24 {
                let sparse = seed % 3 == 1;
                let n = 10 + 7 * (seed as usize % 12);
                let mut a = random(&ring, n, 2 * seed, sparse);
                a.resize(n, 0);
                a.push(1);
                let b = random(&ring, n - seed as usize % 4, 2 * seed + 1, sparse);
                let (a, b) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
                for (k, base) in [(n / 2, 3), (n / 3, 5), (n, 8), (n - 1, 2), (n / 2, 1000)] {
                    let least = n - k;
                    let (mut c, mut d) = (ring.copy(&a).unwrap(), ring.copy(&b).unwrap());
                    let mut expected = Vec::new();
                    while d.len > least && !d.is_zero() {
                        let leading = ring.leading(&d).unwrap().unwrap();
                        expected.push(Step { drop: n + 1 - d.len, leading });
                        let r = ring.rem(&c, &d).unwrap();
                        (c, d) = (d, r);
                    }
                    let pair = Pair { a: &a, b: &b, at: 0 };
                    let name = format!("mod {p}, degree {n}, k = {k}, base {base}");
                    let Some(Quotients { matrix, steps }) = half(&ring, pair, k, base, true).unwrap() else {
                        assert!(expected.is_empty(), "{name}");
                        continue;
                    };
                    assert_eq!(steps, expected, "{name}");
                    let found = ring.apply(&matrix, pair, (0, n - matrix.degree + 1)).unwrap();
                    assert!(ring.equal(&found.0, &c).unwrap() && ring.equal(&found.1, &d).unwrap(), "{name}");
                    let [e, f, g, h] = [0, 1, 2, 3].map(|index| ring.entry(&matrix, index).unwrap());
                    let determinant = ring.sub(&ring.mul(&e, &h).unwrap(), &ring.mul(&f, &g).unwrap()).unwrap();
                    let sign = if steps.len() % 2 == 0 { 1 } else { ring.field().neg(1) };
                    assert_eq!(ring.coefficients(&determinant).unwrap(), [sign], "{name} mod {}", ring.field().order());
                }
            }
        }
    }
}
