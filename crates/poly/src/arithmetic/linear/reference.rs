//! The linear operations by their definitions, on slices of coefficients: specification and oracle.

use manycore_field::{ModularField, ResidueWord as _, Semiring};

/// An operation on coefficients one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Elementwise<E> {
    Add,
    Subtract,
    Negate,
    Scale(E),
    Derivative,
    Reverse,
}

/// The number of coefficients up to the last that is not zero.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_poly::linear::reference;
/// let field = PrimeField::<u32>::new(7)?;
/// assert_eq!(reference::stripped_len(&field, &[0, 3, 0, 0]), 2);
/// # Ok::<(), manycore_field::NotPrime>(())
/// ```
pub fn stripped_len<S: Semiring>(ring: &S, f: &[S::Element]) -> usize {
    f.iter().rposition(|&c| c != ring.zero()).map_or(0, |i| i + 1)
}

/// `f + g`, as long as the longer of the two.
pub fn add<S: Semiring>(ring: &S, f: &[S::Element], g: &[S::Element]) -> Vec<S::Element> {
    let at = |f: &[S::Element], i: usize| f.get(i).copied().unwrap_or(ring.zero());
    (0..f.len().max(g.len())).map(|i| ring.add(at(f, i), at(g, i))).collect()
}

/// The derivative: `(i + 1) f[i + 1]` at `x^i`.
pub fn derivative<S: Semiring>(ring: &S, f: &[S::Element]) -> Vec<S::Element> {
    f.iter().enumerate().skip(1).map(|(i, &c)| ring.mul(ring.natural(i as u64), c)).collect()
}

/// Coefficient `index` of [`PolyRing::random`](crate::PolyRing::random).
pub fn random<F: ModularField>(field: &F, seed: u64, index: u64) -> F::Element {
    const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
    let p = field.order();
    let mask = u64::MAX >> (p - 1).leading_zeros();
    let mut state = mixed(seed.wrapping_add(GAMMA.wrapping_mul(index.wrapping_add(1))));
    while state & mask >= p {
        state = mixed(state.wrapping_add(GAMMA));
    }
    F::Element::from_u64(state & mask)
}

/// The finaliser of `SplitMix64` (Steele, Lea, Flood, OOPSLA 2014).
fn mixed(x: u64) -> u64 {
    let y = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (y ^ (y >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_field::PrimeField;

    /// The first output of `SplitMix64` seeded with 1234567, as published.
    #[test]
    fn the_generator_is_split_mix_64() {
        assert_eq!(mixed(1_234_567_u64.wrapping_add(0x9e37_79b9_7f4a_7c15)), 6_457_827_717_110_365_317);
    }

    /// Each residue of a small field comes about equally often: with 70 000 draws mod 7, within five standard deviations.
    #[test]
    fn coefficients_are_uniform() {
        let field = PrimeField::<u32>::new(7).unwrap();
        let mut counts = [0i64; 7];
        for i in 0..70_000 {
            counts[random(&field, 5, i) as usize] += 1;
        }
        let deviation = (70_000.0f64 * (1.0 / 7.0) * (6.0 / 7.0)).sqrt();
        assert!(counts.iter().all(|&count| ((count - 10_000) as f64).abs() < 5.0 * deviation), "{counts:?}");
    }
}
