//! Matrices of half-gcd by spectra on the host: each entry and each polynomial is transformed once, products are added before they
//! are transformed back.
//!
//! With the spectra of `R` known, `R (a, b)` takes four transforms of entries, two of the pair and two back, and `S R` four of the
//! entries of `S` and four back, for two and four sums of two products each. All of it is modulo `x^N - 1`: what is wanted fits `N`
//! coefficients, since the higher ones of `R (a, b)` cancel, so `a` and `b` are folded. A few coefficients more than `N` are
//! computed by their definition.

use manycore_device::{Buffer, Executor, HostPool};
use manycore_field::ResidueWord as _;
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_ntt::cost::{Arrays, Operations, host_arithmetic, host_factor_words, host_moves, host_product};

use super::transition::matrix::{Matrix, Pair};
use crate::arithmetic::multiply::transform::ProductError;
use crate::error::PolyError;
use crate::host::ShortPolynomials;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Words of a thread's piece of a sum.
const PIECE: usize = 1 << 12;

/// The spectra of the entries of a matrix, row by row, and perhaps others behind them.
pub(super) struct Spectra<F: PolyField> {
    words: Buffer<F::Element>,
    log_len: u32,
}

impl<F: PolyField> Spectra<F> {
    /// Whether they hold those of a transform of `2^log_len` values: with bit-reversed indices the first ones.
    pub(super) fn hold(&self, log_len: u32) -> bool {
        self.log_len >= log_len
    }

    /// The spectrum of entry `index`.
    fn entry(&self, index: usize, log_len: u32) -> Result<&[F::Element], PolyError> {
        let start = index << self.log_len;
        Ok(&self.words.host()?[start..start + (1 << log_len)])
    }
}

/// A pair after a matrix was applied to it.
pub(super) struct Applied<F: PolyField> {
    pub(super) next: (Poly<F>, Poly<F>),
    /// The spectra of the matrix, where they were made.
    pub(super) spectra: Option<Spectra<F>>,
}

impl<F: PolyField> PolyRing<F> {
    /// `R (a, b)`, the coefficients `low..len` of polynomials that have no others above, by transforms of `2^log_len` values on the
    /// host; and the spectra of `R`.
    pub(super) fn apply_by_spectra(
        &self,
        matrix: &Matrix<F>,
        pair: Pair<'_, F>,
        (low, len): (usize, usize),
        log_len: u32,
    ) -> Result<Applied<F>, PolyError> {
        let (field, n) = (self.field(), 1usize << log_len);
        let ntt = self.multiplier.transform.transforms(log_len)?;
        let entries = entries(matrix)?;
        // The second one may end below.
        let of_pair = [pair.a.host()?, pair.b.host()?].map(|words| &words[pair.at.min(words.len())..]);
        let mut words = self.device().scratch(6 * n)?;
        let mut sums = self.device().scratch(2 * n)?;
        for (row, from) in words.host_mut()?.chunks_mut(n).zip(entries.into_iter().chain(of_pair)) {
            fold(field, from, row);
        }
        ntt.forward(&mut words).map_err(ProductError::from)?;
        let spectra = Spectra { words, log_len };
        let row = |index| spectra.entry(index, log_len);
        let (a, b) = (row(4)?, row(5)?);
        let products = [[row(0)?, a, row(1)?, b], [row(2)?, a, row(3)?, b]];
        self.add_spectra(&products, sums.host_mut()?);
        ntt.inverse(&mut sums).map_err(ProductError::from)?;
        let sums = sums.host()?;
        let next = |row: usize| -> Result<Poly<F>, PolyError> {
            let mut words = self.device().scratch(len - low)?;
            let out = words.host_mut()?;
            let own = &sums[row * n..(row + 1) * n];
            let inside = n.min(len).saturating_sub(low);
            out[..inside].copy_from_slice(&own[low.min(n)..low.min(n) + inside]);
            for i in n.max(low)..len {
                let terms = [0, 1].map(|j| coefficient(field, entries[2 * row + j], of_pair[j], i));
                out[i - low] = field.add(terms[0], terms[1]);
            }
            // What wrapped around: a coefficient below `low` is not wanted.
            for i in n.max(low + n)..len {
                out[i - n - low] = field.sub(out[i - n - low], out[i - low]);
            }
            let length = crate::arithmetic::linear::reference::stripped_len(field, out);
            Ok(self.exact(words, length))
        };
        Ok(Applied { next: (next(0)?, next(1)?), spectra: Some(spectra) })
    }

    /// `S R` by transforms of `2^log_len` values on the host, with the spectra of `R` where they are known.
    pub(super) fn product_by_spectra(
        &self,
        s: &Matrix<F>,
        r: &Matrix<F>,
        known: Option<&Spectra<F>>,
        log_len: u32,
    ) -> Result<Matrix<F>, PolyError> {
        let (field, n) = (self.field(), 1usize << log_len);
        let ntt = self.multiplier.transform.transforms(log_len)?;
        let (of_s, of_r) = (entries(s)?, entries(r)?);
        let known = known.filter(|known| known.hold(log_len));
        let mut words = self.device().scratch(if known.is_some() { 4 * n } else { 8 * n })?;
        for (row, from) in words.host_mut()?.chunks_mut(n).zip(of_s.into_iter().chain(of_r)) {
            fold(field, from, row);
        }
        ntt.forward(&mut words).map_err(ProductError::from)?;
        let own = Spectra::<F> { words, log_len };
        let right = |index: usize| match known {
            Some(known) => known.entry(index, log_len),
            None => own.entry(4 + index, log_len),
        };
        let left = |index| own.entry(index, log_len);
        let product = |i: usize, j: usize| -> Result<[&[F::Element]; 4], PolyError> {
            Ok([left(2 * i)?, right(j)?, left(2 * i + 1)?, right(2 + j)?])
        };
        let products = [product(0, 0)?, product(0, 1)?, product(1, 0)?, product(1, 1)?];
        let mut sums = self.device().scratch(4 * n)?;
        self.add_spectra(&products, sums.host_mut()?);
        ntt.inverse(&mut sums).map_err(ProductError::from)?;
        let degree = s.degree + r.degree;
        if degree < n {
            return Ok(Matrix { words: sums, stride: n, degree });
        }
        let stride = degree + 1;
        let mut words = self.device().scratch(4 * stride)?;
        let rows = words.host_mut()?.chunks_mut(stride).zip(sums.host()?.chunks(n)).enumerate();
        for (index, (out, sums)) in rows {
            out[..n].copy_from_slice(sums);
            let (i, j) = (index / 2, index % 2);
            for at in n..=degree {
                let terms = [0, 1].map(|k| coefficient(field, of_s[2 * i + k], of_r[2 * k + j], at));
                out[at] = field.add(terms[0], terms[1]);
                out[at - n] = field.sub(out[at - n], out[at]);
            }
        }
        Ok(Matrix { words, stride, degree })
    }

    /// `x y + z w` of spectra, value by value, to the rows of `sums`.
    fn add_spectra(&self, products: &[[&[F::Element]; 4]], sums: &mut [F::Element]) {
        let Executor::Host(pool) = self.device().executor() else { return };
        let (field, n) = (self.field(), sums.len() / products.len());
        let (bytes, words) = (3 * size_of_val(sums) as u64, sums.len() as u64);
        let alone = n < 2 * PIECE || self.spectra_sums(words).suit_one_processor(bytes, self.machine());
        let pieces = products.iter().zip(sums.chunks_mut(n)).flat_map(|(product, sums)| {
            sums.chunks_mut(PIECE).enumerate().map(move |(i, sums)| (product.map(|words| &words[i * PIECE..]), sums))
        });
        pool.step("gcd_spectra", bytes, 2 * words, || {
            let team = HostPool::team(pool).only_if(!alone);
            team.each(pieces, |([x, y, z, w], sums)| field.sums_of_products(sums, [x, y], [z, w]));
        });
    }

    /// Operations of `count` sums of two products.
    fn spectra_sums(&self, count: u64) -> Operations {
        let arithmetics = self.field().arithmetics();
        let product = arithmetics
            .first()
            .map_or(Operations::NONE, |&first| host_product(host_arithmetic(first, self.field().order())));
        product.times(2).times(count).plus(self.on_host().additions(count))
    }

    /// The estimate of a number of transforms of `2^log_len` values, and of a number of sums of two of their products.
    pub(super) fn spectra_estimate(
        &self,
        (transforms, sums): (usize, usize),
        log_len: u32,
        machine: &Machine,
    ) -> Result<Estimate, DoesNotFit> {
        let order = self.field().order();
        let Some(&arithmetic) = self.field().arithmetics().first() else {
            return Err(DoesNotFit::Parameter { reason: "no arithmetic".to_owned() });
        };
        let word_bytes = F::Element::BITS as u64 / 8;
        let arrays = Arrays { count: transforms, log_len, arithmetic, negacyclic: false, natural: false };
        let operations = arrays.host_operations(order).plus(self.spectra_sums((sums as u64) << log_len));
        let tasks = if arrays.suit_one_processor(order, machine) { 1 } else { u64::from(machine.processors).max(1) };
        // Each array is loaded or stored once, and read for the sums.
        let moves = host_moves(word_bytes, log_len, machine) + 2;
        let moved = arrays.values().saturating_mul(moves).div_ceil(tasks);
        let factors = host_factor_words(host_arithmetic(arithmetic, order), log_len).saturating_mul(2);
        let held = arrays.values().saturating_mul(word_bytes);
        let kernel = Kernel::new("gcd_spectra", 1)
            .blocks(Blocks::even(tasks, 1, operations.shared(tasks).of_one_kind(machine).max(1), moved, moved))
            .operation(operations.kind())
            .word_bytes(word_bytes as u32)
            .table_words(factors)
            .footprint_bytes(factors.saturating_mul(word_bytes).saturating_add(held));
        let mut program = Program::new();
        program.queue(if tasks == 1 { kernel.fused() } else { kernel })?;
        machine.estimate(&program)
    }
}

/// The coefficients of a matrix's entries, row by row.
fn entries<F: PolyField>(matrix: &Matrix<F>) -> Result<[&[F::Element]; 4], PolyError> {
    let words = matrix.words.host()?;
    Ok([0, 1, 2, 3].map(|index| &words[index * matrix.stride..][..=matrix.degree]))
}

/// A polynomial modulo `x^n - 1` to `n` words.
fn fold<F: ShortPolynomials>(field: &F, from: &[F::Element], to: &mut [F::Element]) {
    let (first, rest) = from.split_at(from.len().min(to.len()));
    to[..first.len()].copy_from_slice(first);
    to[first.len()..].fill(field.zero());
    for part in rest.chunks(to.len()) {
        field.add_slice(to, part);
    }
}

/// Coefficient `i` of a product by its definition.
fn coefficient<F: ShortPolynomials>(field: &F, f: &[F::Element], g: &[F::Element], i: usize) -> F::Element {
    let (first, last) = ((i + 1).saturating_sub(g.len()), f.len().min(i + 1));
    if first >= last {
        return field.zero();
    }
    let reversed: Vec<F::Element> = f[first..last].iter().rev().copied().collect();
    field.dot(&reversed, &g[i + 1 - last..=i - first])
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::{Goldilocks, PrimeField};

    use super::*;
    use crate::arithmetic::gcd::half::{Quotients, half};
    use crate::arithmetic::gcd::sums::log_len;

    /// A random polynomial of degree `n`.
    fn random<F: PolyField>(ring: &PolyRing<F>, n: usize, seed: u64) -> Poly<F> {
        let mut f = ring.coefficients(&ring.random(n, seed).unwrap()).unwrap();
        f.resize(n, ring.field().zero());
        f.push(ring.field().one());
        ring.poly(&f).unwrap()
    }

    /// `x y + z w` by the ring's products, for polynomials of a pair or entries of matrices.
    fn sum<F: PolyField>(ring: &PolyRing<F>, [x, y, z, w]: [&Poly<F>; 4]) -> Poly<F> {
        ring.add(&ring.mul(x, y).unwrap(), &ring.mul(z, w).unwrap()).unwrap()
    }

    /// Lengths at which nothing, one coefficient and two wrap around.
    fn check<F: PolyField>(field: F) {
        let ring = PolyRing::new(&Device::host(), field).unwrap();
        for (n, k) in
            [(6, 3), (20, 7), (62, 31), (63, 31), (64, 32), (66, 33), (65, 32), (127, 63), (130, 65), (200, 67)]
        {
            let (a, b) = (random(&ring, n, n as u64), random(&ring, n - 1, 7));
            let pair = Pair { a: &a, b: &b, at: 0 };
            let Quotients { matrix: r, .. } = half(&ring, pair, k, 1000, false).unwrap().unwrap();
            let of_r: Vec<Poly<F>> = (0..4).map(|index| ring.entry(&r, index).unwrap()).collect();
            let expected = [0, 1].map(|i| sum(&ring, [&of_r[2 * i], &a, &of_r[2 * i + 1], &b]));
            let len = n - r.degree + 1;
            for low in [0, 1, 2, r.degree.min(len - 1), len - 1] {
                let Applied { next: (c, d), spectra } =
                    ring.apply_by_spectra(&r, pair, (low, len), log_len(len)).unwrap();
                for (found, expected) in [c, d].iter().zip(&expected) {
                    let name = format!("degrees {} and {n} from {low} mod {}", r.degree, ring.field().order());
                    assert!(ring.equal(found, &ring.shift_down(expected, low).unwrap()).unwrap(), "{name}");
                }
                let (c, d) = (&expected[0], &expected[1]);
                let rest = Pair { a: c, b: d, at: 0 };
                for k in [1, 2, 3, k / 2, k].into_iter().filter(|&k| k > 0 && k < c.len) {
                    let Some(Quotients { matrix: s, .. }) = half(&ring, rest, k, 1000, false).unwrap() else {
                        continue;
                    };
                    let log_len = log_len(s.degree + r.degree + 1);
                    for known in [None, spectra.as_ref()] {
                        let product = ring.product_by_spectra(&s, &r, known, log_len).unwrap();
                        let entry = |m: &Matrix<F>, index| ring.entry(m, index).unwrap();
                        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                            let row = [entry(&s, 2 * i), entry(&s, 2 * i + 1)];
                            let expected = sum(&ring, [&row[0], &of_r[j], &row[1], &of_r[2 + j]]);
                            assert!(ring.equal(&entry(&product, 2 * i + j), &expected).unwrap(), "{n}, {k}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn spectra_equal_products() {
        check(PrimeField::<u32>::new(469_762_049).unwrap());
        check(PrimeField::<u32>::new(2_013_265_921).unwrap());
        check(PrimeField::<u64>::new(4_611_686_009_971_671_041).unwrap());
        check(Goldilocks);
    }
}
