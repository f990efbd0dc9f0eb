//! Composition by its definition, Horner's rule with products by theirs: specification and oracle.

use manycore_field::ModularField;

use crate::arithmetic::multiply::reference::multiply;

/// The coefficients of `f(g)`, the constant term first: `(f.len() - 1) (g.len() - 1) + 1` of them, of which leading ones may be
/// zero; none where `f` has none. An empty `g` is zero.
///
/// Takes `O(n^2 m^2)` operations for `n` and `m` coefficients.
pub fn compose<F: ModularField>(field: &F, f: &[F::Element], g: &[F::Element]) -> Vec<F::Element> {
    let zero = [field.zero()];
    let g = if g.is_empty() { &zero[..] } else { g };
    let mut value: Vec<F::Element> = Vec::new();
    for &c in f.iter().rev() {
        if value.is_empty() {
            value.push(c);
        } else {
            value = multiply(field, &value, g);
            value[0] = field.add(value[0], c);
        }
    }
    value
}
