//! Euclid's algorithm on slices: remainders again and again, on the calling thread.
//!
//! Most quotients of random polynomials have degree 1: those remainders take one pass over the coefficients, without a
//! division where three products of residues fit a word ([`ShortPolynomials::euclid_step`]). Remainders may be multiplied by units.

use crate::arithmetic::linear::reference::stripped_len;
use crate::host::ShortPolynomials;

/// A greatest common divisor of `a` and `b` into `a`, not monic, without leading zeros; `b` is used up. `O(n m)` products for
/// `n` and `m` coefficients.
pub(super) fn gcd<F: ShortPolynomials>(field: &F, a: &mut Vec<F::Element>, b: &mut Vec<F::Element>) {
    a.truncate(stripped_len(field, a));
    b.truncate(stripped_len(field, b));
    if a.len() < b.len() {
        std::mem::swap(a, b);
    }
    let by = field.crossing();
    while b.len() > 1 {
        if a.len() == b.len() + 1 {
            field.euclid_step(&by, a, b);
        } else {
            remainder(field, a, b);
        }
        a.truncate(b.len() - 1);
        a.truncate(stripped_len(field, a));
        std::mem::swap(a, b);
    }
    if b.len() == 1 {
        std::mem::swap(a, b);
    }
    b.clear();
}

/// The monic greatest common divisor into `a`, without leading zeros; as [`gcd`].
pub(crate) fn monic_gcd<F: ShortPolynomials>(field: &F, a: &mut Vec<F::Element>, b: &mut Vec<F::Element>) {
    gcd(field, a, b);
    if let Some(inverse) = a.last().and_then(|&c| field.inverse(c)) {
        field.scale_slice(a, inverse);
    }
}

/// The lower `b.len() - 1` coefficients of `a` become the remainder by `b`, whose leading coefficient is not 0.
fn remainder<F: ShortPolynomials>(field: &F, a: &mut [F::Element], b: &[F::Element]) {
    let Some((&lead, rest)) = b.split_last() else { return };
    let Some(inverse) = field.inverse(lead) else { return };
    for top in (rest.len()..a.len()).rev() {
        let quotient = field.mul(a[top], inverse);
        if quotient != field.zero() {
            field.sub_scaled_slice(&mut a[top - rest.len()..top], quotient, rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use manycore_field::{Goldilocks, PrimeField, ResidueWord as _};

    use super::*;
    use crate::arithmetic::gcd::reference;

    fn check<F: ShortPolynomials>(field: &F) {
        let p = field.order();
        let word = |x: u64| F::Element::from_u64(x % p);
        let random = |len: usize, seed: u64| -> Vec<F::Element> {
            (0..len).map(|i| crate::arithmetic::linear::reference::random(field, seed, i as u64)).collect()
        };
        // x^n - 1 and sparse polynomials have quotients of any degree.
        let binomial = |n: usize| {
            let mut f = vec![field.zero(); n + 1];
            (f[0], f[n]) = (field.neg(field.one()), field.one());
            f
        };
        let mut pairs = vec![
            (vec![], vec![]),
            (vec![], random(5, 1)),
            (vec![field.zero(); 4], vec![field.one()]),
            (vec![word(3)], random(9, 2)),
            (binomial(30), binomial(12)),
            (binomial(64), binomial(63)),
        ];
        for (n, m) in [(1, 1), (2, 1), (2, 2), (3, 2), (9, 9), (40, 39), (70, 33), (100, 101)] {
            let (f, g, h) = (random(n, 3), random(m, 4), random(1 + n % 7, 5));
            let times = |f: &[F::Element]| crate::arithmetic::multiply::reference::multiply(field, f, &h);
            pairs.push((times(&f), times(&g)));
            pairs.push((f, g));
        }
        for (mut a, mut b) in pairs {
            let expected = reference::gcd(field, &a, &b);
            let name = format!("{} and {} coefficients mod {p}", a.len(), b.len());
            monic_gcd(field, &mut a, &mut b);
            assert_eq!(a, expected, "{name}");
        }
    }

    #[test]
    fn remainders_equal_the_definition() {
        for p in [2u32, 3, 7, 9001, 469_762_049, 2_147_483_647] {
            check(&PrimeField::<u32>::new(p).unwrap());
        }
        check(&PrimeField::<u64>::new(4_611_686_009_971_671_041).unwrap());
        check(&Goldilocks);
    }
}
