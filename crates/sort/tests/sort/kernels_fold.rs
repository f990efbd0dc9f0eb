//! The generated kernels of sums and prefix sums (`fold_sums`, `fold_scan`, and `fold_pass` in one pass) on every OpenCL device and the host, against sums one by one: operations
//! that do not commute, tuples, truth values, sizes around tiles and blocks.

use manycore_device::{Device, DeviceError};
use manycore_expressions::{Elements, Function, Value};
use manycore_sort::{Fold, Scan, ScanPlan, SortError};
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

/// Each plan that a device has of elements of so many words of 32 bits: the chosen one, and both by name.
fn plans(device: &Device, words: usize) -> Vec<Option<ScanPlan>> {
    let mut plans = vec![None, Some(ScanPlan::Tiles)];
    let info = device.info();
    if info.int64_atomics && words <= 4 && info.local_memory_bytes >= 1 << 15 {
        plans.push(Some(ScanPlan::LookBack { group: 64, per: 5 }));
    }
    plans
}

fn check<T: Elements>(sum: &Function<(T, T), T>, identity: T, of: impl Fn(u64) -> T) {
    let limited = opencl_devices().into_iter().map(|device| device.limited(2048, 32));
    for device in devices().into_iter().chain(limited) {
        let mut types = Vec::new();
        T::types(&mut types);
        let words = types.iter().map(|kind| kind.memory().bytes().div_ceil(4)).sum();
        let folds = plans(&device, words).into_iter().map(|plan| {
            let fold = Fold::wrapping(&device, sum, identity).unwrap();
            plan.map_or_else(|| Fold::wrapping(&device, sum, identity).unwrap(), |plan| fold.by(plan))
        });
        let folds: Vec<Fold<T>> = folds.collect();
        let lens: &[usize] = if simulated(&device) {
            &[0, 1, 2, 700]
        } else {
            &[0, 1, 2, 15, 255, 256, 257, 511, 513, 4095, 4096, 4097, 20_000, 70_001]
        };
        for &len in lens {
            let elements: Vec<T> = (0..len).map(|i| of(random(i))).collect();
            for scan in [Scan::Inclusive, Scan::Exclusive] {
                let wished = plain(sum, identity, &elements, scan);
                for fold in &folds {
                    let made = fold.scan(&elements, scan).unwrap();
                    assert!(made == wished, "{scan:?} of {len} by {fold:?}: {:?}", first(&made, &wished));
                }
            }
            let last = plain(sum, identity, &elements, Scan::Inclusive).last().copied().unwrap_or(identity);
            assert_eq!(folds[0].reduce(&elements).unwrap(), last, "{len} on {device:?}");
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

/// Elements of one word of each width and sign, and of four: what states of tiles are made of.
#[test]
fn states_hold_every_type() {
    type Four = (Value<u64>, Value<i64>);
    check(&Function::new(|(a, b): (Value<i8>, Value<i8>)| a + b).unwrap(), 0i8, |x| x as i8);
    check(&Function::new(|(a, b): (Value<i16>, Value<i16>)| a.min(b)).unwrap(), i16::MAX, |x| x as i16);
    check(&Function::new(|(a, b): (Value<u16>, Value<u16>)| a + b).unwrap(), 0u16, |x| x as u16);
    check(&Function::new(|(a, b): (Value<i32>, Value<i32>)| a.max(b)).unwrap(), i32::MIN, |x| x as i32);
    check(&Function::new(|(a, b): (Value<u64>, Value<u64>)| a + b).unwrap(), 0u64, |x| x);
    let both = Function::new(|((a, b), (c, d)): (Four, Four)| (a + c, b.max(d))).unwrap();
    check(&both, (0u64, i64::MIN), |x| (x, x.rotate_left(7) as i64));
}

#[test]
fn plans_that_do_not_suit_are_refused() {
    let sum = Function::new(|(a, b): (Value<u32>, Value<u32>)| a + b).unwrap();
    for device in opencl_devices() {
        for (group, per) in [(0, 4), (1, 4), (48, 4), (64, 0), (1 << 20, 1), (256, 4000)] {
            let fold = Fold::wrapping(&device, &sum, 0u32).unwrap().by(ScanPlan::LookBack { group, per });
            let refused = fold.scan(&[1, 2, 3], Scan::Inclusive).unwrap_err();
            assert!(matches!(refused, SortError::Device(DeviceError::Unsupported { .. })), "{refused}");
        }
    }
}

#[test]
fn segments_begin_anew() {
    type V = Value<i32>;
    let sum = Function::new(|(a, b): (V, V)| a + b).unwrap();
    let elements: Vec<i32> = (0..3000).map(|i| random(i) as i32).collect();
    let offsets = [0, 0, 1, 2, 900, 900, 2999, 3000, 3000];
    for device in devices() {
        for plan in plans(&device, 2) {
            let fold = Fold::wrapping(&device, &sum, 0).unwrap();
            let fold = if let Some(plan) = plan.filter(|_| device != Device::host()) { fold.by(plan) } else { fold };
            for scan in [Scan::Inclusive, Scan::Exclusive] {
                let of_segment = |bounds: &[usize]| plain(&sum, 0, &elements[bounds[0]..bounds[1]], scan);
                let wished: Vec<i32> = offsets.windows(2).flat_map(of_segment).collect();
                assert_eq!(fold.scan_segments(&elements, &offsets, scan).unwrap(), wished, "{fold:?}");
            }
        }
        let fold = Fold::wrapping(&device, &sum, 0).unwrap();
        let error = fold.scan_segments(&elements, &[0, 5], Scan::Inclusive).unwrap_err();
        assert_eq!(error, SortError::Segments { index: 1, offset: 5, keys: 3000 });
    }
}

#[test]
fn sums_without_laws_are_refused() {
    type V = Value<i32>;
    let minus = Function::new(|(a, b): (V, V)| a - b).unwrap();
    let error = Fold::wrapping(&Device::host(), &minus, 0).unwrap_err();
    assert!(matches!(error, SortError::Law(_)), "{error}");
    let plus = Function::new(|(a, b): (V, V)| a + b).unwrap();
    assert!(matches!(Fold::wrapping(&Device::host(), &plus, 1).unwrap_err(), SortError::Law(_)));
    assert_eq!(Fold::new(&Device::host(), &plus, 0).unwrap_err(), SortError::Wrapping);
    let most = Function::new(|(a, b): (V, V)| a.max(b)).unwrap();
    assert_eq!(Fold::new(&Device::host(), &most, i32::MIN).unwrap().reduce(&[3, -1, 5]).unwrap(), 5);
}
