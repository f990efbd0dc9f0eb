//! The kernels `sparse_multiply_rows`, `sparse_multiply_dense`, `sparse_multiply_merge` and `sparse_merge_carries` on
//! every OpenCL device, against the host: every ring, rows at the edges of groups, empty and full rows.

use std::fmt::Debug;

use crate::common::words;
use manycore_device::{Device, DeviceError};
use manycore_field::{Goldilocks, PrimeField, Reals};
use manycore_sparse::{Complexes, ProductAlgorithm, ProductOptions, SparseError, SparseProduct, SparseRing};
use manycore_testkit::{limited_devices, opencl_devices, simulated};
use num_complex::Complex;
use sprs::CsMat;

const ALGORITHMS: [ProductAlgorithm; 5] = [
    ProductAlgorithm::Rows { lanes: 1 },
    ProductAlgorithm::Rows { lanes: 2 },
    ProductAlgorithm::Rows { lanes: 8 },
    ProductAlgorithm::Rows { lanes: 32 },
    ProductAlgorithm::Merge,
];

/// Rows of these lengths, columns and values drawn; the values by `value`.
fn with_rows<V: Copy>(lengths: &[usize], columns: usize, value: impl Fn(u64) -> V) -> CsMat<V> {
    let (mut offsets, mut indices, mut words) = (vec![0], Vec::new(), words(3));
    for &length in lengths {
        let step = columns / length.max(1);
        let first = words.next().unwrap_or(0) as usize % step.max(1);
        indices.extend((0..length).map(|i| first + i * step));
        offsets.push(indices.len());
    }
    let values: Vec<V> = (0..indices.len()).filter_map(|_| words.next()).map(value).collect();
    CsMat::new((lengths.len(), columns), offsets, indices, values)
}

fn shapes(small: bool) -> Vec<(Vec<usize>, usize)> {
    let mut shapes = vec![
        (vec![0], 1),
        (vec![1], 1),
        (vec![2, 0], 2),
        (vec![0, 0, 0], 5),
        (vec![40, 0, 3, 0, 0, 1, 17], 40),
        ((0..67).map(|row| row % 5).collect(), 9),
    ];
    if !small {
        shapes.extend([
            (vec![1; 255], 7),
            (vec![1; 256], 7),
            (vec![2; 257], 7),
            (vec![5000], 5000),
            ([vec![0; 300], vec![4000], vec![1; 40], vec![3000, 0]].concat(), 4000),
            (vec![1024 * 2 - 1, 1, 0, 1024], 3000),
        ]);
    }
    shapes
}

/// The same on the host and on every device, by every algorithm, in one piece and in blocks.
fn agrees<R: SparseRing>(ring: &R, value: impl Fn(u64) -> R::Value, near: impl Fn(R::Value, R::Value, usize) -> bool) {
    for device in opencl_devices().into_iter().chain(limited_devices()) {
        for (lengths, columns) in shapes(simulated(&device)) {
            let matrix = with_rows(&lengths, columns, &value);
            let longest = lengths.iter().copied().max().unwrap_or(0);
            let new = |device: &Device, options| SparseProduct::new(device, ring.clone(), matrix.view(), options);
            let host = new(&Device::host(), ProductOptions::default()).unwrap();
            for width in [1, 3] {
                let x: Vec<R::Value> = words(5).take(columns * width).map(&value).collect();
                let expected = host.multiply_dense(&x, width).unwrap();
                for algorithm in ALGORITHMS {
                    for resident_bytes in [None, Some(100)] {
                        let options = ProductOptions { algorithm: Some(algorithm), resident_bytes };
                        let product = match new(&device, options) {
                            Ok(product) => product,
                            Err(SparseError::Device(DeviceError::Unsupported { .. })) => return,
                            Err(error) => panic!("{error}"),
                        };
                        let found = match product.multiply_dense(&x, width) {
                            Ok(found) => found,
                            Err(SparseError::Device(DeviceError::Unsupported { .. })) => return,
                            Err(error) => panic!("{device:?}: {error}"),
                        };
                        let again = product.multiply_dense(&x, width).unwrap();
                        assert!(found == again, "{algorithm} is not deterministic");
                        let wrong = found.iter().zip(&expected).position(|(&a, &b)| !near(a, b, longest));
                        assert!(
                            found.len() == expected.len() && wrong.is_none(),
                            "{device:?}, {algorithm}, {resident_bytes:?}, {lengths:?} x {width}: value {wrong:?}"
                        );
                    }
                }
            }
        }
    }
}

fn exact<V: Copy + PartialEq + Debug>(a: V, b: V, _: usize) -> bool {
    a == b
}

/// Numbers from -1 to 1.
fn number(word: u64) -> f64 {
    word as f64 / f64::from(1u32 << 30) - 1.0
}

#[test]
fn residues_equal_the_host_s() {
    // An interpreter takes a minute for all of them.
    let is_few = opencl_devices().iter().any(simulated);
    for p in [2, 3, 9001, 469_762_049, 2_147_483_647] {
        if is_few && ![2, 2_147_483_647].contains(&p) {
            continue;
        }
        agrees(&PrimeField::<u32>::new(p).unwrap(), |word| word as u32 % p, exact);
    }
    for p in [3, 4_611_686_018_427_387_847, 9_223_372_036_854_775_783] {
        agrees(&PrimeField::<u64>::new(p).unwrap(), |word| p - 1 - word.wrapping_mul(word) % p, exact);
    }
    let largest = Goldilocks::MODULUS - 1;
    agrees(&Goldilocks, |word| largest - word.wrapping_mul(word) % 1000, exact);
}

/// Both sums are within `k u s` of the true one, where `s <= k` because no product is larger than 1 in size: twice that,
/// and once more for the terms in `u^2`.
#[test]
fn numbers_are_near_the_host_s() {
    let bound = |epsilon: f64, k: usize| 3.0 * (k * k) as f64 * epsilon / 2.0;
    agrees(&Reals::<f64>::new(), number, |a, b, k| (a - b).abs() <= bound(f64::EPSILON, k));
    agrees(
        &Reals::<f32>::new(),
        |word| number(word) as f32,
        |a, b, k| f64::from((a - b).abs()) <= bound(f64::from(f32::EPSILON), k),
    );
    // Each part is a sum of twice as many products.
    agrees(
        &Complexes::<f64>::new(),
        |word| Complex::new(number(word), number(word.wrapping_mul(97) >> 3 & 0x7fff_ffff)),
        |a, b, k| (a.re - b.re).abs().max((a.im - b.im).abs()) <= bound(f64::EPSILON, 2 * k),
    );
    agrees(
        &Complexes::<f32>::new(),
        |word| Complex::new(number(word) as f32, -number(word) as f32),
        |a, b, k| f64::from((a.re - b.re).abs().max((a.im - b.im).abs())) <= bound(f64::from(f32::EPSILON), 2 * k),
    );
}
