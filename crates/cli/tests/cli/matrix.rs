//! `manycore matrix` on the host and every OpenCL device, and what is refused.

use crate::common::{Folder, devices, manycore, manycore_with};
use serde_json::json;

#[test]
fn determinants_ranks_and_polynomials() {
    for device in devices() {
        let run = |line: &str, input: &str| {
            manycore_with(&format!("matrix {line} --verify --device {device}"), input.as_bytes()).output()
        };
        assert_eq!(run("det - --modulus 101", "2 1 3\n4 5 6\n7 8 10\n"), "98\n");
        assert_eq!(run("det - --modulus 18446744069414584321", "2 1 3\n4 5 6\n7 8 10\n"), "18446744069414584318\n");
        assert_eq!(run("det - --exact", "2 1 3\n4 5 6\n7 8 10\n"), "-3\n");
        assert_eq!(run("det - --exact --probable 64 --seed 3", "1\n"), "1\n");
        let large = "123456789012345678901234567890 1\n1 123456789012345678901234567890\n";
        let square = "15241578753238836750495351562536198787501905199875019052099\n";
        assert_eq!(run("det - --exact", large), square);
        assert_eq!(run("rank - --modulus 7", "1 2 3\n2 4 6\n"), "1\n");
        assert_eq!(run("charpoly - --modulus 101", "1 2\n3 4\n"), "x^2 + 96*x + 99\n");
        assert_eq!(run("charpoly - --modulus 2", "1 0\n0 1\n"), "x^2 + 1\n");
    }
}

#[test]
fn matrices_come_out_as_matrix_market_and_go_in_again() {
    for device in devices() {
        let folder = Folder::new();
        folder.file("a.txt", "1 2 # a row\n3 4\n");
        folder.file("b.mtx", "%%MatrixMarket matrix coordinate integer general\n% a comment\n2 1 2\n1 1 5\n2 1 6\n");
        let run = |line: &str| folder.manycore(&format!("matrix {line} --verify --device {device}")).output();
        assert_eq!(run("inverse a.txt --modulus 101"), "99 1\n52 50\n");
        run("inverse a.txt --modulus 101 -o inverse.mtx");
        assert_eq!(run("mul a.txt inverse.mtx --modulus 101"), "1 0\n0 1\n");
        assert_eq!(run("mul a.txt b.mtx --modulus 101"), "17\n39\n");
        folder.file("singular.sms", "2 2 M\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n0 0 0\n");
        assert_eq!(run("nullspace singular.sms --modulus 7"), "5\n1\n");
    }
}

#[test]
fn systems_have_one_solution_many_or_none() {
    for device in devices() {
        let folder = Folder::new();
        folder.file("a.txt", "2 1\n1 3\n");
        folder.file("b.txt", "5\n10\n");
        let report = |line: &str| folder.manycore(&format!("{line} --json --verify --device {device}")).json();
        let one = report("matrix solve a.txt b.txt --modulus 469762049");
        assert_eq!((&one["result"], &one["parameters"]["dimension"]), (&json!([[1], [3]]), &json!(0)));
        assert_eq!(one["verification"]["method"], "products by random vectors");
        folder.file("singular.txt", "1 2\n2 4\n");
        folder.file("in.txt", "3\n6\n");
        let many = report("matrix solve singular.txt in.txt --modulus 7");
        assert_eq!((&many["result"], &many["parameters"]["dimension"]), (&json!([[3], [0]]), &json!(1)));
        folder.file("out.txt", "3\n5\n");
        let none = report("matrix solve singular.txt out.txt --modulus 7");
        assert_eq!((&none["result"], &none["parameters"]["dimension"]), (&json!(null), &json!(null)));
        let text = folder.manycore(&format!("matrix solve singular.txt out.txt --modulus 7 --device {device}"));
        assert_eq!(text.output(), "none\n");
        let product = report("matrix mul singular.txt a.txt --modulus 7");
        assert_eq!(product["result"], json!([[4, 0], [1, 0]]));
        assert_eq!(product["parameters"]["shapes"], json!([[2, 2], [2, 2]]));
    }
}

#[test]
fn matrices_modulo_2_are_packed() {
    for device in devices() {
        let folder = Folder::new();
        folder.file("a.txt", "1 1 0\n0 1 1\n0 0 1\n");
        folder.file("b.txt", "1\n0\n1\n");
        folder.file("singular.txt", "1 1\n1 1\n");
        let run =
            |line: &str| folder.manycore(&format!("matrix {line} --modulus 2 --verify --device {device}")).output();
        assert_eq!((run("det a.txt"), run("rank singular.txt")), ("1\n".to_owned(), "1\n".to_owned()));
        assert_eq!(run("mul a.txt b.txt"), "1\n1\n1\n");
        assert_eq!(run("solve a.txt b.txt"), "0\n1\n1\n");
        assert_eq!(run("inverse a.txt"), "1 1 1\n0 1 1\n0 0 1\n");
        assert_eq!(run("nullspace singular.txt"), "1\n1\n");
    }
}

#[test]
fn rational_solutions_are_fractions() {
    for device in devices() {
        let folder = Folder::new();
        folder.file("a.txt", "2 1\n1 3\n");
        folder.file("b.txt", "1 5\n1 10\n");
        folder.file("singular.txt", "1 2\n2 4\n");
        let run = |line: &str| folder.manycore(&format!("matrix solve {line} --verify --device {device}"));
        assert_eq!(run("a.txt b.txt").output(), "2/5 1\n1/5 3\n");
        let report = run("a.txt b.txt --rational --json").json();
        assert_eq!(report["result"], json!([["2/5", "1"], ["1/5", "3"]]));
        assert_eq!(report["parameters"]["dimension"], json!(0));
        // Columns (1, 1) and (5, 10), of which the first has no solution; and the second alone.
        assert_eq!(run("singular.txt b.txt").output(), "none\n");
        let none = run("singular.txt b.txt --json").json();
        assert_eq!((&none["result"], &none["parameters"]["dimension"]), (&json!(null), &json!(null)));
        folder.file("c.txt", "5\n10\n");
        assert_eq!(run("singular.txt c.txt").output(), "5\n0\n");
        assert_eq!(run("singular.txt c.txt --json").json()["parameters"]["dimension"], json!(1));
        // Wide, tall, and of fractions.
        folder.file("wide.txt", "2 0 3\n0 1 1\n");
        assert_eq!(run("wide.txt c.txt").output(), "5/2\n10\n0\n");
        folder.file("tall.txt", "1/2 1\n0.25 1\n1 0\n");
        folder.file("d.txt", "2 1\n1.5 1\n2 1\n");
        assert_eq!(run("tall.txt d.txt").output(), "none\n");
        folder.file("d.txt", "2\n1.5\n2\n");
        assert_eq!(run("tall.txt d.txt").output(), "2\n1\n");
        let array = run("a.txt b.txt -o x.npy").error(1);
        assert_eq!(array, "x.npy: numbers of any size, which no array holds: write text or JSON");
        assert!(run("a.txt a.txt --rational --modulus 7").error(2).contains("cannot be used with"));
    }
}

#[test]
fn matrices_over_the_rationals() {
    for device in devices() {
        let folder = Folder::new();
        folder.file("a.txt", "1 2\n3 4\n");
        folder.file("singular.txt", "2 4 6\n1 2 3\n1 2 4\n");
        folder.file("fractions.txt", "1 1/2\n1/3 0.25\n");
        folder.file("large.txt", "9007199254740993 0\n0 1\n");
        let run = |line: &str| folder.manycore(&format!("matrix {line} --exact --verify --device {device}"));
        assert_eq!(run("rank a.txt").output(), "2\n");
        assert_eq!(run("rank singular.txt").output(), "2\n");
        assert_eq!(run("inverse a.txt").output(), "-2 1\n3/2 -1/2\n");
        assert_eq!(run("inverse fractions.txt").output(), "3 -6\n-4 12\n");
        assert_eq!(run("nullspace singular.txt").output(), "-2\n1\n0\n");
        assert_eq!(run("nullspace a.txt --json").json()["result"], json!([[], []]));
        assert_eq!(run("charpoly a.txt").output(), "x^2 - 5*x - 2\n");
        assert_eq!(run("charpoly fractions.txt").output(), "x^2 - 5/4*x + 1/12\n");
        let report = run("charpoly large.txt --json").json();
        assert_eq!(report["result"], json!(["9007199254740993", "-9007199254740994", 1]));
        assert_eq!(report["parameters"]["shapes"], json!([[2, 2]]));
        assert_eq!(
            run("inverse singular.txt").error(2),
            "singular.txt: the matrix has no inverse: its rank is 2, its order 3"
        );
        folder.file("wide.txt", "1 2 3\n");
        assert!(run("inverse wide.txt").error(2).ends_with("1 rows and 3 columns, which is not square"));
        assert!(run("charpoly wide.txt").error(2).ends_with("1 rows and 3 columns, which is not square"));
        folder.file("none.txt", "1 1/0\n");
        assert_eq!(run("rank none.txt").error(2), "none.txt:1: `1/0` is no rational number");
        assert!(run("rank a.txt --modulus 7").error(2).contains("cannot be used with"));
    }
}

#[test]
fn real_determinants_have_bounds() {
    let folder = Folder::new();
    folder.file("a.txt", "0.5 1\n1 4\n");
    for rule in ["first", "closest-to-one", "partial", "complete"] {
        let line = format!("matrix det a.txt --real --pivoting {rule} --device host --verify");
        let text = folder.manycore(&line).output();
        let (value, bound) = text.trim().split_once(" +/- ").unwrap();
        let (value, bound): (f64, f64) = (value.parse().unwrap(), bound.parse().unwrap());
        assert!((value - 1.0).abs() <= bound && bound < 1e-13, "{text}");
        let report = folder.manycore(&format!("{line} --json")).json();
        assert_eq!(report["parameters"]["pivoting"], rule);
        assert_eq!(report["verification"]["method"], "the exact determinant is within the bound");
        let result = &report["result"];
        assert_eq!((&result["sign"], &result["mantissa"], &result["exponent2"]), (&json!(1), &json!(0.5), &json!(1)));
        assert!(result["error_bound"]["exponent2"].as_i64().unwrap() < -40, "{result}");
    }
    let rows =
        (0..12).map(|i| (0..12).map(|j| format!("{}", 1.0 / f64::from(i + j + 1))).collect::<Vec<_>>().join(" "));
    folder.file("hilbert.txt", rows.collect::<Vec<_>>().join("\n"));
    // The exact determinant is 2.6e-78: no digit of 2.79e-78, which the steps give, is known.
    let text = folder.manycore("matrix det hilbert.txt --real --device host").output();
    let (value, bound) = text.trim().split_once(" +/- ").unwrap();
    assert!(value == "0" && bound.parse::<f64>().unwrap() > 2.6e-78, "{text}");
    let report = folder.manycore("matrix det hilbert.txt --real --device host --json").json();
    assert_eq!(report["result"]["exponent2"], -257);
}

/// Digits that nobody knows are not written: the matrix has the determinant -4.89e-23, and rounding makes it -3.57e-21.
#[test]
fn real_determinants_have_the_digits_that_are_known() {
    for device in devices() {
        let folder = Folder::new();
        let run = |rows: &str| {
            folder.file("a.txt", rows);
            folder.manycore(&format!("matrix det a.txt --real --device {device}")).output()
        };
        assert_eq!(run("-3.5\n"), "-3.5\n");
        assert_eq!(run("1e300\n"), "1e300\n");
        assert_eq!(run("0 0\n1 2\n"), "0\n");
        let singular = run("0.1 0.3\n0.2 0.6\n");
        let bound: f64 = singular.trim().strip_prefix("0 +/- ").unwrap().parse().unwrap();
        assert!(0.0 < bound && bound < 1e-15, "{singular}");
        // 7 (2^-1074)^5, from entries of which no product is in the range of doubles.
        let tiny = run("-5e-324 0 0 0 -5e-324\n5e-324 5e-324 5e-324 -5e-324 -5e-324\n-5e-324 0 -1e-323 -5e-324 0\n\
                        0 5e-324 -5e-324 0 0\n-5e-324 5e-324 0 0 0\n");
        let (value, bound) = tiny.trim().split_once(" +/- ").unwrap();
        assert!(value.starts_with("2.060731095416") && value.ends_with("e-1616"), "{tiny}");
        assert!(bound.ends_with("e-1629") || bound.ends_with("e-1630") || bound.ends_with("e-1631"), "{tiny}");
        let large = run("1e300 0 1\n0 1e300 0\n0 0 1e-300\n");
        assert!(large.starts_with("1.00000000000000") && large.contains("e300 +/- "), "{large}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::new();
    folder.file("wide.txt", "1 2 3\n4 5 6\n");
    folder.file("singular.txt", "1 2\n2 4\n");
    folder.file("ragged.txt", "1 2\n3\n");
    folder.file("wrong.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n3 1 5\n");
    folder.file("nan.txt", "1 nan\n0 1\n");
    let error = |line: &str| folder.manycore(&format!("matrix {line} --device host")).error(2);
    let wide = "wide.txt: determinant of a matrix of 2 rows and 3 columns, which is not square";
    for kind in ["--modulus 7", "--exact", "--real"] {
        assert_eq!(error(&format!("det wide.txt {kind}")), wide);
    }
    assert_eq!(
        error("inverse singular.txt --modulus 7"),
        "singular.txt: the matrix has no inverse: its rank is 1, its order 2"
    );
    assert_eq!(error("rank ragged.txt --modulus 7"), "ragged.txt:2: a row of 1 entries, where the first has 2");
    assert!(error("rank wrong.mtx --modulus 7").starts_with("wrong.mtx:3: row 3 is out of range"));
    assert_eq!(error("det nan.txt --real"), "nan.txt:1: `NaN` is no finite double");
    assert_eq!(error("mul wide.txt wide.txt --modulus 7"), "wide.txt: 2 rows, where wide.txt has 3 columns");
    folder.file("high.txt", "1\n2\n3\n");
    for kind in ["--modulus 7", "--rational"] {
        assert_eq!(
            error(&format!("solve singular.txt high.txt {kind}")),
            "high.txt: 3 rows, where singular.txt has 2 rows"
        );
    }
    let past = error("rank singular.txt --modulus 99999999999999999999");
    assert!(past.contains("a modulus is a prime below 2^63"), "{past}");
    assert!(error("rank singular.txt --modulus 9003").starts_with("--modulus: the modulus 9003 is not prime"));
    assert!(error("det singular.txt").contains("--modulus"), "one of three kinds is asked for");
    assert!(error("det singular.txt --exact --real").contains("cannot be used with"));
    assert!(error("rank singular.txt --modulus 7 -o x.npy").contains("a rank is text or JSON"));
    folder.file("right.txt", "1\n0\n");
    let none = folder.manycore("matrix solve singular.txt right.txt --modulus 7 -o x.npy --device host").error(1);
    assert_eq!(none, "x.npy: there is no solution, which no array tells: write text or JSON");
}

#[test]
fn integers_of_any_size_are_taken_modulo_the_prime() {
    let folder = Folder::new();
    folder.file("skew.mtx", "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n4\n-1\n7\n");
    folder.file("bits.sms", "2 3 M\n1 2 1\n2 1 0\n2 3 2\n0 0 0\n");
    folder.file(
        "past.mtx",
        "%%MatrixMarket matrix array integer general\n2 2\n18446744073709551616\n1\n-1\n\
         -340282366920938463463374607431768211457\n",
    );
    folder.file("whole.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3.0\n2 2 2e0\n");
    let run = |line: &str| folder.manycore(&format!("matrix {line} --verify --device host")).output();
    assert_eq!(run("rank skew.mtx --modulus 7"), "2\n");
    assert_eq!(run("charpoly skew.mtx --modulus 101"), "x^3 + 66*x\n");
    assert_eq!(run("rank bits.sms --modulus 2"), "1\n");
    // 2^64 = 2, -(2^128 + 1) = 2 and -1 = 6 mod 7.
    assert_eq!(run("det past.mtx --modulus 7"), "5\n");
    assert_eq!(run("det whole.mtx --exact"), "6\n");
    assert_eq!(run("det whole.mtx --modulus 5"), "1\n");
}

#[test]
fn matrices_are_arrays_of_two_dimensions() {
    let folder = Folder::new();
    folder.file("a.txt", "1 2\n3 4\n");
    folder.file("wide.txt", "1 2 3\n4 5 6\n");
    let run = |line: &str| folder.manycore(&format!("matrix {line} --modulus 101 --verify --device host")).output();
    assert_eq!(run("inverse a.txt -o inverse.npy"), "");
    assert_eq!(run("mul a.txt wide.txt -o wide.npy"), "");
    let read = |name: &str| {
        let bytes = std::fs::read(folder.path(name)).unwrap();
        let file = npyz::NpyFile::new(&bytes[..]).unwrap();
        (file.shape().to_vec(), file.into_vec::<u64>().unwrap())
    };
    assert_eq!(read("inverse.npy"), (vec![2, 2], vec![99, 1, 52, 50]));
    assert_eq!(read("wide.npy"), (vec![2, 3], vec![9, 12, 15, 19, 26, 33]));
    assert_eq!(run("mul inverse.npy wide.npy"), "1 2 3\n4 5 6\n");
    assert_eq!(run("charpoly a.txt -o c.npy"), "");
    assert_eq!(read("c.npy").1, [99, 96, 1]);
    let error = folder.manycore("matrix rank c.npy --modulus 101 --device host").error(2);
    assert_eq!(error, "c.npy: an array of shape (3,), where a matrix has two dimensions");
}

#[test]
fn products_determinants_and_inverses_are_explained() {
    for device in devices() {
        for (line, name, shape) in [
            ("matrix-mul --n 100 --inner 2^6 --columns 7", "matrix-mul", json!([100, 64, 7])),
            ("matrix-mul --n 30 --modulus 4611686018427387847", "matrix-mul", json!([30, 30, 30])),
            ("matrix-det --n 2^7", "matrix-eliminate", json!([128, null, null])),
            ("matrix-det --n 1 --modulus 18446744069414584321", "matrix-eliminate", json!([1, null, null])),
            ("matrix-inverse --n 2^8", "matrix-inverse", json!([256, null, null])),
        ] {
            let text = manycore(&format!("explain {line} --device {device}")).output();
            assert!(text.starts_with(&format!("{name} on ")), "{text}");
            let report = manycore(&format!("explain {line} --device {device} --json")).json();
            let told = &report["parameters"];
            assert_eq!(json!([told["n"], told["inner"], told["columns"]]), shape);
            let rows = report["result"].as_array().unwrap();
            assert!(!rows.is_empty() && rows[0]["chosen_by"].is_string(), "{report}");
        }
    }
    let error = |line: &str| manycore(&format!("explain {line} --device host")).error(2);
    assert_eq!(error("matrix-mul --n 4 --inner 0"), "--n, --inner and --columns must be at least 1");
    assert_eq!(error("matrix-det --n 0"), "--n must be at least 1");
    assert_eq!(error("matrix-inverse --n 0"), "--n must be at least 1");
    assert!(error("matrix-mul --n 2^40").ends_with("too large"));
    assert!(error("matrix-det --n 2^40").ends_with("too large"));
    assert!(error("matrix-det --n 4 --modulus 9003").starts_with("--modulus: the modulus 9003 is not prime"));
    // The result is that of `matrix mul` by every choice.
    let folder = Folder::new();
    folder.file("a.txt", "1 2\n3 4\n");
    let line = "matrix mul a.txt a.txt --modulus 7 --device host";
    assert_eq!(folder.manycore(line).output(), folder.manycore(&format!("{line} --verify")).output());
}

#[test]
fn decompositions_and_forms() {
    for device in devices() {
        let run = |line: &str, input: &str| {
            manycore_with(&format!("matrix {line} --verify --device {device}"), input.as_bytes()).output()
        };
        let factors = "# rows\n1 0 2\n# L\n1 0\n0 1\n2 3\n# U\n1 3\n0 2\n";
        assert_eq!(run("lu - --modulus 7", "0 2\n1 3\n2 5\n"), factors);
        assert_eq!(run("lu - --modulus 2", "0 1\n1 1\n"), "# rows\n1 0\n# L\n1 0\n0 1\n# U\n1 1\n0 1\n");
        let factors = "# rows\n1 0\n# columns\n1 2 0\n# L\n1 0\n0 1\n# U\n3 1 0\n0 2 0\n";
        assert_eq!(run("pluq - --modulus 7", "0 0 2\n0 3 1\n"), factors);
        assert_eq!(run("rref - --modulus 7", "2 4 6\n1 2 3\n"), "1 2 3\n0 0 0\n");
        assert_eq!(run("image - --modulus 7", "2 4 6\n1 2 3\n"), "1\n4\n");
        assert_eq!(run("kernel - --modulus 7", "1 2\n2 4\n"), "5\n1\n");
        assert_eq!(run("minpoly - --modulus 101", "2 0\n0 2\n"), "x + 99\n");
        assert_eq!(run("minpoly - --exact", "1/2 0\n0 1/2\n"), "x - 1/2\n");
        assert_eq!(run("hermite -", "2 4 1\n3 5 0\n"), "1 1 -1\n0 2 3\n");
        assert_eq!(run("hermite - --transforms", "4\n6\n"), "# H\n2\n0\n# U\n2 -1\n3 -2\n");
        assert_eq!(run("smith -", "2 4 4\n-6 6 12\n10 4 16\n"), "2\n2\n156\n");
        let report =
            manycore_with(&format!("matrix smith - --transforms --json --device {device}"), b"2 0\n0 3\n").json();
        assert_eq!(report["result"]["factors"], json!([1, 6]));
        let report = manycore_with(&format!("matrix lu - --modulus 7 --json --device {device}"), b"0 2\n1 3\n").json();
        assert_eq!(report["result"], json!({"rows": [1, 0], "lower": [[1, 0], [0, 1]], "upper": [[1, 3], [0, 2]]}));
    }
    let folder = Folder::new();
    folder.file("wide.txt", "1 2 3\n");
    assert!(folder.manycore("matrix minpoly wide.txt --modulus 7").error(2).ends_with("which is not square"));
    let error = folder.manycore("matrix lu wide.txt --modulus 7 -o lu.npy").error(2);
    assert!(error.ends_with("a decomposition is text or JSON, no .npy array"), "{error}");
}
