//! Kronecker transforms take slices, vectors, buffers and parts of buffers, of words, pairs and complex numbers.

use manycore_device::{DeviceError, InPlace};
use manycore_field::Integers;
use manycore_kronecker::{Complexes, Kronecker, KroneckerError, parse};
use manycore_testkit::in_place;

fn device_error(error: &KroneckerError) -> Option<&DeviceError> {
    match error {
        KroneckerError::Device(error) => Some(error),
        _ => None,
    }
}

#[test]
fn every_kind_of_data_is_transformed() {
    let product = parse(&Integers::<i32>::new(), "walsh x h12 x arithmetic").unwrap();
    let words: Vec<i32> = (0..3 * 48).map(|i| (i * 7919) % 101 - 50).collect();
    for device in in_place::devices() {
        let kronecker = Kronecker::with_machine(&device, device.machine());
        let forward = |data: InPlace<'_, i32>| kronecker.forward(&product, data);
        in_place::every_kind_of_data(&device, &words, forward, device_error);
        let rounded = product.clone().wrapping();
        let inverse = |data: InPlace<'_, i32>| kronecker.inverse(&rounded, data);
        in_place::every_kind_of_data(&device, &words, inverse, device_error);
        let transpose = |data: InPlace<'_, i32>| kronecker.transpose(&product, data);
        in_place::every_kind_of_data(&device, &words, transpose, device_error);
        let planned = kronecker.transform(&product, 3).unwrap();
        in_place::every_kind_of_data(&device, &words, |data| planned.run(data), device_error);
    }
}

#[test]
fn complex_numbers_are_transformed_where_they_lie() {
    let product = parse(&Complexes::<f64>::new(), "walsh x walsh").unwrap();
    let host = Kronecker::new(&manycore_device::Device::host());
    let mut complex = [1.0, 2.0, 3.0, 4.0].map(|re| num_complex::Complex { re, im: -re });
    host.forward(&product, &mut complex).unwrap();
    assert_eq!(complex.map(|z| [z.re, z.im]), [[10.0, -10.0], [-2.0, 2.0], [-4.0, 4.0], [0.0, 0.0]]);
}
