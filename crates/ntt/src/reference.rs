//! The definition, quadratic: specification and oracle.

use manycore_field::ModularField;

use super::Kind;

/// The number-theoretic transform of `x` by its definition, in natural order: `X[k]` is the sum of `x[j] w^(j k)`, or
/// `x[j] v^(j (2 k + 1))` for the negacyclic one, where `w` and `v` are roots of unity of order `x.len()` and twice that.
///
/// Takes `len^2` products.
pub fn ntt<F: ModularField>(field: &F, x: &[F::Element], root: F::Element, kind: Kind) -> Vec<F::Element> {
    let value = |k: usize| {
        let step = match kind {
            Kind::Cyclic => field.power(root, k as u64),
            Kind::Negacyclic => field.power(root, 2 * k as u64 + 1),
        };
        let (mut sum, mut power) = (field.zero(), field.one());
        for &a in x {
            sum = field.add(sum, field.mul(a, power));
            power = field.mul(power, step);
        }
        sum
    };
    (0..x.len()).map(value).collect()
}
