//! Right results pass and every wrong one is found.

use super::*;
use crate::SplitMix;
use manycore_spectral::walsh::reference::walsh_hadamard;

/// Functions of 0 to 8 variables as packed words: constants, affine, bent, random and sparse ones.
fn functions() -> Vec<(u32, Vec<u64>)> {
    let mut random = SplitMix::new(11);
    let mut functions = Vec::new();
    for variables in 0..=8u32 {
        let mut add = |f: &dyn Fn(usize) -> bool| {
            let mut words = vec![0u64; 1 << variables.saturating_sub(6)];
            (0..1usize << variables).filter(|&x| f(x)).for_each(|x| words[x / 64] |= 1 << (x % 64));
            functions.push((variables, words));
        };
        add(&|_| false);
        add(&|_| true);
        add(&|x| x.count_ones() % 2 == 1);
        add(&|x| (x & x >> 1 & 0x55).count_ones() % 2 == 1);
        add(&|x| x + 1 == 1 << variables);
        let bits: Vec<bool> = (0..1 << variables).map(|_| random.next_word() & 1 == 1).collect();
        add(&|x| bits[x]);
    }
    functions
}

fn bit(words: &[u64], x: usize) -> bool {
    words[x / 64] >> (x % 64) & 1 == 1
}

fn walsh_of(variables: u32, words: &[u64]) -> Vec<i32> {
    let signs: Vec<i32> = (0..1 << variables).map(|x| if bit(words, x) { -1 } else { 1 }).collect();
    walsh_hadamard(&signs, manycore_arrays::orders::Order::Hadamard).unwrap()
}

fn autocorrelation_of(variables: u32, words: &[u64]) -> Vec<i32> {
    let len = 1usize << variables;
    let r = |a: usize| (0..len).map(|x| if bit(words, x) == bit(words, x ^ a) { 1 } else { -1 }).sum();
    (0..len).map(r).collect()
}

fn coefficients_of(variables: u32, words: &[u64]) -> Vec<u64> {
    let len = 1usize << variables;
    let mut coefficients = vec![0u64; words.len()];
    for u in 0..len {
        let odd = (0..len).filter(|&x| x & !u == 0 && bit(words, x)).count() % 2;
        coefficients[u / 64] |= (odd as u64) << (u % 64);
    }
    coefficients
}

/// Calls `found` with every result that differs from `right` in one bit of one value or in its arrangement.
fn each_wrong<T: Copy + PartialEq + Default>(right: &[T], bits: u32, turn: impl Fn(T, u32) -> T, found: impl Fn(&[T])) {
    let len = right.len();
    for at in 0..len {
        for bit in 0..bits {
            let mut wrong = right.to_vec();
            wrong[at] = turn(wrong[at], bit);
            found(&wrong);
        }
        let mut zeroed = right.to_vec();
        zeroed[at..].fill(T::default());
        let mut swapped = right.to_vec();
        swapped.swap(0, at);
        for wrong in [zeroed, swapped, right[..at].to_vec()] {
            if wrong != right {
                found(&wrong);
            }
        }
    }
    found(&[right, &[T::default()]].concat());
}

#[test]
fn spectra() {
    for (variables, words) in functions() {
        let right = walsh_of(variables, &words);
        assert!(check_walsh(variables, &words, &right).is_ok(), "{variables}");
        let r = autocorrelation_of(variables, &words);
        assert!(check_autocorrelation(variables, &words, &r).is_ok(), "{variables}");
        if variables <= 4 {
            let turn = |value: i32, bit: u32| value ^ 1i32 << bit;
            each_wrong(&right, 32, turn, |wrong| {
                assert!(check_walsh(variables, &words, wrong).unwrap_err().is_wrong());
            });
            each_wrong(&r, 32, turn, |wrong| {
                assert!(check_autocorrelation(variables, &words, wrong).unwrap_err().is_wrong());
            });
        }
        // Of another function than the one that was read.
        for x in 0..right.len() {
            let mut other = words.clone();
            other[x / 64] ^= 1 << (x % 64);
            assert!(check_walsh(variables, &other, &right).unwrap_err().is_wrong());
            // Functions of a few variables share their autocorrelations.
            if (1..7).contains(&variables) && autocorrelation_of(variables, &other) != r {
                assert!(check_autocorrelation(variables, &other, &r).unwrap_err().is_wrong());
            }
        }
    }
}

#[test]
fn large_spectra_are_halved_alike() {
    // x1 x2 + x3 x4 + ..., whose coefficients are 2^(n/2) (-1)^f.
    let variables = 18u32;
    let f = |x: usize| (x & x >> 1 & 0x1_5555).count_ones() % 2 == 1;
    let mut words = vec![0u64; 1 << (variables - 6)];
    (0..1usize << variables).filter(|&x| f(x)).for_each(|x| words[x / 64] |= 1 << (x % 64));
    let mut right: Vec<i32> = (0..1 << variables).map(|x| if f(x) { -512 } else { 512 }).collect();
    assert!(check_walsh(variables, &words, &right).is_ok());
    right[100_000] = -right[100_000];
    assert_eq!(
        check_walsh(variables, &words, &right).unwrap_err().to_string(),
        format!("value 100001 of run 1 is {}, not {}", right[100_000], -right[100_000])
    );
    let mut r = vec![0; 1 << variables];
    r[0] = 1 << variables;
    assert!(check_autocorrelation(variables, &words, &r).is_ok());
    r[77] = 1;
    assert!(check_autocorrelation(variables, &words, &r).is_err());
    let facts = Facts::of(variables, &words).unwrap();
    assert!(facts.bent && facts.propagation_order == variables && (facts.degree, facts.terms) == (2, 9));
}

#[test]
fn normal_forms() {
    for (variables, words) in functions() {
        let coefficients = coefficients_of(variables, &words);
        let places = || (0..1usize << variables).filter(|&u| bit(&coefficients, u));
        let degree = places().map(usize::count_ones).max().unwrap_or(0);
        let terms = places().count() as u64;
        let check = |coefficients: &[u64], degree, terms| {
            check_normal_form(variables, &words, NormalForm { coefficients, degree, terms })
        };
        assert!(check(&coefficients, degree, terms).is_ok(), "{variables}");
        let turn = |word: u64, bit: u32| word ^ 1u64 << bit;
        each_wrong(&coefficients, 64, turn, |wrong| assert!(check(wrong, degree, terms).unwrap_err().is_wrong()));
        assert!(check(&coefficients, degree + 1, terms).unwrap_err().is_wrong());
        assert!(check(&coefficients, degree, terms ^ 1).unwrap_err().is_wrong());
    }
    // Past one word a thread.
    let mut words = vec![0u64; 1 << 14];
    words[0] = 1;
    let all = vec![u64::MAX; 1 << 14];
    let form = NormalForm { coefficients: &all, degree: 20, terms: 1 << 20 };
    assert!(check_normal_form(20, &words, form).is_ok());
    words[9000] ^= 1 << 17;
    let error = check_normal_form(20, &words, form).unwrap_err();
    assert_eq!(error, CheckError::Value { run: 0, index: 64 * 9000 + 17, found: "1".into(), expected: "0".into() });
}

#[test]
fn facts_by_their_definitions() {
    for (variables, words) in functions() {
        let facts = Facts::of(variables, &words).unwrap();
        let (walsh, r) = (walsh_of(variables, &words), autocorrelation_of(variables, &words));
        let len = 1u64 << variables;
        let largest = |values: &[i32]| values.iter().map(|v| u64::from(v.unsigned_abs())).max().unwrap_or(0);
        assert_eq!(facts.weight, words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>());
        assert_eq!((facts.linearity, facts.nonlinearity), (largest(&walsh), (len - largest(&walsh)) / 2));
        assert_eq!(facts.absolute_indicator, largest(&r[1..]));
        let zero_up_to = |values: &[i32]| {
            let zero = |ones: u32| (0..values.len()).all(|i| i.count_ones() != ones || values[i] == 0);
            (1..=variables).take_while(|&ones| zero(ones)).count() as u32
        };
        assert_eq!((facts.correlation_immunity, facts.propagation_order), (zero_up_to(&walsh), zero_up_to(&r)));
        assert_eq!(facts.resiliency, (walsh[0] == 0).then(|| zero_up_to(&walsh)));
        assert_eq!(facts.bent, walsh.iter().all(|w| u64::from(w.unsigned_abs()).pow(2) == len));
        assert_eq!(facts.sum_of_squares, r.iter().map(|&r| u128::from(r.unsigned_abs()).pow(2)).sum());
        assert_eq!(facts.walsh_sizes.values().sum::<u64>(), len);
        let constant = |a: u64| u64::from(r[a as usize].unsigned_abs()) == len;
        // The structures span all linear structures.
        let spanned = facts
            .linear_structures
            .iter()
            .fold(vec![0], |span, &a| span.iter().map(|b| b ^ a).chain(span.iter().copied()).collect::<Vec<u64>>());
        assert_eq!(spanned.len(), (0..len).filter(|&a| constant(a)).count());
        assert!(spanned.into_iter().all(constant));
        assert!(facts.check(variables, &words).is_ok());
    }
}

#[test]
fn every_wrong_fact_is_found() {
    let (variables, words) = (4, [0b1010_0110_0011_1001u64]);
    let right = Facts::of(variables, &words).unwrap();
    let changes: Vec<fn(&mut Facts)> = vec![
        |facts| facts.variables ^= 1,
        |facts| facts.weight ^= 1,
        |facts| facts.balanced ^= true,
        |facts| facts.degree ^= 1,
        |facts| facts.terms ^= 1,
        |facts| facts.nonlinearity ^= 1,
        |facts| facts.linearity ^= 1,
        |facts| facts.correlation_immunity ^= 1,
        |facts| facts.resiliency = if facts.resiliency.is_some() { None } else { Some(0) },
        |facts| facts.bent ^= true,
        |facts| facts.plateaued = facts.plateaued.map_or(Some(1), |_| None),
        |facts| facts.absolute_indicator ^= 1,
        |facts| facts.sum_of_squares ^= 1,
        |facts| facts.propagation_order ^= 1,
        |facts| facts.strict_avalanche ^= true,
        |facts| facts.linear_structures.push(3),
        |facts| *facts.walsh_sizes.entry(4).or_default() += 1,
        |facts| *facts.autocorrelation_sizes.entry(4).or_default() += 1,
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let mut wrong = right.clone();
        change(&mut wrong);
        assert!(wrong.check(variables, &words).unwrap_err().is_wrong(), "{at}");
    }
    let mut wrong = right;
    wrong.weight = 9;
    assert_eq!(
        wrong.check(variables, &words).unwrap_err().to_string(),
        "weight = 9 (8 by a second computation) does not hold"
    );
}

#[test]
fn what_is_no_function_is_told() {
    for (variables, words) in [(2, vec![16u64]), (7, vec![0]), (6, vec![]), (31, vec![0]), (64, vec![])] {
        assert!(!check_walsh(variables, &words, &[]).unwrap_err().is_wrong());
        assert!(!Facts::of(variables, &words).unwrap_err().is_wrong());
    }
    let form = NormalForm { coefficients: &[], degree: 0, terms: 0 };
    assert!(!check_normal_form(64, &[], form).unwrap_err().is_wrong());
}
