//! Memory that is missing: an error with exit status 1, told in a line, and files as they were.
#![cfg(target_os = "linux")]

mod common;

use common::{Folder, Run, read};
use manycore::files::write_npy;

/// Numbers of an input that is large beside the program itself.
const MANY: usize = 1 << 23;

/// The exit status of a shell where the program does not even start.
const NO_START: i32 = 77;

/// Runs the program with so many KiB of address space, and with the traces of calls that Rust prints where it can.
fn limited(folder: &Folder, kibibytes: usize, line: &str, input: &[u8]) -> Run {
    let starts = format!("\"$manycore\" --version > /dev/null 2>&1 || exit {NO_START}");
    let shell = format!("ulimit -v {kibibytes}; {starts}; exec timeout 120 \"$manycore\" {line} --device host:1");
    let mut command = folder.shell_command(&shell);
    // A driver that is only listed takes most of the address space.
    command.env("RUST_BACKTRACE", "1").env("MANYCORE_OPENCL_LIBRARY", "none");
    common::run_with(command, input)
}

/// Runs a line with less and less memory until the program does not start; each run ends with exit status 0 or 1, and with 1
/// the target is as it was. Gives the messages.
fn squeezed(folder: &Folder, line: &str) -> Vec<String> {
    let mut messages = Vec::new();
    for kibibytes in (1..=16).rev().map(|step| step * 20_000) {
        folder.file("y", "old");
        let run = limited(folder, kibibytes, &format!("{line} -o y"), b"");
        if run.code == NO_START {
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
    let told = |line: &&String| {
        line.starts_with("manycore: out of memory: ") && line.ends_with(&format!(" bytes for {what}\n"))
    };
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
    // Which of its lists does not fit depends on what the threads leave.
    let lists = ["the bytes of x", "the coefficients of x", "the results of x"];
    assert!(lists.iter().any(|list| tells_of(&messages, list)), "{messages:?}");
    let messages = squeezed(&folder, "spectrum reed-muller x --json");
    assert!(
        messages.iter().any(|line| line.contains("out of memory") || line.contains("bytes wanted")),
        "{messages:?}"
    );
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
    let runs: Vec<Run> = [60_000, 90_000, 120_000, 130_000, 140_000]
        .map(|limit| limited(&folder, limit, "spectrum walsh - -q", input.as_bytes()))
        .into();
    assert!(runs.iter().all(|run| [0, 1, NO_START].contains(&run.code)), "{:?}", runs[0].stderr);
    let messages: Vec<String> = runs.into_iter().map(|run| run.stderr).collect();
    assert!(tells_of(&messages, "the values of standard input"), "{messages:?}");
}

#[test]
fn an_abort_ends_the_program_with_status_1() {
    // Rust ends a program by an abort where a library cannot be refused memory: here somebody else aborts it.
    let folder = Folder::new();
    folder.file("y", "old");
    let line = "exec \"$manycore\" spectrum walsh - -o y --device host:1";
    let mut child = folder.shell_command(line).stdin(std::process::Stdio::piped()).spawn().unwrap();
    let waits = |name: &str| std::fs::read_to_string(format!("/proc/{}/{name}", child.id())).unwrap();
    // It catches the signal as soon as it works on the command.
    let caught = |status: &str| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
        u64::from_str_radix(mask, 16).unwrap() >> (6 - 1) & 1 == 1
    };
    for _ in 0..1000 {
        if waits("comm").trim() == "manycore" && caught(&waits("status")) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(folder.shell(&format!("kill -ABRT {}", child.id()), b"").output(), "");
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!((folder.names(), read(&folder.path("y")).as_str()), (vec!["y".to_owned()], "old"));
}
