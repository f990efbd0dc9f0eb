//! Processor time of compilers and of test programs, by package: a copy of this program stands before each of them, waits
//! for it and writes down what it took.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// The name of the copy: started by it, this program does what [`stand_before`] says.
const NAME: &str = "manycore-costs";

/// The variable that names the file of costs.
const FILE: &str = "MANYCORE_COSTS";

/// The variable that names the package of a test program.
const PACKAGE: &str = "MANYCORE_COSTS_PACKAGE";

/// What one process took.
#[derive(Serialize, Deserialize)]
struct Line {
    package: String,
    is_test: bool,
    seconds: f64,
}

/// Seconds of processor time of one package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// Of the compilers of its libraries, programs and tests.
    pub(crate) build: f64,
    /// Of its test programs.
    pub(crate) test: f64,
}

/// Where costs are written, and the program that writes them.
#[derive(Clone)]
pub(crate) struct Costs {
    program: PathBuf,
    file: PathBuf,
}

impl Costs {
    /// Costs in a file of the folder: a new one, or the one that is there.
    pub(crate) fn new(folder: &Path, is_new: bool) -> Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let own = std::env::current_exe().context("this program's own file")?;
        // Cargo may build this program anew while it runs, so that a copy stands before the others.
        let program = folder.join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX));
        std::fs::copy(own, &program).with_context(|| format!("cannot write {}", program.display()))?;
        let file = folder.join("costs.jsonl");
        if is_new || !file.exists() {
            std::fs::write(&file, "").with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(Self { program, file })
    }

    /// Lets the compilers that a command of cargo starts be counted.
    pub(crate) fn of_compilers(&self, cargo: &mut Command) {
        cargo.env("RUSTC_WRAPPER", &self.program).env(FILE, &self.file);
    }

    /// The command of a test program, counted for its package.
    pub(crate) fn of_test(&self, command: &Command, package: &str) -> Command {
        let mut counted = Command::new(&self.program);
        counted.arg(command.get_program()).args(command.get_args());
        counted.env(FILE, &self.file).env(PACKAGE, package);
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => counted.env(name, value),
                None => counted.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            counted.current_dir(folder);
        }
        counted
    }

    /// What was written so far, by package.
    pub(crate) fn by_package(&self) -> Result<BTreeMap<String, Cost>> {
        let text =
            std::fs::read_to_string(&self.file).with_context(|| format!("cannot read {}", self.file.display()))?;
        Ok(sums(&text))
    }
}

fn sums(text: &str) -> BTreeMap<String, Cost> {
    let mut costs: BTreeMap<String, Cost> = BTreeMap::new();
    // A line that two processes wrote into at once is left out.
    for line in text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
        let cost = costs.entry(line.package).or_default();
        *(if line.is_test { &mut cost.test } else { &mut cost.build }) += line.seconds;
    }
    costs
}

/// Where this program was started by the name of the copy: runs the command that its arguments are, and writes what it took.
pub(crate) fn stand_before() -> Option<ExitCode> {
    let mut words = std::env::args_os();
    let own = words.next()?;
    if Path::new(&own).file_stem()? != NAME {
        return None;
    }
    let words: Vec<OsString> = words.collect();
    Some(run(&words).unwrap_or_else(|error| {
        eprintln!("{NAME}: {error:#}");
        ExitCode::FAILURE
    }))
}

fn run(words: &[OsString]) -> Result<ExitCode> {
    let (program, arguments) = words.split_first().context("no command")?;
    let of_test = std::env::var(PACKAGE).ok();
    let is_test = of_test.is_some();
    let started = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).env_remove(PACKAGE);
    let status = command.status().with_context(|| format!("cannot start {}", program.to_string_lossy()))?;
    let seconds = processor_seconds().unwrap_or_else(|| started.elapsed().as_secs_f64());
    // A compiler that only prints its version belongs to no package.
    let package = of_test.or_else(|| std::env::var("CARGO_PKG_NAME").ok());
    if let (Some(package), Some(file)) = (package, std::env::var_os(FILE)) {
        let line = serde_json::to_string(&Line { package, is_test, seconds })? + "\n";
        let file = OpenOptions::new().append(true).create(true).open(&file);
        file.context("the file of costs")?.write_all(line.as_bytes())?;
    }
    if status.code().is_none() {
        eprintln!("{}: {status}", program.to_string_lossy());
    }
    Ok(status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(u8::try_from(code).unwrap_or(1))))
}

/// Processor time of this process' children that have ended; `None` where the system does not give it.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    of_children(&text)
}

/// The fields `cutime` and `cstime` of `/proc/PID/stat` (proc(5)), in hundredths of a second.
fn of_children(stat: &str) -> Option<f64> {
    // The second field is a name in parentheses, in which anything may stand.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(13).map(str::parse::<f64>);
    Some((fields.next()?.ok()? + fields.next()?.ok()?) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::{Cost, of_children, sums};

    #[test]
    fn times_of_children_are_found() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194304 100 2000 0 0 5 6 1234 66 20 0 1 0 100 0 0";
        assert_eq!(of_children(stat), Some(13.0));
        assert_eq!(of_children("7 (a"), None);
    }

    #[test]
    fn lines_of_a_package_are_added() {
        let text = "{\"package\":\"a\",\"is_test\":false,\"seconds\":1.5}\nbroken\n\
                    {\"package\":\"a\",\"is_test\":false,\"seconds\":2.5}\n{\"package\":\"a\",\"is_test\":true,\"seconds\":3}\n";
        let costs = sums(text);
        assert_eq!((costs.len(), costs["a"]), (1, Cost { build: 4.0, test: 3.0 }));
    }
}
