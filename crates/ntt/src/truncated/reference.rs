//! The definition, quadratic: specification and oracle.

use manycore_field::ModularField;

/// The truncated transform of `x` by its definition: value `i` is the sum of `x[j] w^(reversed(i) j)`, `w = root` of the
/// order `2^k`, the least power of two that is `x.len()` or more, and `reversed(i)` the `k` bits of `i` in reversed order.
///
/// Takes `len^2` products.
pub fn truncated_ntt<F: ModularField>(field: &F, x: &[F::Element], root: F::Element) -> Vec<F::Element> {
    let bits = x.len().next_power_of_two().ilog2();
    let value = |i: u64| {
        let point = field.power(root, reversed(i, bits));
        x.iter().rev().fold(field.zero(), |sum, &a| field.add(field.mul(sum, point), a))
    };
    (0..x.len() as u64).map(value).collect()
}

/// The lowest `bits` bits of `i` in reversed order.
pub(super) fn reversed(i: u64, bits: u32) -> u64 {
    if bits == 0 { 0 } else { i.reverse_bits() >> (64 - bits) }
}
