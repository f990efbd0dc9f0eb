//! The Walsh-Hadamard transform through its public functions, on the host and every OpenCL device: laws, worked examples,
//! bad input.

use manycore_device::{Device, DeviceError, DeviceSet};
use manycore_spectral::walsh::{reference, walsh_over};
use manycore_spectral::{Algorithm, Order, Scalar, Spectral, SpectralError, Walsh, walsh_hadamard};
use manycore_testkit::devices;
use proptest::prelude::*;

const X: [i32; 8] = [3, 1, 4, 1, 5, 9, 2, 6];

fn spectrum<T: Scalar>(device: &Device, x: &[T], how: &Walsh) -> Vec<T> {
    walsh_hadamard(device, x, how).unwrap_or_else(|error| panic!("{}: {error}", device.info()))
}

/// The worked examples of paper 001's specification and of a Boolean function.
#[test]
fn worked_examples() {
    for device in devices() {
        let of = |order| spectrum(&device, &X, &Walsh::new().order(order));
        assert_eq!(of(Order::Hadamard), [31, -3, 5, -1, -13, 13, -7, -1]);
        assert_eq!(of(Order::Dyadic), [31, -13, 5, -7, -3, 13, -1, -1]);
        assert_eq!(of(Order::Sequency), [31, -13, -7, 5, -1, -1, 13, -3]);
        let f = [1i64, 0, 0, 1, 0, 1, 1, 1];
        assert_eq!(spectrum(&device, &f, &Walsh::new()), [5, -1, -1, 1, -1, 1, 1, 3]);
        assert_eq!(spectrum(&device, &[7.5f64], &Walsh::new()), [7.5]);
        assert_eq!(spectrum(&device, &[2.0f32, 3.0], &Walsh::new()), [5.0, -1.0]);
        let empty: [i32; 0] = [];
        assert_eq!(spectrum(&device, &empty, &Walsh::new().batch(4)), empty);
    }
}

#[test]
fn lengths_that_make_no_transform_are_refused() {
    for device in devices() {
        let error = walsh_hadamard(&device, &[1i32; 12], &Walsh::new()).unwrap_err();
        assert_eq!(error, SpectralError::NotPowerOfTwo { len: 12 });
        let error = walsh_hadamard(&device, &[1i32; 0], &Walsh::new()).unwrap_err();
        assert_eq!(error, SpectralError::NotPowerOfTwo { len: 0 });
        let error = walsh_hadamard(&device, &[1i32; 12], &Walsh::new().batch(8)).unwrap_err();
        assert_eq!(error, SpectralError::Batch { buffer_len: 12, len: 8 });
        let error = walsh_hadamard(&device, &[1i32; 12], &Walsh::new().batch(3)).unwrap_err();
        assert!(error.to_string().contains("3 values"), "{error}");
    }
}

#[test]
fn a_buffer_of_another_device_is_refused() {
    let (one, other) = (Device::host(), Device::host_with(1).unwrap());
    let mut x = other.upload(&X).unwrap();
    let error = Spectral::new(&one).walsh(&mut x, &Walsh::new()).unwrap_err();
    assert!(matches!(error, SpectralError::Device(DeviceError::MixedDevices { .. })), "{error}");
    assert_eq!(x.download().unwrap(), X);
}

/// Rounding in `f32`: each of the n stages rounds once, so a coefficient is off by at most `n * 2^-24 * sum |x|`.
#[test]
fn rounding_stays_within_its_bound() {
    for device in devices() {
        for log_len in [4, 10, 13] {
            let x: Vec<f32> = (0..1u32 << log_len).map(|i| (i as f32 * 0.7).sin()).collect();
            let exact =
                reference::walsh_hadamard(&x.iter().map(|&v| f64::from(v)).collect::<Vec<_>>(), Order::Hadamard);
            let bound = f64::from(log_len) * 2f64.powi(-24) * x.iter().map(|v| f64::from(v.abs())).sum::<f64>();
            for (got, exact) in spectrum(&device, &x, &Walsh::new()).into_iter().zip(exact.unwrap()) {
                assert!((f64::from(got) - exact).abs() <= bound, "{}: {got} for {exact}", device.info());
            }
        }
    }
}

#[test]
fn passes_are_explained() {
    for device in devices() {
        let spectral = Spectral::with_machine(&device, device.machine());
        let choice = spectral.explain_walsh::<f32>(1 << 20, &Walsh::new()).unwrap();
        assert!(choice.best().estimate.seconds > 0.0 && choice.best().estimate.seconds < 10.0, "{choice}");
        assert!(choice.to_string().lines().count() > choice.candidates().len(), "{choice}");
    }
}

#[test]
fn several_devices_share_a_batch() {
    let all = devices();
    let weights: Vec<f64> = (1..=all.len()).map(|w| w as f64).collect();
    let set = DeviceSet::new(all, &weights).unwrap();
    for batch in [0, 1, 2, 9, 64] {
        let x: Vec<i32> = (0..batch * 32).map(|i| i * 7 % 23 - 11).collect();
        let mut y = x.clone();
        walsh_over(&set, &mut y, &Walsh::new().batch(32)).unwrap();
        let expected: Vec<i32> =
            x.chunks(32).flat_map(|x| reference::walsh_hadamard(x, Order::Hadamard).unwrap()).collect();
        assert_eq!(y, expected);
    }
    let mut bad = vec![1i32; 10];
    assert!(walsh_over(&set, &mut bad, &Walsh::new()).is_err());
    assert_eq!(bad, [1; 10]);
}

fn vectors() -> impl Strategy<Value = (u32, Vec<i32>)> {
    (0u32..=9, 1usize..4).prop_flat_map(|(log_len, batch)| {
        let value = prop_oneof![-9i32..9, Just(0), Just(1), Just(-1), -100_000i32..100_000];
        (Just(log_len), proptest::collection::vec(value, batch << log_len))
    })
}

fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::Hadamard), Just(Order::Sequency), Just(Order::Dyadic)]
}

fn algorithms() -> impl Strategy<Value = Algorithm> {
    prop_oneof![Just(Algorithm::CooleyTukey), Just(Algorithm::ConstantGeometry)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Inverse, linearity, Parseval and the definition, on the host with all threads and with one.
    #[test]
    fn laws((log_len, x) in vectors(), order in orders(), algorithm in algorithms()) {
        for device in [Device::host(), Device::host_with(1).unwrap()] {
            let how = Walsh::new().order(order).algorithm(algorithm).batch(1 << log_len);
            let x: Vec<i64> = x.iter().map(|&v| i64::from(v)).collect();
            let y = spectrum(&device, &x, &how);
            prop_assert_eq!(&spectrum(&device, &y, &how.clone().inverse()), &x);
            for (x, y) in x.chunks(1 << log_len).zip(y.chunks(1 << log_len)) {
                prop_assert_eq!(y, &reference::walsh_hadamard(x, order).unwrap()[..]);
                let energy = |v: &[i64]| v.iter().map(|&a| i128::from(a) * i128::from(a)).sum::<i128>();
                prop_assert_eq!(energy(y), energy(x) << log_len);
            }
            let shifted: Vec<i64> = x.iter().enumerate().map(|(i, v)| 3 * v + i as i64).collect();
            let ramp: Vec<i64> = (0..x.len() as i64).collect();
            let (a, b) = (spectrum(&device, &shifted, &how), spectrum(&device, &ramp, &how));
            prop_assert!(a.iter().zip(y.iter().zip(&b)).all(|(a, (y, b))| *a == 3 * y + b));
        }
    }

    /// The convolution theorem: the spectrum of the dyadic convolution is the product of the spectra.
    #[test]
    fn spectra_of_dyadic_convolutions_are_products(
        log_len in 0u32..6, seed in any::<u64>(),
    ) {
        let n = 1usize << log_len;
        let values = |salt: u64| -> Vec<i64> {
            (0..n as u64).map(|i| (seed.wrapping_mul(salt).wrapping_add(i * i * 31 + i) % 19) as i64 - 9).collect()
        };
        let (x, y) = (values(0x9E37_79B9), values(0xC2B2_AE35));
        let z: Vec<i64> = (0..n).map(|k| (0..n).map(|i| x[i] * y[i ^ k]).sum()).collect();
        let device = Device::host();
        let [fx, fy, fz] = [&x, &y, &z].map(|v| spectrum(&device, v, &Walsh::new()));
        prop_assert!(fz.iter().zip(fx.iter().zip(&fy)).all(|(z, (x, y))| *z == x * y));
    }
}
