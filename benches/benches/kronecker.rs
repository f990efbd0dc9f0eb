//! Kronecker transforms under criterion, by each device's own clock, with a copy of the same bytes beside.
//!
//! `MANYCORE_DEVICE` chooses one device instead of the host and every OpenCL device; criterion's own filter picks among
//! names such as `kronecker opencl:0/i32/h12 x walsh^16`. Throughputs are of the bytes of the data, read and written once,
//! which is the traffic of one pass and the floor's.

mod common;

use common::{Cases, case};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use manycore_kronecker::{Complexes, Integers, Kronecker, PrimeField, Reals, Values, parse};

fn transforms<V: Values>(benches: &mut Cases<'_>, context: &Kronecker, (values, ring): (&V, &str), texts: &[&str]) {
    let device = context.device();
    for text in texts {
        let product = parse(values, text).expect("a product").wrapping();
        let words = product.order() * V::WORDS;
        // Zeros: what they are does not change the work.
        let mut data = device.zeros::<V::Word>(words).expect("the vector's memory");
        let mut other = device.scratch::<V::Word>(words).expect("another one");
        benches.throughput(Throughput::Bytes(2 * size_of::<V::Word>() as u64 * words as u64));
        case(benches, BenchmarkId::new(format!("copy {ring}"), text), device, || other.copy_from(&data));
        let transform = context.transform(&product, 1).expect("a plan");
        case(benches, BenchmarkId::new(ring, text), device, || transform.run(&mut data));
    }
}

fn kronecker(criterion: &mut Criterion) {
    for device in common::devices() {
        let mut benches = common::cases(criterion, "kronecker", &device);
        let context = Kronecker::new(&device);
        let integers = ["walsh^12", "walsh^18", "h12 x walsh^16", "h28 x walsh^14", "walsh^6 x id^6 x arith^6"];
        transforms(&mut benches, &context, (&Integers::<i32>::new(), "i32"), &integers);
        transforms(&mut benches, &context, (&Reals::<f32>::new(), "f32"), &["walsh^18", "h20 x walsh^15"]);
        transforms(&mut benches, &context, (&Complexes::<f32>::new(), "complex f32"), &["dft3^11", "dft5^6 x dft2^3"]);
        let field = PrimeField::<u32>::new(469_762_049).expect("a prime");
        transforms(&mut benches, &context, (&field, "mod 469762049"), &["walsh^18"]);
    }
}

criterion_group!(benches, kronecker);
criterion_main!(benches);
