//! Transforms independent of the device: stages over memory, each with a form for every executor.
//!
//! A function on `C_n1 x ... x C_nk` is a tensor; a batch of them has one more axis in front. Every stage sees it as
//! `[outer][rows][cofactor][inner]` and leaves `[outer][cofactor][rows][inner]`: transforms along `rows`, then multiplies row `k`
//! at place `j` of the cofactor by the root of order `rows * cofactor` to the power `j k`. Such stages one after the other, of
//! pieces `R_1, R_2, ...` with the product `n`, make a cyclic transform of length `n` in natural order (Cooley and Tukey, in
//! Stockham's arrangement): of the piece done the digits move inside, so that nothing is reordered in passes of its own.
//!
//! A stage does its rows in steps of small radices within tiles, so that a cyclic length takes few passes over memory:
//!
//! ```text
//!    rows = 256     step 16: rows 0, 16, 32, ...    step 16: rows 0, 1, 2, ...    rows leave in the order of their digits
//!      |  columns of a tile (neighbours in memory) -->
//! ```
//!
//! | file | what |
//! |---|---|
//! | `stages` | stages, and the steps within their tiles |
//! | `parameters` | what the planner chooses, and what an executor's tiles may be |
//! | `build` | how a group is cut into stages |
//! | `pieces` | radices, divisors, lengths of convolutions |
//! | `slots` | which buffers stages read and write |

pub(crate) mod build;
pub(crate) mod parameters;
pub(crate) mod pieces;
pub(crate) mod slots;
pub(crate) mod stages;
