//! Determinants, ranks and nullspaces by a second elimination: of the transposed matrix, its rows and columns in a random order,
//! with plain arithmetic.

use manycore_field::ResidueWord;

use super::echelon::Echelon;
use super::{input, product, result};
use crate::modulus::Modulus;
use crate::outcome::collected;
use crate::threads::{join, levels};
use crate::{CheckError, Outcome, Passed, SplitMix};

/// How determinants and ranks are checked, as reports name it.
const SECOND: &str = "elimination of the transposed matrix in a random order";

/// Whether `found` is the determinant of the square matrix `a` of an order modulo the prime `p`, by a second computation of
/// `n^3 / 3` products.
///
/// ```
/// use manycore_verify::{SplitMix, matrix};
/// let mut random = SplitMix::new(1);
/// assert!(matrix::determinant(7, 2, &[1u32, 2, 3, 4], 5, &mut random).is_ok());
/// assert!(matrix::determinant(7, 2, &[1u32, 2, 3, 4], 2, &mut random).is_err());
/// ```
///
/// # Errors
/// [`CheckError::Value`] and [`CheckError::OutOfRange`] for a wrong determinant; [`CheckError::Input`] for a matrix with other
/// values than residues; [`CheckError::Shape`] for other lengths and a `p` that is no prime.
pub fn determinant<T: ResidueWord>(p: u64, order: usize, a: &[T], found: T, random: &mut SplitMix) -> Outcome {
    let modulus = Modulus::new(p)?;
    input(modulus, a, (order, order))?;
    let (_, expected) = eliminated(modulus, a, (order, order), random)?;
    modulus.compare(&[found], |_| expected, 0)?;
    Ok(Passed::by_second_computation(SECOND))
}

/// Whether `found` is the rank of the matrix `a` of some rows and columns modulo the prime `p`, by a second computation.
///
/// # Errors
/// As [`determinant`].
pub fn rank<T: ResidueWord>(p: u64, shape: (usize, usize), a: &[T], found: usize, random: &mut SplitMix) -> Outcome {
    let modulus = Modulus::new(p)?;
    input(modulus, a, shape)?;
    let (expected, _) = eliminated(modulus, a, shape, random)?;
    if found != expected {
        let (found, expected) = (found.to_string(), expected.to_string());
        return Err(CheckError::Value { run: 0, index: 0, found, expected });
    }
    Ok(Passed::by_second_computation(SECOND))
}

/// Whether the columns of `basis`, of as many rows as the matrix `a` has columns, are a basis of the nullspace of `a` modulo the
/// prime `p`: whether `a basis` is 0, and both have as high a rank as that needs.
///
/// # Errors
/// As [`product`](super::product) and [`rank`]; [`CheckError::Length`] for another number of columns.
pub fn nullspace<T: ResidueWord>(
    p: u64,
    (rows, columns): (usize, usize),
    a: &[T],
    basis: &[T],
    random: &mut SplitMix,
) -> Outcome {
    let modulus = Modulus::new(p)?;
    input(modulus, a, (rows, columns))?;
    let (own_rank, _) = eliminated(modulus, a, (rows, columns), random)?;
    let free = columns - own_rank;
    result(modulus, basis, (columns, free))?;
    let zeros = collected((0..rows * free).map(|_| T::zero()))?;
    let passed = product(p, (rows, columns, free), a, basis, &zeros, random)?;
    let (basis_rank, _) = eliminated(modulus, basis, (columns, free), random)?;
    if basis_rank != free {
        let relation = format!("the independence of {free} columns, whose rank is {basis_rank},");
        return Err(CheckError::Relation { relation });
    }
    Ok(passed)
}

/// Whether the system `a x = b` modulo the prime `p`, with `l` rows, `m` unknowns and `n` right sides, has no solution for some
/// right side: whether the rank grows when `b` stands beside `a` (Rouché and Capelli), by a second computation of both ranks.
///
/// # Errors
/// [`CheckError::Relation`] where there is a solution; else as [`determinant`].
pub fn no_solution<T: ResidueWord>(
    p: u64,
    (l, m, n): (usize, usize, usize),
    a: &[T],
    b: &[T],
    random: &mut SplitMix,
) -> Outcome {
    let modulus = Modulus::new(p)?;
    input(modulus, a, (l, m))?;
    input(modulus, b, (l, n))?;
    let mut both = Vec::new();
    for row in 0..l {
        both.extend(collected(a[row * m..][..m].iter().copied())?);
        both.extend(collected(b[row * n..][..n].iter().copied())?);
    }
    let (rank, _) = eliminated(modulus, a, (l, m), random)?;
    let (rank_of_both, _) = eliminated(modulus, &both, (l, m + n), random)?;
    if rank_of_both > rank {
        return Ok(Passed::by_second_computation(SECOND));
    }
    Err(CheckError::Relation { relation: format!("a rank past {rank} with the right side beside the matrix") })
}

/// A random order of `0..count`, and whether it is an odd permutation (Fisher and Yates).
pub(super) fn shuffled(count: usize, random: &mut SplitMix) -> (Vec<usize>, bool) {
    let mut order: Vec<usize> = (0..count).collect();
    let mut is_odd = false;
    for i in (1..count).rev() {
        // Nothing depends on the order being exactly uniform.
        let j = (random.next_word() % (i as u64 + 1)) as usize;
        order.swap(i, j);
        is_odd ^= i != j;
    }
    (order, is_odd)
}

/// Rows of a block, which are reduced among each other before all rows below: enough for the reductions of sums to take little time beside
/// their products, and few enough to stay in a cache.
const BLOCK: usize = 64;

/// The rank, and the determinant of a square matrix, of the transposed matrix in a random order of rows and columns.
fn eliminated<T: ResidueWord>(
    modulus: Modulus,
    a: &[T],
    (rows, columns): (usize, usize),
    random: &mut SplitMix,
) -> Result<(usize, u64), CheckError> {
    let ((row_order, odd_rows), (column_order, odd_columns)) = (shuffled(rows, random), shuffled(columns, random));
    let mut lines = Vec::new();
    for &column in &column_order {
        lines.push(collected(row_order.iter().map(|&row| a[row * columns + column].as_u64()))?);
    }
    let mut echelon = Echelon::new(modulus, BLOCK, collected((0..rows * BLOCK).map(|_| 0))?);
    // The places without a pivot so far, and the pivots' places by their rows.
    let (mut free, mut places) = ((0..rows).collect::<Vec<_>>(), Vec::new());
    let mut product = modulus.reduce(1);
    let mut rest = &mut lines[..];
    while !rest.is_empty() && !free.is_empty() {
        let (block, below) = rest.split_at_mut(BLOCK.min(rest.len()));
        echelon.clear();
        for line in block {
            let factors = echelon.factors(line);
            echelon.reduce(line, &factors, &free);
            if let Some(at) = free.iter().position(|&place| line[place] != 0) {
                let place = free[at];
                echelon.push(line, place, &free);
                free.remove(at);
                places.push(place);
                product = modulus.mul(product, line[place]);
            }
        }
        reduce_all(levels(), below, &echelon, &free);
        rest = below;
    }
    let rank = places.len();
    let determinant = if rank < rows || rows != columns { 0 } else { product };
    let is_odd = odd_rows ^ odd_columns ^ (determinant != 0 && is_odd(&places));
    Ok((rank, if is_odd { modulus.sub(0, determinant) } else { determinant }))
}

/// Reduces rows, halves of them side by side.
fn reduce_all(levels: u32, lines: &mut [Vec<u64>], echelon: &Echelon, places: &[usize]) {
    if levels == 0 || lines.len() < 2 {
        for line in lines {
            let factors = echelon.factors(line);
            echelon.reduce(line, &factors, places);
        }
        return;
    }
    let work = lines.len() * places.len();
    let (low, high) = lines.split_at_mut(lines.len() / 2);
    join(
        levels,
        work,
        |levels| reduce_all(levels, low, echelon, places),
        |levels| reduce_all(levels, high, echelon, places),
    );
}

/// Whether a permutation is odd: each cycle of even length is.
fn is_odd(permutation: &[usize]) -> bool {
    let mut seen = vec![false; permutation.len()];
    let mut is_odd = false;
    for start in 0..permutation.len() {
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            at = permutation[at];
            is_odd ^= at != start;
        }
    }
    is_odd
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matrices of more rows than a block, of full rank and of lower ones, as products of triangular ones with a known
    /// determinant.
    #[test]
    fn blocks_of_rows_give_ranks_and_determinants() {
        for p in [2, 3, 7, 9001, 469_762_049, 9_223_372_036_854_775_783, 18_446_744_069_414_584_321] {
            let modulus = Modulus::new(p).unwrap();
            let mut random = SplitMix::new(p);
            for (n, rank) in [(1, 1), (63, 63), (64, 64), (65, 65), (150, 150), (150, 149), (130, 70), (70, 1), (66, 0)]
            {
                let lower: Vec<u64> = (0..n * n)
                    .map(|e| if e % n < e / n { modulus.random(&mut random) } else { u64::from(e % n == e / n) })
                    .collect();
                let mut expected = 1;
                let upper: Vec<u64> = (0..n * n)
                    .map(|e| match (e / n, e % n) {
                        (row, column) if row >= rank || column < row => 0,
                        (row, column) if row == column => {
                            let pivot = modulus.random(&mut random).max(1);
                            expected = modulus.mul(expected, pivot);
                            pivot
                        }
                        _ => modulus.random(&mut random),
                    })
                    .collect();
                let entry = |e: usize| {
                    let column: Vec<u64> = (0..n).map(|k| upper[k * n + e % n]).collect();
                    modulus.dot(&lower[e / n * n..][..n], &column)
                };
                let a: Vec<u64> = (0..n * n).map(entry).collect();
                let expected = if rank < n { 0 } else { expected };
                assert_eq!(eliminated(modulus, &a, (n, n), &mut random).unwrap(), (rank, expected), "{p} {n} {rank}");
                let wide = &a[..n / 2 * n];
                let (own, _) = eliminated(modulus, wide, (n / 2, n), &mut random).unwrap();
                assert_eq!(own, rank.min(n / 2), "{p} {n} {rank}");
            }
        }
    }

    #[test]
    fn determinants_and_ranks_are_compared() {
        let mut random = SplitMix::new(9);
        let singular = [1u64, 2, 3, 2, 4, 6, 1, 1, 1];
        let regular = [2u64, 1, 3, 4, 5, 6, 7, 8, 10]; // -3
        for _ in 0..10 {
            assert!(determinant(101, 3, &regular, 98, &mut random).is_ok());
            assert!(determinant(7, 3, &regular.map(|x| x % 7), 4, &mut random).is_ok());
            assert!(determinant(101, 3, &regular, 3, &mut random).unwrap_err().is_wrong());
            assert!(determinant(101, 3, &regular, 101, &mut random).unwrap_err().is_wrong());
            assert!(determinant(101, 3, &singular, 0, &mut random).is_ok());
            assert!(rank(101, (3, 3), &singular, 2, &mut random).is_ok());
            assert!(rank(101, (3, 3), &singular, 3, &mut random).unwrap_err().is_wrong());
            assert!(rank(101, (2, 3), &singular[..6], 1, &mut random).is_ok());
            assert!(rank(3, (3, 3), &regular.map(|x| x % 3), 2, &mut random).is_ok());
        }
        assert!(determinant::<u32>(2, 0, &[], 1, &mut random).is_ok());
        assert!(rank::<u32>(2, (0, 5), &[], 0, &mut random).is_ok());
        assert!(!determinant(2, 2, &[1u32, 0, 1], 1, &mut random).unwrap_err().is_wrong());
        assert!(!determinant(4, 1, &[1u32], 1, &mut random).unwrap_err().is_wrong());
    }

    #[test]
    fn right_sides_raise_the_rank_or_do_not() {
        let mut random = SplitMix::new(9);
        let a = [1u32, 2, 2, 4];
        assert!(no_solution(7, (2, 2, 1), &a, &[3, 5], &mut random).is_ok());
        assert!(no_solution(7, (2, 2, 1), &a, &[3, 6], &mut random).unwrap_err().is_wrong());
        assert!(no_solution(7, (2, 2, 2), &a, &[3, 3, 6, 5], &mut random).is_ok());
        assert!(no_solution(7, (2, 0, 1), &[], &[0u32, 1], &mut random).is_ok());
        assert!(!no_solution(7, (2, 2, 2), &a, &[3, 6], &mut random).unwrap_err().is_wrong());
    }

    #[test]
    fn bases_must_span_all() {
        let mut random = SplitMix::new(9);
        let a = [1u32, 2, 0, 3, 6, 0]; // of rank 1 mod 7
        assert!(nullspace(7, (2, 3), &a, &[5, 0, 1, 0, 0, 1], &mut random).is_ok());
        let outcome = |basis: &[u32], random: &mut SplitMix| nullspace(7, (2, 3), &a, basis, random).unwrap_err();
        assert!(outcome(&[5, 5, 1, 1, 0, 0], &mut random).is_wrong(), "two equal columns");
        assert!(outcome(&[5, 0, 1, 0, 0, 0], &mut random).is_wrong(), "a column of zeros");
        assert!(outcome(&[5, 1, 1, 0, 0, 1], &mut random).is_wrong());
        assert_eq!(outcome(&[5, 1, 0], &mut random), CheckError::Length { found: 3, expected: 6 });
    }
}
