//! Products of sparse matrices under criterion, by each device's own clock, in every form and in three orders.
//!
//! `MANYCORE_DEVICE` chooses one device instead of the host and every OpenCL device; criterion's own filter picks among
//! names such as `sparse opencl:0/merge/laplacian natural`. Throughputs are of the matrix, of `x` and `y`, each moved
//! once: the floor's traffic.

mod common;

use common::case;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use manycore_device::DeviceKind;
use manycore_field::Reals;
use manycore_sparse::sprs::{CsMat, TriMat};
use manycore_sparse::{GrayOptions, OrderMethod, Pattern, ProductAlgorithm, ProductOptions, SparseProduct, reorder};

/// Points of a side of the grid.
const SIDE: usize = 1000;

/// Forms of products on OpenCL devices.
const FORMS: [ProductAlgorithm; 4] = [
    ProductAlgorithm::Rows { lanes: 1 },
    ProductAlgorithm::Rows { lanes: 4 },
    ProductAlgorithm::Rows { lanes: 32 },
    ProductAlgorithm::Merge,
];

/// The five-point Laplacian.
fn laplacian() -> CsMat<f64> {
    let mut triplets = TriMat::with_capacity((SIDE * SIDE, SIDE * SIDE), 5 * SIDE * SIDE);
    for point in 0..SIDE * SIDE {
        let (y, x) = (point / SIDE, point % SIDE);
        triplets.add_triplet(point, point, 4.0);
        let neighbours = [
            (y > 0).then(|| point - SIDE),
            (x > 0).then(|| point - 1),
            (x + 1 < SIDE).then_some(point + 1),
            (y + 1 < SIDE).then_some(point + SIDE),
        ];
        neighbours.into_iter().flatten().for_each(|neighbour| triplets.add_triplet(point, neighbour, -1.0));
    }
    triplets.to_csr()
}

fn sparse(criterion: &mut Criterion) {
    let natural = laplacian();
    let ordered = |matrix: &CsMat<f64>, method: &OrderMethod| {
        let order = reorder(&Pattern::of(matrix.view()).expect("a pattern"), method).expect("an order");
        order.apply(matrix.view()).expect("the matrix in order")
    };
    let random = ordered(&natural, &OrderMethod::Random { seed: 1 });
    let gray = ordered(&random, &OrderMethod::GrayCode(GrayOptions::DEFAULT));
    let matrices = [("laplacian natural", &natural), ("laplacian random", &random), ("laplacian random brgc", &gray)];
    for device in common::devices().into_iter().filter(|device| device.info().fp64) {
        let mut benches = common::cases(criterion, "sparse", &device);
        for (name, matrix) in matrices {
            let bytes = matrix.nnz() * (size_of::<f64>() + size_of::<u32>()) + matrix.rows() * (2 * 8 + 4);
            benches.throughput(Throughput::Bytes(bytes as u64));
            let x = device.upload(&vec![1.0f64; matrix.cols()]).expect("x");
            let mut y = device.zeros::<f64>(matrix.rows()).expect("y");
            // The host has one form.
            let forms = if device.info().kind == DeviceKind::Host { &FORMS[..1] } else { &FORMS };
            for &form in forms {
                let options = ProductOptions { algorithm: Some(form), ..ProductOptions::default() };
                let product = SparseProduct::new(&device, Reals::<f64>::new(), matrix.view(), options);
                let product = product.expect("a product");
                case(&mut benches, BenchmarkId::new(form.to_string(), name), &device, || {
                    product.multiply_buffers(&x, &mut y, 1)
                });
            }
        }
    }
}

criterion_group!(benches, sparse);
criterion_main!(benches);
