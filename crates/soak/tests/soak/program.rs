//! The program: lines, exit status, arguments.

use std::path::Path;
use std::process::{Command, Output};

use manycore_soak::fuzz::drive::Report;
use manycore_soak::run::Summary;
use manycore_soak::{Line, Outcome};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manycore-soak"));
    // No test reads or writes the user's calibrations.
    command.env("MANYCORE_CACHE", std::env::temp_dir().join("manycore-soak-test"));
    command.args(arguments).output().expect("the program starts")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

#[test]
fn a_short_soak_tells_its_cases_and_their_counts() {
    let output = run(&["--minutes", "0.005", "--device", "host", "--seed", "0x10", "--max-bytes", "65536"]);
    assert!(output.status.success(), "{output:?}");
    let text = text(&output);
    let (last, cases) =
        text.lines().collect::<Vec<_>>().split_last().map(|(last, cases)| (*last, cases.to_vec())).unwrap();
    let summary: Summary = serde_json::from_str(last).unwrap();
    assert_eq!(summary.cases, cases.len() as u64);
    let first: Line = serde_json::from_str(cases[0]).unwrap();
    assert_eq!((first.seed.as_str(), first.device.as_str()), ("0x0000000000000010", "host"));
    let again = run(&["--case", &first.seed, "--device", "host", "--max-bytes", "65536"]);
    let again: Line = serde_json::from_str(&self::text(&again)).unwrap();
    assert_eq!((again.parameters, again.outcome), (first.parameters, Outcome::Right));
}

#[test]
fn only_some_operations_may_be_asked_for() {
    let output =
        run(&["--minutes", "0.002", "--device", "host", "--seed", "1", "--only", "haar", "--max-bytes", "4096"]);
    let text = text(&output);
    let summary: Summary = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!(summary.cases > 0 && summary.operations.keys().eq(["haar"]), "{summary:?}");
}

#[test]
fn parsers_are_given_mutations_of_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let corpus = corpus.to_str().unwrap();
    let output = run(&["fuzz", "--target", "kronecker", "--inputs", "300", "--seed", "2", "--corpus", corpus]);
    assert!(output.status.success(), "{output:?}");
    let report: Report = serde_json::from_str(text(&output).trim()).unwrap();
    assert_eq!((report.target.as_str(), report.inputs, report.panics), ("kronecker", 300, 0));
    let absent = run(&["fuzz", "--target", "anf", "--corpus", "no/such/folder"]);
    assert!(!absent.status.success() && String::from_utf8_lossy(&absent.stderr).contains("no/such/folder"));
}

#[test]
fn wrong_arguments_are_refused() {
    for wrong in
        [&["--minutes", "-1"][..], &["--case", "x"], &["--device", "no such device"], &["--case", "1", "--seed", "1"]]
    {
        assert!(!run(wrong).status.success(), "{wrong:?}");
    }
}
