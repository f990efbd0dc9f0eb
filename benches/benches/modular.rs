//! Number-theoretic transforms and products of polynomials on OpenCL devices under criterion, timed by each device's clock.
//! The host's cases are timed in turns with other codes, by `manycore-bench`.
//!
//! `MANYCORE_BENCH_PROFILE` (`quick` by default, `standard`, `full`) chooses the cases and `MANYCORE_DEVICE` a device;
//! criterion's own filter picks among their names.

use std::time::Duration;

use clap::ValueEnum as _;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use manycore_benches::modular::device::prepare;
use manycore_benches::runner;
use manycore_benches::walsh::Profile;
use manycore_device::DEVICE_VARIABLE;

fn modular(criterion: &mut Criterion) {
    let profile = std::env::var("MANYCORE_BENCH_PROFILE").ok();
    let profile = profile.map_or(Profile::Quick, |name| Profile::from_str(&name, true).expect("a profile's name"));
    let specs: Vec<String> = std::env::var(DEVICE_VARIABLE).into_iter().collect();
    for plan in runner::plan(profile, &specs, Some("/device/")).expect("the device") {
        let mut group = criterion.benchmark_group(plan.device.info().id.clone());
        group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(500));
        for case in plan.on_device {
            group.throughput(Throughput::Elements(case.len() as u64));
            // Set up when criterion's filter lets the case run, and dropped before the next.
            group.bench_function(case.to_string(), |bencher| {
                let (mut work, _) = prepare(&plan.device, &case).expect("enough memory");
                assert!(work.check().expect("the device works").0, "{case}: wrong result");
                bencher.iter_custom(|iterations| {
                    Duration::from_secs_f64(work.group(iterations as usize).expect("the device works"))
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, modular);
criterion_main!(benches);
