//! Integers are exact, or refused; where they may wrap, nothing is refused.

use manycore_device::Device;
use manycore_kronecker::transform::reference;
use manycore_kronecker::{Factor, FactorError, Integers, Kronecker, KroneckerError, KroneckerProduct, parse};
use proptest::prelude::*;

const MAX: i32 = i32::MAX;

#[test]
fn results_past_the_type_are_refused_and_nothing_is_changed() {
    let ring = Integers::<i32>::new();
    let product = parse(&ring, "walsh^2").unwrap();
    let x = [1, 2, 3, 4, MAX, 1, 0, 0];
    for device in manycore_testkit::devices() {
        let kronecker = Kronecker::with_machine(&device, device.machine());
        let mut slice = x;
        let refused = Err(KroneckerError::Overflow { vector: Some(1), bits: 32 });
        assert_eq!((kronecker.forward(&product, &mut slice), slice), (refused.clone(), x));
        let mut buffer = device.upload(&x).unwrap();
        assert_eq!(kronecker.forward(&product, &mut buffer), refused);
        assert_eq!(buffer.download().unwrap(), x);
        kronecker.forward(&product.clone().wrapping(), &mut buffer).unwrap();
        assert_eq!(buffer.download().unwrap(), [10, -2, -4, 0, i32::MIN, MAX - 1, i32::MIN, MAX - 1]);
        // Bounds are past the type, and no result is.
        let mut fits = [MAX, MAX, 0, 0];
        kronecker.forward(&parse(&ring, "id x arith").unwrap(), &mut fits).unwrap();
        assert_eq!(fits, [MAX, 0, 0, 0]);
    }
}

#[test]
fn inverses_divide_where_they_can() {
    let ring = Integers::<i64>::new();
    let odd = Factor::new(&ring, &[[2, 1, 0], [0, 1, 1], [1, 0, 3]]).unwrap();
    let product = KroneckerProduct::new(&ring, vec![odd, Factor::walsh(&ring)]).unwrap();
    for device in manycore_testkit::devices() {
        let kronecker = Kronecker::with_machine(&device, device.machine());
        let mut data = device.upload(&[3i64, -1, 4, 1, -5, 9]).unwrap();
        kronecker.forward(&product, &mut data).unwrap();
        kronecker.inverse(&product, &mut data).unwrap();
        assert_eq!(data.download().unwrap(), [3, -1, 4, 1, -5, 9]);
        let mut data = device.upload(&[3i64, 1, 0, 0, 0, 1]).unwrap();
        let outcome = kronecker.inverse(&product, &mut data);
        let undivided = reference::apply(&product.inverse().unwrap().undivided(), &[3i64, 1, 0, 0, 0, 1]);
        let index = undivided.iter().position(|value| value % 14 != 0).unwrap();
        assert_eq!(outcome, Err(KroneckerError::Fraction { index: Some(index), divisor: 14 }));
        let mut data = [1i64, 0];
        let walsh = parse(&ring, "walsh").unwrap().inverse().unwrap();
        assert_eq!(kronecker.forward(&walsh, &mut data), Err(KroneckerError::Fraction { index: Some(0), divisor: 2 }));
        let mut data = [1i64, 0];
        kronecker.forward(&walsh.wrapping(), &mut data).unwrap();
        assert_eq!(data, [0, 0]);
    }
}

#[test]
fn entries_that_words_do_not_hold_are_refused() {
    let ring = Integers::<i32>::new();
    let error = Factor::from_integers(&ring, &[[1, 0], [1 << 32, 1]]).unwrap_err();
    assert_eq!(error, FactorError::Entry { row: 1, column: 0, value: (1i64 << 32).to_string(), ring: "i32".into() });
    // The inverse of the inverse has the divisor as a factor.
    let large = Factor::new(&ring, &[[MAX]]).unwrap().inverse(&ring).unwrap();
    let product = KroneckerProduct::new(&ring, vec![large; 2]).unwrap();
    assert!(matches!(Kronecker::new(&Device::host()).transform(&product, 1), Err(KroneckerError::Factor { .. })));
}

proptest! {
    /// Exactly those vectors are refused whose results are past the type.
    #[test]
    fn what_is_refused_is_what_the_type_does_not_hold(
        entries in prop::collection::vec(-9i64..10, 4),
        x in prop::collection::vec(any::<i32>(), 8),
        shift in 0u32..31,
    ) {
        let rows: Vec<&[i64]> = entries.chunks(2).collect();
        let (ring, wide) = (Integers::<i32>::new(), Integers::<i64>::new());
        let narrow_factor = Factor::from_integers(&ring, &rows).unwrap();
        let product = KroneckerProduct::power(&ring, &narrow_factor, 3).unwrap();
        let x: Vec<i32> = x.into_iter().map(|value| value >> shift).collect();
        let wide_product = KroneckerProduct::power(&wide, &Factor::from_integers(&wide, &rows).unwrap(), 3).unwrap();
        let of = reference::apply(&wide_product, &x.iter().map(|&value| value.into()).collect::<Vec<i64>>());
        let expected: Option<Vec<i32>> = of.into_iter().map(|value| value.try_into().ok()).collect();
        let mut y = x;
        let found = Kronecker::new(&Device::host()).forward(&product, &mut y).ok().map(|()| y);
        prop_assert_eq!(found, expected);
    }
}
