//! Euclid's algorithm: one step a launch, or `s` steps.
//!
//! A step lowers the larger of the two degrees by one. Counted is the longest run of inputs whose degrees drop by one in
//! each step: from `n` and `m` coefficients on `n + m - 2` steps, and none where one polynomial is a constant.

use super::plain_division::one_step;
use super::{Launches, PaperError, checked};
use crate::many_core::{Blocks, Kernel};

/// Steps from polynomials of `n` and `m` coefficients on.
fn steps(n: u64, m: u64) -> u64 {
    if n.min(m) == 1 { 0 } else { n + m - 2 }
}

/// Coefficients of the shorter and of the longer polynomial after `step` steps, `step < n + m - 2`.
fn lengths(n: u64, m: u64, step: u64) -> (u64, u64) {
    let (long, short) = (n.max(m), n.min(m));
    match step.checked_sub(long - short) {
        None => (short, long - step),
        // From equal lengths on, they shrink in turn.
        Some(both) => (short - both.div_ceil(2), short - both / 2),
    }
}

/// The naive greatest common divisor of polynomials of `n` and `m` coefficients, in blocks of `l` threads (paper 002,
/// Algorithms 20 and 21, corrected): `n + m - 2` launches of one step each, a division step on the coefficients of the
/// shorter polynomial, the leading one included.
///
/// To leading order `W = 2 m n`, `N = m n / l`, and exactly `S = 3 (n + m - 2)`, `O = 5 U N`, `C = 3 + 5 U`. With `l = Z /
/// 2` the local memory is full.
///
/// # Errors
/// [`PaperError::Zero`] and [`PaperError::TooLarge`] for any of the three, [`PaperError::TooMany`] for more than
/// [`Launches::LISTED`] different numbers of blocks.
pub fn naive_gcd(n: u64, m: u64, l: u64) -> Result<Launches, PaperError> {
    checked(&[("n", n), ("m", m), ("l", l)])?;
    let blocks = |step| lengths(n, m, step).0.div_ceil(l);
    Launches::shrinking(steps(n, m), blocks, |blocks| one_step("gcd_step", blocks, l))
}

/// The greatest common divisor by `s` steps a launch (paper 002, Algorithms 22 and 23, in the corrected form that aligns
/// leading coefficients and writes to a second buffer): `ceil((n + m - 2) / s)` launches.
///
/// Every block repeats the `s` steps on the `s` leading coefficients of both polynomials, and does them on `2 s`
/// neighbouring coefficients of both, of which the first `s` come out right: each step makes one more of the others
/// unknown. A step forms a quotient and updates the known coefficients of one polynomial, 3 operations one after the
/// other. A block of `3 s` threads does `4 s^2 + 3 s` operations; `s` threads move its `6 s` words of local memory in and
/// `2 s` out, `8 U` cycles. It has `ceil(longer / s)` blocks for the longer polynomial's length.
///
/// To leading order, for `n = m`: `W = 4 n^2`, `N = n^2 / s^2`, and exactly `S = 3 (n + m - 2)`, `O = 8 U N`, `C = 3 s + 8
/// U`. With `s = Z / 6` the local memory is full. The paper counts `27 s^2 / 4 + 13 s / 2` operations in a block.
///
/// # Errors
/// As [`naive_gcd`], with `s` for `l`.
pub fn s_step_gcd(n: u64, m: u64, s: u64) -> Result<Launches, PaperError> {
    checked(&[("n", n), ("m", m), ("s", s)])?;
    let steps = steps(n, m);
    let blocks = |launch: u64| lengths(n, m, launch * s).1.div_ceil(s);
    let kernel = |blocks: u64, steps: u64| {
        Kernel::new("s_step_gcd", 3 * s as u32).local_words(6 * s).blocks(Blocks {
            count: blocks,
            span: 3 * steps,
            // The quotients; the known coefficients of the head, and those of the segment, two operations each.
            work: u128::from(steps + steps * (steps + 1) + 2 * s * steps + steps * (steps + 1)),
            reads: 6,
            writes: 2,
        })
    };
    let mut launches = Launches::shrinking(steps / s, blocks, |blocks| kernel(blocks, s))?;
    let left = steps % s;
    if left > 0 {
        launches.push(kernel(blocks(steps / s), left), 1);
    }
    Ok(launches)
}
