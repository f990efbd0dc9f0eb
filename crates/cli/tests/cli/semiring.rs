//! `manycore semiring product|plan`: worked examples on every device, reports, and what is refused.

use crate::common::{Folder, devices, manycore_with};
use serde_json::json;

#[test]
fn worked_examples() {
    for device in devices() {
        let text = |line: &str, input: &str| {
            manycore_with(&format!("semiring product - - {line} --device {device} --verify"), input.as_bytes()).output()
        };
        let arcs = "0 3 inf # two arcs\ninf, 0, 4\n1 inf 0\n";
        assert_eq!(text("--semiring min-plus", arcs), "0 3 7\n5 0 4\n1 4 0\n");
        assert_eq!(text("--semiring min-plus --type f64", arcs), "0 3 7\n5 0 4\n1 4 0\n");
        assert_eq!(text("--semiring plus-times --type i32", "1 2\n3 4\n"), "7 10\n15 22\n");
        assert_eq!(text("--semiring max-plus --type f32", "0 -inf\n2.5 1\n"), "0 -inf\n3.5 2\n");
        assert_eq!(
            text("--semiring max-plus --wrap", "9223372036854775807 0\n0 0\n"),
            "0 9223372036854775807\n9223372036854775807 0\n"
        );
        assert_eq!(
            text("--semiring plus-times --wrap", "9223372036854775807 1\n1 1\n"),
            "2 -9223372036854775808\n-9223372036854775808 2\n"
        );
        assert_eq!(text("--semiring max-times --wrap --type i32", "65536 0\n0 1\n"), "0 0\n0 1\n");
        // The least integer is a number of the ring.
        assert_eq!(
            text("--semiring plus-times", "0 4611686018427387904\n-2 0\n"),
            "-9223372036854775808 0\n0 -9223372036854775808\n"
        );
        assert_eq!(text("--semiring max-plus", "inf 5\n0 -inf\n"), "inf inf\ninf 5\n");
        assert_eq!(text("--semiring max-min", "1 7\n5 2\n"), "5 2\n2 5\n");
        assert_eq!(text("--semiring max-min", "inf 7\n5 -inf\n"), "inf 7\n5 5\n");
        assert_eq!(text("--semiring min-max", "1 7\n5 2\n"), "1 7\n5 2\n");
        assert_eq!(text("--semiring max-times --type f64", "0.5 0.25\n0.125 1\n"), "0.25 0.25\n0.125 1\n");
        assert_eq!(text("--semiring min-plus --arg", arcs), "0:0 3:0 7:1\n5:2 0:1 4:1\n1:0 4:0 0:2\n");
        assert_eq!(text("--semiring max-min --arg --type f32", "1 7\n5 2\n"), "5:1 2:1\n2:1 5:0\n");
        let wrong = |kind: &str, input: &str| {
            let line = format!("semiring product - - --semiring {kind} --device {device} --verify");
            manycore_with(&line, input.as_bytes()).error(2)
        };
        for (kind, input, place) in [
            (
                "max-plus",
                "1 -inf\n9223372036854775806 1\n",
                "row 2, column 1 of the product: the exact integer is past type i64: --type f64",
            ),
            ("max-plus --arg", "1 -inf\n9223372036854775806 1\n", "row 2, column 1"),
            ("min-plus", "1 inf\n-9223372036854775807 -1\n", "row 2, column 1"),
            (
                "plus-times --type i32",
                "1 0\n0 -50000\n",
                "row 2, column 2 of the product: the exact integer is past type i32: --type i64",
            ),
            ("plus-times", "9223372036854775807 1\n1 1\n", "row 1, column 1"),
            ("max-times --arg", "1 0\n0 9223372036854775807\n", "row 2, column 2"),
        ] {
            let error = wrong(kind, input);
            assert!(error.contains(place), "{kind}: {error}");
        }
        assert_eq!(text("--semiring or-and --type i32", "1 2\n4 7\n"), "1 2\n4 7\n");
    }
}

#[test]
fn json_has_rows_and_shapes() {
    let line = "semiring product - - --semiring min-plus --json --device host --verify";
    let report = manycore_with(line, b"0 inf\n-5 1\n").json();
    assert_eq!(report["command"], "semiring product");
    assert_eq!(report["result"], json!([[0, "Infinity"], [-5, 2]]));
    let parameters = json!({ "semiring": "min-plus", "type": "i64", "wrap": false, "shapes": [[2, 2], [2, 2]] });
    assert_eq!(report["parameters"], parameters);
    assert_eq!(report["verification"]["chance_log2"], json!(null));
    let line = "semiring product - - --semiring min-plus --arg --json --device host --verify";
    let report = manycore_with(line, b"0 inf\n-5 1\n").json();
    assert_eq!(report["result"], json!({ "entries": [[0, "Infinity"], [-5, 2]], "places": [[0, 0], [0, 1]] }));
    let line = "semiring product - - --semiring plus-times --type f64 --json --device host";
    let report = manycore_with(line, b"1e300 0\n0 1\n").json();
    assert_eq!(report["result"], json!([["Infinity", 0.0], [0.0, 1.0]]));
    let line = "semiring product - - --semiring max-min --json --device host";
    let report = manycore_with(line, b"9223372036854775806 -9007199254740993\n1 9007199254740992\n").json();
    let expected = json!([["9223372036854775806", "-9007199254740993"], [1, 9_007_199_254_740_992_i64]]);
    assert_eq!(report["result"], expected);
    let line = "semiring product - - --semiring max-min --type f32 --json --device host";
    assert_eq!(manycore_with(line, b"0.1").json()["result"].to_string(), "[[0.1]]");
}

#[test]
fn what_does_not_fit_is_named() {
    let folder = Folder::new();
    folder.file("wide.txt", "1 2 3\n");
    folder.file("ragged.txt", "1 2\n3\n");
    folder.file("odd.txt", "1 2\n3 x\n");
    folder.file("empty.txt", "# nothing\n");
    let refused = |line: &str| folder.manycore(&format!("semiring product {line} --device host")).error(2);
    assert!(
        refused("wide.txt wide.txt --semiring max-plus").contains("wide.txt: 1 rows, where wide.txt has 3 columns")
    );
    assert!(
        refused("ragged.txt wide.txt --semiring max-plus")
            .contains("ragged.txt:2: 1 entries, where the first row has 2")
    );
    assert!(refused("odd.txt odd.txt --semiring max-plus").contains("odd.txt:2: `x` is no number"));
    assert!(refused("empty.txt wide.txt --semiring max-plus").contains("empty.txt: no entries"));
    assert!(refused("wide.txt wide.txt --semiring or-and --type f32").contains("or-and is of integers"));
    assert!(refused("wide.txt wide.txt --semiring max-min --wrap").contains("--wrap goes with"));
    assert!(refused("wide.txt wide.txt --semiring plus-times --type f64 --wrap").contains("--wrap goes with"));
    assert!(refused("wide.txt wide.txt --semiring plus-times --arg").contains("--arg goes with"));
}

#[test]
fn numbers_are_read_as_everywhere() {
    let text = |line: &str, input: &str| {
        manycore_with(&format!("semiring product - - {line} --device host"), input.as_bytes())
    };
    assert_eq!(text("--semiring plus-times", "2.0 1e1\n0 1.5D+1\n").output(), "4 170\n0 225\n");
    assert_eq!(text("--semiring min-plus", "[0, 3; inf, 0]").output(), "0 3\ninf 0\n");
    let market = "%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 0\n1 2 3\n2 2 0\n";
    assert_eq!(text("--semiring min-plus", market).output(), "0 3\ninf 0\n");
    assert_eq!(text("--semiring plus-times", market).output(), "0 0\n0 0\n");
    assert_eq!(text("--semiring max-plus --type f64", "1e300 -inf\n0.5 1e22\n").output(), "2e300 -inf\n1e300 2e22\n");
    for (line, input, message) in [
        ("--semiring min-plus --type f64", "1 2\n3 nan", "standard input:2: nan is not finite"),
        ("--semiring plus-times --type f64", "1e400", "standard input:1: 1e400 is past the largest f64"),
        ("--semiring plus-times --type f64", "inf", "standard input:1: inf is not finite"),
        ("--semiring min-plus --type f32", "1e39", "standard input:1: 1e39 is past the largest f32"),
        ("--semiring min-plus", "1.5", "standard input:1: `1.5` is no integer"),
        ("--semiring min-plus --wrap", "inf", "standard input:1: `inf` is no integer"),
        ("--semiring min-plus --type i32", "3e9", "standard input:1: 3e9 is out of the range of i32"),
        ("--semiring min-plus", "1,,2", "standard input:1: no number before comma 2"),
    ] {
        assert_eq!(text(line, input).error(2), message, "{line}");
    }
}

/// A program with a line of everything.
const PROGRAM: &str = "\
# paths of two arcs
A = matrix arcs.txt
two = product min-plus A A   # the shortest
saved = map A two: if(a == inf, 0, a - b)
F = function 3 3: x * 10 + y
placed = map F: max(a, 11, y) - abs(-x)
turned = transpose placed
least = min columns turned
total = sum rows saved
output two
output saved
output turned
output least
output total
";

#[test]
fn plans_run_on_every_device() {
    let folder = Folder::new();
    folder.file("arcs.txt", "0 3 inf\ninf 0 4\n1 inf 0\n");
    folder.file("plan.txt", PROGRAM);
    let expected = "# two\n0 3 7\n5 0 4\n1 4 0\n# saved\n0 0 0\n0 0 0\n0 0 0\n# turned\n11 11 11\n10 10 11\n18 19 20\n\
                    # least\n10 10 11\n# total\n0\n0\n0\n";
    for device in devices() {
        for more in ["", " --stored", " --accesses", " --type i32"] {
            let line = format!("semiring plan plan.txt --device {device} --verify{more}");
            assert_eq!(folder.manycore(&line).output(), expected, "{line}");
        }
    }
    let report = folder.manycore("semiring plan plan.txt --json --device host --verify").json();
    assert_eq!(report["command"], "semiring plan");
    assert_eq!(report["result"]["least"], json!([[10, 10, 11]]));
    assert_eq!(report["result"]["two"], json!([[0, 3, 7], [5, 0, 4], [1, 4, 0]]));
    let text = folder.manycore("semiring plan plan.txt --explain --device host").output();
    assert!(text.contains("two: product 3 x 3, BUF") && text.contains(" ms estimated"), "{text}");
    let text = folder.manycore("semiring plan plan.txt --dot --device host").output();
    assert!(text.starts_with("digraph plan {") && text.contains("transpose") || text.contains("turned"), "{text}");
}

#[test]
fn plans_in_floating_point() {
    let folder = Folder::new();
    folder.file("a.txt", "1.5 -2\n0.25 4\n");
    folder.file("plan.txt", "A = matrix a.txt\nB = map A: (a + 1) / 2 - 1e1\nC = product plus-times A B\noutput C\n");
    let line = "semiring plan plan.txt --type f64 --device host --verify";
    assert_eq!(folder.manycore(line).output(), "5.625 -0.75\n-39.6875 -32.625\n");
}

#[test]
fn what_is_wrong_with_a_plan_is_told_with_its_line() {
    let folder = Folder::new();
    folder.file("a.txt", "1 2 3\n");
    let refused = |text: &str, more: &str| {
        folder.file("plan.txt", text);
        folder.manycore(&format!("semiring plan plan.txt --device host{more}")).error(2)
    };
    for (text, more, expected) in [
        ("A = matrix a.txt\n", "", "plan.txt: no output"),
        ("output A\n", "", "plan.txt:1: \"A\" is no matrix that stands before"),
        ("A = matrix a.txt\nA = transpose A\n", "", "plan.txt:2: \"A\" is made twice"),
        ("A = matrix a.txt\nB = map A: a + c\noutput B\n", "", "plan.txt:2:16: \"c\", where a, x, y"),
        ("A = matrix a.txt\nB = map A: a / 2\noutput B\n", "", "plan.txt:2: integers do not divide"),
        ("A = matrix a.txt\nB = map A: a + 1.5\noutput B\n", "", "plan.txt:2: \"1.5\" is no number of type i64"),
        ("A = matrix a.txt\nB = product max A A\n", "", "plan.txt:2: \"max\" is no semiring: plus-times, max-plus"),
        ("A = matrix a.txt\nB = product or-and A A\noutput B\n", " --type f32", "plan.txt:2: or-and is of integers"),
        ("A = matrix a.txt\nB = product max-plus A A\noutput B\n", "", "B: 1 x 3 and 1 x 3 do not fit"),
        ("A = a.txt\n", "", "plan.txt:1: \"a.txt\" is none of: matrix FILE"),
        ("nothing\n", "", "plan.txt:1: a statement is \"NAME = ...\" or \"output NAME\""),
        ("A = matrix a.txt\noutput A\n", " --type f32 --wrap", "--wrap is of integers"),
    ] {
        let error = refused(text, more);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

/// Integers of programs are exact, or the output is refused, by every plan.
#[test]
fn plans_are_exact() {
    let folder = Folder::new();
    folder.file("big.txt", "9223372036854775807 1\n1 1\n");
    folder.file("near.txt", "9223372036854775800 1\n1 1\n");
    folder.file("arcs.txt", "0 9223372036854775800 inf\n-5 0 -inf\n1 2 3\n");
    let program = |text: &str| folder.file("plan.txt", text);
    let mores = ["", " --stored", " --accesses"];
    for device in devices() {
        let run = |more: &str| folder.manycore(&format!("semiring plan plan.txt --device {device} --verify{more}"));
        for more in mores {
            program("A = matrix big.txt\nB = product plus-times A A\noutput B\n");
            let error = run(more).error(2);
            assert!(
                error.contains(
                    "plan.txt: output B, row 1, column 1: the entry, or an integer that it is made of, is past type i64"
                ),
                "{error}"
            );
            assert_eq!(run(&format!("{more} --wrap")).output(), "2 -9223372036854775808\n-9223372036854775808 2\n");
            // What passed its type and is multiplied by nothing.
            program(
                "A = matrix big.txt\nB = map A: (a - 1) * 0\nC = product plus-times A A\nD = product plus-times B C\noutput D\n",
            );
            assert_eq!(run(more).output(), "0 0\n0 0\n");
            // The least number of a ring is no infinity.
            program("A = matrix big.txt\nB = map A: 0 - a - if(a > 1, 1, 0)\nC = transpose B\noutput C\n");
            assert_eq!(run(more).output(), "-9223372036854775808 -1\n-1 -1\n");
            // Infinities stay what they are.
            program("A = matrix arcs.txt\nB = map A: a + x - y\nC = product min-plus B B\noutput B\n");
            assert_eq!(run(more).output(), "0 9223372036854775801 inf\n-6 0 -inf\n-1 1 3\n");
            program("A = matrix arcs.txt\nB = map A: max(-a, if(a == -inf, 7, 0))\nC = max rows B\noutput C\n");
            assert_eq!(run(more).output(), "0\ninf\n0\n");
            program("A = matrix near.txt\nB = product max-plus A A\noutput B\n");
            assert!(run(more).error(2).contains("output B, row 1, column 1"), "{more}");
            program("A = matrix arcs.txt\nB = map A: a - a\nC = min rows B\noutput C\n");
            assert!(run(more).error(2).contains("output C, row 1, column 1"), "{more}");
            program(
                "A = matrix arcs.txt\nB = map A: if(x == y, abs(a - 9), 1)\nC = sum columns B\nD = max rows C\noutput D\n",
            );
            assert_eq!(run(more).output(), "11\n");
        }
    }
}

/// Long functions and long lines are refused, and told in short.
#[test]
fn long_functions_are_refused() {
    let folder = Folder::new();
    folder.file("a.txt", "1 2\n3 4\n");
    for function in ["(".repeat(30_000), "-".repeat(30_000) + "a", vec!["a"; 100_000].join("+"), "z".repeat(200_000)] {
        folder.file("plan.txt", format!("A = matrix a.txt\nB = map A: {function}\noutput B\n"));
        let error = folder.manycore("semiring plan plan.txt --device host").error(2);
        assert!(error.contains("plan.txt:2:") && error.len() < 400, "{error}");
    }
}

#[test]
fn products_and_stars_as_arrays_and_in_coordinates_are_read_back() {
    let folder = Folder::new();
    folder.file("a.txt", "0 3 inf\ninf 0 4\n1 inf 0\n");
    folder.file("one.txt", "0 inf inf\ninf 0 inf\ninf inf 0\n");
    for number in ["i32", "i64", "f32", "f64"] {
        let run = |line: &str| folder.manycore(&format!("{line} --type {number}")).output();
        let product = run("semiring product a.txt a.txt --semiring min-plus");
        assert_eq!(product, "0 3 7\n5 0 4\n1 4 0\n");
        for name in ["c.npy", "c.mtx", "c.txt"] {
            run(&format!("semiring product a.txt a.txt --semiring min-plus -o {name}"));
            let again = run(&format!("semiring product {name} one.txt --semiring min-plus"));
            assert_eq!(again, product, "{name} {number}");
            run(&format!("maxplus star a.txt --algebra min-plus -o star-{name}"));
            assert_eq!(run(&format!("maxplus star star-{name} --algebra min-plus")), product, "star-{name} {number}");
            // Infinities too.
            run(&format!("semiring product one.txt a.txt --semiring min-plus -o {name}"));
            assert_eq!(
                run(&format!("semiring product {name} one.txt --semiring min-plus")),
                "0 3 inf\ninf 0 4\n1 inf 0\n"
            );
        }
    }
    assert!(
        folder.manycore("semiring product a.txt a.txt --semiring min-plus --arg -o c.npy").error(2).contains("places")
    );
    folder.file("arcs.txt", "0 1 0\n0 0 1\n0 0 0\n");
    for name in ["b.npy", "b.mtx"] {
        folder.manycore(&format!("maxplus star arcs.txt --algebra boolean -o {name}")).output();
        let again = folder.manycore(&format!("maxplus star {name} --algebra boolean")).output();
        assert_eq!(again, "1 1 1\n0 1 1\n0 0 1\n", "{name}");
    }
}
