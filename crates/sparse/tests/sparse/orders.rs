//! Orders of rows and columns: against the slow definition, as permutations, and by what they do to known matrices.

use crate::common::{any_matrix, laplacian, matrix, pattern, uniform};
use manycore_model::cache::Geometry;
use manycore_sparse::{
    ColumnPermutation, GrayOptions, GrayOrder, OrderMethod, Pattern, Policy, RowPermutation, misses, reference, reorder,
};
use proptest::prelude::*;

fn as_indices(permutation: &[u32]) -> Vec<usize> {
    permutation.iter().map(|&index| index as usize).collect()
}

proptest! {
    #[test]
    fn every_order_is_a_bijection_that_moves_entries(matrix in any_matrix(), seed in any::<u64>()) {
        let pattern = pattern(&matrix);
        for method in OrderMethod::ALL.into_iter().chain([OrderMethod::Random { seed }]) {
            let order = reorder(&pattern, &method).unwrap();
            prop_assert_eq!(&order, &reorder(&pattern, &method).unwrap(), "deterministic");
            prop_assert!(RowPermutation::from_new_to_old(order.rows.new_to_old().to_vec()).is_ok());
            prop_assert!(ColumnPermutation::from_new_to_old(order.columns.new_to_old().to_vec()).is_ok());
            prop_assert_eq!((order.rows.len(), order.columns.len()), matrix.shape());
            let ordered = order.apply(matrix.view()).unwrap();
            prop_assert_eq!(ordered.nnz(), matrix.nnz());
            for (value, (row, column)) in &ordered {
                let (row, column) = (order.rows.new_to_old()[row], order.columns.new_to_old()[column]);
                prop_assert_eq!(matrix.get(row as usize, column as usize), Some(value));
            }
            prop_assert_eq!(&order.apply_to_pattern(&pattern).unwrap(), &Pattern::of(ordered.view()).unwrap());
            prop_assert_eq!(&order.apply(matrix.to_csc().view()).unwrap().to_csr(), &ordered);
            prop_assert_eq!(&order.inverse().apply(ordered.view()).unwrap(), &matrix);
            prop_assert!(order.then(&order.inverse()).unwrap().is_identity());
        }
    }

    #[test]
    fn the_gray_order_is_that_of_the_slow_definition(
        matrix in any_matrix(),
        b in prop_oneof![1usize..6, Just(100usize)],
        t in prop_oneof![Just(0.9), Just(0.5), Just(0.999)],
    ) {
        let pattern = pattern(&matrix);
        let options = GrayOptions { merged_rows: Some(b), enough_classes: t, ..GrayOptions::DEFAULT };
        let order = GrayOrder::new(&pattern, &options).unwrap();
        let (rows, columns) = reference::gray_order(&pattern, b, t);
        prop_assert_eq!(as_indices(order.reordering.rows.new_to_old()), rows);
        prop_assert_eq!(as_indices(order.reordering.columns.new_to_old()), columns);
        let classes = order.classify(&pattern).unwrap();
        prop_assert_eq!(classes.classes().len(), pattern.non_zeros());
        prop_assert!(classes.alpha + classes.beta + classes.delta >= classes.covered());
        prop_assert!(classes.beta <= pattern.columns());
        let not_empty = (0..pattern.columns()).filter(|&c| !pattern.transposed().row(c).is_empty()).count();
        prop_assert!(classes.alpha >= not_empty && classes.alpha <= pattern.non_zeros());
    }
}

proptest! {
    #[test]
    fn cuthill_mckee_is_that_of_the_slow_definition(matrix in any_matrix(), mirror: bool) {
        let mut given = pattern(&matrix);
        if mirror {
            let size = given.rows().max(given.columns());
            let mut rows = vec![std::collections::BTreeSet::new(); size];
            for (row, columns) in given.iter().enumerate() {
                for &column in columns {
                    rows[row].insert(column as usize);
                    rows[column as usize].insert(row);
                }
            }
            let lists: Vec<Vec<usize>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
            given = pattern(&crate::common::matrix(&lists, size));
        }
        let order = reorder(&given, &OrderMethod::ReverseCuthillMckee).unwrap();
        let (rows, columns) = reference::reverse_cuthill_mckee(&given);
        prop_assert_eq!(as_indices(order.rows.new_to_old()), rows);
        prop_assert_eq!(as_indices(order.columns.new_to_old()), columns);
    }
}

#[test]
fn permutations_compose_in_turn() {
    let one = RowPermutation::from_new_to_old(vec![2, 0, 1, 3]).unwrap();
    let two = RowPermutation::from_new_to_old(vec![3, 2, 0, 1]).unwrap();
    let vector = [10, 11, 12, 13];
    let in_turn = two.apply(&one.apply(&vector).unwrap()).unwrap();
    assert_eq!(one.then(&two).unwrap().apply(&vector).unwrap(), in_turn);
    assert_eq!(one.then(&two).unwrap().undo(&in_turn).unwrap(), vector);
}

/// Table 6.6 of the specification: random orders drawn anew, so that counts are near the printed ones.
#[test]
fn misses_of_the_laplacian_are_those_of_the_specification() {
    let given = laplacian(256);
    let geometry = Geometry::with_lines(182, 8).unwrap();
    let count = |pattern: &Pattern| misses(pattern, geometry, Policy::Optimal).misses;
    let given = pattern(&given);
    assert_eq!(misses(&given, geometry, Policy::Optimal).misses, 8192);
    let order =
        |pattern: &Pattern, method: &OrderMethod| reorder(pattern, method).unwrap().apply_to_pattern(pattern).unwrap();
    let near = |count: u64, specified: u64| {
        assert!((count as f64 / specified as f64 - 1.0).abs() < 0.02, "{count} misses, {specified} specified");
    };
    let random = order(&given, &OrderMethod::Random { seed: 7 });
    near(count(&random), 263_277);
    let gray = GrayOrder::new(&random, &GrayOptions::DEFAULT).unwrap();
    let ordered = gray.reordering.apply_to_pattern(&random).unwrap();
    near(count(&ordered), 102_140);
    // Section 6.4: alpha, beta, delta for each column, and what the three cover.
    let classes = gray.classify(&random).unwrap();
    let part = |count: usize, of: usize| count as f64 / of as f64;
    for (found, specified) in [(classes.alpha, 1.01), (classes.beta, 1.00), (classes.delta, 1.16)] {
        let found = part(found, 1 << 16);
        assert!((found - specified).abs() < 0.02, "{found}, {specified} specified");
    }
    assert!((part(classes.covered(), random.non_zeros()) - 0.63).abs() < 0.02);
    let cuthill_mckee = order(&random, &OrderMethod::ReverseCuthillMckee);
    assert!(count(&cuthill_mckee) < 8400);
    // The natural order is as good after the Gray code.
    assert_eq!(count(&order(&given, &OrderMethod::GrayCode(GrayOptions::DEFAULT))), 8192);
}

#[test]
fn uniform_matrices_gain_what_the_specification_says() {
    let pattern = pattern(&uniform(65_536, 65_536, 5, 3));
    let geometry = Geometry::with_lines(182, 8).unwrap();
    let before = misses(&pattern, geometry, Policy::Optimal).misses as f64;
    let order = reorder(&pattern, &OrderMethod::GrayCode(GrayOptions::DEFAULT)).unwrap();
    let after = misses(&order.apply_to_pattern(&pattern).unwrap(), geometry, Policy::Optimal).misses as f64;
    assert!((before / 263_289.0 - 1.0).abs() < 0.02, "{before}");
    assert!((after / 159_397.0 - 1.0).abs() < 0.02, "{after}");
}

#[test]
fn cuthill_mckee_gives_symmetric_patterns_one_order() {
    let given = pattern(&laplacian(9));
    let symmetric = OrderMethod::Random { seed: 5 };
    let rows = reorder(&given, &symmetric).unwrap().rows.new_to_old().to_vec();
    let both = manycore_sparse::Reordering {
        rows: RowPermutation::from_new_to_old(rows.clone()).unwrap(),
        columns: ColumnPermutation::from_new_to_old(rows).unwrap(),
    };
    let shuffled = both.apply_to_pattern(&given).unwrap();
    let order = reorder(&shuffled, &OrderMethod::ReverseCuthillMckee).unwrap();
    assert_eq!(order.rows.new_to_old(), order.columns.new_to_old());
    let ordered = order.apply_to_pattern(&shuffled).unwrap();
    let bandwidth = |pattern: &Pattern| {
        let rows = pattern.iter().enumerate();
        rows.flat_map(|(row, columns)| columns.iter().map(move |&column| row.abs_diff(column as usize))).max()
    };
    assert_eq!(bandwidth(&given), Some(9));
    assert!(bandwidth(&shuffled) > Some(40));
    assert!(bandwidth(&ordered) <= Some(9));
}

#[test]
fn shapes_without_entries_have_every_order() {
    for shape in [(0, 0), (0, 5), (5, 0), (1, 1), (3, 2)] {
        let pattern = pattern(&matrix(&vec![Vec::new(); shape.0], shape.1));
        for method in OrderMethod::ALL {
            let order = reorder(&pattern, &method).unwrap();
            assert_eq!((order.rows.len(), order.columns.len()), shape);
        }
    }
}
