//! Convolutions and correlations against their sums.

use crate::common::{Tested, functions, group, tolerance};
use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField};
use manycore_fourier::num_complex::Complex;
use manycore_fourier::transform::reference;
use manycore_fourier::{Complexes, Fourier, FourierError, Residues};
use manycore_testkit::devices;

/// A sum over a group of two functions.
type Sum<'a, V> = &'a dyn Fn(&[V], &[V]) -> Vec<V>;

fn check<N: Tested>(device: &Device, numbers: &N, factors: &[u64], (left, right): (usize, usize)) {
    let (fourier, group) = (Fourier::new(device), group(factors));
    let (f, g) = (functions(numbers, &group, left, 1), functions(numbers, &group, right, 2));
    let (x, y) = (fourier.upload(numbers, &f).unwrap(), fourier.upload(numbers, &g).unwrap());
    let order = group.order() as usize;
    let expected = |sum: Sum<'_, N::Value>| -> Vec<N::Value> {
        f.chunks(order).enumerate().flat_map(|(i, f)| sum(f, g.chunks(order).nth(i % right.max(1)).unwrap())).collect()
    };
    let bound = tolerance(numbers, &group, 8.0);
    let found = fourier.download(numbers, &fourier.convolve(&group, numbers, &x, &y).unwrap()).unwrap();
    let sums = expected(&|f, g| reference::convolution(&group, numbers, f, g).unwrap());
    assert!(numbers.error(&found, &sums) <= bound, "convolution on {group}");
    let found = fourier.download(numbers, &fourier.correlate(&group, numbers, &x, &y).unwrap()).unwrap();
    let sums = expected(&|f, g| reference::correlation(&group, numbers, f, g).unwrap());
    assert!(numbers.error(&found, &sums) <= bound, "correlation on {group}");
}

#[test]
fn convolutions_equal_their_sums() {
    for device in [Device::host(), Device::host_with(1).unwrap()] {
        for factors in [&[][..], &[1], &[7], &[2, 3], &[4, 4], &[3, 1, 5], &[67], &[12, 10]] {
            check(&device, &Complexes::<f32>::new(), factors, (1, 1));
            check(&device, &Complexes::<f64>::new(), factors, (3, 1));
            check(&device, &Complexes::<f64>::new(), factors, (3, 3));
        }
        check(&device, &Residues::new(PrimeField::<u32>::new(2_147_483_647).unwrap()), &[6, 7], (2, 1));
        check(&device, &Residues::new(PrimeField::<u64>::new((1 << 61) - 1).unwrap()), &[10, 3], (2, 2));
        check(&device, &Residues::new(Goldilocks), &[16, 3], (1, 1));
        check(&device, &Residues::new(Goldilocks), &[257], (2, 1));
        // Modulo 2 there is the group of one element.
        check(&device, &Residues::new(PrimeField::<u32>::new(2).unwrap()), &[1], (5, 5));
    }
}

#[test]
fn every_device_convolves() {
    for device in devices() {
        check(&device, &Complexes::<f32>::new(), &[5, 8], (2, 1));
        check(&device, &Residues::new(PrimeField::<u32>::new(2_147_483_647).unwrap()), &[6, 7], (2, 2));
    }
}

#[test]
fn operands_must_fit() {
    let fourier = Fourier::new(&Device::host());
    let numbers = Complexes::<f32>::new();
    let of = |count: usize| fourier.upload(&numbers, &vec![Complex::new(1.0, 0.0); 2 * count]).unwrap();
    let error = fourier.convolve(&group(&[2]), &numbers, &of(3), &of(2)).unwrap_err();
    assert_eq!(error, FourierError::Operands { left: 3, right: 2 });
    let none = fourier.convolve(&group(&[2]), &numbers, &of(0), &of(1)).unwrap();
    assert!(none.is_empty());
    assert!(fourier.convolve(&group(&[3]), &numbers, &of(1), &of(1)).is_err());
}
