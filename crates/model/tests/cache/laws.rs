//! Every simulator agrees with its definition, access by access, and with theorems that relate them.

use std::collections::BTreeSet;

use manycore_model::cache::{
    Classifier, Geometry, LeastRecentlyUsed, Optimal, Outcome, ReuseDistances, SetAssociative, Simulator, reference,
};
use proptest::prelude::*;

/// Short traces over few lines: random ones, and ones with loops and repeats.
fn trace() -> impl Strategy<Value = Vec<u64>> {
    let random = (1_u64..12, 0_usize..70).prop_flat_map(|(words, n)| prop::collection::vec(0..words, n));
    let loops = prop::collection::vec((0_u64..6, 1_u64..8, 1_usize..5), 0..6).prop_map(|loops| {
        let sweep = |(start, length, times)| (0..times).flat_map(move |_| start..start + length);
        loops.into_iter().flat_map(sweep).collect()
    });
    // Some far away: line numbers are not dense.
    let sparse =
        prop::collection::vec(prop::sample::select(vec![0, 1, 15, 16, 17, 1 << 40, u64::MAX - 1, u64::MAX]), 0..60);
    prop_oneof![4 => random, 3 => loops, 1 => sparse]
}

fn lines(k: u64) -> Geometry {
    Geometry::with_lines(k, 1).unwrap()
}

fn outcomes(mut simulator: impl Simulator, trace: &[u64]) -> Vec<Outcome> {
    let outcomes: Vec<Outcome> = trace.iter().map(|&address| simulator.access(address)).collect();
    assert_eq!(simulator.report(), reference::report(&outcomes));
    outcomes
}

/// Fewest misses of any replacement at all, by trying every victim.
fn fewest_misses(trace: &[u64], k: usize) -> u64 {
    let mut states = std::collections::BTreeMap::from([(BTreeSet::new(), 0)]);
    for &line in trace {
        let mut next = std::collections::BTreeMap::new();
        let mut reach = |contents: BTreeSet<u64>, misses: u64| {
            next.entry(contents).and_modify(|best: &mut u64| *best = misses.min(*best)).or_insert(misses);
        };
        for (contents, misses) in states {
            if contents.contains(&line) {
                reach(contents, misses);
                continue;
            }
            let with_line = |mut contents: BTreeSet<u64>| {
                contents.insert(line);
                contents
            };
            if contents.len() < k {
                reach(with_line(contents), misses + 1);
                continue;
            }
            for victim in &contents {
                let mut rest = contents.clone();
                rest.remove(victim);
                reach(with_line(rest), misses + 1);
            }
        }
        states = next;
    }
    states.into_values().min().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn optimal_is_beladys_rule(trace in trace()) {
        for k in 1..=13 {
            prop_assert_eq!(outcomes(Optimal::new(lines(k)), &trace), reference::optimal(lines(k), &trace), "{} lines", k);
        }
    }

    #[test]
    fn least_recently_used_is_its_definition(trace in trace()) {
        let mut distances = ReuseDistances::new(1).unwrap();
        let found: Vec<_> = trace.iter().map(|&address| distances.access(address)).collect();
        prop_assert_eq!(&found, &reference::reuse_distances(lines(1), &trace));
        let by_lines = distances.misses_by_lines();
        prop_assert_eq!(by_lines[0], trace.len() as u64);
        for k in 1..=13 {
            let expected = reference::least_recently_used(lines(k), &trace);
            prop_assert_eq!(outcomes(LeastRecentlyUsed::new(lines(k)), &trace), &expected[..], "{} lines", k);
            prop_assert_eq!(distances.report(k), reference::report(&expected));
            prop_assert_eq!(by_lines[by_lines.len().min(k as usize + 1) - 1], distances.misses(k));
        }
    }

    #[test]
    fn set_associative_is_its_definition(trace in trace(), ways in 1_u64..9, sets in 1_u64..6, line_words in 1_u64..6) {
        let geometry = Geometry::with_lines(ways * sets, line_words).unwrap();
        let simulator = SetAssociative::new(geometry, ways).unwrap();
        prop_assert_eq!(outcomes(simulator, &trace), reference::set_associative(geometry, ways, &trace).unwrap());
        let mut classifier = Classifier::new(geometry, ways).unwrap();
        let report = classifier.run(trace.iter().copied());
        let causes = classifier.classification();
        prop_assert_eq!(causes.misses(), report.misses);
        prop_assert_eq!(causes.compulsory, report.compulsory);
        let fully = reference::report(&reference::least_recently_used(geometry, &trace));
        prop_assert_eq!(causes.capacity, fully.replaced());
        if sets == 1 {
            prop_assert_eq!(causes.conflict, 0);
        }
    }

    #[test]
    fn more_lines_never_miss_more_and_lru_is_competitive(trace in trace()) {
        let run = |k| (Optimal::new(lines(k)).run(trace.clone()).misses, LeastRecentlyUsed::new(lines(k)).run(trace.clone()).misses);
        let misses: Vec<(u64, u64)> = (1..=13).map(run).collect();
        for pair in misses.windows(2) {
            prop_assert!(pair[1].0 <= pair[0].0 && pair[1].1 <= pair[0].1);
        }
        for h in 1..=13_u64 {
            for k in h..=13 {
                let (optimal, lru) = (misses[h as usize - 1].0, misses[k as usize - 1].1);
                prop_assert!((k - h + 1) * lru <= k * optimal + h * (k - h + 1), "Sleator and Tarjan, h {} k {}", h, k);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_replacement_beats_beladys_rule(trace in prop::collection::vec(0_u64..6, 0..14), k in 1_u64..5) {
        let fewest = fewest_misses(&trace, k as usize);
        prop_assert_eq!(reference::report(&reference::optimal(lines(k), &trace)).misses, fewest);
        prop_assert_eq!(Optimal::new(lines(k)).run(trace).misses, fewest);
    }
}

/// A repeatable trace of `n` words below `words`, half of them on the first sixteenth.
fn long_trace(n: u64, words: u64) -> Vec<u64> {
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..n).map(|_| if draw(2) == 0 { draw(words) } else { draw(words / 16) }).collect()
}

/// Long enough for the simulators to renumber many times.
#[test]
fn long_traces_agree_with_the_definitions() {
    for (line_words, cache_lines) in [(1, 2), (1, 90), (3, 20), (4, 60)] {
        let trace = long_trace(40_000, 320);
        let geometry = Geometry::with_lines(cache_lines, line_words).unwrap();
        assert_eq!(outcomes(Optimal::new(geometry), &trace), reference::optimal(geometry, &trace));
        let lru = reference::least_recently_used(geometry, &trace);
        assert_eq!(outcomes(LeastRecentlyUsed::new(geometry), &trace), lru);
        for ways in (1..=cache_lines).filter(|ways| cache_lines % ways == 0) {
            let sets = reference::set_associative(geometry, ways, &trace).unwrap();
            assert_eq!(outcomes(SetAssociative::new(geometry, ways).unwrap(), &trace), sets, "{ways} ways");
            let mut classifier = Classifier::new(geometry, ways).unwrap();
            assert_eq!(classifier.run(trace.iter().copied()), reference::report(&sets));
            assert_eq!(classifier.classification().capacity, reference::report(&lru).replaced());
        }
        let mut distances = ReuseDistances::new(line_words).unwrap();
        let found: Vec<_> = trace.iter().map(|&address| distances.access(address)).collect();
        assert_eq!(found, reference::reuse_distances(geometry, &trace));
        assert_eq!(distances.report(cache_lines), reference::report(&lru));
    }
}

/// Sizes beyond the definitions' reach: distances grow past many words of the bit set, rows past many renumberings.
#[test]
fn large_traces_keep_the_relations_between_simulators() {
    let trace = || long_trace(600_000, 40_000);
    let mut distances = ReuseDistances::new(1).unwrap();
    distances.run(trace());
    let compulsory = distances.compulsory();
    for k in [1, 100, 3000, 20_000, 40_000] {
        let lru = LeastRecentlyUsed::new(lines(k)).run(trace());
        assert_eq!(lru, distances.report(k), "{k} lines");
        let optimal = Optimal::new(lines(k)).run(trace());
        assert!(optimal.misses <= lru.misses && optimal.compulsory == compulsory);
        assert_eq!(optimal.misses == compulsory, k == 40_000);
    }
}
