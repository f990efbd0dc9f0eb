//! Salem and Said's condensation (chapter 7): the bound (7.2) on misses for column-major matrices.

use manycore_model::cache::{Geometry, Layout, Optimal, Simulator};

/// Accesses of one step on a matrix of order `k` with its pivot in column 0, in the order of the result's columns:
/// `B[i][j] = A[0][0] A[i+1][j+1] - A[0][j+1] A[i+1][0]`.
fn step(k: u64, geometry: Geometry) -> impl Iterator<Item = u64> {
    let mut layout = Layout::new(geometry);
    let (a, b) = (layout.array(k * k), layout.array((k - 1) * (k - 1)));
    (0..k - 1).flat_map(move |j| {
        (0..k - 1).flat_map(move |i| {
            [a.at(0), a.at((j + 1) * k), a.at(i + 1), a.at((j + 1) * k + i + 1), b.at(j * (k - 1) + i)]
        })
    })
}

/// Optimal misses of the steps from order `n` down to `Z + 1`, each from an empty cache.
fn misses(n: u64, cache_words: u64, line_words: u64) -> u64 {
    let geometry = Geometry::new(cache_words, line_words).unwrap();
    (cache_words + 1..=n).map(|k| Optimal::new(geometry).run(step(k, geometry)).misses).sum()
}

/// (7.2), times `L`: `(n - Z)(n^2 - n + Z^2 - Z + Z n + 1 + 4 L)`.
fn bound_times_line(n: u64, z: u64, line: u64) -> u64 {
    (n - z) * (n * n - n + z * z - z + z * n + 1 + 4 * line)
}

#[test]
fn bound_is_the_sum_over_the_steps() {
    for (n, z, line) in [(10, 3, 2), (100, 17, 8), (57, 56, 4)] {
        let sum: u64 = (z + 1..=n).map(|k| 3 * (k - 1) * (k - 1) + k + 4 * line).sum();
        assert_eq!(sum, bound_times_line(n, z, line));
    }
}

#[test]
fn bound_holds_with_enough_lines() {
    for (n, z, line, count, bound) in
        [(60, 40, 4, 31_805, 37_585), (80, 40, 4, 97_260, 110_970), (80, 48, 4, 83_528, 99_464)]
    {
        assert_eq!((misses(n, z, line), bound_times_line(n, z, line) / line), (count, bound), "n {n}, Z {z}, L {line}");
        assert!(count <= bound);
    }
}

#[test]
fn bound_fails_with_four_lines() {
    assert_eq!((misses(40, 16, 4), bound_times_line(40, 16, 4) / 4), (28_725, 14_742));
}
