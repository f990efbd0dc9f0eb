#![doc = include_str!("../README.md")]

#[cfg(feature = "ndarray")]
mod array;
pub mod counting;
mod digits;
mod error;
mod fold;
mod gray;
mod key;
mod lists;
#[cfg(feature = "operations")]
pub mod operations;
mod positions;
mod primitives;
mod radix;
pub mod reference;
mod refinement;
pub mod reflected;
mod sort_order;
mod sorted;
mod sparse;
mod strings;

pub use error::{GrayError, SortError};
pub use fold::{Fold, Scan, ScanPlan};
pub use gray::{compare_by_gray_rank, compare_by_value, gray_rank, gray_word};
pub use key::Key;
pub use lists::{Lists, ListsError};
#[cfg(feature = "ndarray")]
pub use manycore_arrays::{Axes, AxesError, ndarray};
#[cfg(feature = "bigint")]
pub use num_bigint;
pub use positions::Positions;
pub use primitives::Primitives;
#[doc(hidden)]
pub use radix::Radix;
pub use radix::{SharedSorter, SortBlocks, SortPlan, SortTile, Sorter, Value};
pub use refinement::Refinement;
pub use sort_order::SortOrder;
pub use sorted::{Sorted, sort_by_gray_rank, sort_by_value, sort_by_value_after};
pub use sparse::SparseSorter;
pub use strings::argsort_bytes;

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
