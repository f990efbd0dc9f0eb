//! Generic code compiled here, once, for the fields that there are, instead of in each program that uses it.
//!
//! The compiler shares an instance of a generic function with the programs that use the crate where the crate has one: of
//! every function at low levels of optimization, of those that are never inlined at high ones. So the operations are never
//! inlined, and are named here for each field.

use manycore_field::{Goldilocks, PrimeField};

use crate::{Ntt, NttField, TruncatedNtt, TruncatedSpectrum};
use crate::{multiply_spectra, tables};

/// The addresses of a field's operations.
fn operations<F: NttField>() -> impl IntoIterator<Item = *const ()> {
    [
        Ntt::<F>::new as *const (),
        Ntt::<F>::with_machine as *const (),
        Ntt::<F>::with_planner as *const (),
        Ntt::<F>::with_order as *const (),
        Ntt::<F>::with_arithmetic as *const (),
        Ntt::<F>::run as *const (),
        #[cfg(feature = "ndarray")]
        {
            Ntt::<F>::run_along as *const ()
        },
        Ntt::<F>::over as *const (),
        Ntt::<F>::convolve_over as *const (),
        Ntt::<F>::blocks as *const (),
        Ntt::<F>::explain as *const (),
        Ntt::<F>::estimates as *const (),
        Ntt::<F>::time as *const (),
        Ntt::<F>::time_as_enqueued as *const (),
        Ntt::<F>::middle as *const (),
        Ntt::<F>::forward_to as *const (),
        Ntt::<F>::forward_between as *const (),
        Ntt::<F>::inverse_from as *const (),
        Ntt::<F>::inverse_between as *const (),
        Ntt::<F>::inverse_highest as *const (),
        Ntt::<F>::multiply_rows as *const (),
        Ntt::<F>::multiply_values as *const (),
        Ntt::<F>::convolve_runs as *const (),
        multiply_spectra::<F> as *const (),
        TruncatedNtt::<F>::new as *const (),
        TruncatedNtt::<F>::with_arithmetic as *const (),
        TruncatedNtt::<F>::forward as *const (),
        TruncatedNtt::<F>::inverse as *const (),
        TruncatedSpectrum::<F::Element>::download as *const (),
        tables::words::<F> as *const (),
    ]
}

/// The addresses of the operations over each field.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = operations::<PrimeField<u32>>().into_iter().collect();
    all.extend(operations::<PrimeField<u64>>());
    all.extend(operations::<Goldilocks>());
    all
}
