//! Generalized products of matrices under criterion, by each device's own clock.
//!
//! `MANYCORE_DEVICE` chooses one device instead of the host and every OpenCL device; criterion's own filter picks among
//! names such as `semiring opencl:0/max-plus i32/1024`. Throughputs are of products of two entries.

mod common;

use common::case;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use manycore_device::{Device, DeviceKind};
use manycore_expressions::{Elements, Function, Value};
use manycore_semiring::{DeviceMatrix, Matrix, Products, Semiring, SemiringError};

/// One semiring, on square matrices of numbers without a pattern.
fn product<T: Elements>(
    criterion: &mut Criterion,
    device: &Device,
    name: &str,
    semiring: Result<Semiring<T, T, T>, SemiringError>,
    number: impl Fn(u64) -> T,
) {
    let (semiring, products) = (semiring.expect("a semiring"), Products::new(device));
    let sizes: &[u64] = if device.info().kind == DeviceKind::Gpu { &[256, 1024, 4096] } else { &[64, 256, 512] };
    let mut benches = common::cases(criterion, "semiring", device);
    for &n in sizes {
        let drawn = |seed: u64| -> DeviceMatrix<T> {
            let entry = |i: u64| number((i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) >> 45);
            let entries: Vec<T> = (0..n * n).map(entry).collect();
            products.upload(&Matrix::stored(n, n, &entries).expect("n^2 entries")).expect("memory")
        };
        let (a, b) = (drawn(1), drawn(n * n));
        benches.throughput(Throughput::Elements(n * n * n));
        case(&mut benches, BenchmarkId::new(name, n), device, || products.multiply(&semiring, &a, &b));
    }
}

fn semiring(criterion: &mut Criterion) {
    type V = Value<f32>;
    for device in common::devices() {
        product::<i32>(criterion, &device, "max-plus i32", Semiring::wrapping_max_plus(), |x| x as i32);
        product::<f32>(criterion, &device, "max-plus f32", Semiring::max_plus(), |x| x as f32);
        product::<f32>(criterion, &device, "plus-times f32", Semiring::plus_times(), |x| x as f32);
        product::<i16>(criterion, &device, "min-plus i16", Semiring::wrapping_min_plus(), |x| x as i16);
        product::<u32>(criterion, &device, "or-and u32", Semiring::or_and(), |x| x as u32);
        // An operator that a user wrote.
        let distance = Function::new(|(a, b): (V, V)| (a - b).abs()).expect("a function");
        let sum = Function::new(|(a, b): (V, V)| a + b).expect("a function");
        product::<f32>(criterion, &device, "distance f32", Semiring::new(distance, sum, 0.0), |x| x as f32);
    }
}

criterion_group!(benches, semiring);
criterion_main!(benches);
