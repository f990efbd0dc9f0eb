//! `manycore sparse`: known matrices by every form, and what is refused.

use crate::common::{Folder, devices};
use serde_json::{Value, json};

/// The matrix of the specification's worked example, section 6.7.
const SIX: &str = "%%MatrixMarket matrix coordinate pattern general
6 6 14
1 2
1 5
2 1
2 6
3 1
3 2
4 3
4 4
5 2
5 3
5 6
6 1
6 4
6 5
";

fn report(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_worked_example_is_ordered() {
    let folder = Folder::new();
    folder.file("six.mtx", SIX);
    let line = "sparse reorder six.mtx --merge 2 --verify";
    let expected = "%%MatrixMarket matrix coordinate pattern general\n6 6 14\n1 1\n1 3\n2 2\n2 4\n3 5\n3 6\n4 3\n4 4\n5 2\n5 3\n\
                    5 6\n6 1\n6 4\n6 5\n";
    assert_eq!(folder.manycore(line).output(), expected);
    let ordered = report(&folder.manycore(&format!("{line} --json --words 2 --line 1 --policy optimal")).output());
    assert_eq!(ordered["command"], "sparse reorder");
    assert_eq!(ordered["algorithm"], "brgc");
    assert_eq!(ordered["result"]["rows"], json!([0, 1, 3, 2, 4, 5]));
    assert_eq!(ordered["result"]["columns"], json!([4, 5, 1, 0, 3, 2]));
    // The count of the ordered matrix is that of `misses` on it.
    folder.manycore(&format!("{line} -o ordered.mtx")).output();
    for (file, key) in [("six.mtx", "misses_before"), ("ordered.mtx", "misses_after")] {
        let line = format!("sparse misses {file} --words 2 --line 1 --policy optimal --verify");
        assert_eq!(folder.manycore(&line).output().trim(), ordered["result"][key].to_string());
    }
    for method in ["rcm", "degree", "random --seed 3"] {
        let line = format!("sparse reorder six.mtx --method {method} --verify");
        let first = folder.manycore(&line).output();
        assert!(first.starts_with("%%MatrixMarket matrix coordinate pattern general\n6 6 14\n"), "{first}");
        assert_eq!(folder.manycore(&line).output(), first, "{method} is deterministic");
    }
}

#[test]
fn products_by_an_ordered_matrix_are_those_of_the_given_one() {
    let folder = Folder::new();
    folder.file("six.mtx", SIX);
    folder.file("x.txt", "1 2 3 4 5 6");
    for method in ["brgc --merge 2", "rcm", "degree", "random --seed 4"] {
        folder.manycore(&format!("sparse reorder six.mtx --method {method} -o ordered.mtx --orders o.json")).output();
        folder.manycore(&format!("sparse reorder six.mtx --method {method} -o report.json --json")).output();
        for device in devices() {
            let product =
                |line: &str| folder.manycore(&format!("sparse multiply {line} --device {device} --verify")).output();
            let expected = product("six.mtx x.txt");
            assert_eq!(expected, "7.0\n7.0\n3.0\n7.0\n11.0\n10.0\n");
            for orders in ["o.json", "report.json"] {
                assert_eq!(product(&format!("ordered.mtx x.txt --orders {orders}")), expected, "{method}");
            }
            let modulo = product("ordered.mtx x.txt --orders o.json --modulus 7");
            assert_eq!(modulo, "0\n0\n3\n0\n4\n3\n");
        }
    }
    let error = |line: &str| folder.manycore(&format!("sparse {line}")).error(2);
    folder.file("short.json", r#"{"rows": [0, 1], "columns": [0, 1, 2, 3, 4, 5]}"#);
    folder.file("twice.json", r#"{"rows": [0, 1, 2, 3, 4, 4], "columns": [0, 1, 2, 3, 4, 5]}"#);
    let multiply = "multiply ordered.mtx x.txt --orders";
    assert_eq!(error(&format!("{multiply} short.json")), "short.json: an order of 2 rows, where the matrix has 6");
    assert!(error(&format!("{multiply} twice.json")).starts_with("twice.json: "));
    assert!(error(&format!("{multiply} x.txt")).starts_with("x.txt: no JSON object with the lists rows and columns"));
    assert_eq!(error("reorder six.mtx --orders a -o a"), "a: --orders and -o name one file");
}

#[test]
fn misses_of_a_known_trace() {
    let folder = Folder::new();
    // The columns 0, 1, 2, 0, 1, 3, 0, 1 in rows of their own.
    let rows = [0, 1, 2, 0, 1, 3, 0, 1].iter().zip(1..).map(|(column, row)| format!("{row} {} 1\n", column + 1));
    folder.file("trace.sms", format!("8 4 M\n{}0 0 0\n", rows.collect::<String>()));
    for (lines, misses) in [(2, "6\n"), (3, "4\n")] {
        let line = format!("sparse misses trace.sms --words {lines} --line 1 --policy optimal --verify");
        assert_eq!(folder.manycore(&line).output(), misses);
    }
    let line = "sparse misses trace.sms --words 2 --line 1 --verify --json";
    let counted = report(&folder.manycore(line).output());
    assert_eq!((&counted["result"], &counted["parameters"]["compulsory"]), (&json!(8), &json!(4)));
    assert_eq!(counted["parameters"]["cache"], json!({ "words": 2, "line": 1, "policy": "lru" }));
}

#[test]
fn products_are_right_on_every_device() {
    let folder = Folder::new();
    folder.file("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 0.5\n2 3 4\n1 2 -2\n1 2 1\n");
    folder.file("b.sms", "2 3 M\n1 1 5\n1 3 -1\n2 2 6\n0 0 0\n");
    folder.file("x.txt", "2 3 6");
    for device in devices() {
        let line = format!("sparse multiply b.sms x.txt --modulus 7 --verify --device {device}");
        assert_eq!(folder.manycore(&line).output(), "4\n4\n");
        for p in ["4294967291", "18446744069414584321"] {
            let line = format!("sparse multiply b.sms x.txt --modulus {p} --verify --device {device}");
            assert_eq!(folder.manycore(&line).output(), "4\n18\n");
        }
        let line = format!("sparse multiply a.mtx x.txt --verify --json --device {device}");
        let multiplied = report(&folder.manycore(&line).output());
        assert_eq!(multiplied["result"], json!([-2.0, 24.0]), "{device}");
        assert_eq!(multiplied["verified"], true);
        assert_eq!(multiplied["parameters"]["non_zeros"], 3, "repeated entries are one");
    }
}

#[test]
fn facts_and_advice() {
    let folder = Folder::new();
    folder.file("six.mtx", SIX);
    let facts = report(&folder.manycore("sparse info six.mtx --device host --json").output());
    let result = &facts["result"];
    assert_eq!((&result["rows"], &result["non_zeros"], &result["values"]), (&json!(6), &json!(14), &json!("pattern")));
    assert_eq!(
        (&result["longest_row"], &result["bandwidth"], &result["empty_rows"]),
        (&json!(3), &json!(5), &json!(0))
    );
    assert_eq!((&result["advice"], &result["symmetric_pattern"]), (&json!("keep"), &json!(false)));
    assert_eq!(result["orders"].as_array().unwrap().len(), 3);
    let text = folder.manycore("sparse info six.mtx --device host").output();
    assert!(text.starts_with("rows: 6\ncolumns: 6\nnon-zeros: 14\n") && text.ends_with("advice: keep\n"), "{text}");
}

#[test]
fn what_is_wrong_is_refused() {
    let folder = Folder::new();
    folder.file("six.mtx", SIX);
    folder.file("x.txt", "1 2 3");
    folder.file("bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 5 0.5\n");
    folder.file("real.mtx", "%%MatrixMarket matrix coordinate real general\n1 3 1\n1 1 0.5\n");
    let error = |line: &str| folder.manycore(&format!("{line} --device host")).error(2);
    for command in ["reorder", "misses", "info"] {
        let told = error(&format!("sparse {command} bad.mtx"));
        assert_eq!(told, "bad.mtx:3: column 5 is out of range: the matrix has columns 1 to 2");
        assert!(error(&format!("sparse {command} none.mtx")).starts_with("none.mtx: No such file"));
        assert!(error(&format!("sparse {command} six.mtx -o x.npy")).contains("no .npy array"));
        assert!(
            error(&format!("sparse {command} six.mtx --line 0")).starts_with("--line 0: a line has at least one word")
        );
    }
    assert_eq!(error("sparse multiply six.mtx x.txt"), "x.txt: x: 3 elements given, 6 expected");
    let told = error("sparse multiply real.mtx x.txt --modulus 7");
    assert_eq!(told, "real.mtx: entry (1, 1) is 0.5, which is no integer below 2^53");
    assert!(error("sparse multiply six.mtx x.txt --modulus 8").starts_with("--modulus: "));
    assert!(error("sparse reorder six.mtx --merge 0").contains("'--merge <B>': expected a whole number of at least 1"));
    assert!(
        error("sparse reorder six.mtx --classes 1").contains("'--classes <T>': expected a number above 0 and below 1")
    );
}

#[test]
fn harwell_boeing_files_are_matrices() {
    let folder = Folder::new();
    let text = "three rows\n5 1 1 3 0\nRUA 3 3 3 0\n(4I4) (3I4) (1D12.4)\n   1   3   3   4\n   1   3   2\n  1.5000D+00\n -2.5000D-01\n  4.0000D+00\n";
    folder.file("a.rua", text);
    folder.file("x.txt", "2 1 1");
    assert_eq!(folder.manycore("sparse multiply a.rua x.txt --verify --device host").output(), "3.0\n4.0\n-0.5\n");
    folder.manycore("sparse reorder a.rua --method rcm --verify -o a.mtx").output();
    let error = |text: String| {
        folder.file("b.rua", text);
        folder.manycore("sparse info b.rua --device host").error(2)
    };
    assert_eq!(error(text.replace("3   4", "3   9")), "b.rua:5: pointer 4 is 9, where 4 to 4 are possible");
    assert!(error(text.replace("(4I4)", "(4A4)")).starts_with("b.rua:4: `(4A4)` is no Fortran format of integers"));
}
