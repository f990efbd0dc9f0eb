//! The properties of a function, computed together: weight, degree, and the summaries of its spectra.

use super::{AutocorrelationSummary, WalshSummary};
use crate::context::Boolean;
use crate::error::BooleanError;
use crate::table::TruthTable;

/// What is known of a Boolean function: see [`Boolean::properties`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Properties {
    /// The number of variables, `n`.
    pub variables: u32,
    /// The number of `x` with `f(x) = 1`.
    pub weight: u64,
    /// The algebraic degree; 0 for constants.
    pub degree: u32,
    /// The number of terms of the algebraic normal form.
    pub terms: u64,
    /// Nonlinearity, correlation immunity, resiliency, bent and plateaued functions.
    pub walsh: WalshSummary,
    /// Absolute indicator, sum of squares, propagation criterion, linear structures.
    pub autocorrelation: AutocorrelationSummary,
}

impl Boolean {
    /// Weight, degree, and the summaries of the Walsh spectrum and of the autocorrelation, of up to
    /// [`MOST_SPECTRAL_VARIABLES`](super::MOST_SPECTRAL_VARIABLES) variables. Only sums come back from the device.
    ///
    /// ```
    /// use manycore_boolean::{Boolean, HexOrder, TruthTable};
    /// use manycore_device::Device;
    /// let f = TruthTable::from_hex(6, "0113077C165E76A8", HexOrder::Integer)?;
    /// let properties = Boolean::new(&Device::from_env()?).properties(&f)?;
    /// assert!(properties.walsh.is_bent());
    /// assert_eq!((properties.degree, properties.walsh.nonlinearity()), (3, 28));
    /// assert_eq!(properties.autocorrelation.propagation_order(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Boolean::walsh`].
    pub fn properties(&self, f: &TruthTable) -> Result<Properties, BooleanError> {
        let f = self.upload(f)?;
        let walsh = self.walsh(&f)?;
        let (weight, _) = self.weigh(&f)?;
        let (terms, degree) = self.weigh(&self.reed_muller(&f)?)?;
        let autocorrelation = self.autocorrelation(&walsh)?;
        Ok(Properties {
            variables: f.variables(),
            weight,
            degree,
            terms,
            walsh: self.walsh_summary(&walsh)?,
            autocorrelation: self.autocorrelation_summary(&autocorrelation)?,
        })
    }
}
