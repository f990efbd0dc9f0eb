//! The cases of the Walsh-Hadamard, Reed-Muller, arithmetic and Haar transforms under criterion, timed by each device's own
//! clock.
//!
//! `MANYCORE_BENCH_PROFILE` (`quick` by default, `standard`, `full`) chooses the cases and `MANYCORE_DEVICE` a device;
//! criterion's own filter picks among their names.

use std::time::Duration;

use clap::ValueEnum as _;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use manycore_benches::prepare::{Prepared, prepare};
use manycore_benches::walsh::Profile;
use manycore_benches::{runner, spectral};
use manycore_device::{DEVICE_VARIABLE, Device};

/// Times one case, which is set up when criterion's filter lets it run, and dropped before the next.
fn time(
    group: &mut BenchmarkGroup<'_, WallTime>,
    case: &str,
    elements: u64,
    obstacle: Option<String>,
    set_up: impl Fn() -> Box<dyn Prepared>,
) {
    if let Some(reason) = obstacle {
        eprintln!("{case} left out: {reason}");
        return;
    }
    group.throughput(Throughput::Elements(elements));
    group.bench_function(case, |bencher| {
        let mut work = set_up();
        assert!(work.check().expect("the device works").0, "{case}: wrong result");
        let most = work.most_repeats() as u64;
        bencher.iter_custom(|iterations| {
            let groups = (0..iterations).step_by(most as usize).map(|done| most.min(iterations - done));
            let seconds: f64 = groups.map(|n| work.group(n as usize).expect("the device works")).sum();
            Duration::from_secs_f64(seconds)
        });
    });
}

fn transforms(criterion: &mut Criterion) {
    let profile = std::env::var("MANYCORE_BENCH_PROFILE").ok();
    let profile = profile.map_or(Profile::Quick, |name| Profile::from_str(&name, true).expect("a profile's name"));
    let specs: Vec<String> = std::env::var(DEVICE_VARIABLE).into_iter().collect();
    let host_bytes = Device::host().info().memory_bytes;
    for plan in runner::plan(profile, &specs, None).expect("the device") {
        let (device, info) = (&plan.device, plan.device.info());
        let name = plan.threads.map_or(info.id.clone(), |threads| format!("host, threads: {threads}"));
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(500));
        for case in plan.cases {
            let set_up = || prepare(device, case).expect("enough memory");
            time(&mut group, &case.to_string(), case.len() as u64, case.obstacle(info, host_bytes), set_up);
        }
        for case in plan.spectral {
            let set_up = || spectral::prepare(device, case).expect("enough memory");
            time(&mut group, &case.to_string(), 1 << case.log_len, case.obstacle(info, host_bytes), set_up);
        }
        group.finish();
    }
}

criterion_group!(benches, transforms);
criterion_main!(benches);
