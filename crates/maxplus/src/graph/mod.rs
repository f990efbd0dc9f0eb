//! Weighted graphs as sparse max-plus matrices in compressed columns (paper 004, section 3: CCS): column `l` lists the successors of
//! node `l`, and an arc from `j` to `i` of weight `w` is entry `(i, j)`.

pub(crate) mod arcs;
pub(crate) mod components;
mod dense;
mod order;
mod rounding;

use std::sync::{Mutex, PoisonError};

use manycore_semiring::Matrix;

use crate::error::MaxPlusError;
use crate::team::on_host;
use crate::weight::Weight;

pub(crate) use order::{Relabelled, follow};

pub use arcs::{Extremum, MOST_NODES};

/// Weights from which on all processors are worth waking, and that one takes at a time.
const LONG: usize = 1 << 18;

/// A directed graph with weights on its arcs: at most one arc for each ordered pair of nodes; loops are arcs, too.
///
/// ```
/// use manycore_maxplus::Graph;
/// let graph = Graph::from_arcs(3, &[(0, 1, 3), (0, 2, 1), (1, 2, 4), (1, 2, 2)])?;
/// assert_eq!(graph.compressed(), (&[0, 2, 3, 3][..], &[1, 2, 2][..], &[3, 1, 4][..]));
/// assert_eq!(graph.topological_order()?, [0, 1, 2]);
/// # Ok::<(), manycore_maxplus::MaxPlusError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph<T> {
    offsets: Vec<usize>,
    targets: Vec<u32>,
    weights: Vec<T>,
}

impl<T: Weight> Graph<T> {
    /// A graph of arcs `(from, to, weight)` between `nodes` nodes, numbered from 0; of parallel arcs the heaviest counts. An arc of
    /// weight 0 is an arc. `O(m + n)` and the sorting of each node's arcs.
    ///
    /// # Errors
    /// [`MaxPlusError::Node`] and [`MaxPlusError::Weight`] with the first arc that is wrong, [`MaxPlusError::TooManyNodes`].
    pub fn from_arcs(nodes: usize, arcs: &[(u32, u32, T)]) -> Result<Self, MaxPlusError> {
        Self::from_arcs_with(Extremum::Maximum, nodes, arcs)
    }

    /// [`Graph::from_arcs`] that keeps the heaviest or the lightest of parallel arcs.
    ///
    /// # Errors
    /// As [`Graph::from_arcs`].
    #[inline(never)]
    pub fn from_arcs_with(extremum: Extremum, nodes: usize, arcs: &[(u32, u32, T)]) -> Result<Self, MaxPlusError> {
        check_nodes(nodes)?;
        for (arc, &(from, to, weight)) in arcs.iter().enumerate() {
            if from as usize >= nodes || to as usize >= nodes {
                return Err(MaxPlusError::Node { arc, from, to, nodes });
            }
            check_weight(from, to, weight)?;
        }
        let mut offsets = vec![0usize; nodes + 1];
        for &(from, ..) in arcs {
            offsets[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            offsets[node + 1] += offsets[node];
        }
        let mut next = offsets.clone();
        let mut all = vec![(0u32, T::ZERO); arcs.len()];
        for &(from, to, weight) in arcs {
            let place = &mut next[from as usize];
            all[*place] = (to, weight);
            *place += 1;
        }
        let mut graph = Self { offsets: vec![0], targets: Vec::new(), weights: Vec::new() };
        graph.offsets.reserve(nodes);
        for node in 0..nodes {
            let own = &mut all[offsets[node]..offsets[node + 1]];
            own.sort_by_key(|&(to, _)| to);
            graph.push_column(own, extremum);
        }
        Ok(graph)
    }

    /// Appends a column of ascending targets, of which neighbours may be the same.
    fn push_column(&mut self, own: &[(u32, T)], extremum: Extremum) {
        let begin = self.targets.len();
        for &(to, weight) in own {
            // Zero has one sign, so that maxima have the same bits in any order.
            let weight = weight.plus(T::ZERO);
            match self.weights.last_mut() {
                Some(last) if self.targets.len() > begin && self.targets.last() == Some(&to) => {
                    let is_better = match extremum {
                        Extremum::Maximum => weight > *last,
                        Extremum::Minimum => weight < *last,
                    };
                    if is_better {
                        *last = weight;
                    }
                }
                _ => {
                    self.targets.push(to);
                    self.weights.push(weight);
                }
            }
        }
        self.offsets.push(self.targets.len());
    }

    /// A graph of a matrix in compressed columns: offsets of each column and the end, ascending rows in each, and the entries; those
    /// equal to epsilon, [`Tropical::LOWEST`](manycore_field::Tropical::LOWEST), are left out.
    ///
    /// # Errors
    /// [`MaxPlusError::Compressed`] with the column that is out of order or range, [`MaxPlusError::Weight`].
    #[inline(never)]
    pub fn from_compressed(offsets: &[usize], rows: &[u32], entries: &[T]) -> Result<Self, MaxPlusError> {
        let wrong = |column: usize, what: String| Err(MaxPlusError::Compressed { column, what });
        let Some(nodes) = offsets.len().checked_sub(1).filter(|_| offsets[0] == 0) else {
            return wrong(0, format!("{} offsets, the first one {:?}, not 0", offsets.len(), offsets.first()));
        };
        check_nodes(nodes)?;
        if rows.len() != entries.len() || offsets[nodes] != rows.len() {
            let (rows, entries) = (rows.len(), entries.len());
            return wrong(nodes, format!("{rows} rows, {entries} entries, and the last offset is {}", offsets[nodes]));
        }
        let mut graph = Self { offsets: vec![0], targets: Vec::new(), weights: Vec::new() };
        let mut own: Vec<(u32, T)> = Vec::new();
        for (column, bounds) in offsets.windows(2).enumerate() {
            let (begin, end) = (bounds[0], bounds[1]);
            if begin > end || end > rows.len() {
                return wrong(column, format!("its entries are {begin} to before {end}"));
            }
            own.clear();
            for (&row, &entry) in rows[begin..end].iter().zip(&entries[begin..end]) {
                if row as usize >= nodes {
                    return wrong(column, format!("row {row} of {nodes}"));
                }
                if own.last().is_some_and(|&(before, _)| before >= row) {
                    return wrong(column, format!("row {row} is not above the one before it"));
                }
                if entry != T::LOWEST {
                    check_weight(column as u32, row, entry)?;
                    own.push((row, entry));
                }
            }
            graph.push_column(&own, Extremum::Maximum);
        }
        Ok(graph)
    }

    /// A graph of a matrix of crate `semiring`, in any representation; entries equal to `absent` are no arcs.
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] for a matrix that is not square, [`MaxPlusError::Weight`].
    #[inline(never)]
    pub fn from_matrix(matrix: &Matrix<T>, absent: T) -> Result<Self, MaxPlusError>
    where
        T: manycore_semiring::Bounded,
    {
        let shape = matrix.shape();
        let (rows, columns) = (shape.rows as usize, shape.columns as usize);
        if rows != columns {
            return Err(MaxPlusError::Length { what: "columns of a square matrix", given: columns, expected: rows });
        }
        Self::from_dense(rows, &matrix.entries(), absent)
    }

    /// The graph with some of its arcs, given by their places in [`Graph::compressed`], ascending.
    pub(crate) fn with_arcs(&self, arcs: &[usize]) -> Self {
        let offsets = self.offsets.iter().map(|&end| arcs.partition_point(|&arc| arc < end)).collect();
        let targets = arcs.iter().map(|&arc| self.targets[arc]).collect();
        let weights = arcs.iter().map(|&arc| self.weights[arc]).collect();
        Self { offsets, targets, weights }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of arcs.
    pub fn arc_count(&self) -> usize {
        self.targets.len()
    }

    /// The matrix in compressed columns: offsets, rows and entries (`Ptr`, `Idx` and `Val` of the paper).
    pub fn compressed(&self) -> (&[usize], &[u32], &[T]) {
        (&self.offsets, &self.targets, &self.weights)
    }

    /// The arcs from a node, by ascending targets; none from one that is not there.
    pub fn successors(&self, node: u32) -> impl Iterator<Item = (u32, T)> + '_ {
        let at = node as usize;
        let range = if at < self.nodes() { self.offsets[at]..self.offsets[at + 1] } else { 0..0 };
        self.targets[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }

    /// All arcs: from, to, weight; by ascending nodes.
    pub fn arcs(&self) -> impl Iterator<Item = (u32, u32, T)> + '_ {
        (0..self.nodes() as u32).flat_map(|from| self.successors(from).map(move |(to, weight)| (from, to, weight)))
    }

    /// The weight of an arc; `None` where there is none.
    pub fn weight(&self, from: u32, to: u32) -> Option<T> {
        let at = from as usize;
        if at >= self.nodes() {
            return None;
        }
        let own = &self.targets[self.offsets[at]..self.offsets[at + 1]];
        own.binary_search(&to).ok().map(|place| self.weights[self.offsets[at] + place])
    }

    /// Changes the weight of an arc that is there.
    pub(crate) fn set_weight(&mut self, from: u32, to: u32, weight: T) {
        let range = self.offsets[from as usize]..self.offsets[from as usize + 1];
        if let Ok(place) = self.targets[range.clone()].binary_search(&to) {
            self.weights[range.start + place] = weight;
        }
    }

    /// The graph with all arcs turned round. O(n + m).
    #[must_use]
    #[inline(never)]
    pub fn reversed(&self) -> Self {
        let nodes = self.nodes();
        let mut offsets = vec![0usize; nodes + 1];
        for &to in &self.targets {
            offsets[to as usize + 1] += 1;
        }
        for node in 0..nodes {
            offsets[node + 1] += offsets[node];
        }
        let mut next = offsets.clone();
        let (mut targets, mut weights) = (vec![0; self.targets.len()], vec![T::ZERO; self.weights.len()]);
        for (from, to, weight) in self.arcs() {
            let place = &mut next[to as usize];
            (targets[*place], weights[*place]) = (from, weight);
            *place += 1;
        }
        Self { offsets, targets, weights }
    }

    /// The graph with other weights of the same arcs, which must be numbers.
    ///
    /// # Errors
    /// [`MaxPlusError::Weight`].
    pub fn map<U: Weight>(&self, weight: impl Fn(u32, u32, T) -> U) -> Result<Graph<U>, MaxPlusError> {
        let mut weights = Vec::with_capacity(self.weights.len());
        for (from, to, old) in self.arcs() {
            let new = weight(from, to, old).plus(U::ZERO);
            check_weight(from, to, new)?;
            weights.push(new);
        }
        Ok(Graph { offsets: self.offsets.clone(), targets: self.targets.clone(), weights })
    }

    /// The graph with the weights' signs turned: its longest paths are this one's shortest ones.
    pub(crate) fn opposite(&self) -> Self {
        let weights = self.weights.iter().map(|weight| weight.opposite()).collect();
        Self { offsets: self.offsets.clone(), targets: self.targets.clone(), weights }
    }

    /// The weights of all arcs.
    pub(crate) fn weights(&self) -> impl Iterator<Item = T> + '_ {
        self.weights.iter().copied()
    }

    /// The size of the largest weight; 0 without arcs.
    pub(crate) fn largest(&self) -> T {
        let of = |weights: &[T]| weights.iter().fold(T::ZERO, |largest, weight| largest.longer(weight.size()));
        if self.weights.len() < LONG {
            return of(&self.weights);
        }
        let largest = Mutex::new(T::ZERO);
        on_host(|team| {
            team.each(self.weights.chunks(LONG), |weights| {
                let own = of(weights);
                let mut largest = largest.lock().unwrap_or_else(PoisonError::into_inner);
                *largest = largest.longer(own);
            });
        });
        largest.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

fn check_nodes(nodes: usize) -> Result<(), MaxPlusError> {
    if nodes > MOST_NODES { Err(MaxPlusError::TooManyNodes { nodes }) } else { Ok(()) }
}

fn check_weight<T: Weight>(from: u32, to: u32, weight: T) -> Result<(), MaxPlusError> {
    if weight.is_number() { Ok(()) } else { Err(MaxPlusError::Weight { from, to, weight: weight.to_string() }) }
}
