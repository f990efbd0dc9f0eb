//! Merges of sorted runs on the host, stable: rounds of merges of two runs, each cut into shares of equal length by the ranks that
//! the runs have in each other (Odeh, Green, Mwassi, Shmueli and Birk, Merge Path: Parallel Merging Made Simple, 2012).

use manycore_device::Team;

use super::host::Part;
use crate::key::{Digits, Flip};

/// Keys of a share, at least.
const SHARE: usize = 1 << 15;

/// Sorts keys, of which each `run` in turn are sorted, with what goes with them; `scratch` is as long.
///
/// O(keys) a round, `log2(keys / run)` rounds.
pub(super) fn merge<'a, W: Digits, V: Copy + Send + Sync>(
    team: Team<'_>,
    mut data: Part<'a, W, V>,
    mut scratch: Part<'a, W, V>,
    run: usize,
    flip: Flip<W>,
) {
    let len = data.keys.len();
    let (mut run, mut is_in_scratch) = (run.max(1), false);
    while run < len {
        let (from, to) = if is_in_scratch { (&scratch, &mut data) } else { (&data, &mut scratch) };
        round(team, from, to.reborrow(), run, flip);
        is_in_scratch = !is_in_scratch;
        run = run.saturating_mul(2);
    }
    if is_in_scratch {
        data.keys.copy_from_slice(scratch.keys);
        data.values.copy_from_slice(scratch.values);
    }
}

/// A share of a merge: what it takes of both runs, and where that goes.
struct Share<'a, W, V> {
    left: (&'a [W], &'a [V]),
    right: (&'a [W], &'a [V]),
    to: Part<'a, W, V>,
}

fn round<W: Digits, V: Copy + Send + Sync>(
    team: Team<'_>,
    from: &Part<'_, W, V>,
    mut to: Part<'_, W, V>,
    run: usize,
    flip: Flip<W>,
) {
    let len = from.keys.len();
    let most = len.div_ceil(team.threads()).max(SHARE);
    let mut shares = Vec::new();
    let mut begin = 0;
    while begin < len {
        let middle = begin.saturating_add(run).min(len);
        let end = middle.saturating_add(run).min(len);
        let (left, right) = (&from.keys[begin..middle], &from.keys[middle..end]);
        let mut before = (0, 0);
        while before.0 + before.1 < end - begin {
            let rank = (before.0 + before.1).saturating_add(most).min(end - begin);
            let of_left = rank_in_left(left, right, rank, flip);
            let next = (of_left, rank - of_left);
            let (own, later) = to.split_at(next.0 + next.1 - before.0 - before.1);
            to = later;
            shares.push(Share {
                left: (&left[before.0..next.0], &from.values[begin + before.0..begin + next.0]),
                right: (&right[before.1..next.1], &from.values[middle + before.1..middle + next.1]),
                to: own,
            });
            before = next;
        }
        begin = end;
    }
    team.each(shares, |share| merge_share(share, flip));
}

/// How many of the first `rank` keys of a stable merge come from the left run.
fn rank_in_left<W: Digits>(left: &[W], right: &[W], rank: usize, flip: Flip<W>) -> usize {
    let (mut least, mut most) = (rank.saturating_sub(right.len()), rank.min(left.len()));
    while least < most {
        let middle = least + (most - least) / 2;
        // A key of the left run comes before its equals of the right one.
        if left[middle].image(flip) <= right[rank - middle - 1].image(flip) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    least
}

fn merge_share<W: Digits, V: Copy>(share: Share<'_, W, V>, flip: Flip<W>) {
    let Share { left, right, to } = share;
    let (mut i, mut j) = (0, 0);
    for (key, value) in to.keys.iter_mut().zip(to.values) {
        let is_right = match (left.0.get(i), right.0.get(j)) {
            (Some(a), Some(b)) => b.image(flip) < a.image(flip),
            (a, _) => a.is_none(),
        };
        let (source, at) = if is_right { (right, j) } else { (left, i) };
        (*key, *value) = (source.0[at], source.1[at]);
        i += usize::from(!is_right);
        j += usize::from(is_right);
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::{Device, Executor};

    use super::*;
    use crate::Key;

    /// Runs of every length around those of the keys, by one thread and by all, beside the standard library's stable sort.
    #[test]
    fn runs_become_one() {
        for device in [Device::host(), Device::host_with(1).unwrap()] {
            let Executor::Host(pool) = device.executor() else { continue };
            for len in [0usize, 1, 2, 3, 10, 63, 64, 65, 1000, 100_003] {
                for run in [1, 2, 7, 64, 999, 1000, 40_000, usize::MAX] {
                    if len > 1000 && run < 999 {
                        continue;
                    }
                    for (flip, range) in [(i32::FLIP, 5), (i32::FLIP.reversed(), 5), (i32::FLIP, u32::MAX)] {
                        let key = |i: usize| (i as u32).wrapping_mul(2_654_435_761) % range;
                        let mut keys: Vec<u32> = (0..len).map(key).collect();
                        keys.chunks_mut(run.min(len.max(1))).for_each(|run| run.sort_by_key(|key| key.image(flip)));
                        let mut values: Vec<u32> = (0..len as u32).collect();
                        let mut wished: Vec<(u32, u32)> = keys.iter().copied().zip(values.clone()).collect();
                        wished.sort_by_key(|pair| pair.0.image(flip));
                        let (mut other, mut other_values) = (vec![0; len], vec![0; len]);
                        merge(
                            pool.team(),
                            Part { keys: &mut keys, values: &mut values },
                            Part { keys: &mut other, values: &mut other_values },
                            run,
                            flip,
                        );
                        let made: Vec<(u32, u32)> = keys.into_iter().zip(values).collect();
                        assert!(made == wished, "{len} keys in runs of {run}");
                    }
                }
            }
        }
    }
}
