//! Generic code compiled here, once, for the rings that there are, instead of in each program that uses it: the compiler
//! shares an instance of a function that is never inlined with the programs that use the crate where the crate has one.

use manycore_field::{Goldilocks, PrimeField, Reals};

use crate::multiply::SparseProduct;
use crate::ring::{Complexes, SparseRing};

/// The addresses of a ring's operations.
fn operations<R: SparseRing>() -> impl IntoIterator<Item = *const ()> {
    [
        SparseProduct::<R>::new::<usize, usize> as *const (),
        SparseProduct::<R>::multiply as *const (),
        SparseProduct::<R>::multiply_dense as *const (),
        SparseProduct::<R>::multiply_into as *const (),
        #[cfg(feature = "ndarray")]
        {
            SparseProduct::<R>::multiply_array as *const ()
        },
        SparseProduct::<R>::run as *const (),
        SparseProduct::<R>::multiply_rows as *const (),
        SparseProduct::<R>::explain as *const (),
        SparseProduct::<R>::time as *const (),
        SparseProduct::<R>::estimates::<usize, usize> as *const (),
    ]
}

/// The addresses of the operations over each ring.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = operations::<Reals<f32>>().into_iter().collect();
    all.extend(operations::<Reals<f64>>());
    all.extend(operations::<Complexes<f32>>());
    all.extend(operations::<Complexes<f64>>());
    all.extend(operations::<PrimeField<u32>>());
    all.extend(operations::<PrimeField<u64>>());
    all.extend(operations::<Goldilocks>());
    all
}
