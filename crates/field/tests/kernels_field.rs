//! The multiplications of kernels, entries `products` and `butterflies`, against the host's.

use manycore_device::{Device, DeviceError};
use manycore_field::{Arithmetic, Goldilocks, KernelField, PrimeField, ResidueWord, Semiring, kernels};
use manycore_testkit::{devices, simulated};

use kernels::Step;

/// The ends of the range, then residues that look random.
fn residues<F: KernelField>(field: &F, len: usize) -> Vec<F::Element> {
    let p = field.order();
    let value = |i: u64| match i {
        0 => p - 1,
        1 => 0,
        2 => 1 % p,
        3 => p / 2,
        4 => p / 2 + 1,
        _ => (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) % p,
    };
    (0..len as u64).map(|i| F::Element::from_u64(value(i) % p)).collect()
}

fn check<F: KernelField>(device: &Device, field: &F) {
    let p = field.order();
    let x = residues(field, if simulated(device) { 64 } else { 3000 });
    for arithmetic in field.arithmetics() {
        if arithmetic == Arithmetic::Floating && !device.info().fp64 {
            continue;
        }
        for step in [Step::Product, Step::Factor, Step::Montgomery, Step::Butterfly] {
            for (b, times) in [(p - 1, 1), (p / 2, 1), (p / 3 + 1, 37)] {
                let b = F::Element::from_u64(b % p);
                let run = |device: &Device| -> Result<Vec<F::Element>, DeviceError> {
                    let mut data = device.upload(&x)?;
                    kernels::repeat(field, arithmetic, step, &mut data, b, (times, 2))?;
                    data.download()
                };
                let odd_words = matches!(arithmetic, Arithmetic::Word32 | Arithmetic::Word64 { .. }) && p > 2;
                if step == Step::Montgomery && !odd_words {
                    assert!(matches!(run(device), Err(DeviceError::Unsupported { .. })));
                    continue;
                }
                assert!(
                    run(device).unwrap() == run(&Device::host()).unwrap(),
                    "{device:?} {step:?} by {b:?} in {arithmetic} mod {p}"
                );
            }
        }
    }
}

#[test]
fn products_on_devices_equal_the_host_s() {
    for device in devices() {
        let slow = simulated(&device);
        for p in [2, 3, 7, 9001, 469_762_049, 2_147_483_647] {
            if !slow || p > 9001 {
                check(&device, &PrimeField::<u32>::new(p).unwrap());
            }
        }
        // The largest primes below 2^50, 2^62 and 2^63.
        for p in [2, 9001, 1_125_899_906_842_597, 4_611_686_018_427_387_847, 9_223_372_036_854_775_783] {
            if !slow || p > 9001 {
                check(&device, &PrimeField::<u64>::new(p).unwrap());
            }
        }
        check(&device, &Goldilocks);
    }
}

#[test]
fn the_host_s_steps_are_the_field_s() {
    let field = PrimeField::<u32>::new(9001).unwrap();
    let device = Device::host();
    let mut data = device.upload(&[3u32, 5]).unwrap();
    kernels::repeat(&field, Arithmetic::Word32, Step::Product, &mut data, 7, (2, 1)).unwrap();
    assert_eq!(data.download().unwrap(), [147, 245]);
    kernels::repeat(&field, Arithmetic::Word32, Step::Butterfly, &mut data, 10, (1, 1)).unwrap();
    assert_eq!(data.download().unwrap(), [2597, field.add(147, 9001 - 2450)]);
}

#[test]
fn what_a_range_does_not_hold_is_refused() {
    let device = Device::host();
    let mut data = device.zeros::<u64>(2).unwrap();
    let field = PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap();
    for (arithmetic, step) in [
        (Arithmetic::Floating, Step::Product),
        (Arithmetic::Goldilocks, Step::Product),
        (Arithmetic::Word32, Step::Factor),
    ] {
        let error = kernels::repeat(&field, arithmetic, step, &mut data, 1, (1, 1)).unwrap_err();
        assert!(matches!(error, DeviceError::Unsupported { .. }), "{error}");
    }
}
