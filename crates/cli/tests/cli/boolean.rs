//! `manycore boolean` and `manycore sbox`: functions and S-boxes on the host and on every OpenCL device, and what is refused.

use crate::common::{Folder, devices, manycore_with, read};
use serde_json::json;

#[test]
fn worked_examples() {
    for device in devices() {
        let text = |line: &str, input: &str| {
            manycore_with(&format!("{line} --device {device} --verify --seed 5"), input.as_bytes()).output()
        };
        assert_eq!(text("boolean spectrum -", "0010 0100 # CI 1\n"), "4\n0\n0\n4\n0\n-4\n4\n0\n");
        assert_eq!(text("boolean autocorrelation -", "x1x2"), "4\n0\n0\n0\n");
        assert_eq!(text("boolean anf -", "e8"), "x1 x2 + x1 x3 + x2 x3\n");
        assert_eq!(text("boolean anf - --format minterms --variables 2", ""), "0\n");
        let info = text("boolean info -", "0113077C165E76A8");
        assert!(info.contains("\nalgebraic degree          3\n") && info.contains("\nbent                      yes\n"));
        assert!(info.contains("|W(w)|                    8: 64\n"), "{info}");
        assert_eq!(text("sbox lat -", "1 0"), "2 0\n0 -2\n");
        assert_eq!(text("sbox ddt - --rows 1..2", "1 0 2 3"), "0 4 0 0\n");
        let info = text("sbox info - --hex", "c 5 6 b 9 0 a d 3 e f 8 4 7 1 2");
        assert!(
            info.contains("differential branch number  3\n") && info.contains("boomerang uniformity        16\n"),
            "{info}"
        );
        assert!(info.contains("components by degree        2: 3, 3: 12\n"), "{info}");
    }
}

#[test]
fn sboxes_of_a_file_are_compared() {
    let file = "c 5 6 b 9 0 a d 3 e f 8 4 7 1 2 # PRESENT\n\n0 1 2 3\n# the cube in GF(8)\n0,1,3,4,5,6,7,2\n";
    for device in devices() {
        let run = |line: &str| {
            manycore_with(&format!("sbox compare - --hex --device {device} --verify{line}"), file.as_bytes())
        };
        let text = run("").output();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        let words = |line: usize| lines[line].split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(1), "1 4, 4 yes 4 4");
        assert_eq!(words(2), "3 2, 2 yes 0 4");
        assert_eq!(words(3), "5 3, 3 yes 2 2");
        let best = run(" --best 2 --json").json();
        assert_eq!(best["parameters"], json!({ "sboxes": 3, "output_bits": null, "best": 2 }));
        assert_eq!((&best["result"][0]["line"], &best["result"][1]["line"]), (&json!(1), &json!(5)));
        assert!(best["verification"]["method"].as_str().unwrap().starts_with("every "), "{best}");
    }
    let error = |line: &str, text: &str| manycore_with(line, text.as_bytes()).error(2);
    let told = error("sbox compare -", "0 1\n0 1 2\n");
    assert!(told.starts_with("standard input:2: 3 outputs: an S-box of m input bits has 2^m"), "{told}");
    let told = error("sbox compare -", "0 1\n\nc 1\n");
    assert!(told.starts_with("standard input:3: S(0) is \"c\"") && told.ends_with("hexadecimal numbers"), "{told}");
    assert!(
        error("sbox compare - --output-bits 1", "0 1\n0 3\n")
            .contains("standard input:2: S(1) is 3: outputs are below 2")
    );
    assert!(error("sbox compare -", "# none\n").contains("no values"));
}

#[test]
fn json_has_the_facts() {
    let report = manycore_with("boolean info - --json --device host", b"00010111").json();
    assert_eq!(report["command"], "boolean info");
    assert_eq!(report["parameters"], json!({ "variables": 3 }));
    assert_eq!((&report["verified"], &report["verification"]), (&json!(null), &json!(null)));
    let result = &report["result"];
    assert_eq!((&result["nonlinearity"], &result["degree"]), (&json!(2), &json!(2)));
    assert_eq!((&result["resiliency"], &result["linear_structures"]), (&json!(0), &json!([7])));
    assert_eq!(result["walsh_sizes"], json!({ "0": 4, "4": 4 }));
    let report = manycore_with("boolean anf - --json --device host", b"01101001").json();
    assert_eq!(report["result"], json!({ "anf": "x1 + x2 + x3", "degree": 1, "terms": 3 }));
    let report = manycore_with("sbox info - --json --device host", b"0 1 3 4 5 6 7 2").json();
    assert_eq!(
        (&report["result"]["nonlinearity"], &report["result"]["differential_uniformity"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(report["result"]["differences"], json!({ "0": 35, "2": 28, "8": 1 }));
    let report = manycore_with("sbox ddt - --json --device host --rows 0..1", b"0x0, 0x1").json();
    assert_eq!((&report["result"], &report["parameters"]["rows"]), (&json!([[2, 0]]), &json!([0, 1])));
}

#[test]
fn reports_tell_how_results_were_verified() {
    let function = b"0113077C165E76A8";
    let sbox = b"1 0 5 2 7 3 6 4";
    for device in devices() {
        for (line, input) in [
            ("boolean info -", &function[..]),
            ("boolean spectrum -", function),
            ("boolean autocorrelation -", function),
            ("boolean anf -", function),
            ("sbox info -", sbox),
            ("sbox lat -", sbox),
            ("sbox ddt - --rows 2..5", sbox),
        ] {
            let report = manycore_with(&format!("{line} --device {device} --json --verify"), input).json();
            assert_eq!(report["verified"], true, "{line}");
            assert!(report["verification"]["method"].as_str().unwrap().starts_with("every "), "{report}");
            // No wrong result passes.
            assert_eq!(report["verification"]["chance_log2"], json!(null), "{line}");
            let plain = manycore_with(&format!("{line} --device {device} --json"), input).json();
            assert_eq!(plain["result"], report["result"], "{line}");
        }
    }
}

#[test]
fn results_of_many_shapes_are_verified() {
    for device in devices() {
        let run = |line: &str, input: &str| {
            manycore_with(&format!("{line} --device {device} --verify"), input.as_bytes()).output();
        };
        for anf in ["0", "1", "x1", "x1 + x2 + 1", "x1 x2 x3 + x4", "x1 x2 + x3 x4 + x5 x6 + x7 x8", "x9 x1 x2 + x3"] {
            for command in ["info", "spectrum", "autocorrelation", "anf"] {
                run(&format!("boolean {command} - --format anf"), anf);
            }
        }
        for command in ["info", "spectrum", "autocorrelation", "anf"] {
            run(&format!("boolean {command} - --format minterms --variables 13"), "1 2 3 100 4000 8191");
        }
        for (outputs, bits) in [("0 1", 1), ("1 1", 3), ("3 0 1 2", 2), ("0 0 0 0 1 1 1 1", 5), ("1 0 3 2 5 4 7 6", 3)]
        {
            for command in ["info", "lat", "ddt"] {
                run(&format!("sbox {command} - --output-bits {bits}"), outputs);
            }
        }
    }
}

/// The conventions that the help and the book tell.
#[test]
fn conventions() {
    let info = |input: &str| manycore_with("boolean info - --json --device host --verify", input.as_bytes()).json();
    // W = -6 2 2 2 ...: not balanced, W(w) other than 0 for all w of one 1.
    assert_eq!(info("00000001")["result"]["correlation_immunity"], 0);
    // 1 + x1 x2 + ... is 0 at w of one 1 though not balanced: (1, 0, 0, 0, 0, 0, 0, 1).
    let report = info("10000001");
    assert_eq!((&report["result"]["correlation_immunity"], &report["result"]["resiliency"]), (&json!(1), &json!(null)));
    for constant in ["0000", "1111"] {
        assert_eq!(info(constant)["result"]["degree"], 0);
    }
    // The identity: W(1, 1) is 2^m, not half of it.
    assert_eq!(manycore_with("sbox lat - --device host", b"0 1").output(), "2 0\n0 2\n");
    let help = manycore_with("boolean info --help", b"").output();
    assert!(
        help.contains("correlation immunity is the largest t") && help.contains("degree of a constant is 0"),
        "{help}"
    );
    assert!(manycore_with("sbox lat --help", b"").output().contains("twice the bias"));
}

#[test]
fn decimal_numbers_need_a_format() {
    let run = |line: &str, input: &str| manycore_with(&format!("{line} --device host"), input.as_bytes());
    assert_eq!(
        run("boolean anf -", "3 5 6 7").error(2),
        "standard input: several decimal numbers are hexadecimal digits or minterms: --format hex or --format minterms \
         tells which"
    );
    assert_eq!(run("boolean anf - --format minterms", "3 5 6 7").output(), "x1 x2 + x1 x3 + x2 x3\n");
    assert_eq!(run("boolean anf - --format hex", "3 5 6 7").output(), run("boolean anf -", "3567").output());
    // Digits 0 and 1 are values, f(0) first, and hexadecimal where that is said.
    assert_eq!(run("boolean anf -", "0 1 0 1").output(), "x1\n");
    assert_eq!(run("boolean anf - --format hex", "10").output(), "x1 x2 x3 + x1 x3 + x2 x3 + x3\n");
}

#[test]
fn files_are_read_and_written() {
    let folder = Folder::new();
    folder.file("f.txt", b"# majority\n0001\n0111 # of three\n");
    folder.manycore("boolean spectrum f.txt -o w.npy --device host").output();
    let bytes = std::fs::read(folder.path("w.npy")).unwrap();
    assert_eq!(npyz::NpyFile::new(&bytes[..]).unwrap().into_vec::<i32>().unwrap(), [0, 4, 4, 0, 4, 0, 0, -4]);
    folder.manycore("boolean anf f.txt -o anf.txt --device host").output();
    assert_eq!(read(&folder.path("anf.txt")), "x1 x2 + x1 x3 + x2 x3\n");
    let error = folder.manycore("sbox ddt f.txt -o t.npy").error(2);
    assert!(error.contains("no .npy array"), "{error}");
    let error = folder.manycore("boolean info absent.txt").error(2);
    assert!(error.starts_with("absent.txt: "), "{error}");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let error = |line: &str, input: &str| manycore_with(&format!("{line} --device host"), input.as_bytes()).error(2);
    assert_eq!(
        error("boolean info - --format binary", "01 # x\n21"),
        "standard input:2: character 1, \"2\": expected a digit of base 2"
    );
    assert!(error("boolean info -", "011").contains("3 values: a function of n variables has 2^n"));
    assert!(error("boolean anf - --variables 2", "x1 + x3").contains("character 6: x3 is no variable of the function"));
    assert!(
        error("boolean info - --variables 3", "012f").contains("4 hexadecimal digits: a function of 3 variables has 2")
    );
    assert!(
        error("boolean info - --format anf --variables 31", "x1").contains("31 variables: at most 30 are possible")
    );
    assert!(error("sbox info -", "0 1 2").contains("3 outputs: an S-box of m input bits has 2^m"));
    assert!(error("sbox info -", "0 1 2 x").contains("S(3) is \"x\""));
    assert!(error("sbox info - --output-bits 1", "0 1 2 3").contains("S(2) is 2: outputs are below 2"));
    assert!(error("sbox lat - --rows 3..9", "0 1 2 3").contains("--rows: no rows 3..9: the table has rows 0..4"));
    assert!(error("sbox lat - --rows 3", "0 1").contains("is no range such as 3..9"));
}
