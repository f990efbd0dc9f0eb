//! Operations on residues as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `ntt` | the number-theoretic transform as an operation |
//! | `job` | its job: in the memory of one device, in blocks, or in a file without a name |
//! | `choices` | the transform as a choice among candidates |

mod choices;
mod job;
mod ntt;

use manycore_device::LibraryError;
use manycore_operation::{Failure, Operation, of_input};

use crate::NttError;
pub use choices::CHOICES;

/// Every operation on residues.
pub static ALL: [&dyn Operation; 1] = [&ntt::Transform];

impl Failure for NttError {
    fn is_of_input(&self) -> bool {
        matches!(self, Self::NotPowerOfTwo { .. } | Self::NoRoot { .. })
    }

    fn told(&self, inputs: &[String]) -> String {
        if self.kind().is_refusal() { of_input(self, inputs, 0) } else { self.to_string() }
    }
}
