#![doc = include_str!("../README.md")]

mod gray;
mod lists;
pub mod reference;
mod refinement;
mod sort_order;
mod sorted;

pub use gray::{compare_by_gray_rank, compare_by_value, gray_rank, gray_word};
pub use lists::{Lists, ListsError};
pub use refinement::Refinement;
pub use sort_order::SortOrder;
pub use sorted::{Sorted, sort_by_gray_rank, sort_by_value};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
