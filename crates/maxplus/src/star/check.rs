//! Check of a star in about the time of one, column by column, by what longest paths are rather than by another computation of them
//! (Bertsekas, "Network optimization", 1998, section 2.2).
//!
//! For column `s`, the paths from node `s`, two things are tried of every arc from `j` to `i` of weight `w`:
//!
//! ```text
//! no arc is longer    s(j) + w <= s(i)      so that no path from the node is longer than s says
//! each path is one    the node reaches i by arcs with s(j) + w = s(i), and s is 0 at the node itself
//! ```
//!
//! Both together leave one `s`, also where circuits sum to 0, around which arcs with equality may lead without the node. Of numbers that
//! round, arcs count for the second part that are within three times the bound of [`Graph::rounding`] of equality; by them the longest
//! paths are computed again in exact sums, and every entry must be within the bound of its exact sum.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use manycore_device::simd::{self, Job};

use crate::circuit::longest;
use crate::exact::{ExactSum, Unit, Wide};
use crate::graph::Graph;
use crate::team::on_host;
use crate::weight::Weight;

/// Columns that a thread takes at a time.
const COLUMNS: usize = 8;
/// Arcs to neighbouring nodes that are looked at together.
const TOGETHER: usize = 32;

/// Numbers that arcs are compared in.
trait Lane: Copy + PartialOrd + Send + Sync {
    /// Below all sums.
    const LOWEST: Self;
    /// Above all sums.
    const HIGHEST: Self;

    fn of<T: Weight>(weight: T) -> Self;

    fn of_real(real: f64) -> Self;

    fn plus(self, other: Self) -> Self;
}

macro_rules! lanes {
    ($($lane:ty, $least:expr, $most:expr, $of:expr;)*) => {$(
        impl Lane for $lane {
            const LOWEST: Self = $least;
            const HIGHEST: Self = $most;

            fn of<T: Weight>(weight: T) -> Self {
                $of(weight.integer(), weight.real())
            }

            fn of_real(real: f64) -> Self {
                real as Self
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
        }
    )*};
}

lanes! {
    i64, i64::MIN, i64::MAX, |integer: Option<i128>, _| integer.unwrap_or_default() as i64;
    i128, i128::MIN, i128::MAX, |integer: Option<i128>, _| integer.unwrap_or_default();
    f64, f64::NEG_INFINITY, f64::INFINITY, |_, real: f64| real;
}

impl<T: Weight> Graph<T> {
    /// The first column found that is none of the star of this graph's longest paths, `None` where all of these columns are right:
    /// `path(to, place)` is the entry in row `to` and in the column at `place` of `columns`, `None` for no path. Integers, and numbers
    /// whose sums are exact, are compared exactly, others within the bound of [`Graph::rounding`]. In two passes over the arcs for each
    /// column, of vectors, on all threads of the host.
    ///
    /// ```
    /// use manycore_maxplus::Graph;
    /// let graph = Graph::from_arcs(2, &[(0, 1, 3i64), (1, 0, -3)])?;
    /// let star = [[0, -3], [3, 0]];
    /// assert_eq!(graph.wrong_column(0..2, &|to, from| Some(star[to][from])), None);
    /// let star = [[0, -3], [4, 0]];
    /// assert_eq!(graph.wrong_column(0..2, &|to, from| Some(star[to][from])), Some(0));
    /// # Ok::<(), manycore_maxplus::MaxPlusError>(())
    /// ```
    #[inline(never)]
    pub fn wrong_column(
        &self,
        columns: Range<usize>,
        path: &(dyn Fn(usize, usize) -> Option<T> + Sync),
    ) -> Option<usize> {
        if !T::IS_EXACT {
            return Check::<T, f64>::new(self, self.rounding()).wrong(columns, path);
        }
        let size = |weight: T| weight.integer().unwrap_or_default().unsigned_abs();
        let places = (0..self.nodes()).flat_map(|to| (0..columns.len()).map(move |place| (to, place)));
        let longest = places.filter_map(|(to, place)| path(to, place)).map(size).max().unwrap_or(0);
        if longest + size(self.largest()) < i64::MAX as u128 {
            Check::<T, i64>::new(self, 0.0).wrong(columns, path)
        } else {
            Check::<T, i128>::new(self, 0.0).wrong(columns, path)
        }
    }
}

/// Arcs from a node to nodes that follow each other.
struct Run {
    first_target: usize,
    arcs: Range<usize>,
}

/// A graph to check columns of.
struct Check<'a, T, V> {
    graph: &'a Graph<T>,
    weights: Vec<V>,
    /// Where the runs of each node begin, and the end.
    begins: Vec<usize>,
    runs: Vec<Run>,
    /// By how much an entry may be off.
    bound: f64,
}

impl<'a, T: Weight, V: Lane> Check<'a, T, V> {
    fn new(graph: &'a Graph<T>, bound: f64) -> Self {
        let (offsets, targets, weights) = graph.compressed();
        let (mut begins, mut runs): (Vec<usize>, Vec<Run>) = (vec![0], Vec::new());
        for node in offsets.windows(2) {
            let mut begin = node[0];
            for end in node[0] + 1..=node[1] {
                if end == node[1] || targets[end] != targets[end - 1] + 1 {
                    runs.push(Run { first_target: targets[begin] as usize, arcs: begin..end });
                    begin = end;
                }
            }
            begins.push(runs.len());
        }
        Self { graph, weights: weights.iter().map(|&weight| V::of(weight)).collect(), begins, runs, bound }
    }

    fn wrong(&self, columns: Range<usize>, path: &(dyn Fn(usize, usize) -> Option<T> + Sync)) -> Option<usize> {
        let unit = Unit::of(self.graph.weights(), self.graph.nodes());
        let wrong = AtomicUsize::new(usize::MAX);
        let is_right = |place: usize| {
            let from = columns.start + place;
            let column: Vec<Option<T>> = (0..self.graph.nodes()).map(|to| path(to, place)).collect();
            let is_number = column.iter().flatten().all(|path| path.is_number());
            is_number
                && column[from] == Some(T::ZERO)
                && if self.bound == 0.0 {
                    simd::run(Exact { check: self, from, column: &column })
                } else if unit.is_narrow {
                    self.is_near::<i128>(unit, from, &column)
                } else {
                    self.is_near::<Wide>(unit, from, &column)
                }
        };
        on_host(|team| {
            team.each((0..columns.len()).step_by(COLUMNS), |first| {
                for place in first..(first + COLUMNS).min(columns.len()) {
                    if columns.start + place < wrong.load(Ordering::Relaxed) && !is_right(place) {
                        wrong.fetch_min(columns.start + place, Ordering::Relaxed);
                    }
                }
            });
        });
        Some(wrong.into_inner()).filter(|&column| column != usize::MAX)
    }

    /// Calls `take` with the arcs from a node with paths of weight `path`, and the nodes where they end, among which are all whose sum is
    /// above one entry, or no less than the other one, of the node where it ends.
    #[inline(always)]
    fn each_arc(&self, node: usize, path: V, above: &[V], at_least: &[V], mut take: impl FnMut(usize, usize)) {
        for Run { first_target, arcs } in &self.runs[self.begins[node]..self.begins[node + 1]] {
            let targets = *first_target..first_target + arcs.len();
            let bounds = above[targets.clone()].chunks(TOGETHER).zip(at_least[targets].chunks(TOGETHER));
            for (at, (weights, (above, at_least))) in
                self.weights[arcs.clone()].chunks(TOGETHER).zip(bounds).enumerate()
            {
                let mut is_any = false;
                for (&weight, (&above, &at_least)) in weights.iter().zip(above.iter().zip(at_least)) {
                    let sum = path.plus(weight);
                    // Without a branch, as vectors.
                    is_any |= sum > above;
                    is_any |= sum >= at_least;
                }
                if is_any {
                    let place = at * TOGETHER;
                    (place..place + weights.len()).for_each(|next| take(arcs.start + next, first_target + next));
                }
            }
        }
    }

    /// Whether a column of numbers that round is within the bound.
    fn is_near<S: ExactSum>(&self, unit: Unit, from: usize, column: &[Option<T>]) -> bool {
        let near = simd::run(Near { check: self, column });
        let near = self.graph.with_arcs(&near);
        let mut starts = vec![None; column.len()];
        starts[from] = Some(S::NOTHING);
        let lowest = |_, _, weight: T| unit.exactly::<T, S>(weight).minus(unit.doubt::<T, S>(weight));
        let Ok(paths) = longest(&near, starts, lowest) else { return false };
        paths.weights.iter().zip(column).all(|(path, entry)| match (path, entry) {
            (None, None) => true,
            (Some(path), Some(entry)) => (unit.rounded(*path, f64::MANTISSA_DIGITS) - entry.real()).abs() <= self.bound,
            _ => false,
        })
    }
}

/// Whether a column of exact numbers is right.
struct Exact<'a, T, V> {
    check: &'a Check<'a, T, V>,
    from: usize,
    column: &'a [Option<T>],
}

impl<T: Weight, V: Lane> Job for Exact<'_, T, V> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { check, from, column } = self;
        let paths: Vec<V> = column.iter().map(|path| path.map_or(V::LOWEST, V::of)).collect();
        // The path to a node that is not met yet; nothing is as long as one that is met.
        let mut awaited = paths.clone();
        awaited[from] = V::HIGHEST;
        let mut met = vec![from];
        let mut is_right = true;
        let mut next = 0;
        while is_right && next < met.len() {
            let node = met[next];
            next += 1;
            let path = paths[node];
            let mut found = Vec::new();
            check.each_arc(node, path, &paths, &awaited, |arc, to| {
                let sum = path.plus(check.weights[arc]);
                is_right &= sum <= paths[to];
                if sum >= awaited[to] {
                    found.push(to);
                }
            });
            for to in found {
                awaited[to] = V::HIGHEST;
                met.push(to);
            }
        }
        is_right && met.len() == column.iter().flatten().count()
    }
}

/// The arcs of a column whose sums are near the paths to where they end, or above them.
struct Near<'a, T, V> {
    check: &'a Check<'a, T, V>,
    column: &'a [Option<T>],
}

impl<T: Weight, V: Lane> Job for Near<'_, T, V> {
    type Output = Vec<usize>;

    #[inline(always)]
    fn run(self) -> Vec<usize> {
        let Self { check, column } = self;
        let lowered = |path: &Option<T>| path.map_or(f64::NEG_INFINITY, |path| path.real() - 3.0 * check.bound);
        let least: Vec<V> = column.iter().map(lowered).map(V::of_real).collect();
        let mut near = Vec::new();
        for (node, path) in column.iter().enumerate().filter_map(|(node, path)| path.map(|path| (node, V::of(path)))) {
            check.each_arc(node, path, &least, &least, |arc, to| {
                if path.plus(check.weights[arc]) >= least[to] {
                    near.push(arc);
                }
            });
        }
        near
    }
}
