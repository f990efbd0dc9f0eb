//! Known counts, and sizes that are refused.

use manycore_model::cache::{
    Classification, Classifier, Geometry, GeometryError, LeastRecentlyUsed, Optimal, Outcome, Report, ReuseDistances,
    SetAssociative, Simulator, reference,
};

fn lines(k: u64) -> Geometry {
    Geometry::with_lines(k, 1).unwrap()
}

#[test]
fn optimal_vectors_of_the_specification() {
    let short = vec![0, 1, 2, 0, 1, 3, 0, 1];
    let belady = vec![0, 1, 2, 3, 0, 1, 4, 0, 1, 2, 3, 4];
    for (trace, k, misses) in [(&short, 2, 6), (&short, 3, 4), (&belady, 3, 7), (&belady, 4, 6)] {
        assert_eq!(Optimal::new(lines(k)).run(trace.clone()).misses, misses, "{k} lines");
        assert_eq!(reference::report(&reference::optimal(lines(k), trace)).misses, misses, "{k} lines");
    }
    // Least recently used on the same trace has 10 and 8.
    assert_eq!([3, 4].map(|k| LeastRecentlyUsed::new(lines(k)).run(belady.clone()).misses), [10, 8]);
}

#[test]
fn one_line_hits_only_at_once() {
    use Outcome::{Compulsory, Hit, Replaced};
    let mut cache = Optimal::new(Geometry::new(4, 4).unwrap());
    let found: Vec<Outcome> = [0, 3, 4, 7, 0, 1, 9].into_iter().map(|address| cache.access(address)).collect();
    assert_eq!(found, [Compulsory, Hit, Compulsory, Hit, Replaced, Hit, Compulsory]);
    let report = cache.report();
    assert_eq!(report, Report { accesses: 7, misses: 4, compulsory: 3 });
    assert_eq!((report.hits(), report.replaced()), (3, 1));
    assert!((report.miss_ratio() - 4.0 / 7.0).abs() < 1e-15);
}

#[test]
fn a_loop_longer_than_the_cache() {
    // c + 1 lines in turn: LRU misses always; the optimum loses one line in c after the first round.
    let (c, rounds) = (8_u64, 9_u64);
    let trace = || (0..rounds).flat_map(|_| 0..=c);
    assert_eq!(LeastRecentlyUsed::new(lines(c)).run(trace()).misses, rounds * (c + 1));
    assert_eq!(Optimal::new(lines(c)).run(trace()).misses, c + 1 + (rounds - 1) * (c + 1) / c);
    // Direct mapped, only lines 0 and 8 fight for a place: the sets save misses.
    let mut classifier = Classifier::new(lines(c), 1).unwrap();
    assert_eq!(classifier.run(trace()).misses, c - 1 + 2 * rounds);
    let causes = classifier.classification();
    assert_eq!((causes.compulsory, causes.capacity, causes.conflict), (9, 72, 25 - 81));
    // Two lines a cache size apart: all further misses are conflicts.
    let mut classifier = Classifier::new(lines(c), 1).unwrap();
    classifier.run((0..10).flat_map(|_| [0, c]));
    let causes = classifier.classification();
    assert_eq!((causes.compulsory, causes.capacity, causes.conflict), (2, 0, 18));
}

#[test]
fn empty_traces_and_empty_classes() {
    assert_eq!(Optimal::new(lines(1)).run([]), Report::default());
    assert_eq!(Report::default().miss_ratio().to_bits(), 0);
    let distances = ReuseDistances::new(8).unwrap();
    assert_eq!((distances.misses(0), distances.misses_by_lines(), distances.histogram().len()), (0, vec![0], 0));
}

/// A cache much larger than the trace costs no more than the trace: with memory for all its lines, each of these would
/// take 4 GiB or more.
#[test]
fn huge_caches_cost_what_their_traces_cost() {
    let huge = Geometry::with_lines(Geometry::MAXIMUM_LINES, 8).unwrap();
    let trace = || (0..3).flat_map(|_| 0..80);
    assert_eq!(Optimal::new(huge).run(trace()).misses, 10);
    assert_eq!(LeastRecentlyUsed::new(huge).run(trace()).misses, 10);
    for ways in [1, 2, 16, 1 << 29, Geometry::MAXIMUM_LINES] {
        let mut cache = SetAssociative::new(huge, ways).unwrap();
        assert_eq!((cache.ways(), cache.sets()), (ways, Geometry::MAXIMUM_LINES / ways));
        assert_eq!(cache.run(trace()).misses, 10);
        // Two addresses a cache size apart, in the last set.
        let apart = [u64::MAX, u64::MAX - huge.cache_words()];
        let fresh = || SetAssociative::new(huge, ways).unwrap();
        assert_eq!(fresh().run((0..4).flat_map(|_| apart)).misses, if ways == 1 { 8 } else { 2 });
        assert_eq!(reference::set_associative(huge, ways, &apart).unwrap(), [Outcome::Compulsory; 2]);
        let mut classifier = Classifier::new(huge, ways).unwrap();
        classifier.run((0..4).flat_map(|_| apart));
        let conflict = if ways == 1 { 6 } else { 0 };
        assert_eq!(classifier.classification(), Classification { compulsory: 2, capacity: 0, conflict });
    }
}

/// Counts that no simulator makes, as a file may hold them.
#[test]
fn impossible_counts_stay_in_range() {
    let report: Report =
        serde_json::from_str(r#"{"accesses":1,"misses":2,"compulsory":18446744073709551615}"#).unwrap();
    assert_eq!((report.hits(), report.replaced()), (0, 0));
    assert_eq!(report.miss_ratio().to_bits(), 1_f64.to_bits());
    let sum = |compulsory, capacity, conflict| Classification { compulsory, capacity, conflict }.misses();
    assert_eq!(sum(u64::MAX, u64::MAX, i64::MAX), u64::MAX);
    assert_eq!(sum(0, 0, i64::MIN), 0);
    assert_eq!(sum(3, 4, -7), 0);
    assert_eq!(sum(3, 4, -8), 0);
    // Only the sum has to fit, not its first terms.
    assert_eq!(sum(u64::MAX, 5, -5), u64::MAX);
    assert_eq!(sum(u64::MAX, 5, -6), u64::MAX - 1);
}

#[test]
fn sizes_that_are_refused() {
    use GeometryError::{PartialLine, PartialSet, TooLarge, ZeroCache, ZeroLine, ZeroWays};
    assert_eq!(Geometry::new(0, 8), Err(ZeroCache));
    assert_eq!(Geometry::new(8, 0), Err(ZeroLine));
    assert_eq!(Geometry::new(20, 8), Err(PartialLine { cache_words: 20, line_words: 8 }));
    assert_eq!(Geometry::new(4, 8), Err(PartialLine { cache_words: 4, line_words: 8 }));
    assert_eq!(Geometry::new(1 << 31, 1), Err(TooLarge { lines: 1 << 31, line_words: 1 }));
    assert_eq!(Geometry::with_lines(16, 1 << 60), Err(TooLarge { lines: 16, line_words: 1 << 60 }));
    let geometry = Geometry::new(96, 8).unwrap();
    assert_eq!((geometry.lines(), geometry.line_words(), geometry.cache_words()), (12, 8, 96));
    assert_eq!((geometry.sets(4), geometry.sets(12), geometry.sets(1)), (Ok(3), Ok(1), Ok(12)));
    assert_eq!(SetAssociative::new(geometry, 0).err(), Some(ZeroWays));
    assert_eq!(Classifier::new(geometry, 5).err(), Some(PartialSet { lines: 12, ways: 5 }));
    assert_eq!(ReuseDistances::new(0).err(), Some(ZeroLine));
    for line_words in [1, 3, 8, 1000] {
        let geometry = Geometry::with_lines(1, line_words).unwrap();
        for address in [0, 1, 999, 1000, u64::MAX] {
            assert_eq!(geometry.line_of(address), address / line_words);
        }
    }
}
