//! The arithmetic of polynomials; nothing here knows of trees or factors.
//!
//! | folder | what |
//! |---|---|
//! | [`linear`] | sums, multiples, shifts, reversal, comparison |
//! | [`multiply`] | products, squares, batches |
//! | `power` | powers |
//! | [`evaluate`] | the value at one point |
//! | [`divide`] | quotients, remainders, inverses of power series |
//! | [`series`] | power series |
//! | [`compose`] | compositions and shifts of the variable |
//! | [`gcd`], [`resultant`] | greatest common divisors with cofactors, resultants |

// Documentation has methods in the order of these: products first.
pub mod multiply;

pub mod compose;
pub mod divide;
pub mod evaluate;
pub mod gcd;
pub mod linear;
mod power;
pub mod resultant;
pub mod series;
