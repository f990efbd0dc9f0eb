//! Times sorts by every plan that the planner has for a device: `cargo run --release -p manycore-sort --example sort_plans -- DEVICE
//! [KEYS]`.

use std::error::Error;
use std::time::Instant;

use manycore_device::Device;
use manycore_sort::{Key, SortOrder, SortPlan, Sorter};

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn random(i: u64) -> u64 {
    let x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 27
}

/// Seconds of a sort as a user waits for it, with its keys on the device: the median of three after one that builds the programs.
fn seconds<K: Key>(
    device: &Device,
    keys: &[K],
    with_values: bool,
    plan: Option<SortPlan>,
) -> Result<f64, Box<dyn Error>> {
    let sorter = plan.map_or_else(|| Sorter::new(device), |plan| Sorter::new(device).by(plan));
    let unsorted = device.upload(keys)?;
    let (mut sorted, mut values) = (device.scratch::<K>(keys.len())?, device.zeros::<u32>(keys.len())?);
    let mut times = Vec::new();
    for turn in 0..4 {
        sorted.copy_from(&unsorted)?;
        device.finish()?;
        let start = Instant::now();
        if with_values {
            sorter.sort_pairs(&mut sorted, &mut values, SortOrder::Ascending)?;
        } else {
            sorter.sort(&mut sorted, SortOrder::Ascending)?;
        }
        device.finish()?;
        if turn > 0 {
            times.push(start.elapsed().as_secs_f64());
        }
    }
    Ok(median(times))
}

fn table<K: Key>(device: &Device, name: &str, len: usize, key: impl Fn(u64) -> K) -> Result<(), Box<dyn Error>> {
    let keys: Vec<K> = (0..len as u64).map(key).collect();
    for with_values in [false, true] {
        let kind = if with_values { " with values" } else { "" };
        println!("{len} {name}{kind}: {:.1} us", 1e6 * seconds(device, &keys, with_values, None)?);
        let choice = Sorter::new(device).explain::<K, u32>(len, with_values)?;
        for candidate in choice.candidates() {
            let plan = candidate.parameters;
            let measured = seconds(device, &keys, with_values, Some(plan))?;
            println!("    {plan}: {:.1} us, estimate {:.1}", 1e6 * measured, 1e6 * candidate.estimate.seconds);
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let device = Device::select(&arguments.next().unwrap_or_else(|| "host".to_owned()))?;
    let len: usize = arguments.next().map_or(Ok(100_000_000), |text| text.parse())?;
    println!("{}", device.info());
    table(&device, "u32", len, |i| random(i) as u32)?;
    table(&device, "u64", len, random)
}
