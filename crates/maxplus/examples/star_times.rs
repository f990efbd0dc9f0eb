//! Times of stars by every algorithm on a device, each compared with another one: `star_times [DEVICE] [NODES]...`. Where there are
//! several GPUs, `star_times gpus [NODES]...` shares the columns among all of them.
//!
//! Graphs are those of the paper's Tables 2 to 4: a chain, each other pair with a chance of 1/2, names at random.

use std::time::Instant;

use manycore_device::{Device, DeviceKind, DeviceSet, Kind};
use manycore_maxplus::{Graph, MaxPlus, PushShape, Star, StarAlgorithm, StarOptions};

/// Numbers without a pattern (`SplitMix64`: Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The paper's graph: weights of 0 to 999; the arcs between places of a drawn order.
fn paper(n: usize) -> Vec<(u32, u32, i32)> {
    let mut random = Random(n as u64);
    let mut names: Vec<u32> = (0..n as u32).collect();
    for i in (1..n).rev() {
        names.swap(i, (random.next() % (i as u64 + 1)) as usize);
    }
    let mut arcs = Vec::new();
    for to in 1..n {
        for from in 0..to {
            let drawn = random.next();
            if from + 1 == to || drawn & 1 == 1 {
                arcs.push((names[from], names[to], (drawn >> 40) as i32 % 1000));
            }
        }
    }
    arcs
}

/// A dense graph without positive circuits.
fn dense(n: usize) -> Vec<(u32, u32, i32)> {
    let mut random = Random(n as u64);
    let pairs = (0..n as u32).flat_map(|to| (0..n as u32).map(move |from| (from, to)));
    pairs.map(|(from, to)| (from, to, -((random.next() >> 40) as i32 % 1000))).collect()
}

fn times(
    device: &Device,
    what: &str,
    graph: &Graph<i32>,
    algorithms: &[StarAlgorithm],
    repeats: usize,
) -> Option<Star<i32>> {
    let max_plus = MaxPlus::new(device);
    let mut first: Option<Star<i32>> = None;
    for &algorithm in algorithms {
        let options = StarOptions::new().algorithm(algorithm);
        for turn in 0..repeats {
            let start = Instant::now();
            let (star, profile) = match device.profile(|| max_plus.star_with(graph, &options)) {
                Ok((Ok(star), profile)) => (star, profile),
                Ok((Err(error), _)) => {
                    println!("{what} {algorithm:?}: {error}");
                    break;
                }
                Err(error) => {
                    println!("{what} {algorithm:?}: {error}");
                    break;
                }
            };
            let seconds = start.elapsed().as_secs_f64();
            let is_same = first.as_ref().is_none_or(|first| *first == star);
            let first_star = first.is_none();
            println!(
                "{what} n={} {algorithm:?} turn {turn}: kernels {:.3} ms, in all {:.1} ms, {}",
                graph.nodes(),
                profile.seconds(Kind::Kernel) * 1e3,
                seconds * 1e3,
                if first_star {
                    "first"
                } else if is_same {
                    "same"
                } else {
                    "DIFFERS"
                }
            );
            if turn + 1 == repeats && !matches!(algorithm, StarAlgorithm::Push(_)) {
                let mut sums = std::collections::BTreeMap::<&str, (usize, f64)>::new();
                for entry in &profile.entries {
                    let sum = sums.entry(entry.name).or_default();
                    (sum.0, sum.1) = (sum.0 + 1, sum.1 + entry.seconds);
                }
                for (name, (count, seconds)) in sums {
                    println!("    {name}: {count} times, {:.3} ms", seconds * 1e3);
                }
            }
            if first_star {
                first = Some(star);
            }
        }
    }
    first
}

/// The columns of a star on one GPU and on all of them.
fn shared(sizes: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let gpus: Vec<Device> = Device::all().into_iter().filter(|device| device.info().kind == DeviceKind::Gpu).collect();
    for n in sizes {
        let n = n.parse()?;
        let graph = Graph::from_arcs(n, &paper(n))?;
        let options = StarOptions::new().algorithm(StarAlgorithm::Substitution);
        let mut first: Option<Star<i32>> = None;
        for count in 1..=gpus.len() {
            let set = DeviceSet::equal(gpus[..count].to_vec())?;
            for turn in 0..2 {
                let start = Instant::now();
                let star = MaxPlus::star_on(&set, &graph, &options)?;
                let seconds = start.elapsed().as_secs_f64();
                let is_same = first.as_ref().is_none_or(|first| *first == star);
                println!(
                    "n={n} on {count} GPUs, turn {turn}: {seconds:.3} s, {}",
                    if is_same { "same" } else { "DIFFERS" }
                );
                first.get_or_insert(star);
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|word| word == "gpus") {
        return shared(&arguments[1..]);
    }
    let device = Device::select(arguments.first().map_or("auto", String::as_str))?;
    let sizes: Vec<usize> = arguments.iter().skip(1).filter_map(|word| word.parse().ok()).collect();
    println!("{}", device.info().label());
    let shapes =
        [PushShape { rows: 1, columns: 256 }, PushShape { rows: 4, columns: 64 }, PushShape { rows: 8, columns: 64 }];
    for &n in &sizes {
        let graph = Graph::from_arcs(n, &paper(n))?;
        let mut algorithms = vec![StarAlgorithm::Auto, StarAlgorithm::Substitution];
        if n <= 4096 {
            algorithms.extend([StarAlgorithm::Pull, StarAlgorithm::Closure]);
            algorithms.extend(shapes.map(StarAlgorithm::Push));
        }
        let choice = MaxPlus::<i32>::new(&device).explain(&graph, 0..n, &StarOptions::new())?;
        for candidate in choice.candidates() {
            println!("{}: estimated {:.3} ms", candidate.parameters, candidate.estimate.seconds * 1e3);
        }
        let star = times(&device, "acyclic", &graph, &algorithms, 2);
        if n <= 2000
            && let Some(star) = star
        {
            println!("host is the same: {}", MaxPlus::new(&Device::host()).star(&graph)? == star);
        }
        if n <= 4096 {
            let graph = Graph::from_arcs(n, &dense(n))?;
            let star = times(&device, "dense", &graph, &[StarAlgorithm::Closure], 2);
            if let Some(star) = star.filter(|_| n <= 2000) {
                println!("host is the same: {}", MaxPlus::new(&Device::host()).star(&graph)? == star);
            }
        }
    }
    Ok(())
}
