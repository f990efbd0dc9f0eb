//! Cache misses of condensation in an ideal cache: the thesis' formula beside a simulation (paper 002, formula 7.2).
//!
//! Matrices stand column after column. Of a cache of `Z` words in lines of `L`, a step from order `k > Z` reads the pivot's column
//! again for each other one, in `3 (k - 1)^2 / L + k / L + 4` misses as the thesis counts; smaller matrices stay in the cache.

use manycore_model::cache::{Geometry, Optimal, Simulator as _};

/// The thesis' bound of the misses of condensation from `order` down to the words of the cache: 0 where the matrix is no larger.
///
/// With fewer than about six lines a cache misses more often.
///
/// ```
/// use manycore_linalg::condense::cache::misses_bound;
/// use manycore_model::cache::Geometry;
/// let geometry = Geometry::new(40, 4)?;
/// assert_eq!(misses_bound(60, geometry), 37_585.0);
/// # Ok::<(), manycore_model::cache::GeometryError>(())
/// ```
pub fn misses_bound(order: u64, geometry: Geometry) -> f64 {
    let (n, z, l) = (order as f64, geometry.cache_words() as f64, geometry.line_words() as f64);
    if n <= z { 0.0 } else { (n - z) * (n * n - n + z * z - z + z * n + 1.0 + 4.0 * l) / l }
}

/// The words that a step from order `k` with the pivot in the first column accesses, one after the other: of the matrix, whose
/// columns stand one behind the other from word 0 on, and of the smaller one, which begins at `to`.
pub fn step_accesses(order: u64, to: u64) -> impl Iterator<Item = u64> {
    let less = order.saturating_sub(1);
    (0..less).flat_map(move |j| {
        let column = (j + 1) * order;
        (0..less).flat_map(move |i| [0, column, i + 1, column + i + 1, to + j * less + i])
    })
}

/// The misses of the same steps in an ideal cache, which is empty before each: simulated, in `O(n^3)` accesses.
pub fn misses(order: u64, geometry: Geometry) -> u64 {
    let step = |k: u64| {
        // The smaller matrix begins with a line of its own.
        let to = (k * k).next_multiple_of(geometry.line_words());
        Optimal::new(geometry).run(step_accesses(k, to)).misses
    };
    (geometry.cache_words() + 1..=order).map(step).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corrected text's values.
    #[test]
    fn the_formula_bounds_misses_of_caches_with_some_lines() {
        for (order, words, line, simulated, bound) in
            [(60, 40, 4, 31_805, 37_585.0), (80, 40, 4, 97_260, 110_970.0), (80, 48, 4, 83_528, 99_464.0)]
        {
            let geometry = Geometry::new(words, line).unwrap();
            assert_eq!(misses(order, geometry), simulated, "{order} {words} {line}");
            assert!((misses_bound(order, geometry) - bound).abs() < 1.0);
        }
    }

    #[test]
    fn few_lines_miss_more_often_than_the_formula_says() {
        let geometry = Geometry::new(16, 4).unwrap();
        assert_eq!(misses(40, geometry), 28_725);
        assert!((misses_bound(40, geometry) - 14_742.0).abs() < 1.0);
    }

    #[test]
    fn small_matrices_stay_in_the_cache() {
        let geometry = Geometry::new(64, 8).unwrap();
        for order in [0, 1, 2, 64] {
            assert_eq!((misses(order, geometry), misses_bound(order, geometry)), (0, 0.0));
        }
        assert_eq!(step_accesses(2, 4).collect::<Vec<u64>>(), [0, 2, 1, 3, 4]);
        assert_eq!(step_accesses(0, 0).count() + step_accesses(1, 0).count(), 0);
    }
}
