//! Products on the host, and what holds on every device: against the definition, permuted, in buffers, with bad input.

use crate::common::{any_matrix, laplacian, words};
use manycore_device::{Device, DeviceError};
use manycore_field::{PrimeField, Reals};
use manycore_sparse::{
    OrderMethod, Pattern, ProductAlgorithm, ProductOptions, SparseError, SparseProduct, reference, reorder,
};
use manycore_testkit::devices;
use proptest::prelude::*;
use sprs::CsMat;

fn residues(matrix: &CsMat<f64>, p: u32) -> CsMat<u32> {
    matrix.map(|&value| (value as u32).wrapping_mul(2_654_435_761) % p)
}

proptest! {
    #[test]
    fn products_equal_their_definition(matrix in any_matrix(), seed in any::<u64>(), width in 0usize..4) {
        let field = PrimeField::<u32>::new(469_762_049).unwrap();
        let matrix = residues(&matrix, 469_762_049);
        let x: Vec<u32> = words(seed).take(matrix.cols() * width).map(|word| word as u32 % 469_762_049).collect();
        let expected = reference::multiply(&field, matrix.view(), &x, width);
        let host = Device::host_with(2).unwrap();
        for matrix in [matrix.to_csr(), matrix.to_csc()] {
            let product = SparseProduct::new(&host, field, matrix.view(), ProductOptions::default()).unwrap();
            prop_assert_eq!(&product.multiply_dense(&x, width).unwrap(), &expected);
            prop_assert_eq!((product.rows(), product.columns()), matrix.shape());
        }
    }

    #[test]
    fn permuted_products_are_products(matrix in any_matrix(), seed in any::<u64>()) {
        let field = PrimeField::<u32>::new(9001).unwrap();
        let matrix = residues(&matrix, 9001);
        let x: Vec<u32> = words(seed).take(matrix.cols()).map(|word| word as u32 % 9001).collect();
        let product = |matrix: &CsMat<u32>, x: &[u32]| {
            let product = SparseProduct::new(&Device::host(), field, matrix.view(), ProductOptions::default());
            product.unwrap().multiply(x).unwrap()
        };
        let expected = product(&matrix, &x);
        let pattern = Pattern::of(matrix.view()).unwrap();
        for method in OrderMethod::ALL {
            let order = reorder(&pattern, &method).unwrap();
            let permuted = product(&order.apply(matrix.view()).unwrap(), &order.columns.apply(&x).unwrap());
            prop_assert_eq!(&permuted, &order.rows.apply(&expected).unwrap());
            prop_assert_eq!(&order.rows.undo(&permuted).unwrap(), &expected);
        }
    }
}

/// Long enough for several tasks of the host and groups of a device.
#[test]
fn a_laplacian_is_multiplied_everywhere() {
    let matrix = laplacian(70);
    let x: Vec<f64> = words(1).take(4900).map(|word| word as f64).collect();
    let expected = reference::multiply(&Reals::<f64>::new(), matrix.view(), &x, 1);
    for device in devices() {
        let product = SparseProduct::new(&device, Reals::<f64>::new(), matrix.view(), ProductOptions::default());
        let product = product.unwrap();
        assert_eq!(product.explain(1).unwrap().best().parameters, product.plan(1).unwrap());
        let y = match product.multiply(&x) {
            Err(SparseError::Device(DeviceError::Unsupported { .. })) => continue,
            y => y.unwrap(),
        };
        // Sums of five integers below 2^33 are exact.
        assert!(y == expected, "{device:?}");
        // Parts of buffers, from anywhere.
        let (mut from, mut y) = (device.zeros::<f64>(4900 + 3).unwrap(), device.zeros::<f64>(2 * 4900).unwrap());
        from.view_mut(3..).unwrap().copy_from(&product.upload(&x).unwrap()).unwrap();
        for at in [0, 5] {
            product.multiply_buffers(from.view(3..).unwrap(), y.view_mut(at..at + 4900).unwrap(), 1).unwrap();
            assert!(y.download().unwrap()[at..at + 4900] == expected);
        }
    }
}

#[test]
fn nan_and_infinity_go_where_sums_lead_them() {
    let matrix = CsMat::new((3, 2), vec![0, 1, 3, 4], vec![0, 0, 1, 1], vec![f64::NAN, 0.0, 1.0, 2.0]);
    for device in devices() {
        let product = SparseProduct::new(&device, Reals::<f64>::new(), matrix.view(), ProductOptions::default());
        let y = match product.unwrap().multiply(&[f64::INFINITY, 3.0]) {
            Err(SparseError::Device(DeviceError::Unsupported { .. })) => continue,
            y => y.unwrap(),
        };
        assert!(y[0].is_nan() && y[1].is_nan(), "0 times infinity is kept: {y:?}");
        assert_eq!(y[2].to_bits(), 6.0f64.to_bits());
    }
}

#[test]
fn bad_input_is_told() {
    let field = PrimeField::<u32>::new(7).unwrap();
    let matrix = CsMat::new((1, 2), vec![0, 2], vec![0, 1], vec![1u32, 7]);
    let new = |matrix: &CsMat<u32>, options| SparseProduct::new(&Device::host(), field, matrix.view(), options);
    let error = new(&matrix, ProductOptions::default()).unwrap_err();
    assert_eq!(error, SparseError::Value { what: "the matrix", index: 1 });
    let matrix = matrix.map(|value| value % 7);
    for lanes in [0, 3, 64] {
        let algorithm = Some(ProductAlgorithm::Rows { lanes });
        let error = new(&matrix, ProductOptions { algorithm, ..ProductOptions::default() }).unwrap_err();
        assert!(matches!(error, SparseError::Parameter { name: "lanes", .. }), "{error}");
    }
    for device in devices() {
        let product = SparseProduct::new(&device, field, matrix.view(), ProductOptions::default()).unwrap();
        let length = SparseError::Length { what: "x", given: 3, expected: 2 };
        assert_eq!(product.multiply(&[1, 2, 3]).unwrap_err(), length);
        assert_eq!(product.multiply(&[1, 9]).unwrap_err(), SparseError::Value { what: "x", index: 1 });
        assert!(matches!(product.multiply_dense(&[], usize::MAX).unwrap_err(), SparseError::Length { .. }));
        let x = product.upload(&[1, 2]).unwrap();
        let mut wrong = device.zeros::<u32>(2).unwrap();
        let length = SparseError::Length { what: "y", given: 2, expected: 1 };
        assert_eq!(product.multiply_buffers(&x, &mut wrong, 1).unwrap_err(), length);
        let other = Device::host_with(1).unwrap();
        let mut elsewhere = other.zeros::<u32>(1).unwrap();
        let error = product.multiply_buffers(&x, &mut elsewhere, 1).unwrap_err();
        assert!(matches!(error, SparseError::Device(DeviceError::MixedDevices { .. })), "{error}");
    }
}

#[test]
fn nothing_is_multiplied() {
    let field = PrimeField::<u32>::new(7).unwrap();
    for device in devices() {
        for (rows, columns) in [(0, 0), (0, 3), (3, 0), (2, 2)] {
            let matrix = CsMat::<u32>::zero((rows, columns));
            for algorithm in [ProductAlgorithm::Rows { lanes: 1 }, ProductAlgorithm::Merge] {
                let options = ProductOptions { algorithm: Some(algorithm), ..ProductOptions::default() };
                let product = SparseProduct::new(&device, field, matrix.view(), options).unwrap();
                assert_eq!(product.multiply(&vec![1; columns]).unwrap(), vec![0; rows], "{device:?} {algorithm}");
                assert_eq!(product.multiply_dense(&vec![1; 2 * columns], 2).unwrap(), vec![0; 2 * rows]);
                assert!(product.multiply_dense(&[], 0).unwrap().is_empty());
            }
        }
    }
}
