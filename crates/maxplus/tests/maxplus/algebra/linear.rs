//! Maps, residuals, fixed points and powers against their definitions.

use manycore_device::Device;
use manycore_maxplus::{Bound, Graph, LinearMap, MaxPlus, MaxPlusError};
use proptest::prelude::*;

use crate::common::{Random, any, without_positive_circuits};

fn vector(n: usize, seed: u64) -> Vec<Option<i64>> {
    let mut random = Random(seed);
    (0..n).map(|_| (random.below(4) > 0).then(|| random.between(-20, 20))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn maps_and_residuals(rows in 0usize..9, columns in 0usize..9, seed: u64) {
        let mut random = Random(seed);
        let mut entries = Vec::new();
        for row in 0..rows as u32 {
            for column in 0..columns as u32 {
                if random.below(2) == 0 {
                    entries.push((row, column, random.between(-9, 9)));
                }
            }
        }
        let map = LinearMap::new(rows, columns, &entries).unwrap();
        let x = vector(columns, seed ^ 1);
        let y = map.apply(&x).unwrap();
        for (row, y) in y.iter().enumerate() {
            let terms = entries.iter().filter(|entry| entry.0 as usize == row);
            let expected = terms.filter_map(|&(_, column, weight)| Some(weight + x[column as usize]?)).max();
            prop_assert_eq!(*y, expected);
        }
        // The residual of A x is no less than x, and A keeps it below A x.
        let bounds: Vec<Bound<i64>> = y.iter().map(|y| y.map_or(Bound::Epsilon, Bound::AtMost)).collect();
        let greatest = map.residual(&bounds).unwrap();
        for (x, bound) in x.iter().zip(&greatest) {
            match bound {
                Bound::Free => {}
                Bound::Epsilon => prop_assert_eq!(*x, None),
                Bound::AtMost(most) => prop_assert!(x.is_none_or(|x| x <= *most)),
            }
        }
        let back: Vec<Option<i64>> = greatest
            .iter()
            .map(|bound| match bound {
                Bound::AtMost(most) => Some(*most),
                Bound::Free => Some(1_000_000),
                Bound::Epsilon => None,
            })
            .collect();
        prop_assert_eq!(map.apply(&back).unwrap(), y);
    }

    #[test]
    fn fixed_points_are_the_star_times_the_vector(n in 0usize..20, percent in 0u64..101, seed: u64) {
        let graph = Graph::from_arcs(n, &without_positive_circuits(n, percent, seed)).unwrap();
        let b = vector(n, seed);
        let x = graph.solve(&b).unwrap();
        let star = MaxPlus::new(&Device::host()).star(&graph).unwrap();
        for (to, x) in x.iter().enumerate() {
            let expected = (0..n).filter_map(|from| Some(star.get(to, from)? + b[from]?)).max();
            prop_assert_eq!(*x, expected);
        }
        let again: Vec<Option<i64>> = LinearMap::of_graph(&graph).apply(&x).unwrap().into_iter().zip(&b).map(|(ax, &b)| ax.max(b)).collect();
        prop_assert_eq!(again, x);
    }

    #[test]
    fn powers_are_products(n in 0usize..8, percent in 0u64..101, seed: u64) {
        let graph = Graph::from_arcs(n, &any(n, percent, seed, (-9, 9))).unwrap();
        let mut power = graph.power(0).unwrap();
        for exponent in 0..6 {
            prop_assert_eq!(&graph.power(exponent).unwrap(), &power);
            let x = vector(n, seed);
            let mut y = x.clone();
            (0..exponent).for_each(|_| y = LinearMap::of_graph(&graph).apply(&y).unwrap());
            prop_assert_eq!(LinearMap::of_graph(&power).apply(&x).unwrap(), y);
            power = graph.product(&power).unwrap();
        }
    }
}

#[test]
fn wrong_maps_and_vectors_are_refused() {
    assert!(matches!(LinearMap::new(2, 2, &[(2, 0, 1)]), Err(MaxPlusError::Index { what: "row", index: 2, count: 2 })));
    assert!(matches!(LinearMap::new(2, 2, &[(0, 2, 1)]), Err(MaxPlusError::Index { what: "column", .. })));
    assert!(matches!(LinearMap::new(2, 2, &[(0, 1, f64::NAN)]), Err(MaxPlusError::Weight { from: 1, to: 0, .. })));
    let map = LinearMap::new(1, 2, &[(0, 0, i64::MAX - 1)]).unwrap();
    assert!(matches!(map.apply(&[None]), Err(MaxPlusError::Length { given: 1, expected: 2, .. })));
    assert!(matches!(map.apply(&[Some(2), None]), Err(MaxPlusError::Overflow { from: 0, to: 0, .. })));
    assert!(matches!(map.residual(&[Bound::AtMost(-3)]), Err(MaxPlusError::Overflow { from: 0, to: 0, .. })));
    let graph = Graph::from_arcs(2, &[(0, 1, 1), (1, 0, 0)]).unwrap();
    assert!(
        matches!(graph.solve(&[Some(0), None]), Err(MaxPlusError::PositiveCircuit { nodes, .. }) if nodes == [0, 1])
    );
    assert!(matches!(graph.solve(&[]), Err(MaxPlusError::Length { .. })));
    assert_eq!(graph.solve(&[None, None]).unwrap(), [None, None]);
}
