//! Runs of the program with and without a fault, in a folder and with a cache of their own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use manycore_testkit::faults::{Counts, Fault, HostFault, Injector};

use crate::cases::{Case, Precision, RESULT, write_files};
use crate::common::{self, Folder};

/// A run that takes longer counts as one without end; on two idle cores one takes half a second at most.
const LONGEST: Duration = Duration::from_secs(60);

/// Runs without a fault until two enqueue the same commands; the first ones measure and keep choices.
const SETTLING: usize = 6;

/// The status of a program that has no result for its input.
const ANSWERED: i32 = 2;

/// The status of a program that panicked.
const PANICKED: i32 = 101;

/// How a run ended.
#[derive(Debug)]
pub(crate) enum End {
    /// With success, and this result.
    Written(Vec<u8>),
    /// With the message that there is no result for this input.
    Answered(Vec<u8>),
    /// With an error and without a result.
    Refused,
    /// Otherwise: by a panic, by a signal, not within [`LONGEST`], or with an error and a result.
    Broken(String),
}

/// A run.
pub(crate) struct Run {
    pub(crate) end: End,
    pub(crate) counts: Counts,
}

/// What a run without a fault wrote or answered.
pub(crate) struct Right {
    pub(crate) written: Vec<u8>,
    pub(crate) counts: Counts,
}

/// Where the runs of one command take place.
pub(crate) struct Workplace {
    injector: Option<Injector>,
    device: String,
    folder: Folder,
    /// Choices that were measured without faults; kept from one test run to the next.
    cache: PathBuf,
}

impl Workplace {
    /// Of runs on an OpenCL device with its injector, or on the host.
    pub(crate) fn new(injector: Option<Injector>, device: &str, command: &str) -> Self {
        let folder = Folder::new();
        write_files(&folder.path(""));
        let mut cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults-cache").join(command.replace(' ', "-"));
        // On another machine than the one that built the test there may be no such folder.
        if fs::create_dir_all(&cache).is_err() {
            cache = folder.path("kept");
            fs::create_dir(&cache).unwrap();
        }
        Self { injector, device: device.to_owned(), folder, cache }
    }

    /// What a case writes and enqueues without a fault.
    pub(crate) fn run_without_fault(&self, case: &Case) -> Right {
        let mut before: Option<Right> = None;
        for _ in 0..SETTLING {
            let run = self.run(case, None);
            let written = match run.end {
                End::Written(written) if case.precision != Precision::Answer => written,
                End::Answered(told) if case.precision == Precision::Answer => told,
                end => panic!("manycore {} without a fault: {end:?}", case.line),
            };
            let right = Right { written, counts: run.counts };
            if before.is_some_and(|before| before.counts == right.counts && before.written == right.written) {
                return right;
            }
            before = Some(right);
        }
        panic!("manycore {}: two runs never enqueue the same commands: {:?}", case.line, before.map(|run| run.counts));
    }

    /// Runs a case with a fault or without one.
    pub(crate) fn run(&self, case: &Case, fault: Option<Fault>) -> Run {
        let counts = self.folder.path("counts");
        let end = self.end_of(case, &counts, fault.is_some(), |command| {
            self.injector.as_ref().expect("an injector").inject(command, fault, &counts);
        });
        Run { end, counts: counted(&counts) }
    }

    /// Runs a case on the host with a fault or without one; with the number of its primitives.
    pub(crate) fn run_on_host(&self, case: &Case, fault: Option<HostFault>) -> (End, u64) {
        let count = self.folder.path("counts");
        let end = self.end_of(case, &count, fault.is_some(), |command| HostFault::inject(command, fault, &count));
        (end, HostFault::count(&count).unwrap())
    }

    /// How a run of a case ends that `inject` prepares.
    fn end_of(&self, case: &Case, counts: &Path, with_fault: bool, inject: impl FnOnce(&mut Command)) -> End {
        let [out, errors, result] = ["out", "errors", RESULT].map(|name| self.folder.path(name));
        for left in [result.as_path(), counts].into_iter().filter(|file| file.exists()) {
            fs::remove_file(left).unwrap();
        }
        let mut command = common::command(&case.line.split_whitespace().collect::<Vec<_>>());
        command
            .args(["--device", &self.device, "--verify", "--seed", "1", "--quiet"])
            .current_dir(self.folder.path(""));
        command.env("MANYCORE_CACHE", self.cache_for(with_fault));
        command.env_remove("RUST_BACKTRACE");
        inject(&mut command);
        command.stdin(Stdio::null()).stdout(File::create(&out).unwrap()).stderr(File::create(&errors).unwrap());
        let Some(status) = wait(command.spawn().unwrap()) else {
            return End::Broken(format!("it did not end within {} s", LONGEST.as_secs()));
        };
        let to_file = case.line.ends_with(RESULT);
        let written = if to_file { &result } else { &out };
        match status.code() {
            Some(0) => End::Written(fs::read(written).unwrap()),
            Some(PANICKED) => End::Broken(format!("it panicked: {}", told(&errors))),
            Some(_) if result.exists() || fs::metadata(&out).unwrap().len() > 0 => {
                End::Broken(format!("it wrote a result and failed: {}", told(&errors)))
            }
            Some(ANSWERED) => End::Answered(fs::read(&errors).unwrap()),
            Some(_) => End::Refused,
            None => End::Broken(format!("{status} ended it: {}", told(&errors))),
        }
    }

    /// The cache itself, or for a fault a copy, so that nothing that was measured or tested with a fault is kept.
    fn cache_for(&self, with_fault: bool) -> PathBuf {
        if !with_fault {
            return self.cache.clone();
        }
        let copy = self.folder.path("cache");
        if copy.exists() {
            fs::remove_dir_all(&copy).unwrap();
        }
        copy_folder(&self.cache, &copy);
        copy
    }
}

/// The commands of a run; none where it loaded no library of OpenCL.
fn counted(counts: &Path) -> Counts {
    if counts.exists() { Counts::read(counts).unwrap() } else { Counts::default() }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The status of a program; `None` for one that does not end within [`LONGEST`] and is killed.
fn wait(mut child: Child) -> Option<ExitStatus> {
    let started = Instant::now();
    while started.elapsed() < LONGEST {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// The first lines of what a program said.
fn told(errors: &Path) -> String {
    let text = String::from_utf8_lossy(&fs::read(errors).unwrap()).into_owned();
    text.lines().take(3).collect::<Vec<_>>().join(" ").chars().take(300).collect()
}
