//! Factorization on the host, on slices of coefficients: degrees of a few tens take no buffers and no choices.
//!
//! | file | what |
//! |---|---|
//! | `words` | products, quotients and greatest common divisors of slices |
//! | `modulus` | products modulo one polynomial |
//! | `frobenius` | powers to the order of the field, compositions with one kept polynomial |
//! | `distinct` | products of the irreducible factors of each degree |
//! | `equal` | the irreducible factors of a product of those of one degree |

mod distinct;
mod equal;
mod frobenius;
mod modulus;
mod words;

pub(super) use distinct::products_by_degree;
pub(super) use equal::irreducible_factors;
pub(super) use words::Words;
