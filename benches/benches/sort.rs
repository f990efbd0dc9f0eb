//! Stable sorts of numbers under criterion, by each device's own clock: the keys are copied to their place before each sort, which
//! counts, as sorted keys take one reading alone.
//!
//! `MANYCORE_DEVICE` chooses one device instead of the host and every OpenCL device; criterion's own filter picks among
//! names such as `sort opencl:0/u32/1000000`. Throughputs are of keys. The standard library's stable sort is beside the host's.

mod common;

use common::case;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use manycore_device::{Device, DeviceKind, Executor};
use manycore_sort::{Key, SortError, SortOrder, Sorter};

/// Numbers without a pattern.
fn number(i: u64) -> u64 {
    let x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn keys<K: Key>(criterion: &mut Criterion, device: &Device, name: &str, key: impl Fn(u64) -> K) {
    let sorter = Sorter::new(device);
    let sizes: &[usize] =
        if device.info().kind == DeviceKind::Gpu { &[1 << 12, 1_000_000, 100_000_000] } else { &[1 << 12, 1_000_000] };
    let mut benches = common::cases(criterion, "sort", device);
    for &len in sizes {
        let drawn: Vec<K> = (0..len as u64).map(&key).collect();
        let unsorted = device.upload(&drawn).expect("memory");
        let mut sorted = device.scratch::<K>(len).expect("memory");
        let mut places = device.zeros::<u32>(len).expect("memory");
        benches.throughput(Throughput::Elements(len as u64));
        case(&mut benches, BenchmarkId::new(name, len), device, || {
            sorted.copy_from(&unsorted)?;
            sorter.sort(&mut sorted, SortOrder::Ascending)
        });
        case(&mut benches, BenchmarkId::new(format!("{name} with values"), len), device, || {
            sorted.copy_from(&unsorted)?;
            sorter.sort_pairs(&mut sorted, &mut places, SortOrder::Ascending)
        });
    }
}

fn standard(criterion: &mut Criterion, device: &Device) {
    let mut benches = common::cases(criterion, "sort", device);
    for len in [1 << 12, 1_000_000] {
        let drawn: Vec<u32> = (0..len).map(|i| number(i) as u32).collect();
        let mut sorted = drawn.clone();
        benches.throughput(Throughput::Elements(len));
        case(&mut benches, BenchmarkId::new("u32 by the standard library", len), device, || {
            sorted.copy_from_slice(&drawn);
            sorted.sort_unstable();
            Ok::<(), SortError>(())
        });
    }
}

/// Table 4.1 of paper 002: as many keys as their range, with their places; the classical counting sort, and the one by groups that
/// works within a cache, by one thread and by all threads of the device; and beside them the radix sort of keys with places.
fn counting(criterion: &mut Criterion, device: &Device) {
    let Executor::Host(pool) = device.executor() else { return };
    let sorter = Sorter::new(device);
    let mut benches = common::cases(criterion, "sort counting", device);
    for len in [1_000_000u32, 10_000_000, 100_000_000] {
        let keys: Vec<u32> = (0..len).map(|i| (((number(i.into()) >> 32) * u64::from(len)) >> 32) as u32).collect();
        benches.throughput(Throughput::Elements(len.into()));
        case(&mut benches, BenchmarkId::new("classical", len), device, || {
            manycore_sort::counting::sort(&keys, len.into())
        });
        for groups in [1 << 8, 1 << 10, 1 << 14] {
            case(&mut benches, BenchmarkId::new(format!("by {groups} groups"), len), device, || {
                manycore_sort::counting::sort_by_groups(&keys, len.into(), groups)
            });
            case(&mut benches, BenchmarkId::new(format!("by {groups} groups, all threads"), len), device, || {
                manycore_sort::counting::sort_by_groups_on(pool.team(), &keys, len.into(), groups)
            });
        }
        case(&mut benches, BenchmarkId::new("all threads", len), device, || {
            manycore_sort::counting::sort_on(pool.team(), &keys, len.into())
        });
        case(&mut benches, BenchmarkId::new("radix sort of keys with places", len), device, || {
            sorter.argsort(&keys, SortOrder::Ascending)
        });
    }
}

fn sort(criterion: &mut Criterion) {
    for device in common::devices() {
        keys(criterion, &device, "u32", |i| number(i) as u32);
        keys(criterion, &device, "u64", number);
        keys(criterion, &device, "f32", |i| (number(i) as i32) as f32);
        if device.info().kind == DeviceKind::Host {
            standard(criterion, &device);
            counting(criterion, &device);
        }
    }
}

criterion_group!(benches, sort);
criterion_main!(benches);
