//! Character tables under criterion, by each device's own clock, with a fill of the same bytes beside.
//!
//! `MANYCORE_DEVICE` chooses one device instead of the host and every OpenCL device; criterion's own filter picks among
//! names such as `characters opencl:0/direct/3^8`. Throughputs are of the bytes written, which is the floor's traffic.

use std::time::Duration;

use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use manycore_characters::{AbelianGroup, Characters, Complex, Construction, Tile};
use manycore_device::{DEVICE_VARIABLE, Device, DeviceError};

/// The groups of the paper and others: `n` to the power `m`.
const POWERS: [(u64, usize); 6] = [(3, 4), (3, 6), (3, 7), (3, 8), (2, 12), (5, 5)];

/// Times `work` by the device's clock.
fn case<M: criterion::measurement::Measurement<Value = Duration>, E: From<DeviceError> + std::fmt::Debug>(
    group: &mut BenchmarkGroup<'_, M>,
    id: BenchmarkId,
    device: &Device,
    mut work: impl FnMut() -> Result<(), E>,
) {
    group.bench_function(id, |bencher| {
        bencher.iter_custom(|turns| {
            let (outcome, seconds) = device.elapsed(|| (0..turns).try_for_each(|_| work())).expect("the device");
            outcome.expect("a table");
            Duration::from_secs_f64(seconds)
        });
    });
}

fn characters(criterion: &mut Criterion) {
    let devices = match std::env::var(DEVICE_VARIABLE) {
        Ok(spec) => vec![Device::select(&spec).expect("the device")],
        Err(_) => Device::all(),
    };
    for device in devices {
        let mut benches = criterion.benchmark_group(["characters", device.info().id.as_str()].join(" "));
        benches.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(500));
        let context = Characters::new(&device);
        for (n, count) in POWERS {
            let (group, name) = (AbelianGroup::power(n, count).expect("a group"), format!("{n}^{count}"));
            let entries = (group.order() * group.order()) as usize;
            let mut table = device.scratch::<f32>(2 * entries).expect("the table's memory");
            benches.throughput(Throughput::Bytes(8 * entries as u64));
            case(&mut benches, BenchmarkId::new("fill", &name), &device, || table.fill(0.0));
            for construction in Construction::ALL {
                let tile = Tile::whole().by(construction);
                case(&mut benches, BenchmarkId::new(construction.name(), &name), &device, || {
                    context.table_into(&group, &Complex::<f32>::new(), &tile, &mut table).map(drop)
                });
            }
        }
    }
}

criterion_group!(benches, characters);
criterion_main!(benches);
