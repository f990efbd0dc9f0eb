//! Recorded times of whole jobs on the host and on the GPU, for `--device auto`: a job that ran before needs no estimate.
//!
//! A job is known by its command line, in which the sizes of files stand for their names. Its seconds are those of the process, without
//! what a later one does not wait for again: compilers, tests of devices and plans, measurements.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::hash::Hasher as _;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use fnv::FnvHasher;
use manycore::device::waits::{self, Waiting};
use manycore::device::{DeviceInfo, cache_files};
use manycore::{Device, DeviceKind};
use serde::{Deserialize, Serialize};

/// The kind of cache file; the number changes with the form of its content.
const KIND: &str = "jobs-1";
/// A file of more jobs is begun anew.
const MOST: usize = 1 << 12;
/// Shorter jobs are done before any GPU is open.
const SHORT_SECONDS: f64 = 0.02;
/// After a job as long as this devices are listed where no earlier process did.
const LONG_SECONDS: f64 = 1.0;
/// Times that differ less than this from those kept are no news.
const ALIKE: f64 = 0.25;

/// Options with a value that changes nothing of the work, or names what is written.
const LEFT_OUT: [&str; 6] = ["--device", "--output", "-o", "--seed", "--html", "--gantt"];
/// Flags that change nothing of the work.
const FLAGS: [&str; 4] = ["--quiet", "-q", "--verbose", "-v"];

/// Seconds of a job.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Times {
    /// By the host.
    pub(crate) host: Option<f64>,
    /// By the GPU.
    pub(crate) gpu: Option<f64>,
}

/// The job of this process.
struct Current {
    begun: Instant,
    /// `None` for a job that reads a pipe, whose length is unknown.
    key: Option<u64>,
    /// The one device that computes.
    device: Option<Device>,
}

static CURRENT: Mutex<Option<Current>> = Mutex::new(None);

fn current<R>(work: impl FnOnce(&mut Option<Current>) -> R) -> R {
    work(&mut CURRENT.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Begins the job of a command line, the first word of which is the program's name.
pub(crate) fn begin(arguments: &[OsString]) {
    let key = key(arguments);
    current(|current| *current = Some(Current { begun: Instant::now(), key, device: None }));
}

/// Notes the device that computes; of several none is noted.
pub(crate) fn computes_on(device: Option<&Device>) {
    current(|current| {
        if let Some(current) = current {
            current.device = device.cloned();
        }
    });
}

/// What this job took before, by the host and by this GPU.
pub(crate) fn taken(gpu: &DeviceInfo) -> Times {
    let key = current(|current| current.as_ref().and_then(|current| current.key));
    key.and_then(|key| read(gpu).get(&name(key)).copied()).unwrap_or_default()
}

/// Ends the job, which was done: keeps its seconds where there is a GPU that they can be compared with.
pub(crate) fn end() {
    let Some(Current { begun, key: Some(key), device: Some(device) }) = current(Option::take) else { return };
    let seconds = begun.elapsed().as_secs_f64() - passing_seconds();
    let gpu = match device.info().kind {
        DeviceKind::Gpu => Some(device.clone()),
        // Long jobs are where a GPU helps: once it is looked for.
        _ if seconds > LONG_SECONDS => Some(Device::expected().unwrap_or_else(Device::best)),
        _ => Device::expected(),
    };
    let Some(gpu) = gpu.filter(|gpu| gpu.info().kind == DeviceKind::Gpu) else { return };
    if device.info().kind == DeviceKind::Cpu || seconds < SHORT_SECONDS {
        return;
    }
    let mut all = read(gpu.info());
    if all.len() >= MOST {
        all.clear();
    }
    let times = all.entry(name(key)).or_default();
    let kept = if device.info().kind == DeviceKind::Host { &mut times.host } else { &mut times.gpu };
    if note(kept, seconds)
        && let Ok(text) = serde_json::to_string(&all)
    {
        // Where it cannot be kept, the next process estimates.
        let _ = cache_files::write(KIND, gpu.info(), &format!("{text}\n"));
    }
}

/// Notes seconds; whether that is news.
fn note(kept: &mut Option<f64>, seconds: f64) -> bool {
    match kept {
        Some(known) if (seconds - *known).abs() <= ALIKE * *known => false,
        Some(known) => {
            *known = f64::midpoint(*known, seconds);
            true
        }
        None => {
            *kept = Some(seconds);
            true
        }
    }
}

/// Seconds that a later process of the job does not wait for.
fn passing_seconds() -> f64 {
    let passes = |what| !matches!(what, Waiting::Listing | Waiting::Opening | Waiting::Loading | Waiting::Choosing);
    let all = waits::all();
    let mut until = f64::NEG_INFINITY;
    let mut sum = 0.0;
    for wait in all.iter().filter(|wait| passes(wait.what)) {
        // What is within another wait, or beside it, counts once.
        let (begin, end) = (wait.start_seconds.max(until), wait.start_seconds + wait.seconds);
        sum += (end - begin).max(0.0);
        until = until.max(end);
    }
    sum
}

fn read(gpu: &DeviceInfo) -> BTreeMap<String, Times> {
    let is_sound = |times: &Times| [times.host, times.gpu].into_iter().flatten().all(|s| s.is_finite() && s > 0.0);
    let text = cache_files::read(KIND, gpu).unwrap_or_default();
    let mut all: BTreeMap<String, Times> = serde_json::from_str(&text).unwrap_or_default();
    all.retain(|_, times| is_sound(times));
    all
}

fn name(key: u64) -> String {
    format!("{key:016x}")
}

/// The words of a command line that the work depends on, without the program's name.
pub(crate) fn words(arguments: &[OsString]) -> impl Iterator<Item = &OsString> {
    let mut is_left_out = false;
    arguments.iter().skip(1).filter(move |word| {
        let text = word.to_string_lossy();
        if std::mem::take(&mut is_left_out) || FLAGS.contains(&&*text) {
            return false;
        }
        let option = text.split_once('=').map_or(&*text, |(option, _)| option);
        is_left_out = option == text && LEFT_OUT.contains(&option);
        !LEFT_OUT.contains(&option)
    })
}

/// The fingerprint of a command line.
fn key(arguments: &[OsString]) -> Option<u64> {
    let mut hash = FnvHasher::default();
    hash.write(env!("CARGO_PKG_VERSION").as_bytes());
    for word in words(arguments) {
        let text = word.to_string_lossy();
        hash.write_u8(0);
        match std::fs::metadata(word) {
            // Within a factor of the root of two.
            Ok(facts) if facts.is_file() => hash.write_u32(2 * (facts.len().max(1) as f64).log2() as u32),
            Ok(facts) if !facts.is_dir() => return None,
            _ if text == "-" => return None,
            _ => hash.write(text.as_bytes()),
        }
    }
    Some(hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_told_apart_by_their_work_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: usize| {
            let path = folder.path().join(name);
            std::fs::write(&path, vec![0; bytes]).unwrap();
            path.to_string_lossy().into_owned()
        };
        let (a, b, large) = (file("a", 1000), file("b", 1010), file("c", 100_000));
        let key = |line: &str| key(&format!("manycore {line}").split(' ').map(OsString::from).collect::<Vec<_>>());
        let known = key(&format!("poly mul {a} {a} --modulus 7"));
        assert!(known.is_some());
        for same in [
            format!("poly mul {b} {a} --modulus 7"),
            format!("poly mul {a} {a} --modulus 7 -q -o {large} --device host"),
            format!("poly mul {a} {a} --device=opencl:0 --modulus 7 --seed 5 --verbose"),
        ] {
            assert_eq!(key(&same), known, "{same}");
        }
        for other in [
            format!("poly mul {a} {large} --modulus 7"),
            format!("poly mul {a} {a} --modulus 11"),
            format!("poly div {a} {a} --modulus 7"),
            format!("poly mul {a} {a} --modulus 7 --verify"),
        ] {
            assert_ne!(key(&other), known, "{other}");
        }
        assert_eq!(key(&format!("poly mul - {a} --modulus 7")), None);
    }

    #[test]
    fn options_that_are_left_out_take_a_value() {
        fn all(command: &clap::Command, found: &mut Vec<(String, bool)>) {
            let names = |argument: &clap::Arg| {
                let long = argument.get_long().map(|long| format!("--{long}"));
                let short = argument.get_short().map(|short| format!("-{short}"));
                let takes = argument.get_action().takes_values();
                long.into_iter().chain(short).map(move |name| (name, takes)).collect::<Vec<_>>()
            };
            found.extend(command.get_arguments().flat_map(names));
            command.get_subcommands().for_each(|command| all(command, found));
        }
        let mut found = Vec::new();
        all(&crate::arguments::Cli::definition(), &mut found);
        for (names, takes) in [(&LEFT_OUT[..], true), (&FLAGS[..], false)] {
            for name in names {
                let mut own = found.iter().filter(|(known, _)| known == name).peekable();
                assert!(own.peek().is_some() && own.all(|(_, own)| *own == takes), "{name}");
            }
        }
    }

    #[test]
    fn times_that_are_alike_are_no_news() {
        let mut kept = None;
        assert!(note(&mut kept, 1.0) && kept == Some(1.0));
        assert!(!note(&mut kept, 1.2) && kept == Some(1.0));
        assert!(note(&mut kept, 3.0) && kept == Some(2.0));
    }
}
