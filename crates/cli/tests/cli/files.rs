//! Files of `-o`: whole or as they were, whatever ends the program.

use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Folder, command, lines, manycore, manycore_with, read, run_with};

/// More numbers than a buffer of the program holds.
const MANY: usize = 1 << 15;

/// A table that takes much longer to write than the tests need.
const LONG: &str = "characters 2^15 --exponents --device host -q -o y.txt";

fn many() -> String {
    lines(&(0..MANY).collect::<Vec<_>>())
}

#[test]
fn the_input_can_be_the_target() {
    let folder = Folder::new();
    folder.file("x.txt", "1 2\n");
    for _ in 0..2 {
        assert_eq!(folder.manycore("spectrum walsh x.txt -o x.txt --verify --device host").output(), "");
    }
    assert_eq!(read(&folder.path("x.txt")), "2\n4\n");
    folder.file("m.txt", many());
    assert_eq!(folder.manycore("spectrum walsh m.txt -o m.npy --device host").output(), "");
    assert_eq!(folder.manycore("spectrum walsh m.npy --inverse -o m.npy --device host").output(), "");
    assert_eq!(folder.manycore("spectrum walsh m.npy -o m.npy --device host").output(), "");
    assert_eq!(folder.manycore("spectrum walsh m.npy --inverse --device host").output(), many());
    assert_eq!(folder.names(), ["m.npy", "m.txt", "x.txt"]);
}

#[test]
fn standard_output_is_a_dash() {
    let folder = Folder::new();
    folder.file("x.txt", "1 2\n");
    assert_eq!(folder.manycore("spectrum walsh x.txt -o - --device host").output(), "3\n-1\n");
    assert!(folder.manycore("man devices -o -").output().contains("List the devices"));
    assert_eq!(folder.names(), ["x.txt"]);
}

#[test]
fn targets_that_cannot_be_written_are_found_before_the_work() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder.file("file", "kept");
    for (target, reason) in [
        ("no/y.txt", "No such file or directory"),
        ("folder", "is a directory"),
        ("new/", "is a directory"),
        ("file/y.txt", "Not a directory"),
    ] {
        for work in ["spectrum walsh absent.txt", "poly mul absent.txt absent.txt --modulus 7", "sbox lat absent.txt"] {
            let error = folder.manycore(&format!("{work} --device nothing -o {target}")).error(2);
            assert!(error.starts_with(&format!("{target}: {reason}")), "{error}");
        }
    }
    assert_eq!(folder.manycore("devices -o folder").error(2), "folder: is a directory");
    assert_eq!((folder.names().len(), read(&folder.path("file")).as_str()), (2, "kept"));
}

#[cfg(target_os = "linux")]
#[test]
fn folders_and_files_that_take_no_writing_are_found_before_the_work() {
    // Not even the superuser makes files there.
    let error = manycore("spectrum walsh absent.txt -o /sys/manycore.txt").error(2);
    assert!(error.starts_with("/sys/manycore.txt: "), "{error}");
    let folder = Folder::new();
    std::os::unix::fs::symlink("/sys/manycore.txt", folder.path("link")).unwrap();
    assert!(folder.manycore("spectrum walsh absent.txt -o link").error(2).starts_with("link: "));
}

#[test]
fn results_that_are_no_arrays_are_refused_before_the_work() {
    for (line, what) in [
        ("boolean info absent", "a list of facts"),
        ("boolean anf absent", "a normal form"),
        ("spectrum polarities absent", "a list of polarities"),
        ("spectrum polarities absent --all", "a list of polarities"),
        ("sbox info absent", "a table or a list of facts"),
        ("sbox ddt absent", "a table or a list of facts"),
        ("explain walsh --n 8", "an explanation"),
        ("tune walsh --n 8", "a list of choices"),
        ("devices", "a list of devices"),
        ("calibrate --show", "a machine model"),
        ("completions bash", "a list of completions"),
        ("man", "a manual page"),
    ] {
        for json in ["", " --json"] {
            let folder = Folder::new();
            let error = folder.manycore(&format!("{line}{json} -o y.npy")).error(2);
            assert_eq!(error, format!("y.npy: {what} is text or JSON, no .npy array"), "{line}");
            assert!(folder.names().is_empty());
        }
    }
}

#[test]
fn arrays_are_written_where_the_name_asks_for_one() {
    let folder = Folder::new();
    folder.file("f", "0110");
    folder.file("bits", "0 1 1 0");
    for line in [
        "boolean spectrum f",
        "boolean autocorrelation f",
        "spectrum walsh bits",
        "spectrum reed-muller bits",
        "spectrum arithmetic bits",
        "spectrum haar bits",
        "spectrum ntt bits --modulus 17",
        "spectrum fourier bits",
        "spectrum kronecker bits --product walsh^2",
        "poly mul bits bits --modulus 7",
        "characters 4 --exponents",
    ] {
        assert_eq!(folder.manycore(&format!("{line} --device host -o y.npy")).output(), "", "{line}");
        assert!(std::fs::read(folder.path("y.npy")).unwrap().starts_with(b"\x93NUMPY"), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    folder.file("x.txt", "1 2\n");
    folder.file("y.txt", "old");
    let mode = |name: &str| std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    std::fs::set_permissions(folder.path("y.txt"), PermissionsExt::from_mode(0o604)).unwrap();
    symlink("y.txt", folder.path("link")).unwrap();
    assert_eq!(folder.manycore("spectrum walsh x.txt -o link --device host").output(), "");
    assert_eq!((read(&folder.path("y.txt")).as_str(), mode("y.txt")), ("3\n-1\n", 0o604));
    assert!(std::fs::symlink_metadata(folder.path("link")).unwrap().is_symlink());
    // A new file has the permissions of every new file.
    assert_eq!(
        folder.shell("umask 027; exec \"$manycore\" spectrum walsh x.txt -o new --device host", b"").output(),
        ""
    );
    assert_eq!(mode("new"), 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_pipes_are_written_as_they_are() {
    let folder = Folder::new();
    folder.file("x.txt", "1 2\n");
    assert_eq!(folder.manycore("spectrum walsh x.txt -o /dev/null --device host").output(), "");
    let error = folder.manycore("spectrum walsh x.txt -o /dev/full --device host").error(1);
    assert!(error.starts_with("/dev/full: No space left on device"), "{error}");
    assert_eq!(folder.manycore("spectrum walsh x.txt -o /dev/stdout --device host").output(), "3\n-1\n");
    let piped = "mkfifo pipe && { cat pipe & \"$manycore\" spectrum walsh x.txt -o pipe --device host; wait; }";
    assert_eq!(folder.shell(piped, b"").output(), "3\n-1\n");
    let kept = "echo line > log; exec \"$manycore\" spectrum walsh x.txt -o /dev/stdout --device host >> log";
    assert_eq!(folder.shell(kept, b"").output(), "");
    assert_eq!(read(&folder.path("log")), "line\n3\n-1\n");
    assert!(std::fs::metadata("/dev/null").unwrap().len() == 0 && folder.names().len() == 3);
}

#[cfg(unix)]
#[test]
fn a_file_that_grows_too_large_leaves_the_old_one() {
    let folder = Folder::new();
    folder.file("x.txt", many());
    let error = "File too large (os error 27)";
    for (name, options) in [("y.txt", ""), ("y.npy", ""), ("y.json", "--json"), ("new.txt", "--verify")] {
        if name != "new.txt" {
            folder.file(name, "old");
        }
        let before = folder.names();
        let line = format!("ulimit -f 16; exec \"$manycore\" spectrum walsh x.txt {options} -o {name} --device host");
        assert_eq!(folder.shell(&line, b"").error(1), format!("{name}: {error}"));
        assert_eq!(folder.names(), before);
        if name != "new.txt" {
            assert_eq!(read(&folder.path(name)), "old");
        }
    }
    let line = "ulimit -f 16; exec \"$manycore\" spectrum walsh x.txt --device host > out.txt";
    assert_eq!(folder.shell(line, b"").error(1), format!("standard output: {error}"));
    let line = "ulimit -f 16; exec \"$manycore\" characters 2^10 --exponents --device host -o y.txt";
    assert_eq!(folder.shell(line, b"").error(1), format!("y.txt: {error}"));
    assert_eq!(read(&folder.path("y.txt")), "old");
}

#[test]
fn a_result_that_is_not_written_leaves_the_old_file() {
    let folder = Folder::new();
    folder.file("x.txt", "1 2 x\n");
    folder.file("y.txt", "old");
    assert_eq!(folder.manycore("spectrum walsh x.txt -o y.txt --device host").error(2), "x.txt:1: `x` is no number");
    assert_eq!(folder.names(), ["x.txt", "y.txt"]);
    assert_eq!(read(&folder.path("y.txt")), "old");
}

/// Waits until the program has begun to write a file beside its target.
#[cfg(unix)]
fn begins_to_write(folder: &Folder, child: &mut Child) {
    let begin = Instant::now();
    while !folder.names().iter().any(|name| name.starts_with(".manycore-")) {
        assert!(child.try_wait().unwrap().is_none(), "the program ended");
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing is written");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_the_old_file_and_nothing_else() {
    use std::os::unix::process::ExitStatusExt;
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3)] {
        let folder = Folder::new();
        folder.file("y.txt", "old");
        let mut program = command(&LONG.split(' ').collect::<Vec<_>>());
        let mut child = program.current_dir(folder.path("")).stdout(Stdio::null()).spawn().unwrap();
        begins_to_write(&folder, &mut child);
        let kill = folder.shell(&format!("kill -{name} {}", child.id()), b"");
        assert_eq!(kill.output(), "");
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{name}");
        assert_eq!(folder.names(), ["y.txt"], "{name}");
        assert_eq!(read(&folder.path("y.txt")), "old");
    }
}

#[cfg(unix)]
#[test]
fn a_kill_leaves_the_old_file() {
    let folder = Folder::new();
    folder.file("y.txt", "old");
    let mut program = command(&LONG.split(' ').collect::<Vec<_>>());
    let mut child = program.current_dir(folder.path("")).stdout(Stdio::null()).spawn().unwrap();
    begins_to_write(&folder, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(read(&folder.path("y.txt")), "old");
}

/// As under `nohup`, and in a background job of a script.
#[cfg(unix)]
#[test]
fn signals_that_were_ignored_stay_ignored() {
    for name in ["HUP", "INT", "QUIT", "TERM"] {
        let folder = Folder::new();
        folder.file("y.txt", "old");
        // The program waits for its input with the signal ignored, and goes on after it.
        let line = format!("trap '' {name}; exec \"$manycore\" spectrum walsh - -o y.txt --device host");
        let mut child = folder.shell_command(&line).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(folder.shell(&format!("kill -{name} {}", child.id()), b"").output(), "");
        std::thread::sleep(Duration::from_millis(100));
        child.stdin.take().unwrap().write_all(b"1 2").unwrap();
        assert!(child.wait().unwrap().success(), "{name}");
        assert_eq!(read(&folder.path("y.txt")), "3\n-1\n");
        assert_eq!(folder.names(), ["y.txt"], "{name}");
    }
}

#[test]
fn manual_pages_in_a_folder_are_replaced_one_by_one() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("pages")).unwrap();
    let old = folder.file("pages/manycore.1", "old");
    assert_eq!(folder.manycore("man -o pages").output(), "");
    assert!(read(&old).contains(".TH manycore 1"));
    let names: Vec<_> = std::fs::read_dir(folder.path("pages")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(names.len() > 20 && names.iter().all(|name| name.to_string_lossy().starts_with("manycore")), "{names:?}");
}

/// Nobody would learn that the output is lost.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_an_error() {
    let folder = Folder::new();
    folder.file("x", "1 0");
    for line in
        ["spectrum walsh x", "spectrum walsh x --json", "devices", "--help", "--version", "man", "completions bash"]
    {
        let run = folder.shell(&format!("exec \"$manycore\" {line} >&-"), b"");
        assert_eq!(run.error(1), "standard output: Bad file descriptor (os error 9)", "{line}");
    }
    assert_eq!(folder.shell("exec \"$manycore\" spectrum walsh x --device host -o y >&-", b"").output(), "");
    assert_eq!(folder.shell("exec \"$manycore\" spectrum walsh x > /dev/null", b"").output(), "");
    assert_eq!(folder.shell("exec \"$manycore\" spectrum walsh x 1<> /dev/null", b"").output(), "");
}

/// Commands that write files without -o, too.
#[cfg(unix)]
#[test]
fn a_signal_leaves_nothing_of_parts() {
    use std::os::unix::process::ExitStatusExt;
    let folder = Folder::new();
    let mut program = command(&["code", "split", "-", "--data", "2", "--parity", "1", "--device", "host"]);
    let mut child = program.current_dir(folder.path("")).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    begins_to_write(&folder, &mut child);
    assert_eq!(folder.shell(&format!("kill -TERM {}", child.id()), b"").output(), "");
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert!(folder.names().is_empty());
}

#[test]
fn a_reader_of_standard_output_that_goes_away_is_no_error() {
    let folder = Folder::new();
    folder.file("x.txt", many());
    let line = "\"$manycore\" spectrum walsh x.txt --device host | head -n 1";
    assert_eq!(folder.shell(line, b"").output().lines().count(), 1);
    let mut help = command(&["--help"]);
    help.stdout(Stdio::piped());
    assert_eq!(run_with(help, b"").code, 0);
    assert_eq!(manycore_with("spectrum walsh - --device host", b"1 2").output(), "3\n-1\n");
}
