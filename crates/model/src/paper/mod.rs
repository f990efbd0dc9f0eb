//! The algorithms that paper 002 prices with the many-core model, as kernels: plain multiplication (chapter 8), plain
//! division and Euclid's algorithm (chapter 9).
//!
//! Each function counts blocks, threads, operations and words of an algorithm from its loops, in the corrected form that
//! gives right results for all sizes, and returns [`Launches`]. The paper's closed formulas are the oracle of the tests,
//! corrected where its algorithms or its sums are wrong; how far a printed formula is off is a test too.
//!
//! As in the paper, a word is a coefficient (4 bytes), an operation is one addition, subtraction, multiplication,
//! division or inversion in the field, and steps within local memory are free.
//!
//! ```
//! use manycore_model::paper;
//!
//! // Two polynomials of 2^14 coefficients: does it pay that a thread multiplies by 8 coefficients, not by 1?
//! let machine = paper::tesla_c2050(100.0)?;
//! let naive = paper::plain_multiplication(1 << 14, 1 << 14, 1, 256)?;
//! let blocked = paper::plain_multiplication(1 << 14, 1 << 14, 8, 256)?;
//! let gain = paper::gain(&naive, &blocked, &machine)?;
//! assert!((7.0..8.0).contains(&gain));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `launches` | kernels one after another, equal ones counted |
//! | `plain_multiplication` | `MulKer` and `AddKer`, Algorithms 11 to 13 |
//! | `plain_division` | naive and `s`-head division, Algorithms 16 to 19 |
//! | `euclid` | naive and `s`-step greatest common divisor, Algorithms 20 to 23 |
//! | `orderings` | which variant the model prefers, for which sizes, and where that is not the paper's order |

mod euclid;
mod launches;
mod orderings;
mod plain_division;
mod plain_multiplication;
#[cfg(test)]
mod tests;

pub use euclid::{naive_gcd, s_step_gcd};
pub use launches::Launches;
pub use orderings::{division_gain_limit, gain, gcd_gain_limit, multiplication_gain_limit};
pub use plain_division::{naive_division, s_head_division};
pub use plain_multiplication::{intermediate_words, plain_multiplication};

use crate::machine::MachineError;
use crate::many_core::{ManyCore, ProgramError};

/// The largest number of coefficients, threads or steps that the functions take: with it, every count fits its type.
pub const LARGEST: u64 = 1 << 30;

/// Words of 4 bytes in the 48 KiB of local memory of one processor of the paper's device.
pub const TESLA_C2050_LOCAL_WORDS: u64 = 12_288;

/// The paper's device, an NVIDIA Tesla C2050 (14 processors, 48 KiB of local memory each), with `transfer_cycles` (`U`)
/// given, as the paper leaves it open.
///
/// # Errors
/// [`MachineError::NotPositive`] where `U` is negative or not finite.
pub fn tesla_c2050(transfer_cycles: f64) -> Result<ManyCore, MachineError> {
    ManyCore::new(14, TESLA_C2050_LOCAL_WORDS, transfer_cycles)
}

/// Why an algorithm of the paper has no launches.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PaperError {
    /// A size or parameter of 0.
    #[error("{parameter} = 0")]
    Zero {
        /// Which.
        parameter: &'static str,
    },
    /// A size or parameter past [`LARGEST`].
    #[error("{parameter} = {value}, at most {LARGEST} can be counted")]
    TooLarge {
        /// Which.
        parameter: &'static str,
        /// Its value.
        value: u64,
    },
    /// More launches than the result can list.
    #[error("{launches} launches, at most {limit} can be listed")]
    TooMany {
        /// Launches, or groups of equal ones.
        launches: u64,
        /// The most that are listed.
        limit: u64,
    },
    /// The launches make no program.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// Refuses the first parameter that is 0 or past [`LARGEST`].
fn checked(parameters: &[(&'static str, u64)]) -> Result<(), PaperError> {
    for &(parameter, value) in parameters {
        if value == 0 {
            return Err(PaperError::Zero { parameter });
        }
        if value > LARGEST {
            return Err(PaperError::TooLarge { parameter, value });
        }
    }
    Ok(())
}
