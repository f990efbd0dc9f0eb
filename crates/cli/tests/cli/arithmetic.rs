//! `manycore spectrum arithmetic`: its results, on the host and on every OpenCL device.

use crate::common::{Choices, Folder, devices, has_f64, integers, lines, manycore, manycore_with, read};
use manycore::BitOrder;
use manycore::spectral::arithmetic::reference::arithmetic;
use serde_json::json;

#[test]
fn worked_examples_in_both_orders_by_every_algorithm() {
    let cases = [
        ("3 1 4 1 5 9 2 6", "natural", [3, -2, 1, -1, 2, 6, -4, 1]),
        ("3 1 4 1 5 9 2 6", "reversed", [3, 2, 1, -4, -2, 6, -1, 1]),
        ("1,0,0,1,1,1,0,1", "natural", [1, -1, -1, 2, 0, 1, 0, -1]),
        ("1,0,0,1,1,1,0,1", "reversed", [1, 0, -1, 0, -1, 1, 2, -1]),
    ];
    for device in devices() {
        for (values, order, expected) in cases {
            for algorithm in ["cooley-tukey", "constant-geometry"] {
                let line = format!(
                    "spectrum arithmetic - --device {device} --order {order} --algorithm {algorithm} --type i32 --verify"
                );
                assert_eq!(manycore_with(&line, values.as_bytes()).output(), lines(&expected), "{line}");
            }
        }
    }
}

#[test]
fn every_length_agrees_with_the_definition_and_comes_back() {
    let folder = Folder::new();
    for device in devices() {
        for (log_len, polarity) in [(0, 0), (1, 1), (2, 0), (5, 0x15), (9, 0)] {
            let x = integers(1 << log_len);
            folder.file("x.txt", lines(&x));
            for order in BitOrder::ALL {
                let options = format!("--device {device} --order {order} --polarity {polarity:#x} --verify");
                assert_eq!(folder.manycore(&format!("spectrum arithmetic x.txt {options} -o y.txt")).output(), "");
                let expected = arithmetic(&x, order, polarity).unwrap();
                assert_eq!(read(&folder.path("y.txt")), lines(&expected), "2^{log_len} {options}");
                let back = folder.manycore(&format!("spectrum arithmetic y.txt --inverse {options}")).output();
                assert_eq!(back, lines(&x), "2^{log_len} {options}");
            }
        }
    }
}

#[test]
fn batches_types_and_arrays() {
    let folder = Folder::new();
    let x: Vec<f64> = integers(96).iter().map(|&value| value as f64 / 4.0).collect();
    folder.file("x.txt", lines(&x));
    let expected: Vec<f64> = x.chunks(16).flat_map(|run| arithmetic(run, BitOrder::Reversed, 5).unwrap()).collect();
    for device in devices() {
        for number_type in if has_f64(&device) { &["f32", "f64"][..] } else { &["f32"] } {
            // Quarters of small integers: every sum is exact.
            let options = format!("--batch 16 --order reversed --polarity 5 --device {device} --verify");
            let to = format!("spectrum arithmetic x.txt --type {number_type} {options} -o y.npy");
            assert_eq!(folder.manycore(&to).output(), "");
            let back = folder.manycore(&format!("spectrum arithmetic y.npy --inverse {options}")).output();
            assert_eq!(back, lines(&x), "{options}");
            let text = folder.manycore(&format!("spectrum arithmetic x.txt --type {number_type} {options}")).output();
            assert_eq!(text, lines(&expected), "{options}");
        }
    }
}

#[test]
fn integers_wrap_only_when_told_to() {
    let x = "2147483647 -1 0 0";
    for device in devices() {
        let line = format!("spectrum arithmetic - --type i32 --device {device} --verify");
        assert_eq!(
            manycore_with(&line, x.as_bytes()).error(2),
            "standard input: coefficients of transform 0 could reach 2147483648, past the largest i32; use --type i64, \
             or --wrap to compute modulo 2^32"
        );
        let wrapped = manycore_with(&format!("{line} --wrap"), x.as_bytes()).output();
        assert_eq!(wrapped, lines(&[i32::MAX, i32::MIN, -i32::MAX, i32::MIN]));
        let back = manycore_with(&format!("{line} --wrap --inverse"), wrapped.as_bytes()).output();
        assert_eq!(back, lines(&[i32::MAX, -1, 0, 0]));
    }
}

#[test]
fn the_json_of_a_spectrum() {
    let line = "spectrum arithmetic - --json --verify --seed 9 --order reversed --batch 4 --polarity 3 --device host";
    let report = manycore_with(line, b"1 2 3 4 0 0 0 1").json();
    assert_eq!(
        (&report["command"], &report["algorithm"]),
        (&json!("spectrum arithmetic"), &json!("constant-geometry"))
    );
    assert_eq!(
        report["parameters"],
        json!({"type": "i64", "length": 4, "transforms": 2, "order": "reversed", "direction": "forward", "polarity": 3,
               "wrap": false, "seed": 9})
    );
    assert_eq!(report["result"], json!([4, -2, -1, 0, 1, -1, -1, 1]));
    assert_eq!(report["verified"], json!(true));
    assert!(report["predicted_seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn what_is_wrong_is_told() {
    let error = |line: &str, input: &str| manycore_with(line, input.as_bytes()).error(2);
    assert_eq!(
        error("spectrum arithmetic - --polarity 0x4 --device host", "1 2 3 4"),
        "--polarity 0x4: the functions have 2 variables"
    );
    assert_eq!(
        error("spectrum arithmetic - --device host", "1 2 3"),
        "standard input: 3 values: the length of a transform must be a power of two"
    );
    assert_eq!(
        error("spectrum arithmetic - --batch 4 --device host", "1 2 3 4 5 6"),
        "standard input: 6 values are no whole number of transforms of 4 (--batch)"
    );
    let message = manycore("spectrum arithmetic - --polarity=-1 --device host").error(2);
    assert!(message.contains("--polarity"), "{message}");
    let message = manycore("spectrum arithmetic - --order sequency").error(2);
    assert!(message.contains("possible values: natural, reversed"), "{message}");
}

#[test]
fn explanations() {
    for device in devices() {
        let text = manycore(&format!("explain arithmetic --n 2^16 --device {device}")).output();
        assert_eq!(text.lines().filter(|line| line.starts_with('*')).count(), 1, "{text}");
        let line = format!("explain arithmetic --n 2^12 --batch 4 --type i64 --json --device {device}");
        let report = manycore(&line).json();
        let told = json!({"operation": "arithmetic", "n": 4096, "batch": 4, "type": "i64", "order": "natural"});
        assert!(told.as_object().unwrap().iter().all(|(key, value)| report["parameters"][key] == *value), "{report}");
        assert!(report["result"][0]["estimate_seconds"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn choices_are_measured_and_kept() {
    Choices::new().tune("arithmetic --n 2^12 --batch 4 --type i64");
}
