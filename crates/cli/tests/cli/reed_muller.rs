//! `manycore spectrum reed-muller` and `spectrum polarities`: their results, on the host and on every OpenCL device.

use crate::common::{Choices, Folder, are_ranked, devices, lines, manycore, manycore_with, read};
use manycore::BitOrder;
use manycore::spectral::reed_muller::reference::reed_muller;
use serde_json::json;

/// Bits without a pattern.
fn bits(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61) as u8 & 1).collect()
}

#[test]
fn worked_examples_in_both_orders_by_every_algorithm() {
    let cases = [("natural", [1, 1, 1, 0, 0, 1, 0, 1]), ("reversed", [1, 0, 1, 0, 1, 1, 0, 1])];
    for device in devices() {
        for (order, expected) in cases {
            for algorithm in ["cooley-tukey", "constant-geometry"] {
                let line = format!(
                    "spectrum reed-muller - --device {device} --order {order} --algorithm {algorithm} --verify"
                );
                assert_eq!(manycore_with(&line, b"1 0 0 1 1 1 0 1").output(), lines(&expected), "{line}");
            }
        }
    }
}

#[test]
fn packed_worked_examples() {
    let cases = [
        ("0xb9", "--variables 3", "0x00000000000000a7\n"),
        ("1", "", "0xffffffffffffffff\n"),
        ("0x8000000000000000", "", "0x8000000000000000\n"),
        ("18446744073709551615", "", "0x0000000000000001\n"),
        ("0x0EE1DC3B8770EE1D 0x3B8770EE1DC3B877", "", "0x44493cc6ccdb454b\n0x4142f3c1c3c71442\n"),
        ("0xffffffffffffffff 1", "--variables 6", "0x0000000000000001\n0xffffffffffffffff\n"),
    ];
    for device in devices() {
        for (values, options, expected) in cases {
            let line = format!("spectrum reed-muller - --packed {options} --device {device} --verify");
            assert_eq!(manycore_with(&line, values.as_bytes()).output(), expected, "{line}");
            assert_eq!(manycore_with(&format!("{line} --json"), values.as_bytes()).json()["verified"], json!(true));
        }
    }
}

#[test]
fn every_length_agrees_with_the_definition_and_comes_back() {
    let folder = Folder::new();
    for device in devices() {
        for (log_len, polarity) in [(0, 0), (1, 1), (2, 0), (5, 0x15), (9, 0), (12, 0xF01)] {
            let x = bits(1 << log_len);
            folder.file("x.txt", lines(&x));
            for order in BitOrder::ALL {
                let options = format!("--device {device} --order {order} --polarity {polarity} --verify");
                assert_eq!(folder.manycore(&format!("spectrum reed-muller x.txt {options} -o y.txt")).output(), "");
                let expected = reed_muller(&x, order, polarity).unwrap();
                assert_eq!(read(&folder.path("y.txt")), lines(&expected), "2^{log_len} {options}");
                let back = folder.manycore(&format!("spectrum reed-muller y.txt --inverse {options}")).output();
                assert_eq!(back, lines(&x), "2^{log_len} {options}");
            }
        }
    }
}

#[test]
fn arrays_batches_and_packed_arrays() {
    let folder = Folder::new();
    let x = bits(96);
    folder.file("x.txt", lines(&x));
    let expected: Vec<u8> = x.chunks(16).flat_map(|run| reed_muller(run, BitOrder::Natural, 5).unwrap()).collect();
    let words: Vec<u64> =
        (0..16_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17) | 1 << 53).collect();
    folder.file("w.txt", lines(&words));
    for device in devices() {
        let options = format!("--polarity 5 --device {device} --verify");
        folder.manycore(&format!("spectrum reed-muller x.txt --batch 16 {options} -o y.npy")).output();
        let array = npyz::NpyFile::new(std::fs::File::open(folder.path("y.npy")).unwrap()).unwrap();
        assert_eq!(array.into_vec::<u8>().unwrap(), expected, "{device}");
        let back = folder.manycore(&format!("spectrum reed-muller y.npy --batch 16 --inverse {options}")).output();
        assert_eq!(back, lines(&x), "{device}");
        for variables in [3, 6, 8, 10] {
            let options = format!("--packed --variables {variables} {options}");
            folder.manycore(&format!("spectrum reed-muller w.txt {options} -o p.npy")).output();
            let array = npyz::NpyFile::new(std::fs::File::open(folder.path("p.npy")).unwrap()).unwrap();
            assert_ne!(array.into_vec::<u64>().unwrap(), words);
            folder.manycore(&format!("spectrum reed-muller p.npy --inverse {options} -o q.npy")).output();
            let array = npyz::NpyFile::new(std::fs::File::open(folder.path("q.npy")).unwrap()).unwrap();
            assert_eq!(array.into_vec::<u64>().unwrap(), words, "{options}");
        }
    }
}

#[test]
fn the_json_of_a_spectrum() {
    let report =
        manycore_with("spectrum reed-muller - --json --verify --seed 9 --batch 4 --device host", b"1 0 0 1 1 1 0 1")
            .json();
    assert_eq!((&report["command"], &report["algorithm"]), (&json!("spectrum reed-muller"), &json!("cooley-tukey")));
    assert_eq!(
        report["parameters"],
        json!({"length": 4, "transforms": 2, "order": "natural", "direction": "forward", "polarity": 0, "packed": false,
               "seed": 9})
    );
    assert_eq!(report["result"], json!([1, 1, 1, 0, 1, 0, 1, 1]));
    let report = manycore_with("spectrum reed-muller - --packed --json --device host", b"1 0").json();
    assert_eq!(report["result"], json!(["0xffffffffffffffff", "0xffffffffffffffff"]));
    assert_eq!((&report["parameters"]["length"], &report["algorithm"]), (&json!(128), &json!(null)));
}

#[test]
fn what_is_wrong_is_told() {
    let error = |line: &str, input: &str| manycore_with(&format!("{line} --device host"), input.as_bytes()).error(2);
    assert_eq!(
        error("spectrum reed-muller -", "1 0\n2 1"),
        "standard input:2: value 3 is 2: a Boolean function has the values 0 and 1 only"
    );
    assert_eq!(
        error("spectrum reed-muller - --polarity 8", "1 0 1 1"),
        "--polarity 0x8: the functions have 2 variables"
    );
    assert_eq!(
        error("spectrum reed-muller -", "1 0 1"),
        "standard input: 3 values: the length of a transform must be a power of two"
    );
    assert_eq!(
        error("spectrum reed-muller - --packed", "1 0 1"),
        "standard input: 192 values: the length of a transform must be a power of two"
    );
    assert_eq!(
        error("spectrum reed-muller - --packed --variables 7", "1 0 1"),
        "standard input: 3 words of 64 values are no whole number of functions of 7 variables"
    );
    assert_eq!(
        error("spectrum reed-muller - --packed --variables 64", "1"),
        "standard input: 1 words of 64 values are no whole number of functions of 64 variables"
    );
    assert_eq!(
        error("spectrum reed-muller - --packed", "1 b9"),
        "standard input:1: word 2, b9, is no number below 2^64"
    );
    assert_eq!(
        error("spectrum reed-muller - --packed --order reversed", "1"),
        "--order reversed: packed spectra are in natural order"
    );
    let message = manycore("spectrum reed-muller - --variables 3").error(2);
    assert!(message.contains("--packed"), "{message}");
}

#[test]
fn the_best_polarity_is_found() {
    for device in devices() {
        let run = |options: &str, input: &str| {
            manycore_with(&format!("spectrum polarities - {options} --verify --device {device}"), input.as_bytes())
        };
        assert_eq!(run("", "1 0 0 0").output(), "3 1\n");
        assert_eq!(run("--all", "1 0 0 0").output(), "0 4\n1 2\n2 2\n3 1\n");
        assert_eq!(run("--arithmetic --all", "0 1 1 0").output(), "0 3\n1 4\n2 4\n3 3\n");
        assert_eq!(run("--arithmetic", "0 1 1 0").output(), "0 3\n");
        let report = run("--json", "1 0 0 1 1 1 0 1").json();
        let (polarity, terms) = (&report["result"]["polarity"], &report["result"]["terms"]);
        let all = report["result"]["all"].as_array().unwrap();
        assert_eq!((all.len(), &all[polarity.as_u64().unwrap() as usize]), (8, terms));
        assert_eq!(terms.as_u64(), all.iter().map(|terms| terms.as_u64().unwrap()).min());
        let spectrum =
            manycore_with(&format!("spectrum reed-muller - --polarity {polarity}"), b"1 0 0 1 1 1 0 1").output();
        assert_eq!(spectrum.matches('1').count() as u64, terms.as_u64().unwrap());
        // More variables than a word has, so that parts of the function meet.
        let input = lines(&bits(1 << 9));
        assert_eq!(run("--json", &input).json()["verified"], json!(true));
        assert_eq!(run("--arithmetic --json", &input).json()["parameters"]["polynomial"], "arithmetic");
    }
}

#[test]
fn polarities_of_what_is_no_function_are_refused() {
    let error = |options: &str, input: &str| {
        manycore_with(&format!("spectrum polarities - {options} --device host"), input.as_bytes()).error(2)
    };
    assert_eq!(error("", "1 0 3 0"), "standard input:1: value 3 is 3: a Boolean function has the values 0 and 1 only");
    assert_eq!(error("", "1 0 1"), "standard input: 3 values: the length of a transform must be a power of two");
    assert_eq!(error("--arithmetic", "1 0.5"), "standard input:1: `0.5` is no integer");
    assert!(error("--arithmetic", "9223372036854775807 1").contains("add up to 9223372036854775808"));
}

#[test]
fn explanations() {
    for device in devices() {
        let text = manycore(&format!("explain reed-muller --n 2^16 --device {device}")).output();
        assert_eq!(text.lines().filter(|line| line.starts_with('*')).count(), 1, "{text}");
        let report = manycore(&format!("explain reed-muller --n 2^18 --packed --json --device {device}")).json();
        let told = json!({"operation": "reed-muller", "n": 262_144, "batch": 1, "packed": true});
        assert!(told.as_object().unwrap().iter().all(|(key, value)| report["parameters"][key] == *value), "{report}");
        assert!(are_ranked(report["result"].as_array().unwrap()), "{report}");
    }
    assert!(manycore("explain reed-muller --n 3 --packed --device host").error(2).contains("power of two"));
}

#[test]
fn choices_are_measured_and_kept() {
    let choices = Choices::new();
    choices.tune("reed-muller --n 2^18 --packed");
    choices.tune("reed-muller --n 2^12 --batch 3");
}
