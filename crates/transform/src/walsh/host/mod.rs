//! The fast Walsh-Hadamard transform on the host.

mod blocks;
mod butterfly;
mod panels;
mod portable;
pub(crate) mod vector;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use rayon::prelude::*;
use std::mem::size_of;

use self::blocks::Blocks;
use self::butterfly::Rows;
use self::panels::Panels;
use self::vector::Level;
use super::order::Order;
use crate::scalar::Scalar;

/// Tunables.
pub static PARAMS: [std::sync::atomic::AtomicUsize; 4] = [const { std::sync::atomic::AtomicUsize::new(0) }; 4];

/// Sets.
pub fn set(l1: usize, block: usize, panel: usize, rows: usize) {
    use std::sync::atomic::Ordering::Relaxed;
    blocks::L1.store(l1, Relaxed);
    PARAMS[0].store(block, Relaxed);
    PARAMS[1].store(panel, Relaxed);
    PARAMS[2].store(rows % 100, Relaxed);
    PARAMS[3].store(rows / 100, Relaxed);
}

/// In place, natural order, every block of `2^log_len` values of `x`; divided by `2^scale` if given.
pub(crate) fn cooley_tukey<T: Scalar>(x: &mut [T], log_len: u32, scale: Option<u32>) {
    in_place(Level::widest(), x, log_len, scale);
}

fn in_place<T: Scalar>(level: Level, x: &mut [T], log_len: u32, scale: Option<u32>) {
    use std::sync::atomic::Ordering::Relaxed;
    let log_size = size_of::<T>().ilog2();
    let log_block = PARAMS[0].load(Relaxed) as u32 - log_size;
    let threads = rayon::current_num_threads();
    // small: chunked
    let first = log_len.min(log_block);
    let scale_first = scale.filter(|_| first == log_len);
    let chunk = (1_usize << first).max((1 << 16) >> log_size);
    if threads == 1 || x.len() <= chunk {
        level.run(Blocks { x: &mut *x, log_len: first, scale: scale_first });
    } else {
        x.par_chunks_mut(chunk).for_each(|x| level.run(Blocks { x, log_len: first, scale: scale_first }));
    }
    let max_rows = PARAMS[2].load(Relaxed) as u32;
    let mut low = first;
    while low < log_len {
        let stages = log_len - low;
        let log_rows = stages.div_ceil(stages.div_ceil(max_rows));
        let panel = PARAMS[1].load(Relaxed) as u32 - log_size;
        let width = 1_usize << (panel.saturating_sub(log_rows)).max(6 - log_size).min(low);
        let scale = scale.filter(|_| low + log_rows == log_len);
        for group in x.chunks_exact_mut(1 << (low + log_rows)) {
            let rows = Rows { start: group.as_mut_ptr(), stride: 1 << low };
            if threads == 1 {
                let mut buffer = vec![T::default(); width << log_rows];
                level.run(Panels { rows, log_rows, width, columns: 0..1 << low, buffer: &mut buffer, scale });
            } else {
                let parts = (threads * 4).next_power_of_two().min(rows.stride / width);
                let part = rows.stride / parts;
                let shared = Shared(rows.start);
                (0..parts).into_par_iter().for_each(|i| {
                    let shared = &shared;
                    let rows = Rows { start: shared.0, stride: rows.stride };
                    let mut buffer = vec![T::default(); width << log_rows];
                    level.run(Panels { rows, log_rows, width, columns: i * part..(i + 1) * part, buffer: &mut buffer, scale });
                });
            }
        }
        low += log_rows;
    }
}

struct Shared<T>(*mut T);
unsafe impl<T> Sync for Shared<T> {}

/// The constant-geometry transform of every block of `2^log_len` values of `x`, into the given order (dyadic or
/// sequency; Hadamard is served by the in-place algorithm); `scratch` has the length of `x`; the result is in `x`.
pub(crate) fn constant_geometry<T: Scalar>(x: &mut [T], scratch: &mut [T], log_len: u32, order: Order, scale: Option<u32>) {
    cooley_tukey(x, log_len, scale);
    for (block, out) in x.chunks_exact(1 << log_len).zip(scratch.chunks_exact_mut(1 << log_len)) {
        for (row, value) in out.iter_mut().enumerate() {
            *value = block[order.natural_index(row, log_len)];
        }
    }
    x.copy_from_slice(scratch);
}

/// Check
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn quick() {
        set(15, 18, 16, 8);
        for level in Level::all() {
            for log_len in 0..22 {
                let n = 1 << log_len;
                let count = if log_len < 12 { 5 } else { 1 };
                let x: Vec<i32> = (0..n * count).map(|i| (i as i32).wrapping_mul(0x1234_5671) >> 7).collect();
                let mut y = x.clone();
                in_place(level, &mut y, log_len, None);
                let mut z = x.clone();
                for b in z.chunks_exact_mut(n) {
                    for s in 0..log_len {
                        for t in 0..n / 2 {
                            let a = (t & ((1 << s) - 1)) + ((t >> s) << (s + 1));
                            let c = a + (1 << s);
                            (b[a], b[c]) = (b[a].plus(b[c]), b[a].minus(b[c]));
                        }
                    }
                }
                assert!(y == z, "{level:?} {log_len}");
                in_place(level, &mut y, log_len, Some(log_len));
                in_place(level, &mut z, log_len, None);
                z.iter_mut().for_each(|v| *v = v.divide_by_power(log_len));
                assert!(y == z, "{level:?} {log_len} scaled");
            }
        }
    }
}
