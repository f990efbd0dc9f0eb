//! The definition (paper 004, section 2, corrected for circuits): `X* = e + X + ... + X^(n - 1)`, `n - 1` products of matrices of
//! options, exactly.

use crate::error::MaxPlusError;
use crate::exact::positive;
use crate::graph::Graph;
use crate::weight::Weight;

/// The Kleene star of a graph by its powers, row after row; `None` is epsilon. `O(n^4)`: a specification, and an oracle for tests.
///
/// # Errors
/// [`MaxPlusError::PositiveCircuit`], without its nodes, where powers from the `n`-th on are longer; [`MaxPlusError::Overflow`] where a
/// path's weight is no number of the type.
pub fn star<T: Weight>(graph: &Graph<T>) -> Result<Vec<Option<T>>, MaxPlusError> {
    let n = graph.nodes();
    let mut sum: Vec<Option<T>> = (0..n * n).map(|at| (at / n == at % n).then_some(T::ZERO)).collect();
    let mut power = sum.clone();
    for step in 0..=n {
        let mut next = vec![None; n * n];
        for (from, to, weight) in graph.arcs() {
            let (from, to) = (from as usize, to as usize);
            for column in 0..n {
                let Some(path) = power[from * n + column] else { continue };
                let overflow = MaxPlusError::overflow(column as u32, to as u32);
                let path = path.checked_sum(weight).ok_or(overflow)?;
                let entry = &mut next[to * n + column];
                *entry = Some(entry.map_or(path, |entry: T| entry.longer(path)));
            }
        }
        power = next;
        for (entry, path) in sum.iter_mut().zip(&power) {
            match (*entry, *path) {
                (None, Some(path)) => *entry = Some(path),
                (Some(old), Some(path)) if path > old => {
                    // Paths of n arcs and more have a circuit.
                    if step + 1 >= n {
                        return Err(positive(graph, Vec::new()));
                    }
                    *entry = Some(path);
                }
                _ => {}
            }
        }
    }
    Ok(sum)
}
