//! Longest paths between all pairs under criterion, by each device's own clock: the graphs of paper 004, tables 2 to 4 (a chain, each
//! other pair of nodes with a chance of one half, names at random), sparse ones, and closures of dense graphs.
//!
//! `MANYCORE_DEVICE` chooses one device instead of the host and every OpenCL device; criterion's own filter picks among
//! names such as `maxplus-star opencl:0/paper/1000`. Throughputs are of pairs of nodes. The time holds the order of the nodes, the
//! arcs to the device, and the result from it.

mod common;

use common::case;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use manycore_device::{Device, DeviceKind};
use manycore_maxplus::{Graph, MaxPlus, StarAlgorithm, StarOptions};

/// Numbers without a pattern.
fn number(i: u64) -> u64 {
    let x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// A chain, and of 256 other pairs `share` on average.
fn acyclic(nodes: usize, share: u64) -> Graph<i32> {
    let mut names: Vec<u32> = (0..nodes as u32).collect();
    for i in (1..nodes).rev() {
        names.swap(i, (number(i as u64) >> 16) as usize % (i + 1));
    }
    let mut arcs = Vec::new();
    for to in 1..nodes {
        for from in 0..to {
            let drawn = number((to * nodes + from) as u64) >> 20;
            if from + 1 == to || drawn % 256 < share {
                arcs.push((names[from], names[to], (drawn >> 8) as i32 % 1000));
            }
        }
    }
    Graph::from_arcs(nodes, &arcs).expect("arcs between nodes")
}

/// All arcs, none of them positive.
fn dense(nodes: usize) -> Graph<i32> {
    let pairs = (0..nodes as u32).flat_map(|to| (0..nodes as u32).map(move |from| (from, to)));
    let arcs =
        pairs.map(|(from, to)| (from, to, -((number(u64::from(to) << 32 | u64::from(from)) >> 40) as i32 % 1000)));
    Graph::from_arcs(nodes, &arcs.collect::<Vec<_>>()).expect("arcs between nodes")
}

fn stars(criterion: &mut Criterion, device: &Device) {
    let is_gpu = device.info().kind == DeviceKind::Gpu;
    let sizes: &[usize] = if is_gpu { &[1000, 4000, 10_000] } else { &[1000] };
    let max_plus = MaxPlus::<i32>::new(device);
    let mut benches = common::cases(criterion, "maxplus-star", device);
    for &nodes in sizes {
        benches.throughput(Throughput::Elements((nodes * nodes) as u64));
        for (name, graph) in [("paper", acyclic(nodes, 128)), ("sparse", acyclic(nodes, 1))] {
            let what = |algorithm: &str| BenchmarkId::new(format!("{name}{algorithm}"), nodes);
            case(&mut benches, what(""), device, || max_plus.star(&graph));
            for algorithm in [StarAlgorithm::Pull, StarAlgorithm::Substitution] {
                let options = StarOptions::new().algorithm(algorithm);
                case(&mut benches, what(&format!(", {algorithm}")), device, || max_plus.star_with(&graph, &options));
            }
        }
        if nodes <= 4000 {
            let graph = dense(nodes);
            case(&mut benches, BenchmarkId::new("closure", nodes), device, || max_plus.star(&graph));
        }
    }
}

fn maxplus(criterion: &mut Criterion) {
    for device in common::devices() {
        stars(criterion, &device);
    }
}

criterion_group!(benches, maxplus);
criterion_main!(benches);
