//! Declared operations on functions and S-boxes: read from texts, computed on every device, checked, and the same as the host's.

use manycore_boolean::operations::{FUNCTIONS, SBOXES, TextError};
use manycore_boolean::{BooleanError, TableError};
use manycore_device::{Device, DeviceSet};
use manycore_operation::vector::Vector;
use manycore_operation::{Answer, Arguments, Given, Operation, OperationError, Setting, Value};
use serde_json::json;

fn named(name: &str) -> &'static dyn Operation {
    let all = FUNCTIONS.iter().chain(&SBOXES);
    *all.into_iter().find(|operation| operation.declaration().name == name).unwrap()
}

/// The checked answer of a call on a device.
fn answer(name: &str, arguments: &Arguments, text: &str, device: &Device) -> Result<Answer, OperationError> {
    let given = Given::new().with("f.txt", text);
    given.call(named(name), arguments, &DeviceSet::from(device.clone()), (1, true))
}

fn value(name: &str, arguments: &Arguments, text: &str) -> Value {
    answer(name, arguments, text, &Device::host()).unwrap().value
}

fn text(value: &Value) -> String {
    let mut text = Vec::new();
    value.write_text(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn hex() -> Arguments {
    Arguments::new().with("hex", Setting::Given)
}

fn rows(range: &str) -> Arguments {
    Arguments::new().with("rows", Setting::Text(range.to_owned()))
}

const PRESENT: &str = "c 5 6 b 9 0 a d 3 e f 8 4 7 1 2";

#[test]
fn values_are_those_of_the_definitions() {
    let none = Arguments::new();
    let spectrum = value("boolean spectrum", &none, "00100100 # CI 1");
    assert_eq!(spectrum, Value::Vector(Vector::I32(vec![4, 0, 0, 4, 0, -4, 4, 0])));
    assert_eq!(value("boolean autocorrelation", &none, "x1x2"), Value::Vector(Vector::I32(vec![4, 0, 0, 0])));
    let form = value("boolean anf", &none, "e8");
    assert_eq!(text(&form), "x1 x2 + x1 x3 + x2 x3\n");
    assert_eq!(
        serde_json::to_value(&form).unwrap(),
        json!({ "anf": "x1 x2 + x1 x3 + x2 x3", "degree": 2, "terms": 3 })
    );
    assert!(text(&value("boolean info", &none, "0113077C165E76A8")).contains("\nbent                      yes\n"));
    assert_eq!(value("sbox lat", &none, "1 0"), Value::Table { columns: 2, entries: vec![2, 0, 0, -2] });
    assert_eq!(value("sbox ddt", &rows("1..2"), "1 0 2 3"), Value::Table { columns: 4, entries: vec![0, 4, 0, 0] });
    let cube = value("sbox boomerang", &rows("1..2"), "0 1 3 4 5 6 7 2");
    assert_eq!(cube, Value::Table { columns: 8, entries: vec![8, 2, 0, 2, 0, 2, 0, 2] });
    let best = hex().with("best", Setting::Number(1));
    let best = serde_json::to_value(value("sbox compare", &best, &format!("0 1 2 3\n{PRESENT}"))).unwrap();
    assert_eq!((&best[0]["line"], &best[0]["nonlinearity"], best.as_array().unwrap().len()), (&json!(2), &json!(4), 1));
    let Value::Page(page) = value("sbox report", &hex(), PRESENT) else { panic!("no page") };
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains(">PRESENT</td>"));
}

#[test]
fn what_is_wrong_is_named() {
    let of =
        |name: &str, arguments: &Arguments, text: &str| answer(name, arguments, text, &Device::host()).unwrap_err();
    let none = Arguments::new();
    let error = of("boolean info", &none, "01 \n21x1");
    assert!(matches!(error.of(), Some(TextError::Table { .. })), "{error}");
    assert!(of("boolean anf", &none, "3 5 6 7").to_string().contains("--format minterms"));
    let minterms = none.clone().with("format", Setting::Word("minterms"));
    assert_eq!(of("boolean anf", &minterms, "3\n5 x").to_string(), "f.txt:2: minterm 3, x, is no number below 2^64");
    let large = minterms.with("variables", Setting::Number(25));
    assert!(of("boolean report", &large, "3").to_string().contains("a page has room for 24"));
    assert!(matches!(of("sbox compare", &none, "# none").of(), Some(TextError::Empty { .. })));
    assert!(of("sbox info", &none, "0 c").to_string().ends_with("--hex reads it as hexadecimal numbers"));
    assert!(of("sbox info", &none, "0 1\n1 0\n").to_string().contains("sbox compare reads one a line"));
    let error = of("sbox boomerang", &none, "0 0 1 1");
    let message = "f.txt: 2 input bits and 1 output bits: the S-box is no permutation";
    assert!(error.is_refusal() && error.to_string() == message, "{error}");
    let error = of("sbox lat", &rows("3..9"), "0 1 2 3");
    assert!(matches!(error.of(), Some(BooleanError::Rows { start: 3, end: 9, rows: 4 })));
    assert!(error.is_refusal() && error.told(&[]).starts_with("--rows: no rows 3..9"), "{error}");
    let memory = OperationError::from(BooleanError::from(TableError::OutOfMemory { bytes: 1, what: "a table" }));
    assert!(!memory.is_refusal());
}
