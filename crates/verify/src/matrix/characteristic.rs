//! Characteristic polynomials by a second computation: from the powers of the matrix on a vector, one invariant subspace after
//! the other.

use manycore_field::ResidueWord;

use super::echelon::Echelon;
use super::elimination::shuffled;
use super::input;
use crate::modulus::Modulus;
use crate::outcome::collected;
use crate::{CheckError, Outcome, Passed, SplitMix};

/// How characteristic polynomials are checked, as reports name it.
const KRYLOV: &str = "second computation from powers of the matrix on vectors";

/// Whether `found` are the coefficients of `det(x I - a)`, the constant term first and the leading one 1, for a square matrix `a`
/// of an order modulo the prime `p`. A second computation of about `2.5 n^3` products: Krylov's method, for all matrices and
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
    let expected = krylov(modulus, order, a, random)?;
    modulus.compare(found, |index| expected[index], 0)?;
    Ok(Passed::by_second_computation(KRYLOV))
}

/// The polynomial: the space is the union of a chain of invariant subspaces, each made from the one before by the powers of the
/// matrix on a unit vector outside of it. The first power that depends on those before, modulo the earlier subspace, gives the polynomial
/// of the step, and the polynomial of the matrix is their product.
fn krylov<T: ResidueWord>(
    modulus: Modulus,
    order: usize,
    a: &[T],
    random: &mut SplitMix,
) -> Result<Vec<u64>, CheckError> {
    let zeros = || collected((0..order * order).map(|_| 0));
    let mut basis = Echelon::new(modulus, order, zeros()?);
    // Column `j`: the vector `j` of the subspace as a combination of powers, those up to `j`; earlier subspaces do not count. A
    // later subspace writes the columns again, and finds zeros below the diagonal.
    let mut powers = zeros()?;
    let mut free: Vec<usize> = (0..order).collect();
    let mut polynomial = vec![modulus.reduce(1)];
    let (starts, _) = shuffled(order, random);
    for start in starts {
        let begin = basis.pivots().len();
        let mut power: Vec<u64> = (0..order).map(|i| u64::from(i == start)).collect();
        loop {
            let count = basis.pivots().len() - begin;
            let mut vector = power.clone();
            let factors = basis.factors(&vector);
            basis.reduce(&mut vector, &factors, &free);
            // The vector is this power less the multiples of those of the subspace.
            let own = &factors[begin..];
            let multiple = |i: usize| modulus.sub(0, modulus.dot(own, &powers[i * order..][..count]));
            let mut combination = collected((0..count).map(multiple))?;
            combination.push(modulus.reduce(1));
            let Some(at) = free.iter().position(|&place| vector[place] != 0) else {
                // The combination of powers is 0 modulo the earlier subspaces; its leading coefficient is 1.
                polynomial = product(modulus, &polynomial, &combination);
                break;
            };
            let place = free[at];
            basis.push(&vector, place, &free);
            free.remove(at);
            combination.iter().enumerate().for_each(|(i, &c)| powers[i * order + count] = c);
            power = collected((0..order).map(|i| modulus.dot(&a[i * order..][..order], &power)))?;
        }
    }
    Ok(polynomial)
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
        let mut of = |p: u64, order: usize, a: &[u64]| krylov(Modulus::new(p).unwrap(), order, a, &mut random).unwrap();
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
        assert_eq!(error.to_string(), "value 3 of run 1 is 2, not 1");
        let error = characteristic_polynomial(101, 2, &a, &[99, 96], &mut random).unwrap_err();
        assert_eq!(error, CheckError::Length { found: 2, expected: 3 });
        assert!(!characteristic_polynomial(101, 3, &a, &[0; 4], &mut random).unwrap_err().is_wrong());
    }
}
