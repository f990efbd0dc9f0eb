//! Generic code compiled here, once, for the numbers that there are, instead of in each program that uses it.
//!
//! The compiler shares an instance of a generic function with the programs that use the crate where the crate has one: of
//! every function at low levels of optimization, of those that are never inlined at high ones. So the operations are never
//! inlined, and are named here for each kind of numbers.

use manycore_field::{Goldilocks, PrimeField};

use crate::{Complexes, Fourier, Numbers, Residues};

/// The addresses of the operations on numbers.
fn operations<N: Numbers>() -> impl IntoIterator<Item = *const ()> {
    [
        Fourier::convolve::<N> as *const (),
        Fourier::correlate::<N> as *const (),
        Fourier::run::<N> as *const (),
        #[cfg(feature = "ndarray")]
        {
            Fourier::run_along::<N> as *const ()
        },
        Fourier::explain_transform::<N> as *const (),
        Fourier::upload::<N> as *const (),
        Fourier::upload_real::<N> as *const (),
        Fourier::download::<N> as *const (),
    ]
}

/// The addresses of the operations on each kind of numbers.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = operations::<Complexes<f32>>().into_iter().collect();
    all.extend(operations::<Complexes<f64>>());
    all.extend(operations::<Residues<PrimeField<u32>>>());
    all.extend(operations::<Residues<PrimeField<u64>>>());
    all.extend(operations::<Residues<Goldilocks>>());
    all
}
