//! Graphs from arcs, matrices and compressed columns, and what is refused.

use manycore_maxplus::{Extremum, Graph, MaxPlusError};
use manycore_semiring::Matrix;

#[test]
fn a_graph_is_the_same_from_all_forms() {
    let e = i64::MIN;
    let arcs = [(1, 0, 4), (0, 0, -1), (1, 0, 2), (0, 2, 0), (2, 1, 7)];
    let graph = Graph::from_arcs(3, &arcs).unwrap();
    let dense = [-1, 4, e, e, e, 7, 0, e, e];
    assert_eq!(Graph::from_dense(3, &dense, e).unwrap(), graph);
    assert_eq!(Graph::from_matrix(&Matrix::stored(3, 3, &dense).unwrap(), e).unwrap(), graph);
    let sparse = Matrix::rows(3, 3, (&[0, 2, 3, 4], &[0, 1, 2, 0], &[-1, 4, 7, 0]), e).unwrap();
    assert_eq!(Graph::from_matrix(&sparse, e).unwrap(), graph);
    let (offsets, rows, entries) = graph.compressed();
    assert_eq!(Graph::from_compressed(offsets, rows, entries).unwrap(), graph);
    // An entry that is epsilon is no arc, one that is 0 is.
    assert_eq!(Graph::from_compressed(&[0, 3, 4, 5], &[0, 1, 2, 0, 1], &[-1, e, 0, 4, 7]).unwrap(), graph);
    assert_eq!(graph.reversed().reversed(), graph);
    assert_eq!(graph.reversed().weight(0, 1), Some(4));
    assert_eq!((graph.weight(1, 0), graph.weight(0, 1), graph.weight(9, 9)), (Some(4), None, None));
    assert_eq!(Graph::from_arcs_with(Extremum::Minimum, 3, &arcs).unwrap().weight(1, 0), Some(2));
    assert_eq!(graph.components(), [[0, 1, 2]]);
}

#[test]
fn wrong_graphs_are_refused() {
    let refused = |arcs: &[(u32, u32, f64)]| Graph::from_arcs(3, arcs).unwrap_err().to_string();
    assert_eq!(refused(&[(0, 1, 1.0), (0, 3, 1.0)]), "arc 1 goes from node 0 to node 3 of 3 nodes, numbered from 0");
    let infinite = "infinite: -inf is no arc where paths are to be long, inf where they are to be short";
    for (weight, text) in [
        (f64::NAN, "NaN, which is no number".to_owned()),
        (f64::INFINITY, format!("inf, which is {infinite}")),
        (f64::NEG_INFINITY, format!("-inf, which is {infinite}")),
    ] {
        assert_eq!(refused(&[(0, 1, weight)]), format!("the arc from node 0 to node 1 has the weight {text}"));
    }
    assert!(matches!(Graph::from_arcs(2, &[(0, 1, i32::MAX)]), Err(MaxPlusError::Weight { .. })));
    assert!(matches!(Graph::from_arcs(1 << 40, &[] as &[(u32, u32, i32)]), Err(MaxPlusError::TooManyNodes { .. })));
    assert!(matches!(Graph::from_dense(2, &[0; 3], i32::MIN), Err(MaxPlusError::Length { given: 3, expected: 4, .. })));
    assert!(matches!(Graph::from_dense(1, &[f32::NAN], f32::NEG_INFINITY), Err(MaxPlusError::Weight { .. })));
    let oblong = Matrix::stored(1, 2, &[1, 2]).unwrap();
    assert!(matches!(Graph::from_matrix(&oblong, i32::MIN), Err(MaxPlusError::Length { .. })));
    let compressed =
        |offsets: &[usize], rows: &[u32], entries: &[i32]| match Graph::from_compressed(offsets, rows, entries) {
            Err(MaxPlusError::Compressed { column, .. }) => column,
            other => panic!("{other:?}"),
        };
    assert_eq!(compressed(&[], &[], &[]), 0);
    assert_eq!(compressed(&[1, 1], &[0], &[1]), 0);
    assert_eq!(compressed(&[0, 2, 1, 3], &[0, 1, 2], &[1, 1, 1]), 1);
    assert_eq!(compressed(&[0, 2, 9, 3], &[0, 1, 2], &[1, 1, 1]), 1);
    assert_eq!(compressed(&[0, 1, 2], &[0, 2], &[1, 1]), 1);
    assert_eq!(compressed(&[0, 2, 2], &[1, 0], &[1, 1]), 0);
    assert_eq!(compressed(&[0, 2, 2], &[1, 1], &[1, 1]), 0);
    assert_eq!(compressed(&[0, 1, 2], &[0, 1], &[1]), 2);
}

#[test]
fn circuits_are_told_where_there_may_be_none() {
    let circuit =
        |nodes: usize, arcs: &[(u32, u32, i32)]| match Graph::from_arcs(nodes, arcs).unwrap().topological_order() {
            Err(MaxPlusError::Cycle { nodes }) => nodes,
            other => panic!("{other:?}"),
        };
    assert_eq!(circuit(2, &[(0, 1, 1), (1, 1, 1)]), [1]);
    let mut found = circuit(6, &[(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 1, 1), (3, 4, 1), (4, 5, 1)]);
    let first = found.iter().position(|&node| node == 1).unwrap();
    found.rotate_left(first);
    assert_eq!(found, [1, 2, 3]);
    let levels = Graph::from_arcs(5, &[(4, 1, 1), (4, 0, 1), (0, 3, 2), (4, 3, 1)]).unwrap().levels().unwrap();
    assert_eq!(levels, [vec![2, 4], vec![0, 1], vec![3]]);
    assert!(Graph::<i32>::from_arcs(0, &[]).unwrap().levels().unwrap().is_empty());
}

#[test]
fn dense_matrices_of_any_order_are_graphs() {
    for nodes in [0usize, 1, 15, 16, 17, 40] {
        let arc = |from: usize, to: usize| ((from * 7 + to * 13) % 5 > 1).then_some((from * nodes + to) as i32);
        let entries: Vec<i32> = (0..nodes * nodes).map(|at| arc(at % nodes, at / nodes).unwrap_or(i32::MIN)).collect();
        let pairs = (0..nodes * nodes).map(|at| (at / nodes, at % nodes));
        let arcs: Vec<(u32, u32, i32)> =
            pairs.filter_map(|(from, to)| Some((from as u32, to as u32, arc(from, to)?))).collect();
        let graph = Graph::from_dense(nodes, &entries, i32::MIN).unwrap();
        assert_eq!(graph, Graph::from_arcs(nodes, &arcs).unwrap(), "{nodes}");
    }
}
