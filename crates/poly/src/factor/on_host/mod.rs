//! Factorization on the host, on slices of coefficients: degrees of a few tens take no buffers and no choices.
//!
//! | file | what |
//! |---|---|
//! | `words` | products, quotients and greatest common divisors of slices |
//! | `modulus` | products modulo one polynomial |
//! | `frobenius` | powers to the order of the field, compositions with one kept polynomial |
//! | `distinct` | products of the irreducible factors of each degree |
//! | `equal` | the irreducible factors of a product of those of one degree |

mod distinct;
mod equal;
mod frobenius;
mod modulus;
mod words;

pub(super) use distinct::products_by_degree;
pub(super) use equal::irreducible_factors;
pub(super) use words::Words;

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::{Goldilocks, PrimeField};

    use super::frobenius::{Table, power_of_x};
    use super::modulus::Modulus;
    use super::*;
    use crate::poly::PolyField;
    use crate::ring::PolyRing;

    /// Degrees with kept powers and with an inverse.
    const DEGREES: [usize; 8] = [1, 2, 3, 9, 33, 64, 65, 90];

    fn check<F: PolyField>(field: F) {
        let ring = PolyRing::new(&Device::host(), field).unwrap();
        let p = ring.field().order();
        let words = &mut Words::new(&ring);
        for n in DEGREES {
            let mut f = words.random(n);
            f.push(ring.field().one());
            let divisor = ring.divisor(ring.poly(&f).unwrap()).unwrap();
            let padded = |f: crate::Poly<F>| {
                let mut f = ring.coefficients(&f).unwrap();
                f.resize(n, ring.field().zero());
                f
            };
            let (a, b) = (words.random(n), words.random(n));
            let [of_a, of_b] = [ring.poly(&a).unwrap(), ring.poly(&b).unwrap()];
            let times = |a, b| padded(ring.rem_with(&ring.mul(a, b).unwrap(), &divisor).unwrap());
            let m = &mut Modulus::new(words, f).unwrap();
            let mut out = words.zeros(n);
            m.multiply(words, &a, &b, &mut out).unwrap();
            assert_eq!(out, times(&of_a, &of_b), "{n} mod {p}");
            let mut square = a.clone();
            m.square(words, &mut square).unwrap();
            assert_eq!(square, times(&of_a, &of_a), "{n} mod {p}");
            let first = power_of_x(words, m).unwrap();
            assert_eq!(first, padded(ring.x_pow_mod(p.into(), &divisor).unwrap()), "{n} mod {p}");
            let shift = (p < n as u64).then_some(p);
            for count in [1, 2, 5, n] {
                let count = count.min(n);
                for (g, shift) in [(&b, None), (&first, shift)] {
                    let table = Table::new(words, m, g, count, shift).unwrap();
                    let inner = ring.poly(g).unwrap();
                    let expected = padded(ring.compose_mod(&of_a, &inner, &divisor).unwrap());
                    assert_eq!(table.compose(words, m, &a).unwrap(), expected, "{n} by {count} mod {p}");
                }
            }
        }
    }

    /// Products of the irreducible polynomials of a random one, told apart again, of degrees with giant steps.
    fn check_degrees<F: PolyField>(field: F) {
        let ring = PolyRing::new(&Device::host(), field).unwrap();
        let words = &mut Words::new(&ring);
        for n in [2, 7, 40, 130] {
            let mut f = words.random(n);
            f.push(ring.field().one());
            let parts = ring.squarefree(&ring.poly(&f).unwrap()).unwrap();
            for (part, _) in parts {
                let (products, rest) =
                    products_by_degree(words, ring.coefficients(&part).unwrap(), usize::MAX).unwrap();
                assert!(products.is_sorted_by(|(_, a), (_, b)| a < b));
                let mut whole = ring.poly(&rest).unwrap();
                assert!(rest.len() == 1 || ring.is_irreducible(&whole).unwrap());
                for (product, degree) in products {
                    for factor in irreducible_factors(words, product.clone(), degree).unwrap() {
                        let factor = ring.poly(&factor).unwrap();
                        assert!(factor.degree() == Some(degree) && ring.is_irreducible(&factor).unwrap());
                        whole = ring.mul(&whole, &factor).unwrap();
                    }
                }
                assert!(ring.equal(&whole, &part).unwrap(), "{n} mod {}", ring.field().order());
            }
        }
    }

    #[test]
    fn products_modulo_a_polynomial_equal_those_of_the_ring() {
        for p in [2, 3, 101, 9001, 469_762_049, 2_147_483_647] {
            check(PrimeField::<u32>::new(p).unwrap());
        }
        check(PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap());
        check(Goldilocks);
    }

    #[test]
    fn degrees_are_told_apart() {
        for p in [2, 3, 101, 469_762_049] {
            check_degrees(PrimeField::<u32>::new(p).unwrap());
        }
        check_degrees(Goldilocks);
    }
}
