//! Spectra of Boolean functions and whole tables of S-boxes under criterion, by each device's own clock.
//!
//! `MANYCORE_DEVICE` chooses one device instead of the host and every OpenCL device; criterion's own filter picks among
//! names such as `sbox opencl:0/linear/12`. Throughputs are of values and of table entries.

mod common;

use common::case;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use manycore_boolean::{Boolean, SBox, TruthTable};
use manycore_device::DeviceKind;

fn boolean(criterion: &mut Criterion) {
    for device in common::devices() {
        let context = Boolean::new(&device);
        let mut benches = common::cases(criterion, "boolean", &device);
        let sizes: &[u32] = if device.info().kind == DeviceKind::Gpu { &[16, 20, 24, 28] } else { &[16, 20] };
        for &n in sizes {
            let mixed = |x: u64| x.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).count_ones() % 2 == 1;
            let f = context.upload(&TruthTable::from_fn(n, mixed).expect("a function")).expect("memory");
            benches.throughput(Throughput::Elements(1 << n));
            case(&mut benches, BenchmarkId::new("walsh", n), &device, || context.walsh(&f));
            case(&mut benches, BenchmarkId::new("normal form", n), &device, || context.reed_muller(&f));
            let walsh = context.walsh(&f).expect("a spectrum");
            case(&mut benches, BenchmarkId::new("summary", n), &device, || context.walsh_summary(&walsh));
            case(&mut benches, BenchmarkId::new("histogram", n), &device, || context.histogram(&walsh));
            case(&mut benches, BenchmarkId::new("autocorrelation", n), &device, || context.autocorrelation(&walsh));
        }
    }
}

fn sbox(criterion: &mut Criterion) {
    for device in common::devices() {
        let context = Boolean::new(&device);
        let mut benches = common::cases(criterion, "sbox", &device);
        let sizes: &[u32] = if device.info().kind == DeviceKind::Gpu { &[8, 12, 14, 16] } else { &[8, 10] };
        for &bits in sizes {
            // Multiples of an odd number, with their upper bits added in: a permutation.
            let value = |x: u32| {
                let y = x.wrapping_mul(0x9e37_79b1) & ((1 << bits) - 1);
                (y ^ y >> (bits / 2 + 1)) as u16
            };
            let sbox = SBox::new(bits, (0..1 << bits).map(value).collect()).expect("an S-box");
            benches.throughput(Throughput::Elements(1 << (2 * bits)));
            case(&mut benches, BenchmarkId::new("linear", bits), &device, || context.linear_summary(&sbox));
            case(&mut benches, BenchmarkId::new("differences", bits), &device, || context.difference_summary(&sbox));
        }
    }
}

criterion_group!(benches, boolean, sbox);
criterion_main!(benches);
