//! Interrupts (Ctrl-C) and the line of progress: what a person at a terminal has of a long command.
#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Folder, command, lines, read};

/// Numbers of no pattern below a bound.
fn numbers(count: usize, below: u64) -> Vec<u64> {
    let mut x = 7u64;
    let mut next = || {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (x >> 33) % below
    };
    (0..count).map(|_| next()).collect()
}

/// A folder with the inputs of [`LONG`], and an old result.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("f.txt", lines(&numbers(6000, 469_762_049)));
    folder.file("sbox.txt", lines(&numbers(1 << 16, 1 << 16)));
    let weights = numbers(1400 * 1400, 1000);
    let rows: Vec<String> =
        weights.chunks(1400).map(|row| row.iter().map(|w| format!("-{w}")).collect::<Vec<_>>().join(" ")).collect();
    folder.file("graph.txt", rows.join("\n"));
    folder.file("y.txt", "old");
    folder
}

/// Commands that compute for much longer than the tests wait.
const LONG: [&str; 3] = [
    "poly factor f.txt --modulus 469762049 --device host -o y.txt",
    "sbox info sbox.txt --device host -o y.txt",
    "maxplus star graph.txt --device host -o y.txt",
];

fn spawned(folder: &Folder, line: &str, stderr: Stdio) -> Child {
    let mut program = command(&line.split(' ').collect::<Vec<_>>());
    program.current_dir(folder.path("")).stdout(Stdio::null()).stderr(stderr).spawn().unwrap()
}

fn interrupt(child: &Child) {
    // SAFETY: the call sends a signal to a process that is not waited for yet.
    assert_eq!(unsafe { libc::kill(i32::try_from(child.id()).unwrap(), libc::SIGINT) }, 0);
}

#[test]
fn an_interrupt_ends_every_long_command_and_leaves_the_old_file() {
    let folder = folder();
    let names = folder.names();
    for line in LONG {
        for again in [false, true] {
            let mut child = spawned(&folder, line, Stdio::piped());
            std::thread::sleep(Duration::from_millis(800));
            assert!(child.try_wait().unwrap().is_none(), "{line}: it was too short");
            interrupt(&child);
            if again {
                std::thread::sleep(Duration::from_millis(1));
                interrupt(&child);
            }
            let begin = Instant::now();
            let output = child.wait_with_output().unwrap();
            assert!(begin.elapsed() < Duration::from_secs(30), "{line}: {:?}", begin.elapsed());
            assert_eq!(output.status.signal(), Some(libc::SIGINT), "{line}: {:?}", output.status);
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
            assert_eq!(folder.names(), names, "{line}");
            assert_eq!(read(&folder.path("y.txt")), "old", "{line}");
        }
    }
}

#[test]
fn an_interrupt_while_a_command_reads_ends_it_at_once() {
    let folder = Folder::new();
    let mut program = command(&["poly", "factor", "-", "--modulus", "7", "--device", "host"]);
    let mut child = program.current_dir(folder.path("")).stdin(Stdio::piped()).spawn().unwrap();
    // It stays open, so that the program goes on reading.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"1 2").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    let begin = Instant::now();
    assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGINT));
    assert!(begin.elapsed() < Duration::from_secs(10));
    drop(input);
}

/// Both ends of a terminal.
fn terminal() -> (File, OwnedFd) {
    let (mut ours, mut theirs) = (-1, -1);
    let none = std::ptr::null_mut();
    // SAFETY: the call writes two descriptors; the last three arguments may be null.
    let code = unsafe { libc::openpty(&raw mut ours, &raw mut theirs, none, none.cast(), none.cast()) };
    assert_eq!(code, 0, "{}", std::io::Error::last_os_error());
    // SAFETY: descriptors of ours that nobody else has.
    unsafe { (File::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs)) }
}

/// What a command writes to a terminal as standard error, in the first `time` or up to its end.
fn on_terminal(folder: &Folder, line: &str, time: Duration) -> String {
    let (mut ours, theirs) = terminal();
    let mut child = spawned(folder, line, Stdio::from(theirs));
    let begin = Instant::now();
    while begin.elapsed() < time && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    child.wait().unwrap();
    let mut text = Vec::new();
    // An error says that nobody has the other end any more.
    let _ = ours.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn a_long_command_tells_its_steps_on_a_terminal_alone() {
    let folder = folder();
    let text = on_terminal(&folder, LONG[0], Duration::from_secs(3));
    assert!(text.contains("on host") && text.contains(", step "), "{text:?}");
    assert_eq!(on_terminal(&folder, &format!("{} -q", LONG[0]), Duration::from_secs(2)), "");
    let short = on_terminal(&folder, "spectrum walsh y.txt --device host -q", Duration::from_secs(20));
    assert!(short.contains("y.txt:1: `old` is no number"), "{short:?}");
    folder.file("x.txt", "1 2");
    assert_eq!(on_terminal(&folder, "spectrum walsh x.txt --device host", Duration::from_secs(20)), "");
}
