//! Determinants over the integers: modulo as many primes as Hadamard's bound asks for, or as early termination does, put
//! together by Chinese remainders; and solutions over the rationals.
//!
//! | file | what |
//! |---|---|
//! | `determinant`, `solve` | what is computed modulo which primes, and put together |
//! | `entry` | the types of entries, and their words in two's complement |
//! | `integers` | a matrix of integers on a device: residues and determinants modulo primes |
//! | `host`, `device` | residues and small determinants with the host's threads, and in a launch for many primes |
//! | `moduli` | many primes on a device |
//! | `bound`, `remainders` | Hadamard's bound, and Chinese remainders |
//! | `verify` | the check of a determinant |

mod bound;
mod determinant;
mod device;
mod entry;
mod host;
mod integers;
mod moduli;
mod remainders;
mod solve;
mod verify;

pub use bound::hadamard_bound;
#[cfg(feature = "ndarray")]
pub use determinant::determinant_of;
pub use determinant::{Certainty, ExactDeterminant, determinant, determinant_on};
pub use entry::IntegerEntry;
pub use solve::{RationalSolution, is_solution, solve, solve_columns};
pub use verify::{check, check_seconds};
