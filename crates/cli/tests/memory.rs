//! Memory that is missing: an error with exit status 1, told in a line, and files as they were.
#![cfg(target_os = "linux")]

mod common;

use common::{Folder, Run, read};
use manycore::files::write_npy;

/// Numbers of an input that is large beside the program itself.
const MANY: usize = 1 << 22;

/// Runs the program with so many KiB of address space, and with the traces of calls that Rust prints where it can.
fn limited(folder: &Folder, kibibytes: usize, line: &str, input: &[u8]) -> Run {
    let shell = format!("ulimit -v {kibibytes}; exec timeout 120 \"$manycore\" {line} --device host:1");
    let mut command = folder.shell_command(&shell);
    command.env("RUST_BACKTRACE", "1");
    common::run_with(command, input)
}

/// Runs a line with less and less memory until the program does not start; each run ends with exit status 0 or 1, and with 1
/// the target is as it was. Gives the messages.
fn squeezed(folder: &Folder, line: &str) -> Vec<String> {
    let mut messages = Vec::new();
    for kibibytes in (1..=14).rev().map(|step| step * 20_000) {
        folder.file("y", "old");
        let run = limited(folder, kibibytes, &format!("{line} -o y"), b"");
        if run.code == 127 || run.stderr.contains("error while loading shared libraries") {
            break;
        }
        assert!(run.code == 0 || run.code == 1, "{line} with {kibibytes} KiB: {run:?}");
        assert!(!run.stderr.contains("panicked") && !run.stderr.contains("a defect"), "{line}: {}", run.stderr);
        if run.code == 1 {
            assert_eq!(read(&folder.path("y")), "old", "{line} with {kibibytes} KiB");
            assert!(!run.stderr.is_empty(), "{line} with {kibibytes} KiB");
            messages.push(run.stderr);
        } else {
            assert_ne!(read(&folder.path("y")), "old", "{line} with {kibibytes} KiB");
        }
    }
    messages
}

/// Whether some message is that of memory missing for what a file holds.
fn tells_of(messages: &[String], what: &str) -> bool {
    let told = |line: &&String| line.starts_with("manycore: out of memory: ") && line.ends_with(&format!(" bytes for {what}\n"));
    messages.iter().any(|line| told(&line) && line.lines().count() == 1)
}

fn text() -> String {
    "1\n0\n".repeat(MANY / 2)
}

#[test]
fn texts_that_do_not_fit_are_an_error() {
    let folder = Folder::new();
    folder.file("x", text());
    let messages = squeezed(&folder, "spectrum walsh x");
    assert!(tells_of(&messages, "the values of x"), "{messages:?}");
    let messages = squeezed(&folder, "poly mul x x --modulus 7");
    assert!(tells_of(&messages, "the coefficients of x"), "{messages:?}");
    let messages = squeezed(&folder, "spectrum reed-muller x --json");
    assert!(messages.iter().any(|line| line.contains("out of memory") || line.contains("bytes wanted")), "{messages:?}");
}

#[test]
fn arrays_that_do_not_fit_are_an_error() {
    let folder = Folder::new();
    let mut bytes = Vec::new();
    write_npy(&mut bytes, &vec![1i64; 2 * MANY]).unwrap();
    folder.file("x", &bytes);
    let messages = squeezed(&folder, "spectrum haar x");
    assert!(tells_of(&messages, "the values of x"), "{messages:?}");
}

#[test]
fn functions_that_do_not_fit_are_an_error() {
    let folder = Folder::new();
    folder.file("x", "01".repeat(1 << 24));
    let messages = squeezed(&folder, "boolean anf x --format binary");
    assert!(tells_of(&messages, "the bytes of x"), "{messages:?}");
    folder.file("x", "x1 + ".repeat(1 << 21) + "x2");
    let messages = squeezed(&folder, "boolean anf x");
    assert!(messages.iter().any(|line| line.contains("out of memory: ")), "{messages:?}");
    // Two gigabytes of a table for two characters.
    folder.file("x", "x34");
    let run = limited(&folder, 400_000, "boolean info x", b"");
    assert_eq!(run.error(1), "x: out of memory: 2147483648 bytes for a truth table");
}

#[test]
fn standard_input_that_does_not_fit_is_an_error() {
    let folder = Folder::new();
    let input = text();
    let runs: Vec<Run> =
        [60_000, 80_000, 100_000].map(|limit| limited(&folder, limit, "spectrum walsh - -q", input.as_bytes())).into();
    assert!(runs.iter().all(|run| run.code == 0 || run.code == 1 || run.code == 127), "{:?}", runs[0].stderr);
    let messages: Vec<String> = runs.into_iter().map(|run| run.stderr).collect();
    assert!(tells_of(&messages, "the values of standard input"), "{messages:?}");
}
