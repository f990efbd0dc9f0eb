//! Exact linear algebra over the integers and the rationals: every result is proved.
//!
//! Determinants, characteristic polynomials and adjugates are computed modulo as many primes as bounds ask for, and put together by
//! Chinese remainders; solutions, ranks and nullspaces by lifting digits modulo powers of a prime, and proved by products with the
//! matrix.
//!
//! | file | what |
//! |---|---|
//! | `determinant`, `characteristic`, `minimal`, `inverse` | what is computed modulo which primes, and put together |
//! | `partial` | determinants in parts that are computed apart |
//! | `solve`, `nullspace` | solutions of any shape, ranks and nullspaces |
//! | `hermite`, `triangle`, `modulo`, `smith` | Hermite forms modulo determinants, Smith forms |
//! | `pivots` | rows and columns of a regular part of the rank, and the proof that there is no larger one |
//! | `lift`, `residual`, `fractions` | digits of a solution, what remains, and fractions with a common denominator |
//! | `entry` | the types of entries, and their words in two's complement |
//! | `integers` | a matrix of integers on a device: residues and determinants modulo primes |
//! | `host`, `device` | residues and small determinants with the host's threads, and in a launch for many primes |
//! | `array` | matrices in arrays of `ndarray` |
//! | `moduli` | many primes on a device |
//! | `bound` | Hadamard's bound, and those of minors and of coefficients |
//! | `remainders`, `combine` | Chinese remainders: one integer, prime after prime, and many integers at once |
//! | `scale` | matrices of fractions as matrices of integers |
//! | `reference` | elimination with fractions |
//! | `verify`, `verify_forms`, `verify_lattice`, `verify_factors` | the checks of results |

#[cfg(feature = "ndarray")]
mod array;
mod bound;
mod characteristic;
mod combine;
mod determinant;
mod device;
mod entry;
mod fractions;
mod hermite;
mod host;
mod integers;
mod inverse;
mod lift;
mod minimal;
mod moduli;
mod modulo;
mod nullspace;
mod partial;
mod pivots;
pub mod reference;
mod remainders;
mod residual;
mod scale;
mod smith;
mod solve;
mod triangle;
mod verify;
mod verify_factors;
mod verify_forms;
mod verify_lattice;

#[cfg(feature = "ndarray")]
pub use array::{characteristic_polynomial_of, inverse_of, nullspace_of, rank_of, solve_of};
pub use bound::hadamard_bound;
pub use characteristic::characteristic_polynomial;
#[cfg(feature = "ndarray")]
pub use determinant::determinant_of;
pub use determinant::{Certainty, ExactDeterminant, determinant, determinant_on};
pub use entry::IntegerEntry;
pub use hermite::{HermiteForm, hermite_form, hermite_form_with_transform};
pub use inverse::inverse;
pub use minimal::minimal_polynomial;
pub use nullspace::{IntegerNullspace, nullspace, rank};
pub use partial::{
    DeterminantResidues, determinant_of_parts, determinant_residues, determinant_residues_on, proving_primes,
};
pub use scale::{common_denominator, scaled};
pub use smith::{SmithForm, invariant_factors, smith_form};
pub use solve::{RationalSolution, is_solution, solve, solve_columns};
pub use verify::{
    check, check_characteristic_polynomial, check_inverse, check_no_solution, check_nullspace, check_rank,
    check_seconds,
};
pub use verify_factors::check_invariant_factors;
pub use verify_forms::{check_hermite_form, check_minimal_polynomial, check_smith_form};
pub use verify_lattice::check_hermite_form_alone;
