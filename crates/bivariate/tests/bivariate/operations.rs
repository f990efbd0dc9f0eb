//! Declared operations on systems: read from texts, computed on every device, checked, and the same as the host's.

use manycore_bivariate::BivariateError;
use manycore_bivariate::operations::ALL;
use manycore_device::{Device, DeviceSet};
use manycore_field::NotPrime;
use manycore_operation::{Answer, Arguments, Given, Operation, OperationError, Setting, Value};
use serde_json::json;

fn named(name: &str) -> &'static dyn Operation {
    *ALL.iter().find(|operation| operation.declaration().name == name).unwrap()
}

/// The checked answer of a call on a device.
fn answer(name: &str, arguments: &Arguments, text: &str, device: &Device) -> Result<Answer, OperationError> {
    let given = Given::new().with("s.txt", text);
    given.call(named(name), arguments, &DeviceSet::from(device.clone()), (1, true))
}

fn modulo(p: u64) -> Arguments {
    Arguments::new().with("modulus", Setting::Number(p))
}

fn exact() -> Arguments {
    Arguments::new().with("exact", Setting::Given)
}

fn text(value: &Value) -> String {
    let mut text = Vec::new();
    value.write_text(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

const CIRCLE: &str = "# a circle and a hyperbola\nx^2 + y^2 - 5\nx*y - 2\n";

#[test]
fn values_are_those_of_the_ring() {
    let of = |name: &str, arguments: &Arguments, text: &str| answer(name, arguments, text, &Device::host()).unwrap();
    let found = of("bivariate resultant", &modulo(9001), CIRCLE);
    assert_eq!(text(&found.value), "x^4 + 8996*x^2 + 4\n");
    let parameters = [("eliminate", json!("second")), ("modulus", json!(9001)), ("variables", json!(["x", "y"]))];
    assert_eq!(found.parameters, parameters);
    let zero = "(y - x)*(y - 1)\n(y - x)*(x - 2)\n";
    assert_eq!(text(&of("bivariate resultant", &modulo(9001), zero).value), "0\n");
    let found = of("bivariate resultant", &exact(), zero);
    assert_eq!((text(&found.value), serde_json::to_value(&found.value).unwrap()), ("0\n".to_owned(), json!([])));
    let named = modulo(9001).with("variables", Setting::Text("a,b".to_owned()));
    let solved = of("bivariate solve", &named, "a - 1\nb - a - 1\n").value;
    assert_eq!(text(&solved), "chain a + 9000 ; b + 8999\npoint 1 2\n");
    let halves = of("bivariate solve", &exact(), "2*x*y - 3\nx + y - 7/2\n").value;
    assert_eq!(serde_json::to_value(&halves).unwrap()["points"], json!([["1/2", 3], [3, "1/2"]]));
    let none = of("bivariate solve", &modulo(7), "x - 1\nx - 2\n").value;
    assert_eq!(text(&none), "no solutions\n");
}

#[test]
fn what_is_wrong_is_named() {
    let of =
        |name: &str, arguments: &Arguments, text: &str| answer(name, arguments, text, &Device::host()).unwrap_err();
    assert!(of("bivariate solve", &modulo(12), "x\ny").of::<NotPrime>().is_some());
    assert_eq!(
        of("bivariate solve", &modulo(7), "x").to_string(),
        "s.txt: 1 polynomial, where a system has two, one a line"
    );
    assert!(of("bivariate resultant", &modulo(7), "x\n\ny z").to_string().starts_with("s.txt:3: column "));
    let equal = modulo(7).with("variables", Setting::Text("a,a".to_owned()));
    assert!(of("bivariate solve", &equal, "a\na").to_string().contains("two different names"));
    let other = modulo(7).with("eliminate", Setting::Text("z".to_owned()));
    assert!(
        of("bivariate resultant", &other, "x\ny").to_string().starts_with("--eliminate z: the variables are x and y")
    );
    let plane = of("bivariate solve", &modulo(7), "0\n0");
    assert!(matches!(plane.of(), Some(BivariateError::WholePlane)) && plane.is_refusal(), "{plane}");
    assert!(of("bivariate report", &modulo(1031), "x\ny").to_string().contains("up to 1024 elements"));
    assert!(of("bivariate report", &exact(), "x\ny").to_string().contains("give --modulus"));
}
