//! The other butterflies against their definitions, at every level of SIMD of this processor.

use manycore_device::Team;

use super::in_place;
use super::kind::{ArithmeticKind, Kind, ReedMullerKind};
use super::level::Level;
use super::out_of_place::Job;
use crate::arithmetic::reference::arithmetic;
use crate::reed_muller::reference::{reed_muller, reed_muller_packed};
use crate::scalar::Scalar;
use crate::walsh::Order;
use manycore_arrays::orders::BitOrder;

fn small<T: Scalar + From<i8>>(len: usize) -> Vec<T> {
    (0..len as u32).map(|i| T::from((i.wrapping_mul(2_654_435_761) >> 29) as i8 - 3)).collect()
}

fn arithmetic_agrees<T: Scalar + From<i8>>() {
    for level in Level::all() {
        for log_len in 0..=13 {
            let len = 1_usize << log_len;
            let runs = if log_len < 9 { 3 } else { 1 };
            let x: Vec<T> = small(runs * len);
            let slow =
                |order| x.chunks(len).flat_map(move |run| arithmetic(run, order, 0).unwrap()).collect::<Vec<T>>();
            let mut y = x.clone();
            in_place::transform::<T, ArithmeticKind<false>>(level, &mut y, log_len, None, Team::ALONE);
            assert!(y == slow(BitOrder::Natural), "{} {level:?} 2^{log_len}", T::NAME);
            in_place::transform::<T, ArithmeticKind<true>>(level, &mut y, log_len, None, Team::ALONE);
            assert!(y == x, "{} {level:?} 2^{log_len} inverse", T::NAME);
            let mut scratch = x.clone();
            let job = Job { log_len, order: Order::Dyadic, butterflies: true, scale: None, team: Team::ALONE };
            job.run::<T, ArithmeticKind<false>>(level, &mut y, &mut scratch);
            assert!(y == slow(BitOrder::Reversed), "{} {level:?} 2^{log_len} reversed", T::NAME);
            job.run::<T, ArithmeticKind<true>>(level, &mut y, &mut scratch);
            assert!(y == x, "{} {level:?} 2^{log_len} reversed, inverse", T::NAME);
        }
    }
}

#[test]
fn arithmetic_of_every_type() {
    arithmetic_agrees::<i32>();
    arithmetic_agrees::<i64>();
    // Sums of few small integers are exact.
    arithmetic_agrees::<f64>();
    let exact = |level| {
        let x: Vec<f32> = small(1 << 9);
        let mut y = x.clone();
        in_place::transform::<f32, ArithmeticKind<false>>(level, &mut y, 9, None, Team::ALONE);
        assert!(y == arithmetic(&x, BitOrder::Natural, 0).unwrap(), "{level:?}");
    };
    Level::all().into_iter().for_each(exact);
}

fn words(len: usize) -> Vec<i64> {
    (0..len as i64).map(|i| (i + 1).wrapping_mul(-0x61C8_8646_80B5_83EB).rotate_left(31)).collect()
}

/// The transform of runs of `2^log_words` words under one kind.
fn by<K: Kind<i64>>(level: Level, x: &[i64], log_words: u32) -> Vec<i64> {
    let mut y = x.to_vec();
    in_place::transform::<i64, K>(level, &mut y, log_words, None, Team::ALONE);
    y
}

#[test]
fn reed_muller_of_words() {
    for level in Level::all() {
        for log_words in 0..=11 {
            let runs = if log_words < 8 { 3 } else { 1 };
            let x = words(runs << log_words);
            let run = 1 << log_words;
            let whole: Vec<i64> =
                x.chunks(run).flat_map(|run| reed_muller(run, BitOrder::Natural, 0).unwrap()).collect();
            assert_eq!(by::<ReedMullerKind<6>>(level, &x, log_words), whole, "{level:?} 2^{log_words}");
            if log_words > 5 {
                continue;
            }
            let values: &[i32] = bytemuck::cast_slice(&x);
            let of_values: Vec<i32> =
                values.chunks(2 * run).flat_map(|run| reed_muller(run, BitOrder::Natural, 0).unwrap()).collect();
            let y = by::<ReedMullerKind<5>>(level, &x, log_words);
            assert_eq!(bytemuck::cast_slice::<i64, i32>(&y), of_values, "{level:?} 2^{log_words}");
            let values: &[u8] = bytemuck::cast_slice(&x);
            let of_values: Vec<u8> =
                values.chunks(8 * run).flat_map(|run| reed_muller(run, BitOrder::Natural, 0).unwrap()).collect();
            let y = by::<ReedMullerKind<3>>(level, &x, log_words);
            assert_eq!(bytemuck::cast_slice::<i64, u8>(&y), of_values, "{level:?} 2^{log_words}");
            let packed: Vec<u64> = bytemuck::cast_slice::<i64, u64>(&x)
                .chunks(run)
                .flat_map(|run| reed_muller_packed(run, log_words + 6, 0).unwrap())
                .collect();
            let y = by::<ReedMullerKind<0>>(level, &x, log_words);
            assert_eq!(bytemuck::cast_slice::<i64, u64>(&y), packed, "{level:?} 2^{log_words}");
        }
    }
}
