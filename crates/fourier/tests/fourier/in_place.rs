//! Fourier transforms take slices, vectors, buffers and parts of buffers, of words, pairs and complex numbers.

use manycore_device::DeviceError;
use manycore_field::PrimeField;
use manycore_fourier::{AbelianGroup, Complexes, Direction, Fourier, FourierError, Numbers, Residues};
use manycore_testkit::in_place;

fn device_error(error: &FourierError) -> Option<&DeviceError> {
    match error {
        FourierError::Device(error) => Some(error),
        _ => None,
    }
}

fn check<N: Numbers>(factors: &[u64], numbers: &N, words: &[N::Word]) {
    let group = AbelianGroup::new(factors).unwrap();
    for device in in_place::devices() {
        let fourier = Fourier::with_machine(&device, device.machine());
        let forward = |data: manycore_device::InPlace<'_, N::Word>| fourier.forward(&group, numbers, data).map(drop);
        in_place::every_kind_of_data(&device, words, forward, device_error);
        let inverse = |data: manycore_device::InPlace<'_, N::Word>| fourier.inverse(&group, numbers, data).map(drop);
        in_place::every_kind_of_data(&device, words, inverse, device_error);
        let plan = fourier.explain_transform(&group, numbers, 2).unwrap().best().parameters.clone();
        let by_plan = |data: manycore_device::InPlace<'_, N::Word>| {
            fourier.transform(&group, numbers, Direction::Forward, data, Some(&plan)).map(drop)
        };
        in_place::every_kind_of_data(&device, words, by_plan, device_error);
    }
}

#[test]
fn every_kind_of_data_is_transformed() {
    let parts: Vec<f32> = (0..2 * 2 * 60).map(|i| ((i * 37) % 19) as f32 - 9.0).collect();
    check(&[4, 15], &Complexes::<f32>::new(), &parts);
    let residues: Vec<u32> = (0..2 * 60).map(|i| (i * i + 3) % 61).collect();
    check(&[4, 15], &Residues::new(PrimeField::<u32>::new(61).unwrap()), &residues);
}

/// A slice of complex numbers goes in as it is; so does what an array of another crate lends as one, like
/// `ndarray::Array::as_slice_mut`.
#[test]
fn complex_numbers_are_transformed_where_they_lie() {
    let group = AbelianGroup::new(&[2, 3]).unwrap();
    let f = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let expected = [2.0, 2.0, 2.0, 0.0, 0.0, 0.0];
    for device in in_place::devices() {
        let fourier = Fourier::new(&device);
        let mut complex: Vec<num_complex::Complex<f32>> =
            f.iter().map(|&re| num_complex::Complex::new(re, 0.0)).collect();
        fourier.forward(&group, &Complexes::<f32>::new(), complex.as_mut_slice()).unwrap();
        assert!(
            complex.iter().zip(expected).all(|(z, re)| (z.re - re).abs() < 1e-6 && z.im.abs() < 1e-6),
            "{complex:?}"
        );
        let mut pairs = f.map(|re| [re, 0.0]);
        fourier.forward(&group, &Complexes::<f32>::new(), &mut pairs).unwrap();
        let bits = |[re, im]: [f32; 2]| [re.to_bits(), im.to_bits()];
        assert!(pairs.iter().zip(&complex).all(|(pair, z)| bits(*pair) == bits([z.re, z.im])), "{pairs:?}");
    }
}
