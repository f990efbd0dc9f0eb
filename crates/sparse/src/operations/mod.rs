//! Operations on sparse matrices as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `input` | the matrix of an operation |
//! | `reorder` | a matrix in a new order |
//! | `orders` | orders of rows and columns as files |
//! | `multiply`, `numbers` | products with a vector, and the numbers that they are computed in |
//! | `misses`, `cache` | misses of a product, and the cache that they are counted for |
//! | `info` | facts, and whether an order pays |
//! | `report`, `page` | the page of a matrix |
//! | `faults` | what is wrong with a job |
//! | `choices` | the product as a choice among candidates |

mod cache;
mod choices;
mod faults;
mod info;
mod input;
mod misses;
mod multiply;
mod numbers;
mod orders;
mod page;
mod reorder;
mod report;

use manycore_operation::Operation;

pub use choices::CHOICES;
pub use orders::orders;

/// Every operation on sparse matrices.
pub static ALL: [&dyn Operation; 5] =
    [&reorder::Reorder, &multiply::Multiply, &misses::Misses, &info::Info, &report::Report];
