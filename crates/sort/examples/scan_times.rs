//! Times prefix sums by each plan, sparse words, sorts in blocks and a sort past 2^32 keys, each checked: `cargo run --release -p
//! manycore-sort --example scan_times -- DEVICE [LOG2] [all]`.

use std::error::Error;
use std::time::Instant;

use manycore_device::Device;
use manycore_expressions::{Buffers, Columns, Elements, Function, Value};
use manycore_sort::{Fold, Lists, Scan, ScanPlan, SortOrder, Sorter, SparseSorter, sort_by_value};

type Failure = Box<dyn Error>;

/// One affine map after the other.
fn maps((a, b): (u32, u32), (c, d): (u32, u32)) -> (u32, u32) {
    (a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d))
}

/// An affine map that is written.
type Line = (Value<u32>, Value<u32>);

fn random(i: u64) -> u64 {
    let x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 27
}

/// The least wall-clock seconds of `turns` runs.
fn least<T>(device: &Device, turns: usize, mut work: impl FnMut() -> Result<T, Failure>) -> Result<f64, Failure> {
    let mut least = f64::INFINITY;
    for _ in 0..turns {
        device.finish()?;
        let start = Instant::now();
        drop(work()?);
        device.finish()?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(least)
}

fn scans<T: Elements>(
    device: &Device,
    name: &str,
    (sum, identity): (&Function<(T, T), T>, T),
    plain: fn(T, T) -> T,
    elements: &[T],
    shapes: &[(u32, u32)],
) -> Result<(), Failure> {
    let len = elements.len();
    let mut before = identity;
    let expected: Vec<T> = elements
        .iter()
        .map(|&element| {
            before = plain(before, element);
            before
        })
        .collect();
    let on_device = Buffers::upload(device, &Columns::from_elements(elements))?;
    let bytes: usize = on_device.memory().iter().map(|memory| memory.word().bytes()).sum();
    let shapes = shapes.iter().map(|&(group, per)| Some(ScanPlan::LookBack { group, per }));
    for plan in [None, Some(ScanPlan::Tiles)].into_iter().chain(shapes) {
        let fold = Fold::wrapping(device, sum, identity)?;
        let fold = if let Some(plan) = plan { fold.by(plan) } else { fold };
        println!("{len} {name} {plan:?} begins");
        let made = match fold.scan_on(&on_device, Scan::Inclusive) {
            Ok(made) => made.download()?.elements(),
            Err(error) => {
                println!("{len} {name} {plan:?}: {error}");
                continue;
            }
        };
        if made != expected {
            println!("{len} {name} {plan:?}: WRONG at {:?}", made.iter().zip(&expected).position(|(a, b)| a != b));
            continue;
        }
        let seconds = least(device, 8, || Ok(fold.scan_on(&on_device, Scan::Inclusive)?))?;
        println!(
            "{len} {name} {plan:?}: {:.3} ms, {:.2} TB/s",
            1e3 * seconds,
            (2 * len * bytes) as f64 / seconds / 1e12
        );
    }
    Ok(())
}

fn sparse(device: &Device, words: u64, ones: u64, width: u64) -> Result<(), Failure> {
    let (mut offsets, mut positions) = (vec![0], Vec::new());
    for word in 0..words {
        let mut own: Vec<u32> = (0..ones).map(|one| (random(word * ones + one) % width) as u32).collect();
        own.sort_unstable();
        own.dedup();
        positions.extend(own);
        offsets.push(positions.len());
    }
    let lists = Lists::new(&offsets, &positions, width as u32)?;
    let start = Instant::now();
    let expected = sort_by_value(&lists, SortOrder::Ascending);
    let host = start.elapsed().as_secs_f64();
    let sorter = SparseSorter::new(device)?;
    let is_same = sorter.sort_by_value(&lists, SortOrder::Ascending)? == expected;
    let seconds = least(device, 3, || Ok(sorter.sort_by_value(&lists, SortOrder::Ascending)?))?;
    println!(
        "{words} words of {ones} ones below {width}: host {:.1} ms, device {:.1} ms, same {is_same}, {} rounds",
        1e3 * host,
        1e3 * seconds,
        expected.rounds
    );
    Ok(())
}

/// Bytes past the places of 32 bits: what a counting of them gives.
fn past_places(device: &Device, len: usize) -> Result<(), Failure> {
    let keys: Vec<u8> = (0..len as u64).map(|i| (i ^ i >> 13).wrapping_mul(0x9d) as u8).collect();
    let mut counts = [0usize; 256];
    for &key in &keys {
        counts[key as usize] += 1;
    }
    let mut on_device = device.upload(&keys)?;
    drop(keys);
    device.finish()?;
    let start = Instant::now();
    Sorter::new(device).sort(&mut on_device, SortOrder::Ascending)?;
    device.finish()?;
    let seconds = start.elapsed().as_secs_f64();
    let sorted = on_device.download()?;
    let mut found = [0usize; 256];
    for &key in &sorted {
        found[key as usize] += 1;
    }
    println!("{len} u8: {:.1} ms, right {}", 1e3 * seconds, sorted.is_sorted() && found == counts);
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let device = Device::select(&arguments.next().unwrap_or_else(|| "host".to_owned()))?;
    let log: u32 = arguments.next().map_or(Ok(24), |text| text.parse())?;
    let is_all = arguments.next().is_some();
    println!("{}", device.info());
    for log in [10, 16, 20, log] {
        println!("2^{log} elements");
        of_size(&device, log)?;
    }
    println!("sparse words");
    sparse(&device, 10_000, 20, 1_000_000)?;
    sparse(&device, 1_000_000, 20, 1_000_000)?;
    sparse(&device, 1_000_000, 4, 64)?;
    let len = if is_all { 100_000_000 } else { 1_000_000 };
    let keys: Vec<u32> = (0..len as u64).map(|i| random(i) as u32).collect();
    for memory_bytes in [u64::MAX, len as u64 * 4, len as u64] {
        let mut sorted = keys.clone();
        let start = Instant::now();
        Sorter::new(&device).memory_bytes(memory_bytes).sort(&mut sorted, SortOrder::Ascending)?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{len} u32 of the host in {memory_bytes} bytes: {:.1} ms, {}", 1e3 * seconds, sorted.is_sorted());
    }
    if is_all {
        past_places(&device, (1 << 31) + 12_345)?;
        past_places(&device, (1 << 32) + 12_345)?;
    }
    Ok(())
}

/// Prefix sums of `2^log` elements.
fn of_size(device: &Device, log: u32) -> Result<(), Failure> {
    let words: Vec<u32> = (0..1u64 << log).map(|i| random(i) as u32).collect();
    let from = device.upload(&words)?;
    let mut to = device.scratch::<u32>(words.len())?;
    let seconds = least(device, 8, || Ok(to.copy_from(&from)?))?;
    println!("copy: {:.3} ms, {:.2} TB/s", 1e3 * seconds, (8 * words.len()) as f64 / seconds / 1e12);
    drop((from, to));
    let sum = Function::new(|(a, b): (Value<u32>, Value<u32>)| a + b)?;
    let shapes =
        [(128, 16), (128, 32), (256, 8), (256, 16), (256, 24), (256, 32), (512, 8), (512, 16), (512, 20), (1024, 8)];
    scans(device, "u32", (&sum, 0u32), u32::wrapping_add, &words, &shapes)?;
    let half = &words[..words.len() / 2];
    let sum = Function::new(|(a, b): (Value<u64>, Value<u64>)| a + b)?;
    let longs: Vec<u64> = half.iter().map(|&word| u64::from(word) << 20).collect();
    scans(device, "u64", (&sum, 0u64), u64::wrapping_add, &longs, &[(256, 8), (256, 16), (512, 8)])?;
    let then = Function::new(|((a, b), (c, d)): (Line, Line)| (a * c, b * c + d))?;
    let lines: Vec<(u32, u32)> = half.iter().map(|&word| (word | 1, word >> 3)).collect();
    scans(device, "affine maps", (&then, (1u32, 0u32)), maps, &lines, &[(256, 8), (256, 16), (512, 8)])?;
    Ok(())
}
