//! Semirings of integers whose results are exact: no sum wraps around or ends at an end of its type.
//!
//! | file | what |
//! |---|---|
//! | `range` | where the entries of a matrix lie, and those of a product by its operands: what fits is computed as it is |
//! | `rules` | the semirings: operations on words, on exact integers, and on integers that may have passed their type |
//! | `words` | exact integers of several words, for what does not fit |
//! | `product` | products by what their operands allow |

mod product;
mod range;
mod rules;
mod words;

pub use range::EntryRange;
pub use rules::CheckedSemiring;
pub use words::Checked;
pub(crate) use words::sealed;
