//! Resultants, discriminants and subresultants by Euclid's remainder sequence (paper 002, chapters 9 and 11).
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | determinants of Sylvester's matrix: specification and oracle |
//! | `sequence` | from the degrees and leading coefficients of the remainders to the resultant |
//! | `operations` | resultants and discriminants as operations of the ring |
//! | `subresultants` | all subresultant polynomials |
//! | `verify` | checking a resultant by another sequence |

mod operations;
pub mod reference;
mod sequence;
mod subresultants;
mod verify;
