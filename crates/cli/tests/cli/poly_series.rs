//! `manycore poly pow`, `compose`, `shift` and `series` on the host and every OpenCL device, and what is refused.

use crate::common::{Folder, devices};
use serde_json::json;

#[test]
fn powers_compositions_and_shifts() {
    for device in devices() {
        let folder = Folder::new();
        folder.file("f.txt", "1 1");
        folder.file("g.txt", "5 0 1");
        let run = |line: &str| folder.manycore(&format!("{line} --modulus 9001 --verify --device {device}")).output();
        assert_eq!(run("poly pow f.txt --exponent 4"), "x^4 + 4*x^3 + 6*x^2 + 4*x + 1\n");
        assert_eq!(run("poly pow f.txt --exponent 0"), "1\n");
        assert_eq!(run("poly compose g.txt f.txt"), "x^2 + 2*x + 6\n");
        assert_eq!(run("poly compose g.txt g.txt"), "x^4 + 10*x^2 + 30\n");
        assert_eq!(run("poly shift g.txt --by 9000"), "x^2 + 8999*x + 6\n");
        let report = folder.manycore(&format!("poly shift g.txt --by 8 --modulus 7 --verify --json --device {device}"));
        assert_eq!(report.json()["result"], json!([6, 2, 1]));
    }
}

#[test]
fn power_series() {
    for device in devices() {
        let folder = Folder::new();
        folder.file("f.txt", "1 9000 9000"); // 1 - x - x^2
        folder.file("x.txt", "0 1");
        folder.file("catalan.txt", "0 1 9000");
        folder.file("binomial.txt", "1 8997"); // 1 - 4 x
        let run = |line: &str| folder.manycore(&format!("{line} --modulus 9001 --verify --device {device}")).output();
        assert_eq!(run("poly series inverse f.txt --terms 6"), "8*x^5 + 5*x^4 + 3*x^3 + 2*x^2 + x + 1\n");
        assert_eq!(run("poly series quotient x.txt f.txt --terms 6"), "5*x^5 + 3*x^4 + 2*x^3 + x^2 + x\n");
        assert_eq!(run("poly series exp x.txt --terms 4"), "7501*x^3 + 4501*x^2 + x + 1\n");
        assert_eq!(run("poly series log binomial.txt --terms 3"), "8993*x^2 + 8997*x\n");
        assert_eq!(run("poly series inverse-sqrt binomial.txt --terms 5"), "70*x^4 + 20*x^3 + 6*x^2 + 2*x + 1\n");
        assert_eq!(run("poly series sqrt binomial.txt --terms 4"), "8997*x^3 + 8999*x^2 + 8999*x + 1\n");
        assert_eq!(run("poly series reversion catalan.txt --terms 6"), "14*x^5 + 5*x^4 + 2*x^3 + x^2 + x\n");
    }
    let none = crate::common::manycore("poly series exp x.txt --modulus 9001 --terms 0").error(2);
    assert!(none.starts_with("invalid value '0' for '--terms <N>': expected a whole number of at least 1"), "{none}");
}

#[test]
fn what_has_no_answer_is_refused() {
    let folder = Folder::new();
    folder.file("f.txt", "3 1");
    folder.file("x.txt", "0 1");
    let error = |line: &str| folder.manycore(&format!("{line} --device host --verify")).error(2);
    assert_eq!(
        error("poly series log f.txt --terms 3 --modulus 7"),
        "f.txt: the logarithm of a power series needs the constant term 1, and it is 3"
    );
    assert_eq!(
        error("poly series sqrt f.txt --terms 3 --modulus 7"),
        "f.txt: the power series has no square root: its lowest term is 3 x^0 modulo 7"
    );
    assert_eq!(
        error("poly series quotient f.txt x.txt --terms 3 --modulus 7"),
        "x.txt: the power series has no inverse: its constant term is zero"
    );
    assert_eq!(
        error("poly series inverse x.txt --terms 3 --modulus 7"),
        "x.txt: the power series has no inverse: its constant term is zero"
    );
    assert_eq!(
        error("poly series exp x.txt --terms 8 --modulus 7"),
        "the exponential of a power series to 8 coefficients divides by the integers below 8, and 7 is zero modulo 7"
    );
    assert_eq!(
        error("poly series exp x.txt f.txt --terms 3 --modulus 7"),
        "a second series, f.txt, is for quotients alone"
    );
}

#[test]
fn no_more_coefficients_are_read_than_count() {
    let folder = Folder::new();
    folder.file("f", "x^100000000000 + x + 1");
    let run = |line: &str| folder.manycore(&format!("poly series {line} f --terms 3 --modulus 7 --device host"));
    assert_eq!(run("inverse").output(), "x^2 + 6*x + 1\n");
    assert_eq!(run("inverse --verify").output(), "x^2 + 6*x + 1\n");
    assert!(run("sqrt").error(2).contains("an exponent that memory has room for"));
}
