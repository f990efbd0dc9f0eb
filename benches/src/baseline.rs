//! The plain one-thread forms of paper 001's comparison, CPU A and CPU B: its in-place Cooley-Tukey loop and its constant
//! geometry, as directly as they can be written, with whatever the compiler makes of them for the target's default processor.

use manycore_spectral::Scalar;

/// Transforms each run of `2^log_len` values in place into natural order by a butterfly (paper 001, Algorithm 1): three nested
/// loops.
pub fn in_place<T: Copy>(x: &mut [T], log_len: u32, butterfly: impl Fn(T, T) -> (T, T)) {
    for run in x.chunks_exact_mut(1 << log_len) {
        for step in (0..log_len).rev() {
            let half = 1 << step;
            for pair in run.chunks_exact_mut(2 * half) {
                let (low, high) = pair.split_at_mut(half);
                for (a, b) in low.iter_mut().zip(high) {
                    (*a, *b) = butterfly(*a, *b);
                }
            }
        }
    }
}

/// Transforms each run of `2^log_len` values by constant geometry (paper 001, Algorithm 2): each step reads neighbours of one
/// buffer and writes `2^step` apart to the other; the butterfly's last argument says whether it negates its second result, as odd threads
/// do in every step but the last. The result is in `x`; `scratch` is as long.
pub fn geometry<T: Copy>(x: &mut [T], scratch: &mut [T], log_len: u32, butterfly: impl Fn(T, T, bool) -> (T, T)) {
    let len = 1 << log_len;
    for (run, other) in x.chunks_exact_mut(len).zip(scratch.chunks_exact_mut(len)) {
        let (mut source, mut target) = (run, other);
        for step in (0..log_len).rev() {
            let stride = 1 << step;
            for thread in 0..len / 2 {
                let (u, v) = (source[2 * thread], source[2 * thread + 1]);
                let first = (thread & (stride - 1)) + ((thread >> step) << (step + 1));
                let odd = thread % 2 == 1 && step != 0;
                (target[first], target[first + stride]) = butterfly(u, v, odd);
            }
            std::mem::swap(&mut source, &mut target);
        }
        // After an odd number of swaps the result is in the scratch buffer.
        if log_len % 2 == 1 {
            target.copy_from_slice(source);
        }
    }
}

/// The Walsh-Hadamard transform in Hadamard order by [`in_place`].
pub fn cooley_tukey<T: Scalar>(x: &mut [T], log_len: u32) {
    in_place(x, log_len, |u, v| (u.plus(v), u.minus(v)));
}

/// The Walsh-Hadamard transform in sequency order by [`geometry`], with the rule of odd and even threads.
pub fn constant_geometry<T: Scalar>(x: &mut [T], scratch: &mut [T], log_len: u32) {
    geometry(x, scratch, log_len, |u, v, odd| (u.plus(v), if odd { v.minus(u) } else { u.minus(v) }));
}

/// The Haar transform of each run of `2^log_len` values in place (paper 001, Algorithm 3, with steps ascending, which leaves
/// coefficients amid their values: the printed order of steps computes another function of values in natural order).
pub fn haar_in_place<T: Scalar>(x: &mut [T], log_len: u32) {
    for run in x.chunks_exact_mut(1 << log_len) {
        for step in 0..log_len {
            let stride = 1 << step;
            for first in (0..run.len()).step_by(2 * stride) {
                let (u, v) = (run[first], run[first + stride]);
                run[first] = u.plus(v);
                run[first + stride] = u.minus(v);
            }
        }
    }
}

/// The Haar transform of each run of `2^log_len` values in standard order (paper 001, Algorithm 4): `spectrum` is as long as
/// `x`, `sums` holds two runs.
pub fn haar_geometry<T: Scalar>(x: &[T], spectrum: &mut [T], sums: &mut [T], log_len: u32) {
    let len = 1 << log_len;
    for (run, y) in x.chunks_exact(len).zip(spectrum.chunks_exact_mut(len)) {
        let (mut current, mut next) = sums.split_at_mut(len);
        current[..len].copy_from_slice(run);
        y.copy_from_slice(run);
        for step in (0..log_len).rev() {
            for thread in 0..1 << step {
                let (u, v) = (current[2 * thread], current[2 * thread + 1]);
                next[thread] = u.plus(v);
                y[thread] = u.plus(v);
                y[(1 << step) + thread] = u.minus(v);
            }
            std::mem::swap(&mut current, &mut next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{constant_geometry, cooley_tukey, haar_geometry, haar_in_place};
    use manycore_spectral::haar::reference::haar;
    use manycore_spectral::walsh::reference::walsh_hadamard;
    use manycore_spectral::{HaarOrder, Normalization, Order};

    #[test]
    fn both_agree_with_the_definition() {
        for log_len in 0..=9 {
            let len = 1_usize << log_len;
            let input: Vec<i32> = crate::data::values(2 * len);
            let expected =
                |order| -> Vec<i32> { input.chunks(len).flat_map(|run| walsh_hadamard(run, order).unwrap()).collect() };
            let mut direct = input.clone();
            cooley_tukey(&mut direct, log_len);
            assert_eq!(direct, expected(Order::Hadamard), "2^{log_len}");
            let mut geometry = input.clone();
            constant_geometry(&mut geometry, &mut vec![0; 2 * len], log_len);
            assert_eq!(geometry, expected(Order::Sequency), "2^{log_len}");
        }
    }

    #[test]
    fn both_haar_forms_agree_with_the_definition() {
        for log_len in 0..=9 {
            let len = 1_usize << log_len;
            let input: Vec<i32> = crate::data::values(2 * len);
            let expected = |order| -> Vec<i32> {
                input.chunks(len).flat_map(|run| haar(run, order, Normalization::None).unwrap()).collect()
            };
            let mut direct = input.clone();
            haar_in_place(&mut direct, log_len);
            assert_eq!(direct, expected(HaarOrder::InPlace), "2^{log_len}");
            let mut geometry = vec![0; 2 * len];
            haar_geometry(&input, &mut geometry, &mut vec![0; 2 * len], log_len);
            assert_eq!(geometry, expected(HaarOrder::Standard), "2^{log_len}");
        }
    }
}
