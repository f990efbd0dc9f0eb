//! The declared number-theoretic transform: read from texts, computed on every device, checked, and the same as the host's.

use manycore_device::{Device, DeviceSet};
use manycore_field::NotPrime;
use manycore_ntt::NttError;
use manycore_ntt::operations::ALL;
use manycore_operation::{Answer, Arguments, Given, OperationError, Setting, Value, ValueError};

fn answer(arguments: &Arguments, text: &str, devices: &DeviceSet) -> Result<Answer, OperationError> {
    Given::new().with("x.txt", text).call(ALL[0], arguments, devices, (1, true))
}

fn modulo(p: u64) -> Arguments {
    Arguments::new().with("modulus", Setting::Number(p))
}

#[test]
fn values_are_those_of_the_definition() {
    // X(k) = 1 + w^k with the root w = 13 of order 4.
    let of = |text: &str| answer(&modulo(17), text, &Device::host().into()).unwrap();
    assert_eq!(of("1 1 0 0").value, Value::Elements(vec![2, 14, 0, 5]));
    assert!(of("1 1 0 0").parameters.contains(&("root", 13.into())));
}

#[test]
fn what_is_wrong_is_named() {
    let of = |arguments: Arguments, text: &str| answer(&arguments, text, &Device::host().into()).unwrap_err();
    assert!(of(modulo(12), "1").of::<NotPrime>().is_some() && of(modulo(0), "1").of::<NotPrime>().is_some());
    assert!(matches!(of(modulo(17), "").of(), Some(ValueError::Empty { .. })));
    assert!(matches!(of(modulo(17), "1 2 3").of(), Some(ValueError::NotPowerOfTwo { len: 3, .. })));
    let no_root = of(modulo(7), "1 2 3 4");
    assert!(matches!(no_root.of(), Some(NttError::NoRoot { order: 4, .. })) && no_root.is_refusal());
    let told = no_root.told(&["x.txt".to_owned()]);
    assert_eq!(told, "x.txt: modulo 7 there is no root of unity of order 4; the largest power of two is 2");
    let batch = of(modulo(17).with("batch", Setting::Number(3)), "1 2 3").to_string();
    assert_eq!(batch, "--batch 3: the length of a transform must be a power of two");
}
