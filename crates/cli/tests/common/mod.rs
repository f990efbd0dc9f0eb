//! Running the built program.

#![allow(dead_code)] // each test program uses its part

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What a run of the program gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// What `--verify` says of a result that is no JSON, which is no part of `stderr`.
    pub(crate) verified: Option<String>,
}

impl Run {
    /// The output of a run that must succeed and say nothing beside it.
    #[track_caller]
    pub(crate) fn output(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        self.stdout
    }

    /// The output as JSON.
    #[track_caller]
    pub(crate) fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.output()).unwrap()
    }

    /// The message of a run that must fail with this exit status, write nothing else, and say it in one line.
    #[track_caller]
    pub(crate) fn error(self, code: i32) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (code, ""), "{}", self.stderr);
        let line = self.stderr.strip_suffix('\n').unwrap();
        assert!(!line.contains('\n'), "{line}");
        line.strip_prefix("manycore: ").unwrap().to_owned()
    }
}

/// The program: where the test runs, it may lie elsewhere than where it was built.
fn program() -> PathBuf {
    std::env::var_os("CARGO_BIN_EXE_manycore").unwrap_or_else(|| env!("CARGO_BIN_EXE_manycore").into()).into()
}

/// The folder in which the program keeps what it measures, one for each test program: never the user's.
const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache-of-", env!("CARGO_CRATE_NAME"));

/// Lets a command see neither a device nor a tuning mode of the environment, nor the user's calibrations and choices, and take
/// signals as a terminal's programs do.
fn apart(command: &mut Command) -> &mut Command {
    default_signals(command);
    command.env_remove("MANYCORE_DEVICE").env_remove("MANYCORE_TUNING").env("MANYCORE_CACHE", CACHE)
}

/// Lets signals end a command, also where they are ignored here: background jobs of a shell ignore interrupts, what runs under
/// `nohup` hang-ups, and both hand that on to the programs that they start.
#[cfg(unix)]
fn default_signals(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    let reset = || {
        for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
            // SAFETY: `signal` is safe to call between fork and exec, and the default action calls no code.
            if unsafe { libc::signal(signal, libc::SIG_DFL) } == libc::SIG_ERR {
                return Err(std::io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: the closure neither allocates nor takes locks.
    unsafe { command.pre_exec(reset) };
}

#[cfg(not(unix))]
fn default_signals(_: &mut Command) {}

/// A command of the program, apart from the user's environment and from a terminal.
pub(crate) fn command(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(program());
    apart(&mut command).args(arguments).stdin(Stdio::null());
    command
}

/// Runs it with this standard input.
pub(crate) fn run_with(mut command: Command, input: &[u8]) -> Run {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let mut stderr = String::from_utf8(output.stderr).unwrap();
    let verified = stderr.find("manycore: verified: ").map(|at| stderr.split_off(at));
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr,
        verified: verified.map(|line| line.trim_start_matches("manycore: verified: ").trim_end().to_owned()),
    }
}

/// Runs the program on the words of a line.
pub(crate) fn manycore(line: &str) -> Run {
    manycore_with(line, b"")
}

/// Runs the program on the words of a line, with this standard input.
pub(crate) fn manycore_with(line: &str, input: &[u8]) -> Run {
    run_with(command(&line.split_whitespace().collect::<Vec<_>>()), input)
}

/// A folder of its own, which goes when it is dropped.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A file with this content.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Runs a line of the shell in this folder; `$manycore` is the program.
    pub(crate) fn shell(&self, line: &str, input: &[u8]) -> Run {
        run_with(self.shell_command(line), input)
    }

    /// The command that [`Folder::shell`] runs.
    pub(crate) fn shell_command(&self, line: &str) -> Command {
        let mut shell = Command::new("sh");
        apart(&mut shell).args(["-c", line]).current_dir(self.0.path()).env("manycore", program());
        shell
    }

    /// The names in this folder, hidden ones too, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = std::fs::read_dir(self.0.path()).unwrap().map(name).collect();
        names.sort();
        names
    }

    /// Runs the program in this folder.
    pub(crate) fn manycore(&self, line: &str) -> Run {
        let mut command = command(&line.split_whitespace().collect::<Vec<_>>());
        command.current_dir(self.0.path());
        run_with(command, b"")
    }
}

/// Choices that the program keeps in a folder of their own.
pub(crate) struct Choices(Folder);

impl Choices {
    /// None yet.
    pub(crate) fn new() -> Self {
        Self(Folder::new())
    }

    /// Runs the program on the words of a line, in a tuning mode.
    pub(crate) fn manycore_in(&self, mode: &str, line: &str) -> Run {
        let mut command = command(&line.split_whitespace().collect::<Vec<_>>());
        command.env("MANYCORE_CACHE", self.0.path("cache")).env("MANYCORE_TUNING", mode);
        run_with(command, b"")
    }

    /// Runs the program on the words of a line.
    pub(crate) fn manycore(&self, line: &str) -> Run {
        self.manycore_in("", line)
    }

    /// Tunes an operation on the host, checks that the choice is kept and taken, and gives the report.
    #[track_caller]
    pub(crate) fn tune(&self, operation: &str) -> serde_json::Value {
        let report = self.manycore(&format!("tune {operation} --device host --json")).json();
        assert_eq!(report["command"], "tune");
        let rows = report["result"].as_array().unwrap();
        assert!(are_ranked(rows), "{report}");
        let later = self.manycore(&format!("explain {operation} --device host --json")).json();
        let (tuned, taken) = (&rows[0], &later["result"][0]);
        assert_eq!(taken["parameters"], tuned["parameters"], "{later}");
        if rows.len() > 1 && tuned["chosen_by"] != "estimated" {
            assert_eq!((&tuned["chosen_by"], &taken["chosen_by"]), (&"measured".into(), &"kept".into()), "{later}");
            assert!(tuned["measured_seconds"].as_f64().unwrap() > 0.0, "{report}");
        }
        report
    }
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The ids of the devices to test on.
pub(crate) fn devices() -> Vec<String> {
    let opencl = manycore_testkit::opencl_devices();
    ["host", "host:1"].map(String::from).into_iter().chain(opencl.iter().map(|d| d.info().id.clone())).collect()
}

/// Values as the program writes them, one a line.
pub(crate) fn lines<T: std::fmt::Debug>(values: &[T]) -> String {
    values.iter().flat_map(|value| [format!("{value:?}"), "\n".to_owned()]).collect()
}

/// Integers without a pattern, of at most 9 bits.
pub(crate) fn integers(len: usize) -> Vec<i64> {
    (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as i64 - 256).collect()
}

/// Whether a device computes in f64.
pub(crate) fn has_f64(id: &str) -> bool {
    manycore::Device::select(id).unwrap().info().fp64
}

/// Whether candidates are in their order: those that were measured, by their times, then the others, by estimates of which those
/// within 1 % are alike; the first is the chosen one.
pub(crate) fn are_ranked(candidates: &[serde_json::Value]) -> bool {
    let seconds = |name: &str| -> Vec<f64> { candidates.iter().map_while(|row| row[name].as_f64()).collect() };
    let measured = seconds("measured_seconds");
    let estimates = seconds("estimate_seconds");
    let others = &estimates[measured.len()..];
    let is_ascending = |values: &[f64], alike: f64| values.windows(2).all(|pair| pair[0] <= alike * pair[1]);
    estimates.len() == candidates.len()
        && is_ascending(&measured, 1.0)
        && is_ascending(others, 1.01)
        && candidates.iter().enumerate().all(|(i, row)| row["chosen_by"].is_string() == (i == 0))
}
