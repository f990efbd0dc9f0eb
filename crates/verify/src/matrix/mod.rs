//! The checks of matrices over prime fields: products at random vectors, the rest by a second elimination.
//!
//! If `c` is not `a b`, then `a (b r)` differs from `c r` for a random vector `r` but with a chance of `1 / p` (Freivalds,
//! "Probabilistic machines can use less running time", 1977); as many vectors are taken as keep all chances together below
//! `2^-64`: three for 31-bit primes, two for 62-bit ones, 65 for `p = 2`. Inverses and solutions are checked as products.

mod characteristic;
mod echelon;
mod elimination;
mod time;

use manycore_field::ResidueWord;

use crate::modulus::Modulus;
use crate::outcome::collected;
use crate::{Chance, CheckError, Outcome, Passed, SplitMix};

pub use characteristic::characteristic_polynomial;
pub use elimination::{determinant, no_solution, nullspace, rank};
pub use time::{characteristic_seconds, elimination_seconds};

/// How products are checked, as reports name it.
pub const METHOD: &str = "products by random vectors";

/// Whether `c` is the product of `a`, of `l` rows and `m` columns, and `b`, of `m` rows and `n` columns, modulo the prime `p`,
/// all row after row. A wrong product passes with a chance below `2^-64`. Takes `k (l m + m n + l n)` products for `k` vectors.
///
/// ```
/// use manycore_verify::{SplitMix, matrix};
/// let mut random = SplitMix::new(1);
/// let (a, b) = ([1u32, 2, 3, 4], [5u32, 6]);
/// assert!(matrix::product(7, (2, 2, 1), &a, &b, &[3u32, 4], &mut random).is_ok());
/// assert!(matrix::product(7, (2, 2, 1), &a, &b, &[3u32, 5], &mut random).is_err());
/// ```
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::OutOfRange`] and [`CheckError::Relation`] for a wrong product; [`CheckError::Input`] for
/// factors with other values than residues; [`CheckError::Shape`] for factors of other lengths and a `p` that is no prime.
pub fn product<T: ResidueWord>(
    p: u64,
    (l, m, n): (usize, usize, usize),
    a: &[T],
    b: &[T],
    c: &[T],
    random: &mut SplitMix,
) -> Outcome {
    let modulus = Modulus::new(p)?;
    input(modulus, a, (l, m))?;
    input(modulus, b, (m, n))?;
    result(modulus, c, (l, n))?;
    let rounds = rounds(p);
    for _ in 0..rounds {
        let vector = collected((0..n).map(|_| modulus.random(random)))?;
        let inner = by_vector(modulus, b, n, m, &vector);
        let left = by_vector(modulus, a, m, l, &inner);
        let right = by_vector(modulus, c, n, l, &vector);
        if let Some(row) = left.iter().zip(&right).position(|(left, right)| left != right) {
            let relation = format!("row {row} of a (b r) = c r for a random vector r");
            return Err(CheckError::Relation { relation });
        }
    }
    Ok(Passed { method: METHOD, chance: Chance::Below { log2: -(rounds as f64) * (p as f64).log2() } })
}

/// Whether `x` is the inverse of the square matrix `a` of an order modulo the prime `p`: whether `a x` is the identity. As
/// [`product`].
///
/// # Errors
/// As [`product`].
pub fn inverse<T: ResidueWord>(p: u64, order: usize, a: &[T], x: &[T], random: &mut SplitMix) -> Outcome {
    let mut identity = collected((0..order * order).map(|_| T::zero()))?;
    identity.iter_mut().step_by(order + 1).for_each(|one| *one = T::one());
    result(Modulus::new(p)?, x, (order, order))?;
    product(p, (order, order, order), a, x, &identity, random)
}

/// Vectors that together pass a wrong product with a chance below `2^-64`.
fn rounds(p: u64) -> usize {
    (65.0 / (p as f64).log2()).ceil() as usize
}

/// The rows of a matrix, `count` of `columns` values each, also of none.
fn rows<T>(values: &[T], columns: usize, count: usize) -> impl Iterator<Item = &[T]> {
    (0..count).map(move |row| &values[row * columns..][..columns])
}

/// The product of a matrix of `count` rows by a vector.
fn by_vector<T: ResidueWord>(modulus: Modulus, values: &[T], columns: usize, count: usize, vector: &[u64]) -> Vec<u64> {
    rows(values, columns, count).map(|row| modulus.dot(row, vector)).collect()
}

/// Refuses an input that is no matrix of a shape.
fn input<T: ResidueWord>(modulus: Modulus, values: &[T], (rows, columns): (usize, usize)) -> Result<(), CheckError> {
    if rows.checked_mul(columns) != Some(values.len()) {
        let what = format!("{} values as a matrix of {rows} rows and {columns} columns", values.len());
        return Err(CheckError::Shape { what });
    }
    modulus.check_input(values)
}

/// Refuses a result that is no matrix of a shape; its rows are the runs.
fn result<T: ResidueWord>(modulus: Modulus, values: &[T], (rows, columns): (usize, usize)) -> Result<(), CheckError> {
    let expected = rows.saturating_mul(columns);
    if expected != values.len() {
        return Err(CheckError::Length { found: values.len(), expected });
    }
    modulus.check_result(values, columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn multiply(p: u64, (l, m, n): (usize, usize, usize), a: &[u64], b: &[u64]) -> Vec<u64> {
        let sum = |i: usize, j: usize| {
            (0..m).fold(0, |sum, k| (sum + u128::from(a[i * m + k]) * u128::from(b[k * n + j])) % u128::from(p))
        };
        (0..l * n).map(|e| sum(e / n, e % n) as u64).collect()
    }

    #[test]
    fn right_products_pass_and_wrong_ones_fail() {
        for p in [2, 3, 469_762_049, 9_223_372_036_854_775_783, 18_446_744_069_414_584_321] {
            let modulus = Modulus::new(p).unwrap();
            let mut random = SplitMix::new(p);
            for (l, m, n) in [(1, 1, 1), (3, 4, 5), (17, 16, 2), (3, 0, 2), (0, 2, 2), (2, 2, 0)] {
                let a: Vec<u64> = (0..l * m).map(|_| modulus.random(&mut random)).collect();
                let b: Vec<u64> = (0..m * n).map(|_| modulus.random(&mut random)).collect();
                let mut c = multiply(p, (l, m, n), &a, &b);
                let passed = product(p, (l, m, n), &a, &b, &c, &mut random).unwrap();
                assert!(passed.chance.log2().unwrap() < -64.0);
                for place in 0..c.len() {
                    let right = c[place];
                    c[place] = modulus.add(right, 1);
                    let error = product(p, (l, m, n), &a, &b, &c, &mut random).unwrap_err();
                    assert!(error.to_string().contains(&format!("row {} of", place / n)), "{error}");
                    c[place] = right;
                }
            }
        }
    }

    #[test]
    fn inverses_are_products() {
        let mut random = SplitMix::new(3);
        // 1 2 3 4 mod 101 and its inverse, -2 1 3/2 -1/2.
        let (a, x) = ([1u32, 2, 3, 4], [99u32, 1, 52, 50]);
        assert!(inverse(101, 2, &a, &x, &mut random).is_ok());
        assert!(inverse(101, 2, &a, &[99, 1, 52, 51], &mut random).unwrap_err().is_wrong());
        assert!(inverse::<u32>(101, 0, &[], &[], &mut random).is_ok());
        assert_eq!(inverse(101, 2, &a, &x[1..], &mut random), Err(CheckError::Length { found: 3, expected: 4 }));
    }

    #[test]
    fn values_and_lengths_are_told() {
        let mut random = SplitMix::new(3);
        let mut outcome = |a: &[u32], b: &[u32], c: &[u32]| product(7, (2, 1, 2), a, b, c, &mut random).unwrap_err();
        assert!(!outcome(&[1], &[1, 2], &[1, 2, 3, 4]).is_wrong());
        assert!(!outcome(&[1, 7], &[1, 2], &[1, 2, 3, 4]).is_wrong());
        assert_eq!(outcome(&[1, 2], &[1, 2], &[1, 2, 3]), CheckError::Length { found: 3, expected: 4 });
        assert_eq!(outcome(&[1, 2], &[1, 2], &[1, 2, 9, 4]).to_string(), "value 1 of run 2 is 9, no residue modulo 7");
        assert!(!product(9, (1, 1, 1), &[1u32], &[1], &[1], &mut random).unwrap_err().is_wrong());
    }
}
