//! Second computations on a few threads: halves of a task side by side, as long as the system gives threads.

use std::thread::{Builder, available_parallelism, scope};

/// The number of values below which a task is not cut: one thread computes them in less time than a thread takes to start.
const LEAST_VALUES: usize = 1 << 16;

/// The levels of a tree of halves whose leaves are about as many as there are processors.
pub(crate) fn levels() -> u32 {
    available_parallelism().map_or(0, |count| count.get().next_power_of_two().ilog2())
}

/// Both tasks, of `values` values together, side by side while there are `levels` left; one after the other where a thread
/// cannot be started.
pub(crate) fn join<A: Send, B>(
    levels: u32,
    values: usize,
    first: impl FnOnce(u32) -> A + Send,
    second: impl FnOnce(u32) -> B,
) -> (A, B) {
    if levels == 0 || values < LEAST_VALUES {
        return (first(0), second(0));
    }
    // A closure that was given to a thread that does not start is gone, so that it is kept outside.
    let (mut first, mut second) = (Some(first), Some(second));
    let (mut a, mut b) = (None, None);
    both(&mut || a = first.take().map(|task| task(levels - 1)), &mut || b = second.take().map(|task| task(levels - 1)));
    let a = a.or_else(|| first.take().map(|task| task(0)));
    let b = b.or_else(|| second.take().map(|task| task(0)));
    match (a, b) {
        (Some(a), Some(b)) => (a, b),
        // A panic of the thread has come through the scope before.
        _ => unreachable!("each task is run once"),
    }
}

/// Runs both tasks side by side; neither where a thread cannot be started.
fn both(first: &mut (dyn FnMut() + Send), second: &mut dyn FnMut()) {
    scope(|threads| {
        if Builder::new().spawn_scoped(threads, first).is_ok() {
            second();
        }
    });
}

/// `check` for each run of `0..count`, of `values` values each; the error of the first run that has one.
pub(crate) fn each_run<E: Send>(
    count: usize,
    values: usize,
    check: impl Fn(usize) -> Result<(), E> + Sync,
) -> Result<(), E> {
    fn part<E: Send>(
        levels: u32,
        (from, to): (usize, usize),
        values: usize,
        check: &(impl Fn(usize) -> Result<(), E> + Sync),
    ) -> Result<(), E> {
        if levels == 0 || to - from < 2 || (to - from).saturating_mul(values) < LEAST_VALUES {
            return (from..to).try_for_each(check);
        }
        let middle = from + (to - from) / 2;
        let (first, second) = join(
            levels,
            (to - from).saturating_mul(values),
            |levels| part(levels, (from, middle), values, check),
            |levels| part(levels, (middle, to), values, check),
        );
        first.and(second)
    }
    part(levels(), (0, count), values, &check)
}

/// `fill` for each chunk of `len` values with its index, the last of which may be shorter; the error of the first that has one.
pub(crate) fn each_chunk<T: Send, E: Send>(
    values: &mut [T],
    len: usize,
    fill: impl Fn(usize, &mut [T]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    fn part<T: Send, E: Send>(
        levels: u32,
        first: usize,
        values: &mut [T],
        len: usize,
        fill: &(impl Fn(usize, &mut [T]) -> Result<(), E> + Sync),
    ) -> Result<(), E> {
        let chunks = values.len().div_ceil(len);
        if levels == 0 || chunks < 2 || values.len() < LEAST_VALUES {
            let mut chunks = values.chunks_mut(len).enumerate();
            return chunks.try_for_each(|(index, chunk)| fill(first + index, chunk));
        }
        let (all, middle) = (values.len(), chunks / 2);
        let (low, high) = values.split_at_mut(middle * len);
        let (low, high) = join(
            levels,
            all,
            |levels| part(levels, first, low, len, fill),
            |levels| part(levels, first + middle, high, len, fill),
        );
        low.and(high)
    }
    part(levels(), 0, values, len.max(1), &fill)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tasks_are_done() {
        for levels in [0, 1, 3] {
            assert_eq!(
                join(levels, 1 << 20, |levels| levels, |levels| levels + 10),
                (levels.saturating_sub(1), levels.saturating_sub(1) + 10)
            );
        }
    }

    #[test]
    fn the_first_error_is_told() {
        for values in [1, 1 << 12] {
            let check = |run: usize| if run % 300 == 77 { Err(run) } else { Ok(()) };
            assert_eq!(each_run(1000, values, check), Err(77));
            assert_eq!(each_run(77, values, check), Ok(()));
            assert_eq!(each_run(0, values, check), Ok(()));
        }
    }

    #[test]
    fn every_chunk_is_filled_once() {
        let mut values = vec![0; 100_003];
        let add = |index, chunk: &mut [usize]| {
            for value in chunk.iter_mut() {
                *value += index + 1;
            }
            if index < 7000 { Ok(()) } else { Err(index) }
        };
        assert_eq!(each_chunk(&mut values[..70_000], 10, add), Ok(()));
        assert_eq!(each_chunk(&mut values[70_000..], 10, |index, chunk| add(index + 7000, chunk)), Err(7000));
        assert!(values[..70_010].iter().enumerate().all(|(place, &value)| value == place / 10 + 1));
        assert_eq!(each_chunk(&mut [0; 0], 10, |_, _| Err(())), Ok(()));
    }
}
