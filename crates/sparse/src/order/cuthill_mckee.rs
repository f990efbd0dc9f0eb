//! Reverse Cuthill-McKee order, breadth first from pseudo-peripheral vertices (Cuthill and McKee, *Reducing the
//! bandwidth of sparse symmetric matrices*, 1969; George and Liu, *An implementation of a pseudoperipheral node
//! finder*, 1979).
//!
//! The first search goes through the graph as it is given, with a cache miss or two for each vertex and edge where its order is
//! none. It renames vertices by the places at which it meets them, and writes their neighbours down under the new names: the
//! searches that follow run along memory.

use super::degree::ascending;
use super::room::Room;
use crate::error::SparseError;
use crate::pattern::{Pattern, check_sizes};
use crate::permutation::{ColumnPermutation, Reordering, RowPermutation};
use crate::prefetch::prefetch;

/// Searches for a far vertex of a component, at most; each but the last finds a longer way than the one before.
const SEARCHES: u8 = 8;
/// Vertices of the queue between two stages of the prefetch; the work on them covers a cache miss or two.
const AHEAD: usize = 8;
/// Neighbours of a vertex that are prefetched, at most.
const MOST_AHEAD: usize = 32;
/// Of each vertex: degree, place and list of degrees in the sort, what is known of it, its old number, where its neighbours begin, the last
/// search that met it, the queue, the order, and where its rows begin in the transposed pattern, twice; and a component, of which there
/// may be as many. Of each non-zero two directed edges, its row in the transposed pattern, and the key by which a list of neighbours is
/// sorted.
const ROOM: Room = Room { line_bytes: 4 + 4 + 8 + 8 + 4 + 8 + 1 + 8 + 8 + 12 + 2 * 16, non_zero_bytes: 8 + 4 + 8 };

/// The place of a vertex that was not met yet.
const UNMET: u32 = u32::MAX;

/// The order of the pattern's graph where the pattern is symmetric, else that of its bipartite graph
/// `[[0, S], [S^T, 0]]`, whose vertices are the rows, then the columns.
pub(super) fn order(pattern: &Pattern) -> Result<Reordering, SparseError> {
    ROOM.ask(pattern)?;
    if pattern.is_symmetric() {
        let order = of_graph(&Edges::Symmetric(pattern));
        let (rows, columns) = (RowPermutation::known(order.clone()), ColumnPermutation::known(order));
        return Ok(Reordering { rows, columns });
    }
    let vertices = pattern.rows() + pattern.columns();
    check_sizes(vertices, vertices)?;
    let order = of_graph(&Edges::Bipartite(pattern, &pattern.transposed()));
    let rows = pattern.rows() as u32;
    let (mut of_rows, mut of_columns) = (Vec::new(), Vec::new());
    for vertex in order {
        if vertex < rows { of_rows.push(vertex) } else { of_columns.push(vertex - rows) }
    }
    Ok(Reordering { rows: RowPermutation::known(of_rows), columns: ColumnPermutation::known(of_columns) })
}

/// The edges of the graph that is ordered, as they are given.
enum Edges<'a> {
    /// One at each non-zero of a symmetric pattern.
    Symmetric(&'a Pattern),
    /// One between the row and the column of each non-zero: the pattern, and the transposed one.
    Bipartite(&'a Pattern, &'a Pattern),
}

impl<'a> Edges<'a> {
    fn vertices(&self) -> usize {
        match self {
            Self::Symmetric(pattern) => pattern.rows(),
            Self::Bipartite(rows, columns) => rows.rows() + columns.rows(),
        }
    }

    /// The pattern that has a vertex, its row there, and the number of the vertex of column 0.
    #[inline]
    fn place(&self, vertex: u32) -> (&'a Pattern, usize, u32) {
        let vertex = vertex as usize;
        match *self {
            Self::Symmetric(pattern) => (pattern, vertex, 0),
            Self::Bipartite(rows, columns) => match vertex.checked_sub(rows.rows()) {
                None => (rows, vertex, rows.rows() as u32),
                Some(column) => (columns, column, 0),
            },
        }
    }

    /// The neighbours of a vertex, ascending.
    #[inline]
    fn neighbours(&self, vertex: u32) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        let (pattern, row, base) = self.place(vertex);
        pattern.row(row).iter().map(move |&neighbour| base + neighbour)
    }
}

/// The reversed order of all vertices, components one after another by their vertex of least degree.
fn of_graph(edges: &Edges<'_>) -> Vec<u32> {
    let (graph, old, components) = Graph::named_by_search(edges);
    let mut searches = Searches::new(&graph);
    let mut order = Vec::with_capacity(old.len());
    for component in components {
        searches.search_from_afar(&component);
        order.extend(searches.queue.iter().map(|&vertex| old[vertex as usize]));
    }
    order.reverse();
    order
}

/// A symmetric pattern as a graph.
struct Graph {
    /// Where the neighbours of each vertex begin, and their number.
    offsets: Vec<usize>,
    /// Neighbours of all vertices, those of each by degree.
    neighbours: Vec<u32>,
}

/// Vertices that a search breadth first meets, at consecutive places.
struct Component {
    begin: u32,
    end: u32,
    /// The levels of the search.
    levels: u32,
    /// Where the last level begins.
    last: u32,
}

/// What is known of a vertex while it is looked for: both are wanted at once, and stand on one line of the cache.
#[derive(Clone, Copy)]
struct Vertex {
    place: u32,
    degree: u32,
}

impl Graph {
    /// The graph with vertices numbered by their places in searches breadth first, each from the vertex of least degree that
    /// those before did not meet; the old numbers by the new ones; and what each search met.
    fn named_by_search(edges: &Edges<'_>) -> (Self, Vec<u32>, Vec<Component>) {
        let degrees: Vec<u32> =
            (0..edges.vertices() as u32).map(|vertex| edges.neighbours(vertex).len() as u32).collect();
        let directed = degrees.iter().map(|&degree| degree as usize).sum();
        let by_degree = ascending(&degrees, |degree, _| degree);
        let mut vertices: Vec<Vertex> = degrees.iter().map(|&degree| Vertex { place: UNMET, degree }).collect();
        drop(degrees);
        let mut old: Vec<u32> = Vec::with_capacity(vertices.len());
        let mut graph =
            Self { offsets: Vec::with_capacity(vertices.len() + 1), neighbours: Vec::with_capacity(directed) };
        graph.offsets.push(0);
        let mut components = Vec::new();
        let mut list: Vec<u64> = Vec::new();
        for start in by_degree {
            if vertices[start as usize].place != UNMET {
                continue;
            }
            let begin = old.len();
            vertices[start as usize].place = begin as u32;
            old.push(start);
            let (mut levels, mut level) = (0, begin);
            let last =
                loop {
                    let end = old.len();
                    levels += 1;
                    for at in level..end {
                        prefetch_ahead(edges, &vertices, &old[at..]);
                        list.clear();
                        // Degree, then number.
                        list.extend(edges.neighbours(old[at]).map(|neighbour| {
                            u64::from(vertices[neighbour as usize].degree) << 32 | u64::from(neighbour)
                        }));
                        list.sort_unstable();
                        for neighbour in list.iter().map(|&key| key as u32) {
                            let vertex = &mut vertices[neighbour as usize];
                            if vertex.place == UNMET {
                                vertex.place = old.len() as u32;
                                old.push(neighbour);
                            }
                            graph.neighbours.push(vertex.place);
                        }
                        graph.offsets.push(graph.neighbours.len());
                    }
                    if old.len() == end {
                        break level;
                    }
                    level = end;
                };
            components.push(Component { begin: begin as u32, end: old.len() as u32, levels, last: last as u32 });
        }
        (graph, old, components)
    }

    fn neighbours(&self, vertex: u32) -> &[u32] {
        &self.neighbours[self.offsets[vertex as usize]..self.offsets[vertex as usize + 1]]
    }
}

/// Prefetches what the vertices that are next in the queue need, in three stages: where their neighbours begin, the neighbours, and
/// what is known of them.
#[inline]
fn prefetch_ahead(edges: &Edges<'_>, vertices: &[Vertex], queue: &[u32]) {
    if let Some(&vertex) = queue.get(3 * AHEAD) {
        let (pattern, row, _) = edges.place(vertex);
        pattern.prefetch_offset(row);
    }
    if let Some(&vertex) = queue.get(2 * AHEAD) {
        let (pattern, row, _) = edges.place(vertex);
        pattern.prefetch_row(row);
    }
    if let Some(&vertex) = queue.get(AHEAD) {
        // A line or two of a long list.
        edges.neighbours(vertex).take(MOST_AHEAD).for_each(|neighbour| prefetch(vertices, neighbour as usize));
    }
}

/// Searches breadth first, neighbours by degree.
struct Searches<'a> {
    graph: &'a Graph,
    /// The number of the last search that met a vertex, within its component.
    met: Vec<u8>,
    /// What the last search met, in its order.
    queue: Vec<u32>,
}

impl<'a> Searches<'a> {
    fn new(graph: &'a Graph) -> Self {
        Self { graph, met: vec![0; graph.offsets.len() - 1], queue: Vec::new() }
    }

    /// Puts a component into the queue by a search from a vertex from which the way to the farthest is long: the last of searches
    /// each of which begins at the end of the one before. The first was done where vertices were numbered.
    fn search_from_afar(&mut self, component: &Component) {
        let &Component { begin, end, mut levels, last } = component;
        self.queue.clear();
        self.queue.extend(begin..end);
        let mut last = (last - begin) as usize;
        for search in 2..=SEARCHES {
            let farthest = self.queue[last..].iter().copied().min_by_key(|&vertex| self.graph.neighbours(vertex).len());
            let Some(root) = farthest else { return };
            let found;
            (found, last) = self.search(root, search);
            if found <= levels {
                return;
            }
            levels = found;
        }
    }

    /// Puts the component of `root` into the queue; the levels, and where the last begins.
    fn search(&mut self, root: u32, search: u8) -> (u32, usize) {
        self.queue.clear();
        self.queue.push(root);
        self.met[root as usize] = search;
        let (mut levels, mut begin) = (0, 0);
        loop {
            let end = self.queue.len();
            levels += 1;
            for at in begin..end {
                for &neighbour in self.graph.neighbours(self.queue[at]) {
                    let met = &mut self.met[neighbour as usize];
                    if *met != search {
                        *met = search;
                        self.queue.push(neighbour);
                    }
                }
            }
            if self.queue.len() == end {
                return (levels, begin);
            }
            begin = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of vertices in a shuffled order gets back its bandwidth of 1.
    #[test]
    fn a_path_is_found() {
        let path = [3u32, 0, 4, 1, 5, 2];
        let mut rows = vec![Vec::new(); 6];
        for pair in path.windows(2) {
            rows[pair[0] as usize].push(pair[1]);
            rows[pair[1] as usize].push(pair[0]);
        }
        for row in &mut rows {
            row.sort_unstable();
        }
        let offsets = (0..=6).map(|row| rows[..row].iter().map(Vec::len).sum()).collect();
        let pattern = Pattern::from_parts(6, 6, offsets, rows.concat());
        let found = order(&pattern).unwrap();
        let new = found.rows.old_to_new();
        assert!(path.windows(2).all(|pair| new[pair[0] as usize].abs_diff(new[pair[1] as usize]) == 1));
        assert_eq!(found.rows.new_to_old(), found.columns.new_to_old());
    }

    #[test]
    fn rows_and_columns_of_a_bidiagonal_matrix_come_back() {
        // Row r has the columns 2 r and 2 r + 1 modulo 5 in a cycle that is cut: bandwidth 1 in some order.
        let (rows, columns) = ([2u32, 0, 3, 1], [4u32, 1, 3, 0, 2]);
        let mut lists = vec![Vec::new(); 4];
        for i in 0..4 {
            lists[rows[i] as usize] = vec![columns[i], columns[i + 1]];
            lists[rows[i] as usize].sort_unstable();
        }
        let pattern = Pattern::from_parts(4, 5, vec![0, 2, 4, 6, 8], lists.concat());
        let found = order(&pattern).unwrap();
        let ordered = found.apply_to_pattern(&pattern).unwrap();
        for (row, columns) in ordered.iter().enumerate() {
            assert!(columns.iter().all(|&column| (column as usize).abs_diff(row) <= 1), "{ordered:?}");
        }
    }
}
