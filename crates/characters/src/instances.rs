//! Generic code compiled here, once, for the kinds of values that there are, instead of in each program that uses it.
//!
//! The compiler shares an instance of a generic function with the programs that use the crate where the crate has one: of
//! every function at low levels of optimization, of those that are never inlined at high ones. So the operations are never
//! inlined, and are named here for each kind.

use manycore_field::{Goldilocks, PrimeField};

use crate::{Characters, Complexes, Exponents, Residues, Table, Values, table_over};

/// The addresses of the operations on tables of values.
fn operations<V: Values>() -> impl IntoIterator<Item = *const ()> {
    [
        Characters::table::<V> as *const (),
        Characters::table_into::<V> as *const (),
        Characters::explain_table::<V> as *const (),
        table_over::<V> as *const (),
        #[cfg(feature = "ndarray")]
        {
            Table::<V>::array as *const ()
        },
        Table::<V>::download as *const (),
        Table::<V>::verify as *const (),
        Table::<V>::verify_orthogonality as *const (),
        Table::<V>::display as *const (),
    ]
}

/// The addresses of the operations on tables of each kind of values.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = operations::<Exponents<u8>>().into_iter().collect();
    all.extend(operations::<Exponents<u16>>());
    all.extend(operations::<Exponents<u32>>());
    all.extend(operations::<Complexes<f32>>());
    all.extend(operations::<Complexes<f64>>());
    all.extend(operations::<Residues<PrimeField<u32>>>());
    all.extend(operations::<Residues<PrimeField<u64>>>());
    all.extend(operations::<Residues<Goldilocks>>());
    all
}
