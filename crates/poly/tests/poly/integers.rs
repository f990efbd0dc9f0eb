//! Products of integers against `num-bigint`: sizes around words and limbs, limbs of all ones, unequal sizes, signs.

use manycore_device::Device;
use manycore_poly::integer::{self, IntegerAlgorithm, IntegerProduct};
use manycore_testkit::devices;
use num_bigint::{BigInt, BigUint, Sign};
use proptest::prelude::*;

fn ones(bits: u64) -> BigUint {
    (BigUint::from(1u32) << bits) - 1u32
}

#[test]
fn products_of_all_ones_are_powers_of_two_but_for_three_terms() {
    for device in [Device::host(), Device::host_with(1).unwrap()] {
        let integers = IntegerProduct::new(&device);
        for (a, b) in
            [(1, 1), (31, 33), (64, 64), (4000, 9000), (100_000, 100_000), (1 << 20, 1 << 20), (3_321_929, 999)]
        {
            // (2^a - 1)(2^b - 1) = 2^(a + b) - 2^a - 2^b + 1.
            let expected =
                (BigUint::from(1u32) << (a + b)) + 1u32 - (BigUint::from(1u32) << a) - (BigUint::from(1u32) << b);
            assert_eq!(integers.mul(&ones(a), &ones(b)).unwrap(), expected, "{a} by {b} bits");
        }
        let square = ones(1_000_001);
        let expected = ones(2_000_002) + 2u32 - (BigUint::from(1u32) << 1_000_002u32);
        assert_eq!(integers.square(&square).unwrap(), expected);
    }
}

#[test]
fn every_device_multiplies() {
    for device in devices() {
        let integers = IntegerProduct::new(&device);
        let (a, b) = (BigUint::from(3u32).pow(40_000), BigUint::from(5u32).pow(30_000));
        assert_eq!(integers.mul(&a, &b).unwrap(), &a * &b);
        assert_eq!(integers.mul(&a, &a).unwrap(), BigUint::from(3u32).pow(80_000));
        assert_eq!(integers.device().info().id, device.info().id);
    }
}

#[test]
fn zeros_ones_and_signs() {
    let (zero, one, a) = (BigUint::default(), BigUint::from(1u32), BigUint::from(3u32).pow(20_000));
    for (x, y, product) in
        [(&zero, &a, &zero), (&a, &zero, &zero), (&one, &a, &a), (&a, &one, &a), (&zero, &zero, &zero)]
    {
        assert_eq!(&integer::mul(x, y).unwrap(), product);
    }
    assert_eq!(integer::square(&a).unwrap(), BigUint::from(9u32).pow(20_000));
    for (s, t, sign) in [(Sign::Plus, Sign::Minus, Sign::Minus), (Sign::Minus, Sign::Minus, Sign::Plus)] {
        let (x, y) = (BigInt::from_biguint(s, a.clone()), BigInt::from_biguint(t, &a + 1u32));
        let product = integer::mul_signed(&x, &y).unwrap();
        assert_eq!((product.sign(), product.magnitude()), (sign, &(&a * (&a + 1u32))));
        assert_eq!(integer::mul_signed(&x, &BigInt::default()).unwrap(), BigInt::default());
    }
}

#[test]
fn long_integers_are_multiplied_modulo_primes_and_short_ones_by_words() {
    let integers = IntegerProduct::new(&Device::host());
    let of = |a, b| integers.algorithm(a, b).unwrap();
    let primes = |bits, log_order| IntegerAlgorithm::Primes { bits, log_order };
    assert_eq!(
        (of(0, 1 << 20), of(64, 1 << 24), of(900, 900)),
        (IntegerAlgorithm::Words, IntegerAlgorithm::Words, IntegerAlgorithm::Words)
    );
    assert_eq!((of(3_321_929, 3_321_929), of(1 << 20, 1 << 22)), (primes(29, 20), primes(29, 20)));
    assert!(matches!(of(1 << 26, 1 << 26), IntegerAlgorithm::Primes { log_order: 22, .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_products_equal_num_bigint(
        a in prop::collection::vec(prop_oneof![Just(u32::MAX), Just(0), any::<u32>()], 0..3000),
        b in prop::collection::vec(prop_oneof![Just(u32::MAX), Just(0), any::<u32>()], 0..900),
    ) {
        let (a, b) = (BigUint::new(a), BigUint::new(b));
        prop_assert_eq!(integer::mul(&a, &b).unwrap(), &a * &b);
        prop_assert_eq!(integer::mul(&b, &b).unwrap(), &b * &b);
    }
}
