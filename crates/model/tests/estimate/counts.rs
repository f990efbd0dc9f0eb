//! Laws of the roofline for all counts, up to 2^64 of each.

use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine};
use proptest::prelude::*;

use super::{estimate, machine, seconds};

/// [`machine`], of which a processor alone moves a quarter.
fn shared() -> Machine {
    Machine { processor_bandwidth: 250.0, local_bandwidth_8_bytes: Some(15_000.0), ..machine() }
}

/// Every number of an estimate.
fn numbers(all: &Estimate) -> Vec<f64> {
    let mut numbers = vec![all.seconds, all.floor_seconds, all.theorem_seconds];
    for kernel in &all.kernels {
        numbers.extend([kernel.launch, kernel.memory, kernel.local, kernel.arithmetic, kernel.seconds]);
    }
    numbers
}

/// Counts of which most are near a power of two, up to the largest.
fn count() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0u32..64, any::<bool>()).prop_map(
        |(any, shift, ones)| {
            if ones { u64::MAX >> shift } else { any >> shift }
        },
    )
}

fn group() -> impl Strategy<Value = Blocks> {
    (count().prop_map(|count| count.max(1)), count(), count(), count(), 0u128..=64).prop_map(
        // Of 64 threads so many have all operations, at least one.
        |(count, span, reads, writes, all)| Blocks { count, span, work: u128::from(span) * all.max(1), reads, writes },
    )
}

fn kernel() -> impl Strategy<Value = Kernel> {
    let groups = prop::collection::vec(group(), 1..4);
    let counts = (count(), count(), prop::option::of(count()), prop::option::of(count()));
    let segments = prop::option::of((1u64..200, 1u64..200));
    let rest = (prop::sample::select(vec![1u32, 4, 8, u32::MAX]), any::<bool>(), any::<u32>());
    (groups, counts, segments, rest).prop_map(|(groups, counts, segments, (word_bytes, fused, round_trips))| {
        let (accesses, tables, traffic, footprint) = counts;
        let mut kernel = Kernel::new("k", 64).word_bytes(word_bytes).local_accesses(accesses).table_words(tables);
        kernel = kernel.round_trips(round_trips);
        kernel = groups.into_iter().fold(kernel, Kernel::blocks);
        kernel = traffic.into_iter().fold(kernel, Kernel::traffic_words);
        kernel = footprint.into_iter().fold(kernel, Kernel::footprint_bytes);
        if let Some((both, written)) = segments {
            kernel = kernel.segment_bytes(both).write_segment_bytes(written);
        }
        if fused { kernel.fused() } else { kernel }
    })
}

/// The sum over all blocks; `None` past 2^128.
fn sum(groups: &[Blocks], of: impl Fn(&Blocks) -> u128) -> Option<u128> {
    groups.iter().try_fold(0u128, |sum, blocks| sum.checked_add(of(blocks).checked_mul(u128::from(blocks.count))?))
}

#[test]
fn counts_near_the_largest_do_not_wrap() {
    let near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-9;
    let two = |power: i32| 2f64.powi(power);
    // 2^68 operations at 100/s; 2^71 bytes at 1000/s; 2^68 local accesses of 4 bytes at 10000/s.
    let many = Kernel::new("k", 64).blocks(Blocks::even(1 << 62, 64, 1, 1, 1)).local_accesses(1);
    let all = estimate(&machine(), many).unwrap();
    let kernel = &all.kernels[0];
    assert!(near(kernel.arithmetic, two(68) / 1e2), "{all:?}");
    assert!(near(kernel.memory, two(71) / 1e3), "{all:?}");
    assert!(near(kernel.local, two(70) / 1e4), "{all:?}");
    // One block of the longest: 2^64 operations and words of one thread.
    let long = Kernel::new("k", 1).blocks(Blocks::even(1, 1, u64::MAX, u64::MAX, 0)).local_accesses(u64::MAX);
    let all = estimate(&machine(), long.table_words(u64::MAX)).unwrap();
    let kernel = &all.kernels[0];
    assert!(near(kernel.arithmetic, two(64) / 1e1), "{all:?}");
    assert!(near(kernel.memory, two(67) / 1e3), "{all:?}");
    assert!(near(kernel.local, two(66) / 1e3), "{all:?}");
    assert!(near(all.clone().times(u64::MAX).seconds, all.seconds * two(64)));
    assert_eq!(all.clone().times(u64::MAX).then(all).launches, u64::MAX);
}

#[test]
fn counts_past_the_largest_are_refused() {
    let most = u64::MAX;
    let of = |threads, span, reads, writes| {
        let blocks = Blocks::even(most, threads, span, reads, writes);
        estimate(&machine(), Kernel::new("k", threads).blocks(blocks))
    };
    // (2^64 - 1)^2 of one thread each fit, of two they do not; nor do twice as many words.
    assert!(of(1, most, most, 0).is_ok());
    assert_eq!(of(2, most, 0, 0), Err(DoesNotFit::Overflow { quantity: "operations" }));
    assert_eq!(of(1, 0, most, most), Err(DoesNotFit::Overflow { quantity: "words moved" }));
}

proptest! {
    /// Either a count passes 2^128, or every number is finite and the floor lies below.
    #[test]
    fn any_counts_have_finite_seconds_or_overflow(kernel in kernel()) {
        for machine in [machine(), shared()] {
            match estimate(&machine, kernel.clone()) {
                Ok(all) => {
                    prop_assert!(numbers(&all).iter().all(|number| number.is_finite() && *number >= 0.0), "{all:?}");
                    prop_assert!(all.floor_seconds <= all.seconds, "{all:?}");
                    let own = &all.kernels[0];
                    prop_assert_eq!(own.seconds, own.launch + own.memory.max(own.local).max(own.arithmetic));
                    prop_assert!(kernel.work().is_some());
                }
                Err(error) => prop_assert!(matches!(error, DoesNotFit::Overflow { .. }), "{error}"),
            }
        }
    }

    /// What is refused, and nothing else, passes 2^128.
    #[test]
    fn overflow_is_of_counts_past_the_largest(groups in prop::collection::vec(group(), 1..4)) {
        let kernel = groups.iter().copied().fold(Kernel::new("k", 64), Kernel::blocks);
        let work = sum(&groups, |blocks| blocks.work);
        let words = sum(&groups, |blocks| u128::from(blocks.reads) + u128::from(blocks.writes));
        let refused = estimate(&machine(), kernel).err();
        let quantity = if work.is_none() { "operations" } else { "words moved" };
        let expected = (work.is_none() || words.is_none()).then_some(DoesNotFit::Overflow { quantity });
        prop_assert_eq!(refused, expected);
    }

    /// Blocks dealt out one by one: the processor that has the most decides.
    #[test]
    fn arithmetic_is_that_of_the_busiest_processor(
        blocks in 1u64..200, threads in 1u32..=64, operations in 0u64..50, processors in 1u32..40
    ) {
        let machine = Machine { processors, ..machine() };
        let mut dealt = vec![0u64; processors as usize];
        for block in 0..blocks {
            dealt[(block % u64::from(processors)) as usize] += operations * u64::from(threads);
        }
        let busiest = *dealt.iter().max().unwrap() as f64 * f64::from(processors) / 100.0;
        let floor = dealt.iter().sum::<u64>() as f64 / 100.0;
        let kernel = Kernel::new("k", threads).blocks(Blocks::even(blocks, threads, operations, 0, 0)).fused();
        let all = estimate(&machine, kernel).unwrap();
        prop_assert!((all.seconds - busiest).abs() <= 1e-12 * busiest, "{} and {busiest}", all.seconds);
        prop_assert!((all.floor_seconds - floor).abs() <= 1e-12 * floor, "{} and {floor}", all.floor_seconds);
    }

    #[test]
    fn more_of_anything_never_takes_less(
        blocks in 1u64..200, threads in 1u32..=64, operations in 0u64..50, reads in 0u64..20, local in 0u64..20
    ) {
        let base = |o, r, l| {
            seconds(Kernel::new("k", threads).blocks(Blocks::even(blocks, threads, o, r, 0)).local_accesses(l))
        };
        let least = base(operations, reads, local);
        prop_assert!(base(operations + 1, reads, local) >= least);
        prop_assert!(base(operations, reads + 1, local) >= least);
        prop_assert!(base(operations, reads, local + 1) >= least);
    }

    /// A machine that does everything twice as fast takes exactly half as long, launches included.
    #[test]
    fn twice_the_rates_take_half_the_time(kernel in kernel()) {
        let slow = shared();
        let mut fast = slow.clone();
        let rates = &mut fast.rates;
        for rate in [&mut rates.int32, &mut fast.bandwidth, &mut fast.processor_bandwidth, &mut fast.local_bandwidth] {
            *rate *= 2.0;
        }
        fast.local_bandwidth_8_bytes = fast.local_bandwidth_8_bytes.map(|rate| 2.0 * rate);
        fast.segments.iter_mut().for_each(|segment| segment.rate *= 2.0);
        fast.caches.iter_mut().for_each(|cache| cache.rate *= 2.0);
        for seconds in [&mut fast.launch_seconds, &mut fast.round_trip_seconds] {
            *seconds /= 2.0;
        }
        match (estimate(&slow, kernel.clone()), estimate(&fast, kernel)) {
            (Ok(slow), Ok(fast)) => {
                let halves: Vec<f64> = numbers(&slow).iter().map(|number| number / 2.0).collect();
                prop_assert_eq!(halves, numbers(&fast));
            }
            (slow, fast) => prop_assert_eq!(slow, fast),
        }
    }
}
