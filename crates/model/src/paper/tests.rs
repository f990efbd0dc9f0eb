//! The counts against the corrected closed formulas, against loops that count each block, and the printed formulas
//! against both.

#![allow(clippy::float_cmp)] // the expected numbers are exact

use super::*;
use crate::many_core::{Cost, DoesNotFit};

const U: f64 = 7.0;

fn cost(launches: Result<Launches, PaperError>) -> Cost {
    launches.unwrap().cost(&tesla_c2050(U).unwrap()).unwrap()
}

/// All numbers of a cost that chapters 8 and 9 state.
fn assert_cost(found: &Cost, work: u64, span: u64, words: u64, blocks: u64, chain: u64, largest: u64) {
    let counts = [work, span, blocks, chain].map(u128::from);
    assert_eq!([found.work, found.span, found.blocks, found.chain], counts, "W, S, N, L");
    assert_eq!(found.overhead_cycles, words as f64 * U, "O");
    assert_eq!(found.largest_block_cycles, largest as f64, "C");
}

fn near(found: f64, expected: f64, part: f64) {
    assert!((found / expected - 1.0).abs() <= part, "{found}, expected {expected}");
}

/// Sizes for which (8.2) and (8.3) are exact: `x` divides `m`, `m / x` is a power of two, `l` divides `n + x - 1` and is at
/// least `2 x - 1`.
const WHOLE: [(u64, u64, u64, u64); 6] =
    [(16, 8, 2, 17), (15, 8, 2, 8), (13, 8, 4, 8), (16, 8, 1, 8), (509, 128, 4, 32), (1009, 64, 16, 64)];

#[test]
fn multiplication_has_the_corrected_formulas() {
    for (n, m, x, l) in WHOLE {
        let (delta, log) = (n + x - 1, u64::from((m / x).ilog2()));
        let blocks = 2 * m * delta / (x * l);
        let largest = 2 * x - 1 + 3 * U as u64;
        let found = cost(plain_multiplication(n, m, x, l));
        assert_cost(&found, 2 * m * delta, 2 * x - 1 + log + 1, 3 * blocks, blocks, log + 2, largest);
    }
    // The specification's example of (8.2).
    assert_eq!(cost(plain_multiplication(16, 8, 2, 17)).work, 272);
}

#[test]
fn printed_multiplication_counts_half_of_the_last_additions_or_none() {
    for (n, m, x, l) in WHOLE {
        let [delta, log] = [n + x - 1, u64::from((m / x).ilog2())].map(|v| v as f64);
        let [m, x, l] = [m, x, l].map(|v| v as f64);
        let found = cost(plain_multiplication(n, m as u64, x as u64, l as u64));
        // (8.2): the last AddKer is launched with half of its threads, and is not among the steps.
        assert_eq!(found.work as f64 - (2.0 * m - 0.5) * delta, delta / 2.0);
        assert_eq!(found.span as f64 - (2.0 * x - 1.0 + log), 1.0);
        // (8.2), (8.3): its blocks and their words are not counted at all; L counts the calls of AddKer but one, no MulKer.
        assert_eq!(found.blocks as f64 - delta * (2.0 * m - x) / (x * l), delta / l);
        assert_eq!(found.overhead_cycles - 3.0 * U * delta * (2.0 * m - x) / (x * l), 3.0 * U * delta / l);
        assert_eq!(found.chain as f64 - (log + 1.0), 1.0);
    }
    assert_eq!((2.0 * 8.0 - 0.5) * 17.0, 263.5); // against 272
}

#[test]
fn ratios_of_multiplication() {
    // (8.4) with the corrected overhead and (8.5), for n = 4093, m = 1024, x = 4, l = 1: all divisions go out even.
    let (n, m, x) = (4093.0, 1024.0, 4.0);
    let [one, four] = [1, 4].map(|x| cost(plain_multiplication(4093, 1024, x, 7)).work as f64);
    near(one / four, n / (n + x - 1.0), 1e-12);
    let words = |x| {
        let found = plain_multiplication(4093, 1024, x, 1).unwrap();
        found.groups().iter().map(|(kernel, _)| kernel.block_count() as f64).sum::<f64>()
    };
    let ratio = words(1) / words(4);
    near(ratio, n * x / (n + x - 1.0), 1e-12);
    // The printed (8.4) is (2 m - 1) / (2 m - x) times that.
    near(n * (2.0 * m - 1.0) * x / ((n + x - 1.0) * (2.0 * m - x)) / ratio, 2047.0 / 2044.0, 1e-12);
}

/// Algorithms 11 to 13 thread by thread: operations, blocks and launches.
fn multiply_by_loops(n: u64, m: u64, x: u64, l: u64) -> (u128, u128, u128) {
    let (n, m) = (n.max(m), n.min(m));
    let x = x.min(m);
    let (c, r) = (n + x - 1, m.div_ceil(x));
    let (mut work, mut blocks, mut launches) = (0, 0, 1);
    for _row in 0..r {
        for block in 0..c.div_ceil(l) {
            blocks += 1;
            work += (0..l).filter(|t| block * l + t < c).count() as u128 * u128::from(2 * x - 1);
        }
    }
    let mut taken = vec![0; r as usize];
    for i in 0.. {
        let first = (1 << i) - 1;
        if first >= r {
            break;
        }
        let rows: Vec<u64> = (0..r).filter(|row| row % (1 << (i + 1)) == first).collect();
        for &row in &rows {
            taken[row as usize] += 1;
        }
        work += u128::from(rows.len() as u64 * c);
        blocks += u128::from((rows.len() as u64 * c).div_ceil(l));
        launches += 1;
    }
    assert!(taken.iter().all(|&times| times == 1), "each row is added once");
    (work, blocks, launches)
}

#[test]
fn multiplication_of_any_sizes() {
    for n in 1..14 {
        for m in 1..14 {
            for x in 1..7 {
                for l in 1..9 {
                    let found = cost(plain_multiplication(n, m, x, l));
                    assert_eq!((found.work, found.blocks, found.chain), multiply_by_loops(n, m, x, l));
                    assert_eq!(found.work, 2 * u128::from(x.min(n).min(m) * intermediate_words(n, m, x).unwrap()));
                }
            }
        }
    }
    assert_eq!(intermediate_words(1 << 14, 1 << 14, 1), Ok(1 << 28));
}

#[test]
fn division_has_the_corrected_formulas() {
    for (n, m, l, s) in [(60, 16, 8, 2), (100, 36, 12, 3), (8191, 4096, 512, 128)] {
        let delta = n - m + 1;
        let steps = delta / s * s; // s divides delta
        let (n, delta) = (n - delta + steps, steps);
        let blocks = delta * m / l;
        let found = cost(naive_division(n, m, l));
        assert_cost(&found, blocks * (2 * l + 1), 3 * delta, 5 * blocks, blocks, delta, 3 + 5 * U as u64);

        let blocks = delta * m / (2 * s * s);
        let work = delta * m * (5 * s + 2) / (2 * s);
        let found = cost(s_head_division(n, m, s));
        assert_cost(&found, work, 3 * delta, 9 * blocks, blocks, delta / s, 3 * s + 9 * U as u64);
        // The printed (9.2) lacks (s + 3) / (4 s) for each of delta m.
        let [work, s, area] = [work, s, delta * m].map(|v| v as f64);
        near(work - area * (9.0 * s + 1.0) / (4.0 * s), area * (s + 3.0) / (4.0 * s), 1e-12);
    }
}

#[test]
fn ratios_of_division() {
    // l = Z / 2, s = Z / 7; m and delta are multiples of both, and of 2 s.
    for z in [140u64, 700, 12_278] {
        let (l, s) = (z / 2, z / 7);
        let m = 2 * s * l;
        let (naive, heads) = (cost(naive_division(2 * m - 1, m, l)), cost(s_head_division(2 * m - 1, m, s)));
        let z = z as f64;
        // (9.5), corrected: 4 (Z + 1) / (5 Z + 14), which tends to 4/5; printed 8 (Z + 1) / (9 Z + 7), to 8/9.
        let ratio = naive.work as f64 / heads.work as f64;
        near(ratio, 4.0 * (z + 1.0) / (5.0 * z + 14.0), 1e-12);
        near(8.0 * (z + 1.0) / (9.0 * z + 7.0) / ratio, 2.0 * (5.0 * z + 14.0) / (9.0 * z + 7.0), 1e-12);
        near(naive.overhead_cycles / heads.overhead_cycles, 20.0 * z / 441.0, 1e-12);
    }
}

#[test]
fn division_of_any_sizes() {
    for n in 0..30u64 {
        for m in 1..12u64 {
            for s in 1..7 {
                // The loop of the corrected algorithm: heads from position i down to m - 1.
                let (mut i, mut launches, mut blocks, mut work) = (n as i64 - 1, 0, 0, 0);
                while i >= m as i64 - 1 {
                    let h = s.min((i - m as i64 + 2) as u64);
                    let head: u64 = (0..h).map(|w| 1 + 2 * (h - w)).sum();
                    let count = (m - 1).div_ceil(2 * s).max(1);
                    (launches, blocks, work) = (launches + 1, blocks + count, work + count * (head + 4 * s * h));
                    i -= h as i64;
                }
                if n > 0 {
                    let found = cost(s_head_division(n, m, s));
                    let counts = [launches, blocks, work].map(u128::from);
                    assert_eq!([found.chain, found.blocks, found.work], counts, "{n} {m} {s}");
                    assert_eq!(found.chain, u128::from((n + 1).saturating_sub(m).div_ceil(s)));
                    assert_eq!(cost(naive_division(n, m, s)).chain, u128::from((n + 1).saturating_sub(m)));
                }
            }
        }
    }
}

#[test]
fn greatest_common_divisors_of_any_sizes() {
    for n in 1..16i64 {
        for m in 1..16i64 {
            for s in 1..6u64 {
                // The degrees, step by step; at last one polynomial is zero, of degree -1 in the second buffer.
                let (mut da, mut db) = (n - 1, m - 1);
                let (mut naive, mut launches, mut at, mut blocks, mut work) = (0, 0, 0, 0, 0);
                while n.min(m) > 1 && da + db > 0 {
                    naive += (da.min(db) as u64 + 1).div_ceil(s);
                    if at == 0 {
                        launches += 1;
                        let left = s.min((da + db) as u64);
                        let known = |words: u64| (0..left).map(|step| 2 * (words - step)).sum::<u64>();
                        let count = (da.max(db) as u64 + 1).div_ceil(s);
                        blocks += count;
                        work += count * (left + known(left) + known(s + left));
                    }
                    at = (at + 1) % s;
                    *(if da >= db { &mut da } else { &mut db }) -= 1;
                }
                let (n, m) = (n as u64, m as u64);
                assert_eq!(cost(naive_gcd(n, m, s)).blocks, u128::from(naive), "{n} {m} {s}");
                let found = cost(s_step_gcd(n, m, s));
                let counts = [launches, blocks, work].map(u128::from);
                assert_eq!([found.chain, found.blocks, found.work], counts, "{n} {m} {s}");
            }
        }
    }
}

#[test]
fn greatest_common_divisor_to_leading_order() {
    let (n, m, l, s) = (1u64 << 20, 1u64 << 19, 256u64, 64u64);
    let (found, area) = (cost(naive_gcd(n, m, l)), (n * m) as f64);
    near(found.work as f64, 2.0 * area, 0.01);
    near(found.blocks as f64, area / l as f64, 0.01);
    assert_eq!((found.span, found.chain), (u128::from(3 * (n + m - 2)), u128::from(n + m - 2)));
    assert_eq!((found.overhead_cycles, found.largest_block_cycles), (found.blocks as f64 * 5.0 * U, 3.0 + 5.0 * U));

    let found = cost(s_step_gcd(n, n, s));
    near(found.blocks as f64, (n / s * (n / s)) as f64, 0.01);
    assert_eq!((found.span, found.chain), (u128::from(6 * n - 6), u128::from((2 * n - 2).div_ceil(s))));
    assert_eq!(found.largest_block_cycles, 3.0 * s as f64 + 8.0 * U);
    assert_eq!(found.overhead_cycles, found.blocks as f64 * 8.0 * U);
    // Two buffers: a launch has blocks for the longer polynomial, so that m != n takes (n^2 + m^2) / (2 s^2).
    let found = cost(s_step_gcd(n, m, s));
    near(found.blocks as f64, (n * n + m * m) as f64 / (2 * s * s) as f64, 0.01);
}

#[test]
fn printed_work_of_the_greatest_common_divisor() {
    // (9.10) prints 27 s^2 / 4 + 13 s / 2 operations of a block, which the corrected algorithm's 4 s^2 + 3 s stay below.
    for s in [2u64, 64, 2048] {
        let block = s_step_gcd(4 * s, 4 * s, s).unwrap().groups()[0].0.groups[0];
        assert_eq!((block.span, block.work), (3 * s, u128::from(4 * s * s + 3 * s)));
        assert_eq!(u128::from((27 * s * s + 26 * s) / 4) - block.work, u128::from((11 * s * s + 14 * s) / 4));
    }
    // So W_nai / W_opt tends to 1/2, not to the 8/27 of (9.13) and its correction: 2 n^2 over 27 n^2 / 4.
    let (n, z) = (1u64 << 28, TESLA_C2050_LOCAL_WORDS);
    let naive = cost(naive_gcd(n, n, z / 2)).work as f64;
    let steps = cost(s_step_gcd(n, n, z / 6));
    near(naive / steps.work as f64, 0.5, 1e-3);
    let s = (z / 6) as f64;
    let printed = steps.blocks as f64 * (27.0 * s * s / 4.0 + 13.0 * s / 2.0);
    near(naive / printed, 8.0 / 27.0, 1e-3);
    // 002 prints 284 Z + 2 for 192 (2 Z + 2) in the numerator: 0.74 of it, the limit would be 0.22.
    let z = z as f64;
    near((284.0 * z + 2.0) / (192.0 * (2.0 * z + 2.0)), 0.74, 0.01);
}

#[test]
fn launches_are_a_chain() {
    let all = [
        plain_multiplication(100, 70, 3, 8),
        naive_division(100, 30, 4),
        s_head_division(100, 30, 4),
        naive_gcd(60, 50, 4),
        s_step_gcd(60, 50, 4),
    ];
    let machine = tesla_c2050(U).unwrap();
    for launches in all.map(Result::unwrap) {
        let program = launches.program().unwrap();
        assert_eq!(program.cost(&machine), launches.cost(&machine));
        assert_eq!(program.shape().parallel_steps, launches.count());
        assert_eq!(program.kernels().len() as u64, launches.count());
    }
    // A quotient of 2^30 coefficients: counted, but not written out.
    let long = naive_division(LARGEST, 1, 256).unwrap();
    assert_eq!((long.count(), long.groups().len()), (LARGEST, 1));
    assert_eq!(long.program(), Err(PaperError::TooMany { launches: LARGEST, limit: Launches::LISTED }));
    assert_eq!(
        naive_gcd(LARGEST, LARGEST, 1).unwrap_err(),
        PaperError::TooMany { launches: Launches::LISTED + 1, limit: Launches::LISTED }
    );
}

#[test]
fn trivial_sizes() {
    assert_eq!(cost(s_head_division(5, 6, 2)), Cost::ZERO);
    assert_eq!(cost(naive_gcd(9, 1, 2)), Cost::ZERO);
    assert_eq!(cost(s_step_gcd(1, 1, 2)), Cost::ZERO);
    // A constant divisor has nothing below its head, but a quotient to write.
    assert_eq!(cost(s_head_division(4, 1, 4)).blocks, 1);
    assert_eq!(cost(plain_multiplication(1, 1, 9, 4)).work, 2);
    assert_eq!(plain_multiplication(5, 9, 2, 4), plain_multiplication(9, 5, 2, 4));
}

#[test]
fn bad_sizes_are_refused_by_name() {
    let zero = |parameter| Err(PaperError::Zero { parameter });
    assert_eq!(plain_multiplication(0, 1, 1, 1), zero("n"));
    assert_eq!(plain_multiplication(1, 0, 1, 1), zero("m"));
    assert_eq!(plain_multiplication(1, 1, 0, 1), zero("x"));
    assert_eq!(plain_multiplication(1, 1, 1, 0), zero("l"));
    assert_eq!(intermediate_words(1, 1, 0), Err(PaperError::Zero { parameter: "x" }));
    assert_eq!(naive_division(1, 0, 1), zero("m"));
    assert_eq!(s_head_division(1, 1, 0), zero("s"));
    assert_eq!(naive_gcd(1, 1, 0), zero("l"));
    assert_eq!(s_step_gcd(0, 1, 1), zero("n"));
    let error = PaperError::TooLarge { parameter: "s", value: LARGEST + 1 };
    assert_eq!(s_step_gcd(1, 1, LARGEST + 1), Err(error.clone()));
    assert_eq!(error.to_string(), "s = 1073741825, at most 1073741824 can be counted");
    // The largest sizes of all do not overflow.
    assert!(plain_multiplication(LARGEST, LARGEST, LARGEST, LARGEST).unwrap().program().is_ok());
    assert!(s_head_division(LARGEST, LARGEST, LARGEST).unwrap().program().is_ok());
    assert!(s_step_gcd(LARGEST, LARGEST, LARGEST).unwrap().program().is_ok());
}

#[test]
fn local_memory_limits_the_parameters() {
    let machine = tesla_c2050(1.0).unwrap();
    let z = TESLA_C2050_LOCAL_WORDS;
    let fits = |launches: Result<Launches, PaperError>| launches.unwrap().cost(&machine);
    assert!(fits(naive_division(z, z / 2, z / 2)).is_ok() && fits(naive_gcd(z, z, z / 2)).is_ok());
    assert!(fits(s_head_division(z, z / 2, z / 7)).is_ok() && fits(s_step_gcd(z, z, z / 6)).is_ok());
    assert!(fits(plain_multiplication(z, z, (z - 256) / 2, 256)).is_ok());
    let past = [
        (fits(naive_division(z, 9, z / 2 + 1)), "division_step", z + 2),
        (fits(s_head_division(z, 9, z / 7 + 1)), "s_head_division", (z / 7 + 1) * 7),
        (fits(s_step_gcd(z, 9, z / 6 + 1)), "s_step_gcd", z + 6),
        (fits(plain_multiplication(z, z, (z - 256) / 2 + 1, 256)), "MulKer", z + 1),
    ];
    for (found, kernel, words) in past {
        assert_eq!(found, Err(DoesNotFit::LocalMemory { kernel: kernel.into(), words, limit: z }));
    }
}
