//! Permutations of words in the host's memory: index bits in reverse order, Gray codes, transposition.
//!
//! Bit reversal: an index is cut into a low, a middle and a high part, the low and the high one of as many bits as make a cache line.
//! Reversing exchanges the squares of values with one middle part and with its reverse, each transposed and reversed in both
//! directions: squares of whole lines are read and written.
//!
//! Gray codes: rows go round the cycles of `i -> i ^ (i >> 1)`, whose lengths are powers of two below twice the bits, and each row's
//! words are permuted on the way.

use manycore_device::{Team, Word};

/// The binary logarithm of the side of a square.
const LOG_SIDE: u32 = 4;
const SIDE: usize = 1 << LOG_SIDE;
/// Squares that a thread takes at a time.
const TASK_SQUARES: usize = 64;

type Square<W> = [[W; SIDE]; SIDE];

/// The `bits` low bits of `i` in reverse order.
fn reversed(i: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }
}

/// Values that threads share.
struct Shared<W>(*mut W);

// SAFETY: each task has squares of its own.
unsafe impl<W: Send> Sync for Shared<W> {}

/// Puts value `i` of every run of `2^log_len` values of `x` to the place of the reverse of its bits, in place, in one pass over the
/// memory.
pub fn bit_reverse<W: Word>(x: &mut [W], log_len: u32, team: Team<'_>) {
    if log_len < 2 * LOG_SIDE {
        for run in x.chunks_exact_mut(1 << log_len) {
            for i in 0..run.len() {
                let j = reversed(i, log_len);
                if i < j {
                    run.swap(i, j);
                }
            }
        }
        return;
    }
    let log_middle = log_len - 2 * LOG_SIDE;
    for run in x.chunks_exact_mut(1 << log_len) {
        let shared = Shared(run.as_mut_ptr());
        let exchange = |middle: usize| {
            let (shared, other) = (&shared, reversed(middle, log_middle));
            if middle > other {
                return;
            }
            // SAFETY: the squares of a middle part and of its reverse belong to the task of the smaller one.
            unsafe {
                let one = read(shared.0, middle, log_middle);
                if middle < other {
                    write(shared.0, middle, log_middle, &read(shared.0, other, log_middle));
                }
                write(shared.0, other, log_middle, &one);
            }
        };
        let squares = 1usize << log_middle;
        team.each((0..squares).step_by(TASK_SQUARES), |first| {
            (first..squares.min(first + TASK_SQUARES)).for_each(exchange);
        });
    }
}

/// The square of a middle part: row `i` has the high part `i`.
///
/// # Safety
/// The square belongs to the caller.
unsafe fn read<W: Word>(x: *const W, middle: usize, log_middle: u32) -> Square<W> {
    // SAFETY: high and middle part are in range.
    std::array::from_fn(|high| unsafe { x.add(((high << log_middle) + middle) << LOG_SIDE).cast::<[W; SIDE]>().read() })
}

/// Writes a square transposed, with rows and columns in bit-reversed order.
///
/// # Safety
/// As [`read`].
unsafe fn write<W: Word>(x: *mut W, middle: usize, log_middle: u32, square: &Square<W>) {
    for high in 0..SIDE {
        let column = reversed(high, LOG_SIDE);
        let row: [W; SIDE] = std::array::from_fn(|low| square[reversed(low, LOG_SIDE)][column]);
        // SAFETY: as for `read`.
        unsafe { x.add(((high << log_middle) + middle) << LOG_SIDE).cast::<[W; SIDE]>().write(row) }
    }
}

/// The base-2 logarithm of the words of a row that goes round as a whole.
const LOG_ROW: u32 = 12;
/// Rows that a thread takes at a time.
const TASK_ROWS: usize = 64;

/// Value `i` of every run of `2^log_len` values of `x` becomes that of the Gray code `i ^ (i >> 1)`, in place, in one pass over the
/// memory: what makes sequency order of dyadic order.
pub fn gray_rows<W: Word>(x: &mut [W], log_len: u32, team: Team<'_>) {
    let gray = |i: usize| i ^ (i >> 1);
    let log_row = log_len.min(LOG_ROW);
    let (words, rows) = (1usize << log_row, 1usize << (log_len - log_row));
    // The lowest bit of a row's number comes to the highest place of its words.
    let permute = |to: &mut [W], from: &[W], row: usize| {
        let top = (row & 1) << log_row >> 1;
        to.iter_mut().enumerate().for_each(|(i, to)| *to = from[gray(i) ^ top]);
    };
    for run in x.chunks_exact_mut(1 << log_len) {
        let shared = Shared(run.as_mut_ptr());
        // SAFETY: the rows of a cycle belong to the task of its smallest one, which has one of them at a time mutably.
        let row_of =
            |shared: &Shared<W>, i: usize| unsafe { std::slice::from_raw_parts_mut(shared.0.add(i * words), words) };
        let round = |(kept, turned): &mut (Vec<W>, Vec<W>), first: usize| {
            let mut others = std::iter::successors(Some(gray(first)), |&i| Some(gray(i))).take_while(|&i| i != first);
            if others.any(|i| i < first) {
                return;
            }
            let shared = &shared;
            kept.clear();
            kept.extend_from_slice(row_of(shared, first));
            let mut at = first;
            loop {
                let next = gray(at);
                turned.resize(words, W::zeroed());
                permute(turned, if next == first { kept } else { row_of(shared, next) }, at);
                row_of(shared, at).copy_from_slice(turned);
                if next == first {
                    break;
                }
                at = next;
            }
        };
        team.each_with(
            (0..rows).step_by(TASK_ROWS),
            || (Vec::new(), Vec::new()),
            |room, start| {
                (start..rows.min(start + TASK_ROWS)).for_each(|first| round(room, first));
            },
        );
    }
}

/// The transpose of `from`, rows of `columns` words, over the threads of `team`.
///
/// # Panics
/// Where both are not so many whole rows.
pub fn transpose<W: Word>(from: &[W], columns: usize, to: &mut [W], team: Team<'_>) {
    let rows = from.len() / columns.max(1);
    assert!(from.len() == to.len() && rows * columns == from.len(), "whole rows");
    if rows == 0 {
        return;
    }
    // A few columns at a time, whose lines are in the cache for each row.
    let some = SIDE.min(columns);
    team.each(to.chunks_mut(some * rows).enumerate(), |(part, to)| {
        for (i, row) in from.chunks_exact(columns).enumerate() {
            let row = &row[part * some..];
            to[i..].iter_mut().step_by(rows).zip(row).for_each(|(to, &word)| *to = word);
        }
    });
}

#[cfg(test)]
mod tests {
    use manycore_device::{Device, Executor};

    use super::*;

    #[test]
    fn words_go_where_their_indices_say() {
        for threads in [1, 3] {
            let device = Device::host_with(threads).unwrap();
            let Executor::Host(pool) = device.executor() else { unreachable!("the host") };
            for (log_len, runs) in [(0, 3), (1, 2), (3, 2), (7, 2), (8, 3), (9, 1), (12, 2), (13, 2), (17, 1)] {
                let len = 1usize << log_len;
                let x: Vec<u64> = (0..(runs * len) as u64).collect();
                let moved = |index: &dyn Fn(usize) -> usize| -> Vec<u64> {
                    x.chunks(len).flat_map(|run| (0..len).map(|i| run[index(i)])).collect()
                };
                let mut y = x.clone();
                bit_reverse(&mut y, log_len, pool.team());
                assert!(y == moved(&|i| reversed(i, log_len)), "reversed 2^{log_len}");
                let mut y = x.clone();
                gray_rows(&mut y, log_len, pool.team());
                assert!(y == moved(&|i| i ^ (i >> 1)), "Gray codes of 2^{log_len}");
            }
            for (rows, columns) in [(1, 1), (1, 5), (7, 3), (100, 33), (33, 100), (0, 4)] {
                let x: Vec<u32> = (0..(rows * columns) as u32).collect();
                let mut y = vec![0; x.len()];
                transpose(&x, columns, &mut y, pool.team());
                let expected: Vec<u32> =
                    (0..columns).flat_map(|j| (0..rows).map(move |i| (i * columns + j) as u32)).collect();
                assert_eq!(y, expected);
            }
        }
    }
}
