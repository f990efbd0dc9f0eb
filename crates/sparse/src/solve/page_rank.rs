//! PageRank by power iteration (Page, Brin, Motwani and Winograd, *The PageRank citation ranking*, 1999; Langville and
//! Meyer, *Deeper inside PageRank*, 2004).

use std::ops::ControlFlow;

use manycore_device::Device;
use manycore_field::Reals;
use sprs::{CsMatI, CsMatViewI, SpIndex};

use super::Outcome;
use crate::error::SparseError;
use crate::multiply::{ProductOptions, SparseProduct};
use crate::rows::CompressedRows;

/// The surfer, and when the iteration ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageRankOptions {
    /// The chance to follow a link, from 0 and below 1; else any page is gone to.
    pub damping: f64,
    /// The sum of the changes of all ranks in an iteration at which they are good enough.
    pub tolerance: f64,
    /// The most iterations, a product each.
    pub most_iterations: usize,
}

impl Default for PageRankOptions {
    /// Damping 0.85, a tolerance of `1e-10` and 1000 iterations.
    fn default() -> Self {
        Self { damping: 0.85, tolerance: 1e-10, most_iterations: 1000 }
    }
}

/// Ranks, and how they were reached.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRank {
    /// The rank of each page; they sum to 1 up to rounding.
    pub ranks: Vec<f64>,
    /// How the iteration ended.
    pub outcome: Outcome,
    /// The sum of the changes of all ranks in each iteration.
    pub changes: Vec<f64>,
    /// A bound of the sum of the errors of all ranks, rounding apart: `d / (1 - d)` of the last change. Infinite before
    /// the first iteration.
    pub error_bound: f64,
}

/// The ranks of the pages of a graph, whose entry `(i, j)` is the weight of the link from `i` to `j`: the stationary
/// distribution of a surfer who follows a link with chance `d` by weight, and goes to any page else, as from pages
/// without links.
///
/// The change falls by `d` an iteration at least. `progress` gets the iteration and the last change, and may end the
/// work. The device computes the products; the ranks are uploaded and downloaded in each iteration.
///
/// ```
/// use std::ops::ControlFlow;
/// use manycore_device::Device;
/// use manycore_sparse::page_rank;
///
/// // Both pages link to page 0.
/// let graph = sprs::CsMat::new((2, 2), vec![0, 1, 2], vec![0, 0], vec![1.0, 1.0]);
/// let found = page_rank(&Device::host(), graph.view(), Default::default(), |_, _| ControlFlow::Continue(()))?;
/// assert!((found.ranks[0] - 0.925).abs() < 1e-9 && (found.ranks[1] - 0.075).abs() < 1e-9);
/// # Ok::<(), manycore_sparse::SparseError>(())
/// ```
///
/// # Errors
/// [`SparseError::NotSquare`]; [`SparseError::Parameter`] for weights that are negative or not finite, in sum too, and
/// for options out of their ranges; [`SparseError::Device`].
#[inline(never)]
pub fn page_rank<I: SpIndex, Iptr: SpIndex>(
    device: &Device,
    graph: CsMatViewI<'_, f64, I, Iptr>,
    options: PageRankOptions,
    mut progress: impl FnMut(usize, f64) -> ControlFlow<()>,
) -> Result<PageRank, SparseError> {
    let n = graph.rows();
    if n != graph.cols() {
        return Err(SparseError::NotSquare { what: "PageRank", rows: n, columns: graph.cols() });
    }
    let wrong = |name, value: f64, expected| SparseError::Parameter { name, value: value.to_string(), expected };
    if !(0.0..1.0).contains(&options.damping) {
        return Err(wrong("the damping", options.damping, "numbers from 0 and below 1"));
    }
    if options.tolerance.is_nan() || options.tolerance < 0.0 {
        return Err(wrong("the tolerance", options.tolerance, "numbers from 0"));
    }
    let mut links = CompressedRows::of(graph)?;
    let expected = "finite numbers from 0, with a finite sum in a row";
    for ends in links.pattern.offsets().windows(2) {
        let row = &mut links.values[ends[0]..ends[1]];
        if let Some(&weight) = row.iter().find(|weight| !(weight.is_finite() && **weight >= 0.0)) {
            return Err(wrong("a link's weight", weight, expected));
        }
        let sum: f64 = row.iter().sum();
        if sum.is_infinite() {
            return Err(wrong("a link's weight", sum, expected));
        }
        // A page whose links have no weight has none.
        if sum > 0.0 {
            for weight in row {
                *weight /= sum;
            }
        }
    }
    let (offsets, indices) = (links.pattern.offsets().to_vec(), links.pattern.indices().to_vec());
    let matrix = CsMatI::<f64, u32, usize>::try_new((n, n), offsets, indices, links.values)
        .map_err(|(_, _, _, error)| SparseError::Structure { reason: error.to_string() })?;
    let product = SparseProduct::new(device, Reals::<f64>::new(), matrix.transpose_view(), ProductOptions::default())?;

    let mut ranks = vec![1.0 / n as f64; n];
    let mut changes: Vec<f64> = Vec::new();
    let outcome = loop {
        let iteration = changes.len();
        let change = changes.last().copied().unwrap_or(if n == 0 { 0.0 } else { f64::INFINITY });
        if change <= options.tolerance {
            break Outcome::Converged;
        }
        if iteration == options.most_iterations {
            break Outcome::MostIterations;
        }
        if progress(iteration, change).is_break() {
            break Outcome::Cancelled;
        }
        let followed = product.multiply(&ranks)?;
        // What has followed no link goes to all pages alike.
        let sum: f64 = followed.iter().sum();
        let share = (1.0 - options.damping * sum) / n as f64;
        let mut change = 0.0;
        for (rank, followed) in ranks.iter_mut().zip(followed) {
            let next = options.damping * followed + share;
            change += (next - *rank).abs();
            *rank = next;
        }
        changes.push(change);
    };
    let last = changes.last().copied().unwrap_or(if n == 0 { 0.0 } else { f64::INFINITY });
    let error_bound = options.damping / (1.0 - options.damping) * last;
    Ok(PageRank { ranks, outcome, changes, error_bound })
}
