//! Declared sorts: values, every way on every device as on the host, and what is wrong is named.

use manycore_device::{Device, DeviceSet};
use manycore_operation::vector::Vector;
use manycore_operation::{Answer, Arguments, Given, Operation, OperationError, Setting, Value};
use manycore_sort::operations::ALL;

fn named(name: &str) -> &'static dyn Operation {
    *ALL.iter().find(|operation| operation.declaration().name == name).unwrap()
}

fn answer(name: &str, arguments: &Arguments, text: &str, device: &Device) -> Result<Answer, OperationError> {
    Given::new().with("x.txt", text).call(named(name), arguments, &DeviceSet::from(device.clone()), (1, true))
}

fn text(value: &Value) -> String {
    let mut text = Vec::new();
    value.write_text(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn integers<const N: usize>(values: [i64; N]) -> Value {
    Value::Vector(Vector::I64(values.into()))
}

#[test]
fn values_are_those_of_the_order() {
    let none = Arguments::new;
    let of =
        |name: &str, arguments: &Arguments, text: &str| answer(name, arguments, text, &Device::host()).unwrap().value;
    let down = none().with("descending", Setting::Given);
    let places = none().with("places", Setting::Given);
    let first = none().with("first", Setting::Number(2));
    assert_eq!(of("sort numbers", &none(), "3 1 2"), integers([1, 2, 3]));
    assert_eq!(of("sort numbers", &down, "3 1 2"), integers([3, 2, 1]));
    assert_eq!(of("sort numbers", &places, "3 1 2"), integers([1, 2, 0]));
    assert_eq!(of("sort numbers", &first, "3 1 2"), integers([1, 2]));
    assert_eq!(of("sort numbers", &none(), ""), integers([]));
    assert_eq!(of("sort numbers", &none(), "18446744073709551615 0"), Value::Elements(vec![0, u64::MAX]));
    assert_eq!(of("sort sparse", &none(), "4 5 8\n6 7\n\n"), integers([2, 1, 0]));
    assert_eq!(of("sort text", &places, "b\na\n"), integers([1, 0]));
    let lines = of("sort text", &none(), "b\na\n\nab");
    assert_eq!(text(&lines), "\na\nab\nb\n");
    assert_eq!(serde_json::to_string(&lines).unwrap(), "[2,1,3,0]");
}

#[test]
fn what_is_wrong_is_named() {
    let told = |name: &str, arguments: &Arguments, text: &str| {
        let error = answer(name, arguments, text, &Device::host()).unwrap_err();
        assert!(error.is_refusal());
        error.told(&["x.txt".to_owned()])
    };
    let none = Arguments::new();
    assert_eq!(told("sort numbers", &none, "1 x"), "x.txt:1: `x` is no number");
    assert_eq!(told("sort sparse", &none, "1\n2 1\n"), "x.txt:2: list 2: position 1 does not ascend");
    let width = none.clone().with("width", Setting::Number(2));
    assert_eq!(told("sort sparse", &width, "2"), "x.txt:1: list 1 has position 2, and its words have 2 bits");
    assert!(told("sort sparse", &none, "4294967295").contains("words have 2^32 - 1 bits at most"));
    assert!(told("sort sparse", &none, "1\n-2").starts_with("x.txt:2: "));
}
