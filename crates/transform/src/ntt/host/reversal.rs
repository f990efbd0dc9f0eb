//! Between bit-reversed and natural order.
//!
//! An index is cut into a low, a middle and a high part, the low and the high one of as many bits as make a cache line.
//! Reversing exchanges the squares of values with one middle part and with its reverse, each transposed and reversed in both
//! directions: squares of whole lines are read and written.

use manycore_device::Team;

use crate::Word;

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

/// Puts value `i` of every run of `2^log_len` values of `x` to the place of the reverse of its bits.
pub(super) fn bit_reverse<W: Word>(x: &mut [W], log_len: u32, team: Team<'_>) {
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
