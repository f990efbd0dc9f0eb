//! `manycore characters` and `manycore explain characters`: tables on the host and on every OpenCL device, and what is
//! refused.

use crate::common::{Folder, devices, manycore, read};
use serde_json::json;

#[test]
fn worked_examples() {
    for device in devices() {
        let text = |line: &str| manycore(&format!("characters {line} --device {device}")).output();
        let c2c3 = "0 0 0 0 0 0 # (0,0)\n0 2 4 0 2 4 # (0,1)\n0 4 2 0 4 2 # (0,2)\n\
                    0 0 0 3 3 3 # (1,0)\n0 2 4 3 5 1 # (1,1)\n0 4 2 3 1 5 # (1,2)\n";
        assert_eq!(text("2,3 --exponents"), c2c3);
        assert_eq!(text("2,3 --exponents --verify"), c2c3);
        assert_eq!(text("2,3 --exponents --algorithm kronecker"), c2c3);
        assert_eq!(text("2,3 --exponents --rows 4..5 --columns 2..6"), "4 3 5 1 # (1,1)\n");
        assert_eq!(text("4 --type f32 --rows 1..2"), "1.0+0.0i 0.0+1.0i -1.0+0.0i 0.0-1.0i # (1)\n");
        assert_eq!(text("3 --modulus 7"), "1 1 1 # (0)\n1 2 4 # (1)\n1 4 2 # (2)\n");
        assert_eq!(text("1 --type f32"), "1.0+0.0i # (0)\n");
        assert_eq!(text("3^2 --exponents --rows 3..3"), "");
    }
}

#[test]
fn json_has_the_rows() {
    let report = manycore("characters 4,2 --exponents --rows 2..4 --json --verify --seed 3 --device host").json();
    assert_eq!(report["command"], "characters");
    assert_eq!(report["result"], json!([[0, 0, 1, 1, 2, 2, 3, 3], [0, 2, 1, 3, 2, 0, 3, 1]]));
    assert_eq!((&report["verified"], &report["parameters"]["group"]), (&json!(true), &json!([4, 2])));
    assert_eq!((&report["parameters"]["exponent"], &report["parameters"]["order"]), (&json!(4), &json!(8)));
    assert_eq!(report["parameters"]["values"], "exponents u8");
    let report = manycore("characters 2 --json --device host --algorithm kronecker").json();
    assert_eq!(report["result"], json!([[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [-1.0, 0.0]]]));
    assert_eq!((&report["algorithm"], &report["verified"]), (&json!("kronecker"), &json!(null)));
    let long = "characters 2 --modulus 18446744069414584321 --json --device host";
    assert_eq!(manycore(long).json()["result"][1][1], "18446744069414584320");
}

#[test]
fn tables_of_every_kind_are_verified() {
    let folder = Folder::new();
    for device in devices() {
        let same = |line: &str| {
            let line = format!("characters {line} --device {device}");
            assert_eq!(manycore(&format!("{line} --verify")).output(), manycore(&line).output(), "{line}");
        };
        for kind in ["--exponents", "--type f32", "--type f64", "--modulus 18446744069414584321"] {
            if kind == "--type f64" && !crate::common::has_f64(&device) {
                continue;
            }
            for group in ["1", "6,4", "3,1,17"] {
                for algorithm in ["direct", "kronecker"] {
                    same(&format!("{group} {kind} --algorithm {algorithm}"));
                }
            }
            same(&format!("5,2,3 {kind} --rows 7..20 --columns 3..29"));
        }
        // Exponents of 16 bits; no entries.
        same("300 --exponents --rows 290..300");
        same("6 --exponents --rows 2..2");
        // Two blocks of 64 MB, each verified before it is written.
        let line = format!("characters 3^9 --exponents --rows 0..3600 --device {device} -o t.npy --verify");
        assert_eq!(folder.manycore(&line).output(), "");
        let bytes = std::fs::read(folder.path("t.npy")).unwrap();
        assert_eq!(npyz::NpyFile::new(&bytes[..]).unwrap().shape(), [3600, 19_683]);
    }
    let report = manycore("characters 6 --type f32 --algorithm direct --json --verify --device host").json();
    let verification = json!({ "method": "every entry by the definition, to the last bit", "chance_log2": null });
    assert_eq!(report["verification"], verification);
}

#[test]
fn arrays_read_back() {
    let folder = Folder::new();
    for verify in ["", "--verify"] {
        folder.manycore(&format!("characters 6,10 --exponents -o t.npy --device host {verify}")).output();
        let bytes = std::fs::read(folder.path("t.npy")).unwrap();
        let file = npyz::NpyFile::new(&bytes[..]).unwrap();
        assert_eq!(file.shape(), [60, 60]);
        let entries = file.into_vec::<u8>().unwrap();
        assert_eq!((entries[0], entries[60 + 1], entries[3599]), (0, 3, ((5 * 5 * 5 + 9 * 9 * 3) % 30) as u8));
        folder.manycore(&format!("characters 5 --type f32 -o c.npy --device host {verify}")).output();
        let bytes = std::fs::read(folder.path("c.npy")).unwrap();
        assert_eq!(npyz::NpyFile::new(&bytes[..]).unwrap().dtype().descr(), "'<c8'");
    }
    folder.manycore("characters 3 --exponents -o t.txt --device host").output();
    assert_eq!(read(&folder.path("t.txt")), "0 0 0 # (0)\n0 1 2 # (1)\n0 2 1 # (2)\n");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let error = |line: &str| manycore(&format!("characters {line} --device host")).error(2);
    assert!(error("3,0").contains("factor 2 of the group is 0"));
    assert!(error("3,x").contains("\"x\" is no number"));
    assert!(error("2^64").contains("passes 2^64"));
    assert!(error("6 --rows 3..9").contains("--rows: no rows 3..9: the table has rows 0..6"));
    assert!(error("6 --rows 3").contains("is no range such as 3..9"));
    assert!(error("4 --modulus 7").contains("the orders are the divisors of 6"));
    assert!(error("4 --modulus 12").contains("--modulus: the modulus 12 is even"));
    assert!(error("4294967291 --exponents --rows 0..1 --columns 0..1").contains("is past 2147483648"));
    assert!(error("2^40 --json").contains("ask for a tile, or stream"));
    assert!(error("4 --exponents --modulus 5").contains("cannot be used with"));
}

#[test]
fn explanations_name_both_constructions() {
    let text = manycore("explain characters 3^8 --device host").output();
    assert!(text.contains("characters on") && text.contains("direct, one pass") && text.contains("kronecker, 8 steps"));
    let report = manycore("explain characters 6,4 --exponents --json --device host").json();
    assert_eq!(report["result"].as_array().map(Vec::len), Some(2));
}
