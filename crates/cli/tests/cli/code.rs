//! `manycore code split` and `join`: files come back byte by byte, what is left out is named, and what is refused.

use crate::common::{Folder, devices, manycore_with, run_with};
use serde_json::{Value, json};

fn bytes(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

/// The file that these parts restore, and what was left out.
#[track_caller]
fn joined(folder: &Folder, parts: &str) -> (Vec<u8>, Value) {
    let run = folder.manycore(&format!("code join {parts} --device host --json -o joined"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&report["result"]["restored"], &report["verified"]), (&json!("joined"), &json!(true)));
    (std::fs::read(folder.path("joined")).unwrap(), report["result"]["left_out"].clone())
}

#[test]
fn files_come_back_from_any_parts() {
    for device in devices() {
        let folder = Folder::new();
        folder.file("x.bin", bytes(12_345));
        let names = "x.bin.part0\nx.bin.part1\nx.bin.part2\nx.bin.part3\nx.bin.part4\n";
        let line = format!("code split x.bin --data 3 --parity 2 --verify --device {device}");
        assert_eq!(folder.manycore(&line).output(), names);
        let line = format!("code join x.bin.part4 x.bin.part1 x.bin.part3 -o y.bin --device {device}");
        assert_eq!(folder.manycore(&line).output(), "");
        assert!(std::fs::read(folder.path("y.bin")).unwrap() == bytes(12_345), "{device}");
    }
}

#[test]
fn streams_of_every_length_come_back() {
    // A stripe of 2 + 1 parts has 128 KiB.
    for len in [0, 1, 2, 9, 131_071, 131_072, 131_073, 400_000] {
        let folder = Folder::new();
        let mut split =
            folder.shell_command("exec \"$manycore\" code split - --data 2 --parity 1 --verify --device host");
        split.env("MANYCORE_OPENCL_LIBRARY", "none");
        assert_eq!(run_with(split, &bytes(len)).output(), "stdin.part0\nstdin.part1\nstdin.part2\n");
        // To standard output, with a part that is a pipe.
        let line = "cat stdin.part2 | \"$manycore\" code join stdin.part1 - --device host > y";
        assert_eq!(folder.shell(line, b"").output(), "");
        assert!(std::fs::read(folder.path("y")).unwrap() == bytes(len), "{len}");
        assert!(joined(&folder, "stdin.part0 stdin.part2").0 == bytes(len), "{len}");
    }
}

#[test]
fn damaged_parts_are_named() {
    let folder = Folder::new();
    folder.file("x.txt", "some text\n");
    std::fs::create_dir(folder.path("parts")).unwrap();
    let report = folder.manycore("code split x.txt --data 2 --parity 1 --folder parts --device host --json").json();
    assert_eq!(report["command"], "code split");
    assert_eq!(report["result"][2], "parts/x.txt.part2");
    assert_eq!(report["parameters"]["bytes"], 10);
    let mut part = std::fs::read(folder.path("parts/x.txt.part0")).unwrap();
    part[90] ^= 1;
    folder.file("parts/x.txt.part0", &part);
    let all = "parts/x.txt.part0 parts/x.txt.part1 parts/x.txt.part2";
    let joined = folder.manycore(&format!("code join {all} --device host"));
    assert_eq!(joined.stdout, "some text\n");
    let told = "manycore: left out: parts/x.txt.part0: its checksum is not that of its content (1 of 1 blocks)\n";
    assert_eq!(joined.stderr, told);
    let joined = folder.manycore(&format!("code join {all} --device host --json -o y.txt"));
    let report: Value = serde_json::from_str(&joined.stdout).unwrap();
    assert_eq!(report["result"]["recovered"], json!([0]));
    assert_eq!(report["result"]["left_out"][0]["part"], "parts/x.txt.part0");
    assert_eq!(crate::common::read(&folder.path("y.txt")), "some text\n");
}

#[test]
fn parts_that_do_not_fit_are_left_out() {
    let folder = Folder::new();
    for (name, content) in [("x", "12345"), ("z", "54321"), ("no", "no part")] {
        folder.file(name, content);
        folder.manycore(&format!("code split {name} --data 2 --parity 2 --device host")).output();
    }
    std::fs::create_dir(folder.path("d")).unwrap();
    let (file, left_out) = joined(&folder, "z.part3 x.part0 absent.part1 no d x.part3 x.part3");
    assert_eq!(file, b"12345");
    let names: Vec<&str> = left_out.as_array().unwrap().iter().map(|left| left["part"].as_str().unwrap()).collect();
    assert_eq!(names, ["absent.part1", "d", "no", "x.part3", "z.part3"]);
    assert!(left_out[0]["reason"].as_str().unwrap().starts_with("No such file"), "{left_out}");
    assert_eq!(left_out[1]["reason"], "is a directory");
    assert_eq!(left_out[3]["reason"], "the same part as x.part3");
    assert!(left_out[4]["reason"].as_str().unwrap().contains("5 bytes with checksum "), "{left_out}");
    // Parts of an older file under the same names.
    folder.file("x", "a newer file");
    folder.manycore("code split x --data 2 --parity 0 --device host").output();
    assert_eq!(folder.manycore("code join x.part0 x.part1 x.part2 --device host").stdout, "a newer file");
    let error = folder.manycore("code join x.part0 x.part1 x.part2 x.part3 --device host").error(2);
    let mixed = "there are enough parts of different files, such as x.part0 and x.part2: give the parts of one";
    assert_eq!(error, mixed);
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::new();
    folder.file("x.txt", "12345");
    let error = folder.manycore("code split x.txt --data 0 --parity 1 --device host").error(2);
    assert!(error.starts_with("0 data and 1 parity parts"), "{error}");
    folder.manycore("code split x.txt --data 2 --parity 1 --device host").output();
    let error = folder.manycore("code join x.txt.part0 x.txt --device host").error(2);
    assert_eq!(error, "2 different parts are needed, and 1 is whole; x.txt: it does not begin as a part does");
    let error = folder.manycore("code join x.txt.part0 x.txt.part9 --device host").error(2);
    assert!(error.starts_with("2 different parts are needed, and 1 is whole; x.txt.part9: No such file"), "{error}");
    let error = folder.manycore("code join x.txt.part0 x.txt.part0 --device host").error(2);
    assert_eq!(error, "2 different parts are needed, and 1 is whole; x.txt.part0: the same part as x.txt.part0");
    let error = folder.manycore("code join x.txt --device host").error(2);
    assert_eq!(error, "none of the files is a part of a split file; x.txt: it does not begin as a part does");
    let error = folder.manycore("code join x.txt.part0 x.txt.part1 --device host --json").error(2);
    assert!(error.contains("-o"), "{error}");
    let error = folder.manycore("code split x.txt --data 2 --parity 1 --device host -o list.npy").error(2);
    assert_eq!(error, "list.npy: a list of files is text or JSON, no .npy array");
    let error = folder.manycore("code split d --data 2 --parity 1 --device host").error(2);
    assert!(error.starts_with("d: No such file"), "{error}");
    // Before the work: the device is not there either.
    let error = folder.manycore("code split x.txt --data 2 --parity 1 --folder no --device host").error(2);
    assert_eq!(error, "--folder no: no such folder: make it first");
    assert_eq!(folder.names(), ["x.txt", "x.txt.part0", "x.txt.part1", "x.txt.part2"]);
}

#[test]
fn files_are_not_written_over_each_other() {
    let folder = Folder::new();
    folder.file("f", "12345");
    for (line, told) in [
        ("code split f --data 2 --parity 0 -o f.part1", "f.part1: the list of parts would replace a part"),
        ("code split f --data 2 --parity 0 -o ./f.part0", "f.part0: the list of parts would replace a part"),
        ("code split f --data 2 --parity 0 -o f", "f: the list of parts would replace the file"),
    ] {
        assert_eq!(folder.manycore(&format!("{line} --device host")).error(2), told);
        assert_eq!(folder.names(), ["f"]);
    }
    folder.manycore("code split f --data 2 --parity 1 --device host").output();
    let before = std::fs::read(folder.path("f.part2")).unwrap();
    let error = folder.manycore("code join f.part0 f.part1 f.part2 -o f.part2 --device host").error(2);
    assert_eq!(error, "f.part2: the file would replace a part");
    assert!(std::fs::read(folder.path("f.part2")).unwrap() == before);
    // The file itself may be restored in its place.
    assert_eq!(folder.manycore("code join f.part0 f.part2 -o f --device host").output(), "");
    assert_eq!(crate::common::read(&folder.path("f")), "12345");
}

#[cfg(unix)]
#[test]
fn a_part_that_is_a_link_to_the_file_is_refused() {
    let folder = Folder::new();
    folder.file("f", "12345");
    std::os::unix::fs::symlink("f", folder.path("f.part1")).unwrap();
    let error = folder.manycore("code split f --data 2 --parity 0 --device host").error(2);
    assert_eq!(error, "f.part1: a part would replace the file");
    assert_eq!(crate::common::read(&folder.path("f")), "12345");
}

#[cfg(unix)]
#[test]
fn names_are_printed_without_what_a_terminal_obeys() {
    let folder = Folder::new();
    let name = "a\u{1b}[2Jb";
    folder.file(name, "12345");
    let mut split =
        crate::common::command(&["code", "split", name, "--data", "2", "--parity", "1", "--device", "host"]);
    split.current_dir(folder.path(""));
    let names = "a\\u{1b}[2Jb.part0\na\\u{1b}[2Jb.part1\na\\u{1b}[2Jb.part2\n";
    assert_eq!(run_with(split, b"").output(), names);
    let parts = [0, 1, 2].map(|i| format!("{name}.part{i}"));
    let mut part = std::fs::read(folder.path(&parts[0])).unwrap();
    part[90] ^= 1;
    folder.file(&parts[0], part);
    let mut join = crate::common::command(&["code", "join", &parts[0], &parts[1], &parts[2], "--device", "host"]);
    join.current_dir(folder.path(""));
    let run = run_with(join, b"");
    assert_eq!(run.stdout, "12345");
    assert!(run.stderr.starts_with("manycore: left out: a\\u{1b}[2Jb.part0: its checksum"), "{}", run.stderr);
    // What a header of form 1 says is not repeated.
    let file = "\\u001b]0;title\\u0007".repeat(800);
    let text = format!(
        "manycore part 1\n{{\"file\":\"{file}\",\"bytes\":1,\"data\":1,\"parity\":0,\"index\":0,\"words\":1}}\n"
    );
    folder.file("forged", text);
    let error = folder.manycore("code join forged --device host").error(2);
    assert!(error.len() < 200 && !error.contains('\u{1b}'), "{error}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_parts() {
    let folder = Folder::new();
    folder.file("f", bytes(100_000));
    let names = folder.manycore("code split f --data 3 --parity 2 --device host").output();
    folder.file("f", bytes(3_000_000));
    let before = folder.names();
    let line = "ulimit -f 512; exec \"$manycore\" code split f --data 3 --parity 2 --device host";
    let error = folder.shell(line, b"").error(1);
    assert!(error.starts_with("f.part") && error.contains("File too large"), "{error}");
    assert_eq!(folder.names(), before);
    assert!(joined(&folder, &names.replace('\n', " ")).0 == bytes(100_000));
}

/// The process is killed while it gives the new parts their names: some are new, some old, the rest of the new ones hidden.
#[test]
fn a_split_that_ended_between_two_names_is_taken_up() {
    let folder = Folder::new();
    let all = "f.part0 f.part1 f.part2 f.part3";
    folder.file("f", "old content");
    folder.manycore("code split f --data 3 --parity 1 --device host").output();
    let old: Vec<Vec<u8>> = (0..4).map(|i| std::fs::read(folder.path(&format!("f.part{i}"))).unwrap()).collect();
    folder.file("f", "new content, which is longer");
    folder.manycore("code split f --data 3 --parity 1 --device host").output();
    // FNV-1a of "f".
    let hidden = |i: usize| format!(".manycore-af63db4c8601ead9-1.2.0-{i}.tmp");
    for (i, old) in old.iter().enumerate().take(2) {
        std::fs::rename(folder.path(&format!("f.part{i}")), folder.path(&hidden(i))).unwrap();
        folder.file(&format!("f.part{i}"), old);
    }
    let run = folder.manycore(&format!("code join {all} --device host"));
    assert_eq!((run.code, run.stdout.as_str()), (0, "new content, which is longer"), "{}", run.stderr);
    assert!(run.stderr.contains(&hidden(0)), "{}", run.stderr);
    // The next split replaces everything.
    folder.file("f", "newest");
    folder.manycore("code split f --data 3 --parity 1 --device host").output();
    assert_eq!(folder.manycore(&format!("code join {all} --device host")).output(), "newest");
    assert_eq!(folder.names(), ["f", "f.part0", "f.part1", "f.part2", "f.part3"]);
}

/// Signals at many moments of a split over an older one: the file is the old one or the new one, and nothing else is left.
#[cfg(unix)]
#[test]
fn signals_leave_the_old_parts_or_the_new_ones() {
    let folder = Folder::new();
    let (old, new) = (bytes(400_000), bytes(2_000_000));
    folder.file("old", &old);
    folder.file("new", &new);
    let split = |name: &str| format!("cp {name} f && \"$manycore\" code split f --data 10 --parity 4 --device host");
    let all = (0..14).map(|i| format!("f.part{i}")).collect::<Vec<_>>().join(" ");
    for step in 0..14u64 {
        folder.shell(&split("old"), b"").output();
        let signal = if step % 2 == 0 { "TERM" } else { "KILL" };
        let line = format!(
            "cp new f; \"$manycore\" code split f --data 10 --parity 4 --device host > list 2> /dev/null & \
             sleep 0.0{:02}; kill -{signal} $!; wait $!; exit 0",
            step * 5
        );
        assert_eq!(folder.shell(&line, b"").code, 0);
        let (file, _) = joined(&folder, &all);
        assert!(file == old || file == new, "{signal}, step {step}");
        if signal == "TERM" {
            assert!(folder.names().iter().all(|name| !name.starts_with(".manycore")), "{:?}", folder.names());
        }
    }
    // What kills left is gone with the next split.
    folder.shell(&split("new"), b"").output();
    assert!(folder.names().iter().all(|name| !name.starts_with(".manycore")), "{:?}", folder.names());
    assert!(joined(&folder, &all).0 == new);
}

/// Parts of an earlier release.
#[test]
fn parts_of_form_1_are_read() {
    let folder = Folder::new();
    for i in 0..5 {
        let part = concat!(env!("CARGO_MANIFEST_DIR"), "/../codes/tests/data/text.part");
        // The test may run elsewhere than where it was built.
        let Ok(part) = std::fs::read(format!("{part}{i}")) else { return };
        folder.file(&format!("text.part{i}"), part);
    }
    let run = folder.manycore("code join text.part4 text.part1 text.part3 --device host");
    assert_eq!(run.output(), "A file of one line that was split into parts of form 1.\n");
}

#[test]
fn standard_input_is_a_part() {
    let folder = Folder::new();
    folder.file("f", "1");
    folder.manycore("code split f --data 1 --parity 0 --device host").output();
    let part = std::fs::read(folder.path("f.part0")).unwrap();
    assert_eq!(manycore_with("code join - --device host", &part).output(), "1");
}
