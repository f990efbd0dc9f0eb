//! Scans: how many lines consecutive words lie on, and what reading them costs (the bound that chapter 4's
//! propositions rest on, with erratum E-4.7), and the transposition of a matrix, where scans meet.
//!
//! A scan of `k` words costs `ceil(k / L)` misses if it begins at a line, and anywhere at most
//! `floor((k - 2) / L) + 2`, which a scan that begins at the last word of a line has. The printed `k / L + 1` holds for
//! aligned scans only.

use manycore_model::cache::{Array, Geometry, Layout, LeastRecentlyUsed, Optimal, Report, SetAssociative, Simulator};

/// Reports of a trace on one line and on four lines: ideal, least recently used and direct mapped.
fn reports(line_words: u64, trace: &(impl Iterator<Item = u64> + Clone)) -> Vec<Report> {
    let run = |lines| {
        let geometry = Geometry::with_lines(lines, line_words).unwrap();
        [
            Optimal::new(geometry).run(trace.clone()),
            LeastRecentlyUsed::new(geometry).run(trace.clone()),
            SetAssociative::new(geometry, 1).unwrap().run(trace.clone()),
        ]
    };
    [1, 4].into_iter().flat_map(run).collect()
}

#[test]
fn a_scan_costs_its_lines_at_every_alignment() {
    for line_words in 1..=9 {
        for k in 1..=40 {
            let misses: Vec<u64> = (0..line_words)
                .map(|offset| {
                    let start = 1000 * line_words + offset;
                    let up = reports(line_words, &(start..start + k));
                    // One line is enough, no word is far from the one before, and the direction does not matter.
                    assert!(up.iter().all(|report| *report == up[0]) && up[0].misses == up[0].compulsory);
                    assert_eq!(reports(line_words, &(start..start + k).rev()), up);
                    assert_eq!(up[0].accesses, k);
                    up[0].misses
                })
                .collect();
            let case = format!("{k} words, L = {line_words}, by alignment {misses:?}");
            let worst = if k == 1 { 1 } else { (k - 2) / line_words + 2 };
            assert_eq!(misses[0], k.div_ceil(line_words), "{case}");
            assert!(misses[0] * line_words <= k + line_words, "k/L + 1 if aligned: {case}");
            assert_eq!(*misses.iter().max().unwrap(), worst, "{case}");
            assert_eq!(misses[line_words as usize - 1], worst, "{case}");
            // On average over the alignments, (k - 1) / L + 1.
            assert_eq!(misses.iter().sum::<u64>(), k - 1 + line_words, "{case}");
        }
    }
}

#[test]
fn the_printed_bound_fails_unaligned() {
    // E-4.7: two words on two lines of eight; k / L + 1 = 1.25.
    assert!(reports(8, &(7..9)).iter().all(|report| report.misses == 2));
    assert!(reports(8, &(0..2)).iter().all(|report| report.misses == 1));
}

/// The hypothesis of the propositions of chapter 4 in its plainest form: `s` scans side by side need a line each.
#[test]
fn scans_side_by_side_need_a_line_each() {
    let (scans, words, line_words) = (6_u64, 1000_u64, 8_u64);
    let geometry = |lines| Geometry::with_lines(lines, line_words).unwrap();
    let mut layout = Layout::new(geometry(1));
    let arrays: Vec<Array> = (0..scans).map(|_| layout.array(words)).collect();
    let trace = || (0..words).flat_map(|i| arrays.iter().map(move |array| array.at(i)));
    let lines = scans * words.div_ceil(line_words);
    assert_eq!(Optimal::new(geometry(scans)).run(trace()).misses, lines);
    assert_eq!(LeastRecentlyUsed::new(geometry(scans)).run(trace()).misses, lines);
    // With one line less, least recently used hits never; the optimum loses one line's reuse only.
    assert_eq!(LeastRecentlyUsed::new(geometry(scans - 1)).run(trace()).misses, scans * words);
    let ideal = Optimal::new(geometry(scans - 1)).run(trace()).misses;
    assert!(lines < ideal && ideal < 2 * lines + words, "{ideal} misses");
}

/// Accesses of a transposition `B[j][i] = A[i][j]` of a square matrix in blocks halved down to one entry, the
/// cache-oblivious order (Frigo, Leiserson, Prokop and Ramachandran, 1999).
fn transposition(a: Array, b: Array, n: u64, corner: (u64, u64), size: u64, trace: &mut Vec<u64>) {
    let (i, j) = corner;
    if i >= n || j >= n {
    } else if size == 1 {
        trace.extend([a.at(n * i + j), b.at(n * j + i)]);
    } else {
        let half = size / 2;
        for corner in [(i, j), (i, j + half), (i + half, j), (i + half, j + half)] {
            transposition(a, b, n, corner, half, trace);
        }
    }
}

#[test]
fn a_transposition_by_halving_is_two_scans_on_a_tall_cache() {
    for (log_line, log_n) in [(0, 5), (1, 5), (2, 6), (3, 6), (4, 6)] {
        let (line_words, n) = (1_u64 << log_line, 1_u64 << log_n);
        let geometry = |lines| Geometry::with_lines(lines, line_words).unwrap();
        let mut layout = Layout::new(geometry(1));
        let (a, b) = (layout.array(n * n), layout.array(n * n));
        let mut trace = Vec::new();
        transposition(a, b, n, (0, 0), n, &mut trace);
        let scans = 2 * n * n / line_words;
        // Blocks of L by L fit, with L lines of each array: nothing is fetched twice.
        let tall = geometry(2 * line_words);
        assert_eq!(Optimal::new(tall).run(trace.iter().copied()).misses, scans);
        assert_eq!(LeastRecentlyUsed::new(tall).run(trace.iter().copied()).misses, scans);
        // Row by row on the same cache, the lines of one array are fetched for each entry.
        let rows = || (0..n).flat_map(|i| (0..n).flat_map(move |j| [a.at(n * i + j), b.at(n * j + i)]));
        let plain = LeastRecentlyUsed::new(tall).run(rows()).misses;
        assert_eq!(plain, n * n + n * n / line_words, "L = {line_words}");
    }
}

/// Sizes that are no powers of two. Let `s` be the largest power of two up to `L`: a row of a block of side `s` lies on at
/// most two lines, so a block needs `4 s` lines of the two arrays and misses each once if these fit. With `s > L / 2` that
/// is `O(1 + n^2 / L)`, about eight times `n^2 / L` at most.
#[test]
fn a_transposition_by_halving_is_linear_at_any_size() {
    for (line_words, n) in [(3_u64, 50_u64), (5, 61), (7, 100), (8, 99), (10, 127), (15, 128)] {
        let side = 1 << line_words.ilog2();
        let geometry = Geometry::with_lines(4 * side, line_words).unwrap();
        let mut layout = Layout::new(geometry);
        let (a, b) = (layout.array(n * n), layout.array(n * n));
        let mut trace = Vec::new();
        transposition(a, b, n, (0, 0), n.next_power_of_two(), &mut trace);
        assert_eq!(trace.len() as u64, 2 * n * n);
        let bound = 4 * side * n.div_ceil(side).pow(2);
        let ideal = Optimal::new(geometry).run(trace.iter().copied()).misses;
        let least_recently_used = LeastRecentlyUsed::new(geometry).run(trace).misses;
        assert!(ideal <= least_recently_used && least_recently_used <= bound, "L = {line_words}, n = {n}");
        assert!(2 * (n * n).div_ceil(line_words) <= ideal);
    }
}
