//! The orders of the coefficients of spectra, and the directions of transforms: what transforms and checks of them both name.
//!
//! | file | what |
//! |---|---|
//! | `walsh` | orders of Walsh spectra, bit reversal and Gray codes |
//! | `bits` | orders of Reed-Muller and arithmetic spectra |
//! | `haar` | orders and normalisations of Haar spectra |

mod bits;
mod haar;
mod walsh;

pub use bits::{BitOrder, ParseBitOrderError};
pub use haar::{HaarOrder, Normalization, ParseHaarError};
pub use walsh::{Order, ParseOrderError, gray, inverse_gray, reverse_bits};

/// The direction of a transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From values to coefficients, not scaled.
    #[default]
    Forward,
    /// From coefficients to values: the same sums, divided by the length.
    Inverse,
}
