//! Orders of variants of an algorithm by the model.
//!
//! The gain of an optimized variant over the naive one, by theorem 1 on the Tesla C2050 with `Z = 12288`:
//!
//! | | multiplication | | | division | | | greatest common divisor | | |
//! |---|---|---|---|---|---|---|---|---|---|
//! | `U` | `x = 2` | `x = 8` | `x = 32` | full | 1024 threads | limit | full | 1024 threads | limit |
//! | 1 | 1.32 | 1.76 | 1.92 | 2.22 | 3.06 | 1.52 | 2.29 | 2.06 | 0.89 |
//! | 10 | 1.86 | 5.46 | 10.55 | 14.51 | 18.78 | 9.93 | 14.96 | 12.77 | 5.81 |
//! | 100 | 1.97 | 7.58 | 26.24 | 119.61 | 103.16 | 81.83 | 127.29 | 73.36 | 49.45 |
//! | 1000 | 1.98 | 7.89 | 31.01 | 514.16 | 196.87 | 351.77 | 621.59 | 147.41 | 241.47 |
//!
//! Multiplication is for `n = m = 2^14`, `l = 256`; division for `n = 2^15`, `m = 2^14`; the greatest common divisor for
//! `n = m = 2^14`. "Full" are the paper's parameters, which fill the local memory: `l = Z / 2` and `s = Z / 7` or `Z / 6`;
//! "1024 threads" are `l = 512` and `s = 341`, blocks that the device accepts; the limits are those of full local memory
//! for growing sizes.
//!
//! # Where the model has the paper's order
//!
//! - Multiplication: as `n = m` grows, `x > 1` gains if and only if `(x - 1) (3 U - 1) > 0`, so for every `U >= 1`. At `U =
//!   100` all powers `x <= 256` gain from 3 coefficients on.
//! - Division: `s = Z / 7` gains if and only if `Z (20 U - 9) > 441 U`; on the C2050 from `U = 0.451` on, and for all
//!   `U` in `1 ..= 1000` at every size tried.
//! - Greatest common divisor: `s = Z / 6` gains if and only if `Z (5 U - 6) > 144 U`; on the C2050 from `U = 1.203` on, and
//!   for all `U` in `2 ..= 1000` at every size tried.
//!
//! # Where it has not, or for other reasons
//!
//! - At `U = 1` no power `x > 1` gains for 256 coefficients: the halo of `x - 1` sums starts another block in each row. At
//!   2048 coefficients all `x <= 256` do. At `U = 2` and 256 coefficients only 4 and 8 gain.
//! - The limit (8.7) grows with `x` for ever. The bound does not: its chain of `log2(m / x) + 2` launches, each of the
//!   largest block's time, makes it least at `x = 128` for `U = 1` and `x = 1024` for `U = 100` (`n = m = 2^14`).
//! - At `U = 1` the `s`-step greatest common divisor has a limit below 1, and yet gains up to half a million coefficients,
//!   as its chain is shorter.
//! - Heads must be long: against `l = 512` and at 2^14 coefficients, `s` below 80 (`U = 1`) or 19 (`U >= 100`) loses.
//! - Work never speaks for the optimized variants: `W_1 / W_x = n / (n + x - 1)`; naive over `s`-head division tends to 4/5
//!   (not the printed 8/9); naive over `s`-step greatest common divisor to 1/2, as the algorithm is corrected (printed:
//!   8/27).
//!
//! # What the model leaves out
//!
//! The paper measured on a C2050; these numbers are no forecast of its seconds. The bound takes all threads of a block to
//! compute at once, where a processor of the C2050 has 32 lanes: a gain of several hundred needs arithmetic that costs
//! nothing. `U` is the same for every access: reads that the hardware joins, caches, and blocks that share a processor and
//! hide each other's transfers are left out, and so is the time of a launch. An inversion counts as one operation. And `9
//! U` and `8 U` are for `s` of a block's `3 s` threads moving all words; shared evenly they would be `4 U` and `3 U`.

use super::Launches;
use crate::many_core::{DoesNotFit, ManyCore};

/// The ratio of the bounds of theorem 1, `(N/p + L) C`, of `before` to `after`: above 1 the model prefers `after`; 1
/// where both do nothing.
///
/// # Errors
/// [`DoesNotFit`] where one of them has no cost on the machine.
pub fn gain(before: &Launches, after: &Launches, machine: &ManyCore) -> Result<f64, DoesNotFit> {
    let processors = machine.processors();
    let before = before.cost(machine)?.bound_cycles(processors);
    let after = after.cost(machine)?.bound_cycles(processors);
    Ok(if before == 0.0 && after == 0.0 { 1.0 } else { before / after })
}

/// (8.7): the gain of `x` coefficients a thread over 1 in plain multiplication as `n = m` grows, `(1 + 3 U) x / (2 x - 1 +
/// 3 U)`. It is above 1 if and only if `(x - 1) (3 U - 1) > 0`.
pub fn multiplication_gain_limit(x: f64, transfer_cycles: f64) -> f64 {
    let transfers = 3.0 * transfer_cycles;
    (1.0 + transfers) * x / (2.0 * x - 1.0 + transfers)
}

/// The gain of the division with heads of `s = Z / 7` over the naive one with blocks of `l = Z / 2` as `m` grows, `4 Z (3 +
/// 5 U) / (21 (Z + 21 U))`. It is above 1 if and only if `Z (20 U - 9) > 441 U`.
pub fn division_gain_limit(local_words: f64, transfer_cycles: f64) -> f64 {
    let (z, u) = (local_words, transfer_cycles);
    4.0 * z * (3.0 + 5.0 * u) / (21.0 * (z + 21.0 * u))
}

/// The gain of the greatest common divisor with `s = Z / 6` steps a launch over the naive one with blocks of `l = Z / 2` as
/// `n = m` grows, `Z (3 + 5 U) / (9 (Z + 16 U))`. It is above 1 if and only if `Z (5 U - 6) > 144 U`.
pub fn gcd_gain_limit(local_words: f64, transfer_cycles: f64) -> f64 {
    let (z, u) = (local_words, transfer_cycles);
    z * (3.0 + 5.0 * u) / (9.0 * (z + 16.0 * u))
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;

    const Z: u64 = TESLA_C2050_LOCAL_WORDS;

    fn gain_at(u: f64, before: Result<Launches, PaperError>, after: Result<Launches, PaperError>) -> f64 {
        gain(&before.unwrap(), &after.unwrap(), &tesla_c2050(u).unwrap()).unwrap()
    }

    fn multiplication(u: f64, n: u64, x: u64) -> f64 {
        gain_at(u, plain_multiplication(n, n, 1, 256), plain_multiplication(n, n, x, 256))
    }

    fn division(u: f64, n: u64, m: u64, l: u64, s: u64) -> f64 {
        gain_at(u, naive_division(n, m, l), s_head_division(n, m, s))
    }

    fn gcd(u: f64, n: u64, l: u64, s: u64) -> f64 {
        gain_at(u, naive_gcd(n, n, l), s_step_gcd(n, n, s))
    }

    #[test]
    fn limits_are_those_of_the_costs() {
        for u in [0.2, 1.0, 7.0, 100.0, 1000.0] {
            let close =
                |found: f64, limit: f64| assert!((found / limit - 1.0).abs() < 2e-3, "{found}, {limit}, U = {u}");
            close(multiplication(u, 1 << 28, 8), multiplication_gain_limit(8.0, u));
            close(division(u, 1 << 29, 1 << 28, Z / 2, Z / 7), division_gain_limit(Z as f64, u));
            close(gcd(u, 1 << 28, Z / 2, Z / 6), gcd_gain_limit(Z as f64, u));
        }
    }

    #[test]
    fn limits_change_sides_where_the_paper_says() {
        let side = |gain: f64, better: i64| {
            if better == 0 {
                assert!((gain - 1.0).abs() < 1e-12, "{gain}");
            } else {
                assert_eq!(gain > 1.0, better > 0, "{gain}, {better}");
            }
        };
        for u in 1..=1000i64 {
            for x in 1..200i64 {
                side(multiplication_gain_limit(x as f64, u as f64), (x - 1) * (3 * u - 1));
            }
            for z in (1..200i64).chain([Z as i64]) {
                side(division_gain_limit(z as f64, u as f64), z * (20 * u - 9) - 441 * u);
                side(gcd_gain_limit(z as f64, u as f64), z * (5 * u - 6) - 144 * u);
            }
        }
        // Transfers cheaper than three operations a word make blocking a loss.
        side(multiplication_gain_limit(8.0, 1.0 / 3.0), 0);
        side(multiplication_gain_limit(8.0, 0.3), -1);
        // On the C2050, division gains from U = 0.451 on, the greatest common divisor from 1.203 on.
        let z = Z as f64;
        assert!(division_gain_limit(z, 0.450) < 1.0 && division_gain_limit(z, 0.451) > 1.0);
        assert!(gcd_gain_limit(z, 1.202) < 1.0 && gcd_gain_limit(z, 1.203) > 1.0);
    }

    /// The table above.
    #[test]
    fn gains_on_the_device_of_the_paper() {
        let table = [
            (1.0, [1.32, 1.76, 1.92, 2.22, 3.06, 1.52, 2.29, 2.06, 0.89]),
            (10.0, [1.86, 5.46, 10.55, 14.51, 18.78, 9.93, 14.96, 12.77, 5.81]),
            (100.0, [1.97, 7.58, 26.24, 119.61, 103.16, 81.83, 127.29, 73.36, 49.45]),
            (1000.0, [1.98, 7.89, 31.01, 514.16, 196.87, 351.77, 621.59, 147.41, 241.47]),
        ];
        let n = 1 << 14;
        for (u, expected) in table {
            let found = [
                multiplication(u, n, 2),
                multiplication(u, n, 8),
                multiplication(u, n, 32),
                division(u, 2 * n, n, Z / 2, Z / 7),
                division(u, 2 * n, n, 512, 341),
                division_gain_limit(Z as f64, u),
                gcd(u, n, Z / 2, Z / 6),
                gcd(u, n, 512, 341),
                gcd_gain_limit(Z as f64, u),
            ];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 0.006, "U = {u}: {found}, the table has {expected}");
            }
        }
    }

    #[test]
    fn multiplication_of_short_polynomials() {
        // The halo of x - 1 sums takes a row of 256 sums past the end of its block.
        assert!(multiplication(1.0, 256, 2) < 0.85 && multiplication(2.0, 256, 2) < 1.0);
        let gains = (1..=8).map(|log| 1 << log).filter(|&x| multiplication(2.0, 256, x) > 1.0);
        assert!(gains.eq([4, 8]));
        let powers = || (1..=8).map(|log| 1u64 << log);
        assert!(powers().all(|x| multiplication(1.0, 256, x) < 1.0));
        assert!(powers().all(|x| multiplication(1.0, 2048, x) > 1.0));
        assert!(powers().all(|x| (x.max(3)..600).all(|n| multiplication(100.0, n, x) > 1.0)));
    }

    #[test]
    fn the_best_x_is_bounded_by_the_chain() {
        for (u, best) in [(1.0, 128), (10.0, 256), (100.0, 1024), (1000.0, 2048)] {
            let found = (0..=12).map(|log| (1u64 << log, multiplication(u, 1 << 14, 1 << log)));
            assert_eq!(found.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(x, _)| x), Some(best), "U = {u}");
        }
    }

    #[test]
    fn division_by_heads_gains_at_every_size() {
        for u in 1..=1000 {
            for log in [4, 6, 10, 14, 20, 26] {
                assert!(division(f64::from(u), 2 << log, 1 << log, Z / 2, Z / 7) > 1.0, "U = {u}, m = 2^{log}");
            }
        }
        // Short heads lose: one step a launch with two coefficients a block is worse than 512 of them.
        for (u, last) in [(1.0, 79), (10.0, 23), (100.0, 18), (1000.0, 18)] {
            let loses = (1..=Z / 7).filter(|&s| division(u, 1 << 15, 1 << 14, 512, s) <= 1.0);
            assert!(loses.eq(1..=last), "U = {u}");
        }
    }

    #[test]
    fn greatest_common_divisor_of_long_polynomials() {
        let full = |u: f64, n: u64| gcd(u, n, Z / 2, Z / 6);
        // Against the limit, launches decide below a million coefficients.
        assert!(full(1.0, 1 << 19) > 1.0 && full(1.0, 1 << 20) < 1.0);
        for u in 2..=1000 {
            assert!([4, 6, 10, 14, 20, 24].iter().all(|&log| full(f64::from(u), 1 << log) > 1.0), "U = {u}");
        }
        for (u, last) in [(1.0, 126), (10.0, 30), (100.0, 21), (1000.0, 21)] {
            let loses = (1..=Z / 6).filter(|&s| gcd(u, 1 << 14, 512, s) <= 1.0);
            assert!(loses.eq(1..=last), "U = {u}");
        }
    }

    #[test]
    fn nothing_gains_nothing() {
        assert!((division(1.0, 3, 4, 8, 2) - 1.0).abs() < f64::EPSILON);
    }
}
