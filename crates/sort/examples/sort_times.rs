//! Times sorts beside the standard library's: `cargo run --release -p manycore-sort --example sort_times -- [DEVICE] [LOG2]`.

use std::error::Error;
use std::time::Instant;

use manycore_device::Device;
use manycore_sort::{SortOrder, Sorter};

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let device = Device::select(&arguments.next().unwrap_or_else(|| "host".to_owned()))?;
    let len: usize = arguments.next().map_or(Ok(100_000_000), |text| text.parse())?;
    let sorter = Sorter::new(&device);
    let random = |i: usize| {
        (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    let kinds: [(&str, &dyn Fn(usize) -> u32); 5] = [
        ("below the number of keys", &|i| (((random(i) >> 32) * len as u64) >> 32) as u32),
        ("random", &|i| (random(i) >> 32) as u32),
        ("few", &|i| (random(i) >> 62) as u32 * 1_000_000_007),
        ("sorted", &|i| i as u32),
        ("reversed", &|i| (len - i) as u32),
    ];
    for (name, key) in kinds {
        let keys: Vec<u32> = (0..len).map(key).collect();
        let of_device = device.upload(&keys)?;
        let mut times = Vec::new();
        for _ in 0..3 {
            let mut sorted = device.scratch::<u32>(len)?;
            sorted.copy_from(&of_device)?;
            device.finish()?;
            let start = Instant::now();
            sorter.sort(&mut sorted, SortOrder::Ascending)?;
            device.finish()?;
            times.push(start.elapsed().as_secs_f64());
            let sorted = sorted.download()?;
            assert!(sorted.is_sorted());
        }
        let mut pairs = Vec::new();
        for _ in 0..3 {
            let mut sorted = device.scratch::<u32>(len)?;
            sorted.copy_from(&of_device)?;
            let mut values = device.upload(&(0..len as u32).collect::<Vec<_>>())?;
            device.finish()?;
            let start = Instant::now();
            sorter.sort_pairs(&mut sorted, &mut values, SortOrder::Ascending)?;
            device.finish()?;
            pairs.push(start.elapsed().as_secs_f64());
        }
        println!("{len} u32 {name}: {:.3} ms, with values {:.3} ms", 1e3 * median(times), 1e3 * median(pairs));
    }
    let keys: Vec<u64> = (0..len).map(random).collect();
    let of_device = device.upload(&keys)?;
    let mut times = Vec::new();
    for _ in 0..3 {
        let mut sorted = device.scratch::<u64>(len)?;
        sorted.copy_from(&of_device)?;
        device.finish()?;
        let start = Instant::now();
        sorter.sort(&mut sorted, SortOrder::Ascending)?;
        device.finish()?;
        times.push(start.elapsed().as_secs_f64());
    }
    println!("{len} u64 random: {:.3} ms", 1e3 * median(times));
    Ok(())
}
