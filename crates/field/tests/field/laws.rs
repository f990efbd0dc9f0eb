//! The laws of each ring, by the test kit.

use manycore_field::{
    Boolean, Field, Goldilocks, Idempotent, Integers, MaxPlus, MaxTimes, MinPlus, ModularField, PrimeField, Reals,
    Ring, Semiring, Tropical,
};
use manycore_testkit::{algebra, field_laws, ring_laws, semiring_laws};
use proptest::prelude::*;

/// Elements at the corners of a field.
fn corners<F: ModularField>(field: &F) -> Vec<F::Element> {
    let mut corners: Vec<F::Element> =
        [0, 1, 2, 3, -1, -2, 1 << 31, 1 << 32, i64::MAX, i64::MIN, 12_345_678_901_234_567]
            .iter()
            .map(|&n| field.integer(n))
            .collect();
    let half = field.div(field.one(), field.integer(2)).unwrap_or(field.one());
    corners.extend([half, field.neg(half), field.primitive_root()]);
    corners
}

#[test]
fn narrow_prime_fields() {
    for p in [2, 3, 7, 9001, 469_762_049, 2_147_483_647] {
        let field = PrimeField::<u32>::new(p).unwrap_or_else(|error| panic!("{error}"));
        field_laws!(field, &corners(&field));
        assert_eq!(field.characteristic(), u64::from(p));
    }
}

#[test]
fn wide_prime_fields() {
    for p in [2, 3, 7, 9001, 4_294_967_291, 4_611_686_018_326_724_609, (1 << 63) - 25] {
        let field = PrimeField::<u64>::new(p).unwrap_or_else(|error| panic!("{error}"));
        field_laws!(field, &corners(&field));
    }
}

#[test]
fn goldilocks() {
    field_laws!(Goldilocks, &corners(&Goldilocks));
}

#[test]
fn machine_integers_wrap() {
    ring_laws!(Integers::<u8>::new(), &[0, 1, 2, 127, 128, 254, 255]);
    ring_laws!(Integers::<i32>::new(), &[0, 1, -1, 2, 12_345, i32::MIN, i32::MAX]);
    ring_laws!(Integers::<u64>::new(), &[0, 1, 3, 1 << 32, 1 << 63, u64::MAX]);
}

#[test]
fn reals_are_exact_on_small_powers_of_two() {
    field_laws!(Reals::<f64>::new(), &[0.0, 1.0, -1.0, 0.5, -4.0, 1024.0]);
    field_laws!(Reals::<f32>::new(), &[0.0, 1.0, -1.0, 0.5, -4.0, 1024.0]);
    assert!(!Reals::<f64>::new().contains(f64::NAN));
    assert_eq!(Reals::<f64>::new().characteristic(), 0);
}

fn idempotent<S: Idempotent>(semiring: &S, samples: &[S::Element]) {
    semiring_laws!(*semiring, samples);
    algebra!(*semiring).idempotent(samples);
    algebra!(*semiring).commutative(samples);
    assert!(samples.iter().all(|&a| semiring.contains(a)));
    for n in 0..5 {
        assert_eq!(semiring.natural(n), semiring.sum(&vec![semiring.one(); n as usize]));
    }
}

#[test]
fn boolean() {
    idempotent(&Boolean, &[0, 1]);
    assert_eq!((Boolean.add(2, 0), Boolean.mul(2, 4), Boolean.contains(2)), (1, 1, false));
}

/// Numbers whose sums of three do not leave the word.
fn tropical<T: Tropical>(samples: &[T]) {
    let (max, min) = (MaxPlus::<T>::new(), MinPlus::<T>::new());
    let with = |epsilon: T| [&[epsilon], samples].concat();
    idempotent(&max, &with(MaxPlus::EPSILON));
    idempotent(&min, &with(MinPlus::EPSILON));
    assert!(!max.contains(T::HIGHEST) && !min.contains(T::LOWEST));
}

#[test]
fn tropical_semirings() {
    tropical::<i32>(&[0, 1, -1, 17, i32::MAX / 3, i32::MIN / 3]);
    tropical::<i64>(&[0, 1, -1, 17, i64::MAX / 3, i64::MIN / 3]);
    tropical::<f32>(&[0.0, 1.0, -1.0, 17.0, -4096.5, 65536.0]);
    tropical::<f64>(&[0.0, 1.0, -1.0, 17.0, -4096.5, 1e15]);
}

/// At the ends of the numbers: epsilon absorbs even the largest, and nothing becomes epsilon or passes it.
fn ends<T: Tropical>(least: T, greatest: T) {
    let (max, min) = (MaxPlus::<T>::new(), MinPlus::<T>::new());
    for x in [least, greatest, T::ZERO, T::LOWEST, T::HIGHEST] {
        assert_eq!(max.mul(x, T::LOWEST), T::LOWEST);
        assert_eq!(max.mul(T::LOWEST, x), T::LOWEST);
        assert_eq!(min.mul(x, T::HIGHEST), T::HIGHEST);
        assert_eq!(min.mul(T::HIGHEST, x), T::HIGHEST);
        assert_eq!(max.checked_mul(x, T::LOWEST), Some(T::LOWEST));
        assert_eq!(min.checked_mul(T::HIGHEST, x), Some(T::HIGHEST));
    }
    for semiring_mul in [&|a, b| (max.mul(a, b), max.checked_mul(a, b)), &|a, b| (min.mul(a, b), min.checked_mul(a, b))]
        as [&dyn Fn(T, T) -> (T, Option<T>); 2]
    {
        assert_eq!(semiring_mul(least, least), (least, None));
        assert_eq!(semiring_mul(greatest, greatest), (greatest, None));
        assert_eq!(semiring_mul(least, greatest).1, Some(least.saturating_sum(greatest)));
        assert_eq!(semiring_mul(least, T::ZERO), (least, Some(least)));
    }
}

#[test]
fn the_ends_of_tropical_numbers() {
    ends(i32::MIN + 1, i32::MAX - 1);
    ends(i64::MIN + 1, i64::MAX - 1);
    ends(f64::MIN, f64::MAX);
    ends(f32::MIN, f32::MAX);
    assert_eq!(MaxPlus::<i64>::new().mul(i64::MIN + 1, -1), i64::MIN + 1);
    assert_eq!(MinPlus::<i64>::new().mul(i64::MAX - 1, 1), i64::MAX - 1);
    assert!(!MaxPlus::<f64>::new().contains(f64::NAN));
}

#[test]
fn max_times() {
    idempotent(&MaxTimes::<u32>::new(), &[0, 1, 2, 3, 65_535, 65_536, u32::MAX / 2, u32::MAX]);
    idempotent(&MaxTimes::<u64>::new(), &[0, 1, 2, 1 << 32, u64::MAX - 1, u64::MAX]);
    idempotent(&MaxTimes::<f64>::new(), &[0.0, 0.5, 1.0, 2.0, 1024.0]);
    assert_eq!(MaxTimes::<f32>::new().mul(0.0, f32::INFINITY).to_bits(), 0);
    assert!(!MaxTimes::<f64>::new().contains(-1.0));
}

proptest! {
    #[test]
    fn tropical_laws_hold_where_no_sum_saturates(a in -0x3fff_ffff..0x3fff_ffffi64, b in any::<i32>(), c in any::<i64>()) {
        semiring_laws!(MaxPlus::<i64>::new(), &[a, b.into(), c >> 2]);
        semiring_laws!(MinPlus::<i64>::new(), &[a, b.into(), c >> 2]);
    }
}
