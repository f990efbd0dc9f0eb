//! Division with remainder (paper 002, chapter 9).
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition, quadratic: specification and oracle |
//! | `host` | long division on the host, several coefficients of the quotient at a time |
//! | `device` | the `s`-head division of paper 002 on OpenCL devices, and many pairs in one launch |
//! | `newton`, `blocks` | inverses of power series by Newton's iteration, and quotients by products with them |
//! | `divisor` | a divisor with its kept inverse |
//! | `operations`, `batch` | division as operations of the ring, one or many at once |
//! | `plan`, `choice` | the algorithms with their parameters, and the choice among them |
//! | `span` | parts of buffers |
//! | `cost` | what each of them counts |

mod batch;
mod blocks;
mod choice;
mod cost;
mod device;
mod divisor;
mod host;
mod newton;
mod operations;
pub(crate) mod plan;
pub mod reference;
mod span;

pub use divisor::Divisor;
pub(crate) use host::{HostDivisor, reversed_inverse};
pub use plan::{DivisionAlgorithm, DivisionPlan};
