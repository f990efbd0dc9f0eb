//! Fourier transforms on groups under criterion, by each device's own clock, with a copy of the same bytes beside.
//!
//! `MANYCORE_DEVICE` chooses one device instead of the host and every OpenCL device; criterion's own filter picks among
//! names such as `fourier opencl:0/complex f32/2^20`. Throughputs are of the bytes read and written once, which is the floor's
//! traffic.

mod common;

use common::{Cases, case};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use manycore_device::DeviceError;
use manycore_field::PrimeField;
use manycore_fourier::{AbelianGroup, Complexes, Fourier, FourierError, Numbers, Residues};

/// Names, factors and numbers of functions: long and short cyclic groups, smooth and prime, products, batches.
const CASES: [(&str, &[u64], usize); 8] = [
    ("4096", &[4096], 1),
    ("2^16", &[1 << 16], 1),
    ("2^20", &[1 << 20], 1),
    ("10^6", &[1_000_000], 1),
    ("100003", &[100_003], 1),
    ("C_3^10", &[3; 10], 1),
    ("C_30 x C_7 x C_11 x C_13", &[30, 7, 11, 13], 1),
    ("4096, 256 of them", &[4096], 256),
];

/// One kind of numbers on one device; groups whose roots the numbers have not are left out.
fn kind<N: Numbers>(benches: &mut Cases<'_>, context: &Fourier, numbers: &N) {
    let device = context.device();
    for (name, factors, count) in CASES {
        let group = AbelianGroup::new(factors).expect("a group");
        let words = group.order() as usize * count * N::WORDS;
        // Zeros stay zeros: the values of repeated transforms would grow past all bounds.
        let mut data = device.zeros::<N::Word>(words).expect("memory");
        match context.forward(&group, numbers, &mut data) {
            Err(FourierError::NoRoot(_) | FourierError::Device(DeviceError::Unsupported { .. })) => continue,
            other => drop(other.expect("a transform")),
        }
        let mut copy = device.zeros::<N::Word>(words).expect("memory");
        benches.throughput(Throughput::Bytes((2 * words * size_of::<N::Word>()) as u64));
        case(benches, BenchmarkId::new([&numbers.name(), " copy"].concat(), name), device, || copy.copy_from(&data));
        case(benches, BenchmarkId::new(numbers.name(), name), device, || {
            context.forward(&group, numbers, &mut data).map(drop)
        });
    }
}

fn fourier(criterion: &mut Criterion) {
    for device in common::devices() {
        let mut benches = common::cases(criterion, "fourier", &device);
        let context = Fourier::new(&device);
        kind(&mut benches, &context, &Complexes::<f32>::new());
        kind(&mut benches, &context, &Complexes::<f64>::new());
        kind(&mut benches, &context, &Residues::new(PrimeField::<u32>::new(469_762_049).expect("a prime")));
    }
}

criterion_group!(benches, fourier);
criterion_main!(benches);
