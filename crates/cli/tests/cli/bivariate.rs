//! `manycore bivariate`: worked examples on every device, and what is refused.

use crate::common::{Folder, devices, manycore_with};
use serde_json::json;

const CIRCLE: &str = "# a circle and a hyperbola\nx^2 + y^2 - 5\nx*y - 2\n";

#[test]
fn worked_examples() {
    for device in devices() {
        let text = |line: &str, system: &str| {
            manycore_with(&format!("bivariate {line} --device {device} --verify"), system.as_bytes()).output()
        };
        let points = "point 1 2\npoint 2 1\npoint 8999 9000\npoint 9000 8999\n";
        let chain = "chain x^4 + 8996*x^2 + 4 ; y + 4501*x^3 + 4498*x\n";
        assert_eq!(text("solve - --modulus 9001", CIRCLE), format!("{chain}{points}"));
        assert_eq!(text("resultant - --modulus 9001", CIRCLE), "x^4 + 8996*x^2 + 4\n");
        assert_eq!(text("resultant - --modulus 9001 --eliminate first", CIRCLE), "y^4 + 8996*y^2 + 4\n");
        let named = CIRCLE.replace('x', "a").replace("y^2", "b^2").replace("*y", "*b");
        let chain = chain.replace('x', "a").replace("y +", "b +");
        assert_eq!(text("solve - --modulus 9001 --variables a,b", &named), format!("{chain}{points}"));
        let common = "(y - x)*(y - 1)\n(y - x)*(x - 2)\n";
        let expected = "curve y + 8999*x\n";
        let found = text("solve - --modulus 9001", &common.replace("y - x", "y - 2*x"));
        assert_eq!(found, format!("{expected}chain x + 8999 ; y + 9000\npoint 2 1\n"));
        assert_eq!(text("resultant - --modulus 9001", common), "0\n");
        // Roots of unity enough for every device's kernels.
        let system = "x^3 + y^3 - 3*x*y + 1\nx^2*y - y^2 + 2\n";
        let resultant = text("resultant - --modulus 469762049", system);
        let host = "bivariate resultant - --modulus 469762049 --device host";
        assert_eq!(resultant, manycore_with(host, system.as_bytes()).output());
        assert!(resultant.starts_with("x^9 ") || resultant.contains("*x^9 "), "{resultant}");
        text("solve - --modulus 469762049", system);
        text("solve - --modulus 18446744069414584321", system);
        text("solve - --modulus 2", system);
    }
}

#[test]
fn reports_are_json() {
    let report =
        manycore_with("bivariate solve - --modulus 9001 --device host --json --verify", CIRCLE.as_bytes()).json();
    let expected = json!({
        "curves": [],
        "chains": [{ "t": "x^4 + 8996*x^2 + 4", "h": "y + 4501*x^3 + 4498*x" }],
        "points": [[1, 2], [2, 1], [8999, 9000], [9000, 8999]],
    });
    assert_eq!(report["result"], expected);
    let seed = report["parameters"]["seed"].clone();
    assert!(!seed.is_null());
    assert_eq!(report["parameters"], json!({ "modulus": 9001, "variables": ["x", "y"], "seed": seed }));
    let report = manycore_with("bivariate resultant - --modulus 7 --json --verify", CIRCLE.as_bytes()).json();
    assert_eq!(report["result"], json!([4, 0, 2, 0, 1]));
    assert_eq!(report["verification"]["method"], "second computation by exact divisions");
}

#[test]
fn rational_systems() {
    for device in devices() {
        let text = |line: &str, system: &str| {
            manycore_with(&format!("bivariate {line} --exact --device {device} --verify"), system.as_bytes()).output()
        };
        let chain = "chain x^4 - 5*x^2 + 4 ; 2*x^3*y - 5*x*y - 4*x^2 + 10\n";
        let points = "point -2 -1\npoint -1 -2\npoint 1 2\npoint 2 1\n";
        assert_eq!(text("solve -", CIRCLE), format!("{chain}{points}"));
        assert_eq!(text("resultant -", CIRCLE), "x^4 - 5*x^2 + 4\n");
        let halves = "2*a*b - 3\na + b - 7/2\n";
        let expected = "chain 2*a^2 - 7*a + 3 ; 8*a*b - 14*b - 14*a + 37\npoint 1/2 3\npoint 3 1/2\n";
        assert_eq!(text("solve - --variables a,b", halves), expected);
        assert_eq!(text("resultant - --variables a,b --eliminate first", halves), "2*b^2 - 7*b + 3\n");
    }
    let report =
        manycore_with("bivariate solve - --exact --json --verify --seed 1", b"(y - x)*(3*y - 1)\n(y - x)*(x - 2)\n");
    let report = report.json();
    let expected = json!({ "curves": ["y - x"], "chains": [{ "t": "x - 2", "h": "3*y - 1" }], "points": [[2, "1/3"]] });
    assert_eq!(report["result"], expected);
    assert_eq!(report["parameters"], json!({ "modulus": null, "variables": ["x", "y"], "seed": 1 }));
    assert_eq!(report["verification"], json!({ "method": "results modulo random primes", "chance_log2": -62.0 }));
    let report = manycore_with("bivariate resultant - --exact --json", b"x - 2\n3*y - 1\n").json();
    assert_eq!(report["result"], json!([-2, 1]));
    for (line, system, message) in [
        (
            "solve - --exact",
            "x\ny + Mod(1, 7)\n",
            ":2: column 12: a residue mod \"7\", where coefficients are fractions",
        ),
        ("solve - --exact", "0\n1 - 1\n", "both polynomials are zero"),
        ("solve - --exact --modulus 7", CIRCLE, "cannot be used with"),
        ("solve -", CIRCLE, "required"),
        ("resultant - --exact -o r.npy", CIRCLE, "a polynomial with coefficients of any size is text or JSON"),
    ] {
        let error = manycore_with(&format!("bivariate {line}"), system.as_bytes()).error(2);
        assert!(error.contains(message), "{line}: {error}");
    }
}

#[test]
fn results_go_to_files() {
    let folder = Folder::new();
    folder.file("system.txt", CIRCLE);
    assert_eq!(folder.manycore("bivariate resultant system.txt --modulus 9001 -o r.npy").output(), "");
    assert!(folder.path("r.npy").exists());
    let refused = folder.manycore("bivariate solve system.txt --modulus 9001 -o r.npy").error(2);
    assert!(refused.contains("a list of solutions is text or JSON"), "{refused}");
}

#[test]
fn bad_systems_are_refused_with_their_place() {
    for (system, options, message) in [
        ("x + y\n", "", "1 polynomial, where a system has two"),
        ("x\ny\nx + y\n", "", "3 polynomials, where a system has two"),
        ("x + y\n\nx*z + 1\n", "", ":3: column 3: \"z\" is neither of the two variables x and y"),
        ("x + y\nx^y\n", "", ":2: column 3: an exponent is a non-negative integer"),
        ("0\n9001*x\n", "", "both polynomials are zero"),
        ("x\ny\n", "--variables x", "two different names"),
        ("x\ny\n", "--variables x,x", "two different names"),
        ("x\ny\n", "--variables x,y,z", "two different names"),
    ] {
        let error = manycore_with(&format!("bivariate solve - --modulus 9001 {options}"), system.as_bytes()).error(2);
        assert!(error.contains(message), "{system:?}: {error}");
    }
    let error = manycore_with("bivariate solve - --modulus 9003", CIRCLE.as_bytes()).error(2);
    assert!(error.contains("is not prime"), "{error}");
}

#[test]
fn variables_are_eliminated_by_their_names() {
    let system = b"x - 10\nx*y - 2\n";
    let run = |options: &str| manycore_with(&format!("bivariate resultant - --modulus 7 {options}"), system);
    assert_eq!(run("").output(), run("--eliminate y").output());
    assert_eq!(run("--eliminate first").output(), run("--eliminate x").output());
    let swapped = b"first - 10\nfirst*x - 2\n";
    let named = manycore_with("bivariate resultant - --modulus 7 --variables x,first --eliminate first", swapped);
    assert_eq!(named.output().replace('x', "y"), run("--eliminate x").output());
    assert_eq!(run("--eliminate z").error(2), "--eliminate z: the variables are x and y, first and second");
}

#[test]
fn the_page_has_the_system_as_it_was_written() {
    let folder = Folder::new();
    folder.file("s.txt", "x - 10\n(x - 1)*(y + 8)\n");
    assert_eq!(folder.manycore("bivariate report s.txt --modulus 7 -o page.html").output(), "");
    let page = crate::common::read(&folder.path("page.html"));
    assert!(page.contains("x - 10") && page.contains("(x - 1)*(y + 8)") && page.contains("Modulo 7"), "{page}");
}
