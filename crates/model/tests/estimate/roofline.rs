//! The roofline by hand, term by term.

use manycore_model::{Blocks, Bound, DoesNotFit, Kernel, KernelEstimate, Machine, Operation, Program, Residency};

use super::{estimate, machine, seconds};

/// 10 blocks of 10 threads, one for each processor: 100 threads.
fn even(operations: u64, reads: u64, writes: u64) -> Kernel {
    Kernel::new("k", 10).blocks(Blocks::even(10, 10, operations, reads, writes))
}

#[test]
fn each_resource_has_its_time_and_the_longest_counts() {
    // 100 threads: 4 operations of 100 a second, 5 words of 4 bytes at 1000 bytes/s, 150 local words of 4 bytes at
    // 10000.
    let all = estimate(&machine(), even(4, 2, 3).local_accesses(150)).unwrap();
    let parts = KernelEstimate {
        name: "k".into(),
        launch: 1.0,
        memory: 2.0,
        local: 6.0,
        arithmetic: 4.0,
        seconds: 1.0 + 6.0,
        // Operations without a latency need no threads beside.
        counted: Residency { threads: 10, local_bytes: 0, saturating_threads: 0.0 },
    };
    assert_eq!((all.seconds, all.floor_seconds, all.launches), (7.0, 7.0, 1));
    assert_eq!(all.kernels, [parts]);
    // What is shorter hides behind the longest, whichever it is.
    assert_eq!(seconds(even(4, 2, 3)), 1.0 + 4.0);
    assert_eq!(seconds(even(1, 2, 3)), 1.0 + 2.0);
    assert_eq!(seconds(even(1, 0, 0).local_accesses(50)), 1.0 + 2.0);
    assert_eq!(seconds(even(0, 0, 0)), 1.0);
    assert_eq!(machine().estimate(&Program::new()).unwrap(), manycore_model::Estimate::default());
}

#[test]
fn bounds_are_named() {
    let bound = |kernel: Kernel| estimate(&machine(), kernel).unwrap().bound();
    assert_eq!(bound(even(0, 1, 0)), Bound::Launch);
    assert_eq!(bound(even(1, 9, 0)), Bound::Memory);
    assert_eq!(bound(even(9, 1, 0)), Bound::Arithmetic);
    assert_eq!(bound(even(1, 1, 0).local_accesses(1000)), Bound::LocalMemory);
    // A second of traffic and of operations each: round trips take longer.
    assert_eq!(bound(even(2, 5, 0).fused()), Bound::Arithmetic);
    assert_eq!(bound(even(2, 5, 0).fused().round_trips(1)), Bound::Launch);
    // The longest kernel tells the program's.
    let mut program = Program::new();
    for kernel in [even(9, 1, 0), even(1, 90, 0), even(0, 0, 0)] {
        program.queue(kernel).unwrap();
    }
    assert_eq!(machine().estimate(&program).unwrap().bound(), Bound::Memory);
}

#[test]
fn the_last_wave_takes_as_long_as_a_full_one() {
    let adds = |blocks, work| {
        let blocks = Blocks { count: blocks, span: 4, work, reads: 0, writes: 0 };
        let all = estimate(&machine(), Kernel::new("adds", 10).blocks(blocks).local_accesses(25).fused()).unwrap();
        (all.kernels[0].arithmetic, all.kernels[0].local, all.floor_seconds)
    };
    // One block: 40 operations at a tenth of 100/s, 1000 local bytes at a tenth of 10000/s. The floor has all
    // processors.
    assert_eq!(adds(1, 40), (4.0, 1.0, 0.4));
    assert_eq!(adds(5, 40), (4.0, 1.0, 2.0));
    assert_eq!(adds(10, 40), (4.0, 1.0, 4.0));
    // Eleven blocks take as long as twenty.
    let (arithmetic, local, floor) = adds(11, 40);
    assert!((arithmetic - 8.0).abs() < 1e-12 && (local - 2.0).abs() < 1e-12 && (floor - 4.4).abs() < 1e-12);
    assert_eq!(adds(20, 40), (8.0, 2.0, 8.0));
    // Work counts, not the span: threads that idle take no operations.
    assert_eq!(adds(10, 10), (1.0, 1.0, 1.0));
}

#[test]
fn blocks_that_differ_add_up() {
    let mixed = Kernel::new("k", 10).blocks(Blocks::even(4, 10, 4, 0, 1)).blocks(Blocks::even(6, 10, 14, 10, 0));
    let all = estimate(&machine(), mixed).unwrap();
    // 4 * 40 + 6 * 140 operations; 40 + 600 words.
    assert_eq!((all.kernels[0].arithmetic, all.kernels[0].memory), (10.0, 2.56));
}

#[test]
fn few_blocks_have_the_bandwidth_of_their_processors() {
    let machine = Machine { processor_bandwidth: 250.0, ..machine() };
    // 400 bytes a block.
    let moves = |blocks| Kernel::new("moves", 10).blocks(Blocks::even(blocks, 10, 0, 5, 5));
    let memory = |kernel: Kernel| {
        let all = estimate(&machine, kernel.fused()).unwrap();
        (all.kernels[0].memory, all.floor_seconds)
    };
    assert_eq!(memory(moves(1)), (400.0 / 250.0, 0.4));
    assert_eq!(memory(moves(2)), (800.0 / 500.0, 0.8));
    assert_eq!(memory(moves(4)), (1600.0 / 1000.0, 1.6));
    // Five would move 1250 bytes/s: the memory's 1000 count, and an uneven last wave costs transfers nothing.
    assert_eq!(memory(moves(5)), (2.0, 2.0));
    assert_eq!(memory(moves(11)), (4.4, 4.4));
    // A cache is as much faster for one processor as for all: 1000 bytes/s of 4000.
    assert_eq!(memory(moves(1).footprint_bytes(4096)), (0.4, 0.1));
    assert_eq!(memory(moves(1).footprint_bytes(4097)), (1.6, 0.4));
    // Short runs move 500 bytes/s, on one processor no more than its 250.
    assert_eq!(memory(moves(1).segment_bytes(32)), (1.6, 0.4));
    assert_eq!(memory(moves(4).segment_bytes(32)), (3.2, 1.6));
}

#[test]
fn runs_of_bytes_have_their_rates() {
    // 2000 bytes: 800 read, 1200 written.
    let moves = || even(0, 2, 3);
    assert_eq!(seconds(moves()), 1.0 + 2.0);
    assert_eq!(seconds(moves().segment_bytes(32)), 1.0 + 4.0);
    // Between measured lengths lie straight lines: 625 bytes/s, 250 bytes/s.
    assert_eq!(seconds(moves().segment_bytes(48)), 1.0 + 2000.0 / 625.0);
    assert_eq!(seconds(moves().segment_bytes(16)), 1.0 + 8.0);
    assert_eq!(seconds(moves().segment_bytes(4096)), 3.0);
    // Only the writes come in short runs, or the reads: `segment_bytes` is of both, unless the writes' follow.
    assert_eq!(seconds(moves().write_segment_bytes(32)), 1.0 + 0.8 + 2.4);
    assert_eq!(seconds(moves().segment_bytes(32).write_segment_bytes(4096)), 1.0 + 1.6 + 1.2);
    // Short runs leave a cache half of its 4000 bytes/s, and the floor takes long ones.
    assert_eq!(seconds(moves().footprint_bytes(4096).segment_bytes(32)), 1.0 + 1.0);
    assert_eq!(estimate(&machine(), moves().segment_bytes(32)).unwrap().floor_seconds, 1.0 + 2.0);
}

#[test]
fn caches_traffic_and_tables_count() {
    let moves = || even(0, 2, 3);
    assert_eq!(seconds(moves().footprint_bytes(4096)), 1.0 + 0.5);
    assert_eq!(seconds(moves().footprint_bytes(4097)), 1.0 + 2.0);
    // 250 words in all instead of 500, whoever moves them.
    assert_eq!(seconds(moves().traffic_words(250)), 1.0 + 1.0);
    // 500 words of tables besides, all of them read, in runs of the reads' length.
    let tables = moves().table_words(500);
    assert_eq!((tables.traffic_bytes(), tables.table_bytes()), (2000, 2000));
    assert_eq!(seconds(tables.clone()), 1.0 + 4.0);
    assert_eq!(seconds(tables.clone().write_segment_bytes(32)), 1.0 + 2.8 + 2.4);
    assert_eq!(seconds(tables.segment_bytes(32).write_segment_bytes(4096)), 1.0 + 5.6 + 1.2);
}

#[test]
fn words_have_their_bytes() {
    assert_eq!(seconds(even(0, 2, 3).word_bytes(8)), 1.0 + 4.0);
    // Words of one byte take local memory as long as those of four, and memory a quarter.
    assert_eq!(seconds(even(0, 2, 3).word_bytes(1)), 1.0 + 0.5);
    assert_eq!(seconds(even(0, 0, 0).word_bytes(1).local_accesses(150)), 1.0 + 6.0);
    // Words of eight have a rate of their own, and as many bytes a second as those of four without it.
    let wide = even(4, 0, 0).word_bytes(8).local_accesses(150);
    assert_eq!(seconds(wide.clone()), 1.0 + 12.0);
    let measured = Machine { local_bandwidth_8_bytes: Some(24_000.0), ..machine() };
    assert_eq!(estimate(&measured, wide).unwrap().seconds, 1.0 + 5.0);
}

#[test]
fn launches_and_round_trips_add_up() {
    assert_eq!(seconds(even(4, 0, 0).fused()), 4.0);
    assert_eq!(seconds(even(4, 0, 0).round_trips(2)), 1.0 + 2.0 * 5.0 + 4.0);
    assert_eq!(seconds(even(4, 0, 0).round_trips(2).fused()), 2.0 * 5.0 + 4.0);
    let mut program = Program::new();
    for kernel in [even(4, 0, 0), even(3, 0, 0).fused(), even(2, 0, 0).local_accesses(25).round_trips(1)] {
        program.queue(kernel).unwrap();
    }
    let all = machine().estimate(&program).unwrap();
    assert_eq!((all.launches, all.kernels.len()), (2, 3));
    assert_eq!((all.seconds, all.floor_seconds), (5.0 + 3.0 + 8.0, 16.0));
    assert_eq!(all.to_string(), "16.0 s in 2 launches, bound by launch");
    let thousand = all.clone().times(1000);
    assert_eq!((thousand.launches, thousand.seconds, thousand.floor_seconds), (2000, 16_000.0, 16_000.0));
    assert_eq!(thousand.theorem_seconds, 1000.0 * all.theorem_seconds);
    let last = &thousand.kernels[2];
    assert_eq!((last.launch, last.memory, last.local, last.arithmetic, last.seconds), (6e3, 0.0, 1e3, 2e3, 8e3));
    assert_eq!(all.clone().times(u64::MAX).launches, u64::MAX);
    let both = all.clone().then(thousand);
    assert_eq!((both.launches, both.seconds, both.floor_seconds), (2002, 16_016.0, 16_016.0));
    assert_eq!((both.theorem_seconds, both.kernels.len()), (1001.0 * all.theorem_seconds, 6));
}

/// `(N/p + L) C` cycles of the abstract machine, and the launch.
#[test]
fn the_theorem_has_its_seconds() {
    // A step of 10 threads takes 1 s, a word of each 0.4 s: C = 4 + 5 * 0.4, N/p + L = 3.
    let kernel = Kernel::new("k", 10).blocks(Blocks::even(20, 10, 4, 2, 3));
    let theorem = |machine: &Machine, kernel: Kernel| estimate(machine, kernel).unwrap().theorem_seconds;
    assert_eq!(theorem(&machine(), kernel.clone()), 1.0 + 3.0 * 6.0);
    assert_eq!(theorem(&machine(), kernel.clone().fused().round_trips(2)), 10.0 + 3.0 * 6.0);
    // Operations that wait 2 s for each other make steps of 2 s; a word is 0.2 of them. The estimate has no such term.
    let late = Machine { operation_latency_seconds: 2.0, ..machine() };
    assert_eq!(theorem(&late, kernel.clone()), 1.0 + 3.0 * 5.0 * 2.0);
    assert_eq!(estimate(&late, kernel.clone()).unwrap().seconds, seconds(kernel.clone()));
    // The longest block counts for all.
    let mixed = kernel.blocks(Blocks::even(10, 10, 14, 0, 0));
    assert_eq!(theorem(&machine(), mixed), 1.0 + (3.0 + 1.0) * 14.0);
}

#[test]
fn what_the_machine_lacks_is_refused() {
    let refused = |kernel: Kernel| estimate(&machine(), kernel).unwrap_err();
    let blocks = |threads| Kernel::new("k", threads).blocks(Blocks::even(1, threads, 1, 0, 0));
    assert!(matches!(refused(blocks(65)), DoesNotFit::Threads { threads: 65, limit: 64, .. }));
    assert!(matches!(refused(blocks(1).local_words(4097)), DoesNotFit::LocalMemory { words: 4097, limit: 4096, .. }));
    let wide = refused(blocks(1).local_words(2049).word_bytes(8));
    assert!(matches!(wide, DoesNotFit::LocalMemory { words: 2049, limit: 2048, .. }));
    assert_eq!(refused(blocks(1).operation(Operation::F64)).to_string(), "kernel k: the machine has no f64 arithmetic");
    assert!(estimate(&machine(), blocks(64).local_words(4096)).is_ok());
    // Nothing is estimated of a program with such a kernel.
    let mut program = Program::new();
    program.queue(blocks(1)).unwrap();
    program.queue(blocks(65)).unwrap();
    assert!(machine().estimate(&program).is_err());
}

#[test]
fn each_kind_of_operation_has_its_rate() {
    let mut machine = machine();
    machine.rates.f32 = 400.0;
    machine.rates.int64 = 25.0;
    machine.rates.f64 = 50.0;
    machine.rates.scalar = Some(200.0);
    for (operation, expected) in [
        (Operation::Int32, 4.0),
        (Operation::Int64, 16.0),
        (Operation::F32, 1.0),
        (Operation::F64, 8.0),
        (Operation::Scalar, 2.0),
    ] {
        let all = estimate(&machine, even(4, 0, 0).operation(operation)).unwrap();
        assert_eq!(all.seconds, 1.0 + expected, "{}", operation.name());
    }
}
