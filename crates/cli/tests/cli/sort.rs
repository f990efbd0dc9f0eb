//! `manycore sort`: orders on the host and on every OpenCL device, and what is refused.

use crate::common::{Folder, devices, manycore, manycore_with};
use manycore::files::write_npy;
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
            ("9223372036854775813 3 1e0", "--type u64", "1\n3\n9223372036854775813\n"),
            ("9223372036854775813 3 1", "", "1\n3\n9223372036854775813\n"),
            ("18446744073709551615 3", "--places --descending", "0\n1\n"),
            ("1 nan -0.0 inf 0 -1 -nan -inf", "", "-NaN\n-inf\n-1.0\n-0.0\n0.0\n1.0\ninf\nNaN\n"),
            ("inf nan 1", "--type f32 --first 2", "1.0\ninf\n"),
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
fn arrays_have_infinities_and_unsigned_integers() {
    let folder = Folder::new();
    let array = |values: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = Vec::new();
        values(&mut bytes);
        bytes
    };
    folder.file("u.npy", array(&|out| write_npy(out, &[3u64, (1 << 63) + 5, 1]).unwrap()));
    folder.file("f.npy", array(&|out| write_npy(out, &[1.0, f64::NAN, -0.0, f64::INFINITY, 0.0, -1.0]).unwrap()));
    folder.file("s.npy", array(&|out| write_npy(out, &[f32::INFINITY, 1.0, f32::NEG_INFINITY]).unwrap()));
    for device in devices() {
        let sorted = |file: &str| folder.manycore(&format!("sort numbers {file} --device {device} --verify")).output();
        assert_eq!(sorted("u.npy"), "1\n3\n9223372036854775813\n");
        assert_eq!(sorted("u.npy --type u64 --descending --first 1"), "9223372036854775813\n");
        assert_eq!(sorted("f.npy"), "-1.0\n-0.0\n0.0\n1.0\ninf\nNaN\n");
        assert_eq!(sorted("s.npy"), "-inf\n1.0\ninf\n");
    }
    let report = folder.manycore("sort numbers u.npy --json --device host").json();
    assert_eq!(
        (&report["result"], &report["parameters"]["type"]),
        (&json!([1, 3, "9223372036854775813"]), &json!("u64"))
    );
    let refused = manycore_with("sort numbers - --device host", b"9223372036854775813 -1").error(2);
    assert_eq!(refused, "standard input:1: 9223372036854775813 is out of the range of i64");
    let refused = manycore_with("sort numbers - --device host", b"9007199254740993 0.5").error(2);
    assert!(refused.starts_with("standard input:1: 9007199254740993 is an integer that double"), "{refused}");
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
        ("1 2\n3 x", "", "standard input:2: `x` is no number"),
        ("1 4294967296", "", "standard input:1: 4294967296 is out of the range of u32"),
        ("1 2\n3 3", "", "standard input:2: list 2: position 3 does not ascend"),
        ("\n1 12", "--width 12", "standard input:2: list 2 has position 12, and its words have 12 bits"),
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
    // Bytes in, bytes out.
    for (input, output) in [
        (&b"\xe9t\xe9\nabc\n"[..], &b"abc\n\xe9t\xe9\n"[..]),
        (b"b\r\na\r\n", b"a\r\nb\r\n"),
        (b"\xef\xbb\xbfb\na", b"a\n\xef\xbb\xbfb\n"),
        (b"b\0\n\0\nb\n\xff\xfe", b"\0\nb\nb\0\n\xff\xfe\n"),
        (b"\n", b"\n"),
        (b"\n\nx", b"\n\nx\n"),
        (b"\x93NUMPY\n\x1f\x8b\n", b"\x1f\x8b\n\x93NUMPY\n"),
    ] {
        let folder = Folder::new();
        folder.file("text", input);
        folder.manycore("sort text text --device host --verify -o sorted").output();
        assert_eq!(std::fs::read(folder.path("sorted")).unwrap(), output, "{input:?}");
    }
    let report = manycore_with("sort text - --json", text.as_bytes()).json();
    assert_eq!((&report["parameters"]["lines"], &report["result"]), (&json!(6), &json!([2, 1, 4, 5, 3, 0])));
    let refused = manycore("sort text - -o x.npy").error(2);
    assert!(refused.contains("a sorted text"), "{refused}");
}

#[test]
fn nothing_is_no_count() {
    let refused = manycore_with("sort numbers - --first 0", b"3 1 2").error(2);
    assert!(refused.starts_with("invalid value '0' for '--first <COUNT>'"), "{refused}");
}
