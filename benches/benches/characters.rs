//! Character tables under criterion, by each device's own clock, with a fill of the same bytes beside.
//!
//! `MANYCORE_DEVICE` chooses one device instead of the host and every OpenCL device; criterion's own filter picks among
//! names such as `characters opencl:0/direct/3^8`. Throughputs are of the bytes written, which is the floor's traffic.

mod common;

use common::case;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use manycore_characters::{AbelianGroup, Characters, Complexes, Construction, Tile};

/// The groups of the paper and others: `n` to the power `m`.
const POWERS: [(u64, usize); 6] = [(3, 4), (3, 6), (3, 7), (3, 8), (2, 12), (5, 5)];

fn characters(criterion: &mut Criterion) {
    for device in common::devices() {
        let mut benches = common::cases(criterion, "characters", &device);
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
                    context.table_into(&group, &Complexes::<f32>::new(), &tile, &mut table).map(drop)
                });
            }
        }
    }
}

criterion_group!(benches, characters);
criterion_main!(benches);
