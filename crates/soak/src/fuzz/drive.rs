//! The driver: mutations of the corpus, and the target's outcomes for them, with their seconds and memory.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use manycore::files::memory::limit_memory;
use serde::{Deserialize, Serialize};

use super::Target;
use super::mutate::mutated;
use crate::random::Random;
use crate::run::panic_message;

/// The most inputs in the report that make a target panic.
const MOST_TOLD: usize = 20;
/// The most bytes of the slowest input in the report.
const MOST_SHOWN: usize = 200;
/// The longest that an input may take: those of [`mutate`](super::mutate) have 64 KiB at most.
const MOST_TIME: Duration = Duration::from_secs(4);
/// The memory that the process may come to have for an input beside what it had, in bytes. An input that takes so much takes a while to
/// fill it: quicker ones are not looked at.
const MOST_BYTES: u64 = 1 << 30;
/// The memory that readers are granted, together with what the process has: lists of what an input says, in bytes.
const LIMIT_BYTES: u64 = 1 << 29;
const LEAST_TIME: Duration = Duration::from_millis(30);

/// The report of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The target's name.
    pub target: String,
    /// Inputs given to it.
    pub inputs: u64,
    /// Inputs that it took.
    pub taken: u64,
    /// Seconds of all.
    pub seconds: f64,
    /// Inputs that made it panic, or took seconds or a gigabyte.
    pub panics: u64,
    /// Seconds of the slowest input.
    pub slowest_seconds: f64,
    /// The begin of that input, escaped.
    pub slowest: String,
    /// Some of them, each with what the panic said.
    pub told: Vec<Panic>,
}

/// An input that makes a target panic, or takes too long or too much memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Panic {
    /// The input; bytes that are no printable ASCII are escaped as in Rust.
    pub input: String,
    /// The message, with its place; or what it took.
    pub message: String,
}

/// The files of a folder of the corpus, by name.
///
/// # Errors
/// Where the folder or a file in it cannot be read.
pub fn corpus(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    paths.into_iter().map(std::fs::read).collect()
}

/// Gives a target the corpus, then mutations of it, `inputs` in all.
pub fn drive(target: &Target, corpus: &[Vec<u8>], inputs: u64, seed: u64) -> Report {
    limit_memory(LIMIT_BYTES);
    let mut random = Random::new(seed);
    let start = Instant::now();
    let name = target.name.to_owned();
    let mut report = Report {
        target: name,
        inputs,
        taken: 0,
        seconds: 0.0,
        panics: 0,
        slowest_seconds: 0.0,
        slowest: String::new(),
        told: Vec::new(),
    };
    let mut peak = peak_bytes();
    for number in 0..inputs {
        let input = match corpus.get(number as usize) {
            Some(input) => input.clone(),
            None => mutated(&mut random, corpus, target.words),
        };
        let begin = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        let took = begin.elapsed();
        if took.as_secs_f64() > report.slowest_seconds {
            report.slowest_seconds = took.as_secs_f64();
            report.slowest = input[..input.len().min(MOST_SHOWN)].escape_ascii().to_string();
        }
        let grown = if took >= LEAST_TIME { peak_bytes() } else { peak };
        let message = match outcome {
            Err(payload) => Some(panic_message(&*payload)),
            Ok(_) if took > MOST_TIME => Some(format!("{:.1} s for {} bytes", took.as_secs_f64(), input.len())),
            Ok(_) if grown > peak + MOST_BYTES => {
                Some(format!("{} bytes of memory for {} bytes", grown - peak, input.len()))
            }
            Ok(taken) => {
                report.taken += u64::from(taken);
                None
            }
        };
        peak = grown;
        if let Some(message) = message {
            report.panics += 1;
            if report.told.len() < MOST_TOLD {
                report.told.push(Panic { input: input.escape_ascii().to_string(), message });
            }
        }
    }
    report.seconds = start.elapsed().as_secs_f64();
    report
}

/// The most memory that the process has had, in bytes, on Linux; 0 elsewhere.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    peak.unwrap_or(0) << 10
}

#[cfg(test)]
mod tests {
    use manycore_operations::inputs::{Answer, INPUTS};

    use super::*;
    use crate::fuzz::{TARGETS, target};

    fn folder(target: &Target) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target.name)
    }

    /// Each target takes an input of its corpus, refuses a mutation, and none makes it panic.
    #[test]
    fn targets_stand_a_thousand_inputs() {
        for target in TARGETS {
            let corpus = corpus(&folder(target)).unwrap_or_else(|error| panic!("corpus of {}: {error}", target.name));
            let report = drive(target, &corpus, 1000, 1);
            assert_eq!(report.panics, 0, "{report:?}");
            assert!(report.taken > 0 && report.taken < 1000, "{report:?}");
        }
    }

    #[test]
    fn panics_are_told_with_their_inputs() {
        fn fragile(data: &[u8]) -> bool {
            assert!(!data.starts_with(b"bad"), "a bad input");
            true
        }
        let target = Target { name: "fragile", run: fragile, words: &[] };
        assert!(cfg!(not(target_os = "linux")) || peak_bytes() > 1 << 20);
        let report = drive(&target, &[b"good".to_vec(), b"bad\x00".to_vec()], 2, 1);
        assert_eq!((report.panics, report.taken), (1, 1));
        assert_eq!(report.told[0].input, "bad\\x00");
        assert!(report.told[0].message.contains("a bad input"), "{report:?}");
    }

    /// What each command reads has targets, and each of the book's examples that the program takes is taken by one of them.
    #[test]
    fn every_input_of_the_program_has_a_target() {
        for input in INPUTS {
            let targets: Vec<&Target> = input.targets.iter().map(|name| target(name).expect(name)).collect();
            assert!(!targets.is_empty(), "{}", input.commands);
            for example in input.examples.iter().filter(|example| matches!(example.answer, Answer::Gives(_))) {
                let is_taken = targets.iter().any(|target| (target.run)(example.text.as_bytes()));
                assert!(is_taken, "{:?} of {} is taken by none of {:?}", example.text, example.line, input.targets);
            }
        }
    }

    #[test]
    fn programs_of_cargo_fuzz_are_those_of_the_targets() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        for target in TARGETS {
            let program = std::fs::read_to_string(folder.join(format!("fuzz_targets/{}.rs", target.name)));
            let program = program.unwrap_or_else(|error| panic!("fuzz/fuzz_targets/{}.rs: {error}", target.name));
            assert!(program.contains(&format!("\"{}\"", target.name)), "{program}");
            assert!(manifest.contains(&format!("name = \"{}\"", target.name)), "{}", target.name);
        }
    }
}
