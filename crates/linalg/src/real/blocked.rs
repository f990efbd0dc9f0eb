//! Elimination of doubles by blocks of rows with the host's threads, to the bits of condensation step by step.
//!
//! The pivot of a row is chosen as condensation chooses it, and its column exchanged with the first that has none, so that the
//! matrix becomes its own triangular factors in place. Of a block of rows the pivots are found first, by strips of rows in the same
//! way; then the multipliers of the rows below, a triangular system, and their other entries, which lose a product of matrices. Each
//! entry loses the same products in the same order as step by step, each rounded by itself: condensation differs by signs alone, which
//! rounding does not see.
//! Source: Golub and Van Loan, Matrix Computations, section 3.4 (outer product and block forms of LU), with rows for columns.

use std::cmp::Ordering;

use manycore_device::{DeviceError, HostPool, Team, checkpoint};
use manycore_field::RealSlices;

use super::factors::{Factors, Triangular};
use super::host::score;
use super::options::Pivoting;
use super::triangular::{LANES, ROWS, forward};

/// Rows of a block: half the width of a tile's panel in the nearest cache.
const BLOCK: usize = 64;
/// Rows of a block whose pivots are taken row by row, without tiles: about a share of `24 / n` of all products for order `n`.
const STRIP: usize = 16;
/// Entries below a block that are worth a second thread.
const LONG: usize = 1 << 12;

/// Eliminates a matrix of an order above 0, with pivots that the first row left has: those of [`Pivoting::First`] and
/// [`Pivoting::Partial`]. Cancelled work ends between blocks and bands of rows.
pub(super) fn eliminate(
    pool: &HostPool,
    order: usize,
    words: &[f64],
    pivoting: Pivoting,
) -> Result<Triangular, DeviceError> {
    let operations = 2 * (order * order * order / 3) as u64;
    pool.step("real_blocks", size_of_val(words) as u64, operations, || {
        let mut words = words.to_vec();
        let mut columns: Vec<usize> = (0..order).collect();
        let mut is_odd = false;
        let mut rank = 0;
        // The columns' order at the end of each block, which is that of its rows.
        let mut orders = Vec::new();
        for first in (0..order).step_by(BLOCK) {
            checkpoint()?;
            let end = order.min(first + BLOCK);
            let (head, below) = words.split_at_mut(end * order);
            let block = &mut head[first * order..];
            let swaps = block_pivots(pool, block, (first, order), &mut columns, pivoting)?;
            rank += swaps.len();
            orders.push(columns.clone());
            if rank < end {
                break;
            }
            is_odd ^= swaps.iter().enumerate().filter(|&(s, &place)| first + s != place).count() % 2 == 1;
            below_block(pool, block, (first, end, order), &swaps, below)?;
        }
        let columns = arranged(columns, rank);
        arrange(pool.team(), &mut words, (BLOCK, &orders), (rank, &columns));
        let mut pivots: Vec<f64> = words.iter().step_by(order + 1).copied().collect();
        if is_odd {
            pivots[0] = -pivots[0];
        }
        if rank < order {
            pivots.clear();
        }
        Ok(Triangular { pivots, factors: Some(Factors { rank, rows: (0..order).collect(), columns, words }) })
    })
}

/// Finds the pivots of a block's rows strip by strip, and takes them from the block's rows below them: the places that their columns
/// were exchanged with, up to a row without pivot.
fn block_pivots(
    pool: &HostPool,
    block: &mut [f64],
    (first, order): (usize, usize),
    columns: &mut [usize],
    pivoting: Pivoting,
) -> Result<Vec<usize>, DeviceError> {
    let count = block.len() / order;
    let mut swaps = Vec::with_capacity(count);
    for begin in (0..count).step_by(STRIP) {
        let end = count.min(begin + STRIP);
        let (head, below) = block.split_at_mut(end * order);
        let (above, strip) = head.split_at_mut(begin * order);
        let found = pivots(strip, (first + begin, order), columns, pivoting);
        // Rows before the strip have their columns in the same order.
        for row in above.chunks_mut(order) {
            found.iter().enumerate().for_each(|(s, &place)| row.swap(first + begin + s, place));
        }
        swaps.extend_from_slice(&found);
        if swaps.len() < end {
            break;
        }
        below_block(pool, strip, (first + begin, first + end, order), &found, below)?;
    }
    Ok(swaps)
}

/// Finds the pivots of a strip's rows one after the other, and takes each from the strip's rows below it: the places that their
/// columns were exchanged with, up to a row without pivot.
fn pivots(block: &mut [f64], (first, order): (usize, usize), columns: &mut [usize], pivoting: Pivoting) -> Vec<usize> {
    let slices = RealSlices::new();
    let count = block.len() / order;
    let mut swaps = Vec::with_capacity(count);
    for s in 0..count {
        let place = first + s;
        let (above, below) = block.split_at_mut((s + 1) * order);
        let row = &mut above[s * order..];
        let Some(chosen) = choose(&row[place..], &columns[place..], pivoting) else { break };
        let chosen = chosen + place;
        columns.swap(place, chosen);
        row.swap(place, chosen);
        // Rows of the strip before this one have their columns in the same order.
        above[..s * order].chunks_mut(order).for_each(|row| row.swap(place, chosen));
        swaps.push(chosen);
        let Some((pivot, tail)) = above[s * order + place..].split_first() else { break };
        for row in below.chunks_mut(order) {
            row.swap(place, chosen);
            if let Some((factor, entries)) = row[place..].split_first_mut() {
                *factor /= pivot;
                slices.sub_scaled(entries, *factor, tail);
            }
        }
    }
    swaps
}

/// The place of the best candidate, the one of the least column among equal ones; `None` where all are 0.
fn choose(words: &[f64], columns: &[usize], pivoting: Pivoting) -> Option<usize> {
    if pivoting == Pivoting::Partial {
        let most = largest(words);
        // Numbers that are none are not above 0, and come behind all that are.
        if most > 0.0 {
            let candidates = words.iter().enumerate().filter(|(_, x)| x.abs() >= most);
            return candidates.map(|(place, _)| place).min_by_key(|&place| columns[place]);
        }
    }
    let mut best: Option<(usize, f64)> = None;
    for (place, &x) in words.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        let own = score(x, pivoting);
        let is_better = |(other, least): (usize, f64)| match own.partial_cmp(&least) {
            Some(Ordering::Less) => true,
            Some(Ordering::Equal) => columns[place] < columns[other],
            Some(Ordering::Greater) | None => false,
        };
        if best.is_none_or(is_better) {
            best = Some((place, own));
        }
    }
    best.map(|(place, _)| place)
}

/// The largest size of some numbers, without those that are none; in parts, for vectors.
fn largest(words: &[f64]) -> f64 {
    let more = |most: f64, x: f64| if x.abs() > most { x.abs() } else { most };
    let (parts, rest) = words.as_chunks::<8>();
    let mut most = [0.0; 8];
    for part in parts {
        most.iter_mut().zip(part).for_each(|(most, &x)| *most = more(*most, x));
    }
    most.iter().chain(rest).fold(0.0, |most, &x| more(most, x))
}

/// The rows below a block of pivots: multipliers, and entries less products.
fn below_block(
    pool: &HostPool,
    block: &[f64],
    (first, end, order): (usize, usize, usize),
    swaps: &[usize],
    below: &mut [f64],
) -> Result<(), DeviceError> {
    if below.is_empty() {
        return Ok(());
    }
    let (slices, count) = (RealSlices::new(), end - first);
    // The block's triangle, transposed, and the rest of its rows in panels of `LANES` columns.
    let mut triangle = Vec::with_capacity(count * count);
    (first..end).for_each(|column| triangle.extend(block.chunks(order).map(|row| row[column])));
    let diagonal: Vec<f64> = triangle.iter().step_by(count + 1).copied().collect();
    let mut panels = vec![[0.0; LANES]; (order - end).div_ceil(LANES) * count];
    for (panel, start) in panels.chunks_mut(count).zip((end..order).step_by(LANES)) {
        for (line, row) in panel.iter_mut().zip(block.chunks(order)) {
            let words = &row[start..order.min(start + LANES)];
            line[..words.len()].copy_from_slice(words);
        }
    }
    let team = pool.team().only_if(below.len() * count >= LONG * BLOCK);
    let new = || vec![[0.0; LANES]; count];
    team.each_with_checked(below.chunks_mut(LANES * order), new, |multipliers, band| {
        for row in band.chunks_mut(order) {
            swaps.iter().enumerate().for_each(|(s, &place)| row.swap(first + s, place));
        }
        for (s, line) in multipliers.iter_mut().enumerate() {
            let entries = band.iter().skip(first + s).step_by(order);
            line.iter_mut().zip(entries).for_each(|(x, &entry)| *x = entry);
        }
        forward(slices, |s| &triangle[s * count..], Some(&diagonal), multipliers);
        for (r, row) in band.chunks_mut(order).enumerate() {
            row[first..end].iter_mut().zip(multipliers.iter()).for_each(|(x, line)| *x = line[r]);
        }
        for (panel, start) in panels.chunks(count).zip((end..order).step_by(LANES)) {
            let columns = start..order.min(start + LANES);
            for group in band.chunks_mut(ROWS * order) {
                subtract(slices, group, (first, end, order), panel, columns.clone());
            }
        }
    })
}

/// The entries of some rows in some columns less the products of the rows' multipliers and a panel.
fn subtract(
    slices: RealSlices,
    group: &mut [f64],
    (first, end, order): (usize, usize, usize),
    panel: &[[f64; LANES]],
    columns: std::ops::Range<usize>,
) {
    let rows = group.len() / order;
    let mut tile = [[0.0; LANES]; ROWS];
    for (line, row) in tile.iter_mut().zip(group.chunks(order)) {
        line[..columns.len()].copy_from_slice(&row[columns.clone()]);
    }
    // Rows past the end repeat the last row, and are dropped.
    let multipliers = |r: usize| &group[r.min(rows - 1) * order..][first..end];
    slices.sub_tile(&mut tile, std::array::from_fn(multipliers), panel);
    for (line, row) in tile.iter().zip(group.chunks_mut(order)) {
        row[columns.clone()].copy_from_slice(&line[..columns.len()]);
    }
}

/// The order of columns with the pivots of the first `rank` rows first, and those without by their numbers.
pub(super) fn arranged(mut columns: Vec<usize>, rank: usize) -> Vec<usize> {
    columns[rank..].sort_unstable();
    columns
}

/// Brings the columns of each block's rows, `block` of them, from the order at the block's end into another one, which has the same
/// columns behind each block and behind the first `rank`.
pub(super) fn arrange(
    team: Team<'_>,
    words: &mut [f64],
    (block, orders): (usize, &[Vec<usize>]),
    (rank, columns): (usize, &[usize]),
) {
    let order = columns.len();
    let mut places = vec![0; order];
    columns.iter().enumerate().for_each(|(place, &column)| places[column] = place);
    let blocks = words.chunks_mut((block * order).max(1)).zip(orders).zip((block..).step_by(block));
    team.only_if(order * order >= LONG).each_with(
        blocks,
        || vec![0.0; order],
        |old, ((rows, own), end)| {
            let end = end.min(rank);
            for row in rows.chunks_mut(order) {
                old[end..].copy_from_slice(&row[end..]);
                own[end..].iter().zip(&old[end..]).for_each(|(&column, &word)| row[places[column]] = word);
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use manycore_device::{Device, Executor};
    use proptest::prelude::*;

    use super::super::{factors, host};
    use super::*;

    fn matrix(order: usize, kind: u8, seed: u64) -> Vec<f64> {
        let mut random = manycore_verify::SplitMix::new(seed);
        let mut word = || {
            let (x, y) = (random.next_word() >> 11, random.next_word());
            let unit = x as f64 * 2f64.powi(-52) - 1.0;
            match kind {
                0 => unit,
                1 => unit * 2f64.powi((y % 41) as i32 - 20),
                2 if y.is_multiple_of(3) => unit,
                3 => (x % 5) as f64 - 2.0,
                _ => 0.0,
            }
        };
        (0..order * order).map(|_| word()).collect()
    }

    fn check(pool: &HostPool, order: usize, words: &[f64]) {
        for pivoting in [Pivoting::First, Pivoting::Partial] {
            let steps = host::condense(pool, order, words, pivoting).unwrap();
            let found = eliminate(pool, order, words, pivoting).unwrap();
            let (expected, factors) = (factors::factors(&steps), found.factors.unwrap());
            assert_eq!(factors.rank, expected.rank, "{order} {pivoting:?}");
            for i in 0..order.min(expected.rank + 1) {
                let of = |factors: &Factors| -> Vec<f64> {
                    let row = &factors.words[i * order..][..order];
                    // Columns without pivots stand in the order of exchanges.
                    let mut words = vec![0.0; order];
                    row.iter().take(expected.rank).zip(&mut words).for_each(|(x, word)| *word = *x);
                    let rest = row.iter().zip(&factors.columns).skip(expected.rank);
                    let mut rest: Vec<_> = rest.map(|(&x, &column)| (column, x)).collect();
                    rest.sort_by_key(|&(column, _)| column);
                    words.iter_mut().skip(expected.rank).zip(rest).for_each(|(word, (_, x))| *word = x);
                    words
                };
                // Zeros of either sign are equal.
                assert_eq!(of(&factors), of(&expected), "{order} {pivoting:?}");
            }
            assert_eq!(factors.rows, expected.rows);
            if expected.rank == order {
                assert_eq!(factors.columns, expected.columns);
                let signed: Vec<f64> = steps.pivots.iter().map(|&(_, _, pivot)| pivot).collect();
                assert_eq!(
                    super::super::scaled::product(&found.pivots),
                    super::super::scaled::product(&signed),
                    "{order} {pivoting:?}"
                );
            }
        }
    }

    #[test]
    fn blocks_give_the_bits_of_single_steps_on_any_number_of_threads() {
        for threads in [1, 2, 3] {
            let device = Device::host_with(threads).unwrap();
            let Executor::Host(pool) = device.executor() else { panic!("the host is no host") };
            for order in [1, 2, 3, 4, 5, 31, 63, 64, 65, 96, 127, 128, 129, 200] {
                (0..4).for_each(|kind| check(pool, order, &matrix(order, kind, order as u64)));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn blocks_give_the_bits_of_single_steps(order in 1usize..140, kind in 0u8..4, seed: u64) {
            let device = Device::host();
            let Executor::Host(pool) = device.executor() else { panic!("the host is no host") };
            check(pool, order, &matrix(order, kind, seed));
        }
    }
}
