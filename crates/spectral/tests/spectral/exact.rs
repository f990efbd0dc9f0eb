//! Integers are exact, or refused with what is past their type; where they may wrap, nothing is refused.

use manycore_device::{Device, DeviceSet, InPlace};
use manycore_spectral::walsh::walsh_over;
use manycore_spectral::{
    Arithmetic, BitOrder, Direction, Haar, HaarOrder, Normalization, Order, Spectral, SpectralError, Walsh, arithmetic,
    haar, polarity, walsh,
};
use proptest::prelude::*;

const MAX: i32 = i32::MAX;
const MIN: i32 = i32::MIN;

fn overflow(transform: impl Into<Option<usize>>, sum: i128) -> Result<(), SpectralError> {
    Err(SpectralError::Overflow { transform: transform.into(), sum, bits: 32 })
}

/// A slice, a buffer and a part of one, on the host and on every device: what becomes of them and what they hold then.
fn everywhere(
    x: &[i32],
    run: impl Fn(&Spectral, InPlace<'_, i32>) -> Result<(), SpectralError>,
) -> Vec<(Result<(), SpectralError>, Vec<i32>)> {
    let mut found = Vec::new();
    for device in manycore_testkit::devices() {
        let spectral = Spectral::with_machine(&device, device.machine());
        let mut slice = x.to_vec();
        found.push((run(&spectral, (&mut slice).into()), slice));
        let mut buffer = device.upload(x).unwrap();
        found.push((run(&spectral, (&mut buffer).into()), buffer.download().unwrap()));
        let mut longer = device.upload(&[x, x].concat()).unwrap();
        let outcome = run(&spectral, longer.view_mut(x.len()..).unwrap().into());
        found.push((outcome, longer.download().unwrap()[x.len()..].to_vec()));
    }
    found
}

#[test]
fn sums_past_the_type_are_refused_and_nothing_is_changed() {
    let x = [1, 2, 3, 4, MAX, 1, 0, 0];
    for (outcome, left) in everywhere(&x, |spectral, x| spectral.walsh(x, &Walsh::new().batch(4))) {
        assert_eq!((outcome, left), (overflow(1, 1 << 31), x.to_vec()));
    }
    for (outcome, y) in everywhere(&x, |spectral, x| spectral.walsh(x, &Walsh::new().batch(4).wrapping())) {
        assert_eq!((outcome, &y[4..]), (Ok(()), &[MIN, MAX - 1, MIN, MAX - 1][..]));
    }
    for (outcome, left) in everywhere(&[MAX, MIN], |spectral, x| spectral.arithmetic(x, &Arithmetic::new())) {
        assert_eq!((outcome, left), (overflow(0, -(1 << 32) + 1), vec![MAX, MIN]));
    }
    for (outcome, left) in everywhere(&[MIN, -1], |spectral, x| spectral.haar(x, &Haar::new())) {
        assert_eq!((outcome, left), (overflow(0, -(1 << 31) - 1), vec![MIN, -1]));
    }
    let message = overflow(None, 1 << 31).unwrap_err().to_string();
    assert_eq!(
        message,
        "a transform: sums of its integers reach 2147483648, past integers of 32 bits; take wider ones or floating-point numbers, or \
         `wrapping` to compute modulo 2^32"
    );
}

#[test]
fn the_largest_sums_that_fit_are_right() {
    for (outcome, y) in everywhere(&[MIN / 2, MIN / 2], |spectral, x| spectral.walsh(x, &Walsh::new())) {
        assert_eq!((outcome, y), (Ok(()), vec![MIN, 0]));
    }
    // The absolute values add up to more than the type holds, and no sum is past it.
    for (outcome, y) in
        everywhere(&[MAX, MAX, MIN, MIN], |spectral, x| spectral.arithmetic(x, &Arithmetic::new().batch(2)))
    {
        assert_eq!((outcome, y), (Ok(()), vec![MAX, 0, MIN, 0]));
    }
    for (outcome, y) in everywhere(&[MAX, 0], |spectral, x| spectral.arithmetic(x, &Arithmetic::new().inverse())) {
        assert_eq!((outcome, y), (Ok(()), vec![MAX, MAX]));
    }
    for (outcome, y) in
        everywhere(&[MAX - 1, -MAX], |spectral, x| spectral.walsh(x, &Walsh::new().order(Order::Dyadic)))
    {
        assert_eq!((outcome, y), (overflow(0, 2 * i128::from(MAX) - 1), vec![MAX - 1, -MAX]));
    }
}

#[test]
fn inverses_that_are_not_of_integers_are_told() {
    let halves = |transform: Option<usize>| matches!(transform, None | Some(1));
    let x = [4, 0, 0, 0, 3, 0, 0, 1];
    for (outcome, y) in everywhere(&x, |spectral, x| spectral.walsh(x, &Walsh::new().inverse().batch(4))) {
        assert!(matches!(outcome, Err(SpectralError::Fraction { transform }) if halves(transform)), "{outcome:?}");
        // A part of a buffer is copied back where all went well.
        assert!(y == [1, 1, 1, 1, 1, 0, 0, 1] || y == x, "{y:?}");
    }
    for (outcome, y) in everywhere(&x, |spectral, x| spectral.walsh(x, &Walsh::new().inverse().batch(4).wrapping())) {
        assert_eq!((outcome, y), (Ok(()), vec![1, 1, 1, 1, 1, 0, 0, 1]));
    }
    for order in HaarOrder::ALL {
        let how = Haar::new().order(order).inverse().batch(4);
        for (outcome, _) in everywhere(&x, |spectral, x| spectral.haar(x, &how)) {
            assert!(matches!(outcome, Err(SpectralError::Fraction { transform }) if halves(transform)), "{outcome:?}");
        }
        for (outcome, y) in everywhere(&[10, -2, -3, 0], |spectral, x| {
            spectral.haar(x, &Haar::new().order(HaarOrder::Standard).inverse())
        }) {
            assert!(matches!(outcome, Err(SpectralError::Fraction { .. })), "{y:?}");
        }
    }
}

#[test]
fn other_forms_are_exact_too() {
    let mut x = vec![MAX; 16];
    let set = DeviceSet::equal(Device::all()).unwrap();
    assert_eq!(walsh_over(&set, &mut x, &Walsh::new().batch(4)), overflow(0, 4 * i128::from(MAX)));
    assert_eq!(x, vec![MAX; 16]);
    let spectral = Spectral::new(&Device::host());
    assert_eq!(spectral.walsh_of(&x, &Walsh::new()).map(drop), overflow(0, 16 * i128::from(MAX)));
    assert_eq!(spectral.haar_of(&x, &Haar::new()).map(drop), overflow(0, 16 * i128::from(MAX)));
    assert_eq!(spectral.arithmetic_of(&x, &Arithmetic::new().inverse()).map(drop), overflow(0, 16 * i128::from(MAX)));
    // Differences of sums of all values, in some polarity.
    assert_eq!(polarity::arithmetic(&[MIN, 0, 0, 0]).map(drop), overflow(0, 1 << 31));
    assert!(polarity::arithmetic(&[MAX, 0, 0, 0]).is_ok());
    // 2^31 is no zero.
    assert!(polarity::arithmetic(&[1 << 30, -(1 << 30)]).is_err());
    #[cfg(feature = "ndarray")]
    {
        let mut array = manycore_spectral::ndarray::array![[1, 2], [MAX, 1]];
        assert_eq!(spectral.walsh_along(&mut array, 1, &Walsh::new()), overflow(None, 1 << 31));
        spectral.walsh_along(&mut array, 1, &Walsh::new().wrapping()).unwrap();
    }
}

/// What a transform of integers of 32 bits should come to, from its results in 64 bits, undivided, and what divides them.
fn expected(wide: &[i64], log_divisor: u32) -> Result<Vec<i32>, ()> {
    let quotient = |&value: &i64| {
        let narrow = i32::try_from(value).map_err(drop)?;
        if narrow % (1 << log_divisor) == 0 { Ok(narrow >> log_divisor) } else { Err(()) }
    };
    wide.iter().map(quotient).collect()
}

proptest! {
    /// Values of all sizes: exactly those are refused whose results are past the type, or no integers.
    #[test]
    fn what_is_refused_is_what_the_type_does_not_hold(
        (log_len, x) in (0u32..6).prop_flat_map(|log_len| (Just(log_len), prop::collection::vec(any::<i32>(), 1 << log_len))),
        shift in 0u32..31,
        polarity in any::<u64>(),
    ) {
        let x: Vec<i32> = x.into_iter().map(|value| value >> shift).collect();
        let wide: Vec<i64> = x.iter().map(|&value| value.into()).collect();
        let spectral = Spectral::new(&Device::host());
        for order in Order::ALL {
            let of = walsh::reference::walsh_hadamard(&wide, order).unwrap();
            prop_assert_eq!(spectral.walsh_of(&x, &Walsh::new().order(order)).map_err(drop), expected(&of, 0));
            let inverse = spectral.walsh_of(&x, &Walsh::new().order(order).inverse());
            prop_assert_eq!(inverse.map_err(drop), expected(&of, log_len));
        }
        let polarity = polarity & ((1 << log_len) - 1);
        for order in BitOrder::ALL {
            let how = Arithmetic::new().order(order).polarity(polarity);
            let of = arithmetic::reference::arithmetic(&wide, order, polarity as usize).unwrap();
            prop_assert_eq!(spectral.arithmetic_of(&x, &how).map_err(drop), expected(&of, 0));
            let of = arithmetic::reference::inverse_arithmetic(&wide, order, polarity as usize).unwrap();
            prop_assert_eq!(spectral.arithmetic_of(&x, &how.inverse()).map_err(drop), expected(&of, 0));
        }
        for order in HaarOrder::ALL {
            let of = haar::reference::haar(&wide, order, Normalization::None).unwrap();
            let forward = spectral.haar_of(&x, &Haar::new().order(order));
            prop_assert_eq!(forward.clone().map_err(drop), expected(&of, 0));
            if let Ok(y) = forward {
                // The way back may need sums past the type; what comes is right.
                let back = spectral.haar_of(&y, &Haar::new().order(order).direction(Direction::Inverse));
                let right = match &back {
                    Ok(z) => *z == x,
                    Err(error) => matches!(error, SpectralError::Overflow { .. }),
                };
                prop_assert!(right, "{:?}", back);
            }
        }
    }
}
