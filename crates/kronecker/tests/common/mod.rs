//! What the tests of transforms share.

#![allow(dead_code)] // each test program uses its part

use manycore_device::{Device, DeviceError};
use manycore_kronecker::num_complex::Complex;
use manycore_kronecker::transform::reference;
use manycore_kronecker::{
    Complexes, Goldilocks, Integers, Kronecker, KroneckerError, KroneckerProduct, PrimeField, Reals, Values, parse,
};

/// A ring whose values tests can make and compare.
pub(crate) trait Tested: Values {
    /// A value from random bits.
    fn value(&self, bits: u64) -> Self::Value;

    /// Whether two values differ by rounding only, where values of `size` were added; exact rings compare exactly.
    fn near(&self, a: &Self::Value, b: &Self::Value, size: f64) -> bool;
}

macro_rules! exact {
    ($($ring:ty, |$self:ident, $bits:ident| $value:expr;)*) => {$(
        impl Tested for $ring {
            fn value(&$self, $bits: u64) -> Self::Value {
                $value
            }

            fn near(&self, a: &Self::Value, b: &Self::Value, _: f64) -> bool {
                a == b
            }
        }
    )*};
}

exact! {
    Integers<i32>, |self, bits| bits as i32;
    Integers<i64>, |self, bits| bits as i64;
    PrimeField<u32>, |self, bits| self.reduce(bits as u32);
    PrimeField<u64>, |self, bits| self.reduce(bits);
    Goldilocks, |self, bits| self.reduce(bits);
}

macro_rules! rounded {
    ($($part:ty)*) => {$(
        impl Tested for Reals<$part> {
            fn value(&self, bits: u64) -> $part {
                (bits as i64 >> 40) as $part / 8_388_608.0
            }

            fn near(&self, a: &$part, b: &$part, size: f64) -> bool {
                f64::from(*a - *b).abs() <= size * f64::from(<$part>::EPSILON)
            }
        }

        impl Tested for Complexes<$part> {
            fn value(&self, bits: u64) -> Complex<$part> {
                let [re, im] = [bits << 32, bits].map(|bits| (bits as i64 >> 40) as $part / 8_388_608.0);
                Complex { re, im }
            }

            fn near(&self, a: &Complex<$part>, b: &Complex<$part>, size: f64) -> bool {
                let apart = a - b;
                [apart.re, apart.im].iter().all(|&part| f64::from(part).abs() <= size * f64::from(<$part>::EPSILON))
            }
        }
    )*};
}

rounded!(f32 f64);

/// Values that only the seed determines (the finaliser of `SplitMix64`).
pub(crate) fn random<V: Tested>(values: &V, count: usize, seed: u64) -> Vec<V::Value> {
    let bits = |i: u64| {
        let x = (seed + i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    (0..count as u64).map(|i| values.value(bits(i))).collect()
}

/// Values that are at most 1 in size grow to no more than the product of the factors' orders, and round in each of the
/// sums of about as many terms as the orders' sum; entries are at most a few units.
pub(crate) fn growth<V: Tested>(product: &KroneckerProduct<V>) -> f64 {
    let orders = || product.factors().iter().filter(|f| !f.is_identity()).map(|f| f.order() as f64);
    4.0 * orders().product::<f64>() * (orders().sum::<f64>() + 1.0)
}

pub(crate) fn assert_near<V: Tested>(values: &V, found: &[V::Value], expected: &[V::Value], size: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    if let Some(i) = (0..found.len()).find(|&i| !values.near(&found[i], &expected[i], size)) {
        panic!("{what}: value {i} is {:?}, not {:?}", found[i], expected[i]);
    }
}

/// What a device makes of some vectors, whose integers may wrap; `None` where it has no double precision.
pub(crate) fn on<V: Tested>(
    device: &Device,
    product: &KroneckerProduct<V>,
    input: &[V::Value],
) -> Option<Vec<V::Value>> {
    // By the estimate alone: a measurement would build the kernels of other candidates too.
    let kronecker = Kronecker::with_machine(device, device.machine());
    let mut data = device.upload::<V::Word>(bytemuck::cast_slice(input)).unwrap();
    match kronecker.forward(&product.clone().wrapping(), &mut data) {
        Err(KroneckerError::Device(DeviceError::Unsupported { .. })) if !device.info().fp64 => return None,
        other => other.unwrap(),
    }
    let mut out: Vec<V::Value> = bytemuck::zeroed_vec(input.len());
    data.read_into(bytemuck::cast_slice_mut(&mut out)).unwrap();
    Some(out)
}

/// Compares a transform of `batch` vectors with the definition.
pub(crate) fn check<V: Tested>(device: &Device, product: &KroneckerProduct<V>, batch: usize) {
    let values = product.values();
    let input = random(values, product.order() * batch, 7);
    let expected = reference::apply(product, &input);
    let orders: Vec<usize> = product.factors().iter().map(manycore_kronecker::Factor::order).collect();
    let what = format!("{} {} {orders:?} of {batch}", device.info().name, values.name());
    if let Some(found) = on(device, product, &input) {
        assert_near(values, &found, &expected, growth(product), &what);
    }
}

/// The same for a text, forward, transposed and inverse.
pub(crate) fn check_text<V: Tested>(device: &Device, values: &V, text: &str, batch: usize) {
    let product = parse(values, text).unwrap();
    check(device, &product, batch);
    check(device, &product.transposed(), batch);
    if let Ok(inverse) = product.inverse() {
        check(device, &inverse, batch);
        let input = random_small(values, product.order() * batch);
        if let Some(back) = on(device, &product, &input).and_then(|there| on(device, &inverse, &there)) {
            assert_near(values, &back, &input, growth(&product), &format!("{text} and back"));
        }
    }
}

/// Values whose transforms fit 32 bits.
pub(crate) fn random_small<V: Tested>(values: &V, count: usize) -> Vec<V::Value> {
    (0..count as i64).map(|i| values.integer(i * i % 101 - 50)).collect()
}

pub(crate) fn prime32(p: u32) -> PrimeField<u32> {
    PrimeField::new(p).unwrap()
}

pub(crate) fn prime64(p: u64) -> PrimeField<u64> {
    PrimeField::new(p).unwrap()
}
