//! What products by transforms offer, refuse, and make of nothing.

use manycore_device::Device;
use manycore_field::PrimeField;
use manycore_ntt::NttField;
use manycore_poly::multiply::transform::shape::{Cut, Length, Shape};
use manycore_poly::multiply::transform::{ProductError, Residues, Route, TransformProduct};
use manycore_testkit::devices;
use manycore_tuning::Costed;

const NTT: u64 = 469_762_049;
/// `2^31 - 1`: no roots of unity but of order 2.
const MERSENNE: u64 = 2_147_483_647;

fn short(p: u64) -> PrimeField<u32> {
    PrimeField::new(p as u32).unwrap()
}

fn context<F: NttField>(device: &Device, field: &F) -> TransformProduct<F> {
    TransformProduct::with_machine(device, device.machine(), field).unwrap()
}

#[test]
fn the_least_primes_that_are_enough_are_offered() {
    let device = Device::host();
    let residues = |field: &PrimeField<u32>, n: usize| -> Vec<Residues> {
        let product = context(&device, field);
        let power = |route: &Route| matches!(route.cut.length, Length::Power(_));
        let all = product.candidates(&Shape::full(n, n), product.machine());
        all.iter().filter(|route| power(route)).map(|route| route.residues).collect()
    };
    let words = |bits, count| Residues::Primes { bits, count };
    // The host's butterflies are faster modulo smaller primes.
    let all = |short: [usize; 3], long| {
        let short = [29, 30, 31].into_iter().zip(short).map(|(bits, count)| words(bits, count));
        short.chain([words(62, long)]).collect::<Vec<_>>()
    };
    assert_eq!(residues(&short(2), 1000), all([1, 1, 1], 1));
    assert_eq!(residues(&short(9001), 1000), all([2, 2, 2], 1));
    assert_eq!(residues(&short(MERSENNE), 1000), all([3, 3, 3], 2));
    assert_eq!(residues(&short(NTT), 1000), [vec![Residues::Direct], all([3, 3, 3], 2)].concat());
    // Few primes of 29 bits have roots for so many values.
    assert_eq!(residues(&short(MERSENNE), 1 << 23), [words(30, 3), words(31, 3), words(62, 2)]);
    // Past the roots of unity of five primes of 31 bits there are those of 62.
    assert_eq!(residues(&short(MERSENNE), 1 << 27), [words(62, 2)]);
}

#[test]
fn bad_input_is_refused_by_name() {
    let device = Device::host();
    let field = short(NTT);
    let product = context(&device, &field);
    let (x, y) = (device.zeros::<u32>(6).unwrap(), device.zeros::<u32>(4).unwrap());
    let mut out = device.zeros::<u32>(8).unwrap();
    let error = product.multiply((&x).into(), (&y).into(), 4, 0, (&mut out).into()).unwrap_err();
    assert_eq!(error, ProductError::Count { operand: "left operands", len: 6, count: 4 });
    let error = product.multiply((&x).into(), (&y).into(), 0, 0, (&mut out).into()).unwrap_err();
    assert_eq!(error, ProductError::Count { operand: "left operands", len: 6, count: 0 });
    let other = Device::host_with(1).unwrap();
    let z = other.zeros::<u32>(4).unwrap();
    let error = product.multiply((&x).into(), (&z).into(), 1, 0, (&mut out).into()).unwrap_err();
    assert!(matches!(error, ProductError::Device(_)), "{error}");
    // A row that is too short, a prime without roots, too few primes.
    let cut = |length, block, blocks| Cut { length, block, blocks };
    for (residues, cut) in [
        (Residues::Direct, cut(Length::Power(2), 6, 1)),
        (Residues::Direct, cut(Length::ThreeQuarters(1), 6, 1)),
        (Residues::Direct, cut(Length::Power(3), 2, 3)),
        (Residues::Direct, cut(Length::Power(4), 6, 0)),
        (Residues::Primes { bits: 31, count: 1 }, cut(Length::Power(4), 6, 1)),
        (Residues::Primes { bits: 31, count: 9 }, cut(Length::Power(4), 6, 1)),
        (Residues::Primes { bits: 5, count: 2 }, cut(Length::Power(4), 6, 1)),
    ] {
        let route = Route { residues, cut, tiled: false };
        let error = product.multiply_by((&x).into(), (&y).into(), 1, 0, (&mut out).into(), &route).unwrap_err();
        assert!(matches!(error, ProductError::Route { .. }), "{error}");
    }
    // Past every prime's roots of unity.
    let error = product.explain(&Shape::full(1 << 62, 1 << 62)).unwrap_err();
    assert!(matches!(error, ProductError::NoRoute { log_order: 63, .. }), "{error}");
}

/// Empty operands and results are no errors.
#[test]
fn products_of_nothing_are_zero() {
    for device in devices() {
        let field = short(NTT);
        let product = context(&device, &field);
        let (empty, x) = (device.zeros::<u32>(0).unwrap(), device.upload(&[1u32, 2]).unwrap());
        let mut out = device.upload(&[7u32, 7]).unwrap();
        product.multiply((&empty).into(), (&x).into(), 1, 0, (&mut out).into()).unwrap();
        assert_eq!(out.download().unwrap(), [0, 0]);
        let mut none = device.zeros::<u32>(0).unwrap();
        product.multiply((&x).into(), (&x).into(), 1, 0, (&mut none).into()).unwrap();
        product.multiply((&empty).into(), (&empty).into(), 0, 0, (&mut none).into()).unwrap();
        product.multiply((&x).into(), (&x).into(), 2, 9, (&mut out).into()).unwrap();
        assert_eq!(out.download().unwrap(), [0, 0]);
    }
}
