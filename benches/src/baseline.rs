//! The plain one-thread forms of paper 001's comparison: its in-place Cooley-Tukey loop and its constant geometry, as
//! directly as they can be written, with whatever the compiler makes of them for the target's default processor.

use manycore_transform::Scalar;

/// Transforms each run of `2^log_len` values in place into Hadamard order (paper 001, Algorithm 1): three nested loops.
pub fn cooley_tukey<T: Scalar>(x: &mut [T], log_len: u32) {
    for run in x.chunks_exact_mut(1 << log_len) {
        for step in (0..log_len).rev() {
            let half = 1 << step;
            for pair in run.chunks_exact_mut(2 * half) {
                let (low, high) = pair.split_at_mut(half);
                for (a, b) in low.iter_mut().zip(high) {
                    let (u, v) = (*a, *b);
                    *a = u.plus(v);
                    *b = u.minus(v);
                }
            }
        }
    }
}

/// Transforms each run of `2^log_len` values into sequency order by constant geometry (paper 001, Algorithm 2 with the
/// rule of odd and even threads): each step reads neighbours of one buffer and writes `2^step` apart to the other. The
/// result is in `x`; `scratch` is as long.
pub fn constant_geometry<T: Scalar>(x: &mut [T], scratch: &mut [T], log_len: u32) {
    let len = 1 << log_len;
    for (run, other) in x.chunks_exact_mut(len).zip(scratch.chunks_exact_mut(len)) {
        let (mut source, mut target) = (run, other);
        for step in (0..log_len).rev() {
            let stride = 1 << step;
            for thread in 0..len / 2 {
                let (u, v) = (source[2 * thread], source[2 * thread + 1]);
                let first = (thread & (stride - 1)) + ((thread >> step) << (step + 1));
                let odd = thread % 2 == 1 && step != 0;
                target[first] = u.plus(v);
                target[first + stride] = if odd { v.minus(u) } else { u.minus(v) };
            }
            std::mem::swap(&mut source, &mut target);
        }
        // After an odd number of swaps the result is in the scratch buffer.
        if log_len % 2 == 1 {
            target.copy_from_slice(source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{constant_geometry, cooley_tukey};
    use manycore_transform::Order;
    use manycore_transform::walsh::reference::walsh_hadamard;

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
}
