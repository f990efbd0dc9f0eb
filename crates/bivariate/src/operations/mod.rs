//! Operations on systems of two polynomials as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `job` | jobs over a prime field and over the rationals |
//! | `system` | systems in files |
//! | `resultant` | resultants |
//! | `solve` | common zeros |
//! | `report`, `curves` | the page of a system, and what it shows |

mod curves;
mod job;
mod report;
mod resultant;
mod solve;
mod system;

use manycore_operation::{Failure, Operation};

use crate::error::BivariateError;

use job::Over;
pub use job::held;
pub use resultant::{resultant_answer, system_of_resultant};

/// Every operation on systems.
pub static ALL: [&dyn Operation; 3] =
    [&Over::<resultant::Eliminated>::new(), &Over::<solve::Solve>::new(), &report::REPORT];

impl Failure for BivariateError {
    fn is_of_input(&self) -> bool {
        matches!(
            self,
            Self::Parse(_)
                | Self::Degree { .. }
                | Self::TooLarge { .. }
                | Self::WholePlane
                | Self::NoForm { .. }
                | Self::Bound { .. }
        )
    }
}
