//! Builders: other processes that build programs side by side, since NVIDIA's compiler builds one program of a process at a time. What they
//! built comes from the driver's cache.
//!
//! The name of a program identifies it: the unit's path, its defines as options of the compiler, and the hints for the compiler.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use manycore_kernels::{UNITS, Unit};

use super::self_test;
use super::startup::StartupRecord;
use crate::error::DeviceError;
use crate::info::DeviceInfo;
use crate::opencl::defines::Wishes;
use crate::opencl::executor::OpenCl;
use crate::opencl::program::{named, program_hash};

/// The variable with the number of processes that build side by side; 0 for none.
pub const BUILDERS_VARIABLE: &str = "MANYCORE_BUILDERS";

/// Bytes of a device's memory that its driver takes for a process, about; the builders together may take a quarter of it.
const PROCESS_BYTES: u64 = 512 << 20;
/// A builder that is not done by then is waited for no more: the program is built here.
const MOST_WAIT: Duration = Duration::from_secs(60);

/// How builders are started, and what this process is going to need.
#[derive(Debug, Clone)]
struct Help {
    program: PathBuf,
    arguments: Vec<OsString>,
    names: Vec<String>,
}

static HELP: OnceLock<Help> = OnceLock::new();

/// Tells how builders are started, and the names of programs that this process is expected to need, as [waits](crate::waits::Wait::of) have
/// them. A builder gets the device's id as one more argument, and calls [`serve`](super::serve::serve). They are started when the first device is
/// opened, for what its driver has not built before. Only the first call counts.
///
/// On a driver that caches programs, `n` programs then take the time of about `sqrt(2 n)`, on a machine with that many processors. Builders
/// run for NVIDIA's GPUs, or where the variable `MANYCORE_BUILDERS` gives a number of processes.
pub fn set(program: PathBuf, arguments: Vec<OsString>, names: Vec<String>) {
    // A second call changes nothing.
    let _ = HELP.set(Help { program, arguments, names });
}

/// Whether it is the name of a program: of a unit that there is, which has the names that are defined.
pub fn is_known(name: &str) -> bool {
    split(name).is_some_and(|(unit, defines, _)| {
        let has = |define: &str| {
            let texts = unit.parts.iter().map(|part| part.source).chain([unit.source]);
            texts.into_iter().any(|text| text.contains(define))
        };
        let defined = |word: &str| Some(word.strip_prefix("-D")?.split_once('=')?.0.to_owned());
        defines.split_whitespace().all(|word| defined(word).is_some_and(|define| has(&define)))
    })
}

/// The programs that builders build: they take them in this order, and so does this process where it needs one that none has begun.
#[derive(Debug, Default)]
pub(super) struct Builders {
    work: Mutex<Work>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Work {
    queued: VecDeque<String>,
    begun: HashSet<String>,
    /// Whether this process has its context: drivers make contexts one after the other, and its own is to be the first.
    is_open: bool,
}

impl Builders {
    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while a builder is at this program; whether one was. One that none has begun is left to the caller.
    pub(super) fn wait(&self, name: &str) -> bool {
        let mut work = self.work();
        work.queued.retain(|queued| queued != name);
        if !work.begun.contains(name) {
            return false;
        }
        let waited = self.changed.wait_timeout_while(work, MOST_WAIT, |work| work.begun.contains(name));
        waited.unwrap_or_else(PoisonError::into_inner).0.begun.remove(name);
        true
    }

    /// Whether it is a program of theirs that is not built yet.
    pub(super) fn has(&self, name: &str) -> bool {
        let work = self.work();
        work.begun.contains(name) || work.queued.iter().any(|queued| queued == name)
    }

    /// Lets the builders begin: this process has its context.
    pub(super) fn open(&self) {
        self.work().is_open = true;
        self.changed.notify_all();
    }

    /// Starts `processes` builders for these programs.
    fn start(self: &Arc<Self>, help: &Help, device: &str, names: Vec<String>, processes: usize) {
        self.work().queued = names.into();
        let start = || {
            let child = Command::new(&help.program)
                .args(&help.arguments)
                .arg(device)
                .env(BUILDERS_VARIABLE, "0")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()?;
            let builders = Arc::clone(self);
            thread::Builder::new().spawn(move || builders.follow(child))
        };
        // What no process builds, this one does.
        if (0..processes).filter(|_| start().is_ok()).count() == 0 {
            self.work().queued.clear();
        }
    }

    /// Gives a builder one program after the other.
    fn follow(&self, mut child: Child) {
        if let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) {
            let mut answers = BufReader::new(output).lines();
            let opened = self.changed.wait_timeout_while(self.work(), MOST_WAIT, |work| !work.is_open);
            drop(opened);
            while let Some(name) = self.next() {
                let sent = writeln!(input, "{name}").and_then(|()| input.flush());
                let is_built = sent.is_ok() && matches!(answers.next(), Some(Ok(_)));
                self.work().begun.remove(&name);
                self.changed.notify_all();
                if !is_built {
                    break;
                }
            }
        }
        // Its input has ended, and so does it.
        let _ended = child.wait();
    }

    fn next(&self) -> Option<String> {
        let mut work = self.work();
        let name = work.queued.pop_front()?;
        work.begun.insert(name.clone());
        Some(name)
    }
}

/// Starts builders where they help, before a device is opened.
///
/// # Errors
/// [`DeviceError::Variable`] for what is no number of processes.
pub(super) fn begin(cl: &OpenCl, builders: &Arc<Builders>, startup: &StartupRecord) -> Result<(), DeviceError> {
    let Some(help) = HELP.get().filter(|_| cl.is_whole()) else { return Ok(()) };
    let tested = if cl.proof.get().is_none() { self_test::kernels(&cl.info, None) } else { Vec::new() };
    let mut names: Vec<String> = tested.iter().map(|(spec, defines)| named(spec.unit(), defines)).collect();
    names.extend(help.names.iter().cloned());
    let mut seen = HashSet::new();
    // What the driver has built before is left out.
    let is_new =
        |name: &str| split(name).is_some_and(|(unit, ..)| !startup.was_built(program_hash(unit, name), &cl.info));
    names.retain(|name| seen.insert(name.clone()) && is_new(name));
    let processes = processes(&cl.info, names.len())?;
    if processes > 0 {
        builders.start(help, &cl.info.id, names, processes);
    }
    Ok(())
}

/// The number of processes beside this one that build `programs` programs.
fn processes(info: &DeviceInfo, programs: usize) -> Result<usize, DeviceError> {
    let asked = std::env::var_os(BUILDERS_VARIABLE).unwrap_or_default();
    if let Some(asked) = asked_for(&asked.to_string_lossy())? {
        return Ok(programs.min(asked));
    }
    // The variable of NVIDIA's driver.
    let keeps = std::env::var("CUDA_CACHE_DISABLE").map_or(true, |value| value.trim() != "1");
    if info.compute_capability().is_none() || !keeps {
        return Ok(0);
    }
    let room = usize::try_from(info.memory_bytes / 4 / PROCESS_BYTES).unwrap_or(usize::MAX);
    let processors = thread::available_parallelism().map_or(1, usize::from);
    Ok(best_processes(programs).min(room).min(processors))
}

/// The number of processes that the variable asks for; none where it is empty.
fn asked_for(value: &str) -> Result<Option<usize>, DeviceError> {
    let value = value.trim();
    if value.is_empty() {
        return Ok(None);
    }
    let wrong = |_| DeviceError::Variable {
        variable: BUILDERS_VARIABLE,
        value: value.chars().take(40).collect(),
        expected: "a number of processes, 0 for none",
    };
    value.parse().map(Some).map_err(wrong)
}

/// Processes beside this one of which `n` programs are built soonest, where a context takes as long as a program and contexts are made one
/// after the other: `k` processes in all are done at `(n + k (k + 1) / 2) / k`, least at `k = sqrt(2 n)`.
fn best_processes(programs: usize) -> usize {
    (2 * programs).isqrt().saturating_sub(1)
}

/// The unit, the defines and the wishes of a name; `None` where there is no such unit.
pub(super) fn split(name: &str) -> Option<(&'static Unit, &str, Wishes)> {
    static BY_PATH: OnceLock<HashMap<&str, &Unit>> = OnceLock::new();
    let by_path = BY_PATH.get_or_init(|| UNITS.iter().map(|unit| (unit.path, *unit)).collect());
    let (path, rest) = name.split_once(' ')?;
    let mut parts = rest.split(" @");
    Some((by_path.get(path)?, parts.next()?, Wishes::parse(parts)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::defines::Defines;
    use crate::word::WordType;

    #[test]
    fn names_are_read_again() {
        let unit = &manycore_kernels::device::FILL;
        let defines = Defines::new().element(WordType::U32).set("GROUP", 64).registers(96).runs(64);
        let name = named(unit, &defines) + &defines.wishes.to_string();
        let (found, options, wishes) = split(&name).unwrap();
        assert_eq!((found.path, options, wishes), (unit.path, &*defines.to_string(), defines.wishes));
        let plain = named(unit, &Defines::new());
        assert_eq!(
            split(&plain).map(|(unit, options, wishes)| (unit.path, options, wishes)),
            Some((unit.path, "", Wishes::default()))
        );
        assert!(split("kernels/none.cl -DX=1").is_none());
        assert!(split(&format!("{} -DX=1 @other", unit.path)).is_none());
    }

    #[test]
    fn known_programs_have_what_is_defined() {
        let path = manycore_kernels::device::FILL.path;
        assert!(is_known(&format!("{path} ")));
        assert!(!is_known(&format!("{path} -DNO_SUCH_NAME_AT_ALL=1")) && !is_known(&format!("{path} GROUP")));
        assert!(!is_known("") && !is_known("kernels/none.cl "));
    }

    #[test]
    fn programs_wait_for_no_builder_that_has_ended() {
        let names = || ["a", "b", "c"].map(str::to_owned).to_vec();
        let none = Help { program: "/no/such/program".into(), arguments: Vec::new(), names: Vec::new() };
        let builders = Arc::new(Builders::default());
        builders.start(&none, "opencl:0", names(), 2);
        assert!(!builders.has("a") && !builders.wait("a"));
        // It reads nothing, and answers nothing.
        let silent = Help { program: "true".into(), ..none };
        let builders = Arc::new(Builders::default());
        builders.start(&silent, "opencl:0", names(), 2);
        assert!(builders.has("b") && !builders.wait("b") && !builders.has("b"), "none has begun");
        builders.open();
        for name in ["a", "c"] {
            builders.wait(name);
            assert!(!builders.has(name), "{name}");
        }
    }

    #[test]
    fn the_variable_is_a_number() {
        assert!(matches!(asked_for(" "), Ok(None)) && matches!(asked_for(" 3 "), Ok(Some(3))));
        for wrong in ["-1", "two", "99999999999999999999999"] {
            let error = asked_for(wrong).unwrap_err().to_string();
            assert!(error.contains(BUILDERS_VARIABLE) && error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn as_many_builders_as_are_done_soonest() {
        let seconds = |programs: usize, k: usize| (programs + k * (k + 1) / 2) as f64 / k as f64;
        for programs in 1..200 {
            let found = seconds(programs, best_processes(programs) + 1);
            let least = (1..=programs).map(|k| seconds(programs, k)).fold(f64::INFINITY, f64::min);
            assert!(found <= 1.1 * least, "{programs}: {found} {least}");
        }
        assert_eq!((best_processes(0), best_processes(1), best_processes(15)), (0, 0, 4));
    }
}
