//! Right products pass and wrong ones do not.

use super::*;

const PRIMES: [u64; 9] = [
    2,
    3,
    7,
    9001,
    469_762_049,
    2_147_483_647,
    4_611_686_009_971_671_041,
    9_223_372_036_854_775_783,
    18_446_744_069_414_584_321,
];

/// Random residues, the last one not 0.
fn polynomial(modulus: Modulus, len: usize, random: &mut SplitMix) -> Vec<u64> {
    let mut f: Vec<u64> = (0..len).map(|_| modulus.random(random)).collect();
    if let Some(leading) = f.last_mut() {
        *leading = (*leading).max(1);
    }
    f
}

/// The product by its definition.
fn multiply(modulus: Modulus, f: &[u64], g: &[u64]) -> Vec<u64> {
    let mut h = vec![0; product_len(f, g)];
    for (i, &a) in f.iter().enumerate() {
        for (j, &b) in g.iter().enumerate() {
            h[i + j] = modulus.add(h[i + j], modulus.mul(a, b));
        }
    }
    h
}

/// Every result that differs from `h` in one bit of one value, has two neighbours changed, a run of zeros, or another length.
fn wrong_results(h: &[u64], bits: u32) -> Vec<Vec<u64>> {
    let mut wrong = Vec::new();
    let mut change = |by: &dyn Fn(&mut Vec<u64>)| {
        let mut changed = h.to_vec();
        by(&mut changed);
        if changed != h {
            wrong.push(changed);
        }
    };
    for at in 0..h.len() {
        (0..bits).for_each(|bit| change(&|h| h[at] ^= 1 << bit));
        change(&|h| h[at] = 0);
        change(&|h| h[at..].fill(0));
        change(&|h| h[..at].fill(0));
        change(&|h| h.truncate(at));
        change(&|h| h.swap(at, 0));
        change(&|h| h[at..].rotate_left(1));
        change(&|h| {
            h.remove(at);
        });
    }
    change(&|h| h.push(0));
    change(&|h| h.push(1));
    change(&|h| h.reverse());
    wrong
}

#[test]
fn right_products_pass() {
    let mut random = SplitMix::new(1);
    for p in PRIMES {
        let modulus = Modulus::new(p).unwrap();
        for (n, m) in [(0, 0), (0, 3), (1, 1), (1, 2), (2, 2), (17, 16), (300, 1), (1, 300), (513, 700)] {
            let (f, g) = (polynomial(modulus, n, &mut random), polynomial(modulus, m, &mut random));
            let h = multiply(modulus, &f, &g);
            let passed = check(p, &f, &g, &h, &mut random).unwrap();
            assert!(passed.chance.log2().is_none_or(|log2| log2 < -63.99), "{p} {n} {m} {passed:?}");
            let square = multiply(modulus, &f, &f);
            assert!(check(p, &f, &f, &square, &mut random).is_ok(), "{p} {n}");
            // Zeros above the leading coefficients of the factors.
            let padded: Vec<u64> = f.iter().copied().chain([0, 0]).collect();
            assert!(check(p, &padded, &g, &h, &mut random).is_ok());
        }
    }
}

#[test]
fn short_words_pass_too() {
    let mut random = SplitMix::new(2);
    for p in PRIMES.into_iter().filter(|&p| p < 1 << 32) {
        let modulus = Modulus::new(p).unwrap();
        let (f, g) = (polynomial(modulus, 40, &mut random), polynomial(modulus, 33, &mut random));
        let h = multiply(modulus, &f, &g);
        let short = |values: &[u64]| values.iter().map(|&value| value as u32).collect::<Vec<u32>>();
        assert!(check(p, &short(&f), &short(&g), &h, &mut random).is_ok());
        assert!(check(p, &short(&f), &short(&g), &short(&h), &mut random).is_ok());
    }
}

#[test]
fn blocks_and_pieces_are_put_together() {
    let mut random = SplitMix::new(3);
    let modulus = Modulus::new(469_762_049).unwrap();
    // (1 + ... + x^(n-1)) (x - 1) = x^n - 1, past the blocks of one task of a thread.
    for n in [1023, 1024, 1025, 65_536, 65_537, 200_001] {
        let (f, g) = (vec![1u64; n], vec![modulus.value() - 1, 1]);
        let mut h = vec![0; n + 1];
        (h[0], h[n]) = (modulus.value() - 1, 1);
        assert!(check(modulus.value(), &f, &g, &h, &mut random).is_ok(), "{n}");
        for at in [0, 1, n / 2, n - 1, n] {
            let mut wrong = h.clone();
            wrong[at] = modulus.add(wrong[at], 1);
            if wrong[n] != 0 {
                assert!(check(modulus.value(), &f, &g, &wrong, &mut random).is_err(), "{n} {at}");
            }
        }
    }
}

#[test]
fn every_wrong_product_is_found() {
    let mut random = SplitMix::new(4);
    for p in PRIMES {
        let modulus = Modulus::new(p).unwrap();
        for (n, m) in [(1, 1), (3, 2), (5, 5)] {
            let (f, g) = (polynomial(modulus, n, &mut random), polynomial(modulus, m, &mut random));
            let h = multiply(modulus, &f, &g);
            for wrong in wrong_results(&h, 64) {
                let error = check(p, &f, &g, &wrong, &mut random).unwrap_err();
                assert!(error.is_wrong(), "{p}: {wrong:?} for {h:?}: {error}");
            }
        }
    }
}

#[test]
fn a_product_of_changed_factors_is_found() {
    let mut random = SplitMix::new(5);
    for p in PRIMES {
        let modulus = Modulus::new(p).unwrap();
        let (f, g) = (polynomial(modulus, 6, &mut random), polynomial(modulus, 4, &mut random));
        for at in 0..f.len() - 1 {
            let mut uploaded = f.clone();
            uploaded[at] = modulus.add(uploaded[at], 1);
            let h = multiply(modulus, &uploaded, &g);
            assert!(check(p, &f, &g, &h, &mut random).unwrap_err().is_wrong(), "{p} {at}");
        }
    }
}

#[test]
fn parts_of_products() {
    let mut random = SplitMix::new(6);
    for p in PRIMES {
        let modulus = Modulus::new(p).unwrap();
        for (n, m) in [(0, 3), (1, 1), (3, 4), (20, 20)] {
            let (f, g) = (polynomial(modulus, n, &mut random), polynomial(modulus, m, &mut random));
            let h = multiply(modulus, &f, &g);
            let len = h.len();
            for range in
                [0..len, 0..len / 2, len / 3..len, 1.min(len)..len, len / 2..len / 2, 0..len + 3, len + 1..len + 2]
            {
                let part: Vec<u64> = range.clone().map(|i| h.get(i).copied().unwrap_or(0)).collect();
                let passes = |part: &[u64], random: &mut SplitMix| check_part(p, &f, &g, range.clone(), part, random);
                assert!(passes(&part, &mut random).is_ok(), "{p} {n} {m} {range:?}");
                // Without the zeros above.
                assert!(passes(stripped(&part), &mut random).is_ok(), "{p} {n} {m} {range:?}");
                let wrong = if n < 5 { wrong_results(&part, 64) } else { Vec::new() };
                for wrong in wrong {
                    if stripped(&wrong) != stripped(&part) || wrong.len() > part.len() {
                        assert!(passes(&wrong, &mut random).unwrap_err().is_wrong(), "{p} {range:?} {wrong:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_checked_is_told_from_what_is_wrong() {
    let mut random = SplitMix::new(7);
    let error = check(9, &[1u32], &[1], &[1u32], &mut random).unwrap_err();
    assert!(!error.is_wrong(), "{error}");
    let error = check(7, &[1u32, 7], &[1], &[1u32], &mut random).unwrap_err();
    assert_eq!(
        (error.is_wrong(), error.to_string().as_str()),
        (false, "value 2 of the input is 7, no residue modulo 7")
    );
    let error = check(7, &[1u32, 6], &[1], &[1u32, 13], &mut random).unwrap_err();
    assert_eq!((error.is_wrong(), error.to_string().as_str()), (true, "value 2 of run 1 is 13, no residue modulo 7"));
    let error = check(7, &[1u32, 6], &[1], &[1u32, 5], &mut random).unwrap_err();
    assert!(error.to_string().starts_with("f(z) g(z) = h(z) at a random point z of the field with 7^"), "{error}");
}
