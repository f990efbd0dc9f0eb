//! Generalized products of dense matrices, and longest paths between all pairs of nodes.

use anyhow::Result;
use manycore_device::Device;
use manycore_expressions::{Elements, Function, Value};
use manycore_maxplus::{Graph, MaxPlus, Star};
use manycore_semiring::{DeviceMatrix, Matrix, Products, Semiring};

use super::case::{Case, Extent, Work, work};
use crate::data;

pub(super) fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for n in extent.of(&[128], &[256, 512], &[1024, 4096]) {
        cases.push(beside_tropical(
            product("max-plus f32", n, Semiring::max_plus, |x| x as f32, |a, b| a + b, f32::max),
            n,
        ));
        cases.push(product("max-plus i32", n, Semiring::wrapping_max_plus, |x| x as i32, |a, b| a + b, i32::max));
        cases.push(product("plus-times f32", n, Semiring::plus_times, |x| x as f32, |a, b| a * b, |a, b| a + b));
        // An operator that a user wrote.
        let distance = || {
            let distance = Function::new(|(a, b): (Value<f32>, Value<f32>)| (a - b).abs())?;
            let sum = Function::new(|(a, b): (Value<f32>, Value<f32>)| a + b)?;
            Semiring::new(distance, sum, 0.0)
        };
        cases.push(product("distance f32", n, distance, |x| x as f32, |a, b| (a - b).abs(), |a, b| a + b));
    }
    for nodes in extent.of(&[300], &[300, 1000], &[1000, 4096]) {
        cases.push(acyclic_star(nodes));
        cases.push(closure(nodes));
    }
    cases
}

/// Entries below 64, so that sums of a few thousand products are exact in every type.
fn drawn<T>(n: usize, seed: u64, number: fn(u64) -> T) -> Vec<T> {
    data::residues(n * n, 61, seed).into_iter().map(number).collect()
}

/// Whether 64 entries of a product are those of the definition.
fn is_product<T: Copy + PartialEq>(
    n: usize,
    (a, b): (&[T], &[T]),
    entries: &[T],
    product: impl Fn(T, T) -> T,
    sum: impl Fn(T, T) -> T,
) -> bool {
    let places = data::residues(64, (n * n) as u64, 9);
    entries.len() == n * n
        && places.into_iter().all(|place| {
            let (i, j) = (place as usize / n, place as usize % n);
            let terms = (0..n).map(|k| product(a[i * n + k], b[k * n + j]));
            terms.reduce(&sum) == Some(entries[i * n + j])
        })
}

fn product<T: Elements + Copy + PartialEq + 'static>(
    element: &'static str,
    n: usize,
    semiring: impl Fn() -> Result<Semiring<T, T, T>, manycore_semiring::SemiringError> + 'static,
    number: fn(u64) -> T,
    times: fn(T, T) -> T,
    plus: fn(T, T) -> T,
) -> Case {
    Case::new(
        ("semiring", element),
        (n, format!("order {n}")),
        (3 * n * n * size_of::<T>() / 2, 2.0 * (n as f64).powi(3)),
        "64 entries equal to the definition",
        move |device| {
            let products = Products::new(device);
            let (a, b) = (drawn(n, 1, number), drawn(n, 2, number));
            let resident = |entries: &[T]| products.upload(&Matrix::stored(n as u64, n as u64, entries)?);
            let (left, right) = (resident(&a)?, resident(&b)?);
            Ok(work(
                (products, semiring()?, left, right, None::<DeviceMatrix<T>>),
                |(products, semiring, left, right, result)| {
                    *result = Some(products.multiply(semiring, left, right)?);
                    Ok(())
                },
                move |(.., result)| {
                    let Some(result) = result else { return Ok(false) };
                    Ok(is_product(n, (&a, &b), &result.download()?.entries(), times, plus))
                },
            ))
        },
    )
}

#[cfg(feature = "tropical-gemm")]
fn beside_tropical(case: Case, n: usize) -> Case {
    use tropical_gemm::{TropicalMaxPlus, tropical_matmul};

    case.beside("tropical-gemm 0.4.0", false, move || {
        let (a, b) = (drawn(n, 1, |x| x as f32), drawn(n, 2, |x| x as f32));
        Ok(work(
            (a, b, Vec::new()),
            move |(a, b, result)| {
                let product = tropical_matmul::<TropicalMaxPlus<f32>>(a, n, n, b, n);
                *result = product.into_iter().map(|entry| entry.0).collect::<Vec<f32>>();
                Ok(())
            },
            move |(a, b, result)| Ok(is_product(n, (a, b), result, |a, b| a + b, f32::max)),
        ))
    })
}

#[cfg(not(feature = "tropical-gemm"))]
fn beside_tropical(case: Case, _n: usize) -> Case {
    case
}

/// The star as a case: whole, in the host's memory, as users have it.
fn star(
    element: &'static str,
    nodes: usize,
    what: &str,
    graph: impl Fn() -> Result<Graph<i32>> + Copy + 'static,
) -> Case {
    Case::new(
        ("maxplus-star", element),
        (nodes, format!("{nodes} nodes, {what}")),
        (nodes * nodes * 4, 2.0 * (nodes as f64).powi(3)),
        "two columns equal to the longest paths from a node, by Bellman and Ford",
        move |device: &Device| -> Result<Box<dyn Work>> {
            Ok(work(
                (MaxPlus::<i32>::new(device), graph()?, None::<Star<i32>>),
                |(max_plus, graph, star)| {
                    *star = Some(max_plus.star(graph)?);
                    Ok(())
                },
                move |(_, graph, star)| {
                    let Some(star) = star else { return Ok(false) };
                    for source in [0, nodes / 2] {
                        let paths = graph.longest_from(source as u32)?;
                        if (0..nodes).any(|to| star.get(to, source) != paths.weight(to as u32)) {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                },
            ))
        },
    )
}

/// A graph without circuits, of half of the arcs that such a one can have, its nodes numbered at random: the shape of paper 004.
fn acyclic_star(nodes: usize) -> Case {
    star("i32 acyclic", nodes, "half of the arcs", move || {
        let places = data::residues(nodes, 1 << 40, 5);
        let mut names: Vec<u32> = (0..nodes as u32).collect();
        for i in (1..nodes).rev() {
            names.swap(i, places[i] as usize % (i + 1));
        }
        let drawn = data::residues(nodes * nodes, 1 << 20, 6);
        let pairs = (1..nodes).flat_map(|to| (0..to).map(move |from| (to, from)));
        let arcs: Vec<(u32, u32, i32)> = pairs
            .filter(|&(to, from)| from + 1 == to || drawn[to * nodes + from].is_multiple_of(2))
            .map(|(to, from)| (names[from], names[to], (drawn[to * nodes + from] / 2 % 1000) as i32))
            .collect();
        Ok(Graph::from_arcs(nodes, &arcs)?)
    })
}

/// Arcs between all pairs with weights below zero.
fn weights(nodes: usize) -> Vec<(u32, u32, i32)> {
    let drawn = data::residues(nodes * nodes, 1000, 8);
    let pairs = (0..nodes).flat_map(|to| (0..nodes).map(move |from| (to, from)));
    pairs.map(|(to, from)| (from as u32, to as u32, -(drawn[to * nodes + from] as i32))).collect()
}

/// A graph with every arc, none of weight above zero: all shortest paths, by another sign.
fn closure(nodes: usize) -> Case {
    let case = star("i32 dense", nodes, "all arcs", move || Ok(Graph::from_arcs(nodes, &weights(nodes))?));
    beside_petgraph(case, nodes)
}

#[cfg(feature = "petgraph")]
fn beside_petgraph(case: Case, nodes: usize) -> Case {
    use petgraph::algo::floyd_warshall;
    use petgraph::graph::{DiGraph, NodeIndex};

    case.beside("petgraph 0.8 floyd_warshall", false, move || {
        let mut graph = DiGraph::<(), i32>::with_capacity(nodes, nodes * nodes);
        for _ in 0..nodes {
            graph.add_node(());
        }
        for (from, to, weight) in weights(nodes) {
            graph.add_edge(NodeIndex::new(from as usize), NodeIndex::new(to as usize), -weight);
        }
        let ours = Graph::from_arcs(nodes, &weights(nodes))?;
        Ok(work(
            (graph, None),
            |(graph, paths)| {
                *paths = floyd_warshall(&*graph, |edge| *edge.weight()).ok();
                Ok(())
            },
            move |(_, paths)| {
                let Some(paths) = paths else { return Ok(false) };
                let longest = ours.longest_from(0)?;
                let is_equal = |to: usize| {
                    let shortest = paths.get(&(NodeIndex::new(0), NodeIndex::new(to)));
                    longest.weight(to as u32) == shortest.map(|length| -length)
                };
                Ok((0..nodes).all(is_equal))
            },
        ))
    })
}

#[cfg(not(feature = "petgraph"))]
fn beside_petgraph(case: Case, _nodes: usize) -> Case {
    case
}
