//! The cases of the Walsh-Hadamard transform under criterion, timed by each device's own clock.
//!
//! `MANYCORE_BENCH_PROFILE` (`quick` by default, `standard`, `full`) chooses the cases and `MANYCORE_DEVICE` a device;
//! criterion's own filter picks among their names.

use std::time::Duration;

use clap::ValueEnum as _;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use manycore_benches::prepare::prepare;
use manycore_benches::runner;
use manycore_benches::walsh::Profile;
use manycore_device::{DEVICE_VARIABLE, Device};

fn walsh(criterion: &mut Criterion) {
    let profile = std::env::var("MANYCORE_BENCH_PROFILE").ok();
    let profile = profile.map_or(Profile::Quick, |name| Profile::from_str(&name, true).expect("a profile's name"));
    let specs: Vec<String> = std::env::var(DEVICE_VARIABLE).into_iter().collect();
    let host_bytes = Device::host().info().memory_bytes;
    for plan in runner::plan(profile, &specs, None).expect("the device") {
        let info = plan.device.info();
        let name = plan.threads.map_or(info.id.clone(), |threads| format!("host, threads: {threads}"));
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(500));
        for case in plan.cases {
            if let Some(reason) = case.obstacle(info, host_bytes) {
                eprintln!("{case} left out: {reason}");
                continue;
            }
            group.throughput(Throughput::Elements(case.len() as u64));
            // Set up when criterion's filter lets the case run, and dropped before the next.
            group.bench_function(case.to_string(), |bencher| {
                let mut work = prepare(&plan.device, case).expect("enough memory");
                assert!(work.check().expect("the device works").0, "{case}: wrong result");
                let most = work.most_repeats() as u64;
                bencher.iter_custom(|iterations| {
                    let groups = (0..iterations).step_by(most as usize).map(|done| most.min(iterations - done));
                    let seconds: f64 = groups.map(|n| work.group(n as usize).expect("the device works")).sum();
                    Duration::from_secs_f64(seconds)
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, walsh);
criterion_main!(benches);
