//! The number-theoretic transform on the host and every OpenCL device: the definition, laws, passes given by hand.

use manycore_device::{Device, Executor};
use manycore_field::{Arithmetic, Goldilocks, ModularField, PrimeField, ResidueWord, Semiring};
use manycore_ntt::cost::{Pass, Plan};
use manycore_ntt::reference;
use manycore_ntt::{Kind, Ntt, NttError, NttField, SpectrumOrder};
use manycore_testkit::{devices, simulated};

/// 7 * 2^26 + 1, of 29 bits.
const SHORT: u32 = 469_762_049;
/// 15 * 2^27 + 1, of 31 bits: sums of residues fill the word.
const WIDE: u32 = 2_013_265_921;

/// Primes `k * 2^j + 1` just below `2^50`, `2^62`, `2^63` with many roots.
const FLOATING: u64 = 1_125_897_625_141_249;
const LONG: u64 = 4_611_686_009_971_671_041;
const LONGEST: u64 = 9_223_372_035_915_251_713;

fn field(p: u32) -> PrimeField<u32> {
    PrimeField::new(p).unwrap()
}

fn reversed<T: Copy>(x: &[T]) -> Vec<T> {
    let bits = x.len().ilog2();
    (0..x.len()).map(|i| x[if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }]).collect()
}

/// Residues that look random, with the ends of the range among them.
fn residues(len: usize, p: u32, salt: u32) -> Vec<u32> {
    elements(&field(p), len, salt)
}

fn elements<F: NttField>(field: &F, len: usize, salt: u32) -> Vec<F::Element> {
    let p = field.order();
    let value = |i: usize| match i % 7 {
        0 => p - 1,
        3 => 0,
        _ => (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(salt)).rotate_left(29) % p,
    };
    (0..len).map(|i| F::Element::from_u64(value(i))).collect()
}

fn forward<F: NttField>(ntt: &Ntt<F>, x: &[F::Element]) -> Vec<F::Element> {
    let mut buffer = ntt.device().upload(x).unwrap();
    ntt.forward(&mut buffer).unwrap();
    buffer.download().unwrap()
}

fn inverse<F: NttField>(ntt: &Ntt<F>, x: &[F::Element]) -> Vec<F::Element> {
    let mut buffer = ntt.device().upload(x).unwrap();
    ntt.inverse(&mut buffer).unwrap();
    buffer.download().unwrap()
}

/// Transforms planned by estimates alone.
fn estimated<F: NttField>(device: &Device, field: &F, len: usize, kind: Kind) -> Result<Ntt<F>, NttError> {
    Ntt::with_machine(device, device.machine(), field, len, kind)
}

/// The longest transform that is compared with the definition.
fn most(device: &Device) -> u32 {
    if simulated(device) { 6 } else { 11 }
}

/// Whether a CPU compiles the kernels, which takes it about a second each: fewer shapes are tried.
fn sparing(device: &Device) -> bool {
    !matches!(device.executor(), Executor::Host(_)) && device.info().kind != manycore_device::DeviceKind::Gpu
}

#[test]
fn every_length_equals_the_definition() {
    for device in devices() {
        for p in [SHORT, WIDE, 257, 17, 3, 2] {
            for kind in [Kind::Cyclic, Kind::Negacyclic] {
                for log_len in 0..=most(&device) {
                    // One length of each shape: shorter than a tile, one round, two, three; the others on other devices.
                    if sparing(&device) && !([0, 1, 3, 6].contains(&log_len) || (log_len == 11 && p == SHORT)) {
                        continue;
                    }
                    let Ok(ntt) = estimated(&device, &field(p), 1 << log_len, kind) else { continue };
                    let x = residues(1 << log_len, p, log_len);
                    let expected = reversed(&reference::ntt(&field(p), &x, ntt.root(), kind));
                    let spectrum = forward(&ntt, &x);
                    assert!(spectrum == expected, "{device:?} {kind:?} 2^{log_len} mod {p}");
                    assert!(inverse(&ntt, &spectrum) == x, "{device:?} {kind:?} 2^{log_len} mod {p}");
                }
            }
        }
    }
}

/// One length of each shape in every arithmetic, against the definition, in the passes of the best estimate and by
/// hand.
fn in_arithmetic<F: NttField>(device: &Device, field: &F, arithmetic: Arithmetic) {
    // A tile for each part, or one for four; of tiles that are long beside an item, columns may leave them a part of their twists.
    let by_hand = |stages, log_tile| Plan {
        passes: vec![
            Pass::Columns { log_stride: 6, log_rows: 3, log_segment: 2, log_regs: 1 },
            Pass::Columns { log_stride: stages, log_rows: 6 - stages, log_segment: 2, log_regs: (6 - stages).min(2) },
            Pass::Tile { stages, log_tile, log_regs: 2 },
        ],
    };
    let lengths: &[u32] = match () {
        () if simulated(device) => &[2, 6],
        () if sparing(device) => &[11],
        () => &[0, 1, 2, 3, 5, 8, 10, 11],
    };
    for kind in [Kind::Cyclic, Kind::Negacyclic] {
        for &log_len in lengths {
            let Ok(ntt) = estimated(device, field, 1 << log_len, kind) else { continue };
            let ntt = ntt.with_arithmetic(arithmetic).unwrap();
            let x = elements(field, 1 << log_len, log_len);
            let expected = reversed(&reference::ntt(field, &x, ntt.root(), kind));
            let spectrum = forward(&ntt, &x);
            assert!(spectrum == expected, "{device:?} {arithmetic} {kind:?} 2^{log_len} mod {}", field.order());
            assert!(
                inverse(&ntt, &spectrum) == x,
                "{device:?} {arithmetic} {kind:?} 2^{log_len} mod {}",
                field.order()
            );
        }
        let Ok(ntt) = estimated(device, field, 1 << 9, kind) else { continue };
        if matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        let ntt = ntt.with_arithmetic(arithmetic).unwrap();
        let x = elements(field, 1 << 9, 9);
        let expected = reversed(&reference::ntt(field, &x, ntt.root(), kind));
        let mut y = device.upload(&x).unwrap();
        let goldilocks = arithmetic == Arithmetic::Goldilocks;
        let by_hand = match kind {
            Kind::Cyclic if goldilocks => by_hand(5, 5),
            Kind::Cyclic => by_hand(3, 3),
            Kind::Negacyclic => by_hand(3, 5),
        };
        ntt.forward_by(&mut y, &by_hand).unwrap();
        assert!(y.download().unwrap() == expected, "{device:?} {arithmetic} {kind:?} by hand mod {}", field.order());
        ntt.inverse_by(&mut y, &by_hand).unwrap();
        assert!(y.download().unwrap() == x, "{device:?} {arithmetic} {kind:?} by hand mod {}", field.order());
    }
}

#[test]
fn every_arithmetic_equals_the_definition() {
    for device in devices() {
        // Primes at the ends of each arithmetic's range: just below 2^63, 2^62, 2^50; short ones.
        for p in [LONGEST, LONG, FLOATING, u64::from(SHORT), 257, 17, 3] {
            let field = PrimeField::<u64>::new(p).unwrap();
            for arithmetic in manycore_field::KernelField::arithmetics(&field) {
                if arithmetic == Arithmetic::Floating && !device.info().fp64 {
                    continue;
                }
                if sparing(&device) && (p < 100_000 || (p == u64::from(SHORT) && arithmetic != Arithmetic::Floating)) {
                    continue;
                }
                in_arithmetic(&device, &field, arithmetic);
            }
        }
        in_arithmetic(&device, &Goldilocks, Arithmetic::Goldilocks);
    }
}

/// Long transforms of 64-bit residues equal the host's, whose results are checked above.
#[test]
fn long_transforms_of_long_residues_equal_the_host_s() {
    fn one<F: NttField>(device: &Device, field: &F, arithmetic: Arithmetic, log_len: u32) {
        let host = estimated(&Device::host(), field, 1 << log_len, Kind::Cyclic).unwrap();
        let ntt = estimated(device, field, 1 << log_len, Kind::Cyclic).unwrap().with_arithmetic(arithmetic).unwrap();
        let x = elements(field, 1 << log_len, log_len);
        let spectrum = forward(&ntt, &x);
        assert!(spectrum == forward(&host, &x), "{device:?} {arithmetic} 2^{log_len} mod {}", field.order());
        assert!(inverse(&ntt, &spectrum) == x, "{device:?} {arithmetic} 2^{log_len} mod {}", field.order());
    }
    for device in devices() {
        if simulated(&device) || matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        let gpu = device.info().kind == manycore_device::DeviceKind::Gpu;
        for log_len in if gpu { 12..=22 } else { 13..=13 } {
            for p in [LONGEST, LONG, FLOATING] {
                let field = PrimeField::<u64>::new(p).unwrap();
                if field.two_adicity() < log_len {
                    continue;
                }
                for arithmetic in manycore_field::KernelField::arithmetics(&field) {
                    if arithmetic != Arithmetic::Floating || device.info().fp64 {
                        one(&device, &field, arithmetic, log_len);
                    }
                }
            }
            one(&device, &Goldilocks, Arithmetic::Goldilocks, log_len);
        }
    }
}

/// `reverse_short` and `reverse_long`, in both directions.
#[test]
fn natural_order_is_the_definition_s() {
    fn one<F: NttField>(device: &Device, field: &F, log_len: u32, count: usize) {
        let ntt = estimated(device, field, 1 << log_len, Kind::Cyclic).unwrap().with_order(SpectrumOrder::Natural);
        let x = elements(field, count << log_len, log_len);
        let spectrum = forward(&ntt, &x);
        let other = estimated(&Device::host(), field, 1 << log_len, Kind::Cyclic).unwrap();
        let expected: Vec<F::Element> =
            x.chunks(1 << log_len).flat_map(|run| reversed(&forward(&other, run))).collect();
        assert!(spectrum == expected, "{device:?} {count} of 2^{log_len}");
        assert!(inverse(&ntt, &spectrum) == x, "{device:?} {count} of 2^{log_len}");
    }
    for device in devices() {
        let sizes: &[(u32, usize)] = match () {
            () if simulated(&device) => &[(3, 5), (11, 1)],
            () if sparing(&device) => &[(3, 500), (12, 3), (13, 1)],
            () => &[(0, 3), (1, 1), (3, 500), (10, 3), (11, 2), (12, 3), (13, 1), (16, 1), (17, 2), (20, 1)],
        };
        for &(log_len, count) in sizes {
            one(&device, &field(SHORT), log_len, count);
            if !simulated(&device) {
                one(&device, &Goldilocks, log_len, count);
            }
        }
    }
}

#[test]
fn batches_are_transforms_side_by_side() {
    for device in devices() {
        for (log_len, count) in [(0, 5), (1, 3), (3, 33), (5, 300), (9, 7)] {
            if sparing(&device) && ![0, 3].contains(&log_len) {
                continue;
            }
            for kind in [Kind::Cyclic, Kind::Negacyclic] {
                let ntt = estimated(&device, &field(SHORT), 1 << log_len, kind).unwrap();
                let x = residues(count << log_len, SHORT, 5);
                let one = |run: &[u32]| reversed(&reference::ntt(&field(SHORT), run, ntt.root(), kind));
                let expected: Vec<u32> = x.chunks(1 << log_len).flat_map(one).collect();
                let spectrum = forward(&ntt, &x);
                assert!(spectrum == expected, "{device:?} {kind:?} {count} of 2^{log_len}");
                assert!(inverse(&ntt, &spectrum) == x);
            }
        }
    }
}

/// The host's result is checked by the tests above; long transforms are compared with it.
#[test]
fn long_transforms_equal_the_host_s() {
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        let gpu = device.info().kind == manycore_device::DeviceKind::Gpu;
        let lengths: &[u32] = if gpu { &[12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25] } else { &[13] };
        for &log_len in lengths {
            for p in if sparing(&device) { vec![SHORT] } else { vec![SHORT, WIDE] } {
                let host = estimated(&Device::host(), &field(p), 1 << log_len, Kind::Cyclic).unwrap();
                let ntt = estimated(&device, &field(p), 1 << log_len, Kind::Cyclic).unwrap();
                let x = residues(1 << log_len, p, log_len);
                let expected = forward(&host, &x);
                let spectrum = forward(&ntt, &x);
                assert!(spectrum == expected, "{device:?} 2^{log_len} mod {p}");
                assert!(inverse(&ntt, &spectrum) == x, "{device:?} 2^{log_len} mod {p}");
            }
        }
    }
}

#[test]
fn passes_given_by_hand_equal_the_definition() {
    let tile = |stages, log_regs| Pass::Tile { stages, log_tile: stages, log_regs };
    let columns =
        |log_stride, log_rows, log_segment, log_regs| Pass::Columns { log_stride, log_rows, log_segment, log_regs };
    let plans = [
        vec![tile(9, 1)],
        vec![tile(9, 4)],
        vec![columns(5, 4, 3, 2), tile(5, 2)],
        vec![columns(4, 5, 2, 2), tile(4, 2)],
        vec![columns(6, 3, 3, 3), tile(6, 3)],
        // Parts that share a tile, and arrays that do; one of them is missing.
        vec![columns(5, 4, 3, 2), Pass::Tile { stages: 5, log_tile: 7, log_regs: 3 }],
        vec![Pass::Tile { stages: 9, log_tile: 11, log_regs: 3 }],
        vec![columns(6, 3, 2, 1), columns(3, 3, 2, 2), tile(3, 2)],
    ];
    for device in devices() {
        if matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        for (p, kind) in
            [(SHORT, Kind::Cyclic), (SHORT, Kind::Negacyclic), (WIDE, Kind::Cyclic), (WIDE, Kind::Negacyclic)]
        {
            {
                let ntt = estimated(&device, &field(p), 1 << 9, kind).unwrap();
                let x = residues(3 << 9, p, 1);
                let one = |run: &[u32]| reversed(&reference::ntt(&field(p), run, ntt.root(), kind));
                let expected: Vec<u32> = x.chunks(1 << 9).flat_map(one).collect();
                let (x, expected) =
                    if simulated(&device) { (&x[..1 << 9], &expected[..1 << 9]) } else { (&x[..], &expected[..]) };
                for (i, passes) in plans.iter().enumerate() {
                    // The last plan has every kind of pass; the others are shapes of the same kernels.
                    let few = if (p, kind) == (SHORT, Kind::Cyclic) { 5 } else { 7 };
                    if sparing(&device) && i < few {
                        continue;
                    }
                    let plan = Plan { passes: passes.clone() };
                    let mut y = device.upload(x).unwrap();
                    ntt.forward_by(&mut y, &plan).unwrap();
                    assert!(y.download().unwrap() == expected, "{device:?} {plan} {kind:?} mod {p}");
                    ntt.inverse_by(&mut y, &plan).unwrap();
                    assert!(y.download().unwrap() == x, "{device:?} {plan} {kind:?} mod {p}");
                }
            }
        }
    }
}

#[test]
fn each_pass_launches_its_kernel() {
    for device in devices() {
        if matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        let ntt = estimated(&device, &field(SHORT), 1 << 9, Kind::Cyclic).unwrap();
        let mut x = device.zeros::<u32>(1 << 9).unwrap();
        let plan = Plan {
            passes: vec![
                Pass::Columns { log_stride: 5, log_rows: 4, log_segment: 3, log_regs: 2 },
                Pass::Tile { stages: 5, log_tile: 5, log_regs: 2 },
            ],
        };
        // Tables are uploaded at first use.
        ntt.forward_by(&mut x, &plan).unwrap();
        let (done, profile) = device.profile(|| ntt.forward_by(&mut x, &plan)).unwrap();
        done.unwrap();
        let names: Vec<&str> = profile.entries.iter().map(|entry| entry.name).collect();
        // A profile is of the whole device: other tests of this program may have launches of their own in it.
        for kernel in ["ntt_columns", "ntt_tile"] {
            assert!(names.contains(&kernel), "{device:?}: {names:?}");
        }
    }
}

#[test]
fn passes_that_make_no_transform_are_refused() {
    for device in devices() {
        if matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        let ntt = estimated(&device, &field(SHORT), 1 << 9, Kind::Cyclic).unwrap();
        let mut x = device.zeros::<u32>(1 << 9).unwrap();
        let tile = |stages| Pass::Tile { stages, log_tile: stages, log_regs: 2 };
        let columns = Pass::Columns { log_stride: 2, log_rows: 7, log_segment: 3, log_regs: 2 };
        // Items of shared tiles hold values of one part.
        let split = Pass::Tile { stages: 2, log_tile: 6, log_regs: 3 };
        let above = Pass::Columns { log_stride: 2, log_rows: 7, log_segment: 2, log_regs: 2 };
        let wrong =
            [vec![], vec![tile(8)], vec![tile(10)], vec![tile(9), tile(9)], vec![columns, tile(2)], vec![above, split]];
        for passes in wrong {
            let error = ntt.forward_by(&mut x, &Plan { passes }).unwrap_err();
            assert!(matches!(error, NttError::Passes { log_len: 9, .. }), "{error}");
        }
    }
}

#[test]
fn products_of_spectra_are_convolutions() {
    for device in devices() {
        for kind in [Kind::Cyclic, Kind::Negacyclic] {
            let (f, n) = (field(SHORT), 1usize << most(&device).min(8));
            let ntt = estimated(&device, &f, n, kind).unwrap();
            let (a, b) = (residues(n, SHORT, 1), residues(n, SHORT, 2));
            let products: Vec<u32> =
                forward(&ntt, &a).iter().zip(forward(&ntt, &b)).map(|(&x, y)| f.mul(x, y)).collect();
            let mut expected = vec![0; n];
            for (i, &x) in a.iter().enumerate() {
                for (j, &y) in b.iter().enumerate() {
                    let product = f.mul(x, y);
                    let wraps = i + j >= n && kind == Kind::Negacyclic;
                    let place = &mut expected[(i + j) % n];
                    *place = f.add(*place, if wraps { f.mul(product, SHORT - 1) } else { product });
                }
            }
            assert!(inverse(&ntt, &products) == expected, "{device:?} {kind:?}");
        }
    }
}

#[test]
fn what_has_no_transform_is_refused_by_name() {
    let device = Device::host();
    let new = |p, len, kind| estimated(&device, &field(p), len, kind).unwrap_err();
    assert_eq!(new(SHORT, 12, Kind::Cyclic), NttError::NotPowerOfTwo { len: 12 });
    assert_eq!(new(SHORT, 0, Kind::Cyclic), NttError::NotPowerOfTwo { len: 0 });
    assert_eq!(new(17, 32, Kind::Cyclic), NttError::NoRoot { order: 32, p: 17, largest: 16 });
    assert_eq!(new(17, 16, Kind::Negacyclic), NttError::NoRoot { order: 32, p: 17, largest: 16 });
    assert_eq!(new(2, 2, Kind::Cyclic), NttError::NoRoot { order: 2, p: 2, largest: 1 });
    let ntt = estimated(&device, &field(17), 16, Kind::Cyclic).unwrap();
    let mut x = device.zeros::<u32>(24).unwrap();
    assert_eq!(ntt.forward(&mut x).unwrap_err(), NttError::Batch { buffer_len: 24, len: 16 });
}
