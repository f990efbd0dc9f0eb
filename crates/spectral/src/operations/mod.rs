//! Operations on vectors of 2^n values as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `runs` | the runs of a vector that are transformed |
//! | `job` | jobs that transform runs, on one device, on several, or in files |
//! | `numbers` | transforms of numbers of four types |
//! | `options` | options that several have |
//! | `walsh`, `arithmetic`, `haar` | transforms of numbers |
//! | `reed_muller` | the transform of values 0 and 1, and of packed ones |
//! | `polarities` | the best fixed polarity |
//! | `choices` | the transforms that choose among candidates |

mod arithmetic;
mod choices;
mod haar;
mod job;
mod numbers;
mod options;
pub mod polarities;
mod reed_muller;
mod runs;
mod walsh;

use manycore_operation::{Failure, Operation};

use crate::error::SpectralError;
pub use choices::CHOICES;
use numbers::Numbers;

/// Every operation on vectors of 2^n values.
pub static ALL: [&dyn Operation; 5] = [
    &Numbers::<walsh::Work>::new(),
    &reed_muller::ReedMullerTransform,
    &Numbers::<arithmetic::Work>::new(),
    &Numbers::<haar::Work>::new(),
    &polarities::BestPolarity,
];

impl Failure for SpectralError {
    fn is_of_input(&self) -> bool {
        matches!(
            self,
            Self::Device(_)
                | Self::NotPowerOfTwo { .. }
                | Self::Batch { .. }
                | Self::Packed { .. }
                | Self::PackedOrder
                | Self::Shift { .. }
                | Self::IntegerNormalization { .. }
                | Self::Overflow { .. }
                | Self::Fraction { .. }
        )
    }
}
