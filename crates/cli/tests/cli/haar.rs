//! `manycore spectrum haar`: its results, on the host and on every OpenCL device.

use crate::common::{Choices, Folder, devices, has_f64, integers, lines, manycore, manycore_with, read};
use manycore::spectral::haar::reference::haar;
use manycore::{HaarOrder, Normalization};
use serde_json::json;

#[test]
fn worked_examples_in_both_orders() {
    let cases = [
        ("3 1 4 1 5 9 2 6", "standard", [31, -13, -1, 6, 2, 3, -4, -4]),
        // Coefficients 0, 4, 2, 5, 1, 6, 3, 7.
        ("3 1 4 1 5 9 2 6", "in-place", [31, 2, -1, 3, -13, -4, 6, -4]),
        ("1,0,0,1,1,1,0,1", "standard", [5, -1, 0, 1, 1, -1, 0, -1]),
    ];
    for device in devices() {
        for (values, order, expected) in cases {
            for number_type in ["i32", "i64"] {
                let line = format!("spectrum haar - --device {device} --order {order} --type {number_type} --verify");
                assert_eq!(manycore_with(&line, values.as_bytes()).output(), lines(&expected), "{line}");
            }
        }
    }
}

#[test]
fn normalised_worked_examples() {
    let root = std::f64::consts::SQRT_2;
    let cases = [
        ("orthonormal", [4.5, -0.5, root, 2.121_320_343_559_642_4]),
        ("equal-energy", [9.0, -1.0, 2.0 * root, 4.242_640_687_119_286]),
    ];
    for device in devices().into_iter().filter(|device| has_f64(device)) {
        for (normalization, expected) in cases {
            // Integers become f64.
            let line = format!("spectrum haar - --normalization {normalization} --verify --json --device {device}");
            let report = manycore_with(&line, b"3 1 4 1").json();
            assert_eq!(report["parameters"]["type"], "f64");
            for (value, expected) in report["result"].as_array().unwrap().iter().zip(expected) {
                assert!((value.as_f64().unwrap() - expected).abs() < 1e-14, "{line}: {value} {expected}");
            }
        }
    }
}

#[test]
fn every_length_agrees_with_the_definition_and_comes_back() {
    let folder = Folder::new();
    for device in devices() {
        for log_len in [0, 1, 2, 5, 9, 13] {
            let x = integers(1 << log_len);
            folder.file("x.txt", lines(&x));
            for order in HaarOrder::ALL {
                let options = format!("--device {device} --order {order} --verify");
                assert_eq!(folder.manycore(&format!("spectrum haar x.txt {options} -o y.txt")).output(), "");
                let expected = haar(&x, order, Normalization::None).unwrap();
                assert_eq!(read(&folder.path("y.txt")), lines(&expected), "2^{log_len} {options}");
                let back = folder.manycore(&format!("spectrum haar y.txt --inverse {options}")).output();
                assert_eq!(back, lines(&x), "2^{log_len} {options}");
            }
        }
    }
}

#[test]
fn normalised_batches_come_back() {
    let folder = Folder::new();
    let x: Vec<f64> = integers(192).iter().map(|&value| value as f64 / 4.0).collect();
    folder.file("x.txt", lines(&x));
    for device in devices() {
        // Every variant of a kernel is compiled: all of them on the host, a few elsewhere.
        let host = device.starts_with("host");
        for number_type in if host { &["f32", "f64"][..] } else { &["f32"] } {
            for (normalization, order) in [
                (Normalization::Orthonormal, HaarOrder::Standard),
                (Normalization::EqualEnergy, HaarOrder::InPlace),
                (Normalization::None, HaarOrder::Standard),
                (Normalization::Orthonormal, HaarOrder::InPlace),
                (Normalization::EqualEnergy, HaarOrder::Standard),
            ]
            .into_iter()
            .take(if host { 5 } else { 2 })
            {
                let options = format!(
                    "--batch 32 --order {order} --normalization {normalization} --type {number_type} --device {device} \
                     --verify"
                );
                folder.manycore(&format!("spectrum haar x.txt {options} -o y.npy")).output();
                let back = folder.manycore(&format!("spectrum haar y.npy --inverse {options}")).output();
                assert_eq!(back.lines().count(), x.len());
                // Each of both transforms is off by at most n + 4 = 9 roundoffs of its terms: a value comes back from 6
                // coefficients, each of which has averages of values up to 64 as terms.
                let roundoff = if number_type == &"f32" { f64::from(f32::EPSILON) } else { f64::EPSILON } / 2.0;
                let bound = 2.0 * 9.0 * 6.0 * 64.0 * roundoff;
                for (value, expected) in back.lines().zip(&x) {
                    assert!((value.parse::<f64>().unwrap() - expected).abs() <= bound, "{options}");
                }
            }
        }
    }
}

#[test]
fn integers_wrap_only_when_told_to() {
    for device in devices() {
        let line = format!("spectrum haar - --type i32 --device {device} --verify");
        let x = "2147483647 1 0 0";
        assert_eq!(
            manycore_with(&line, x.as_bytes()).error(2),
            "standard input: coefficients of transform 0 could reach 2147483648, past the largest i32; use --type i64, \
             or --wrap to compute modulo 2^32"
        );
        let wrapped = manycore_with(&format!("{line} --wrap"), x.as_bytes()).output();
        assert_eq!(wrapped, lines(&[i32::MIN, i32::MIN, 2_147_483_646, 0]));
        // The largest spectrum fits its type, but not the sums that lead back.
        let most = manycore_with(&line, b"2147483647 0").output();
        assert_eq!(most, lines(&[i32::MAX, i32::MAX]));
        let back = manycore_with(&format!("{line} --inverse"), most.as_bytes()).error(2);
        assert!(back.contains("could reach 4294967294"), "{back}");
    }
}

#[test]
fn an_inverse_that_is_no_integer_is_refused() {
    for device in devices() {
        let line = format!("spectrum haar - --inverse --verify --device {device}");
        assert_eq!(
            manycore_with(&line, b"8 0 0 0 8 0 1 0").error(2),
            "standard input: no spectrum of integers: value 5 of its inverse is 12/8; use --type f64"
        );
        let batch = manycore_with(&format!("{line} --batch 2"), b"2 0 3 1 3 0").error(2);
        assert!(batch.contains("value 5 of its inverse is 3/2"), "{batch}");
        let rounded = manycore_with(&format!("{line} --wrap"), b"3 0").output();
        assert_eq!(rounded, lines(&[1, 1]));
    }
}

#[test]
fn what_is_wrong_is_told() {
    let error = |line: &str, input: &str| manycore_with(&format!("{line} --device host"), input.as_bytes()).error(2);
    assert_eq!(
        error("spectrum haar - --normalization orthonormal --type i32", "1 2"),
        "--normalization orthonormal: the coefficients are no integers; use --type f32 or f64 instead of i32"
    );
    assert_eq!(
        error("spectrum haar -", "1 2 3"),
        "standard input: 3 values: the length of a transform must be a power of two"
    );
    assert_eq!(error("spectrum haar - --type f32", "1 nan"), "standard input:1: nan is not finite");
    let message = manycore("spectrum haar - --order sequency").error(2);
    assert!(message.contains("possible values: standard, in-place"), "{message}");
    let message = manycore("spectrum haar - --normalization unit").error(2);
    assert!(message.contains("possible values: none, orthonormal, equal-energy"), "{message}");
}

#[test]
fn the_json_of_a_spectrum() {
    let line = "spectrum haar - --json --verify --seed 9 --order in-place --batch 4 --device host";
    let report = manycore_with(line, b"1 2 3 4 0 0 0 1").json();
    assert_eq!((&report["command"], &report["algorithm"]), (&json!("spectrum haar"), &json!("cooley-tukey")));
    assert_eq!(
        report["parameters"],
        json!({"type": "i64", "length": 4, "transforms": 2, "order": "in-place", "direction": "forward",
               "normalization": "none", "wrap": false, "seed": 9})
    );
    assert_eq!(report["result"], json!([10, -1, -4, -1, 1, 0, -1, -1]));
}

#[test]
fn explanations() {
    for device in devices() {
        let text = manycore(&format!("explain haar --n 2^16 --device {device}")).output();
        assert_eq!(text.lines().filter(|line| line.starts_with('*')).count(), 1, "{text}");
        let line = format!("explain haar --n 2^12 --order in-place --type i32 --json --device {device}");
        is_in_place(&manycore(&line).json()["parameters"]);
    }
}

/// Checks the parameters of transforms of 2^12 integers in place.
#[track_caller]
fn is_in_place(parameters: &serde_json::Value) {
    let told = json!({"operation": "haar", "n": 4096, "batch": 1, "type": "i32", "order": "in-place"});
    assert!(told.as_object().unwrap().iter().all(|(key, value)| parameters[key] == *value), "{parameters}");
}

#[test]
fn choices_are_measured_and_kept() {
    is_in_place(&Choices::new().tune("haar --n 2^12 --order in-place --type i32")["parameters"]);
}
