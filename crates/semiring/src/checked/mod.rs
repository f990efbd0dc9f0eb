//! Semirings of integers whose results are exact: no sum wraps around or ends at an end of its type.
//!
//! | file | what |
//! |---|---|
//! | `bounds` | where entries lie |
//! | `range` | the bounds of a matrix, and those of a product by its operands: what fits is computed as it is |
//! | `rules` | the semirings: operations on words, on exact integers, and on integers that may have passed their type |
//! | `words` | exact integers of several words, for what does not fit |
//! | `product` | products by what their operands allow |

pub(crate) mod bounds;
mod product;
mod range;
mod rules;
mod words;

pub use bounds::EntryRange;
pub use rules::CheckedSemiring;
pub use words::Checked;
pub(crate) use words::sealed;
