//! Bounds and rules of the arcs of a graph.

/// The most nodes of a graph.
pub const MOST_NODES: usize = i32::MAX as usize;

/// Which of parallel arcs counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Extremum {
    /// The largest weight: longest paths.
    #[default]
    Maximum,
    /// The smallest weight: shortest paths.
    Minimum,
}
