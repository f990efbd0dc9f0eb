//! Generic code compiled here, once, for the fields that there are, instead of in each program that uses it: operations are
//! never inlined, and named here for each field, so that programs share the crate's instances.

use manycore_field::{Goldilocks, PrimeField};

#[cfg(feature = "bigint")]
use crate::exact;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::characteristic::check_minimal_polynomial;
use crate::modular::decompose::{Lu, check_lu, check_pluq, check_row_space};
use crate::modular::matrix::Matrix;

/// The addresses of the operations over a field.
fn operations<F: MatrixField>() -> impl IntoIterator<Item = *const ()> {
    [
        LinearAlgebra::<F>::new as *const (),
        LinearAlgebra::<F>::with_machine as *const (),
        LinearAlgebra::<F>::with_arithmetic as *const (),
        LinearAlgebra::<F>::matrix as *const (),
        Matrix::<F>::display as *const (),
        LinearAlgebra::<F>::entries as *const (),
        LinearAlgebra::<F>::entries_into as *const (),
        #[cfg(feature = "ndarray")]
        {
            LinearAlgebra::<F>::batch_of as *const ()
        },
        #[cfg(feature = "ndarray")]
        {
            LinearAlgebra::<F>::batch_array as *const ()
        },
        LinearAlgebra::<F>::zeros as *const (),
        LinearAlgebra::<F>::identity as *const (),
        LinearAlgebra::<F>::random as *const (),
        LinearAlgebra::<F>::add as *const (),
        LinearAlgebra::<F>::sub as *const (),
        LinearAlgebra::<F>::scale as *const (),
        LinearAlgebra::<F>::transpose as *const (),
        LinearAlgebra::<F>::equal as *const (),
        LinearAlgebra::<F>::mul as *const (),
        LinearAlgebra::<F>::mul_with as *const (),
        LinearAlgebra::<F>::mul_on as *const (),
        LinearAlgebra::<F>::mul_words as *const (),
        LinearAlgebra::<F>::product_blocks as *const (),
        LinearAlgebra::<F>::lu_on as *const (),
        LinearAlgebra::<F>::panels as *const (),
        LinearAlgebra::<F>::determinant_on as *const (),
        LinearAlgebra::<F>::rank_on as *const (),
        LinearAlgebra::<F>::explain_product as *const (),
        LinearAlgebra::<F>::power as *const (),
        LinearAlgebra::<F>::echelon as *const (),
        LinearAlgebra::<F>::echelon_by as *const (),
        LinearAlgebra::<F>::explain_elimination as *const (),
        LinearAlgebra::<F>::rank as *const (),
        LinearAlgebra::<F>::determinant as *const (),
        LinearAlgebra::<F>::determinant_by as *const (),
        LinearAlgebra::<F>::determinant_by_condensation as *const (),
        LinearAlgebra::<F>::condense as *const (),
        LinearAlgebra::<F>::inverse as *const (),
        LinearAlgebra::<F>::inverse_by as *const (),
        LinearAlgebra::<F>::explain_inverse as *const (),
        LinearAlgebra::<F>::solve as *const (),
        LinearAlgebra::<F>::nullspace as *const (),
        LinearAlgebra::<F>::left_nullspace as *const (),
        LinearAlgebra::<F>::row_space as *const (),
        LinearAlgebra::<F>::column_space as *const (),
        LinearAlgebra::<F>::column_rank_profile as *const (),
        LinearAlgebra::<F>::row_rank_profile as *const (),
        LinearAlgebra::<F>::lu as *const (),
        LinearAlgebra::<F>::pluq as *const (),
        check_lu::<F> as *const (),
        check_pluq::<F> as *const (),
        check_row_space::<F> as *const (),
        Lu::<F>::determinant as *const (),
        Lu::<F>::inverse as *const (),
        Lu::<F>::solve as *const (),
        Lu::<F>::nullspace as *const (),
        Lu::<F>::into_pluq as *const (),
        LinearAlgebra::<F>::hessenberg as *const (),
        LinearAlgebra::<F>::characteristic_polynomial as *const (),
        LinearAlgebra::<F>::minimal_polynomial as *const (),
        check_minimal_polynomial::<F> as *const (),
        LinearAlgebra::<F>::batch as *const (),
        LinearAlgebra::<F>::inverses as *const (),
        LinearAlgebra::<F>::determinants as *const (),
        LinearAlgebra::<F>::determinants_by as *const (),
        LinearAlgebra::<F>::verify_product as *const (),
        LinearAlgebra::<F>::verify_inverse as *const (),
        LinearAlgebra::<F>::verify_nullspace as *const (),
        LinearAlgebra::<F>::verify_determinant as *const (),
        LinearAlgebra::<F>::verify_rank as *const (),
        LinearAlgebra::<F>::verify_characteristic_polynomial as *const (),
    ]
}

/// The addresses of the operations on matrices of integers.
#[cfg(feature = "bigint")]
fn of_integers<T: exact::IntegerEntry>() -> impl IntoIterator<Item = *const ()> {
    [
        exact::determinant::<T> as *const (),
        exact::determinant_on::<T> as *const (),
        exact::rank::<T> as *const (),
        exact::nullspace::<T> as *const (),
        exact::inverse::<T> as *const (),
        exact::solve::<T> as *const (),
        exact::solve_columns::<T> as *const (),
        exact::is_solution::<T> as *const (),
        exact::characteristic_polynomial::<T> as *const (),
        exact::minimal_polynomial::<T> as *const (),
        exact::hermite_form::<T> as *const (),
        exact::hermite_form_with_transform::<T> as *const (),
        exact::smith_form::<T> as *const (),
        exact::invariant_factors::<T> as *const (),
        exact::check::<T> as *const (),
        exact::check_rank::<T> as *const (),
        exact::check_nullspace::<T> as *const (),
        exact::check_inverse::<T> as *const (),
        exact::check_no_solution::<T> as *const (),
        exact::check_characteristic_polynomial::<T> as *const (),
        exact::check_minimal_polynomial::<T> as *const (),
        exact::check_hermite_form::<T> as *const (),
        exact::check_smith_form::<T> as *const (),
        exact::check_hermite_form_alone::<T> as *const (),
        exact::check_invariant_factors::<T> as *const (),
    ]
}

/// The addresses of the operations over each field.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = operations::<PrimeField<u32>>().into_iter().collect();
    all.extend(operations::<PrimeField<u64>>());
    all.extend(operations::<Goldilocks>());
    #[cfg(feature = "bigint")]
    {
        all.extend(of_integers::<i64>());
        all.extend(of_integers::<num_bigint::BigInt>());
    }
    all
}
