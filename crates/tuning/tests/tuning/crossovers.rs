//! Sizes at which the least of several costs changes.

use manycore_tuning::crossovers;
use proptest::prelude::*;

#[test]
fn crossovers_tell_where_nothing_fits_and_what_lies_between() {
    let one = |n: u64| (10..100).contains(&n).then_some(1.0);
    assert_eq!(crossovers(1..=1000, &[&one]), [(1, None), (10, Some(0)), (100, None)]);
    // The second is the best from 81 to 90 only, which halving comes upon.
    let first = |n: u64| Some(n as f64);
    let second = |n: u64| Some(0.5 * n as f64 + 40.0);
    let third = |n: u64| Some(0.1 * n as f64 + 76.0);
    assert_eq!(crossovers(1..=1000, &[&first, &second, &third]), [(1, Some(0)), (81, Some(1)), (91, Some(2))]);
    assert_eq!(crossovers(5..=5, &[&first]), [(5, Some(0))]);
    assert_eq!(crossovers(5..=5, &[]), [(5, None)]);
    #[allow(clippy::reversed_empty_ranges)] // what is asked for is nothing
    let none = crossovers(6..=5, &[&first]);
    assert_eq!(none, []);
    assert_eq!(crossovers(u64::MAX - 1..=u64::MAX, &[&first]), [(u64::MAX - 1, Some(0))]);
}

proptest! {
    #[test]
    fn crossovers_agree_with_a_scan(a in 1u64..50, b in 1u64..50, c in 0u64..2000, last in 1u64..3000) {
        // Two lines cross at most once.
        let first = |n: u64| Some((a * n) as f64);
        let second = |n: u64| (n > 3).then_some((b * n + c) as f64);
        let found = crossovers(1..=last, &[&first, &second]);
        for n in 1..=last {
            let winner = match second(n) {
                Some(s) if s < first(n).unwrap() => 1,
                _ => 0,
            };
            let told = found.iter().rfind(|(at, _)| *at <= n).unwrap().1;
            prop_assert_eq!(told, Some(winner), "n = {}: {:?}", n, found);
        }
    }

    #[test]
    fn crossovers_of_several_agree_with_a_scan(a in 1u64..40, b in 1u64..200, c in 1u64..400, until in 1u64..400) {
        // Lines of falling slopes: the fastest changes from one to the next, or past it, and the last one ends.
        let slow = |n: u64| Some((4 * n) as f64);
        let half = |n: u64| Some((2 * n + a) as f64);
        let flat = |n: u64| (n <= until).then_some((n + b) as f64);
        let none = |n: u64| (n <= c).then_some(f64::NAN);
        let costs: [&dyn Fn(u64) -> Option<f64>; 4] = [&slow, &half, &flat, &none];
        let found = crossovers(1..=1000, &costs);
        let winner = |n: u64| {
            let fits = (0..3).filter_map(|i| costs[i](n).map(|seconds| (i, seconds)));
            fits.min_by(|x, y| x.1.total_cmp(&y.1)).map(|(i, _)| i)
        };
        let winners: Vec<(u64, Option<usize>)> = (1..=1000).map(|n| (n, winner(n))).collect();
        for &(n, winner) in &winners {
            let told = found.iter().rfind(|(at, _)| *at <= n).unwrap().1;
            // A stretch that lies between two compared sizes is not seen: only where it is shorter than an octave.
            let of_winner = |&(at, other): &(u64, Option<usize>)| (other == winner).then_some(at);
            let (first, last) = (winners.iter().find_map(of_winner), winners.iter().rev().find_map(of_winner));
            prop_assert!(told == winner || last < first.map(|first| 2 * first), "n = {n}: {winner:?}, {found:?}");
        }
    }
}
