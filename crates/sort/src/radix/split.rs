//! Exact splitting of sorted runs (Varman, Scheufler, Iyer and Ricard, "Merging multiple lists on hierarchical-memory multiprocessors",
//! 1991): how much of each run is among the first keys of a stable merge of all, whatever keys are equal. It takes the place of the
//! splitters of parallel sorting by regular sampling (Shi and Schaeffer, 1992), whose parts may be twice as long as others.

use crate::digits::{Digits, Flip};

/// How many keys of each sorted run are among the first `rank` of their stable merge: all where there are fewer. Keys of an earlier run
/// come before their equals of a later one.
///
/// O(runs (bits + log keys)): the key at the rank by bisection of the images, within what is left of each run.
pub(super) fn cut<W: Digits>(runs: &[&[W]], rank: usize, flip: Flip<W>) -> Vec<usize> {
    let image = |key: &W| key.image(flip).to_u64();
    let ends = runs.iter().filter_map(|run| Some((image(run.first()?), image(run.last()?))));
    let Some((mut least, mut most)) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
        return vec![0; runs.len()];
    };
    let mut above: Vec<usize> = runs.iter().map(|run| run.len()).collect();
    if rank >= above.iter().sum() {
        return above;
    }
    // Keys below `least` are `below`, those up to `most` are `above`.
    let mut below = vec![0; runs.len()];
    while least < most {
        let middle = least + (most - least) / 2;
        let counts: Vec<usize> = (runs.iter().zip(below.iter().zip(&above)))
            .map(|(run, (&begin, &end))| begin + run[begin..end].partition_point(|key| image(key) <= middle))
            .collect();
        if counts.iter().sum::<usize>() >= rank {
            (most, above) = (middle, counts);
        } else {
            (least, below) = (middle + 1, counts);
        }
    }
    let mut missing = rank.saturating_sub(below.iter().sum());
    for (count, &end) in below.iter_mut().zip(&above) {
        let equals = (end - *count).min(missing);
        *count += equals;
        missing -= equals;
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Key;

    #[test]
    fn cuts_are_those_of_a_stable_merge() {
        for (flip, range) in [(i32::FLIP, 3), (i32::FLIP.reversed(), 7), (i32::FLIP, u32::MAX), (u32::FLIP, 1)] {
            for lengths in [&[0, 0][..], &[1], &[5, 0, 7], &[64, 3, 64, 64], &[1, 1, 1, 1, 1, 1]] {
                let mut word = 1u32;
                let mut next = || {
                    word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    word.rotate_right(7) % range
                };
                let mut runs: Vec<Vec<u32>> = lengths.iter().map(|&len| (0..len).map(|_| next()).collect()).collect();
                for run in &mut runs {
                    run.sort_by_key(|key| key.image(flip));
                }
                let of_run = |(at, run): (usize, &Vec<u32>)| run.iter().map(|&key| (at, key)).collect::<Vec<_>>();
                let mut merged: Vec<(usize, u32)> = runs.iter().enumerate().flat_map(of_run).collect();
                merged.sort_by_key(|(_, key)| key.image(flip));
                let runs: Vec<&[u32]> = runs.iter().map(Vec::as_slice).collect();
                for rank in 0..=merged.len() + 1 {
                    let first = &merged[..rank.min(merged.len())];
                    let wished: Vec<usize> =
                        (0..runs.len()).map(|run| first.iter().filter(|(of, _)| *of == run).count()).collect();
                    assert_eq!(cut(&runs, rank, flip), wished, "{rank} of {lengths:?} below {range}");
                }
            }
        }
        assert!(cut::<u8>(&[], 3, u8::FLIP).is_empty());
    }
}
