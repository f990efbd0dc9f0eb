//! From the degrees and leading coefficients of Euclid's remainder sequence to the resultant (Collins 1967).
//!
//! With `r_0 = f`, `r_1 = g`, `deg f >= deg g`, `r_(i+1) = r_(i-1) mod r_i`, degrees `d_i` and leading coefficients `l_i`:
//!
//! ```text
//!   res(r_(i-1), r_i) = (-1)^(d_(i-1) d_i) l_i^(d_(i-1) - d_(i+1)) res(r_i, r_(i+1))
//!   res(r_(h-1), c)   = c^(d_(h-1))                                                    c a constant other than zero
//! ```

use manycore_field::ModularField;

use crate::arithmetic::gcd::transition::matrix::Step;

/// The resultant of a polynomial of `degree` and the next one of a sequence with these divisors, all of them: zero where the last is
/// no constant.
pub(super) fn resultant<F: ModularField>(field: &F, degree: usize, steps: &[Step<F::Element>]) -> F::Element {
    if steps.last().is_none_or(|last| last.drop != degree) {
        return field.zero();
    }
    let degree_of = |i: usize| steps.get(i).map_or(0, |step| degree - step.drop);
    let (mut value, mut negative, mut above) = (field.one(), false, degree);
    for (i, step) in steps.iter().enumerate() {
        let own = degree_of(i);
        // The sequence ends with a constant, past which the degree counts as 0.
        value = field.mul(value, field.power(step.leading, (above - degree_of(i + 1)) as u64));
        negative ^= above % 2 == 1 && own % 2 == 1;
        above = own;
    }
    if negative { field.neg(value) } else { value }
}
