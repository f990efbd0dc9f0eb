//! The declared operation on characters: every kind of entries by every construction, whole, while it is written, and in parts.

use manycore_characters::operations::{ALL, of_words, shape};
use manycore_characters::{AbelianGroup, CharacterError};
use manycore_device::{Device, DeviceSet};
use manycore_operation::files::Format;
use manycore_operation::{Answer, Arguments, Given, OperationError, Setting, Value, Writing};
use manycore_testkit::devices;

fn of(group: &str) -> Arguments {
    Arguments::new().with("group", Setting::Text(group.to_owned()))
}

/// Calls of every kind of entries by every construction.
fn ways(group: &str) -> Vec<Arguments> {
    let kinds = [
        of(group).with("exponents", Setting::Given),
        of(group).with("modulus", Setting::Number(61)),
        of(group).with("modulus", Setting::Number(u64::MAX - (1 << 32) + 2)),
        of(group).with("type", Setting::Word("f32")),
        of(group).with("type", Setting::Word("f64")),
    ];
    let by = |kind: &Arguments, word| kind.clone().with("algorithm", Setting::Word(word));
    kinds.iter().flat_map(|kind| [kind.clone(), by(kind, "direct"), by(kind, "kronecker")]).collect()
}

fn answer(arguments: &Arguments, device: &Device) -> Result<Answer, OperationError> {
    Given::new().call(ALL[0], arguments, &DeviceSet::from(device.clone()), (1, true))
}

fn text(value: &Value) -> String {
    let mut text = Vec::new();
    value.write_text(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// What is written while a table is made.
fn flown(arguments: &Arguments, device: &Device, format: Format) -> Result<Vec<u8>, OperationError> {
    let (mut out, mut reached) = (Vec::new(), (0, 0));
    let mut job = ALL[0].read(arguments, &mut Given::new())?;
    let mut checks = 0;
    let (passed, progress) = (&mut |_| checks += 1, &mut |done, all| reached = (done, all));
    let writing = Writing { out: &mut out, format, passed: Some(passed), progress };
    job.flow().unwrap().write(&DeviceSet::from(device.clone()), writing).unwrap()?;
    assert_eq!((reached.0, checks), (reached.1, 1));
    Ok(out)
}

#[test]
fn rows_are_written_and_told() {
    let answer = answer(&of("2,3").with("exponents", Setting::Given), &Device::host()).unwrap();
    let rows = "0 0 0 0 0 0 # (0,0)\n0 2 4 0 2 4 # (0,1)\n0 4 2 0 4 2 # (0,2)\n\
                0 0 0 3 3 3 # (1,0)\n0 2 4 3 5 1 # (1,1)\n0 4 2 3 1 5 # (1,2)\n";
    assert_eq!(text(&answer.value), rows);
    let json = answer.json();
    assert_eq!(json["result"][4], serde_json::json!([0, 2, 4, 3, 5, 1]));
    assert_eq!((&json["parameters"]["exponent"], &json["parameters"]["order"]), (&6.into(), &6.into()));
    let arguments = of("4").with("type", Setting::Word("f32")).with("rows", Setting::Text("1..2".to_owned()));
    let json = serde_json::to_string(&self::answer(&arguments, &Device::host()).unwrap().value).unwrap();
    assert_eq!(json, "[[[1.0,0.0],[0.0,1.0],[-1.0,0.0],[0.0,-1.0]]]");
}

#[test]
fn every_way_is_checked_and_written_alike_on_every_device() {
    for device in devices() {
        for group in ["1", "6,5", "3,1,4"] {
            for way in ways(group) {
                let at = format!("{way} on {}", device.info().name);
                let Ok(whole) = answer(&way, &device) else {
                    // Some devices have no double precision, and 4 has no roots modulo 61 of all orders.
                    assert!(flown(&way, &device, Format::Text).is_err(), "{at}");
                    continue;
                };
                assert_eq!(text(&whole.value).as_bytes(), flown(&way, &device, Format::Text).unwrap(), "{at}");
                let mut array = Vec::new();
                whole.value.write_array(&mut array).unwrap();
                assert_eq!(array, flown(&way, &device, Format::Npy).unwrap(), "{at}");
                if way.is_given("exponents") || way.is_given("modulus") {
                    assert_eq!(whole.value, answer(&way, &Device::host()).unwrap().value, "{at}");
                }
            }
        }
    }
}

#[test]
fn parts_are_put_together() {
    let set = DeviceSet::from(Device::host());
    for way in ways("4,3") {
        let way = way.with("rows", Setting::Text("2..12".to_owned()));
        let shape = shape(&way).unwrap();
        assert_eq!((shape.rows, shape.columns.clone()), (2..12, 0..12));
        let part = |items| match Given::new().part_of(items).call(ALL[0], &way, &set, (1, true)).unwrap().value {
            Value::Matrix { rows, columns, entries } => {
                assert_eq!((columns, entries.len()), (12 * shape.words, rows * columns));
                entries
            }
            other => panic!("{other:?}"),
        };
        let mut words = part(0..4);
        words.extend(part(4..4));
        words.extend(part(4..10));
        let whole = answer(&way, &Device::host()).unwrap().value;
        assert_eq!(of_words(&way, &words).unwrap(), Some(whole), "{way}");
    }
    let bytes = of("2").with("exponents", Setting::Given);
    assert_eq!(of_words(&bytes, &[0, 0, 0, 256]).unwrap(), None);
}

#[test]
fn what_is_wrong_is_named() {
    let told = |arguments: &Arguments| {
        let error = answer(arguments, &Device::host()).unwrap_err();
        assert!(error.is_refusal());
        error.told(&[])
    };
    let rows = of("6").with("rows", Setting::Text("3..9".to_owned()));
    assert!(told(&rows).starts_with("--rows: no rows 3..9: the table has rows 0..6"));
    assert!(answer(&rows, &Device::host()).unwrap_err().of::<CharacterError>().is_some());
    let modulo = |p| of("4").with("modulus", Setting::Number(p));
    assert!(told(&modulo(7)).contains("the orders are the divisors of 6"));
    assert!(told(&modulo(12)).starts_with("--modulus: the modulus 12 is even"));
    assert!(told(&of("2^40")).contains("ask for a tile, or stream"));
}

#[test]
fn factors_are_numbers_and_powers() {
    let group = AbelianGroup::parse;
    assert_eq!(group("3,3,3").unwrap(), group("3^3").unwrap());
    assert_eq!(group(" 2^2, 6").unwrap().factors(), [2, 2, 6]);
    for wrong in ["", "3,", "x", "2^", "2^65", "0", "3,0", "2^64", "-1"] {
        assert!(group(wrong).is_err(), "{wrong}");
    }
    assert_eq!(group("3,0").unwrap_err(), "factor 2 of the group is 0: cyclic groups have at least one element");
}
