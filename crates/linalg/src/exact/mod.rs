//! Determinants over the integers: modulo as many primes as Hadamard's bound asks for, or as early termination does, put
//! together by Chinese remainders; and solutions over the rationals.

mod bound;
mod determinant;
mod entry;
mod remainders;
mod solve;
mod verify;

pub use bound::hadamard_bound;
#[cfg(feature = "ndarray")]
pub use determinant::determinant_of;
pub use determinant::{Certainty, ExactDeterminant, determinant, determinant_on};
pub use entry::IntegerEntry;
pub use solve::{RationalSolution, is_solution, solve, solve_columns};
pub use verify::check;
