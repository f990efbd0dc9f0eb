//! Right tables pass, and every wrong one is found.

use std::fmt::Debug;

use super::*;

/// Factors of groups of order 1 to 60.
const GROUPS: [&[u64]; 10] =
    [&[], &[1], &[2], &[7], &[2, 3], &[6, 4], &[1, 3, 1, 2], &[2, 2, 2, 2], &[6, 10], &[3, 3, 3]];

fn lcm(factors: &[u64]) -> u64 {
    factors.iter().fold(1, |all, &n| all / gcd(all, n) * n)
}

/// The exponent of an entry by the digits of both indices.
fn exponent(factors: &[u64], w: u64, z: u64) -> u64 {
    let order = lcm(factors);
    let (mut w, mut z, mut sum) = (w, z, 0);
    for &n in factors.iter().rev() {
        sum = (sum + w % n * (z % n) * (order / n)) % order;
        (w, z) = (w / n, z / n);
    }
    sum
}

/// Whole tables and tiles of each group, with the exponents of their entries.
fn tiles() -> Vec<(Tile<'static>, Vec<u64>)> {
    let mut tiles = Vec::new();
    for factors in GROUPS {
        let n: u64 = factors.iter().product();
        for (rows, columns) in [(0..n, 0..n), (n / 3..n, n / 2..n), (n - 1..n, 0..n / 2), (0..n, n / 2..n / 2)] {
            let entries = rows.clone().flat_map(|w| columns.clone().map(move |z| exponent(factors, w, z))).collect();
            tiles.push((Tile { factors, rows, columns }, entries));
        }
    }
    tiles
}

/// Asserts that every result is found wrong that differs from `right` in one value, by `changes`, or in its arrangement.
fn all_found<T: Copy + PartialEq + Debug>(right: &[T], changes: impl Fn(T) -> Vec<T>, check: impl Fn(&[T]) -> Outcome) {
    assert!(check(right).is_ok(), "{right:?}: {:?}", check(right));
    let found = |wrong: &[T]| assert!(check(wrong).unwrap_err().is_wrong(), "{wrong:?} for {right:?}");
    for at in 0..right.len() {
        for changed in changes(right[at]) {
            let mut wrong = right.to_vec();
            wrong[at] = changed;
            found(&wrong);
        }
        let (mut swapped, mut run) = (right.to_vec(), right.to_vec());
        swapped.swap(0, at);
        run[at..].fill(right[0]);
        for wrong in [swapped, run, right[..at].to_vec()] {
            if wrong != right {
                found(&wrong);
            }
        }
    }
    if let Some(&first) = right.first() {
        found(&[right, &[first]].concat());
    }
}

#[test]
fn exponents() {
    for (tile, right) in tiles() {
        let small = right.len() <= 256;
        let bytes: Vec<u8> = right.iter().map(|&e| e as u8).collect();
        let turned = |value: u8| (0..8).map(|bit| value ^ 1 << bit).collect();
        let words: Vec<u32> = right.iter().map(|&e| e as u32).collect();
        if small {
            all_found(&bytes, turned, |entries| check_exponents(&tile, entries));
            all_found(
                &words,
                |value| (0..32).map(|bit| value ^ 1 << bit).collect(),
                |entries| check_exponents(&tile, entries),
            );
        } else {
            assert!(check_exponents(&tile, &bytes).is_ok() && check_exponents(&tile, &words).is_ok());
        }
    }
}

#[test]
fn residues() {
    for p in [2u64, 3, 7, 31, 9001, 469_762_049, 2_147_483_647, 9_223_372_036_854_775_783, 18_446_744_069_414_584_321] {
        let modulus = Modulus::new(p).unwrap();
        for (tile, exponents) in tiles() {
            let order = lcm(tile.factors);
            if (p - 1) % order != 0 {
                continue;
            }
            let root =
                (1..p).map(|g| modulus.power(g, (p - 1) / order)).find(|&root| modulus.has_order(root, order)).unwrap();
            let right: Vec<u64> = exponents.iter().map(|&e| modulus.power(root, e)).collect();
            if right.len() <= 64 {
                let turned = |value: u64| (0..64).map(|bit| value ^ 1 << bit).collect();
                all_found(&right, turned, |entries| check_residues(&tile, p, root, entries));
            }
            assert!(check_residues(&tile, p, root, &right).is_ok(), "{p} {tile:?}");
        }
    }
    let tile = Tile { factors: &[6], rows: 0..1, columns: 0..1 };
    for (p, root) in [(7, 2), (7, 6), (7, 1), (7, 10), (9, 2)] {
        assert!(!check_residues(&tile, p, root, &[1u64]).unwrap_err().is_wrong(), "{p} {root}");
    }
    assert!(check_residues(&tile, 7, 3, &[1u64]).is_ok());
}

#[test]
fn complex_numbers() {
    macro_rules! complex {
        ($type:ident, $bits:expr) => {
            for (tile, exponents) in tiles() {
                let order = lcm(tile.factors);
                let root = |t: u64| manycore_field::unit_root(t, order).map(|part| part as $type);
                let right: Vec<[$type; 2]> = exponents.iter().map(|&e| root(e)).collect();
                let turned = |[re, im]: [$type; 2]| {
                    let turn = |value: $type, bit: u32| $type::from_bits(value.to_bits() ^ (1 << bit));
                    (0..$bits).flat_map(|bit| [[turn(re, bit), im], [re, turn(im, bit)]]).collect()
                };
                assert!(check_complex(&tile, &right, Rounding::Roots(&root)).is_ok(), "{tile:?}");
                assert!(check_complex(&tile, &right, Rounding::Products).is_ok(), "{tile:?}");
                if right.len() <= 64 {
                    all_found(&right, turned, |entries| check_complex(&tile, entries, Rounding::Roots(&root)));
                    let moved = |[re, im]: [$type; 2]| {
                        let far = 32.0 * $type::EPSILON;
                        vec![[re + far, im], [re, im - far], [$type::NAN, im], [re, $type::INFINITY], [im + 2.0, re]]
                    };
                    all_found(&right, moved, |entries| check_complex(&tile, entries, Rounding::Products));
                }
            }
        };
    }
    complex!(f32, 32);
    complex!(f64, 64);
    // Roots that are none do not pass as what the entries are compared with.
    let tile = Tile { factors: &[3], rows: 0..1, columns: 0..1 };
    assert!(check_complex(&tile, &[[0.5f64, 0.5]], Rounding::Roots(&|_| [0.5, 0.5])).unwrap_err().is_wrong());
}

#[test]
fn what_is_no_tile_is_told() {
    let tile = |factors, rows, columns| Tile { factors, rows, columns };
    for tile in [
        tile(&[0], 0..0, 0..0),
        tile(&[1 << 40, 1 << 30], 0..1, 0..1),
        tile(&[1 << 33], 0..1, 0..1),
        tile(&[6], 3..9, 0..1),
        tile(&[6], 0..1, 0..7),
    ] {
        assert!(!check_exponents(&tile, &[0u8]).unwrap_err().is_wrong(), "{tile:?}");
    }
    let error = check_exponents(&tile(&[2, 3], 4..6, 0..6), &[0u8, 2, 4, 3, 5, 1, 0, 4, 2, 3, 1, 4]).unwrap_err();
    assert_eq!(error.to_string(), "value 6 of run 2 is 4, not 5");
}

#[test]
fn large_rows_are_checked_on_several_threads() {
    let (factors, rows, columns) = (&[2u64, 50_000][..], 49_999..50_001, 0..100_000);
    let right: Vec<u32> =
        rows.clone().flat_map(|w| (0..100_000).map(move |z| exponent(factors, w, z) as u32)).collect();
    let tile = Tile { factors, rows, columns };
    assert!(check_exponents(&tile, &right).is_ok());
    for at in [0, 49_999, 50_000, 100_000, 199_999] {
        let mut wrong = right.clone();
        wrong[at] += 1;
        assert!(check_exponents(&tile, &wrong).is_err(), "{at}");
    }
}
