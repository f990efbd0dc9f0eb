//! Steps of a star in blocks on the host's threads.

use manycore_device::simd::{self, Job};
use manycore_device::{DeviceError, HostPool, Team, checkpoint};

use super::factors::{Factors, Panel, Pivot};
use crate::star::tiles::{close, tile};
use crate::weight::Weight;

/// Rows of a tile of sums.
const ROWS: usize = 4;

/// The star of a block of pivots; `None` where a circuit is positive.
pub(super) fn pivot<T: Weight>(
    pool: &HostPool,
    (order, side): (usize, usize),
    block: &[T],
) -> Result<Option<Pivot<T>>, DeviceError> {
    let blocks = order.div_ceil(side);
    let mut block = block.to_vec();
    let mut rows = vec![T::ABSENT; blocks * side * order];
    let (mut closed, mut columns) = (Vec::new(), Vec::new());
    for k in 0..blocks {
        checkpoint()?;
        let (begin, end) = (k * side, ((k + 1) * side).min(order));
        let mut diagonal = vec![T::ABSENT; side * side];
        for i in 0..side {
            if begin + i < end {
                let own = &block[(begin + i) * order + begin..(begin + i) * order + end];
                diagonal[i * side..i * side + own.len()].copy_from_slice(own);
            }
            diagonal[i * side + i] = T::ZERO;
        }
        if close(&mut diagonal, side) {
            return Ok(None);
        }
        let team = pool.team().only_if((order * order * side) as u64 > 1 << 16);
        let at_pivot = &mut rows[begin * order..(begin + side) * order];
        multiply(team, at_pivot, order, &diagonal, &block[begin * order..end * order], side);
        for (i, row) in at_pivot.chunks_exact_mut(order).take(end - begin).enumerate() {
            row[begin..end].copy_from_slice(&diagonal[i * side..i * side + end - begin]);
            block[(begin + i) * order..(begin + i + 1) * order].copy_from_slice(row);
        }
        // Rows past the last pivot are of none.
        at_pivot[(end - begin) * order..].fill(T::ABSENT);
        let mut own = vec![T::ABSENT; order * side];
        for (own, row) in own.chunks_exact_mut(side).zip(block.chunks_exact(order)) {
            own[..end - begin].copy_from_slice(&row[begin..end]);
        }
        let mut products = vec![T::ABSENT; order * side];
        multiply(team, &mut products, side, &own, &diagonal, side);
        products[begin * side..end * side].fill(T::ABSENT);
        for (row, product) in block
            .chunks_exact_mut(order)
            .zip(products.chunks_exact(side))
            .enumerate()
            .filter_map(|(row, pair)| (!(begin..end).contains(&row)).then_some(pair))
        {
            row[begin..end].copy_from_slice(&product[..end - begin]);
        }
        // Columns of the diagonal block are done.
        let mut others = at_pivot.to_vec();
        for row in others.chunks_exact_mut(order) {
            row[begin..end].fill(T::ABSENT);
        }
        multiply(team, &mut block, order, &products, &others, side);
        for i in (0..order).filter(|i| !(begin..end).contains(i)) {
            if block[i * order + i] > T::ZERO {
                return Ok(None);
            }
            block[i * order + i] = T::ZERO;
        }
        closed.extend(diagonal);
        columns.extend(products);
    }
    Ok(Some(Pivot { block, factors: Factors { order, side, closed, columns }, rows }))
}

/// Rows of pivots in `width` columns.
pub(super) fn panel<T: Weight>(
    pool: &HostPool,
    factors: &Factors<T>,
    mut tile: Vec<T>,
    width: usize,
) -> Result<Panel<T>, DeviceError> {
    let Factors { order, side, .. } = *factors;
    let mut at_pivots = vec![T::ABSENT; factors.padded() * width];
    let team = pool.team().only_if((order * width * side) as u64 > 1 << 16);
    for k in 0..factors.blocks() {
        checkpoint()?;
        let (begin, end) = (k * side, ((k + 1) * side).min(order));
        let at_pivot = &mut at_pivots[begin * width..(begin + side) * width];
        multiply(team, at_pivot, width, factors.closed(k), &tile[begin * width..end * width], side);
        at_pivot[(end - begin) * width..].fill(T::ABSENT);
        tile[begin * width..end * width].copy_from_slice(&at_pivot[..(end - begin) * width]);
        multiply(team, &mut tile, width, factors.columns(k), at_pivot, side);
    }
    Ok(Panel { tile, at_pivots })
}

/// `W[R, C] = max(W[R, C], W[R, P] W[P, C])` in rows of `width` words; `left` has rows of as many words as `right` has rows.
pub(super) fn update<T: Weight>(
    pool: &HostPool,
    tile: &mut [T],
    width: usize,
    (left, right): (&[T], &[T]),
    side: usize,
) -> Result<(), DeviceError> {
    let padded = right.len() / width;
    let rows = tile.len() / width;
    let team = pool.team().only_if((rows * padded * width) as u64 > 1 << 16);
    for begin in (0..padded).step_by(side) {
        checkpoint()?;
        let own = left.chunks_exact(padded).flat_map(|row| &row[begin..begin + side]).copied().collect::<Vec<T>>();
        multiply(team, tile, width, &own, &right[begin * width..(begin + side) * width], side);
    }
    Ok(())
}

/// `to[r][c] = max(to[r][c], a[r][k] + b[k][c])` over all `k`, of rows of `width` words, of `side` words, and of `width` words; rows
/// of `b` past its end are epsilon.
fn multiply<T: Weight>(team: Team<'_>, to: &mut [T], width: usize, a: &[T], b: &[T], side: usize) {
    if size_of::<T>() == 4 {
        by_tiles::<T, 64>(team, to, width, a, b, side);
    } else {
        by_tiles::<T, 32>(team, to, width, a, b, side);
    }
}

fn by_tiles<T: Weight, const W: usize>(team: Team<'_>, to: &mut [T], width: usize, a: &[T], b: &[T], side: usize) {
    let mut panels = vec![[T::ABSENT; W]; width.div_ceil(W) * side];
    for (k, row) in b.chunks_exact(width).enumerate() {
        for (panel, words) in row.chunks(W).enumerate() {
            panels[panel * side + k][..words.len()].copy_from_slice(words);
        }
    }
    let bands = to.chunks_mut(ROWS * width).zip(a.chunks(ROWS * side));
    team.each(bands, |(to, a)| {
        simd::run(Band { to, width, a, panels: &panels, side });
    });
}

/// Some rows of a product.
struct Band<'a, T, const W: usize> {
    to: &'a mut [T],
    width: usize,
    a: &'a [T],
    panels: &'a [[T; W]],
    side: usize,
}

impl<T: Weight, const W: usize> Job for Band<'_, T, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { to, width, a, panels, side } = self;
        let mut factors = vec![[T::ABSENT; ROWS]; side];
        for (r, row) in a.chunks_exact(side).enumerate() {
            for (factor, &word) in factors.iter_mut().zip(row) {
                factor[r] = word;
            }
        }
        for (panel, terms) in panels.chunks_exact(side).enumerate() {
            let mut sums = [[T::ABSENT; W]; ROWS];
            tile(&factors, terms, &mut sums);
            let (begin, end) = (panel * W, ((panel + 1) * W).min(width));
            for (row, sums) in to.chunks_exact_mut(width).zip(&sums) {
                for (entry, &sum) in row[begin..end].iter_mut().zip(sums) {
                    *entry = entry.longer(sum);
                }
            }
        }
    }
}
