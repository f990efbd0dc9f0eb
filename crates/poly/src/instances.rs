//! Generic code compiled here, once, for the fields that there are, instead of in each program that uses it.
//!
//! The compiler shares an instance of a generic function with the programs that use the crate where the crate has one: of
//! every function at low levels of optimization, of those that are never inlined at high ones. So the operations of a ring
//! are never inlined, and are named here for each field.

use manycore_field::{Goldilocks, PrimeField};

use crate::arithmetic::multiply::transform::TransformProduct;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// The addresses of a ring's operations.
#[expect(clippy::too_many_lines, reason = "one line an operation")]
fn operations<F: PolyField>() -> impl IntoIterator<Item = *const ()> {
    [
        PolyRing::<F>::new as *const (),
        PolyRing::<F>::with_machine as *const (),
        PolyRing::<F>::with_arithmetic as *const (),
        PolyRing::<F>::poly as *const (),
        PolyRing::<F>::coefficients as *const (),
        PolyRing::<F>::coefficients_into as *const (),
        PolyRing::<F>::parse as *const (),
        PolyRing::<F>::display as *const (),
        PolyRing::<F>::display_factors as *const (),
        PolyRing::<F>::display_as as *const (),
        PolyRing::<F>::display_factors_as as *const (),
        PolyRing::<F>::from_buffer as *const (),
        PolyRing::<F>::monomial as *const (),
        PolyRing::<F>::copy as *const (),
        PolyRing::<F>::leading as *const (),
        PolyRing::<F>::equal as *const (),
        PolyRing::<F>::add as *const (),
        PolyRing::<F>::sub as *const (),
        PolyRing::<F>::neg as *const (),
        PolyRing::<F>::scale as *const (),
        PolyRing::<F>::shift_up as *const (),
        PolyRing::<F>::shift_down as *const (),
        PolyRing::<F>::truncate as *const (),
        PolyRing::<F>::reverse as *const (),
        PolyRing::<F>::derivative as *const (),
        PolyRing::<F>::random as *const (),
        PolyRing::<F>::mul as *const (),
        PolyRing::<F>::mul_by as *const (),
        PolyRing::<F>::mul_with as *const (),
        PolyRing::<F>::mul_short as *const (),
        PolyRing::<F>::middle as *const (),
        #[cfg(feature = "ndarray")]
        {
            PolyRing::<F>::batch_of as *const ()
        },
        #[cfg(feature = "ndarray")]
        {
            PolyRing::<F>::array as *const ()
        },
        PolyRing::<F>::batch as *const (),
        PolyRing::<F>::random_batch as *const (),
        PolyRing::<F>::mul_batch as *const (),
        PolyRing::<F>::mul_batch_by as *const (),
        PolyRing::<F>::explain as *const (),
        PolyRing::<F>::explain_gcd_batch as *const (),
        PolyRing::<F>::explain_evaluate_many as *const (),
        PolyRing::<F>::mul_plan as *const (),
        PolyRing::<F>::tree_words as *const (),
        PolyRing::<F>::plan as *const (),
        PolyRing::<F>::time as *const (),
        PolyRing::<F>::evaluate as *const (),
        PolyRing::<F>::evaluate_by as *const (),
        PolyRing::<F>::explain_evaluate as *const (),
        PolyRing::<F>::div_rem as *const (),
        PolyRing::<F>::div_rem_with as *const (),
        PolyRing::<F>::div as *const (),
        PolyRing::<F>::div_with as *const (),
        PolyRing::<F>::rem as *const (),
        PolyRing::<F>::div_exact as *const (),
        PolyRing::<F>::divisor as *const (),
        PolyRing::<F>::rem_with as *const (),
        PolyRing::<F>::div_rem_by as *const (),
        PolyRing::<F>::explain_division as *const (),
        PolyRing::<F>::time_division as *const (),
        PolyRing::<F>::inverse_series as *const (),
        PolyRing::<F>::div_rem_batch as *const (),
        PolyRing::<F>::div_rem_batch_with as *const (),
        PolyRing::<F>::verify_division as *const (),
        PolyRing::<F>::gcd as *const (),
        PolyRing::<F>::gcd_by as *const (),
        PolyRing::<F>::gcd_batch as *const (),
        PolyRing::<F>::gcd_batch_by as *const (),
        PolyRing::<F>::explain_gcd as *const (),
        PolyRing::<F>::monic as *const (),
        PolyRing::<F>::tree as *const (),
        PolyRing::<F>::tree_of as *const (),
        PolyRing::<F>::tree_product as *const (),
        PolyRing::<F>::evaluate_at as *const (),
        PolyRing::<F>::evaluate_many as *const (),
        PolyRing::<F>::interpolate as *const (),
        PolyRing::<F>::subinverse_tree as *const (),
        PolyRing::<F>::evaluate_by_remainders as *const (),
        PolyRing::<F>::evaluate_progression as *const (),
        PolyRing::<F>::evaluate_batch_at as *const (),
        PolyRing::<F>::interpolate_batch as *const (),
        PolyRing::<F>::evaluate_many_by as *const (),
        PolyRing::<F>::moduli as *const (),
        PolyRing::<F>::remainders as *const (),
        PolyRing::<F>::chinese_remainder as *const (),
        PolyRing::<F>::verify_values as *const (),
        PolyRing::<F>::check_values as *const (),
        PolyRing::<F>::pow_mod as *const (),
        PolyRing::<F>::x_pow_mod as *const (),
        PolyRing::<F>::squarefree as *const (),
        PolyRing::<F>::squarefree_part as *const (),
        PolyRing::<F>::distinct_degree as *const (),
        PolyRing::<F>::equal_degree as *const (),
        PolyRing::<F>::is_irreducible as *const (),
        PolyRing::<F>::factor as *const (),
        PolyRing::<F>::roots as *const (),
        PolyRing::<F>::check_roots as *const (),
        PolyRing::<F>::verify_roots as *const (),
        PolyRing::<F>::check_factors as *const (),
        PolyRing::<F>::verify_factors as *const (),
        PolyRing::<F>::xgcd as *const (),
        PolyRing::<F>::verify_xgcd as *const (),
        PolyRing::<F>::inverse_mod as *const (),
        PolyRing::<F>::resultant as *const (),
        PolyRing::<F>::resultant_formal as *const (),
        PolyRing::<F>::discriminant as *const (),
        PolyRing::<F>::subresultants as *const (),
        PolyRing::<F>::verify_resultant as *const (),
        PolyRing::<F>::verify_product as *const (),
        PolyRing::<F>::pow as *const (),
        PolyRing::<F>::pow_short as *const (),
        PolyRing::<F>::compose as *const (),
        PolyRing::<F>::compose_mod as *const (),
        PolyRing::<F>::compose_short as *const (),
        PolyRing::<F>::taylor_shift as *const (),
        PolyRing::<F>::div_series as *const (),
        PolyRing::<F>::integral as *const (),
        PolyRing::<F>::log_series as *const (),
        PolyRing::<F>::exp_series as *const (),
        PolyRing::<F>::pow_series as *const (),
        PolyRing::<F>::sqrt_series as *const (),
        PolyRing::<F>::inverse_sqrt_series as *const (),
        PolyRing::<F>::reversion as *const (),
        TransformProduct::<F>::new as *const (),
        TransformProduct::<F>::with_machine as *const (),
        TransformProduct::<F>::multiply as *const (),
        TransformProduct::<F>::multiply_by as *const (),
        TransformProduct::<F>::explain as *const (),
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
