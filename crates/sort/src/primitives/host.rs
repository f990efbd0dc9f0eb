//! Primitives on the host: loops of one thread, as fast as memory is where places follow each other.

use manycore_device::{HostPool, Word};

/// Rows and columns of a tile of a transposition, whose lines stay in the first cache.
const SIDE: usize = 32;

/// Counts keys; the first that has no counter.
pub(super) fn histogram(pool: &HostPool, keys: &[u32], counts: &mut [u32]) -> Option<usize> {
    pool.step("primitive_histogram", size_of_val(keys) as u64, keys.len() as u64, || {
        for (index, &key) in keys.iter().enumerate() {
            let Some(count) = counts.get_mut(key as usize) else { return Some(index) };
            *count += 1;
        }
        None
    })
}

/// The first place that is not there.
pub(super) fn gather<T: Word>(pool: &HostPool, from: &[T], places: &[u32], to: &mut [T]) -> Option<usize> {
    pool.step("primitive_gather", 2 * size_of_val(to) as u64, places.len() as u64, || {
        for (index, (&place, to)) in places.iter().zip(to).enumerate() {
            let Some(&element) = from.get(place as usize) else { return Some(index) };
            *to = element;
        }
        None
    })
}

/// The first place that is not there, and the lowest that is there twice.
pub(super) fn scatter<T: Word>(
    pool: &HostPool,
    from: &[T],
    places: &[u32],
    to: &mut [T],
) -> (Option<usize>, Option<usize>) {
    pool.step("primitive_scatter", 2 * size_of_val(from) as u64, places.len() as u64, || {
        let mut met = vec![false; to.len()];
        let (mut wrong, mut repeated) = (None, None);
        for (index, (&place, &element)) in places.iter().zip(from).enumerate() {
            let place = place as usize;
            match (to.get_mut(place), met.get_mut(place)) {
                (Some(to), Some(met)) if !*met => (*to, *met) = (element, true),
                (Some(_), Some(_)) => repeated = Some(repeated.map_or(place, |lowest: usize| lowest.min(place))),
                _ => wrong = wrong.or(Some(index)),
            }
        }
        (wrong, repeated)
    })
}

/// Elements whose flags are not 0.
pub(super) fn select<T: Word>(pool: &HostPool, from: &[T], flags: &[u32]) -> Vec<T> {
    pool.step("primitive_select", size_of_val(from) as u64, from.len() as u64, || {
        from.iter().zip(flags).filter(|(_, flag)| **flag != 0).map(|(&element, _)| element).collect()
    })
}

/// Runs of elements with the same bits.
pub(super) fn runs<T: Word>(pool: &HostPool, from: &[T]) -> (Vec<T>, Vec<u32>) {
    let is_same = |a: &T, b: &T| bytemuck::bytes_of(a) == bytemuck::bytes_of(b);
    pool.step("primitive_runs", size_of_val(from) as u64, from.len() as u64, || {
        from.chunk_by(is_same).map(|run| (run[0], run.len() as u32)).unzip()
    })
}

/// Transposes rows of `columns` columns, tile by tile.
pub(super) fn transpose<T: Word>(pool: &HostPool, from: &[T], columns: usize, to: &mut [T]) {
    let rows = from.len().checked_div(columns).unwrap_or_default();
    pool.step("primitive_transpose", 2 * size_of_val(from) as u64, from.len() as u64, || {
        for row in (0..rows).step_by(SIDE) {
            for column in (0..columns).step_by(SIDE) {
                for j in column..(column + SIDE).min(columns) {
                    for i in row..(row + SIDE).min(rows) {
                        to[j * rows + i] = from[i * columns + j];
                    }
                }
            }
        }
    });
}
