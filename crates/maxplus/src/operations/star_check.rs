//! The check of a star, or of columns of it: that no arc makes a path longer, and that each path is one of arcs.

use std::ops::Range;

use manycore_operation::verify::{CheckError, Outcome, Passed};
use manycore_semiring::operations::Infinities;

use super::graph::FileWeight;
use crate::graph::{Extremum, Graph};
use crate::potentials::DoubtfulCircuit;

/// The arcs as weights whose longest paths are wanted.
pub(super) fn longest<T: FileWeight>(graph: &Graph<T>, extremum: Extremum) -> Graph<T> {
    match extremum {
        Extremum::Maximum => graph.clone(),
        // Numbers stay numbers with the other sign.
        Extremum::Minimum => graph.map(|_, _, weight| weight.opposite()).unwrap_or_else(|_| graph.clone()),
    }
}

/// A circuit whose sign is in doubt, with the sum of its weights.
pub(super) fn doubtful<T: FileWeight>(graph: &Graph<T>, extremum: Extremum) -> Option<DoubtfulCircuit> {
    let found = longest(graph, extremum).doubtful_circuit()?;
    let sum = if extremum == Extremum::Minimum { -found.sum } else { found.sum };
    Some(DoubtfulCircuit { sum, ..found })
}

/// The entry of a path among longest ones, or among shortest ones.
pub(super) fn entry<T: FileWeight>(path: Option<T>, extremum: Extremum) -> T {
    match (path, extremum) {
        (None, extremum) => T::absent(extremum),
        (Some(path), Extremum::Maximum) => path,
        (Some(path), Extremum::Minimum) => path.opposite(),
    }
}

/// Tries every arc on these columns, given row after row, and whether they are weights of paths.
pub(super) fn check<T: FileWeight>(
    graph: &Graph<T>,
    extremum: Extremum,
    columns: Range<usize>,
    entries: &[T],
) -> Outcome {
    let (nodes, width, graph) = (graph.nodes(), columns.len(), longest(graph, extremum));
    if entries.len() != nodes * width {
        return Err(CheckError::Length { found: entries.len(), expected: nodes * width });
    }
    // As weights of longest paths; the infinity that no path has stays none of them.
    let path = |to: usize, place: usize| {
        let entry = entries[to * width + place];
        (entry != T::absent(extremum)).then(|| if extremum == Extremum::Minimum { entry.opposite() } else { entry })
    };
    let Some(index) = graph.wrong_column(columns.clone(), &path) else {
        return Ok(Passed::by_second_computation(match (extremum, graph.rounding() == 0.0) {
            (Extremum::Maximum, true) => "no arc makes a path longer, and each path is one of arcs",
            (Extremum::Minimum, true) => "no arc makes a path shorter, and each path is one of arcs",
            (Extremum::Maximum, false) => "longest paths in exact sums, within the rounding of the star's",
            (Extremum::Minimum, false) => "shortest paths in exact sums, within the rounding of the star's",
        }));
    };
    // The right column, for the message.
    let (place, bound) = (index - columns.start, graph.rounding());
    let wrong = |run: usize, expected: String| CheckError::Value {
        run,
        index,
        found: Infinities::Kept.text(entries[run * width + place]),
        expected,
    };
    let paths = graph.longest_from(index as u32).map_err(|error| wrong(index, error.to_string()))?;
    let off = |to: usize| match (path(to, place), paths.weight(to as u32)) {
        (Some(found), Some(expected)) if found.is_number() && bound > 0.0 => (found.real() - expected.real()).abs(),
        (found, expected) => {
            if found == expected {
                0.0
            } else {
                f64::INFINITY
            }
        }
    };
    let to = (0..nodes).max_by(|&a, &b| off(a).total_cmp(&off(b)).then(b.cmp(&a))).unwrap_or(index);
    Err(wrong(to, Infinities::Kept.text(entry(paths.weight(to as u32), extremum))))
}
