//! The generated kernels of sums and prefix sums (`fold_sums`, `fold_scan`) on every OpenCL device and the host, against sums one by one: operations
//! that do not commute, tuples, truth values, sizes around tiles and blocks.

use manycore_device::Device;
use manycore_expressions::{Elements, Function, Value};
use manycore_sort::{Fold, Scan, SortError};
use manycore_testkit::{devices, opencl_devices, simulated};

fn random(i: usize) -> u64 {
    (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// The prefix sums, one after the other.
fn plain<T: Elements>(sum: &Function<(T, T), T>, identity: T, elements: &[T], scan: Scan) -> Vec<T> {
    let mut before = identity;
    let one = |&element: &T| {
        let own = before;
        before = sum.call((before, element));
        if scan == Scan::Inclusive { before } else { own }
    };
    elements.iter().map(one).collect()
}

fn check<T: Elements>(sum: &Function<(T, T), T>, identity: T, of: impl Fn(u64) -> T) {
    let limited = opencl_devices().into_iter().map(|device| device.limited(2048, 32));
    for device in devices().into_iter().chain(limited) {
        let fold = Fold::new(&device, sum, identity).unwrap();
        let lens: &[usize] = if simulated(&device) {
            &[0, 1, 2, 300]
        } else {
            &[0, 1, 2, 15, 255, 256, 257, 511, 513, 4095, 4096, 4097, 20_000, 70_001]
        };
        for &len in lens {
            let elements: Vec<T> = (0..len).map(|i| of(random(i))).collect();
            for scan in [Scan::Inclusive, Scan::Exclusive] {
                let wished = plain(sum, identity, &elements, scan);
                let made = fold.scan(&elements, scan).unwrap();
                assert!(made == wished, "{scan:?} of {len} on {device:?}: {:?}", first(&made, &wished));
            }
            let last = plain(sum, identity, &elements, Scan::Inclusive).last().copied().unwrap_or(identity);
            assert_eq!(fold.reduce(&elements).unwrap(), last, "{len} on {device:?}");
        }
    }
}

/// The first place where they differ.
fn first<T: Elements>(made: &[T], wished: &[T]) -> Option<(usize, T, T)> {
    let both = made.iter().copied().zip(wished.iter().copied());
    both.enumerate().find(|(_, (made, wished))| made != wished).map(|(at, (made, wished))| (at, made, wished))
}

#[test]
fn sums_of_words() {
    type V = Value<u32>;
    type W = Value<i64>;
    check(&Function::new(|(a, b): (V, V)| a + b).unwrap(), 0u32, |x| x as u32);
    check(&Function::new(|(a, b): (W, W)| a.max(b)).unwrap(), i64::MIN, |x| x as i64);
    check(&Function::new(|(a, b): (Value<u8>, Value<u8>)| a * b).unwrap(), 1u8, |x| x as u8 | 1);
}

#[test]
fn numbers_without_rounding_and_truth_values() {
    type V = Value<f32>;
    type B = Value<bool>;
    check(&Function::new(|(a, b): (V, V)| a.min(b)).unwrap(), f32::INFINITY, |x| (x >> 40) as f32 - 1e6);
    check(&Function::new(|(a, b): (B, B)| a ^ b).unwrap(), false, |x| x % 3 == 0);
}

/// Affine maps modulo 2^32, which do not commute.
#[test]
fn maps_one_after_the_other() {
    type Line = (Value<u32>, Value<u32>);
    let then = Function::new(|((a, b), (c, d)): (Line, Line)| (a * c, b * c + d)).unwrap();
    check(&then, (1u32, 0u32), |x| (x as u32 | 1, (x >> 32) as u32));
}

/// The greatest with the lowest place.
#[test]
fn pairs_with_places() {
    type Pair = (Value<f64>, Value<u32>);
    let better = Function::new(|(a, b): (Pair, Pair)| {
        let second = b.0.gt(a.0) | (b.0.equals(a.0) & b.1.lt(a.1));
        second.select_elements::<(f64, u32)>(b, a)
    })
    .unwrap();
    check(&better, (f64::NEG_INFINITY, u32::MAX), |x| ((x % 100) as f64, (x >> 32) as u32));
}

#[test]
fn segments_begin_anew() {
    type V = Value<i32>;
    let sum = Function::new(|(a, b): (V, V)| a + b).unwrap();
    let elements: Vec<i32> = (0..3000).map(|i| random(i) as i32).collect();
    let offsets = [0, 0, 1, 2, 900, 900, 2999, 3000, 3000];
    for device in devices() {
        let fold = Fold::new(&device, &sum, 0).unwrap();
        for scan in [Scan::Inclusive, Scan::Exclusive] {
            let of_segment = |bounds: &[usize]| plain(&sum, 0, &elements[bounds[0]..bounds[1]], scan);
            let wished: Vec<i32> = offsets.windows(2).flat_map(of_segment).collect();
            assert_eq!(fold.scan_segments(&elements, &offsets, scan).unwrap(), wished, "{device:?}");
        }
        let error = fold.scan_segments(&elements, &[0, 5], Scan::Inclusive).unwrap_err();
        assert_eq!(error, SortError::Segments { index: 1, offset: 5, keys: 3000 });
    }
}

#[test]
fn sums_without_laws_are_refused() {
    type V = Value<i32>;
    let minus = Function::new(|(a, b): (V, V)| a - b).unwrap();
    let error = Fold::new(&Device::host(), &minus, 0).unwrap_err();
    assert!(matches!(error, SortError::Law(_)), "{error}");
    let plus = Function::new(|(a, b): (V, V)| a + b).unwrap();
    assert!(matches!(Fold::new(&Device::host(), &plus, 1).unwrap_err(), SortError::Law(_)));
}
