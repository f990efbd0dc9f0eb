//! Products whose transforms take several passes on a device: the first pass loads the operands, the last one leaves the
//! coefficients. Every part of the product, squares and batches, against the host.

use manycore_device::{Device, DeviceKind, Executor, View};
use manycore_field::{Goldilocks, PrimeField, ResidueWord};
use manycore_ntt::NttField;
use manycore_poly::multiply::transform::TransformProduct;
use manycore_poly::multiply::transform::shape::Shape;
use manycore_testkit::{devices, simulated};

/// With roots of order 2^26; without any of use; of 62 bits with roots of order 2^20.
const NTT: u32 = 469_762_049;
const MERSENNE: u32 = (1 << 31) - 1;
const LONG: u64 = 4_611_686_018_326_724_609;

fn elements<F: NttField>(field: &F, len: usize, salt: u64) -> Vec<F::Element> {
    let value = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(salt).rotate_left(29);
    (0..len as u64).map(|i| F::Element::from_u64(value(i) % field.order())).collect()
}

/// The product on a device, with a result that had other numbers before.
fn product<F: NttField>(device: &Device, field: &F, shape: &Shape, start: usize) -> Vec<F::Element> {
    let by = TransformProduct::with_machine(device, device.machine(), field).unwrap();
    let a = device.upload(&elements(field, shape.count * shape.n, 1)).unwrap();
    let b = device.upload(&elements(field, shape.count * shape.m, 2)).unwrap();
    let len = shape.count * shape.len;
    let mut out = device.upload(&vec![F::Element::from_u64(1); start + len]).unwrap();
    let right: View<'_, F::Element> = if shape.square { (&a).into() } else { (&b).into() };
    let to = out.view_mut(start..).unwrap();
    by.multiply((&a).into(), right, shape.count, shape.low, to).unwrap();
    let all = out.download().unwrap();
    assert!(all[..start].iter().all(|&x| x == F::Element::from_u64(1)), "{device:?}: {shape} before its place");
    all[start..].to_vec()
}

fn equal_the_host_s<F: NttField>(device: &Device, field: &F, shapes: &[Shape]) {
    for shape in shapes {
        // At a place that kernels can be given, and at one that they cannot.
        for start in [0, 3] {
            let (found, expected) = (product(device, field, shape, start), product(&Device::host(), field, shape, 0));
            assert!(found == expected, "{device:?}: {shape} mod {} at {start}", field.order());
        }
    }
}

#[test]
fn parts_of_long_products_equal_the_host_s() {
    let (n, m) = (9000, 8000);
    let full = Shape::full(n, m);
    let shapes = [
        full,
        // The low part, a middle one, one that ends in zeros, and one behind the end.
        Shape { len: 5000, ..full },
        Shape { low: 7999, len: 1500, ..full },
        Shape { low: 12_345, len: 20_000, ..full },
        Shape { len: 40_000, ..full },
        Shape { low: 20_000, len: 5, ..full },
        // Shorter than the other, exchanged, alone, by itself, and several.
        Shape::full(1, 17_000),
        Shape::full(300, 16_000),
        Shape { m: n, square: true, ..Shape::full(n, n) },
        Shape { count: 3, ..full },
        Shape { count: 2, low: 100, len: 16_000, ..full },
    ];
    for device in devices() {
        if simulated(&device) || matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        equal_the_host_s(&device, &PrimeField::<u32>::new(NTT).unwrap(), &shapes);
        equal_the_host_s(&device, &PrimeField::<u32>::new(MERSENNE).unwrap(), &[shapes[0], shapes[3], shapes[9]]);
        equal_the_host_s(&device, &PrimeField::<u64>::new(LONG).unwrap(), &[shapes[0], shapes[2], shapes[10]]);
        equal_the_host_s(&device, &Goldilocks, &[shapes[1], shapes[8]]);
    }
}

/// The columns between leave a part of their twists to the tiles, where the product is made.
#[test]
fn products_of_three_passes_equal_the_host_s() {
    for device in devices() {
        if simulated(&device) || matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        // Processors take three passes sooner.
        let log_len = if device.info().kind == DeviceKind::Gpu { 22 } else { 19 };
        let full = Shape::full(1 << log_len, (1 << log_len) - 5);
        let (found, expected) =
            (product(&device, &Goldilocks, &full, 0), product(&Device::host(), &Goldilocks, &full, 0));
        assert!(found == expected, "{device:?}: {full}");
    }
}
