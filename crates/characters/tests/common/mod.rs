//! What the tests of tables share.

#![allow(dead_code)] // each test program uses its part

use manycore_characters::num_complex::Complex;
use manycore_characters::table::reference;
use manycore_characters::{
    AbelianGroup, CharacterError, Characters, Complexes, Construction, Exponents, Residues, Tile, Values,
};
use manycore_device::{Device, DeviceError};
use manycore_field::{Goldilocks, PrimeField};

pub(crate) fn group(factors: &[u64]) -> AbelianGroup {
    AbelianGroup::new(factors).unwrap()
}

/// Compares both constructions of a tile with the definition, by `equal`.
pub(crate) fn check<V: Values>(
    device: &Device,
    values: &V,
    factors: &[u64],
    tile: &Tile,
    constructions: &[Construction],
    equal: impl Fn(&V::Value, &V::Value) -> bool,
) {
    let (characters, group) = (Characters::new(device), group(factors));
    let expected = reference::table(&group, values, tile).unwrap();
    for &construction in constructions {
        let what = format!("{} {} {group} {tile:?} {construction}", device.info().name, values.name());
        let table = match characters.table(&group, values, &tile.clone().by(construction)) {
            Err(CharacterError::Device(DeviceError::Unsupported { .. })) if !device.info().fp64 => return,
            other => other.unwrap(),
        };
        let found = table.download().unwrap();
        assert_eq!(found.len(), expected.len(), "{what}");
        if let Some(i) = (0..found.len()).find(|&i| !equal(&found[i], &expected[i])) {
            panic!("{what}: entry {i} is {:?}, not {:?}", found[i], expected[i]);
        }
    }
}

/// The direct construction gives the rounded roots; a product of `k` roots is off by a few units of the last place each.
pub(crate) fn near<T: Copy + Into<f64>>(unit: f64, factors: &[u64]) -> impl Fn(&Complex<T>, &Complex<T>) -> bool {
    let tolerance = 2.0 * unit * factors.len().max(1) as f64;
    move |a, b| [(a.re, b.re), (a.im, b.im)].iter().all(|&(a, b)| (a.into() - b.into()).abs() <= tolerance)
}

/// The bits of both parts of a number.
pub(crate) fn bits<T: bytemuck::NoUninit>(a: &Complex<T>) -> [Vec<u8>; 2] {
    [&a.re, &a.im].map(|part| bytemuck::bytes_of(part).to_vec())
}

/// Complex numbers of one type: the direct construction to the bit, the other one within its rounding.
pub(crate) fn check_f32(device: &Device, factors: &[u64], tile: &Tile) {
    let values = Complexes::<f32>::new();
    check(device, &values, factors, tile, &[Construction::Direct], |a, b| bits(a) == bits(b));
    check(device, &values, factors, tile, &[Construction::Kronecker], near(1e-7, factors));
}

pub(crate) fn check_f64(device: &Device, factors: &[u64], tile: &Tile) {
    let values = Complexes::<f64>::new();
    check(device, &values, factors, tile, &[Construction::Direct], |a, b| bits(a) == bits(b));
    check(device, &values, factors, tile, &[Construction::Kronecker], near(3e-16, factors));
}

pub(crate) fn check_exact<V: Values>(device: &Device, values: &V, factors: &[u64], tile: &Tile) {
    check(device, values, factors, tile, &Construction::ALL, |a, b| a == b);
}

/// Every kind of values whose roots the group has.
pub(crate) fn check_all(device: &Device, factors: &[u64], tile: &Tile) {
    let exponent = group(factors).exponent();
    if exponent <= 256 {
        check_exact(device, &Exponents::<u8>::new(), factors, tile);
    }
    check_exact(device, &Exponents::<u16>::new(), factors, tile);
    check_exact(device, &Exponents::<u32>::new(), factors, tile);
    check_f32(device, factors, tile);
    check_f64(device, factors, tile);
    for p in [7, 31, 2_147_483_647u32] {
        if u64::from(p - 1).is_multiple_of(exponent) {
            check_exact(device, &Residues::new(PrimeField::<u32>::new(p).unwrap()), factors, tile);
        }
    }
    // 2^61 - 1: orders that divide 2 * 3^2 * 5^2 * 7 * 11 * 13 * ... .
    let long = PrimeField::<u64>::new((1 << 61) - 1).unwrap();
    if ((1u64 << 61) - 2).is_multiple_of(exponent) {
        check_exact(device, &Residues::new(long), factors, tile);
    }
    if (Goldilocks::MODULUS - 1).is_multiple_of(exponent) {
        check_exact(device, &Residues::new(Goldilocks), factors, tile);
    }
}
