//! Every level against the field's own operations, at every length around the vectors'.

use super::level::Level;
use super::*;
use crate::{ResidueWord, Ring as _, primes};

/// Residues with the corners in all lanes: a linear congruential sequence with `0`, `1`, `p - 1` and the like sown in.
fn residues<W: ResidueWord>(field: PrimeField<W>, len: usize, seed: u64) -> Vec<W> {
    let p = field.modulus().as_u64();
    let corners = [0, 1 % p, p - 1, p / 2, (p / 2 + 1) % p, p.saturating_sub(2) % p];
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let residue = |_| {
        let (choice, high, low) = (next() as usize % 12, next(), next());
        W::from_u64(corners.get(choice).copied().unwrap_or((high << 31 | low) % p))
    };
    (0..len).map(residue).collect()
}

fn check<W: SliceWord>(p: W) {
    let field = PrimeField::new(p).unwrap_or_else(|error| panic!("{error}"));
    let radix = field.montgomery().map_or(W::one(), |by| by.one());
    for level in Level::all() {
        let slices = Slices::at(field, level);
        for len in (0..70).chain([1000, 4099]) {
            let [x, y, z] = [1, 2, 3].map(|seed| residues(field, len, seed + len as u64));
            let c = residues(field, len + 1, 4)[len];
            let expect = |name: &str, f: &dyn Fn(usize) -> W, g: &dyn Fn(&mut [W])| {
                let mut result = x.clone();
                g(&mut result);
                let expected: Vec<W> = (0..len).map(f).collect();
                assert!(result == expected, "{name} mod {p}, {len} elements, {level:?}");
            };
            let ok = |result: Result<(), LengthMismatch>| assert_eq!(result, Ok(()));
            expect("add", &|i| field.add(x[i], y[i]), &|x| ok(slices.add(x, &y)));
            expect("sub", &|i| field.sub(x[i], y[i]), &|x| ok(slices.sub(x, &y)));
            expect("neg", &|i| field.neg(x[i]), &|x| slices.neg(x));
            expect("scale", &|i| field.mul(c, x[i]), &|x| slices.scale(x, c));
            expect("add_scaled", &|i| field.add(x[i], field.mul(c, y[i])), &|x| ok(slices.add_scaled(x, c, &y)));
            expect("mul", &|i| field.mul(x[i], y[i]), &|x| ok(slices.mul(x, &y)));
            expect("add_product", &|i| field.add(x[i], field.mul(y[i], z[i])), &|x| ok(slices.add_product(x, &y, &z)));
            expect("mul_montgomery", &|i| field.mul(x[i], y[i]), &|x| {
                ok(slices.mul_montgomery(x, &y));
                slices.scale(x, radix);
            });
            let dot = (0..len).fold(W::zero(), |sum, i| field.add(sum, field.mul(x[i], y[i])));
            assert_eq!(slices.dot(&x, &y), Ok(dot), "dot mod {p}, {len} elements, {level:?}");
        }
        // The largest sum: all elements p - 1, more than the accumulators of one word hold.
        let largest = vec![field.neg(field.one()); 40_001];
        assert_eq!(slices.dot(&largest, &largest), Ok(field.natural(40_001)));
    }
}

/// Reductions from other words, at every length around the vectors'.
#[test]
fn words_are_reduced() {
    for p in [3u32, 5, 9001, 469_762_049, 2_013_265_921, 2_147_483_647] {
        let Ok(field) = PrimeField::new(p) else { panic!("{p}") };
        let radix = field.natural(1 << 32);
        let mut state = u64::from(p);
        let mut next = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            [(state ^ (state >> 31)) % limit, limit - 1, 0][(state >> 60) as usize % 3]
        };
        for level in Level::all() {
            let slices = Slices::at(field, level);
            for len in (0..40).chain([1000]) {
                let x: Vec<u32> = (0..len).map(|_| next((8 * u64::from(p)).min(1 << 32)) as u32).collect();
                let mut to = vec![0; len];
                assert_eq!(slices.reduce_short(&mut to, &x), Ok(()));
                assert!(to.iter().zip(&x).all(|(&to, &x)| to == x % p), "{len} mod {p}, {level:?}");
                let x: Vec<u64> = (0..len).map(|_| next((u64::from(p) << 35).min(1 << 63))).collect();
                assert_eq!(slices.reduce_montgomery(&mut to, &x), Ok(()));
                let right = |(&to, &x): (&u32, &u64)| to < p && field.mul(to, radix) == field.natural(x);
                assert!(to.iter().zip(&x).all(right), "{len} mod {p}, {level:?}");
            }
            assert_eq!(slices.reduce_short(&mut [0], &[]), Err(LengthMismatch { left: 1, right: 0 }));
            assert_eq!(slices.reduce_montgomery(&mut [0], &[]), Err(LengthMismatch { left: 1, right: 0 }));
        }
    }
}

/// Words behind residues, at every length around the vectors'.
#[test]
fn words_are_appended() {
    for p in [2u32, 3, 5, 9001, 469_762_049, 1_073_741_827, 2_147_483_647] {
        let Ok(field) = PrimeField::new(p) else { panic!("{p}") };
        let mut state = u64::from(p);
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            [state ^ (state >> 31), u64::MAX, 0, 1 << 63, u64::from(u32::MAX), u64::from(p)][(state >> 60) as usize % 6]
        };
        for level in Level::all() {
            let slices = Slices::at(field, level);
            for len in (0..40).chain([1000]) {
                let before: Vec<u32> = (0..len).map(|_| [next() as u32 % p, p - 1][next() as usize % 2]).collect();
                let words: Vec<u64> = (0..len).map(|_| next()).collect();
                let mut to = before.clone();
                assert_eq!(slices.append_words(&mut to, &words), Ok(()));
                let right = |i: usize| field.reduce_u128(u128::from(before[i]) << 64 | u128::from(words[i]));
                assert!((0..len).all(|i| to[i] == right(i)), "{len} mod {p}, {level:?}");
            }
            assert_eq!(slices.append_words(&mut [0], &[]), Err(LengthMismatch { left: 1, right: 0 }));
        }
    }
}

/// Takes a product of thin matrices from rows at a level.
type SubProducts<W> = fn(PrimeField<W>, Level, &mut [W], usize, &[[W; 4]], [&[W]; 4]);

/// Products of thin matrices against single ones, at every length around the vectors', in rows with words in between.
fn check_thin<W: SliceWord>(p: W, sub_products: SubProducts<W>) {
    let field = PrimeField::new(p).unwrap_or_else(|error| panic!("{error}"));
    let most = field.neg(field.one());
    for (len, rows) in (0..40).map(|len| (len, 3)).chain([(5, 0), (100, 9)]) {
        let lines: [Vec<W>; 4] = std::array::from_fn(|k| residues(field, len + k % 2, 7 + k as u64));
        let factors: Vec<[W; 4]> = residues(field, 4 * rows, 3).as_chunks().0.to_vec();
        let largest = (vec![[most; 4]; rows], std::array::from_fn(|_| vec![most; len]));
        for (factors, lines) in [(factors, lines), largest] {
            let lines: [&[W]; 4] = std::array::from_fn(|k| lines[k].as_slice());
            for stride in [len, len + 1, len + 17] {
                let before = residues(field, rows * stride, 5);
                let mut expected = before.clone();
                for (r, c) in (0..rows).flat_map(|r| (0..len).map(move |c| (r, c))) {
                    let products = (0..4).map(|k| field.mul(factors[r][k], lines[k][c]));
                    let x = &mut expected[r * stride + c];
                    *x = products.fold(*x, |x, product| field.sub(x, product));
                }
                for level in Level::all() {
                    let mut target = before.clone();
                    sub_products(field, level, &mut target, stride, &factors, lines);
                    assert!(target == expected, "{level:?} {len} {rows} {stride} mod {p}");
                }
            }
        }
    }
    // A row that is not whole is left as it is.
    let (zero, one) = (field.zero(), field.one());
    let mut target = [zero; 7];
    sub_products(field, Level::widest(), &mut target, 3, &[[one, zero, zero, zero]; 5], [&[one; 2]; 4]);
    assert!(target == [most, most, zero, most, most, zero, zero]);
}

#[test]
fn thin_products_are_subtracted() {
    for p in [2u32, 3, 251, 469_762_049, 1_073_741_789, 1_073_741_827, 2_147_483_647] {
        check_thin(p, |field, level, target, stride, factors, lines| {
            Slices::at(field, level).sub_products(target, stride, factors, lines);
        });
    }
    let top = primes::ntt_primes(62, 20).next().unwrap_or(3);
    for p in [2u64, 3, 9001, 4_503_599_627_370_449, 4_503_599_627_370_517, top, (1 << 62) + 135, (1 << 63) - 25] {
        check_thin(p, |field, level, target, stride, factors, lines| {
            Slices::at(field, level).sub_products(target, stride, factors, lines);
        });
    }
}

#[test]
fn narrow_primes() {
    for p in [2, 3, 5, 7, 9001, 469_762_049, 1_073_741_789, 1_073_741_827, 2_013_265_921, 2_147_483_647] {
        check::<u32>(p);
    }
}

#[test]
fn wide_primes() {
    let top = primes::ntt_primes(62, 20).next().unwrap_or(3);
    for p in [2, 3, 7, 9001, 4_294_967_291, top, (1 << 63) - 25] {
        check::<u64>(p);
    }
}

#[test]
fn lengths_must_agree() {
    let Ok(field) = PrimeField::<u32>::new(7) else { panic!("7 is prime") };
    let (slices, error) = (field.slices(), Err(LengthMismatch { left: 2, right: 3 }));
    let mut x = [1, 2];
    assert_eq!(slices.add(&mut x, &[1, 2, 3]), error);
    assert_eq!(slices.add_product(&mut x, &[1, 2], &[1, 2, 3]), error);
    assert_eq!(slices.dot(&x, &[1, 2, 3]).map(|_| ()), error);
    assert_eq!(x, [1, 2]);
    assert_eq!(error.map_err(|e| e.to_string()), Err("slices of 2 and 3 elements must be equally long".into()));
}
