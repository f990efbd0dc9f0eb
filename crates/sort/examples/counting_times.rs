//! Table 4.1 of paper 002, as many keys as their range: times of counting sorts by one thread and by all, and of a radix sort of keys with
//! places: `cargo run --release -p manycore-sort --example counting_times -- [KEYS]`.

use std::error::Error;
use std::time::Instant;

use manycore_device::{Device, Executor, Team};
use manycore_sort::{SortError, SortOrder, Sorter, counting};

/// The least of three times, in seconds.
fn least<T>(mut work: impl FnMut() -> Result<T, SortError>) -> Result<f64, SortError> {
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        let result = work()?;
        least = least.min(start.elapsed().as_secs_f64());
        drop(result);
    }
    Ok(least)
}

fn main() -> Result<(), Box<dyn Error>> {
    let len: u32 = std::env::args().nth(1).map_or(Ok(100_000_000), |text| text.parse())?;
    let device = Device::host();
    let Executor::Host(pool) = device.executor() else { return Ok(()) };
    let random = |i: u32| {
        let x = (u64::from(i) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
    };
    let keys: Vec<u32> = (0..len).map(|i| ((random(i) * u64::from(len)) >> 32) as u32).collect();
    let range = u64::from(len);
    let tell = |name: &str, seconds: f64| println!("{len} keys, {name}: {:.1} ms", 1e3 * seconds);
    let classical = counting::sort(&keys, range)?;
    tell("classical", least(|| counting::sort(&keys, range))?);
    for groups in [1 << 8, 1 << 10, 1 << 14] {
        tell(&format!("{groups} groups"), least(|| counting::sort_by_groups(&keys, range, groups))?);
    }
    for (threads, team) in [("one thread", Team::ALONE), ("all threads", pool.team())] {
        assert!(counting::sort_on(team, &keys, range)? == classical);
        tell(&format!("in shares, {threads}"), least(|| counting::sort_on(team, &keys, range))?);
        for groups in [1 << 8, 1 << 10, 1 << 14] {
            let seconds = least(|| counting::sort_by_groups_on(team, &keys, range, groups))?;
            tell(&format!("{groups} groups in shares, {threads}"), seconds);
        }
    }
    let sorter = Sorter::new(&device);
    tell("radix sort of keys with places", least(|| sorter.argsort(&keys, SortOrder::Ascending))?);
    Ok(())
}
