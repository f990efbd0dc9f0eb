//! Plain division with remainder: one step a launch, or `s` steps.

use super::{Launches, PaperError, checked};
use crate::many_core::{Blocks, Kernel};

/// The naive division of a polynomial of `n` coefficients by one of `m`, in blocks of `l` threads (paper 002, Algorithms
/// 16 and 17, corrected): one launch for each of the `n - m + 1` coefficients of the quotient, none for `n < m`.
///
/// A launch updates `m - 1` coefficients, one a thread. In each block one thread forms the quotient's coefficient from the
/// leading ones, and after a barrier all threads multiply and subtract: 3 operations along the longest path, `2 l + 1` in
/// all, as all threads of a block keep step. That thread reads two words more than the others, `5 U` cycles; another one
/// writes the quotient.
///
/// Where `l` divides `m`, with `delta = n - m + 1`: `W = delta m (2 l + 1) / l`, `S = 3 delta`, `N = delta m / l`, `O = 5 U
/// N`, `L = delta`, `C = 3 + 5 U`. With `l = Z / 2` the two words of each thread fill the local memory.
///
/// # Errors
/// [`PaperError::Zero`] and [`PaperError::TooLarge`] for any of the three.
pub fn naive_division(n: u64, m: u64, l: u64) -> Result<Launches, PaperError> {
    checked(&[("n", n), ("m", m), ("l", l)])?;
    let mut launches = Launches::default();
    if n >= m {
        launches.push(one_step("division_step", (m - 1).div_ceil(l), l), n - m + 1);
    }
    Ok(launches)
}

/// A step of division on `blocks` blocks, at least 1 so that the quotient is written.
pub(super) fn one_step(name: &str, blocks: u64, l: u64) -> Kernel {
    // The only thread of a block has nobody to leave the quotient to.
    let writes = if l == 1 { 2 } else { 1 };
    let blocks = Blocks { count: blocks.max(1), span: 3, work: u128::from(2 * l + 1), reads: 4, writes };
    Kernel::new(name, l as u32).local_words(2 * l).blocks(blocks)
}

/// The division by `s` steps a launch (paper 002, Algorithms 18 and 19, corrected): `ceil((n - m + 1) / s)` launches.
///
/// Every block repeats the `s` steps on the `s` leading coefficients, the head, and does them on `2 s` coefficients below.
/// It has `3 s` threads, one a coefficient. Each step takes 3 operations, one after the other: the quotient's coefficient,
/// a product, a difference. The head of step `w` has `s - w` coefficients left, so that a block does `4 s^2 + s (s + 1) +
/// s` operations. `s` of the threads move its `7 s` words of local memory in and `2 s` out, `9 U` cycles; the quotient is
/// written by others.
///
/// Where `2 s` divides `m` and `s` divides `delta = n - m + 1`: `W = delta m (5 s + 2) / (2 s)`, `S = 3 delta`, `N = delta
/// m / (2 s^2)`, `O = 9 U N`, `L = delta / s`, `C = 3 s + 9 U`. With `s = Z / 7` the local memory is full. (9.2) of the
/// paper has `W = delta m (9 s + 1) / (4 s)`: there a head's product and difference count as one operation, while they
/// count as two elsewhere, and the quotient's coefficients as none.
///
/// # Errors
/// [`PaperError::Zero`] and [`PaperError::TooLarge`] for any of the three.
pub fn s_head_division(n: u64, m: u64, s: u64) -> Result<Launches, PaperError> {
    checked(&[("n", n), ("m", m), ("s", s)])?;
    let mut launches = Launches::default();
    if n >= m {
        let steps = n - m + 1;
        let kernel = |head: u64| {
            Kernel::new("s_head_division", 3 * s as u32).local_words(7 * s).blocks(Blocks {
                count: (m - 1).div_ceil(2 * s).max(1),
                span: 3 * head,
                work: u128::from(4 * s * head + head * (head + 1) + head),
                reads: 7,
                writes: 2,
            })
        };
        launches.push(kernel(s), steps / s);
        // What is left is a shorter head.
        let left = steps % s;
        if left > 0 {
            launches.push(kernel(left), 1);
        }
    }
    Ok(launches)
}
