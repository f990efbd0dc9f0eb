//! Declared operations on spectra: read from texts and arrays, computed on every device, checked, and the same as the host's.

use std::ops::Range;

use manycore_device::{Device, DeviceSet};
use manycore_operation::files::{FileError, Source, write_npy};
use manycore_operation::vector::{NumberType, Vector};
use manycore_operation::{
    Answer, Arguments, Files, Given, Operation, OperationError, Setting, Value, ValueError, left,
};
use manycore_spectral::operations::ALL;
use manycore_testkit::devices;

fn named(name: &str) -> &'static dyn Operation {
    *ALL.iter().find(|operation| operation.declaration().name == name).unwrap()
}

fn answer(
    operation: &dyn Operation,
    arguments: &Arguments,
    text: &str,
    device: &Device,
) -> Result<Answer, OperationError> {
    let given = Given::new().with("x.txt", text);
    given.call(operation, arguments, &DeviceSet::from(device.clone()), (1, true))
}

#[test]
fn values_are_those_of_the_definition() {
    let of = |name: &str, arguments: &Arguments, text: &str| {
        answer(named(name), arguments, text, &Device::host()).unwrap().value
    };
    let none = Arguments::new();
    assert_eq!(of("spectrum walsh", &none, "1 0 1 0"), Value::Vector(Vector::I64(vec![2, 2, 0, 0])));
    assert_eq!(of("spectrum arithmetic", &none, "0 1 1 0"), Value::Vector(Vector::I64(vec![0, 1, 1, -2])));
    assert_eq!(of("spectrum reed-muller", &none, "0 1 1 0"), Value::Bits(vec![0, 1, 1, 0]));
    assert_eq!(of("spectrum haar", &none, "3 1"), Value::Vector(Vector::I64(vec![4, 2])));
    let packed = Arguments::new().with("packed", Setting::Given).with("variables", Setting::Number(3));
    assert_eq!(of("spectrum reed-muller", &packed, "0xb9").clone(), Value::Words(vec![0xa7]));
    let Value::Shown { text, json } = of("spectrum polarities", &none, "1 0 0 0") else { panic!("a text") };
    assert_eq!((text.as_str(), &json["all"]), ("3 1\n", &vec![4, 2, 2, 1].into()));
}

#[test]
fn what_is_wrong_is_named() {
    let of = |name: &str, arguments: Arguments, text: &str| {
        answer(named(name), &arguments, text, &Device::host()).unwrap_err()
    };
    let none = Arguments::new;
    assert!(matches!(of("spectrum walsh", none(), "").of(), Some(ValueError::Empty { .. })));
    assert!(matches!(of("spectrum walsh", none(), "1 2 3").of(), Some(ValueError::NotPowerOfTwo { len: 3, .. })));
    let inverse = none().with("inverse", Setting::Given);
    let fraction = of("spectrum walsh", inverse.clone(), "3 0");
    assert_eq!(fraction.to_string(), "x.txt: no spectrum of integers: value 1 of its inverse is 3/2; use --type f64");
    assert!(matches!(of("spectrum haar", inverse, "3 0").of(), Some(ValueError::NotSpectrum { .. })));
    let short = none().with("type", Setting::Word("i32"));
    assert!(matches!(
        of("spectrum walsh", short, "2147483647 1").of(),
        Some(ValueError::Overflow { transform: 0, .. })
    ));
    assert!(matches!(of("spectrum reed-muller", none(), "1 2").of(), Some(ValueError::NoBit { index: 1, .. })));
    let polarity = none().with("polarity", Setting::Text("4".to_owned()));
    let error = of("spectrum arithmetic", polarity, "1 2").to_string();
    assert_eq!(error, "--polarity 0x4: the functions have 1 variables");
}

#[test]
fn wrong_refusals_do_not_pass() {
    let arguments = Arguments::new().with("inverse", Setting::Given);
    let mut job = named("spectrum walsh").read(&arguments, &mut Given::new().with("x.txt", "3 0")).unwrap();
    let refused = job.compute(&DeviceSet::from(Device::host()), 1).unwrap_err();
    assert!(job.check_refusal(&refused, 1).unwrap().is_ok());
    assert!(job.check(1, false).is_err(), "what was computed is no result");
}

/// An array in a file, which is left there.
struct Leaving(std::path::PathBuf);

impl Files for Leaving {
    fn numbers(&mut self, _: usize) -> Result<Source<'static>, FileError> {
        Source::open(&self.0)
    }

    fn matrix(&mut self, input: usize) -> Result<Source<'static>, FileError> {
        self.numbers(input)
    }

    fn left(&mut self, _: usize, types: &[(&str, NumberType)]) -> Result<Option<left::Numbers>, FileError> {
        left::find(&self.0, types, self.0.parent().unwrap())
    }

    fn named_matrix(&mut self, input: usize, _: &str) -> Result<Source<'static>, FileError> {
        self.matrix(input)
    }

    fn name(&self, _: usize) -> String {
        "x.npy".to_owned()
    }

    fn count(&self) -> usize {
        1
    }

    fn text(&mut self, _: usize) -> Result<String, FileError> {
        Ok(String::new())
    }

    fn bytes(&mut self, _: usize) -> Result<Vec<u8>, FileError> {
        Ok(Vec::new())
    }

    fn earlier(&self, _: usize) -> Option<usize> {
        None
    }

    fn is_kept(&self) -> bool {
        true
    }

    fn part(&mut self, items: usize) -> Range<usize> {
        0..items
    }
}

#[test]
fn arrays_that_are_left_in_their_file_become_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let x: Vec<i64> = (0..64).map(|i| i * i % 23 - 11).collect();
    let (mut bytes, path) = (Vec::new(), folder.path().join("x.npy"));
    write_npy(&mut bytes, &x).unwrap();
    std::fs::write(&path, bytes).unwrap();
    let text = x.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    for (name, order) in [("spectrum walsh", "sequency"), ("spectrum arithmetic", "reversed")] {
        for arguments in [Arguments::new(), Arguments::new().with("order", Setting::Word(order))] {
            for device in devices() {
                let mut job = named(name).read(&arguments, &mut Leaving(path.clone())).unwrap();
                job.compute(&DeviceSet::from(device.clone()), 1).unwrap();
                assert!(job.is_waited_for() && job.check(1, false).is_ok());
                let expected = answer(named(name), &arguments, &text, &device).unwrap().value;
                let (mut found, mut own) = (Vec::new(), Vec::new());
                let value = job.answer().value;
                assert!(matches!(value, Value::Left(_)));
                value.write_array(&mut found).unwrap();
                expected.write_array(&mut own).unwrap();
                assert_eq!(found, own, "{name} {arguments:?}");
            }
        }
    }
}
