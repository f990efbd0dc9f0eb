//! Commands that are made from declarations: their arguments, and one frame that reads, computes, checks and writes.
//!
//! | file | what |
//! |---|---|
//! | `called` | the command line of an operation, from its declaration |
//! | `run` | the frame |
//! | `write` | results as text, JSON, arrays, or in a language |

mod called;
mod run;
pub(crate) mod write;

pub use called::{Called, Family};
pub(crate) use run::run;
