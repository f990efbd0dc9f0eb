//! Characteristic polynomials by a second computation: from the powers of the matrix on a vector, one invariant subspace after
//! the other.

use manycore_field::ResidueWord;

use super::elimination::shuffled;
use super::input;
use crate::modulus::Modulus;
use crate::{CheckError, Outcome, Passed, SplitMix};

/// How characteristic polynomials are checked, as reports name it.
const KRYLOV: &str = "second computation from powers of the matrix on vectors";

/// Whether `found` are the coefficients of `det(x I - a)`, the constant term first and the leading one 1, for a square matrix `a`
/// of an order modulo the prime `p`. A second computation of about `4 n^3` products: Krylov's method, for all matrices and
/// all primes (Keller-Gehrig, "Fast algorithms for the characteristic polynomial", 1985, the slow form).
///
/// ```
/// use manycore_verify::{SplitMix, matrix};
/// let mut random = SplitMix::new(1);
/// let a = [1u32, 2, 3, 4];
/// assert!(matrix::characteristic_polynomial(101, 2, &a, &[99, 96, 1], &mut random).is_ok());
/// assert!(matrix::characteristic_polynomial(101, 2, &a, &[99, 95, 1], &mut random).is_err());
/// ```
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::Value`] and [`CheckError::OutOfRange`] for a wrong polynomial; [`CheckError::Input`] for a
/// matrix with other values than residues; [`CheckError::Shape`] for other lengths and a `p` that is no prime.
pub fn characteristic_polynomial<T: ResidueWord>(
    p: u64,
    order: usize,
    a: &[T],
    found: &[T],
    random: &mut SplitMix,
) -> Outcome {
    let modulus = Modulus::new(p)?;
    input(modulus, a, (order, order))?;
    if found.len() != order + 1 {
        return Err(CheckError::Length { found: found.len(), expected: order + 1 });
    }
    let expected = krylov(modulus, order, a, random);
    modulus.compare(found, |index| expected[index], 0)?;
    Ok(Passed::by_second_computation(KRYLOV))
}

/// A vector that was reduced by those before it: its leading place, where it is 1.
struct Reduced {
    place: usize,
    vector: Vec<u64>,
    /// The vector as a combination of the powers of the subspace at hand; none for vectors of earlier ones.
    powers: Vec<u64>,
}

/// The polynomial: the space is the union of a chain of invariant subspaces, each made from the one before by the powers of the
/// matrix on a unit vector outside of it. The first power that depends on those before, modulo the earlier subspace, tells
/// the polynomial of the step, and the polynomial of the matrix is their product.
fn krylov<T: ResidueWord>(modulus: Modulus, order: usize, a: &[T], random: &mut SplitMix) -> Vec<u64> {
    let mut basis: Vec<Reduced> = Vec::new();
    let mut polynomial = vec![modulus.reduce(1)];
    let (starts, _) = shuffled(order, random);
    for start in starts {
        let mut power: Vec<u64> = (0..order).map(|i| u64::from(i == start)).collect();
        let mut powers: Vec<u64> = vec![modulus.reduce(1)];
        loop {
            let (mut vector, mut combination) = (power.clone(), powers.clone());
            for reduced in &basis {
                let factor = vector[reduced.place];
                if factor != 0 {
                    subtract(modulus, &mut vector, factor, &reduced.vector);
                    subtract(modulus, &mut combination, factor, &reduced.powers);
                }
            }
            let Some(place) = vector.iter().position(|&x| x != 0) else {
                // The combination of powers is 0 modulo the earlier subspaces; its leading coefficient is 1.
                polynomial = product(modulus, &polynomial, &combination);
                for reduced in &mut basis {
                    reduced.powers.clear();
                }
                break;
            };
            let inverse = modulus.inverse(vector[place]);
            for x in vector.iter_mut().chain(&mut combination) {
                *x = modulus.mul(*x, inverse);
            }
            basis.push(Reduced { place, vector, powers: combination });
            power = (0..order).map(|i| modulus.dot(&a[i * order..][..order], &power)).collect();
            powers.insert(0, 0);
        }
    }
    polynomial
}

/// `x -= factor y`, where `y` may be shorter.
fn subtract(modulus: Modulus, x: &mut [u64], factor: u64, y: &[u64]) {
    x.iter_mut().zip(y).for_each(|(x, &y)| *x = modulus.sub(*x, modulus.mul(factor, y)));
}

/// The product of two polynomials.
fn product(modulus: Modulus, f: &[u64], g: &[u64]) -> Vec<u64> {
    let mut out = vec![0; f.len() + g.len() - 1];
    for (i, &x) in f.iter().enumerate() {
        for (out, &y) in out[i..].iter_mut().zip(g) {
            *out = modulus.add(*out, modulus.mul(x, y));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_known_matrices() {
        let mut random = SplitMix::new(2);
        let mut of = |p: u64, order: usize, a: &[u64]| krylov(Modulus::new(p).unwrap(), order, a, &mut random);
        assert_eq!(of(7, 0, &[]), [1]);
        assert_eq!(of(7, 1, &[3]), [4, 1]);
        // The identity, whose powers on a vector are one: (x - 1)^3.
        assert_eq!(of(7, 3, &[1, 0, 0, 0, 1, 0, 0, 0, 1]), [6, 3, 4, 1]);
        assert_eq!(of(2, 3, &[1, 0, 0, 0, 1, 0, 0, 0, 1]), [1, 1, 1, 1]);
        // Nilpotent: x^3. A companion matrix of x^3 + 2 x + 5.
        assert_eq!(of(7, 3, &[0, 1, 0, 0, 0, 1, 0, 0, 0]), [0, 0, 0, 1]);
        assert_eq!(of(7, 3, &[0, 0, 2, 1, 0, 5, 0, 1, 0]), [5, 2, 0, 1]);
        // Blocks: diagonal 2, 2, 3 with a one beside the first: (x - 2)^2 (x - 3) = x^3 - 7 x^2 + 16 x - 12.
        assert_eq!(of(101, 3, &[2, 1, 0, 0, 2, 0, 0, 0, 3]), [89, 16, 94, 1]);
    }

    #[test]
    fn wrong_polynomials_are_told() {
        let mut random = SplitMix::new(2);
        let a = [1u32, 2, 3, 4];
        let error = characteristic_polynomial(101, 2, &a, &[99, 96, 2], &mut random).unwrap_err();
        assert_eq!(error.to_string(), "value 2 of run 0 is 2, not 1");
        let error = characteristic_polynomial(101, 2, &a, &[99, 96], &mut random).unwrap_err();
        assert_eq!(error, CheckError::Length { found: 2, expected: 3 });
        assert!(!characteristic_polynomial(101, 3, &a, &[0; 4], &mut random).unwrap_err().is_wrong());
    }
}
