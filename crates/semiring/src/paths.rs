//! Applications of products: shortest paths between all pairs with the paths themselves, transitive closure and likeliest sequences
//! of states.
//!
//! All pairs come by squaring: `ceil(log2(n))` products, each over paths of twice as many arcs (Aho, Hopcroft, Ullman, "The design
//! and analysis of computer algorithms", 1974, section 5.9).

use manycore_expressions::{Function, Value};

use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::multiply::products::Products;
use crate::plan::Shape;
use crate::semiring::Semiring;

/// A path to a vertex: its length, its arcs, and the vertex before the last one.
type Path = (i64, u32, u32);
type PathValues = (Value<i64>, Value<u32>, Value<u32>);

/// The length of no path.
const INFINITY: i64 = i64::MAX;

/// No vertex.
const NONE: u32 = u32::MAX;

/// Shortest paths between all pairs of vertices.
#[derive(Debug, Clone)]
pub struct ShortestPaths {
    order: u64,
    /// Row after row; lengths are exact, so that a path's beginning is a shortest path, too.
    paths: Vec<Path>,
}

impl ShortestPaths {
    /// The number of vertices.
    pub fn order(&self) -> u64 {
        self.order
    }

    /// The length of the shortest path; `i64::MAX` where there is none, `None` past the last vertex.
    pub fn length(&self, from: u64, to: u64) -> Option<i64> {
        self.at(from, to).map(|path| path.0)
    }

    /// The vertices of a shortest path with the fewest arcs, both ends among them; empty where there is none, `None` past the last
    /// vertex. O(arcs).
    pub fn path(&self, from: u64, to: u64) -> Option<Vec<u64>> {
        let (length, arcs, mut before) = self.at(from, to)?;
        if length == INFINITY {
            return Some(Vec::new());
        }
        let mut vertices = vec![to];
        // Each step back is a path with one arc less.
        for _ in 0..arcs {
            vertices.push(before.into());
            before = self.at(from, before.into())?.2;
        }
        vertices.reverse();
        Some(vertices)
    }

    fn at(&self, from: u64, to: u64) -> Option<Path> {
        let inside = from < self.order && to < self.order;
        self.paths.get((from * self.order + to) as usize).copied().filter(|_| inside)
    }
}

/// The shorter path, of equal ones that with fewer arcs, of those the one by the lowest vertex.
fn shortest() -> Result<Semiring<Path, Path, Path>, SemiringError> {
    let product = Function::<(Path, Path), Path>::new(|((x, i, u), (y, j, v)): (PathValues, PathValues)| {
        let length = (x.equals(INFINITY) | y.equals(INFINITY)).select(INFINITY, x.saturating_add(y));
        (length, i.saturating_add(j), j.equals(0).select(u, v))
    })?;
    let sum = Function::<(Path, Path), Path>::new(|((x, i, u), (y, j, v)): (PathValues, PathValues)| {
        let fewer = j.lt(i) | (j.equals(i) & v.lt(u));
        let second = y.lt(x) | (y.equals(x) & fewer);
        (second.select(y, x), second.select(j, i), second.select(v, u))
    })?;
    Semiring::new(product, sum, (INFINITY, u32::MAX, NONE))
}

fn order<T: manycore_expressions::Elements>(matrix: &Matrix<T>) -> Result<u64, SemiringError> {
    let Shape { rows, columns } = matrix.shape();
    if rows != columns {
        return Err(SemiringError::Shapes { left: matrix.shape(), right: matrix.shape() });
    }
    Ok(rows)
}

impl Products {
    /// Shortest paths between all pairs of vertices of a graph with arcs of these lengths, of which `i64::MAX` is none, exactly; in
    /// `ceil(log2(n))` products of `n^3` pairs.
    ///
    /// # Errors
    /// [`SemiringError::Shapes`] for a matrix that is not square; [`SemiringError::Cycle`] where a cycle is shorter than nothing;
    /// those of [`Products::multiply`].
    pub fn shortest_paths(&self, arcs: &Matrix<i64>) -> Result<ShortestPaths, SemiringError> {
        let n = order(arcs)?;
        let entries = arcs.entries();
        let path = |(at, &length): (usize, &i64)| {
            let (row, column) = (at as u64 / n.max(1), at as u64 % n.max(1));
            match (row == column, length == INFINITY) {
                // A vertex is a path to itself, unless an arc is shorter.
                (true, _) if length >= 0 => (0, 0, NONE),
                (_, true) => (INFINITY, u32::MAX, NONE),
                _ => (length, 1, row as u32),
            }
        };
        let first: Vec<Path> = entries.iter().enumerate().map(path).collect();
        let semiring = shortest()?;
        let mut paths = self.upload(&Matrix::stored(n, n, &first)?)?;
        let mut arcs = 1;
        while arcs < n {
            paths = self.multiply(&semiring, &paths, &paths)?;
            arcs *= 2;
        }
        let paths = paths.download()?.entries();
        match (0..n).find(|&vertex| paths[(vertex * n + vertex) as usize].0 < 0) {
            Some(vertex) => Err(SemiringError::Cycle { vertex }),
            None => Ok(ShortestPaths { order: n, paths }),
        }
    }

    /// Which vertices reach which, each itself: the reflexive and transitive closure, in `ceil(log2(n))` products.
    ///
    /// # Errors
    /// [`SemiringError::Shapes`] for a matrix that is not square; those of [`Products::multiply`].
    pub fn closure(&self, arcs: &Matrix<bool>) -> Result<Matrix<bool>, SemiringError> {
        let n = order(arcs)?;
        let of = |(at, &arc): (usize, &bool)| arc || at as u64 / n.max(1) == at as u64 % n.max(1);
        let first: Vec<bool> = arcs.entries().iter().enumerate().map(of).collect();
        let semiring = Semiring::<bool, bool, bool>::or_and()?;
        let mut reached = self.upload(&Matrix::stored(n, n, &first)?)?;
        let mut steps = 1;
        while steps < n {
            reached = self.multiply(&semiring, &reached, &reached)?;
            steps *= 2;
        }
        reached.download()
    }

    /// The likeliest states behind observations (Viterbi): `start` has the logarithms of the states' chances, a row; `steps` one
    /// matrix for each observation after the first, from each state (row) to each next one (column), with the chance of the
    /// observation added in. The states and the logarithm of their chance; `None` where there are no states.
    ///
    /// O(states^2) for each step: a product of a row.
    ///
    /// # Errors
    /// Those of [`Products::multiply`].
    pub fn likeliest_states(
        &self,
        start: &Matrix<f64>,
        steps: &[Matrix<f64>],
    ) -> Result<Option<(Vec<u64>, f64)>, SemiringError> {
        let (product, sum) = ((|(a, i): PlacedValues, b: Value<f64>| (a + b, i)), better(|x, y| y.gt(x))?);
        let product = Function::<((f64, u64), f64), (f64, u64)>::new(|(a, b)| product(a, b))?;
        let semiring = Semiring::new(product, sum, (f64::NEG_INFINITY, u64::MAX))?;
        let mut row = start.entries();
        let mut before = Vec::with_capacity(steps.len());
        for step in steps {
            let placed: Vec<(f64, u64)> = row.iter().copied().zip(0..).collect();
            let placed = Matrix::stored(1, placed.len() as u64, &placed)?;
            let next = self.multiply(&semiring, &self.upload(&placed)?, &self.upload(step)?)?.download()?.entries();
            row = next.iter().map(|next| next.0).collect();
            before.push(next.into_iter().map(|next| next.1).collect::<Vec<u64>>());
        }
        let best = (0..).zip(&row).fold(None, |best: Option<(u64, f64)>, (state, &chance)| match best {
            Some((_, most)) if chance <= most => best,
            _ => Some((state, chance)),
        });
        let Some((mut state, chance)) = best else { return Ok(None) };
        let mut states = vec![state];
        for before in before.iter().rev() {
            // Of states that nothing reaches the first stands for all.
            state = before.get(state as usize).copied().filter(|&state| state != u64::MAX).unwrap_or(0);
            states.push(state);
        }
        states.reverse();
        Ok(Some((states, chance)))
    }
}

type PlacedValues = (Value<f64>, Value<u64>);
type Better = Function<((f64, u64), (f64, u64)), (f64, u64)>;

/// The better of two numbers with their places, the lower place of equal ones.
fn better(is_better: impl Fn(Value<f64>, Value<f64>) -> Value<bool>) -> Result<Better, SemiringError> {
    Ok(Function::new(|((x, i), (y, j)): (PlacedValues, PlacedValues)| {
        let second = is_better(x, y) | (y.equals(x) & j.lt(i));
        (second.select(y, x), second.select(j, i))
    })?)
}
