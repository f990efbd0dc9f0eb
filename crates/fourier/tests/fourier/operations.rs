//! The declared Fourier transform: read from texts, computed on every device, checked, and the same as the host's.

use manycore_device::Device;
use manycore_field::NotPrime;
use manycore_fourier::FourierError;
use manycore_fourier::operations::ALL;
use manycore_operation::{Answer, Arguments, Given, OperationError, Setting, ValueError};

fn answer(arguments: &Arguments, texts: &[&str], device: &Device) -> Result<Answer, OperationError> {
    let given = texts.iter().fold(Given::new(), |given, text| given.with("x.txt", *text));
    given.call(ALL[0], arguments, &device.clone().into(), (1, true))
}

fn group(text: &str) -> Arguments {
    Arguments::new().with("group", Setting::Text(text.to_owned()))
}

fn modulo(p: u64, factors: &str) -> Arguments {
    group(factors).with("modulus", Setting::Number(p))
}

const TEXT: &str = "3 1 4 1 5 9 2 6 5 3 5 8";

#[test]
fn what_is_wrong_is_named() {
    let of = |arguments: Arguments, texts: &[&str]| answer(&arguments, texts, &Device::host()).unwrap_err();
    assert!(of(modulo(12, "3"), &[TEXT]).of::<NotPrime>().is_some());
    assert!(matches!(of(group("3"), &[""]).of(), Some(ValueError::Empty { .. })));
    assert!(matches!(of(group("3"), &["1 2 3"]).of(), Some(ValueError::Parts { len: 3, .. })));
    assert!(matches!(of(group("5"), &[TEXT]).of(), Some(ValueError::Runs { order: 5, .. })));
    let convolve = modulo(7, "3").with("convolve", Setting::Given);
    let operands = of(convolve, &[TEXT, "1 2 3 4 5 6"]);
    assert!(matches!(operands.of(), Some(ValueError::Operands { given: 2, expected: 4, .. })), "{operands}");
    let no_root = of(modulo(5, "3"), &[TEXT]);
    assert!(matches!(no_root.of(), Some(FourierError::NoRoot(_))) && no_root.is_refusal(), "{no_root}");
    // The group of all values is about them.
    let of_values = of(Arguments::new().with("modulus", Setting::Number(5)), &["1 2 3"]);
    assert!(of_values.is_refusal() && of_values.told(&["x.txt".to_owned()]).starts_with("x.txt: "), "{of_values}");
    assert!(ALL[0].read(&group("x"), &mut Given::new().with("x.txt", TEXT)).is_err());
}
