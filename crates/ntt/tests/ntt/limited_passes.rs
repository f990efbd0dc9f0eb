//! Transforms of one, two, three and four passes, by devices with small tiles: against the host, whose transforms other tests compare
//! with the definition. A number of passes that no case reaches fails the test.

use std::collections::BTreeSet;

use manycore_device::Device;
use manycore_field::{Arithmetic, Goldilocks, PrimeField, ResidueWord};
use manycore_ntt::{Kind, Ntt, NttField, SpectrumOrder, TruncatedNtt};
use manycore_testkit::limited_devices;

/// `7 * 2^26 + 1`, of 29 bits; primes `k * 2^j + 1` just below `2^50`, `2^62`, `2^63` with many roots.
const SHORT: u32 = 469_762_049;
const FLOATING: u64 = 1_125_897_625_141_249;
const LONG: u64 = 4_611_686_009_971_671_041;
const LONGEST: u64 = 9_223_372_035_915_251_713;

fn elements<F: NttField>(field: &F, len: usize) -> Vec<F::Element> {
    let value = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) % field.order();
    (0..len as u64).map(|i| F::Element::from_u64(value(i))).collect()
}

/// Transforms of the best estimate on `device` in an arithmetic, on the host in its own.
fn ntt<F: NttField>(device: &Device, field: &F, log_len: u32, kind: Kind, by: Option<Arithmetic>) -> Ntt<F> {
    let ntt = Ntt::with_machine(device, device.machine(), field, 1 << log_len, kind).unwrap();
    match by {
        Some(by) => ntt.with_arithmetic(by).unwrap(),
        None => ntt,
    }
}

fn equals_the_host<F: NttField>(device: &Device, field: &F, lengths: &[(u32, usize)]) {
    for arithmetic in field.arithmetics() {
        if arithmetic == Arithmetic::Floating && !device.info().fp64 {
            continue;
        }
        let mut seen = BTreeSet::new();
        for (turn, &(log_len, count)) in lengths.iter().enumerate() {
            // Each length takes one kind and order with one arithmetic, and all pairs are taken by some length.
            let kind = if turn % 2 == 0 { Kind::Cyclic } else { Kind::Negacyclic };
            let order = if turn / 2 % 2 == 0 { SpectrumOrder::BitReversed } else { SpectrumOrder::Natural };
            let by = ntt(device, field, log_len, kind, Some(arithmetic)).with_order(order);
            let host = ntt(&Device::host(), field, log_len, kind, None).with_order(order);
            let len = count << log_len;
            seen.insert(by.explain(len).unwrap().best().parameters.passes.len());
            let values = elements(field, len);
            let spectrum = |ntt: &Ntt<F>| {
                let mut x = ntt.device().upload(&values).unwrap();
                ntt.forward(&mut x).unwrap();
                let spectrum = x.download().unwrap();
                ntt.inverse(&mut x).unwrap();
                let name = format!("{:?} {arithmetic} {kind:?} {order:?} {count} of 2^{log_len}", ntt.device());
                assert!(x.download().unwrap() == values, "{name} mod {}: inverse", field.order());
                (spectrum, name)
            };
            let ((found, name), (expected, _)) = (spectrum(&by), spectrum(&host));
            assert!(found == expected, "{name} mod {}", field.order());
        }
        assert!((1..=4).all(|passes| seen.contains(&passes)), "{device:?} {arithmetic}: passes {seen:?}");
    }
}

/// Four lengths with as many passes, each once cyclic and once negacyclic.
const OF_SHORT_WORDS: [(u32, usize); 8] = [(6, 3), (6, 1), (11, 1), (11, 2), (15, 2), (15, 1), (18, 1), (18, 1)];
const OF_LONG_WORDS: [(u32, usize); 8] = [(6, 3), (6, 1), (9, 1), (9, 2), (13, 2), (13, 1), (16, 1), (16, 1)];

#[test]
fn short_words_of_one_to_four_passes_equal_the_host() {
    for device in limited_devices() {
        equals_the_host(&device, &PrimeField::<u32>::new(SHORT).unwrap(), &OF_SHORT_WORDS);
    }
}

#[test]
fn long_words_of_one_to_four_passes_equal_the_host() {
    for device in limited_devices() {
        for p in [FLOATING, LONG, LONGEST] {
            equals_the_host(&device, &PrimeField::<u64>::new(p).unwrap(), &OF_LONG_WORDS);
        }
        equals_the_host(&device, &Goldilocks, &OF_LONG_WORDS);
    }
}

/// Blocks of a truncated transform are transforms of their own lengths, of one to four passes.
#[test]
fn truncated_transforms_of_several_passes_equal_the_host() {
    fn one<F: NttField>(device: &Device, field: &F, len: usize) {
        let spectrum = |device: &Device| {
            let ntt = TruncatedNtt::new(device, field, len).unwrap();
            let spectrum = ntt.forward(&device.upload(&elements(field, len)).unwrap()).unwrap();
            let values = spectrum.download().unwrap();
            let back = ntt.inverse(spectrum).unwrap().download().unwrap();
            (values, back)
        };
        let (found, expected) = (spectrum(device), spectrum(&Device::host()));
        assert!(found == expected, "{device:?}: {len} mod {}", field.order());
        assert!(found.1 == elements(field, len), "{device:?}: {len} mod {}: inverse", field.order());
    }
    for device in limited_devices() {
        one(&device, &PrimeField::<u32>::new(SHORT).unwrap(), (1 << 18) + (1 << 15) + (1 << 11) + 70);
        one(&device, &PrimeField::<u64>::new(LONG).unwrap(), (1 << 16) + (1 << 13) + (1 << 9) + 70);
    }
}
