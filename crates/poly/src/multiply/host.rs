//! Products on the host: by the definition over threads, and Karatsuba's.

use manycore_device::HostPool;
use rayon::prelude::*;

use super::{Plan, Shape};
use crate::host::HostField;
use crate::ring::PolyField;

/// Products of coefficients up to which the calling thread works alone: waking others takes as long.
pub(super) const SERIAL_PRODUCTS: u64 = 1 << 18;
/// Coefficients of a factor from which Karatsuba's three products are made by different threads.
const PARALLEL: usize = 1 << 9;
/// The fewest coefficients that a thread makes of a plain product.
const LEAST_PART: usize = 256;

/// Whether a product is left to the calling thread.
pub(super) const fn is_serial(shape: &Shape) -> bool {
    products(shape) <= SERIAL_PRODUCTS
}

/// About how many products of coefficients the definition takes.
pub(super) const fn products(shape: &Shape) -> u64 {
    let short = if shape.n < shape.m { shape.n } else { shape.m };
    (shape.count as u64).saturating_mul(shape.len as u64).saturating_mul(short as u64)
}

/// The products of `shape` into `out`, by a plan of the host.
pub(super) fn run<F: PolyField>(
    field: &F,
    pool: &HostPool,
    plan: &Plan,
    shape: &Shape,
    a: &[F::Element],
    b: &[F::Element],
    out: &mut [F::Element],
) {
    if out.is_empty() {
        return;
    }
    let parallel = !is_serial(shape) && pool.threads() > 1;
    let one = |(index, out): (usize, &mut [F::Element])| {
        let a = &a[index * shape.n..][..shape.n];
        let b = &b[index * shape.m..][..shape.m];
        match plan {
            Plan::Karatsuba { base } => ranged(field, a, b, shape.low, out, *base, parallel),
            _ => plain(field, a, b, shape.low, out, parallel.then(|| pool.threads())),
        }
    };
    let name = if matches!(plan, Plan::Karatsuba { .. }) { "karatsuba" } else { "product_plain" };
    let (bytes, operations) = (size_of_val(out) as u64 * 3, products(shape));
    if parallel {
        pool.step_on_all(name, bytes, operations, || out.par_chunks_mut(shape.len).enumerate().for_each(one));
    } else {
        pool.step(name, bytes, operations, || out.chunks_mut(shape.len).enumerate().for_each(one));
    }
}

fn plain<F: HostField>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    low: usize,
    out: &mut [F::Element],
    threads: Option<usize>,
) {
    let Some(threads) = threads else {
        return field.convolve(a, b, low, out);
    };
    // Several parts for each thread, since those in the middle have the longest sums.
    let part = out.len().div_ceil(8 * threads).next_multiple_of(LEAST_PART);
    out.par_chunks_mut(part).enumerate().for_each(|(i, out)| field.convolve(a, b, low + i * part, out));
}

/// The coefficients from `low` on, by Karatsuba's algorithm.
fn ranged<F: HostField>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    low: usize,
    out: &mut [F::Element],
    base: usize,
    parallel: bool,
) {
    let length = (a.len() + b.len()).saturating_sub(1);
    if a.is_empty() || b.is_empty() || low >= length {
        return out.fill(field.zero());
    }
    if low == 0 && out.len() == length {
        return karatsuba(field, a, b, out, base, parallel);
    }
    let mut whole = vec![field.zero(); length];
    karatsuba(field, a, b, &mut whole, base, parallel);
    let (copied, beyond) = out.split_at_mut(out.len().min(length - low));
    copied.copy_from_slice(&whole[low..low + copied.len()]);
    beyond.fill(field.zero());
}

/// The whole product, `a.len() + b.len() - 1` coefficients.
///
/// With `a = a0 + a1 x^h` and `b = b0 + b1 x^h` the middle part `a0 b1 + a1 b0` is `(a0 + a1)(b0 + b1) - a0 b0 - a1 b1`.
pub(super) fn karatsuba<F: HostField>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    out: &mut [F::Element],
    base: usize,
    parallel: bool,
) {
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let half = b.len().div_ceil(2);
    if a.len() < base.max(2) {
        return field.convolve(a, b, 0, out);
    }
    if a.len() <= half {
        return unbalanced(field, a, b, out, base, parallel);
    }
    let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
    let square = std::ptr::eq(a, b);
    let (low, high) = out.split_at_mut(2 * half);
    let (gap, low) = low.split_last_mut().map_or((None, &mut [][..]), |(gap, low)| (Some(gap), low));
    if let Some(gap) = gap {
        *gap = field.zero();
    }
    let mut middle = vec![field.zero(); 2 * half - 1];
    let mut make_middle = || {
        let sum = |x0: &[F::Element], x1: &[F::Element]| {
            let mut sum = x0.to_vec();
            field.add_slice(&mut sum, x1);
            sum
        };
        let x = sum(a0, a1);
        if square {
            karatsuba(field, &x, &x, &mut middle, base, parallel);
        } else {
            karatsuba(field, &x, &sum(b0, b1), &mut middle, base, parallel);
        }
    };
    if parallel && a.len() >= PARALLEL {
        rayon::join(make_middle, || {
            rayon::join(
                || karatsuba(field, a0, b0, low, base, parallel),
                || karatsuba(field, a1, b1, high, base, parallel),
            )
        });
    } else {
        make_middle();
        karatsuba(field, a0, b0, low, base, parallel);
        karatsuba(field, a1, b1, high, base, parallel);
    }
    field.sub_slice(&mut middle, low);
    field.sub_slice(&mut middle, high);
    field.add_slice(&mut out[half..], &middle);
}

/// `b` is more than twice as long as `a`: products of `a` with parts of its length, which overlap.
fn unbalanced<F: HostField>(
    field: &F,
    a: &[F::Element],
    b: &[F::Element],
    out: &mut [F::Element],
    base: usize,
    parallel: bool,
) {
    let product = |part: &[F::Element]| {
        let mut product = vec![field.zero(); a.len() + part.len() - 1];
        karatsuba(field, a, part, &mut product, base, parallel);
        product
    };
    out.fill(field.zero());
    let mut add = |at: usize, product: &[F::Element]| field.add_slice(&mut out[at * a.len()..], product);
    if parallel {
        let products: Vec<_> = b.par_chunks(a.len()).map(product).collect();
        products.iter().enumerate().for_each(|(i, product)| add(i, product));
    } else {
        b.chunks(a.len()).enumerate().for_each(|(i, part)| add(i, &product(part)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multiply::reference;
    use manycore_field::{Goldilocks, PrimeField, ResidueWord as _};

    fn elements<F: HostField>(field: &F, len: usize, salt: u64) -> Vec<F::Element> {
        (0..len).map(|i| crate::linear::reference::random(field, salt, i as u64)).collect()
    }

    fn check<F: PolyField>(field: &F) {
        let device = manycore_device::Device::host();
        let manycore_device::Executor::Host(pool) = device.executor() else { panic!("the host") };
        for (n, m) in [(1, 1), (2, 2), (3, 2), (5, 9), (16, 16), (17, 31), (7, 100), (64, 65), (130, 127), (40, 81)] {
            let (a, b) = (elements(field, n, 1), elements(field, m, 2));
            let expected = reference::multiply(field, &a, &b);
            for base in [0, 2, 5, 40] {
                for parallel in [false, true] {
                    let mut out = vec![F::Element::from_u64(1); n + m - 1];
                    pool.install(|| karatsuba(field, &a, &b, &mut out, base, parallel));
                    assert_eq!(out, expected, "{n} by {m} mod {}, base {base}", field.order());
                    let mut square = vec![field.one(); 2 * n - 1];
                    pool.install(|| karatsuba(field, &a, &a, &mut square, base, parallel));
                    assert_eq!(square, reference::multiply(field, &a, &a), "square of {n}");
                }
            }
        }
        // Threads: more than SERIAL_PRODUCTS, in a batch, in a range that goes past the product.
        let shape = Shape { count: 3, n: 700, m: 650, low: 5, len: 1400, square: false };
        let (a, b) = (elements(field, 2100, 1), elements(field, 1950, 2));
        for plan in [Plan::Plain, Plan::Karatsuba { base: 64 }] {
            let mut out = vec![field.one(); 3 * shape.len];
            run(field, pool, &plan, &shape, &a, &b, &mut out);
            for (i, out) in out.chunks(shape.len).enumerate() {
                let mut expected = vec![field.zero(); 1349];
                field.convolve(&a[700 * i..][..700], &b[650 * i..][..650], 0, &mut expected);
                expected.resize(shape.low + shape.len, field.zero());
                assert_eq!(out, &expected[5..], "{plan} mod {}", field.order());
            }
        }
    }

    #[test]
    fn every_way_equals_the_definition() {
        check(&PrimeField::<u32>::new(2).unwrap());
        check(&PrimeField::<u32>::new(2_013_265_921).unwrap());
        check(&PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap());
        check(&Goldilocks);
    }
}
