//! Operations on functions on groups as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `fourier` | the Fourier transform as an operation |
//! | `job` | its job, over any numbers |
//! | `kinds` | what complex numbers and residues do differently |
//! | `faults` | what is wrong with a job |
//! | `choices` | the transform as a choice among candidates |

mod choices;
mod faults;
mod fourier;
mod job;
mod kinds;

use manycore_operation::Operation;

pub use choices::CHOICES;

/// Every operation on functions on groups.
pub static ALL: [&dyn Operation; 1] = [&fourier::Transform];
