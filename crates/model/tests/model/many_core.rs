//! The abstract model against the corrected specification, and its theorem against greedy schedules.

#![allow(clippy::float_cmp)] // the expected numbers are exact

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use manycore_model::machine::MachineError;
use manycore_model::{Blocks, Cost, DoesNotFit, Kernel, ManyCore, Program, ProgramError};
use proptest::prelude::*;

fn kernel(name: &str, count: u64, threads: u32, span: u64, work: u64, reads: u64, writes: u64) -> Kernel {
    Kernel::new(name, threads).blocks(Blocks { count, span, work: work.into(), reads, writes })
}

/// The three kernels of the specification's example.
fn example() -> Program {
    let mut program = Program::new();
    let first = program.push(kernel("K1", 3, 8, 5, 40, 2, 1), &[]).unwrap();
    let second = program.push(kernel("K2", 2, 4, 7, 20, 1, 1), &[first]).unwrap();
    program.push(kernel("K3", 1, 1, 2, 2, 0, 1), &[first, second]).unwrap();
    program
}

#[test]
fn the_worked_example() {
    let machine = ManyCore::new(2, 1024, 4.0).unwrap();
    let cost = example().cost(&machine).unwrap();
    assert_eq!((cost.work, cost.span, cost.blocks, cost.chain), (162, 14, 6, 3));
    assert_eq!((cost.overhead_cycles, cost.largest_block_cycles), (56.0, 17.0));
    assert_eq!([1, 2, 4].map(|p| cost.bound_cycles(p)), [153.0, 102.0, 76.5]);
    let shape = example().shape();
    assert_eq!((shape.kernels, shape.threads, shape.parallel_blocks, shape.parallel_steps), (3, 8, 3, 3));
    let mut tiled = example();
    tiled.queue(kernel("K4", 1, 1, 2, 2, 0, 1).local_words(100)).unwrap();
    assert_eq!((shape.local_words, tiled.shape().local_words), (0, 100));
}

#[test]
fn overhead_counts_each_kernel_once() {
    // The diamond of which all antichains would give 150.
    let one = |name: &str, words| kernel(name, 1, 1, 0, 0, words, 0);
    let kernels = vec![one("a", 10), one("b", 20), one("c", 30), one("d", 40)];
    let program = Program::from_graph(kernels, &[(0, 1), (0, 2), (1, 3), (2, 3)]).unwrap();
    assert_eq!(program.cost(&ManyCore::new(1, 64, 1.0).unwrap()).unwrap().overhead_cycles, 100.0);
}

#[test]
fn the_chain_counts_kernels_not_dependencies() {
    let mut program = Program::new();
    program.push(kernel("only", 1, 1, 1, 1, 0, 0), &[]).unwrap();
    let cost = program.cost(&ManyCore::new(2, 64, 1.0).unwrap()).unwrap();
    // One block takes C: a chain of 0 would allow C/2.
    assert_eq!(cost.bound_cycles(2), 1.5);
    assert_eq!(cost.sharper_bound_cycles(2), 1.0);
}

#[test]
fn serialised_transfers_need_their_own_bound() {
    let mut program = Program::new();
    program.push(kernel("moves", 3, 1, 0, 0, 1, 0), &[]).unwrap();
    let cost = program.cost(&ManyCore::new(3, 64, 5.0).unwrap()).unwrap();
    // One after the other they take 15 cycles, more than theorem 1 allows for transfers side by side.
    assert_eq!(cost.bound_cycles(3), 10.0);
    assert_eq!(cost.serialised_bound_cycles(3), 15.0);
}

#[test]
fn nothing_costs_nothing() {
    let cost = Program::new().cost(&ManyCore::new(7, 1, 1.0).unwrap()).unwrap();
    assert_eq!(cost, Cost::ZERO);
    assert_eq!(cost.bound_cycles(7), 0.0);
    assert_eq!(Program::new().shape(), manycore_model::Shape::default());
    assert_eq!(Cost::ZERO.parallelism(), 1.0);
}

#[test]
fn blocks_of_one_kernel_may_differ() {
    let even = Blocks::even(2, 4, 3, 1, 1);
    let mixed = Kernel::new("mixed", 4).blocks(even).blocks(Blocks { count: 1, span: 1, work: 2, reads: 5, writes: 0 });
    let cost = Cost::of(&mixed, &ManyCore::new(1, 64, 10.0).unwrap()).unwrap();
    assert_eq!((cost.work, cost.span, cost.blocks), (26, 3, 3));
    // S is the longest, O the sum, C the largest of S(B) + O(B): that of the third block.
    assert_eq!((cost.overhead_cycles, cost.largest_block_cycles), (90.0, 51.0));
}

#[test]
fn bad_programs_are_refused_by_name() {
    let good = || kernel("good", 1, 2, 1, 2, 0, 0);
    let mut program = Program::new();
    let id = program.push(good(), &[]).unwrap();
    let refused = |kernel: Kernel| Program::new().push(kernel, &[]).unwrap_err();
    assert_eq!(refused(Kernel::new("empty", 1)), ProgramError::NoBlocks { kernel: "empty".into() });
    assert_eq!(refused(kernel("none", 0, 1, 1, 1, 0, 0)), ProgramError::NoBlocks { kernel: "none".into() });
    assert_eq!(refused(kernel("idle", 1, 0, 0, 0, 0, 0)), ProgramError::NoThreads { kernel: "idle".into() });
    for (span, work) in [(5, 4), (5, 11)] {
        let error = refused(kernel("w", 1, 2, span, work, 0, 0));
        assert_eq!(error, ProgramError::Work { kernel: "w".into(), span, work: work.into(), threads: 2 });
    }
    assert_eq!(Program::new().push(good(), &[id]).unwrap_err(), ProgramError::Unknown { index: 0, kernels: 0 });
    let cycle = Program::from_graph(vec![good(), good(), good()], &[(0, 1), (1, 2), (2, 1)]).unwrap_err();
    assert_eq!(cycle, ProgramError::Cycle { kernel: "good".into() });
    let unknown = Program::from_graph(vec![good()], &[(0, 1)]).unwrap_err();
    assert_eq!(unknown, ProgramError::Unknown { index: 1, kernels: 1 });
    assert!(Program::from_graph(vec![good()], &[(0, 0)]).is_err());
    let parameter = |parameter| ProgramError::Parameter { kernel: "good".into(), parameter };
    assert_eq!(refused(good().word_bytes(0)), parameter("word_bytes"));
    assert_eq!(refused(good().segment_bytes(0)), parameter("segment_bytes"));
    assert_eq!(refused(good().write_segment_bytes(0)), parameter("segment_bytes"));
    // What no program takes has no cost by itself either.
    let machine = ManyCore::new(1, 64, 1.0).unwrap();
    let error = Cost::of(&Kernel::new("empty", 1), &machine).unwrap_err();
    assert_eq!(error, ProgramError::NoBlocks { kernel: "empty".into() }.into());
    assert!(Cost::of(&kernel("w", 1, 2, 5, 11, 0, 0), &machine).is_err());
}

/// A kernel that only waits behind a cycle is not on it.
#[test]
fn a_cycle_is_told_by_a_kernel_on_it() {
    let named = |name: &str| kernel(name, 1, 1, 1, 1, 0, 0);
    let told = |edges: &[(usize, usize)]| {
        let kernels = ["a", "b", "c", "d"].map(named).to_vec();
        match Program::from_graph(kernels, edges) {
            Err(ProgramError::Cycle { kernel }) => kernel,
            other => panic!("{other:?}"),
        }
    };
    assert!(["b", "c"].contains(&told(&[(1, 2), (2, 1), (1, 0), (0, 3)]).as_str()));
    assert_eq!(told(&[(3, 3), (3, 0), (0, 1), (1, 2)]), "d");
    assert!(["a", "b", "c"].contains(&told(&[(0, 1), (1, 2), (2, 0), (3, 0)]).as_str()));
}

#[test]
fn no_processors_end_never() {
    let cost = example().cost(&ManyCore::new(2, 1024, 4.0).unwrap()).unwrap();
    let idle = Cost::of(&kernel("idle", 1, 1, 0, 0, 0, 0), &ManyCore::new(1, 1, 1.0).unwrap()).unwrap();
    for cost in [cost, idle] {
        assert_eq!(cost.bound_cycles(0), f64::INFINITY);
        assert_eq!(cost.sharper_bound_cycles(0), f64::INFINITY);
        assert_eq!(cost.serialised_bound_cycles(0), f64::INFINITY);
    }
    assert_eq!(Cost::ZERO.bound_cycles(0), 0.0);
}

/// Work past 2^64 is counted, not cut off.
#[test]
fn work_of_many_threads_is_exact() {
    let long = Kernel::new("long", 1024).blocks(Blocks::even(1, 1024, 1 << 60, 0, 0));
    assert_eq!(long.work(), Some(1 << 70));
    assert_eq!(Cost::of(&long, &ManyCore::new(1, 1024, 1.0).unwrap()).unwrap().work, 1 << 70);
}

/// A queue, and what follows programs side by side.
#[test]
fn a_queue_waits_for_everything_before() {
    let one = || kernel("k", 1, 1, 1, 1, 0, 0);
    let mut program = Program::new();
    for _ in 0..1 << 14 {
        program.queue(one()).unwrap();
    }
    assert_eq!(program.shape().parallel_steps, 1 << 14);
    let mut fork = Program::new();
    let root = fork.push(one(), &[]).unwrap();
    let left = fork.push(one(), &[root]).unwrap();
    fork.push(one(), &[root, root]).unwrap();
    let mut both = fork.clone().beside(fork.clone()).then(Program::new());
    both.queue(one()).unwrap();
    assert_eq!(both.levels(), [1, 2, 2, 1, 2, 2, 3]);
    let mut after = Program::new().then(fork).then(both);
    after.push(one(), &[left]).unwrap();
    after.queue(one()).unwrap();
    assert_eq!(after.levels(), [1, 2, 2, 3, 4, 4, 3, 4, 4, 5, 3, 6]);
}

#[test]
fn what_does_not_fit_is_refused_with_the_numbers() {
    let machine = ManyCore::new(1, 8, 1.0).unwrap();
    let cost = |kernel: Kernel| Cost::of(&kernel, &machine);
    let wide = kernel("wide", 1, 9, 1, 9, 0, 0);
    assert_eq!(cost(wide).unwrap_err(), DoesNotFit::Threads { kernel: "wide".into(), threads: 9, limit: 8 });
    let large = kernel("large", 1, 8, 1, 8, 0, 0);
    assert!(cost(large.clone().local_words(8)).is_ok());
    let error = cost(large.local_words(9)).unwrap_err();
    assert_eq!(error, DoesNotFit::LocalMemory { kernel: "large".into(), words: 9, limit: 8 });
    let huge = kernel("huge", u64::MAX, 1, u64::MAX, u64::MAX, 0, 0);
    let cost = cost(huge).unwrap();
    assert_eq!(cost.work, u128::from(u64::MAX) * u128::from(u64::MAX));
    assert_eq!(cost.then(cost).unwrap_err(), DoesNotFit::Overflow { quantity: "operations" });
    assert_eq!(cost.times(2).unwrap_err(), DoesNotFit::Overflow { quantity: "operations" });
}

#[test]
fn bad_machines_are_refused() {
    let zero = |p: &'static str| MachineError::Zero { parameter: p };
    assert_eq!(ManyCore::new(0, 1, 1.0).unwrap_err(), zero("processors"));
    assert_eq!(ManyCore::new(1, 0, 1.0).unwrap_err(), zero("local_words"));
    for value in [f64::NAN, -1.0, f64::INFINITY] {
        assert!(matches!(
            ManyCore::new(1, 1, value),
            Err(MachineError::NotPositive { parameter: "transfer_cycles", .. })
        ));
    }
}

/// What a block does: its span, and the words that it reads and writes.
type Block = (u64, u64, u64);

/// A random graph: for each kernel its blocks, and dependencies on earlier kernels.
fn graphs() -> impl Strategy<Value = (Vec<Vec<Block>>, Vec<(usize, usize)>)> {
    prop::collection::vec(prop::collection::vec((1u64..20, 0u64..4, 0u64..4), 1..9), 1..8).prop_flat_map(|kernels| {
        let n = kernels.len();
        let pairs: Vec<(usize, usize)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
        let edges = prop::sample::subsequence(pairs.clone(), 0..=pairs.len());
        (Just(kernels), edges)
    })
}

fn program_of(kernels: &[Vec<Block>], edges: &[(usize, usize)]) -> Program {
    let kernels = kernels.iter().enumerate().map(|(i, blocks)| {
        blocks.iter().fold(Kernel::new(format!("k{i}"), 1), |kernel, &(span, reads, writes)| {
            kernel.blocks(Blocks { count: 1, span, work: span.into(), reads, writes })
        })
    });
    Program::from_graph(kernels.collect(), edges).unwrap()
}

/// Whether blocks transfer side by side, or one after the other while their processors wait.
#[derive(Clone, Copy, PartialEq)]
enum Transfers {
    Beside,
    Serialised,
}

/// The time of a greedy schedule of single blocks on `p` processors, which move a word in `u` cycles, that takes ready blocks
/// in the order of `pick`.
fn greedy(
    (kernels, edges): (&[Vec<Block>], &[(usize, usize)]),
    (p, u, transfers): (usize, u64, Transfers),
    pick: impl Fn(u64, usize) -> usize,
) -> u64 {
    let mut waits: Vec<usize> = (0..kernels.len()).map(|k| edges.iter().filter(|edge| edge.1 == k).count()).collect();
    let mut left: Vec<usize> = kernels.iter().map(Vec::len).collect();
    let blocks = |k: usize| kernels[k].iter().map(move |&(span, reads, writes)| (k, span, (reads + writes) * u));
    let mut ready: Vec<(usize, u64, u64)> = (0..kernels.len()).filter(|&k| waits[k] == 0).flat_map(blocks).collect();
    let mut running = BinaryHeap::new();
    let (mut now, mut turn, mut free) = (0, 0, 0);
    loop {
        while running.len() < p && !ready.is_empty() {
            let (k, span, transfer) = ready.swap_remove(pick(turn, ready.len()));
            turn += 1;
            let start = if transfers == Transfers::Serialised { now.max(free) } else { now };
            free = start + transfer;
            running.push(Reverse((start + transfer + span, k)));
        }
        let Some(Reverse((end, k))) = running.pop() else { return now };
        now = end;
        left[k] -= 1;
        if left[k] == 0 {
            for &(_, next) in edges.iter().filter(|edge| edge.0 == k) {
                waits[next] -= 1;
                if waits[next] == 0 {
                    ready.extend(blocks(next));
                }
            }
        }
    }
}

/// The kernels of the longest path that ends with kernel `k`.
fn longest(k: usize, edges: &[(usize, usize)]) -> u64 {
    1 + edges.iter().filter(|edge| edge.1 == k).map(|edge| longest(edge.0, edges)).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_greedy_schedule_exceeds_the_bounds(
        (kernels, edges) in graphs(), p in 1u32..9, u in 0u32..6, salt in any::<u64>()
    ) {
        let cost = program_of(&kernels, &edges).cost(&ManyCore::new(p, 64, u.into()).unwrap()).unwrap();
        let pick = |turn: u64, n: usize| {
            (turn.wrapping_add(salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize % n
        };
        let schedule =
            |transfers| greedy((&kernels, &edges), (p as usize, u.into(), transfers), pick) as f64;
        let time = schedule(Transfers::Beside);
        prop_assert!(time <= cost.sharper_bound_cycles(p) + 1e-9);
        prop_assert!(cost.sharper_bound_cycles(p) <= cost.bound_cycles(p));
        // And no schedule beats the work's and the span's laws.
        prop_assert!(time >= cost.span as f64 && time >= (cost.work as f64 + cost.overhead_cycles) / f64::from(p) - 1e-9);
        // With transfers one after the other, which no schedule ends before.
        let serialised = schedule(Transfers::Serialised);
        prop_assert!(serialised <= cost.serialised_bound_cycles(p) + 1e-9);
        prop_assert!(serialised >= cost.overhead_cycles);
    }

    #[test]
    fn composition_is_that_of_the_graphs((a, a_edges) in graphs(), (b, b_edges) in graphs(), n in 0u64..5) {
        let machine = ManyCore::new(3, 64, 2.0).unwrap();
        let (first, second) = (program_of(&a, &a_edges), program_of(&b, &b_edges));
        let cost = |program: &Program| program.cost(&machine).unwrap();
        let (one, two) = (cost(&first), cost(&second));
        prop_assert_eq!(cost(&first.clone().then(second.clone())), one.then(two).unwrap());
        prop_assert_eq!(cost(&first.clone().beside(second)), one.beside(two).unwrap());
        let repeated = (0..n).fold(Program::new(), |all, _| all.then(first.clone()));
        prop_assert_eq!(cost(&repeated), one.times(n).unwrap());
    }

    #[test]
    fn levels_are_longest_paths((kernels, edges) in graphs()) {
        let program = program_of(&kernels, &edges);
        let slow: Vec<u64> = (0..kernels.len()).map(|k| longest(k, &edges)).collect();
        prop_assert_eq!(program.levels(), slow);
    }
}
