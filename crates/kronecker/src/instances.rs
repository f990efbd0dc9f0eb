//! Generic code compiled here, once, for the rings that there are, instead of in each program that uses it.
//!
//! The compiler shares an instance of a generic function with the programs that use the crate where the crate has one: of
//! every function at low levels of optimization, of those that are never inlined at high ones. So the operations are never
//! inlined, and are named here for each ring.

use crate::{
    Complexes, Factor, Goldilocks, Integers, Kronecker, KroneckerProduct, PrimeField, Reals, Transform, Values, parse,
};

/// The addresses of the operations over a ring.
fn operations<V: Values>() -> impl IntoIterator<Item = *const ()> {
    [
        Transform::<V>::run_in_place as *const (),
        Kronecker::transform::<V> as *const (),
        Kronecker::plan_within::<V> as *const (),
        Kronecker::transform_by::<V> as *const (),
        Kronecker::forward_in_place::<V> as *const (),
        Kronecker::explain::<V> as *const (),
        KroneckerProduct::<V>::new as *const (),
        KroneckerProduct::<V>::power as *const (),
        KroneckerProduct::<V>::transposed as *const (),
        KroneckerProduct::<V>::inverse as *const (),
        KroneckerProduct::<V>::divisor as *const (),
        KroneckerProduct::<V>::undivided as *const (),
        #[cfg(feature = "ndarray")]
        {
            Kronecker::run_along::<V> as *const ()
        },
        #[cfg(feature = "ndarray")]
        {
            Factor::<V>::from_array as *const ()
        },
        #[cfg(feature = "ndarray")]
        {
            Factor::<V>::array as *const ()
        },
        Factor::<V>::identity as *const (),
        Factor::<V>::undivided as *const (),
        Factor::<V>::entry as *const (),
        Factor::<V>::transposed as *const (),
        Factor::<V>::inverse as *const (),
        Factor::<V>::walsh as *const (),
        Factor::<V>::reed_muller as *const (),
        Factor::<V>::arithmetic as *const (),
        Factor::<V>::arithmetic_inverse as *const (),
        Factor::<V>::hadamard as *const (),
        Factor::<V>::fourier as *const (),
        parse::<V> as *const (),
    ]
}

/// The addresses of the operations over each ring.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = operations::<Integers<i32>>().into_iter().collect();
    all.extend(operations::<Integers<i64>>());
    all.extend(operations::<Reals<f32>>());
    all.extend(operations::<Reals<f64>>());
    all.extend(operations::<Complexes<f32>>());
    all.extend(operations::<Complexes<f64>>());
    all.extend(operations::<PrimeField<u32>>());
    all.extend(operations::<PrimeField<u64>>());
    all.extend(operations::<Goldilocks>());
    all
}
