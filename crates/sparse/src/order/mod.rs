//! Orders of rows and columns.

mod cuthill_mckee;
mod degree;
mod gray;
mod gray_classes;
mod random;
pub(crate) mod reference;
mod room;

pub use gray::{GrayOptions, GrayOrder};
pub use gray_classes::{NonZeroClass, NonZeroClasses};
pub(crate) use random::mixed;

use crate::error::SparseError;
use crate::pattern::Pattern;
use crate::permutation::Reordering;

/// How rows and columns are put in order.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OrderMethod {
    /// As they are given.
    Given,
    /// By the binary reflected Gray code (paper 002, chapter 6): a few hundred non-zeros in neighbouring rows and
    /// columns come together. For matrices without a structure that the next method finds.
    GrayCode(GrayOptions),
    /// Reverse Cuthill-McKee: breadth first from a far end of the graph, so that non-zeros come near the diagonal
    /// (Cuthill and McKee, 1969; George, 1971). A symmetric pattern gets one order for rows and columns; any other, and
    /// every rectangular one, those of its bipartite graph of rows and columns.
    ReverseCuthillMckee,
    /// Rows and columns with most non-zeros first, equal ones as they are: what is used most often shares lines.
    Degree,
    /// A random order of rows and one of columns, from this seed: what structure a matrix had is lost.
    Random {
        /// The seed.
        seed: u64,
    },
}

impl OrderMethod {
    /// Every method, the Gray code with its defaults and the random order from seed 0.
    pub const ALL: [Self; 5] = [
        Self::Given,
        Self::GrayCode(GrayOptions::DEFAULT),
        Self::ReverseCuthillMckee,
        Self::Degree,
        Self::Random { seed: 0 },
    ];

    /// The name in the program: `given`, `brgc`, `rcm`, `degree`, `random`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::GrayCode(_) => "brgc",
            Self::ReverseCuthillMckee => "rcm",
            Self::Degree => "degree",
            Self::Random { .. } => "random",
        }
    }
}

/// The order of rows and columns that a method gives. The same input gives the same order, whatever the device.
///
/// `O(m + n + non-zeros)` time and memory for every method; Cuthill-McKee searches breadth first a few times.
///
/// ```
/// use manycore_sparse::{OrderMethod, Pattern, reorder};
/// let matrix = sprs::CsMat::new((2, 3), vec![0, 1, 3], vec![2, 0, 2], vec![1.0, 2.0, 3.0]);
/// let pattern = Pattern::of(matrix.view())?;
/// let order = reorder(&pattern, &OrderMethod::Degree)?;
/// assert_eq!((order.rows.new_to_old(), order.columns.new_to_old()), (&[1, 0][..], &[2, 0, 1][..]));
/// let reordered = order.apply(matrix.view())?;
/// assert_eq!(reordered.get(0, 0), Some(&3.0));
/// # Ok::<(), manycore_sparse::SparseError>(())
/// ```
///
/// # Errors
/// [`SparseError::Parameter`] for parameters of the Gray code out of their ranges.
pub fn reorder(pattern: &Pattern, method: &OrderMethod) -> Result<Reordering, SparseError> {
    Ok(match *method {
        OrderMethod::Given => Reordering::identity(pattern.rows(), pattern.columns())?,
        OrderMethod::GrayCode(options) => GrayOrder::new(pattern, &options)?.reordering,
        OrderMethod::ReverseCuthillMckee => cuthill_mckee::order(pattern)?,
        OrderMethod::Degree => degree::order(pattern)?,
        OrderMethod::Random { seed } => random::order(pattern, seed)?,
    })
}
