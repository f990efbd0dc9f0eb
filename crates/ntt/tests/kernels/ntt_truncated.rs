//! Truncated transforms on the host and every OpenCL device: the definition, the way back, products.

use manycore_device::{Device, DeviceKind, Executor};
use manycore_field::{Arithmetic, Goldilocks, PrimeField, ResidueWord, Semiring};
use manycore_ntt::reference;
use manycore_ntt::truncated::reference::truncated_ntt;
use manycore_ntt::{Kind, Ntt, NttError, NttField, TruncatedNtt, TruncatedSpectrum};
use manycore_testkit::{devices, simulated};
use proptest::prelude::*;

/// 7 * 2^26 + 1, of 29 bits.
const SHORT: u32 = 469_762_049;
/// Primes `k * 2^j + 1` just below `2^50`, `2^62`, `2^63` with many roots.
const FLOATING: u64 = 1_125_897_625_141_249;
const LONG: u64 = 4_611_686_009_971_671_041;
const LONGEST: u64 = 9_223_372_035_915_251_713;

fn field(p: u32) -> PrimeField<u32> {
    PrimeField::new(p).unwrap()
}

/// Residues that look random, with the ends of the range among them.
fn elements<F: NttField>(field: &F, len: usize, salt: u64) -> Vec<F::Element> {
    let p = field.order();
    let value = |i: usize| match i % 7 {
        0 => p - 1,
        3 => 0,
        _ => (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(salt).rotate_left(29) % p,
    };
    (0..len).map(|i| F::Element::from_u64(value(i))).collect()
}

fn forward<F: NttField>(ntt: &TruncatedNtt<F>, x: &[F::Element]) -> TruncatedSpectrum<F::Element> {
    ntt.forward(&ntt.device().upload(x).unwrap()).unwrap()
}

/// Whether a CPU compiles the kernels, which takes it about a second each: fewer shapes are tried.
fn sparing(device: &Device) -> bool {
    !matches!(device.executor(), Executor::Host(_)) && device.info().kind != DeviceKind::Gpu
}

/// The first `len` values, in bit-reversed order, of the whole transform of padded coefficients, by its definition.
fn by_padding<F: NttField>(field: &F, x: &[F::Element], root: F::Element) -> Vec<F::Element> {
    let (len, n) = (x.len(), x.len().next_power_of_two());
    let mut padded = x.to_vec();
    padded.resize(n, field.zero());
    let spectrum = reference::ntt(field, &padded, root, Kind::Cyclic);
    let bits = n.ilog2();
    (0..len).map(|i| spectrum[if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }]).collect()
}

/// A batch against the definition, there and back.
fn equals<F: NttField>(ntt: &TruncatedNtt<F>, count: usize, what: &str) {
    let (field, len) = (ntt.field(), ntt.len());
    let what = format!("{:?} {count} of {len} mod {}, {what}", ntt.device(), field.order());
    let x = elements(field, count * len, len as u64);
    let spectrum = forward(ntt, &x);
    let expected: Vec<F::Element> = x.chunks(len).flat_map(|run| truncated_ntt(field, run, ntt.root())).collect();
    assert!(spectrum.download().unwrap() == expected, "{what}");
    assert!(ntt.inverse(spectrum).unwrap().download().unwrap() == x, "back: {what}");
}

#[test]
fn the_definition_is_the_padded_transform_s_beginning() {
    fn one<F: NttField>(field: &F, longest: usize) {
        for len in 1..=longest {
            let x = elements(field, len, 5);
            // The root is that of the whole transform.
            let root = Ntt::new(&Device::host(), field, len.next_power_of_two(), Kind::Cyclic).unwrap().root();
            assert!(TruncatedNtt::new(&Device::host(), field, len).unwrap().root() == root, "{len}");
            let expected = by_padding(field, &x, root);
            assert!(truncated_ntt(field, &x, root) == expected, "{len} mod {}", field.order());
            let ntt = TruncatedNtt::new(&Device::host(), field, len).unwrap();
            assert!(forward(&ntt, &x).download().unwrap() == expected, "{len} mod {}", field.order());
        }
    }
    one(&field(SHORT), 70);
    one(&field(257), 256);
    one(&field(17), 16);
    one(&field(3), 2);
    one(&field(2), 1);
    one(&PrimeField::<u64>::new(LONG).unwrap(), 70);
    one(&Goldilocks, 70);
}

#[test]
fn every_length_equals_the_definition() {
    fn host<F: NttField>(field: &F, lengths: impl IntoIterator<Item = usize>) {
        for len in lengths {
            let Ok(ntt) = TruncatedNtt::new(&Device::host(), field, len) else {
                // Only where there is no root.
                assert!(len > 1 << field.two_adicity(), "{len} mod {}", field.order());
                continue;
            };
            equals(&ntt, 1, "whole");
            if len < 40 {
                equals(&ntt, 3, "batch");
            }
        }
    }
    let some = [96, 127, 128, 129, 255, 257, 700, 1000, 1023, 1024, 1025, 1536, 2047, 2049, 2730, 3000];
    let lengths = || (1..=70).chain(some);
    host(&field(SHORT), lengths());
    host(&field(257), lengths().chain([256]));
    host(&field(17), 1..=40);
    host(&field(2), 1..=3);
    host(&PrimeField::<u64>::new(LONG).unwrap(), lengths());
    host(&PrimeField::<u64>::new(LONGEST).unwrap(), [11, 70, 1025]);
    host(&Goldilocks, lengths());
}

/// All devices, in every arithmetic: `truncate_split`, `truncate_fold`, `truncate_join` and `truncate_unfold`.
#[test]
fn every_arithmetic_equals_the_definition_on_every_device() {
    fn one<F: NttField>(device: &Device, field: &F, lengths: &[(usize, usize)]) {
        for arithmetic in field.arithmetics() {
            if arithmetic == Arithmetic::Floating && !device.info().fp64 {
                continue;
            }
            for &(len, count) in lengths {
                let ntt = TruncatedNtt::new(device, field, len).unwrap().with_arithmetic(arithmetic).unwrap();
                equals(&ntt, count, &arithmetic.to_string());
            }
        }
    }
    for device in devices() {
        // Digits of both kinds, blocks of one value, blocks past the low table; all digits 1; one digit.
        let lengths: &[(usize, usize)] = match () {
            () if simulated(&device) => &[(11, 2), (8, 1), (7, 3)],
            () if sparing(&device) => &[(11, 5), (2 * 1024 + 9, 1), (8, 3)],
            () => &[(1, 4), (2, 300), (3, 257), (11, 5), (64, 3), (63, 33), (1000, 3), (2 * 1024 + 9, 2), (4095, 1)],
        };
        one(&device, &field(SHORT), lengths);
        let few = &lengths[..if simulated(&device) { 1 } else { 2 }];
        one(&device, &Goldilocks, few);
        for p in [LONGEST, LONG, FLOATING] {
            one(&device, &PrimeField::<u64>::new(p).unwrap(), few);
        }
    }
}

/// Lengths whose tables and blocks take every shape, against the host's, which are compared with the definition above.
#[test]
fn long_transforms_equal_the_host_s() {
    for device in devices() {
        if simulated(&device) || matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        let gpu = device.info().kind == DeviceKind::Gpu;
        let lengths: &[usize] = if gpu {
            &[5000, 12_289, 65_535, 100_003, 1 << 20, (1 << 20) + 1, (1 << 22) - 1, 5_000_011]
        } else {
            &[12_289]
        };
        for &len in lengths {
            let x = elements(&field(SHORT), len, 1);
            let host = TruncatedNtt::new(&Device::host(), &field(SHORT), len).unwrap();
            let ntt = TruncatedNtt::new(&device, &field(SHORT), len).unwrap();
            let spectrum = forward(&ntt, &x);
            assert!(spectrum.download().unwrap() == forward(&host, &x).download().unwrap(), "{device:?} {len}");
            assert!(ntt.inverse(spectrum).unwrap().download().unwrap() == x, "{device:?} {len}");
        }
    }
}

#[test]
fn each_step_launches_its_kernel() {
    for device in devices() {
        let ntt = TruncatedNtt::new(&device, &field(SHORT), 11).unwrap();
        let x = device.zeros::<u32>(11).unwrap();
        ntt.forward(&x).unwrap(); // tables are uploaded at first use
        let (done, profile) = device.profile(|| ntt.forward(&x).and_then(|spectrum| ntt.inverse(spectrum))).unwrap();
        done.unwrap();
        let names: Vec<&str> = profile.entries.iter().map(|entry| entry.name).collect();
        // A profile is of the whole device: other tests of this program may have launches of their own in it.
        for kernel in ["truncate_split", "truncate_fold", "truncate_join", "truncate_unfold"] {
            assert!(names.contains(&kernel), "{device:?}: {names:?}");
        }
    }
}

/// Spectra of polynomials of `n` and `m` coefficients in `n + m - 1` values.
#[test]
fn products_of_spectra_are_products() {
    for device in devices() {
        let sizes: &[(usize, usize)] =
            if sparing(&device) { &[(5, 7)] } else { &[(1, 1), (5, 7), (30, 1), (100, 37), (500, 526), (1000, 1001)] };
        for &(n, m) in sizes {
            let (f, len) = (field(SHORT), n + m - 1);
            let (a, b) = (elements(&f, n, 1), elements(&f, m, 2));
            let mut expected = vec![0; len];
            for (i, &x) in a.iter().enumerate() {
                for (j, &y) in b.iter().enumerate() {
                    expected[i + j] = f.add(expected[i + j], f.mul(x, y));
                }
            }
            let ntt = TruncatedNtt::new(&device, &f, len).unwrap();
            let spectrum = |x: &[u32]| {
                let mut padded = x.to_vec();
                padded.resize(len, 0);
                forward(&ntt, &padded)
            };
            let (a, mut b) = (spectrum(&a), spectrum(&b));
            for (a, b) in a.blocks().iter().zip(b.blocks_mut()) {
                let (x, y) = (a.download().unwrap(), b.download().unwrap());
                let products: Vec<u32> = x.iter().zip(y).map(|(&x, y)| f.mul(x, y)).collect();
                b.write(&products).unwrap();
            }
            assert!(ntt.inverse(b).unwrap().download().unwrap() == expected, "{device:?} {n} by {m}");
        }
    }
}

#[test]
fn no_arrays_have_no_spectra() {
    for device in devices() {
        let ntt = TruncatedNtt::new(&device, &field(SHORT), 11).unwrap();
        let spectrum = forward(&ntt, &[]);
        assert_eq!((spectrum.count(), spectrum.blocks().len()), (0, 3));
        assert!(spectrum.download().unwrap().is_empty());
        assert!(ntt.inverse(spectrum).unwrap().is_empty());
    }
}

#[test]
fn what_has_no_transform_is_refused_by_name() {
    let device = Device::host();
    let new = |p, len| TruncatedNtt::new(&device, &field(p), len).unwrap_err();
    assert_eq!(new(SHORT, 0), NttError::Empty);
    assert_eq!(new(17, 17), NttError::NoRoot { order: 32, p: 17, largest: 16 });
    assert_eq!(new(2, 2), NttError::NoRoot { order: 2, p: 2, largest: 1 });
    assert!(matches!(new(SHORT, usize::MAX), NttError::NoRoot { .. }));
    let ntt = TruncatedNtt::new(&device, &field(SHORT), 11).unwrap();
    let x = device.zeros::<u32>(24).unwrap();
    assert_eq!(ntt.forward(&x).unwrap_err(), NttError::Batch { buffer_len: 24, len: 11 });
    // Spectra of another length, and blocks of another length.
    let other = TruncatedNtt::new(&device, &field(SHORT), 13).unwrap();
    let spectrum = forward(&other, &[1; 26]);
    assert_eq!(ntt.inverse(spectrum).unwrap_err(), NttError::Blocks { blocks: vec![16, 8, 2], count: 2, len: 11 });
    let mut spectrum = forward(&ntt, &[1; 11]);
    spectrum.blocks_mut()[1] = device.zeros(1).unwrap();
    assert_eq!(ntt.inverse(spectrum).unwrap_err(), NttError::Blocks { blocks: vec![8, 1, 1], count: 1, len: 11 });
    // Memory of another device.
    let x = Device::host_with(1).unwrap().zeros::<u32>(11).unwrap();
    assert!(matches!(ntt.forward(&x).unwrap_err(), NttError::Device(_)));
    let spectrum = forward(&TruncatedNtt::new(x.device(), &field(SHORT), 11).unwrap(), &[1; 11]);
    assert!(matches!(ntt.inverse(spectrum).unwrap_err(), NttError::Device(_)));
    let refused = ntt.with_arithmetic(Arithmetic::Goldilocks).unwrap_err();
    assert_eq!(refused, NttError::Arithmetic { arithmetic: Arithmetic::Goldilocks, p: u64::from(SHORT) });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn there_and_back_is_the_same(len in 1usize..5000, count in 1usize..4, seed in any::<u64>()) {
        let f = field(SHORT);
        let ntt = TruncatedNtt::new(&Device::host(), &f, len).unwrap();
        let x = elements(&f, len * count, seed);
        let spectrum = forward(&ntt, &x);
        // A value of the spectrum is one of the polynomial's.
        let at = seed as usize % len;
        let bits = len.next_power_of_two().ilog2();
        let reversed = if bits == 0 { 0 } else { (at as u64).reverse_bits() >> (64 - bits) };
        let point = f.power(ntt.root(), reversed);
        let value = x[..len].iter().rev().fold(0, |sum, &a| f.add(f.mul(sum, point), a));
        prop_assert_eq!(spectrum.download().unwrap()[at], value);
        prop_assert_eq!(ntt.inverse(spectrum).unwrap().download().unwrap(), x);
    }
}
