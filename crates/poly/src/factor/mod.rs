//! Powers modulo a polynomial, roots, and factorization over prime fields.
//!
//! ```text
//! f ── squarefree ── f_i, multiplicity i ── distinct_degree ── products of degree d ── equal_degree ── irreducible factors
//! f ── x^p mod f ── gcd(x^p - x, f) ── equal_degree, d = 1 ── roots
//! ```
//!
//! | file | what |
//! |---|---|
//! | `power` | `f^e mod m`, `x^e mod m` |
//! | `frobenius` | `x^(p^d) mod m` and traces, by compositions or squares |
//! | `squarefree` | Yun's algorithm in any characteristic |
//! | `distinct_degree` | products of the irreducible factors of each degree |
//! | `equal_degree` | the algorithm of Cantor and Zassenhaus |
//! | `irreducible` | Rabin's irreducibility test |
//! | `on_host` | the last two on the host, on slices of coefficients |
//! | `complete` | all irreducible factors |
//! | `roots` | the roots in the field |
//! | `verify` | checks of roots and factorizations |
//! | `oracle` | the products that the check of irreducible factors compares |

mod complete;
mod distinct_degree;
mod equal_degree;
mod frobenius;
mod irreducible;
mod on_host;
mod oracle;
mod power;
mod roots;
mod squarefree;
mod verify;

pub use complete::Factorization;
