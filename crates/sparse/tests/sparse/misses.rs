//! Predicted misses: known traces, samples against exact counts, and advice on matrices whose best order is known.

use crate::common::{any_matrix, laplacian, matrix, pattern, uniform};
use manycore_model::cache::Geometry;
use manycore_sparse::{
    AdviceOptions, OrderMethod, Policy, Prediction, advise, misses, misses_within, reference, reorder, sampled_misses,
};
use proptest::prelude::*;

fn exact(trace: &[usize], lines: u64, policy: Policy) -> u64 {
    let rows: Vec<Vec<usize>> = trace.iter().map(|&column| vec![column]).collect();
    let pattern = pattern(&matrix(&rows, 5));
    misses(&pattern, Geometry::with_lines(lines, 1).unwrap(), policy).misses
}

/// The vectors of section 6.7 of the specification, which brute force agrees with.
#[test]
fn known_traces() {
    let trace = [0, 1, 2, 0, 1, 3, 0, 1];
    assert_eq!([2, 3].map(|lines| exact(&trace, lines, Policy::Optimal)), [6, 4]);
    let trace = [0, 1, 2, 3, 0, 1, 4, 0, 1, 2, 3, 4];
    assert_eq!([3, 4].map(|lines| exact(&trace, lines, Policy::Optimal)), [7, 6]);
    // Belady's anomaly needs first in, first out; least recently used misses all of the first seven on three lines.
    assert_eq!([3, 4].map(|lines| exact(&trace, lines, Policy::LeastRecentlyUsed)), [10, 8]);
}

#[test]
fn samples_are_near_the_exact_counts() {
    let pattern = pattern(&uniform(40_000, 40_000, 6, 11));
    let geometry = Geometry::with_lines(1024, 8).unwrap();
    for policy in [Policy::Optimal, Policy::LeastRecentlyUsed] {
        let exact = misses(&pattern, geometry, policy);
        assert_eq!(sampled_misses(&pattern, geometry, policy, 0).unwrap(), exact);
        let sampled = sampled_misses(&pattern, geometry, policy, 3).unwrap();
        let near = |a: u64, b: u64| (a as f64 / b as f64 - 1.0).abs() < 0.1;
        assert!(near(sampled.misses, exact.misses), "{sampled:?} {exact:?}");
        assert!(near(sampled.accesses, exact.accesses) && near(sampled.compulsory, exact.compulsory));
        assert_eq!(misses_within(&pattern, geometry, policy, 30_001).unwrap(), sampled);
        assert_eq!(misses_within(&pattern, geometry, policy, 240_000).unwrap(), exact);
    }
    assert!(sampled_misses(&pattern, geometry, Policy::Optimal, 11).is_err());
    assert!(sampled_misses(&pattern, geometry, Policy::Optimal, 200).is_err());
}

#[test]
fn advice_leaves_good_orders_alone() {
    let given = pattern(&laplacian(64));
    // 128 lines of 64 bytes; a slow memory, so that reordering is cheap beside a product.
    let options = AdviceOptions::new((8192, 64, 8), 1_000_000, 1e6).unwrap();
    let advice = advise(&given, &options).unwrap();
    assert!(advice.recommended.is_none(), "{:?}", advice.considered);
    assert_eq!(advice.given.misses, advice.given.compulsory);

    let random = reorder(&given, &OrderMethod::Random { seed: 1 }).unwrap().apply_to_pattern(&given).unwrap();
    let advice = advise(&random, &options).unwrap();
    let (place, order) = advice.recommended.unwrap();
    let taken = advice.considered[place];
    assert_eq!(taken.method, OrderMethod::ReverseCuthillMckee);
    assert!(taken.products_to_pay.is_some_and(|products| products > 0 && products <= 1_000_000));
    let ordered = order.apply_to_pattern(&random).unwrap();
    let after = misses(&ordered, options.cache, options.policy);
    assert_eq!(Prediction::new(&random, options.cache, 8, advice.given, after), taken.prediction);

    // One product does not pay for any order.
    let once = AdviceOptions { products: 0, ..options };
    assert!(advise(&random, &once).unwrap().recommended.is_none());
}

proptest! {
    #[test]
    fn counts_are_those_of_the_slow_definition(matrix in any_matrix(), lines in 1u64..6, words in 1u64..4) {
        let (pattern, geometry) = (pattern(&matrix), Geometry::with_lines(lines, words).unwrap());
        for policy in [Policy::Optimal, Policy::LeastRecentlyUsed] {
            prop_assert_eq!(misses(&pattern, geometry, policy).misses, reference::misses(&pattern, geometry, policy));
        }
    }
}
