//! Prime fields: refusals, inverses, square roots, roots of unity.

use manycore_field::{
    Field, Goldilocks, ModularField, NoRoot, NotPrime, OutOfRange, PrimeField, Ring as _, Semiring, ZeroAt, primes,
};
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

fn narrow(p: u32) -> PrimeField<u32> {
    PrimeField::new(p).unwrap_or_else(|error| panic!("{error}"))
}

fn wide(p: u64) -> PrimeField<u64> {
    PrimeField::new(p).unwrap_or_else(|error| panic!("{error}"))
}

const LARGEST: u64 = (1 << 63) - 25;

#[test]
fn what_is_no_modulus_says_why() {
    let error = |n| PrimeField::<u64>::new(n).map_or_else(|e| e, |_| panic!("{n} passed"));
    assert_eq!(error(0), NotPrime::Zero);
    assert_eq!(error(1), NotPrime::One);
    assert_eq!(error(4), NotPrime::Even { n: 4 });
    assert_eq!(error((1 << 63) - 2), NotPrime::Even { n: (1 << 63) - 2 });
    assert_eq!(error(9), NotPrime::Composite { n: 9, factor: 3 });
    assert_eq!(error(9001 * 9001), NotPrime::Composite { n: 9001 * 9001, factor: 9001 });
    let (q, r) = (2_147_483_629, 2_147_483_647);
    assert_eq!(error(q * r), NotPrime::Composite { n: q * r, factor: q });
    assert_eq!(error(q * r).to_string(), format!("the modulus {} is not prime: it is {q} times {r}", q * r));
    assert_eq!(error(1 << 63), NotPrime::TooLarge { n: 1 << 63, limit: 1 << 63 });
    assert_eq!(
        error(Goldilocks::MODULUS).to_string(),
        "the modulus 18446744069414584321 is too large: it must be below 9223372036854775808 for residues in words of 64 bits"
    );
    assert_eq!(PrimeField::<u32>::new(2_147_483_659), Err(NotPrime::TooLarge { n: 2_147_483_659, limit: 1 << 31 }));
    assert_eq!(
        PrimeField::<u32>::new(2_147_483_645).map(|_| ()),
        Err(NotPrime::Composite { n: 2_147_483_645, factor: 5 })
    );
    assert_eq!(narrow(2_147_483_647).to_string(), "the integers mod 2147483647");
    assert_eq!(wide(LARGEST).modulus(), LARGEST);
}

#[test]
fn a_residue_out_of_range_is_named() {
    let field = narrow(7);
    assert_eq!(field.check(&[]), Ok(()));
    assert_eq!(field.check(&[0, 6, 7, 8]), Err(OutOfRange { index: 2, value: 7, modulus: 7 }));
    let mut words = vec![6; 10_000];
    assert_eq!(field.check(&words), Ok(()));
    (words[8191], words[8192]) = (7, u32::MAX);
    assert_eq!(field.check(&words), Err(OutOfRange { index: 8191, value: 7, modulus: 7 }));
    words[8191] = 0;
    assert_eq!(field.check(&words).map_err(|e| e.index), Err(8192));
    assert_eq!(Goldilocks.check(&[Goldilocks::MODULUS - 1]), Ok(()));
    assert_eq!(Goldilocks.check(&[0, Goldilocks::MODULUS]).map_err(|e| e.index), Err(1));
}

#[test]
fn numbers_of_any_size_become_residues() {
    for p in [2u64, 3, 7, 9001, LARGEST] {
        let field = wide(p);
        for n in [0i128, 1, -1, i128::MAX, i128::MIN, i128::from(p), -i128::from(p)] {
            let expected = (BigInt::from(n) % p + p) % p;
            assert_eq!(BigInt::from(field.reduce_i128(n)), expected, "{n} mod {p}");
            assert_eq!(field.reduce_bigint(&BigInt::from(n)), field.reduce_i128(n));
            assert_eq!(field.reduce_i128(field.symmetric(field.reduce_i128(n)).into()), field.reduce_i128(n));
        }
        assert_eq!(BigUint::from(field.reduce_u128(u128::MAX)), BigUint::from(u128::MAX) % p);
        assert_eq!(field.reduce_biguint(&u128::MAX.into()), field.reduce_u128(u128::MAX));
        assert_eq!(field.natural(u64::MAX), u64::MAX % p);
        assert_eq!(field.integer(-1), p - 1);
        assert_eq!(field.integer(i64::MIN), field.reduce_i128(i64::MIN.into()));
    }
    assert_eq!([0, 1, 3, 4, 6].map(|a| narrow(7).symmetric(a)), [0, 1, 3, -3, -1]);
    assert_eq!(wide(LARGEST).symmetric(LARGEST - 1), -1);
}

fn inverses<F: ModularField<Element = u64>>(field: &F, elements: &[u64]) {
    let mut all = elements.to_vec();
    if let Some(index) = elements.iter().position(|&x| x == 0) {
        assert_eq!(field.invert_all(&mut all), Err(ZeroAt { index }));
        assert_eq!(all, elements);
        return;
    }
    assert_eq!(field.invert_all(&mut all), Ok(()));
    let one_by_one: Vec<u64> = elements.iter().filter_map(|&x| field.inverse(x)).collect();
    assert_eq!(all, one_by_one);
    for (&x, &i) in elements.iter().zip(&all) {
        assert_eq!(field.mul(x, i), 1);
        assert_eq!(field.power(x, field.order() - 2), i);
    }
}

#[test]
fn inverses_of_many() {
    for p in [3, 7, 9001, 469_762_049, LARGEST] {
        let field = wide(p);
        for len in [0, 1, 2, 7, 8, 9, 16, 100] {
            let mut elements: Vec<u64> = (0..len).map(|i| 1 + i * i % (p - 1)).collect();
            inverses(&field, &elements);
            inverses(&Goldilocks, &elements);
            if let Some(x) = elements.get_mut((len / 2) as usize) {
                *x = 0;
                inverses(&field, &elements);
            }
        }
    }
    assert_eq!(narrow(2).inverse(1), Some(1));
    assert_eq!(narrow(2).invert_all(&mut [1, 1, 1]), Ok(()));
    assert_eq!(narrow(2).inverse(0), None);
    assert_eq!(narrow(7).div(3, 0), None);
}

#[test]
fn square_roots_of_all_elements() {
    // Both classes mod 4, and the largest powers of two in p - 1 that are small.
    for p in [2u32, 3, 5, 7, 13, 17, 41, 97, 193, 257, 769, 9001] {
        let field = narrow(p);
        let mut roots = vec![None; p as usize];
        for x in (0..p).rev() {
            roots[field.mul(x, x) as usize] = Some(x); // the smaller one last
        }
        for a in 0..p {
            assert_eq!(field.square_root(a), roots[a as usize], "{a} mod {p}");
            let symbol = if a == 0 {
                0
            } else if roots[a as usize].is_some() {
                1
            } else {
                -1
            };
            assert_eq!(field.legendre(a), symbol);
        }
    }
}

fn root<F: ModularField>(field: &F, order: u64) {
    let Ok(w) = field.root_of_unity(order) else { panic!("order {order} mod {}", field.order()) };
    assert!(field.power(w, order) == field.one());
    for (q, _) in primes::factorise(order) {
        assert!(field.power(w, order / q) != field.one());
        assert_eq!(field.root_of_unity(order / q).ok(), Some(field.power(w, q)));
    }
}

#[test]
fn roots_of_unity_have_their_orders() {
    for p in [2u32, 3, 7, 9001, 65537, 469_762_049] {
        let field = narrow(p);
        for order in (1..200).filter(|n| u64::from(p - 1) % n == 0).chain([u64::from(p - 1)]) {
            root(&field, order);
        }
    }
    for order in [1, 2, 3, 192, 1 << 32, Goldilocks::MODULUS - 1] {
        root(&Goldilocks, order);
    }
    root(&wide(LARGEST), LARGEST - 1);
    assert_eq!(narrow(7).primitive_root(), 3);
    assert_eq!([2, 3, 5, 469_762_049].map(|p| narrow(p).primitive_root()), [1, 2, 2, 3]);
    // The least primitive root, without the shortcut.
    let squares: Vec<u64> = primes::factorise(Goldilocks::MODULUS - 1).iter().map(|f| f.0).collect();
    assert_eq!(squares, [2, 3, 5, 17, 257, 65537]);
    let generates = |g| squares.iter().all(|q| Goldilocks.power(g, (Goldilocks::MODULUS - 1) / q) != 1);
    assert_eq!((1..100).find(|&g| generates(g)), Some(Goldilocks.primitive_root()));
}

#[test]
fn an_order_that_there_is_not_says_which_there_are() {
    let error = NoRoot { order: 8, modulus: 7, largest: 2, two_adicity: 1 };
    assert_eq!(narrow(7).root_of_unity(8), Err(error));
    assert_eq!(
        error.to_string(),
        "no root of unity mod 7 has order 8: the orders are the divisors of 6, the powers of two among them end at 2^1, \
         and the largest divisor of 8 among them is 2"
    );
    assert_eq!(narrow(7).root_of_unity(0).map_err(|e| e.order), Err(0));
    assert_eq!(Goldilocks.root_of_unity(1 << 33).map_err(|e| e.largest), Err(1 << 32));
}

proptest! {
    #[test]
    fn square_roots_of_large_elements(a in any::<u64>(), log in 1..61u32, k in any::<u64>()) {
        // A prime with many twos in p - 1, where the algorithm of Tonelli and Shanks takes its longest way.
        let p = primes::ntt_primes(63, log).nth((k % 4) as usize);
        prop_assume!(p.is_some());
        let field = wide(p.unwrap_or(2));
        let a = field.reduce(a);
        let square = field.mul(a, a);
        let root = field.square_root(square);
        prop_assert_eq!(root, Some(a.min(field.neg(a))));
        prop_assert_eq!(field.legendre(field.mul(square, field.primitive_root())), if a == 0 { 0 } else { -1 });
    }

    #[test]
    fn square_roots_mod_goldilocks(a in 0..Goldilocks::MODULUS) {
        let square = Goldilocks.mul(a, a);
        prop_assert_eq!(Goldilocks.square_root(square), Some(a.min(Goldilocks.neg(a))));
        prop_assert_eq!(Goldilocks.square_root(Goldilocks.mul(square, 7)), (a == 0).then_some(0));
    }

    #[test]
    fn powers_add_their_exponents(a in any::<u64>(), m in any::<u32>(), n in any::<u32>()) {
        let field = wide(LARGEST);
        let a = field.reduce(a);
        let product = field.mul(field.power(a, m.into()), field.power(a, n.into()));
        prop_assert_eq!(product, field.power(a, u64::from(m) + u64::from(n)));
        let inverse = field.inverse(a);
        prop_assert_eq!(inverse.is_some(), a != 0);
        prop_assert!(inverse.is_none_or(|i| field.mul(a, i) == 1));
    }
}
