//! Generic code compiled here, once, for the fields that there are, instead of in each program that uses it.
//!
//! The compiler shares an instance of a generic function with the programs that use the crate where the crate has one: of
//! every function at low levels of optimization, of those that are never inlined at high ones. So the operations of a ring
//! are never inlined, and are named here for each field.

use manycore_field::{Goldilocks, PrimeField};

use crate::polynomial::Bivariate;
use crate::ring::{BivariateField, BivariateRing};

/// The addresses of a ring's operations.
fn operations<F: BivariateField>() -> impl IntoIterator<Item = *const ()> {
    [
        Bivariate::<F>::parse as *const (),
        Bivariate::<F>::parse_in as *const (),
        Bivariate::<F>::random as *const (),
        Bivariate::<F>::random_rectangle as *const (),
        Bivariate::<F>::evaluate as *const (),
        Bivariate::<F>::mul as *const (),
        BivariateRing::<F>::new as *const (),
        BivariateRing::<F>::resultant as *const (),
        BivariateRing::<F>::subresultant as *const (),
        BivariateRing::<F>::resultant_by_divisions as *const (),
        BivariateRing::<F>::verify_resultant as *const (),
        BivariateRing::<F>::decompose as *const (),
        BivariateRing::<F>::solve as *const (),
        BivariateRing::<F>::chain_points as *const (),
        BivariateRing::<F>::root_multiplicities as *const (),
        BivariateRing::<F>::exhaustive_search as *const (),
        BivariateRing::<F>::verify_chains as *const (),
        BivariateRing::<F>::verify_solutions as *const (),
        BivariateRing::<F>::represent as *const (),
        BivariateRing::<F>::representation_points as *const (),
        BivariateRing::<F>::verify_representation as *const (),
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
