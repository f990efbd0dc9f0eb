//! Seconds of programs on machines of round numbers.

use manycore_model::machine::{MachineError, SegmentPart};
use manycore_model::{Blocks, Bound, DoesNotFit, Kernel, Machine, Operation, Program};
use proptest::prelude::*;

use super::{machine, seconds};

#[test]
fn what_cores_hand_over_takes_longer_than_what_they_have() {
    let (threads, words) = (1, Blocks::even(10, 1, 0, 20, 30));
    let mut alone = Machine { block_threads: threads, processor_threads: threads, ..machine() };
    let at = |machine: &Machine, kernel: &Kernel| {
        let mut program = Program::new();
        program.push(kernel.clone(), &[]).unwrap();
        machine.predict(&program).unwrap().seconds
    };
    // 2000 bytes, in a cache of 4000 bytes a second.
    let cached = Kernel::new("moves", 1).blocks(words).footprint_bytes(2000);
    assert_eq!(at(&alone, &cached), 1.0 + 0.5);
    alone.handover_bandwidth = Some(2000.0);
    let handing = alone.checked().unwrap();
    // Nine of ten bytes come from other cores.
    assert_eq!(at(&handing, &cached), 1.0 + 0.5 + 0.9 * 0.5);
    // A step within the launch before it goes on with what its processor has.
    assert_eq!(at(&handing, &cached.clone().fused()), 0.5);
    assert_eq!(
        at(&handing, &cached.clone().owner_computes()),
        at(&Machine { handover_bandwidth: None, ..handing.clone() }, &cached)
    );
    // Nobody hands tables over: 2000 bytes of them are moved besides, in the cache with the others.
    let with_tables = cached.clone().table_words(500).footprint_bytes(4000);
    assert_eq!((with_tables.traffic_bytes(), with_tables.table_bytes()), (2000, 2000));
    assert_eq!(at(&handing, &with_tables), 1.0 + 2.0 * 0.5 + 0.9 * 0.5);
    // Not of one block, nor from memory, nor slower than they are without it.
    let one = Kernel::new("moves", 1).blocks(Blocks::even(1, 1, 0, 20, 30)).footprint_bytes(2000);
    assert_eq!(at(&handing, &one), at(&Machine { handover_bandwidth: None, ..handing.clone() }, &one));
    assert_eq!(at(&handing, &cached.clone().footprint_bytes(4097)), 3.0);
    assert_eq!(at(&Machine { handover_bandwidth: Some(1e6), ..handing.clone() }, &cached), 1.5);
    let bad = Machine { handover_bandwidth: Some(0.0), ..handing }.checked();
    assert!(matches!(bad, Err(MachineError::NotPositive { parameter: "handover_bandwidth", .. })));
}

#[test]
fn processors_wait_for_what_others_wrote_or_read() {
    let mut host = Machine { block_threads: 1, processor_threads: 1, ..machine() };
    (host.handover_seconds, host.takeover_bandwidth) = (Some(0.25), Some(1000.0));
    let host = host.checked().unwrap();
    let at = |kernel: Kernel| {
        let mut program = Program::new();
        program.push(kernel, &[]).unwrap();
        host.predict(&program).unwrap().seconds
    };
    // 2000 bytes, in a cache of 4000 bytes a second.
    let of = |blocks: u64| {
        Kernel::new("moves", 1).blocks(Blocks::even(blocks, 1, 0, 20, 30)).traffic_words(500).footprint_bytes(2000)
    };
    assert_eq!(at(of(10)), 1.0 + 0.5);
    // Handovers of several steps add up.
    assert_eq!(at(of(10).handovers(2).handovers(1)), 1.0 + 0.5 + 0.75);
    // 400 bytes are taken over while the rest goes on, 2000 are not.
    assert_eq!(at(of(10).taken_over(100)), 1.0 + 0.5);
    assert_eq!(at(of(10).taken_over(500)), 1.0 + 2.0);
    // Memory knows no copies, and a lone processor waits for nobody.
    assert_eq!(at(of(10).footprint_bytes(4097).taken_over(1000)), 1.0 + 2.0);
    assert_eq!(at(of(1).taken_over(500).handovers(3)), at(of(1)));
    for (parameter, bad) in [
        ("handover_seconds", Machine { handover_seconds: Some(f64::NAN), ..host.clone() }),
        ("takeover_bandwidth", Machine { takeover_bandwidth: Some(-1.0), ..host.clone() }),
    ] {
        assert!(matches!(bad.checked(), Err(MachineError::NotPositive { parameter: found, .. }) if found == parameter));
    }
}

#[test]
fn few_processors_go_at_the_speed_of_those_alone() {
    let mut host = Machine { block_threads: 1, processor_threads: 1, ..machine() };
    host.lone_speedup = 2.0;
    let host = host.checked().unwrap();
    let at = |machine: &Machine, blocks: u64| {
        let mut program = Program::new();
        program.push(Kernel::new("computes", 1).blocks(Blocks::even(blocks, 1, 600, 0, 0)).fused(), &[]).unwrap();
        machine.predict(&program).unwrap().seconds
    };
    let even = Machine { lone_speedup: 1.0, ..host.clone() };
    // Up to half of the ten processors are twice as fast, then all together do as much as ten.
    for (blocks, times) in [(1, 2.0), (5, 2.0), (8, 1.25), (10, 1.0), (11, 2.0 / 1.5), (20, 1.0)] {
        let (alone, all) = (at(&host, blocks), at(&even, blocks));
        assert!((all / alone - times).abs() < 1e-9, "{blocks} blocks: {all} and {alone}");
    }
    for bad in [0.5, f64::NAN, f64::INFINITY] {
        let bad = Machine { lone_speedup: bad, ..host.clone() }.checked();
        assert!(matches!(bad, Err(MachineError::NotPositive { parameter: "lone_speedup", .. })));
    }
}

#[test]
fn each_resource_has_its_time() {
    // 10 blocks of 10 threads: 100 threads; 4 bytes a word.
    let moves = Kernel::new("moves", 10).blocks(Blocks::even(10, 10, 0, 2, 3));
    assert_eq!(seconds(moves.clone()), 1.0 + 2000.0 / 1000.0);
    assert_eq!(seconds(moves.clone().segment_bytes(32)), 1.0 + 4.0);
    assert_eq!(seconds(moves.clone().segment_bytes(48)), 1.0 + 2000.0 / 625.0);
    assert_eq!(seconds(moves.clone().segment_bytes(16)), 1.0 + 8.0);
    assert_eq!(seconds(moves.clone().segment_bytes(4096)), 3.0);
    assert_eq!(seconds(moves.clone().footprint_bytes(4096)), 1.5);
    assert_eq!(seconds(moves.clone().footprint_bytes(4097)), 3.0);
    assert_eq!(seconds(moves.clone().traffic_words(250)), 2.0);
    // Short runs in a cache: the memory's part, or their own.
    let cached = moves.clone().footprint_bytes(4096).segment_bytes(32);
    assert_eq!(seconds(cached.clone()), 1.0 + 1.0);
    let mut program = Program::new();
    program.push(cached, &[]).unwrap();
    let own = Machine { cached_segments: vec![SegmentPart { bytes: 64, part: 1.0 }], ..machine() };
    assert_eq!(own.predict(&program).unwrap().seconds, 1.0 + 1.0);
    let own = Machine { cached_segments: vec![SegmentPart { bytes: 16, part: 0.8 }], ..machine() };
    assert_eq!(own.predict(&program).unwrap().seconds, 1.0 + 0.5);
    let own = Machine { cached_segments: vec![SegmentPart { bytes: 32, part: 0.8 }], ..machine() };
    assert_eq!(own.predict(&program).unwrap().seconds, 1.0 + 0.625);
    let adds = Kernel::new("adds", 10).blocks(Blocks::even(10, 10, 4, 0, 0));
    assert_eq!(seconds(adds.clone()), 1.0 + 4.0);
    // Eleven blocks on ten processors take as long as twenty.
    assert_eq!(seconds(Kernel::new("adds", 10).blocks(Blocks::even(11, 10, 4, 0, 0))), 1.0 + 8.0);
    // 20000 bytes of local memory hide behind 4 seconds of arithmetic, 60000 do not.
    assert_eq!(seconds(adds.clone().local_accesses(50)), 1.0 + 4.0);
    assert_eq!(seconds(adds.local_accesses(150)), 1.0 + 6.0);
    // Words of 8 bytes have a rate of their own, and as many bytes a second as those of 4 without it.
    let wide = Kernel::new("wide", 10).blocks(Blocks::even(10, 10, 4, 0, 0)).word_bytes(8).local_accesses(150);
    assert_eq!(seconds(wide.clone()), 1.0 + 12.0);
    let mut program = Program::new();
    program.push(wide, &[]).unwrap();
    let measured = Machine { local_bandwidth_8_bytes: Some(24_000.0), ..machine() };
    assert_eq!(measured.predict(&program).unwrap().seconds, 1.0 + 5.0);
    // Three of five words are written, in short runs: 800 bytes at the whole rate, 1200 at half of it.
    assert_eq!(seconds(moves.write_segment_bytes(32)), 1.0 + 0.8 + 2.4);
}

#[test]
fn shared_processors_hide_the_shorter_part() {
    let both = |count| Kernel::new("both", 10).blocks(Blocks::even(count, 10, 4, 2, 3));
    // Alone on its processor, half of a transfer half as long as the arithmetic is exposed; two blocks on each hide it all.
    assert_eq!(seconds(both(10)), 1.0 + 4.0 + 2.0 * 0.5);
    assert_eq!(seconds(both(20)), 1.0 + 8.0);
    // Local memory for one block at a time keeps them alone.
    assert_eq!(seconds(both(20).local_words((1 << 12) - 1)), 1.0 + 8.0 + 4.0 * 0.5);
}

#[test]
fn cores_move_what_their_nearest_cache_has() {
    let both = Kernel::new("both", 10).blocks(Blocks::even(10, 10, 4, 2, 3));
    let at = |machine: Machine, kernel: &Kernel| {
        let mut program = Program::new();
        program.push(kernel.clone(), &[]).unwrap();
        machine.predict(&program).unwrap().seconds
    };
    let cpu = Machine { processor_registers: 0, ..machine() };
    // From memory a quarter of what is exposed elsewhere, the rest comes ahead; from the cache all of it.
    assert_eq!(at(cpu.clone(), &both), 1.0 + 4.0 + 2.0 * 0.5 / 4.0);
    let near = both.clone().footprint_bytes(4096);
    assert_eq!(at(cpu.clone(), &near), at(machine(), &near));
    assert_eq!(at(Machine { caches: Vec::new(), ..cpu.clone() }, &both), at(machine(), &both));
    // Threads of the host are no loops.
    let host = Machine { block_threads: 1, processor_threads: 1, ..cpu };
    let alone = Kernel::new("alone", 1).blocks(Blocks::even(10, 1, 4, 20, 30));
    assert_eq!(at(host.clone(), &alone), at(Machine { caches: Vec::new(), ..host }, &alone));
}

#[test]
fn bounds_are_named() {
    let bound = |kernel: Kernel| {
        let mut program = Program::new();
        program.push(kernel, &[]).unwrap();
        machine().predict(&program).unwrap().bound()
    };
    let blocks = |operations, reads| Kernel::new("k", 10).blocks(Blocks::even(10, 10, operations, reads, 0));
    assert_eq!(bound(blocks(0, 0)), Bound::Launch);
    assert_eq!(bound(blocks(1, 9)), Bound::Memory);
    assert_eq!(bound(blocks(9, 1)), Bound::Arithmetic);
    assert_eq!(bound(blocks(1, 1).local_accesses(1000)), Bound::LocalMemory);
}

#[test]
fn what_the_machine_lacks_is_refused() {
    let predict = |kernel: Kernel| {
        let mut program = Program::new();
        program.push(kernel, &[]).unwrap();
        machine().predict(&program).unwrap_err()
    };
    let blocks = |threads| Kernel::new("k", threads).blocks(Blocks::even(1, threads, 1, 0, 0));
    assert!(matches!(predict(blocks(65)), DoesNotFit::Threads { threads: 65, limit: 64, .. }));
    assert!(matches!(predict(blocks(1).local_words(4097)), DoesNotFit::LocalMemory { words: 4097, limit: 4096, .. }));
    assert_eq!(predict(blocks(1).operation(Operation::F64)).to_string(), "kernel k: the machine has no f64 arithmetic");
}

#[test]
fn bad_numbers_are_no_machine() {
    let wrong = |change: fn(&mut Machine)| {
        let mut machine = machine();
        change(&mut machine);
        machine.checked().unwrap_err()
    };
    assert_eq!(wrong(|m| m.processors = 0), MachineError::Zero { parameter: "processors" });
    assert_eq!(wrong(|m| m.bandwidth = 0.0), MachineError::NotPositive { parameter: "bandwidth", value: 0.0 });
    assert!(matches!(wrong(|m| m.rates.f32 = f64::NAN), MachineError::NotPositive { parameter: "rates.f32", .. }));
    assert!(matches!(wrong(|m| m.launch_seconds = -1.0), MachineError::NotPositive { .. }));
    let wrong_waking = wrong(|m| m.waking_seconds = Some(-1.0));
    assert_eq!(wrong_waking, MachineError::NotPositive { parameter: "waking_seconds", value: -1.0 });
    assert!(matches!(wrong(|m| m.overlap_alone = 1.5), MachineError::NotPositive { parameter: "overlap_alone", .. }));
    let wrong_wide = wrong(|m| m.local_bandwidth_8_bytes = Some(0.0));
    assert_eq!(wrong_wide, MachineError::NotPositive { parameter: "local_bandwidth_8_bytes", value: 0.0 });
    let wrong_part = wrong(|m| m.cached_segments = vec![SegmentPart { bytes: 16, part: 1.5 }]);
    assert_eq!(wrong_part, MachineError::NotPositive { parameter: "cached_segments", value: 1.5 });
    assert!(matches!(wrong(|m| m.segments.reverse()), MachineError::Order { parameter: "segments" }));
    assert!(matches!(wrong(|m| m.caches[0].rate = 0.0), MachineError::NotPositive { parameter: "caches", .. }));
}

/// What no machine has makes no prediction, not a short one.
#[test]
fn absurd_machines_predict_nothing() {
    let mut program = Program::new();
    program.queue(Kernel::new("k", 64).blocks(Blocks::even(100, 64, 10, 2, 1))).unwrap();
    let tiny = |change: fn(&mut Machine)| {
        let mut machine = machine();
        change(&mut machine);
        assert!(machine.clone().checked().is_err());
        machine.predict(&program)
    };
    let nothing = Err(DoesNotFit::NotFinite { of: "k".into() });
    let none = tiny(|machine| machine.processors = 0).unwrap_err();
    assert_eq!(none.to_string(), "a machine with processors = 0");
    // Infinite seconds of transfer and of computation, of which no part is a number.
    assert!(tiny(|machine| (machine.bandwidth, machine.rates.int32) = (f64::MIN_POSITIVE, f64::MIN_POSITIVE)).is_err());
    assert_eq!(tiny(|machine| machine.launch_seconds = f64::NAN), nothing);
    assert_eq!(tiny(|machine| machine.memory_latency_seconds = f64::INFINITY), nothing);
    assert_eq!(tiny(|machine| machine.local_bandwidth = f64::NAN), nothing);
}

#[test]
fn processors_that_come_late_leave_the_first_more_to_do() {
    let all = Machine { processors: 4, launch_seconds: 1.0, ..machine() };
    let late = Machine { waking_seconds: Some(40.0), ..all.clone() };
    let extra = |blocks| {
        let mut program = Program::new();
        program.queue(Kernel::new("k", 64).blocks(Blocks::even(blocks, 64, 1, 0, 0))).unwrap();
        let [all, late] = [&all, &late].map(|machine| machine.predict(&program).unwrap());
        assert!((late.seconds - all.seconds - (late.kernels[0].launch - 1.0)).abs() < 1e-9 * late.seconds);
        // Should they be awake, nothing is waited for.
        assert_eq!(late.floor_seconds.to_bits(), all.floor_seconds.to_bits());
        (all.seconds - 1.0, late.seconds - all.seconds)
    };
    // The only block is the first processor's.
    assert_eq!(extra(1).1.to_bits(), 0.0f64.to_bits());
    // It does two or six short ones before the others are awake, one after the other.
    let one = extra(1).0;
    assert!(6.0 * one < 40.0, "{one}");
    assert!((extra(2).1 - one).abs() < 1e-9 && (extra(6).1 - 4.0 * one).abs() < 1e-9);
    // Of many it does what the other three would have done in forty seconds.
    assert!((extra(100_000).1 - 30.0).abs() < 1e-6);
}

#[test]
fn launches_are_those_of_kernels_that_are_not_fused() {
    let mut program = Program::new();
    let kernel = |name: &str| Kernel::new(name, 64).blocks(Blocks::even(1, 64, 10, 1, 1));
    for kernel in [kernel("a"), kernel("b").fused(), kernel("c")] {
        program.queue(kernel).unwrap();
    }
    let prediction = machine().predict(&program).unwrap();
    assert_eq!((prediction.launches, prediction.kernels.len()), (2, 3));
    assert!(prediction.to_string().contains("in 2 launches"), "{prediction}");
    assert_eq!(prediction.clone().times(1000).launches, 2000);
    assert_eq!(prediction.clone().then(prediction).launches, 4);
}

/// What waits for nothing but other processors is bound by that.
#[test]
fn waiting_is_a_part_of_its_own() {
    let mut machine = machine();
    (machine.handover_seconds, machine.memory_latency_seconds) = (Some(100.0), 7.0);
    let mut program = Program::new();
    program.queue(Kernel::new("k", 1).blocks(Blocks::even(2, 1, 10, 1, 1)).handovers(3).cold_reads(2)).unwrap();
    let kernel = &machine.predict(&program).unwrap().kernels[0];
    assert_eq!(kernel.bound().to_string(), "waiting");
    assert_eq!(kernel.waiting, 3.0 * 100.0 + 2.0 * 7.0 / 2.0);
    let parts = kernel.launch + kernel.waiting + kernel.memory.max(kernel.arithmetic);
    assert!(kernel.seconds >= parts && kernel.seconds < 1.1 * parts, "{kernel:?}");
}

proptest! {
    #[test]
    fn more_of_anything_never_takes_less(
        blocks in 1u64..200, threads in 1u32..=64, operations in 0u64..50, reads in 0u64..20, local in 0u64..20
    ) {
        let base = |b, o, r, l| seconds(Kernel::new("k", threads).blocks(Blocks::even(b, threads, o, r, 0)).local_accesses(l));
        let least = base(blocks, operations, reads, local);
        prop_assert!(base(blocks, operations + 1, reads, local) >= least);
        prop_assert!(base(blocks, operations, reads + 1, local) >= least);
        prop_assert!(base(blocks, operations, reads, local + 1) >= least);
    }

    #[test]
    fn predictions_lie_above_the_floor(
        blocks in 1u64..2000, threads in 1u32..=64, operations in 0u64..50, reads in 0u64..20, segment in 1u64..200
    ) {
        let mut program = Program::new();
        let kernel = Kernel::new("k", threads).blocks(Blocks::even(blocks, threads, operations, reads, 1));
        program.push(kernel.segment_bytes(segment), &[]).unwrap();
        let prediction = machine().predict(&program).unwrap();
        prop_assert!(prediction.seconds >= prediction.floor_seconds);
    }
}
