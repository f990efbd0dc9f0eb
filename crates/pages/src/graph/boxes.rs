//! The boxes of a graph, and its edges.

/// A box of a graph.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) cost: String,
    pub(super) strong: bool,
}

/// A graph whose edges go from earlier boxes to later ones.
#[derive(Debug, Clone)]
pub struct Graph {
    pub(super) title: String,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<(usize, usize)>,
}

impl Graph {
    /// A graph without boxes.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), nodes: Vec::new(), edges: Vec::new() }
    }

    /// One more box with a name and a line on its cost, after the boxes with these numbers from 0; those that are not there yet are
    /// left out. `strong` boxes stand out.
    #[must_use]
    pub fn node(
        mut self,
        name: impl Into<String>,
        cost: impl Into<String>,
        strong: bool,
        after: impl IntoIterator<Item = usize>,
    ) -> Self {
        let at = self.nodes.len();
        let mut after: Vec<usize> = after.into_iter().filter(|&from| from < at).collect();
        after.sort_unstable();
        after.dedup();
        self.edges.extend(after.into_iter().map(|from| (from, at)));
        self.nodes.push(Node { name: name.into(), cost: cost.into(), strong });
        self
    }
}
