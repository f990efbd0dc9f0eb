//! `manycore poly div`, `gcd`, `xgcd`, `inverse`, `resultant` and `discriminant`: results on the host and on every OpenCL device,
//! their forms, and what is refused.

use crate::common::{Folder, devices, lines, read};
use manycore::PrimeField;
use manycore::poly::divide::reference::divide;
use manycore::poly::gcd::reference::gcd;
use manycore::poly::multiply::reference::multiply;
use serde_json::json;

/// Residues without a pattern, the last one 1.
fn residues(len: usize, p: u64, salt: u64) -> Vec<u64> {
    let value = |i: u64| (i + salt + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) % p;
    (0..len as u64).map(|i| if i + 1 == len as u64 { 1 } else { value(i) }).collect()
}

/// Worked examples of chapter 9 of paper 002, corrected.
#[test]
fn worked_examples() {
    let folder = Folder::new();
    let cases = [
        (
            "div",
            9001,
            "1 2 3 4 5 6 7 8",
            "3 1 4 1",
            "# quotient\n8*x^4 + 8976*x^3 + 98*x^2 + 8615*x + 1525\n# remainder\n2996*x^2 + 8636*x + 4427\n",
        ),
        ("div", 7, "1 0 0 0 0 0 0 1", "1 0 0 1", "# quotient\nx^4 + 6*x\n# remainder\nx + 1\n"),
        ("div", 7, "1 2", "1 2 3", "# quotient\n0\n# remainder\n2*x + 1\n"),
        ("div --only quotient", 7, "1 0 0 0 0 0 0 1", "1 0 0 1", "x^4 + 6*x\n"),
        ("div --only remainder", 7, "1 0 0 0 0 0 0 1", "1 0 0 1", "x + 1\n"),
        ("gcd", 9001, "5 11 3 17 3 3", "35 7 12 1 1", "x^2 + x + 5\n"),
        ("gcd", 7, "1 0 1", "3 1", "1\n"),
        ("gcd", 7, "0 0", "# nothing", "0\n"),
        ("gcd", 7, "0", "2 4", "x + 4\n"),
        ("xgcd", 7, "1 0 1", "3 1", "# gcd\n1\n# s\n5\n# t\n2*x + 1\n"),
        ("xgcd --only t", 7, "1 0 1", "3 1", "2*x + 1\n"),
        ("inverse", 7, "3 1", "1 0 1", "2*x + 1\n"),
        ("inverse", 7, "1 2 3", "5", "0\n"),
        ("resultant", 9001, "1 2 3", "4 5 6 7", "256\n"),
        ("resultant", 7, "1 0 1", "3 1", "3\n"),
        ("resultant", 7, "1 1", "0", "0\n"),
    ];
    for device in devices() {
        for (operation, p, a, b, output) in cases {
            folder.file("a.txt", a);
            folder.file("b.txt", b);
            let line = format!("poly {operation} a.txt b.txt --modulus {p} --device {device}");
            assert_eq!(folder.manycore(&line).output(), output, "{line}: {a}, {b}");
            assert_eq!(folder.manycore(&format!("{line} --verify")).output(), output, "{line}: {a}, {b}");
        }
        // b^2 - 4 a c; a derivative of lower degree; constants.
        for (p, f, value) in
            [(9001, "3 5 2", "1\n"), (7, "1 2 1", "0\n"), (3, "1 1 0 1", "2\n"), (7, "5", "0\n"), (7, "", "0\n")]
        {
            folder.file("f.txt", f);
            let line = format!("poly discriminant f.txt --modulus {p} --device {device} --verify");
            assert_eq!(folder.manycore(&line).output(), value, "{line}: {f}");
        }
    }
}

#[test]
fn longer_polynomials_agree_with_the_definitions() {
    let folder = Folder::new();
    for p in [7u64, 469_762_049, 4_611_686_009_971_671_041] {
        let field = PrimeField::<u64>::new(p).unwrap();
        let common = residues(20, p, 3);
        let (a, b) = (multiply(&field, &residues(300, p, 1), &common), multiply(&field, &residues(200, p, 2), &common));
        folder.file("a.txt", lines(&a));
        folder.file("b.txt", lines(&b));
        let (quotient, remainder) = divide(&field, &a, &b).unwrap();
        for device in devices() {
            let options = format!("--modulus {p} --device {device} --verify --seed 7");
            let div = format!("poly div a.txt b.txt {options}");
            assert_eq!(
                folder.manycore(&format!("{div} --only quotient --format coefficients")).output(),
                lines(&quotient),
                "{options}"
            );
            assert_eq!(folder.manycore(&format!("{div} --only remainder -o r.npy")).output(), "");
            let array = npyz::NpyFile::new(std::fs::File::open(folder.path("r.npy")).unwrap()).unwrap();
            assert_eq!(array.into_vec::<u64>().unwrap(), remainder, "{options}");
            let divisor = folder.manycore(&format!("poly gcd a.txt b.txt {options} --format coefficients -o g.txt"));
            assert_eq!(divisor.output(), "");
            assert_eq!(read(&folder.path("g.txt")), lines(&gcd(&field, &a, &b)));
            let report = folder.manycore(&format!("poly xgcd a.txt b.txt {options} --json")).json();
            assert_eq!(report["result"]["gcd"].as_array().unwrap().len(), gcd(&field, &a, &b).len());
            assert_eq!(folder.manycore(&format!("poly resultant a.txt b.txt {options}")).output(), "0\n");
        }
    }
}

#[test]
fn reports_tell_what_was_done() {
    let folder = Folder::new();
    folder.file("a.txt", "1 2 3 4 5 6 7 8");
    folder.file("b.txt", "3 1 4 1");
    let report =
        |line: &str| folder.manycore(&format!("poly {line} --modulus 9001 --device host --json --seed 3")).json();
    let div = report("div a.txt b.txt --verify");
    assert_eq!(div["command"], "poly div");
    assert_eq!(div["parameters"], json!({ "modulus": 9001, "lengths": [8, 4], "seed": 3 }));
    assert_eq!(div["result"], json!({ "quotient": [1525, 8615, 98, 8976, 8], "remainder": [4427, 8636, 2996] }));
    assert_eq!(div["verified"], true);
    assert!(div["verification"]["chance_log2"].as_f64().unwrap() < -62.0 && div["seconds"].as_f64().unwrap() >= 0.0);
    assert_eq!(report("div a.txt b.txt --only remainder")["result"], json!([4427, 8636, 2996]));
    assert_eq!(report("gcd a.txt a.txt")["result"].as_array().unwrap().len(), 8);
    let xgcd = report("xgcd a.txt b.txt --verify");
    assert_eq!((&xgcd["command"], &xgcd["result"]["gcd"]), (&"poly xgcd".into(), &json!([1])));
    assert!(xgcd["result"]["s"].is_array() && xgcd["result"]["t"].is_array());
    let resultant = report("resultant a.txt b.txt --verify");
    assert!(resultant["result"].is_u64() && resultant["verification"]["chance_log2"].as_f64().unwrap() < -60.0);
    assert!(report("discriminant a.txt --verify")["result"].is_u64());
    assert_eq!(report("inverse b.txt a.txt --verify")["result"].as_array().unwrap().len(), 7);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let folder = Folder::new();
    folder.file("a.txt", "6 0 1");
    folder.file("b.txt", "1 1");
    folder.file("zero.txt", "0");
    folder.file("bad.txt", "1 2\n7.5");
    let error = |line: &str| folder.manycore(&format!("poly {line} --modulus 7 --device host")).error(2);
    assert_eq!(
        error("inverse b.txt a.txt"),
        "the polynomial has no inverse: its greatest common divisor with the modulus is x + 1"
    );
    assert_eq!(error("inverse a.txt zero.txt"), "zero.txt: division by the zero polynomial");
    assert_eq!(error("div a.txt zero.txt"), "zero.txt: division by the zero polynomial");
    for operation in ["div", "gcd", "xgcd", "inverse", "resultant"] {
        let message = "bad.txt:2: `7.5` is no integer";
        assert_eq!(error(&format!("{operation} bad.txt a.txt")), message);
        assert_eq!(error(&format!("{operation} a.txt bad.txt")), message);
        assert!(folder.manycore(&format!("poly {operation} a.txt b.txt")).error(2).contains("--modulus"));
        let line = format!("poly {operation} a.txt b.txt --modulus 10");
        assert_eq!(folder.manycore(&line).error(2), "--modulus: the modulus 10 is even, and must be a prime");
    }
    assert_eq!(
        error("div a.txt b.txt -o x.npy"),
        "x.npy: a quotient with its remainder (see --only) is text or JSON, no .npy array"
    );
    assert!(error("xgcd a.txt b.txt -o x.npy").starts_with("x.npy: a divisor with its cofactors (see --only)"));
    assert!(error("resultant a.txt b.txt -o x.npy").starts_with("x.npy: a resultant is text or JSON"));
    assert!(error("discriminant a.txt -o x.npy").starts_with("x.npy: a discriminant is text or JSON"));
    assert!(error("gcd a.txt b.txt -o x.npy --json").contains("give one of them"));
    assert!(error("div a.txt b.txt --only gcd").contains("gcd"));
}
