//! What the tests of polynomials share.

#![allow(dead_code)] // each test program uses its part

use manycore_device::{Device, DeviceKind, Executor};
use manycore_field::{Arithmetic, Goldilocks, PrimeField, ResidueWord as _};
use manycore_poly::{Poly, PolyField, PolyRing};

/// Just below `2^50`, `2^62`, `2^63`, with many roots of unity.
pub(crate) const FLOATING: u64 = 1_125_897_625_141_249;
pub(crate) const LONG: u64 = 4_611_686_009_971_671_041;
pub(crate) const LONGEST: u64 = 9_223_372_035_915_251_713;

/// Primes with residues in 32-bit words: small ones without roots, and of 14, 29, 30 and 31 bits.
pub(crate) const SHORT: [u32; 7] = [2, 3, 7, 9001, 469_762_049, 998_244_353, 2_147_483_647];

/// Primes with residues in 64-bit words, with roots of unity and without: `2^61 - 1` and the largest below `2^63` have few.
pub(crate) const WIDE: [u64; 7] = [2, 7, FLOATING, 2_305_843_009_213_693_951, LONG, LONGEST, 9_223_372_036_854_775_783];

pub(crate) fn short(p: u32) -> PrimeField<u32> {
    PrimeField::new(p).unwrap()
}

pub(crate) fn long(p: u64) -> PrimeField<u64> {
    PrimeField::new(p).unwrap()
}

/// Something to do for a ring over any field.
pub(crate) trait Check {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>);
}

/// Every field with every arithmetic that the device has for it.
pub(crate) fn every_ring(device: &Device, check: &mut impl Check) {
    for p in SHORT {
        every_arithmetic(device, &short(p), check);
    }
    for p in WIDE {
        every_arithmetic(device, &long(p), check);
    }
    every_arithmetic(device, &Goldilocks, check);
}

/// One field of each arithmetic: where kernels take long to build or to run.
pub(crate) fn few_rings(device: &Device, check: &mut impl Check) {
    every_arithmetic(device, &short(2_147_483_647), check);
    every_arithmetic(device, &long(FLOATING), check);
    check.check(&PolyRing::new(device, long(LONGEST)).unwrap());
    check.check(&PolyRing::new(device, Goldilocks).unwrap());
}

fn every_arithmetic<F: PolyField>(device: &Device, field: &F, check: &mut impl Check) {
    for arithmetic in field.arithmetics() {
        let host = matches!(device.executor(), Executor::Host(_));
        if arithmetic == Arithmetic::Floating && (host || !device.info().fp64) {
            continue;
        }
        check.check(&PolyRing::new(device, field.clone()).unwrap().with_arithmetic(arithmetic).unwrap());
    }
}

/// Residues that look random, with the ends of the range among them; the last is not 0.
pub(crate) fn elements<F: PolyField>(field: &F, len: usize, salt: u64) -> Vec<F::Element> {
    let p = field.order();
    let value = |i: usize| match i % 7 {
        _ if i + 1 == len => 1 + salt % (p - 1),
        0 => p - 1,
        3 => 0,
        _ => (i as u64 + 1 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) % p,
    };
    (0..len).map(|i| F::Element::from_u64(value(i))).collect()
}

pub(crate) fn poly<F: PolyField>(ring: &PolyRing<F>, len: usize, salt: u64) -> Poly<F> {
    ring.poly(&elements(ring.field(), len, salt)).unwrap()
}

/// Whether a CPU compiles the kernels, which takes it about a second each: fewer shapes are tried.
pub(crate) fn sparing(device: &Device) -> bool {
    device.info().kind != DeviceKind::Gpu && device.info().kind != DeviceKind::Host
}

/// Whether few rings and short polynomials must do: a CPU compiles, or a simulator runs.
pub(crate) fn small(device: &Device) -> bool {
    sparing(device) || manycore_testkit::simulated(device)
}

/// Coefficients without leading zeros.
pub(crate) fn stripped<F: PolyField>(field: &F, mut f: Vec<F::Element>) -> Vec<F::Element> {
    f.truncate(manycore_poly::linear::reference::stripped_len(field, &f));
    f
}
