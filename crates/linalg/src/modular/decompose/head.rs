//! Triangular factors of a small regular block on the host, without exchanges, and the inverses of both (Golub and Van Loan, Matrix
//! Computations, sections 3.1 and 3.2).

use crate::field::MatrixField;

/// The factors of a block of order `c`, each `c^2` entries, row after row.
pub(super) struct Head<E> {
    /// The unit lower triangular factor.
    pub(super) lower: Vec<E>,
    pub(super) lower_inverse: Vec<E>,
    pub(super) upper_inverse: Vec<E>,
    /// The diagonal of the upper factor.
    pub(super) pivots: Vec<E>,
}

/// The factors of a block of `order^2` entries; `None` where a leading minor is 0, so that there are none.
pub(super) fn factor<F: MatrixField>(field: &F, mut block: Vec<F::Element>, order: usize) -> Option<Head<F::Element>> {
    let mut pivots = Vec::with_capacity(order);
    let mut inverses = Vec::with_capacity(order);
    for k in 0..order {
        let (upper, below) = block.split_at_mut((k + 1) * order);
        let pivot_row = &upper[k * order..];
        let inverse = field.inverse(pivot_row[k])?;
        for row in below.chunks_mut(order) {
            let factor = field.mul(row[k], inverse);
            row[k] = factor;
            if factor != field.zero() {
                field.sub_scaled_slice(&mut row[k + 1..], factor, &pivot_row[k + 1..]);
            }
        }
        pivots.push(pivot_row[k]);
        inverses.push(inverse);
    }
    let unit = |i: usize| (0..order).map(move |j| if i == j { field.one() } else { field.zero() });
    let mut lower: Vec<F::Element> = (0..order).flat_map(unit).collect();
    let mut lower_inverse = lower.clone();
    let mut upper_inverse = lower.clone();
    for i in 0..order {
        lower[i * order..][..i].copy_from_slice(&block[i * order..][..i]);
        let (above, row) = lower_inverse.split_at_mut(i * order);
        for (other, &factor) in above.chunks(order).zip(&block[i * order..]) {
            field.sub_scaled_slice(&mut row[..i], factor, &other[..i]);
        }
    }
    for i in (0..order).rev() {
        let (row, below) = upper_inverse[i * order..].split_at_mut(order);
        for (other, &factor) in below.chunks(order).zip(&block[i * order + i + 1..]) {
            field.sub_scaled_slice(&mut row[i + 1..], factor, &other[i + 1..]);
        }
        field.scale_slice(&mut row[i..], inverses[i]);
    }
    Some(Head { lower, lower_inverse, upper_inverse, pivots })
}

#[cfg(test)]
mod tests {
    use manycore_field::{Goldilocks, PrimeField, ResidueWord as _};

    use super::*;
    use crate::modular::multiply::reference::multiply;

    fn check<F: MatrixField>(field: &F) {
        let p = field.order();
        for order in [0usize, 1, 2, 3, 7, 20] {
            let shape = (order, order, order);
            let word = |e: usize| F::Element::from_u64((e as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) % p);
            let identity: Vec<F::Element> =
                (0..order * order).map(|e| if e % order == e / order { field.one() } else { field.zero() }).collect();
            let lower: Vec<F::Element> =
                (0..order * order).map(|e| if e % order < e / order { word(e) } else { identity[e] }).collect();
            let upper: Vec<F::Element> =
                (0..order * order).map(|e| if e % order > e / order { word(e + 7) } else { identity[e] }).collect();
            let head = factor(field, multiply(field, &lower, &upper, shape), order).unwrap();
            assert!(head.lower == lower && head.pivots == vec![field.one(); order], "{order} mod {p}");
            assert!(multiply(field, &lower, &head.lower_inverse, shape) == identity, "{order} mod {p}");
            assert!(multiply(field, &upper, &head.upper_inverse, shape) == identity, "{order} mod {p}");
        }
        // Regular, but its first minor is 0.
        let exchange = [field.zero(), field.one(), field.one(), field.zero()];
        assert!(factor(field, exchange.to_vec(), 2).is_none());
        let diagonal = factor(field, vec![field.neg(field.one())], 1).unwrap();
        assert!(diagonal.upper_inverse == [field.neg(field.one())]);
    }

    #[test]
    fn factors_are_those_that_the_block_was_made_of() {
        for p in [2, 3, 469_762_049, 2_147_483_647] {
            check(&PrimeField::<u32>::new(p).unwrap());
        }
        check(&PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap());
        check(&Goldilocks);
    }
}
