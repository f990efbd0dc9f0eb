//! The machine of a sweep: several calibrations with the threads in the same places, as one.

use anyhow::Result;
use manycore_device::{CalibrateError, Device, DeviceKind};
use manycore_model::fit::median;
use manycore_model::machine::{Rates, SegmentRate};
use manycore_model::{Machine, Operation};

use super::settled::Settled;

/// The device's machine, measured now; after as many refusals the one that is kept.
///
/// Of a processor, which others may hold up for seconds, several calibrations are one: of each rate the highest but one counts,
/// since what is higher still may have been measured while the threads were elsewhere for a moment. Threads of the host are awake
/// between launches, so that the least launch counts, and what is no rate is that of the fastest machine but one; those of OpenCL
/// are as often asleep as a calibration finds them, so that the machine in the middle counts. Only calibrations with the threads
/// in the same places count, at their beginning and end, those that most of them had.
pub(super) fn calibrated(device: &Device) -> Result<(Machine, Settled)> {
    const TIMES: usize = 4;
    let wanted = if device.info().kind == DeviceKind::Gpu { 1 } else { TIMES };
    let mut all: Vec<(Machine, Settled)> = Vec::new();
    // The last of those that most agree with: where the threads most likely still are.
    let most_agreed = |all: &[(Machine, Settled)]| {
        let agreeing = |settled: &Settled| all.iter().filter(|(_, other)| other.agrees(settled)).count();
        all.iter().map(|(_, settled)| (agreeing(settled), settled.clone())).max_by_key(|(count, _)| *count)
    };
    for _ in 0..2 * TIMES {
        let before = Settled::now(device);
        match device.measure_machine() {
            Ok(machine) => {
                let after = Settled::now(device);
                // One that began elsewhere may have been there for a part.
                if before.agrees(&after) {
                    all.push((machine, after));
                }
            }
            Err(CalibrateError::Noisy { .. } | CalibrateError::Moved { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        if all.len() >= wanted && most_agreed(&all).is_some_and(|(count, _)| count >= wanted.min(2)) {
            break;
        }
    }
    let Some((_, settled)) = most_agreed(&all) else {
        return Ok((device.machine(), Settled::now(device)));
    };
    all.retain(|(_, other)| other.agrees(&settled));
    let found: Vec<Machine> = all.into_iter().map(|(machine, _)| machine).collect();
    let awake = device.info().kind == DeviceKind::Host;
    // Threads of OpenCL are now lucky, now not: the one in the middle, by what their nearest cache moves.
    let rate = |machine: &Machine| {
        let nearest = machine.caches.first().map_or(machine.bandwidth, |cache| cache.rate);
        if awake { machine.rate(Operation::F32) * machine.bandwidth } else { nearest }
    };
    let mut order: Vec<&Machine> = found.iter().collect();
    order.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
    let Some(&best) = order.get(if awake { lucky(order.len()) } else { order.len() / 2 }) else {
        return Ok((device.machine(), settled));
    };
    let usual = |part: fn(&Machine) -> f64| {
        let least = found.iter().map(part).fold(f64::INFINITY, f64::min);
        if awake { least } else { median(found.iter().map(part).collect()).unwrap_or(least) }
    };
    let middle = |part: fn(&Machine) -> f64| median(found.iter().map(part).collect()).unwrap_or(part(best));
    let most = |part: fn(&Machine) -> f64| high(found.iter().map(part).collect());
    let rates = Rates {
        int32: most(|machine| machine.rates.int32),
        int64: most(|machine| machine.rates.int64),
        f32: most(|machine| machine.rates.f32),
        f64: most(|machine| machine.rates.f64),
        scalar: best.rates.scalar.map(|_| most(|machine| machine.rates.scalar.unwrap_or(0.0))),
    };
    let (launch_seconds, round_trip_seconds) =
        (usual(|machine| machine.launch_seconds), usual(|machine| machine.round_trip_seconds));
    let segments = best.segments.iter().enumerate().map(|(i, segment)| {
        let rates = found.iter().filter_map(|machine| machine.segments.get(i)).filter(|of| of.bytes == segment.bytes);
        SegmentRate { rate: high(rates.map(|of| of.rate).collect()), ..*segment }
    });
    let bandwidth = most(|machine| machine.bandwidth);
    let caches = best.caches.iter().copied().filter(|cache| cache.rate > bandwidth).collect();
    let machine = Machine {
        rates,
        caches,
        lone_speedup: middle(|machine| machine.lone_speedup),
        launch_seconds,
        waking_seconds: best.waking_seconds.map(|_| middle(|machine| machine.waking_seconds.unwrap_or(0.0))),
        round_trip_seconds,
        bandwidth,
        handover_bandwidth: best.handover_bandwidth.map(|_| most(|machine| machine.handover_bandwidth.unwrap_or(0.0))),
        processor_bandwidth: most(|machine| machine.processor_bandwidth),
        local_bandwidth: most(|machine| machine.local_bandwidth),
        overlap_alone: middle(|machine| machine.overlap_alone),
        overlap_shared: middle(|machine| machine.overlap_shared),
        segments: segments.collect(),
        ..best.clone()
    };
    Ok((machine, settled))
}

/// How many of so many calibrations are too good to be taken.
fn lucky(calibrations: usize) -> usize {
    usize::from(calibrations > 2)
}

/// The highest rate that counts; 0 of none.
fn high(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(|a, b| b.total_cmp(a));
    rates.get(lucky(rates.len())).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_of_several_rates_is_lucky() {
        let told = [vec![1.0, 4.0, 3.0, 2.0], vec![1.0, 2.0], vec![5.0], Vec::new()].map(high);
        assert_eq!(told.map(f64::to_bits), [3.0, 2.0, 5.0, 0.0].map(f64::to_bits));
    }
}
