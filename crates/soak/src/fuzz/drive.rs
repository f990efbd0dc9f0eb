//! The driver: mutations of the corpus, and what the target told of them.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::Target;
use super::mutate::mutated;
use crate::random::Random;
use crate::run::panic_message;

/// Inputs that are told, of those that make a target panic.
const MOST_TOLD: usize = 20;

/// What a run told.
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
    /// Inputs that made it panic.
    pub panics: u64,
    /// Some of them, each with what the panic said.
    pub told: Vec<Panic>,
}

/// An input that makes a target panic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Panic {
    /// The input; bytes that are no printable ASCII are escaped as in Rust.
    pub input: String,
    /// The message, with its place.
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
    let mut random = Random::new(seed);
    let start = Instant::now();
    let name = target.name.to_owned();
    let mut report = Report { target: name, inputs, taken: 0, seconds: 0.0, panics: 0, told: Vec::new() };
    for number in 0..inputs {
        let input = match corpus.get(number as usize) {
            Some(input) => input.clone(),
            None => mutated(&mut random, corpus, target.words),
        };
        match catch_unwind(AssertUnwindSafe(|| (target.run)(&input))) {
            Ok(taken) => report.taken += u64::from(taken),
            Err(payload) => {
                report.panics += 1;
                if report.told.len() < MOST_TOLD {
                    let message = panic_message(&*payload);
                    report.told.push(Panic { input: input.escape_ascii().to_string(), message });
                }
            }
        }
    }
    report.seconds = start.elapsed().as_secs_f64();
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::TARGETS;

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
        let report = drive(&target, &[b"good".to_vec(), b"bad\x00".to_vec()], 2, 1);
        assert_eq!((report.panics, report.taken), (1, 1));
        assert_eq!(report.told[0].input, "bad\\x00");
        assert!(report.told[0].message.contains("a bad input"), "{report:?}");
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
