//! `manycore maxplus`: worked examples on every device, projects, and what is refused.

use crate::common::{Folder, devices, manycore_with};
use serde_json::json;

#[test]
fn stars_of_worked_examples() {
    for device in devices() {
        let text = |line: &str, input: &str| {
            manycore_with(&format!("maxplus star - {line} --device {device} --verify"), input.as_bytes()).output()
        };
        let arcs = "-inf -inf -inf -inf\n3 -inf -inf -inf\n1 4 -inf -inf\n-inf -2 5 -inf\n";
        let star = "0 -inf -inf -inf\n3 0 -inf -inf\n7 4 0 -inf\n12 9 5 0\n";
        for algorithm in ["auto", "push", "pull", "substitution", "closure"] {
            for number in ["i32", "i64", "f32", "f64"] {
                assert_eq!(text(&format!("--algorithm {algorithm} --type {number}"), arcs), star);
            }
        }
        assert_eq!(text("", "-1 2\n-inf -3\n"), "0 2\n-inf 0\n");
        assert_eq!(text("--algebra boolean", arcs), "1 0 0 0\n1 1 0 0\n1 1 1 0\n1 1 1 1\n");
        assert_eq!(text("--algebra min-plus", "inf 3 inf\ninf inf 4\n1 inf inf\n"), "0 3 7\n5 0 4\n1 4 0\n");
        let market = "%%MatrixMarket matrix coordinate integer general\n2 2 2\n2 1 4\n1 2 -4\n";
        assert_eq!(text("", market), "0 -4\n4 0\n");
    }
}

#[test]
fn reports_are_json() {
    let report = manycore_with("maxplus star - --json --device host --verify", b"-inf 2\n-inf -1\n").json();
    assert_eq!(report["result"], json!([[0, 2], ["-Infinity", 0]]));
    let long = manycore_with("maxplus star - --json --device host", b"-inf 9007199254740995\n-inf -inf\n").json();
    assert_eq!(long["result"], json!([[0, "9007199254740995"], ["-Infinity", 0]]));
    let parameters = json!({ "algebra": "max-plus", "algorithm": "auto", "type": "i64", "nodes": 2 });
    assert_eq!((&report["parameters"], &report["verified"]), (&parameters, &json!(true)));
    let report = manycore_with("maxplus cycle-mean - --json --verify", b"3 7\n2 4\n").json();
    let expected =
        json!({ "value": 4.5, "exact": "9/2", "error": 0.0, "eigenvector": ["0", "-5/2"], "circuit": [0, 1] });
    assert_eq!(report["result"], expected);
    let text = manycore_with("maxplus cycle-mean - --verify", b"3 7\n2 4\n").output();
    assert_eq!(text, "cycle mean 9/2\ncircuit 0 1\neigenvector 0 -5/2\n");
    assert_eq!(manycore_with("maxplus cycle-mean - --verify", b"-inf 7\n-inf -inf\n").output(), "none: no circuit\n");
    let text = manycore_with("maxplus cycle-mean - --type f64 --verify", b"1.5\n").output();
    assert!(text.starts_with("cycle mean 1.5\ncircuit 0\neigenvector 0\nerror 1.06"), "{text}");
    let large = manycore_with("maxplus cycle-mean - --type f64 --verify --json", b"-inf 1e308\n1e308 -inf\n").json();
    assert_eq!((&large["result"]["value"], &large["result"]["eigenvector"]), (&json!(1e308), &json!(["0", "0"])));
    assert_eq!(manycore_with("maxplus simulate - --steps 3 --verify", b"3 7\n2 4\n").output(), "7 4\n11 9\n16 13\n");
}

#[test]
fn projects_are_scheduled() {
    let folder = Folder::new();
    folder.file("plan.csv", "dig,3\npour,2,dig+1\ndry,4,pour:SS+1;dig,5,20\npaint,1,dry;pour:ff-2\n");
    let text = folder.manycore("maxplus schedule plan.csv --verify --gantt chart.svg").output();
    let expected = "task name duration earliest latest slack free\n0 dig 3 0 0 0 0 *\n1 pour 2 4 4 0 0 *\n2 dry 4 5 5 0 0 *\n\
                    3 paint 1 9 9 0 0 *\ncritical path dig, pour, dry, paint\nlength 10";
    let words =
        |text: &str| text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>();
    assert_eq!(words(&text).join("\n"), expected);
    let widths: Vec<usize> = text.lines().take(5).map(|line| line.trim_end_matches(" *").len()).collect();
    assert!(widths.iter().all(|&width| width == widths[0]), "{text}");
    let piped = std::fs::read(folder.path("plan.csv")).unwrap();
    assert_eq!(manycore_with("maxplus schedule -", &piped).output(), text);
    let chart = std::fs::read_to_string(folder.path("chart.svg")).unwrap();
    assert!(chart.contains("dig") && chart.ends_with("</svg>\n"));
    let report = folder.manycore("maxplus schedule plan.csv --json --verify").json();
    assert_eq!(report["result"]["earliest"], json!([0, 4, 5, 9]));
    assert_eq!((&report["result"]["length"], &report["result"]["critical_paths"]), (&json!(10), &json!("1")));
    let mut counts = Vec::new();
    for device in devices() {
        let line =
            format!("maxplus variants plan.csv --count 100 --spread 50 --seed 3 --verify --json --device {device}");
        let report = folder.manycore(&line).json();
        // The last task always is, the first one where it outlasts what the release of the third allows.
        assert_eq!(report["result"]["critical"][3], json!(100));
        counts.push(report["result"]["critical"].clone());
        let line = format!("maxplus variants plan.csv --count 2 --spread 0 --verify --device {device}");
        assert!(
            folder
                .manycore(&line)
                .output()
                .starts_with("mean length 10\nthe shortest takes 10\n5 percent of the variants take at most 10\n")
        );
    }
    assert!(counts.iter().all(|of_device| *of_device == counts[0]), "{counts:?}");
}

#[test]
fn infinities_are_no_arcs_in_every_format() {
    let folder = Folder::new();
    folder.file("inf.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n2 1 inf\n1 2 3\n");
    folder.file("inf.txt", "inf 3\ninf inf\n");
    for file in ["inf.mtx", "inf.txt"] {
        for number in ["i64", "f64"] {
            let line = format!("maxplus star {file} --algebra min-plus --type {number} --device host --verify");
            assert_eq!(folder.manycore(&line).output(), "0 3\ninf 0\n", "{line}");
        }
        let line = folder.manycore(&format!("maxplus star {file} --type f64 --device host")).error(2);
        assert!(line.ends_with("inf is no weight: where no arc is, write -inf"), "{line}");
    }
    let refused = |text: &str, more: &str| {
        manycore_with(&format!("maxplus star - --device host {more}"), text.as_bytes()).error(2)
    };
    for (text, more, message) in [
        ("0 -inf", "--algebra min-plus", "-inf is no weight: where no arc is, write inf"),
        (
            "0 9223372036854775807",
            "--algebra min-plus",
            "9223372036854775807 stands for inf in type i64: take a weight nearer to 0, or a wider type",
        ),
        (
            "0 -9223372036854775808",
            "",
            "-9223372036854775808 stands for -inf in type i64: take a weight nearer to 0, or a wider type",
        ),
    ] {
        assert_eq!(refused(text, more), format!("standard input:1: {message}"));
    }
}

#[test]
fn tables_and_modes_of_others_are_scheduled() {
    let folder = Folder::new();
    for (text, length) in [
        ("name,duration,predecessors\n\"dig, deep\",3\npour,2,\"dig, deep\"\n", 5),
        ("a,1\nb,2\nc,3,\"a,b\"\n", 5),
        ("dig\t3\npour\t2\tdig\n", 5),
        ("\u{feff}task;days;after\r\na;3;\r\nb;4;a\r\n", 7),
        ("a,2.0\nb,2e1,a\n", 22),
    ] {
        folder.file("plan.csv", text);
        let output = folder.manycore("maxplus schedule plan.csv --verify").output();
        assert!(output.ends_with(&format!("length {length}\n")), "{text}: {output}");
    }
    folder.file("plan.csv", "a,3.5\nb,2,a\n");
    let refused = folder.manycore("maxplus schedule plan.csv").error(2);
    assert_eq!(refused, "plan.csv:1: `3.5` is no whole duration: write all times in a smaller unit");
}

#[test]
fn what_does_not_fit_is_named() {
    let folder = Folder::new();
    folder.file("positive.txt", "-inf -1\n2 -inf\n");
    folder.file("wide.txt", "1 2\n");
    folder.file("nan.txt", "nan\n");
    folder.file("large.mtx", "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 4294967296\n");
    folder.file("wrong.sm", "jobs : 2\nPRECEDENCE RELATIONS:\n1 1 1 3\n");
    let refused = |line: &str| folder.manycore(&format!("maxplus {line} --device host")).error(2);
    assert!(refused("star positive.txt --verify").contains("0 -> 1 -> 0"));
    assert!(refused("star positive.txt --algorithm pull").contains("the graph has a circuit"));
    assert!(refused("star wide.txt").contains("wide.txt"));
    assert_eq!(refused("star nan.txt --type f64"), "nan.txt:1: nan is not finite");
    assert_eq!(refused("star large.mtx --type i32"), "large.mtx:3: 4294967296 is out of the range of i32");
    assert!(refused("star positive.txt --algebra boolean --algorithm push").contains("--algorithm does not go with"));
    assert!(refused("schedule wrong.sm").contains("wrong.sm:3: successor 3"));
    assert!(refused("schedule wide.txt").contains("the name ends in none of"));
    for name in ["tasks.txt", "tasks.sm"] {
        folder.file(name, "dig,3\npour,2,dig\n");
        let told = refused(&format!("schedule {name}"));
        assert!(told.contains("its text is a table of tasks: end its name in .csv"), "{told}");
    }
    assert!(refused("cycle-mean positive.txt -o mean.npy").contains("mean.npy"));
}

#[test]
fn circuits_of_decimals_count_as_0_and_are_told() {
    for device in devices() {
        let run = |options: &str| {
            let line = format!("maxplus star - --algebra min-plus --type f64 --verify --device {device} {options}");
            manycore_with(&line, b"inf inf -0.8\n0.1 inf inf\ninf 0.7 inf\n")
        };
        let told = run("");
        assert_eq!(told.code, 0, "{}", told.stderr);
        assert_eq!(told.stdout.split_whitespace().filter(|word| ["0.1", "0.7", "-0.8"].contains(word)).count(), 3);
        let lines: Vec<&str> = told.stderr.lines().collect();
        assert!(lines[0].starts_with("manycore: the paths are within 3.5"), "{}", told.stderr);
        assert!(
            lines[1].starts_with(
                "manycore: the sign of the circuit 0 -> 1 -> 2 -> 0 cannot be told: its weights sum to -8.3"
            )
        );
        assert_eq!(lines.len(), 2);
        assert_eq!(run("--quiet").output(), told.stdout);
        let report = run("--json").json();
        let bound = report["parameters"]["error_bound"].as_f64().unwrap();
        assert!(bound > 3e-15 && bound < 4e-15, "{bound:e}");
        assert_eq!(report["parameters"]["doubtful_circuit"]["nodes"], json!([0, 1, 2]));
        // Sums of whole numbers are exact, and nothing is said.
        let whole = format!("maxplus star - --algebra min-plus --type f64 --verify --device {device}");
        assert_eq!(manycore_with(&whole, b"inf -2.5\n2.5 inf\n").output(), "0 -2.5\n2.5 0\n");
        let error = manycore_with(&whole, b"inf -1 inf\n-1 inf inf\ninf 1e16 inf\n").error(2);
        assert!(
            error.contains("a circuit of negative length, -2, so that there is no shortest path: 0 -> 1 -> 0"),
            "{error}"
        );
        let error = manycore_with(&whole, b"inf -1e16\n1e16 -1\n").error(2);
        assert!(error.contains("-1, so that there is no shortest path: 1 -> 1"), "{error}");
    }
}

#[test]
fn refusals_name_the_file_and_the_kind_of_path() {
    let folder = Folder::new();
    folder.file("long.txt", "inf inf inf\n4611686018427387904 inf inf\ninf 4611686018427387904 inf\n");
    folder.file("circuit.txt", "0 1\n2 0\n");
    folder.file("relation.txt", "0 0\n1 0\n");
    let refused = |line: &str| folder.manycore(&format!("maxplus {line} --device host")).error(2);
    assert!(refused("star long.txt --algebra min-plus").contains("the shortest path from node 0 to node 2"));
    assert!(refused("star circuit.txt").contains("circuit.txt: a circuit of positive weight, 3, so"));
    // A 0 of a matrix of 0 and 1 is no arc.
    let output = |line: &str| folder.manycore(&format!("maxplus star {line} --verify")).output();
    assert_eq!(output("relation.txt --algebra boolean"), "1 0\n1 1\n");
}

#[test]
fn infinities_are_no_numbers_and_numbers_no_infinities() {
    let folder = Folder::new();
    folder.file("largest.txt", "inf inf\n9223372036854775807 inf\n");
    folder.file("least.txt", "inf inf\n-9223372036854775808 inf\n");
    folder.file("minus.txt", "-inf -inf\n4 -inf\n");
    folder.file("plus.txt", "0 1\n2 inf\n");
    folder.file("times.txt", "9223372036854775807 1\n1 1\n");
    folder.file("inf.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 inf\n2 1 0.5\n");
    let refused = |line: &str| folder.manycore(&format!("maxplus {line} --device host")).error(2);
    let told = refused("star largest.txt --algebra min-plus");
    assert!(told.contains("largest.txt:2: 9223372036854775807 stands for inf in type i64"), "{told}");
    let told = refused("star least.txt --algebra min-plus");
    assert!(told.contains("least.txt:2: -9223372036854775808 stands for -inf in type i64"), "{told}");
    let told = refused("star minus.txt --algebra min-plus");
    assert!(told.contains("minus.txt:1: -inf is no weight: where no arc is, write inf"), "{told}");
    assert!(refused("star plus.txt").contains("plus.txt:2: inf is no weight: where no arc is, write -inf"));
    assert!(refused("simulate times.txt").contains("times.txt:1: 9223372036854775807 stands for inf in type i64"));
    let output = folder.manycore("maxplus star inf.mtx --algebra min-plus --type f64 --verify").output();
    assert_eq!(output, "0 inf\n0.5 0\n");
}

#[test]
fn memory_is_asked_for_before_states_and_variants() {
    let folder = Folder::new();
    folder.file("a.txt", "1 2\n3 1\n");
    folder.file("plan.csv", "dig,3\npour,2,dig\n");
    folder.file("far.sms", "50000 50000 M\n1 1 5\n0 0 0\n");
    for line in [
        "maxplus simulate a.txt --steps 100000000",
        "maxplus variants plan.csv --count 100000000",
        "maxplus star far.sms",
        "matrix rank far.sms --modulus 97",
        "semiring product far.sms far.sms --semiring plus-times",
    ] {
        let told = folder.manycore(&format!("{line} --memory 1GB --device host")).error(1);
        assert!(told.contains("1000000000") && told.contains("bytes"), "{line}: {told}");
    }
}

#[test]
fn checks_name_the_paths_that_are_wanted() {
    let told = |algebra: &str| {
        let line = format!("maxplus star - --algebra {algebra} --verify --json --device host");
        manycore_with(&line, b"1 2\n3 1\n").json()["verification"].to_string()
    };
    assert!(told("min-plus").contains("no arc makes a path shorter"));
}
