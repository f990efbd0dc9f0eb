//! Memory that is missing: an error with exit status 1, told in a line, and files as they were.
#![cfg(target_os = "linux")]

use crate::common::{Folder, Run, read};
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
    crate::common::run_with(command, input)
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

/// Commands that need far more than half a gigabyte.
const LARGE: [&str; 8] = [
    "matrix nullspace wide.sms --modulus 97",
    "matrix nullspace wide.sms --modulus 2",
    "matrix rank tall.sms --modulus 97",
    "matrix det square.sms --modulus 97",
    "sparse info rows.mtx",
    "tune matrix-det --n 30000",
    "tune poly-div --n 2^60",
    "tune matrix-det --n 2^20",
];

fn large_inputs() -> Folder {
    let folder = Folder::new();
    folder.file("wide.sms", "3 20000 M\n1 1 1\n2 2 1\n3 3 1\n0 0 0\n");
    folder.file("tall.sms", "10000 100000 M\n1 1 1\n0 0 0\n");
    folder.file("square.sms", "30000 30000 M\n1 1 1\n0 0 0\n");
    folder.file("rows.mtx", "%%MatrixMarket matrix coordinate real general\n4294967294 1 0\n");
    folder
}

/// That a run ended for want of memory, in a line that tells so.
#[track_caller]
fn assert_refused(run: Run, line: &str) {
    assert_eq!(run.code, 1, "{line}: {run:?}");
    let message = run.error(1);
    let is_told = ["out of memory: ", " bytes wanted, ", "could be measured"].iter().any(|part| message.contains(part));
    assert!(is_told, "{line}: {message}");
}

#[test]
fn what_does_not_fit_the_address_space_is_refused_with_and_without_opencl() {
    let folder = large_inputs();
    for line in LARGE {
        assert_refused(limited(&folder, 500_000, line, b""), line);
        // A driver's libraries handle an abort in their own way: there must be none.
        let shell = format!(
            "ulimit -v 1200000; \"$manycore\" devices > /dev/null; exec \"$manycore\" {line} -o y --device host:1"
        );
        folder.file("y", "old");
        assert_refused(crate::common::run_with(folder.shell_command(&shell), b""), line);
        assert_eq!((read(&folder.path("y")).as_str(), folder.names().len()), ("old", 5), "{line}");
    }
}

/// A control group with a limit of memory, where this process may make one: version 1.
struct Group(std::path::PathBuf);

impl Group {
    fn new(bytes: u64) -> Option<Self> {
        let group = Self(format!("/sys/fs/cgroup/memory/manycore-test-{}", std::process::id()).into());
        std::fs::create_dir(&group.0).ok()?;
        std::fs::write(group.0.join("memory.limit_in_bytes"), bytes.to_string()).ok()?;
        Some(group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.0);
    }
}

#[test]
fn what_does_not_fit_the_control_group_is_refused_and_not_killed() {
    // Where no group can be made, its files are tested by crate `files`.
    let Some(group) = Group::new(256 << 20) else { return };
    let folder = large_inputs();
    for line in LARGE {
        let enter = format!("echo 0 > {}/cgroup.procs || exit {NO_START}", group.0.display());
        let run = crate::common::run_with(folder.shell_command(&format!("{enter}; exec \"$manycore\" {line}")), b"");
        if run.code == NO_START {
            return;
        }
        assert_refused(run, line);
    }
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

/// Results whose size the input tells are refused before they are computed, with the options and files that make them so large.
#[test]
fn sizes_that_the_input_tells_are_refused_at_once() {
    let folder = Folder::new();
    folder.file("f.txt", "1 1\n");
    folder.file("g.txt", "0 1 1\n");
    folder.file("long.txt", "x^4000000 + 1\n");
    folder.file("large.txt", "x^4000000000000000 + 1\n");
    folder.file("wrong.txt", "x^4000000000 + 1 )\n");
    folder.file("system.txt", "(x+y)^100000 - 1\nx - 2\n");
    folder.file("plan.txt", "A = function 1000000 1000000: x\nB = product plus-times A A\noutput B\n");
    folder.file("tall.sms", "1000000 2 M\n1 1 1\n2 2 1\n0 0 0\n");
    let modulus = "--modulus 18446744069414584321";
    let series =
        |operation: &str, files: &str| format!("poly series {operation} {files} --terms 10000000000000 {modulus}");
    for line in [
        format!("poly pow f.txt --exponent 1000000000000 {modulus}"),
        format!("poly pow f.txt --exponent 100000000 {modulus} --memory 100MB"),
        format!("poly compose long.txt long.txt {modulus}"),
        series("inverse", "f.txt"),
        series("quotient", "f.txt f.txt"),
        series("log", "f.txt"),
        series("exp", "g.txt"),
        series("sqrt", "f.txt"),
        series("inverse-sqrt", "f.txt"),
        series("reversion", "g.txt"),
        "characters 1000000,1000000".to_owned(),
        "semiring plan plan.txt".to_owned(),
        "matrix hermite tall.sms --transforms".to_owned(),
        "matrix smith tall.sms --transforms".to_owned(),
    ] {
        let error = folder.manycore(&format!("{line} --device host")).error(1);
        assert!(error.starts_with(&format!("{line} --device host: host: ")), "{error}");
        assert!(error.contains(" bytes wanted, "), "{error}");
    }
    for (line, expected) in [
        (
            "poly factor large.txt --modulus 7",
            "large.txt:1: `x^4000000000000000`, with which the coefficients take 16000000000000004 bytes",
        ),
        ("poly factor wrong.txt --modulus 7", "wrong.txt:1: `)`: expected +, - or the end"),
        (
            "bivariate solve system.txt --exact",
            "system.txt:1: column 7: a power of 2 terms takes a product of at least 50001",
        ),
        ("bivariate resultant system.txt --modulus 2147483647", "system.txt:1: column 7: a power of 2 terms"),
    ] {
        let error = folder.manycore(&format!("{line} --device host")).error(2);
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn forms_that_do_not_fit_name_their_file() {
    let folder = Folder::new();
    folder.file("tall.sms", "100000 2 M\n1 1 1\n2 2 1\n0 0 0\n");
    for command in ["hermite", "smith"] {
        let messages = squeezed(&folder, &format!("matrix {command} tall.sms"));
        assert!(!messages.is_empty() && messages.iter().all(|line| line.contains("tall.sms")), "{messages:?}");
        assert!(messages.iter().all(|line| !line.contains("not the 8 bytes")), "{messages:?}");
    }
}
