//! Declared operations on sparse matrices: orders that are written and read, parts of products, and what is wrong is named.

use manycore_device::{Device, DeviceSet};
use manycore_operation::vector::Vector;
use manycore_operation::{Answer, Arguments, Given, Operation, OperationError, Setting, Value};
use manycore_sparse::operations::ALL;
use manycore_testkit::devices;
use serde_json::json;

/// The matrix of the specification's worked example, section 6.7.
const SIX: &str = "%%MatrixMarket matrix coordinate pattern general\n6 6 14\n1 2\n1 5\n2 1\n2 6\n3 1\n3 2\n4 3\n4 4\n5 2\n5 3\n5 6\n6 1\n6 4\n6 5\n";

fn named(name: &str) -> &'static dyn Operation {
    *ALL.iter().find(|operation| operation.declaration().name == name).unwrap()
}

/// Arguments by name, those that have a value where none is given among them.
fn arguments(name: &str, options: &serde_json::Value) -> Result<Arguments, OperationError> {
    named(name).declaration().arguments(options.as_object().unwrap())
}

/// The checked answer of a call on a device.
fn answer(name: &str, options: &serde_json::Value, given: Given, device: &Device) -> Result<Answer, OperationError> {
    given.call(named(name), &arguments(name, options)?, &DeviceSet::from(device.clone()), (3, true))
}

fn text(value: &Value) -> String {
    let mut text = Vec::new();
    value.write_text(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn of_six() -> Given {
    Given::new().with("six.mtx", SIX)
}

#[test]
fn products_by_an_ordered_matrix_are_those_of_the_given_one() {
    for method in ["brgc", "rcm", "degree", "random"] {
        let options = json!({ "method": method, "orders": true });
        let ordered = answer("sparse reorder", &options, of_six(), &Device::host()).unwrap();
        assert_eq!((ordered.algorithm, ordered.is_random), (Some(method), method == "random"));
        let [(option, orders)] = &ordered.files[..] else { panic!("{:?}", ordered.files) };
        assert_eq!(*option, "orders");
        // Orders alone, and those of the report.
        let report = json!({ "result": ordered.value }).to_string();
        for orders in [orders.clone(), report.into_bytes()] {
            for device in devices() {
                let given = || {
                    let matrix = Given::new().with("ordered.mtx", text(&ordered.value));
                    matrix.with("x.txt", "1 2 3 4 5 6").with("o.json", orders.clone())
                };
                let of = |options| answer("sparse multiply", &options, given(), &device).unwrap();
                let product = of(json!({ "orders": true }));
                assert_eq!(product.value, Value::Vector(Vector::F64(vec![7.0, 7.0, 3.0, 7.0, 11.0, 10.0])), "{method}");
                assert!(product.parameters.contains(&("orders", json!("o.json"))));
                let product = of(json!({ "orders": true, "modulus": 7 }));
                assert_eq!((product.value, product.modulus), (Value::Elements(vec![0, 0, 3, 0, 4, 3]), Some(7)));
                // Parts are rows of the given matrix.
                let part = given().part_of(2..5);
                let options = json!({ "orders": true, "modulus": 7 });
                let part = answer("sparse multiply", &options, part, &device).unwrap();
                assert_eq!(part.value, Value::Elements(vec![3, 0, 4]));
            }
        }
    }
}

#[test]
fn orders_are_told_with_their_misses() {
    let options = json!({ "merge": 2, "words": 2, "line": 1, "policy": "optimal" });
    let ordered = answer("sparse reorder", &options, of_six(), &Device::host()).unwrap();
    let told = serde_json::to_value(&ordered.value).unwrap();
    assert_eq!((&told["rows"], &told["columns"]), (&json!([0, 1, 3, 2, 4, 5]), &json!([4, 5, 1, 0, 3, 2])));
    assert!(ordered.files.is_empty());
    assert_eq!(ordered.told()["cache"], json!({ "words": 2, "line": 1, "policy": "optimal" }));
    let options = json!({ "words": 2, "line": 1, "policy": "optimal" });
    for (matrix, key) in [(SIX.to_owned(), "misses_before"), (text(&ordered.value), "misses_after")] {
        let given = Given::new().with("m.mtx", matrix);
        let counted = answer("sparse misses", &options, given, &Device::host()).unwrap();
        assert_eq!(Some(counted.value), told[key].as_u64().map(Value::Number), "{key}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let error = |name: &str, options: serde_json::Value, given: Given| {
        let names = ["a.mtx", "x.txt"].map(str::to_owned);
        let error = answer(name, &options, given, &Device::host()).unwrap_err();
        assert!(error.is_refusal(), "{error}");
        error.told(&names)
    };
    let product = |x: &str, orders: &str| of_six().with("x.txt", x).with("o.json", orders);
    let of_orders = |orders: &str| error("sparse multiply", json!({ "orders": true }), product("1 2 3 4 5 6", orders));
    assert_eq!(
        of_orders("[]"),
        "o.json: no JSON object with the lists rows and columns, as sparse reorder --orders writes it"
    );
    let short = r#"{"rows": [0, 1], "columns": [0, 1, 2, 3, 4, 5]}"#;
    assert_eq!(of_orders(short), "o.json: an order of 2 rows, where the matrix has 6");
    let twice = r#"{"rows": [0, 1, 2, 3, 4, 4], "columns": [0, 1, 2, 3, 4, 5]}"#;
    assert!(of_orders(twice).starts_with("o.json: entry 5 of a permutation of 6 is 4"));
    let multiply = |x: &str| error("sparse multiply", json!({}), product(x, ""));
    assert_eq!(multiply("1 2 3"), "x.txt: x: 3 elements given, 6 expected");
    let rounded = "x.txt: value 2, 9007199254740993, is an integer that double precision does not hold exactly: compute with \
                   --modulus, or write it with a point";
    assert_eq!(multiply("1 9007199254740993"), rounded);
    assert_eq!(error("sparse misses", json!({ "line": 0 }), of_six()), "--line 0: a line has at least one word");
    let unfit = error("sparse reorder", json!({ "method": "rcm", "merge": 2 }), of_six());
    assert_eq!(unfit, "merge goes with method brgc: no other order reads it");
    let bad = Given::new().with("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 5 0.5\n");
    let message = "a.mtx:3: column 5 is out of range: the matrix has columns 1 to 2";
    for name in ["sparse reorder", "sparse misses", "sparse info", "sparse report"] {
        assert_eq!(error(name, json!({}), bad.clone()), message, "{name}");
    }
}

#[test]
fn random_orders_of_a_page_have_the_seed_that_is_told() {
    let report = named("sparse report");
    assert_eq!(report.declaration().seed, Some(1));
    let page = |seed| {
        let arguments = arguments("sparse report", &json!({})).unwrap().with("words", Setting::Number(16));
        of_six().call(report, &arguments, &DeviceSet::from(Device::host()), (seed, true)).unwrap().value
    };
    assert!(page(1) == page(1) && page(1) != page(2));
}
