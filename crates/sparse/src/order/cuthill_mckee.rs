//! Reverse Cuthill-McKee order, breadth first from pseudo-peripheral vertices (Cuthill and McKee, *Reducing the
//! bandwidth of sparse symmetric matrices*, 1969; George and Liu, *An implementation of a pseudoperipheral node
//! finder*, 1979).

use super::degree::ascending;
use crate::error::SparseError;
use crate::pattern::{Pattern, check_sizes};
use crate::permutation::{ColumnPermutation, Reordering, RowPermutation};

/// Searches for a far vertex of a component, at most; each but the last finds a longer way than the one before.
const SEARCHES: u32 = 8;
/// The mark of a vertex that stands in the order.
const PLACED: u32 = u32::MAX;

/// The order of the pattern's graph where the pattern is symmetric, else that of its bipartite graph
/// `[[0, S], [S^T, 0]]`.
pub(super) fn order(pattern: &Pattern) -> Result<Reordering, SparseError> {
    let transposed = pattern.transposed();
    if *pattern == transposed {
        let order = Graph::new(pattern).order();
        let (rows, columns) = (RowPermutation::known(order.clone()), ColumnPermutation::known(order));
        return Ok(Reordering { rows, columns });
    }
    let rows = pattern.rows() as u32;
    let order = Graph::new(&bipartite(pattern, &transposed)?).order();
    let (mut of_rows, mut of_columns) = (Vec::new(), Vec::new());
    for vertex in order {
        if vertex < rows { of_rows.push(vertex) } else { of_columns.push(vertex - rows) }
    }
    Ok(Reordering { rows: RowPermutation::known(of_rows), columns: ColumnPermutation::known(of_columns) })
}

/// The graph whose vertices are the rows, then the columns, with an edge for each non-zero.
fn bipartite(pattern: &Pattern, transposed: &Pattern) -> Result<Pattern, SparseError> {
    let (rows, columns) = (pattern.rows(), pattern.columns());
    let vertices = rows + columns;
    check_sizes(vertices, vertices)?;
    let edges = pattern.non_zeros();
    let below = transposed.offsets()[1..].iter().map(|offset| edges + offset);
    let offsets = pattern.offsets().iter().copied().chain(below).collect();
    let to_columns = pattern.indices().iter().map(|column| rows as u32 + column);
    let indices = to_columns.chain(transposed.indices().iter().copied()).collect();
    Ok(Pattern::from_parts(vertices, vertices, offsets, indices))
}

/// A symmetric pattern as a graph.
struct Graph {
    degrees: Vec<u32>,
    /// Vertices by degree.
    by_degree: Vec<u32>,
    /// Where the neighbours of each vertex begin, and their number.
    offsets: Vec<usize>,
    /// Neighbours of all vertices, those of each by degree.
    neighbours: Vec<u32>,
}

/// What a search breadth first found.
struct Search {
    levels: usize,
    /// Where the last level begins in the queue.
    last: usize,
}

impl Graph {
    fn new(pattern: &Pattern) -> Self {
        let degrees: Vec<u32> = pattern.iter().map(|row| row.len() as u32).collect();
        let by_degree = ascending(&degrees, |degree, _| degree);
        // A transposition that takes the rows in this order leaves every list in it, as places in this order.
        let transposed = pattern.transposed_by(by_degree.iter().map(|&vertex| vertex as usize));
        let (offsets, mut neighbours) = transposed.into_parts();
        for neighbour in &mut neighbours {
            *neighbour = by_degree[*neighbour as usize];
        }
        Self { degrees, by_degree, offsets, neighbours }
    }

    /// The reversed order of all vertices, components one after another by their vertex of least degree.
    fn order(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.degrees.len());
        let mut marks = vec![0; self.degrees.len()];
        let mut queue = Vec::new();
        for &start in &self.by_degree {
            if marks[start as usize] == PLACED {
                continue;
            }
            self.search_from_afar(start, &mut marks, &mut queue);
            for &vertex in &queue {
                marks[vertex as usize] = PLACED;
            }
            order.append(&mut queue);
        }
        order.reverse();
        order
    }

    /// Puts the component of `start` into `queue` by a search from a vertex from which the way to the farthest is long:
    /// the last of searches each of which begins at the end of the one before.
    fn search_from_afar(&self, start: u32, marks: &mut [u32], queue: &mut Vec<u32>) {
        let (mut root, mut levels) = (start, 0);
        for search in 1..=SEARCHES {
            let found = self.search(root, search, marks, queue);
            let farthest = queue[found.last..].iter().copied().min_by_key(|&vertex| self.degrees[vertex as usize]);
            if found.levels <= levels {
                break;
            }
            levels = found.levels;
            root = farthest.unwrap_or(root);
        }
    }

    /// Puts the component of `root` into `queue`, breadth first, neighbours by degree; vertices that have `mark` count
    /// as seen.
    fn search(&self, root: u32, mark: u32, marks: &mut [u32], queue: &mut Vec<u32>) -> Search {
        queue.clear();
        queue.push(root);
        marks[root as usize] = mark;
        let (mut levels, mut begin) = (0, 0);
        loop {
            let end = queue.len();
            levels += 1;
            for at in begin..end {
                let vertex = queue[at] as usize;
                for &neighbour in &self.neighbours[self.offsets[vertex]..self.offsets[vertex + 1]] {
                    if marks[neighbour as usize] != mark {
                        marks[neighbour as usize] = mark;
                        queue.push(neighbour);
                    }
                }
            }
            if queue.len() == end {
                return Search { levels, last: begin };
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
