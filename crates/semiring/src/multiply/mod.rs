//! Generalized products `c[u][v] = sum over i, in order, of a[u][i] b[i][v]` (paper 003, formula 1).
//!
//! | file | what |
//! |---|---|
//! | `reference` | the definition |
//! | `products` | the context: kernels that were made, plans that were taken |
//! | `stored` | products of matrices on a device |
//! | `run` | a product by a plan |
//! | `host` | blocks of rows shared by threads |
//! | `host_operands` | operands as those read them |
//! | `bits` | truth values, 32 to a word |
//! | `bands` | dense operands on the host by any operations |
//! | `registers` | tiles of known operations on the host, in vector registers |
//! | `device` | a kernel that is made of the semiring's text |
//! | `text` | that text |
//! | `assembly` | steps in the words of a device |
//! | `extrema` | maxima and minima by a device's own instruction |
//! | `lists` | the kernels of two operands that are lists of entries |
//! | `direct` | the kernels of one operand that is lists, and of those that depend on the result's entry or whose lists functions make |
//! | `several` | matrices of the host's memory, on several devices and past their memory |
//! | `form` | what a product is without its data |
//! | `fit` | whether factors fit each other |
//! | `plan` | the algorithms and their parameters |
//! | `tiles` | the tiles that a device takes |
//! | `cost` | what they count |
//! | `choice` | the choice among them |

mod assembly;
mod bands;
mod bits;
mod choice;
mod cost;
mod device;
mod direct;
mod extrema;
pub(crate) mod fit;
pub(crate) mod form;
pub(crate) mod host;
mod host_operands;
mod lists;
pub(crate) mod plan;
pub(crate) mod products;
mod reference;
mod registers;
mod run;
mod several;
mod stored;
mod text;
mod tiles;

pub use manycore_arrays::blocks::ProductTiles;
pub use plan::{ProductPlan, ProductTile};
pub use products::Products;
