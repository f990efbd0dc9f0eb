//! `manycore sort`: orders on the host and on every OpenCL device, and what is refused.

use crate::common::{Folder, devices, manycore, manycore_with};
use serde_json::json;

#[test]
fn numbers_and_their_places() {
    for device in devices() {
        for (input, options, output) in [
            ("3 -1 2 -1", "", "-1\n-1\n2\n3\n"),
            ("3 -1 2 -1", "--descending", "3\n2\n-1\n-1\n"),
            ("3 -1 2 -1", "--places", "1\n3\n2\n0\n"),
            ("3 -1 2 -1", "--places --descending --type i32", "0\n2\n1\n3\n"),
            ("3 -1 2 -1", "--first 2", "-1\n-1\n"),
            ("3 -1 2 -1", "--first 9 --descending", "3\n2\n-1\n-1\n"),
            ("0.5 -0.0 0.0 -2", "", "-2.0\n-0.0\n0.0\n0.5\n"),
            ("1e30 7 -1e30", "--type f32 --places --descending", "0\n1\n2\n"),
            ("", "", ""),
        ] {
            let line = format!("sort numbers - {options} --device {device} --verify");
            assert_eq!(manycore_with(&line, input.as_bytes()).output(), output, "{line}: {input}");
        }
    }
    // The other name.
    assert_eq!(manycore_with("sort integers - --device host", b"2 1").output(), "1\n2\n");
}

#[test]
fn arrays_and_reports() {
    let folder = Folder::new();
    let numbers: Vec<String> = (0..5000).map(|i| (i * 7919 % 5003 - 2500).to_string()).collect();
    folder.file("x.txt", numbers.join("\n"));
    for device in devices() {
        folder.manycore(&format!("sort numbers x.txt --device {device} -o sorted.npy")).output();
        let again =
            folder.manycore(&format!("sort numbers sorted.npy --device {device} --descending --first 1 --json"));
        let report = again.json();
        let largest = numbers.iter().map(|text| text.parse::<i64>().unwrap()).max().unwrap();
        assert_eq!(report["result"], json!([largest]));
        let parameters = json!({"length": 5000, "type": "i64", "order": "descending", "places": false, "first": 1});
        assert_eq!(report["parameters"], parameters);
        assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0), "{report}");
    }
}

#[test]
fn sparse_words() {
    // 50, 12, 0, 50, 7, 1023, 8 in ten bits: the specification's example.
    let text = "4 5 8\n6, 7 # twelve\n\n4 5 8\n# no word\n7 8 9\n0 1 2 3 4 5 6 7 8 9\n6\n";
    for (options, output) in [
        ("", "2\n4\n6\n1\n0\n3\n5\n"),
        ("--descending", "5\n0\n3\n1\n6\n4\n2\n"),
        ("--by gray --width 10", "2\n4\n1\n6\n0\n3\n5\n"),
    ] {
        for device in devices() {
            let line = format!("sort sparse - {options} --device {device} --verify");
            assert_eq!(manycore_with(&line, text.as_bytes()).output(), output, "{line}");
        }
    }
    let report = manycore_with("sort sparse - --json", text.as_bytes()).json();
    assert_eq!((&report["parameters"]["words"], &report["parameters"]["different"]), (&json!(7), &json!(6)));
    for (input, options, message) in [
        ("1 2\n3 x", "", "standard input:2: `x` is no position below 2^32"),
        ("1 2\n3 3", "", "standard input:2: list 1: position 3 does not ascend"),
        ("\n1 12", "--width 12", "standard input:2: list 1 has position 12, and its words have 12 bits"),
        ("4294967295", "", "position 4294967295: words have 2^32 - 1 bits at most"),
    ] {
        assert_eq!(manycore_with(&format!("sort sparse - {options}"), input.as_bytes()).error(2), message);
    }
}

#[test]
fn lines_of_a_text() {
    let text = "pear\nfig\n\npeach\nfig\npea";
    for device in devices() {
        let sorted = manycore_with(&format!("sort text - --device {device} --verify"), text.as_bytes());
        assert_eq!(sorted.output(), "\nfig\nfig\npea\npeach\npear\n", "{device}");
        let line = format!("sort text - --device {device} --places --descending --verify");
        assert_eq!(manycore_with(&line, text.as_bytes()).output(), "0\n3\n5\n1\n4\n2\n", "{device}");
    }
    let report = manycore_with("sort text - --json", text.as_bytes()).json();
    assert_eq!((&report["parameters"]["lines"], &report["result"]), (&json!(6), &json!([2, 1, 4, 5, 3, 0])));
    let refused = manycore("sort text - -o x.npy").error(2);
    assert!(refused.contains("a sorted text"), "{refused}");
}
