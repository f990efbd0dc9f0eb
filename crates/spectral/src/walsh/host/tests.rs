//! Every path against the definition or a second route, at every level of SIMD of this processor.

use manycore_device::Team;

use super::in_place;
use super::kind::WalshKind;
use super::level::Level;
use super::out_of_place::Job;
use crate::scalar::Scalar;
use crate::threads::of_host_with;
use crate::walsh::butterfly::Butterfly;
use crate::walsh::reference;
use manycore_arrays::orders::Order;

/// Small integers in every type, so that floating-point sums are exact too.
trait Sample: Scalar {
    fn of(value: i32) -> Self;
}

macro_rules! sample {
    ($($type:ty),*) => {$(
        impl Sample for $type {
            fn of(value: i32) -> Self {
                value as $type
            }
        }
    )*};
}

sample!(i32, i64, f32, f64);

/// `len` integers of at most `2^bits` in absolute value, different for each seed.
fn values<T: Sample>(len: usize, bits: u32, seed: u32) -> Vec<T> {
    let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        T::of((state as i32) >> (31 - bits))
    };
    (0..len).map(|_| next()).collect()
}

/// Paper 001's Algorithm 1, as written.
fn plain<T: Scalar>(x: &mut [T]) {
    for step in (0..x.len().ilog2()).rev() {
        for t in 0..x.len() / 2 {
            let a = (t & ((1 << step) - 1)) + ((t >> step) << (step + 1));
            let b = a + (1 << step);
            (x[a], x[b]) = (x[a].plus(x[b]), x[a].minus(x[b]));
        }
    }
}

/// Paper 001's Algorithm 2, as corrected: one stage per pass, and the odd/even rule for sequency order.
fn plain_constant_geometry<T: Scalar>(x: &mut Vec<T>, order: Order) {
    let mut other = x.clone();
    for step in (0..x.len().ilog2()).rev() {
        for t in 0..x.len() / 2 {
            let (u, v) = (x[2 * t], x[2 * t + 1]);
            let a = (t & ((1 << step) - 1)) + ((t >> step) << (step + 1));
            let negated = order == Order::Sequency && t % 2 == 1 && step != 0;
            other[a] = u.plus(v);
            other[a + (1 << step)] = if negated { v.minus(u) } else { u.minus(v) };
        }
        std::mem::swap(x, &mut other);
    }
}

fn small_runs_agree_with_the_definition<T: Sample>() {
    for level in Level::all() {
        for log_len in 0..=10 {
            let len = 1_usize << log_len;
            for runs in [0, 1, 3, 7] {
                let x: Vec<T> = values(runs * len, 6, log_len);
                for order in Order::ALL {
                    let slow = x.chunks_exact(len).flat_map(|run| reference::walsh_hadamard(run, order).unwrap());
                    let expected: Vec<T> = slow.collect();
                    let mut scratch = x.clone();

                    let mut y = x.clone();
                    in_place::transform::<_, WalshKind>(level, &mut y, log_len, None, Team::ALONE);
                    Job { log_len, order, butterflies: false, scale: None, team: Team::ALONE }.run::<_, WalshKind>(
                        level,
                        &mut y,
                        &mut scratch,
                    );
                    assert!(y == expected, "{} {level:?} 2^{log_len} x {runs} {order} in place", T::NAME);

                    let mut y = x.clone();
                    let job = Job { log_len, order, butterflies: true, scale: None, team: Team::ALONE };
                    job.run::<_, WalshKind>(level, &mut y, &mut scratch);
                    assert!(y == expected, "{} {level:?} 2^{log_len} x {runs} {order}", T::NAME);

                    Job { scale: Some(log_len), ..job }.run::<_, WalshKind>(level, &mut y, &mut scratch);
                    assert!(y == x, "{} {level:?} 2^{log_len} x {runs} {order} inverse", T::NAME);
                }
                let mut y = x.clone();
                in_place::transform::<_, WalshKind>(level, &mut y, log_len, None, Team::ALONE);
                in_place::transform::<_, WalshKind>(level, &mut y, log_len, Some(log_len), Team::ALONE);
                assert!(y == x, "{} {level:?} 2^{log_len} x {runs} inverse in place", T::NAME);
            }
        }
    }
}

#[test]
fn small_runs_of_every_type() {
    small_runs_agree_with_the_definition::<i32>();
    small_runs_agree_with_the_definition::<i64>();
    small_runs_agree_with_the_definition::<f32>();
    small_runs_agree_with_the_definition::<f64>();
}

/// Lengths that cross every threshold of caches, panels and passes, on one thread and on several.
fn long_runs_agree_with_the_plain_algorithms<T: Sample>(
    log_lens: std::ops::RangeInclusive<u32>,
    levels: &[Level],
    orders: &[Order],
) {
    for log_len in log_lens {
        let runs = if log_len < 15 { 3 } else { 1 };
        let x: Vec<T> = values(runs << log_len, 3, log_len);
        let mut natural = x.clone();
        natural.chunks_exact_mut(1 << log_len).for_each(plain);
        for (level, threads) in levels.iter().flat_map(|&level| [(level, 1), (level, 3)]) {
            of_host_with(threads, |team| {
                let mut y = x.clone();
                in_place::transform::<_, WalshKind>(level, &mut y, log_len, None, team);
                assert!(y == natural, "{} {level:?} 2^{log_len} on {threads} threads", T::NAME);
                in_place::transform::<_, WalshKind>(level, &mut y, log_len, Some(log_len), team);
                assert!(y == x, "{} {level:?} 2^{log_len} on {threads} threads, inverse", T::NAME);
                let mut scratch = x.clone();
                for &order in orders {
                    let job = Job { log_len, order, butterflies: true, scale: None, team };
                    job.run::<_, WalshKind>(level, &mut y, &mut scratch);
                    for (run, natural) in y.chunks_exact(1 << log_len).zip(natural.chunks_exact(1 << log_len)) {
                        for (row, &value) in run.iter().enumerate() {
                            let same = value == natural[order.natural_index(row, log_len)];
                            assert!(same, "{} {level:?} 2^{log_len} {order} row {row}", T::NAME);
                        }
                    }
                    let mut reordered = natural.clone();
                    Job { butterflies: false, ..job }.run::<_, WalshKind>(level, &mut reordered, &mut scratch);
                    assert!(reordered == y, "{} {level:?} 2^{log_len} {order} reordered", T::NAME);
                    Job { scale: Some(log_len), ..job }.run::<_, WalshKind>(level, &mut y, &mut scratch);
                    assert!(y == x, "{} {level:?} 2^{log_len} {order} inverse", T::NAME);
                }
            });
        }
    }
}

#[test]
fn long_runs_of_i32() {
    long_runs_agree_with_the_plain_algorithms::<i32>(11..=19, &Level::all(), &Order::ALL);
}

#[test]
fn long_runs_of_i64() {
    long_runs_agree_with_the_plain_algorithms::<i64>(11..=18, &Level::all(), &Order::ALL);
}

#[test]
fn long_runs_of_f32() {
    long_runs_agree_with_the_plain_algorithms::<f32>(11..=19, &Level::all(), &Order::ALL);
}

#[test]
fn long_runs_of_f64() {
    long_runs_agree_with_the_plain_algorithms::<f64>(11..=18, &Level::all(), &Order::ALL);
}

#[test]
fn runs_past_the_caches() {
    // 32 MiB: panels through a buffer, and long panels of the constant geometry.
    long_runs_agree_with_the_plain_algorithms::<i32>(23..=23, &[Level::widest()], &[Order::Sequency]);
}

/// Runs that threads share one by one, each as a whole, or in groups.
#[test]
fn batches_on_several_threads() {
    for (log_len, runs) in [(16, 5), (16, 13), (13, 20), (10, 300)] {
        let x: Vec<i32> = values(runs << log_len, 3, log_len);
        let mut natural = x.clone();
        natural.chunks_exact_mut(1 << log_len).for_each(plain);
        of_host_with(3, |team| {
            let (mut y, mut scratch) = (x.clone(), x.clone());
            in_place::in_blocks::<_, WalshKind>(Level::widest(), &mut y, log_len, None, 17, team);
            assert!(y == natural, "2^{log_len} x {runs}");
            super::reorder(&mut y, &mut scratch, log_len, Order::Sequency, team);
            let mut z = x.clone();
            super::constant_geometry(Butterfly::Walsh, &mut z, &mut scratch, log_len, Order::Sequency, None, team);
            assert!(y == z, "2^{log_len} x {runs}");
            let in_order = |row: usize| {
                natural[row >> log_len << log_len | Order::Sequency.natural_index(row & ((1 << log_len) - 1), log_len)]
            };
            assert!(y.iter().enumerate().all(|(row, &value)| value == in_order(row)), "2^{log_len} x {runs}");
        });
    }
}

#[test]
fn constant_geometry_as_in_the_paper() {
    for order in [Order::Dyadic, Order::Sequency] {
        for log_len in 0..=14 {
            let x: Vec<i32> = values(1 << log_len, 8, 5);
            let mut expected = x.clone();
            plain_constant_geometry(&mut expected, order);
            let (mut y, mut scratch) = (x.clone(), x.clone());
            super::constant_geometry(Butterfly::Walsh, &mut y, &mut scratch, log_len, order, None, Team::ALONE);
            assert_eq!(y, expected, "2^{log_len} {order}");
        }
    }
}

#[test]
fn rows_and_columns_of_a_matrix() {
    // W(a + b) = W(a) kron W(b): transform the rows, then the columns.
    let (log_rows, log_columns) = (5, 9);
    let x: Vec<i64> = values(1 << (log_rows + log_columns), 20, 3);
    let mut expected = x.clone();
    expected.chunks_exact_mut(1 << log_columns).for_each(plain);
    for column in 0..1 << log_columns {
        let mut values: Vec<i64> = expected[column..].iter().step_by(1 << log_columns).copied().collect();
        plain(&mut values);
        expected[column..].iter_mut().step_by(1 << log_columns).zip(values).for_each(|(x, value)| *x = value);
    }
    let mut y = x.clone();
    super::cooley_tukey(Butterfly::Walsh, &mut y, log_rows + log_columns, None, None, Team::ALONE);
    assert_eq!(y, expected);
}

#[test]
fn integers_wrap() {
    for level in Level::all() {
        for log_len in [1, 3, 6, 9, 13, 17] {
            let x: Vec<i32> = values(1 << log_len, 31, 11);
            let mut expected = x.clone();
            plain(&mut expected);
            let mut y = x.clone();
            in_place::transform::<_, WalshKind>(level, &mut y, log_len, None, Team::ALONE);
            assert_eq!(y, expected, "{level:?} 2^{log_len}");
            // Scaling rounds towards minus infinity, also of values that are no multiples.
            let mut y = x.clone();
            in_place::transform::<_, WalshKind>(level, &mut y, log_len, Some(3), Team::ALONE);
            for value in &mut expected {
                *value >>= 3;
            }
            assert_eq!(y, expected, "{level:?} 2^{log_len} scaled");
        }
    }
}

#[test]
fn negative_i64_shift_arithmetically_at_every_level() {
    for level in Level::all() {
        for log in [0, 1, 31, 32, 62, 63] {
            let x: Vec<i64> = [i64::MIN, -1, i64::MAX, -(1 << 40), 1 << 50, -3, 0, 7].repeat(16);
            let mut y = x.clone();
            in_place::transform::<_, WalshKind>(level, &mut y, 0, Some(log), Team::ALONE);
            let expected: Vec<i64> = x.iter().map(|value| value >> log).collect();
            assert_eq!(y, expected, "{level:?} {log}");
        }
    }
}

/// Rounding is the same at every level: the same tree of sums and differences.
#[test]
fn every_level_rounds_alike() {
    for log_len in [4, 7, 12, 16, 18] {
        let x: Vec<f32> = values::<f32>(1 << log_len, 23, 77).iter().map(|value| value * 0.1).collect();
        let mut expected = x.clone();
        in_place::transform::<_, WalshKind>(Level::all()[0], &mut expected, log_len, Some(log_len), Team::ALONE);
        for (level, threads) in Level::all().into_iter().flat_map(|level| [(level, 1), (level, 3)]) {
            let mut y = x.clone();
            of_host_with(threads, |team| {
                in_place::transform::<_, WalshKind>(level, &mut y, log_len, Some(log_len), team);
            });
            assert!(y == expected, "{level:?} 2^{log_len} on {threads} threads");
        }
    }
}

#[test]
fn worked_examples() {
    let x = [3, 1, 4, 1, 5, 9, 2, 6];
    let mut natural = x;
    super::cooley_tukey(Butterfly::Walsh, &mut natural, 3, None, None, Team::ALONE);
    assert_eq!(natural, [31, -3, 5, -1, -13, 13, -7, -1]);
    let (mut dyadic, mut sequency, mut scratch) = (x, x, x);
    super::constant_geometry(Butterfly::Walsh, &mut dyadic, &mut scratch, 3, Order::Dyadic, None, Team::ALONE);
    assert_eq!(dyadic, [31, -13, 5, -7, -3, 13, -1, -1]);
    super::constant_geometry(Butterfly::Walsh, &mut sequency, &mut scratch, 3, Order::Sequency, None, Team::ALONE);
    assert_eq!(sequency, [31, -13, -7, 5, -1, -1, 13, -3]);
    super::reorder(&mut natural, &mut scratch, 3, Order::Sequency, Team::ALONE);
    assert_eq!(natural, sequency);
}
