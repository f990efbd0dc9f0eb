//! Every instruction set against the definition and against plain loops.

use manycore_device::{Device, Executor, Team};
use manycore_field::simd::{Level, Set};
use manycore_field::{Goldilocks, PrimeField, primes};

use super::engine::Vectors;
use super::{Tables, convolve, transform};
use crate::{Kind, Ntt, NttField, Rows, SpectrumOrder, Way, reference};

const KINDS: [Kind; 2] = [Kind::Cyclic, Kind::Negacyclic];

/// The vectors of every level of this processor, and imitated ones; the names of sets that it lacks go to standard error.
fn all_vectors() -> Vec<Vectors> {
    let level = |&set| {
        let level = Level::of(set);
        if level.is_none() {
            eprintln!("{set:?} is not tested: this processor lacks it");
        }
        level.map(Vectors::Of)
    };
    Set::ALL.iter().filter_map(level).chain([Vectors::Imitated]).collect()
}

/// Residues, every third of which is at an end of the range.
fn residues<F: NttField>(field: &F, len: usize, seed: u64) -> Vec<F::Element> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ (state >> 29)
    };
    let p = field.order();
    (0..len)
        .map(|i| match i % 6 {
            0 => p - 1,
            3 => next() % 2,
            _ => next() % p,
        })
        .map(|residue| field.natural(residue))
        .collect()
}

fn bit_reversed<T: Copy>(x: &[T]) -> Vec<T> {
    let log_len = x.len().ilog2();
    (0..x.len()).map(|i| x[if log_len == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - log_len) }]).collect()
}

/// The transform as the tree of remainders says it, in plain loops.
fn plain<F: NttField>(ntt: &Ntt<F>, x: &mut [F::Element]) {
    let (field, log_len) = (ntt.field(), ntt.len().ilog2());
    let negacyclic = u32::from(ntt.kind == Kind::Negacyclic);
    let order = log_len + negacyclic;
    for level in 0..log_len {
        let half = x.len() >> (level + 1);
        for (block, x) in x.chunks_exact_mut(2 * half).enumerate() {
            let reversed = if level == 0 { 0 } else { block.reverse_bits() >> (usize::BITS - level) };
            // The root of the block to the power of `half`, of a root of order 2^order.
            let exponent = (2 * reversed as u64 + u64::from(negacyclic)) << (order - level - 1 - negacyclic);
            let w = field.power(ntt.root(), exponent >> u32::from(negacyclic == 0));
            let (low, high) = x.split_at_mut(half);
            for (u, v) in low.iter_mut().zip(high) {
                let t = field.mul(*v, w);
                (*u, *v) = (field.add(*u, t), field.sub(*u, t));
            }
        }
    }
}

fn host_with(threads: usize) -> Device {
    match Device::host_with(threads) {
        Ok(device) => device,
        Err(error) => panic!("{error}"),
    }
}

/// Calls `work` with a team of `threads`.
fn on_threads<R>(threads: usize, work: impl FnOnce(Team<'_>) -> R) -> R {
    let device = host_with(threads);
    let Executor::Host(pool) = device.executor() else { panic!("the host is not the host") };
    work(pool.team())
}

/// Both directions of some transforms at every level on some threads, against their spectrum.
fn check<F: NttField>(ntt: &Ntt<F>, x: &[F::Element], spectrum: &[F::Element], threads: usize) {
    for vectors in all_vectors() {
        let name = format!("{vectors:?} mod {}, {} 2^{}, {threads} threads", ntt.field().order(), x.len(), ntt.log_len);
        let tables = Tables::with_vectors(ntt, vectors);
        let mut y = x.to_vec();
        on_threads(threads, |team| transform(ntt, &tables, &mut y, Way::Forward, team));
        assert!(y == spectrum, "{name}, forward, {:?}", ntt.kind);
        on_threads(threads, |team| transform(ntt, &tables, &mut y, Way::Inverse, team));
        assert!(y == x, "{name}, inverse, {:?}", ntt.kind);
    }
}

/// Short transforms, single and several, against the definition.
fn agrees_with_the_definition<F: NttField>(field: &F, log_lens: impl Iterator<Item = u32>) {
    let device = Device::host();
    for log_len in log_lens {
        for kind in KINDS {
            let Ok(ntt) = Ntt::new(&device, field, 1 << log_len, kind) else { continue };
            let x = residues(field, 3 << log_len, u64::from(log_len));
            let spectra = x.chunks_exact(1 << log_len).flat_map(|x| {
                let natural = reference::ntt(field, x, ntt.root(), kind);
                bit_reversed(&natural)
            });
            let spectra: Vec<F::Element> = spectra.collect();
            check(&ntt, &x, &spectra, 1);
            check(&ntt, &x[..1 << log_len], &spectra[..1 << log_len], 1);
        }
    }
}

/// Longer ones, on several threads too, against plain loops.
fn agrees_with_plain_loops<F: NttField>(field: &F, log_lens: impl Iterator<Item = u32>) {
    let device = Device::host();
    for log_len in log_lens {
        for kind in KINDS {
            let Ok(ntt) = Ntt::new(&device, field, 1 << log_len, kind) else { continue };
            let x = residues(field, 1 << log_len, u64::from(log_len));
            let mut spectrum = x.clone();
            plain(&ntt, &mut spectrum);
            for threads in [1, 2, 5] {
                check(&ntt, &x, &spectrum, threads);
            }
        }
    }
}

fn field32(p: u32) -> PrimeField<u32> {
    match PrimeField::new(p) {
        Ok(field) => field,
        Err(error) => panic!("{error}"),
    }
}

fn field64(p: u64) -> PrimeField<u64> {
    match PrimeField::new(p) {
        Ok(field) => field,
        Err(error) => panic!("{error}"),
    }
}

/// The largest prime below `2^bits` with roots of order 2^24.
fn prime(bits: u32) -> u64 {
    primes::ntt_primes(bits, 24).next().unwrap_or(3)
}

#[test]
fn primes_of_31_bits() {
    for p in [3, 5, 17, 257, 7681, 469_762_049, 998_244_353, 2_013_265_921] {
        agrees_with_the_definition(&field32(p), 1..=9);
    }
    agrees_with_the_definition(&field32(469_762_049), 10..=11);
}

#[test]
fn primes_of_63_bits() {
    for p in [3, 5, 17, 257, prime(40), prime(50), prime(51), prime(60), prime(61), prime(62), prime(63)] {
        agrees_with_the_definition(&field64(p), 1..=8);
    }
    agrees_with_the_definition(&field64(prime(62)), 9..=10);
}

#[test]
fn goldilocks() {
    agrees_with_the_definition(&Goldilocks, 1..=10);
}

#[test]
fn long_lengths() {
    agrees_with_plain_loops(&field32(469_762_049), 4..=18);
    for p in [998_244_353, 2_013_265_921] {
        agrees_with_plain_loops(&field32(p), [12, 15, 16].into_iter());
    }
    for bits in [50, 60, 61, 62, 63] {
        agrees_with_plain_loops(&field64(prime(bits)), [12, 13, 15].into_iter());
    }
    agrees_with_plain_loops(&Goldilocks, [12, 14, 16].into_iter());
}

/// The largest residues everywhere: what the ranges on the way were made for.
#[test]
fn ends_of_the_range() {
    fn check_all<F: NttField>(field: &F) {
        let device = Device::host();
        for (log_len, kind) in [(9, Kind::Cyclic), (9, Kind::Negacyclic), (13, Kind::Cyclic)] {
            let Ok(ntt) = Ntt::new(&device, field, 1 << log_len, kind) else { continue };
            let largest = field.natural(field.order() - 1);
            for period in [1, 2, 3, 1 << 7] {
                let x: Vec<F::Element> =
                    (0..1 << log_len).map(|i| if i % (2 * period) < period { largest } else { field.zero() }).collect();
                let mut spectrum = x.clone();
                plain(&ntt, &mut spectrum);
                check(&ntt, &x, &spectrum, 1);
            }
        }
    }
    for p in [469_762_049, 998_244_353, 2_013_265_921] {
        check_all(&field32(p));
    }
    for bits in [50, 60, 61, 62, 63] {
        check_all(&field64(prime(bits)));
    }
    check_all(&Goldilocks);
}

/// More values than blocks and tasks, of every size: the ways over threads.
#[test]
fn several_on_threads() {
    let (device, field) = (Device::host(), field32(469_762_049));
    for (log_len, count) in [(1, 9000), (3, 2500), (6, 300), (10, 33), (13, 3), (14, 2), (14, 9)] {
        let Ok(ntt) = Ntt::new(&device, &field, 1 << log_len, Kind::Cyclic) else { panic!("2^{log_len}") };
        let x = residues(&field, count << log_len, 5);
        let mut spectra = x.clone();
        spectra.chunks_exact_mut(1 << log_len).for_each(|x| plain(&ntt, x));
        for threads in [1, 2, 3] {
            check(&ntt, &x, &spectra, threads);
        }
    }
}

#[test]
fn natural_order() {
    let (device, field) = (Device::host(), field64(prime(62)));
    for log_len in 1..=14 {
        let Ok(ntt) = Ntt::new(&device, &field, 1 << log_len, Kind::Cyclic) else { panic!("2^{log_len}") };
        let ntt = ntt.with_order(SpectrumOrder::Natural);
        let x = residues(&field, 2 << log_len, 7);
        let mut spectra = x.clone();
        spectra.chunks_exact_mut(1 << log_len).for_each(|x| {
            plain(&ntt, x);
            let natural = bit_reversed(x);
            x.copy_from_slice(&natural);
        });
        let tables = Tables::new(&ntt);
        for threads in [1, 2] {
            let mut y = x.clone();
            on_threads(threads, |team| transform(&ntt, &tables, &mut y, Way::Forward, team));
            assert_eq!(y, spectra, "2^{log_len}");
            on_threads(threads, |team| transform(&ntt, &tables, &mut y, Way::Inverse, team));
            assert_eq!(y, x, "2^{log_len}, inverse");
        }
    }
}

/// Products at every level on `threads` threads, with each right factor shared by `shared` left ones, against the definition.
fn check_products<F: NttField>(ntt: &Ntt<F>, count: usize, shared: usize, halves: (bool, bool), threads: usize) {
    let (field, len) = (ntt.field(), ntt.len());
    let (left_half, right_half) = halves;
    let factors = |count: usize, half: bool, seed: u64| {
        let mut x = residues(field, count * len, seed);
        if half {
            x.chunks_exact_mut(len).for_each(|run| run[len / 2..].fill(field.zero()));
        }
        x
    };
    let right_count = if shared == 0 { 0 } else { count.div_ceil(shared) };
    let (a, b) = (factors(count, left_half, 3), factors(right_count, right_half, 4));
    let product = |i: usize| {
        let x = &a[i * len..(i + 1) * len];
        let y = i.checked_div(shared).map_or(x, |i| &b[i * len..][..len]);
        if len > 1 << 9 {
            let (mut u, mut v) = (x.to_vec(), y.to_vec());
            plain(ntt, &mut u);
            plain(ntt, &mut v);
            let mut spectrum: Vec<F::Element> = u.iter().zip(&v).map(|(&u, &v)| field.mul(u, v)).collect();
            transform(ntt, &Tables::new(ntt), &mut spectrum, Way::Inverse, Team::ALONE);
            return spectrum;
        }
        let mut product = vec![field.zero(); len];
        for (i, &x) in x.iter().enumerate() {
            for (j, &y) in y.iter().enumerate() {
                let term = field.mul(x, y);
                let place = &mut product[(i + j) % len];
                let turns = i + j >= len && ntt.kind == Kind::Negacyclic;
                *place = if turns { field.sub(*place, term) } else { field.add(*place, term) };
            }
        }
        product
    };
    let products: Vec<F::Element> = (0..count).flat_map(product).collect();
    let shift = [0, 64][count % 2];
    let rows = Rows { left: count, shared, left_half, right_half, shift };
    let scale = field.power(field.natural(2), shift.into());
    let products: Vec<F::Element> = products.into_iter().map(|x| field.mul(x, scale)).collect();
    for vectors in all_vectors() {
        let tables = Tables::with_vectors(ntt, vectors);
        let (mut x, mut y) = (a.clone(), b.clone());
        // What halves of zeros hold is not read.
        for (x, half) in [(&mut x, left_half), (&mut y, right_half)] {
            if half {
                x.chunks_exact_mut(len).for_each(|run| run[len / 2..].fill(field.one()));
            }
        }
        on_threads(threads, |team| convolve(ntt, &tables, (&mut x, &mut y), &rows, team));
        assert!(x == products, "{vectors:?} mod {}, {rows:?} of {len}, {threads} threads", field.order());
    }
}

fn products_in<F: NttField>(field: &F, log_lens: impl Iterator<Item = u32>) {
    let device = Device::host();
    for log_len in log_lens {
        for kind in KINDS {
            let Ok(ntt) = Ntt::new(&device, field, 1 << log_len, kind) else { continue };
            for (count, shared, halves) in [
                (1, 1, (true, true)),
                (2, 1, (false, true)),
                (3, 2, (true, false)),
                (2, 0, (true, true)),
                (1, 0, (false, false)),
            ] {
                check_products(&ntt, count, shared, halves, 1);
            }
        }
    }
}

#[test]
fn products() {
    for p in [3, 5, 17, 257, 7681, 469_762_049, 998_244_353, 2_013_265_921] {
        products_in(&field32(p), 1..=8);
    }
    for p in [3, 5, 17, prime(40), prime(50), prime(60), prime(62), prime(63)] {
        products_in(&field64(p), 1..=7);
    }
    products_in(&Goldilocks, 1..=8);
}

#[test]
fn long_products_on_threads() {
    let (device, field) = (Device::host(), field32(469_762_049));
    for (log_len, count) in [(3, 2500), (6, 300), (10, 33), (13, 3), (14, 9), (15, 1), (17, 1)] {
        let Ok(ntt) = Ntt::new(&device, &field, 1 << log_len, Kind::Cyclic) else { panic!("2^{log_len}") };
        for (shared, halves) in [(1, (true, true)), (1, (false, false)), (3, (true, false)), (0, (true, true))] {
            for threads in [1, 2, 3] {
                check_products(&ntt, count, shared, halves, threads);
            }
        }
    }
    for bits in [50, 60, 62, 63] {
        let field = field64(prime(bits));
        let Ok(ntt) = Ntt::new(&device, &field, 1 << 14, Kind::Cyclic) else { panic!("{bits} bits") };
        check_products(&ntt, 1, 1, (true, true), 2);
    }
}
