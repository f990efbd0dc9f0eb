//! The head of a shard: the command, the hashes of its files, the seed and the number; and the shard that a command computes.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use manycore::FileError;
use manycore::files::shown;
use serde::{Deserialize, Serialize};

use super::number::{Deal, Shard};
use super::words::{Argument, CommandLine, shown as shown_arguments, words};
use crate::error::Error;
use crate::input::{self, InputError};

/// The version of the form.
pub(super) const FORMAT: u32 = 1;

/// The version of the program: results of another one may differ.
pub(super) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// A file that the result depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InputFile {
    /// Its name, where the shard was computed.
    pub(super) file: String,
    /// The hash of its content.
    pub(super) blake3: String,
}

/// The work that a shard is a part of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    manycore_shard: u32,
    pub(super) program: String,
    pub(super) command: String,
    pub(super) arguments: Vec<Argument>,
    pub(super) inputs: Vec<InputFile>,
    pub(super) seed: Option<u64>,
    pub(super) shard: Shard,
}

impl Head {
    /// Hashes the files of a command line.
    ///
    /// # Errors
    /// [`Error::Input`] for a file that cannot be read; [`Error::Usage`] for one that can be read once.
    pub(super) fn new(line: CommandLine, seed: Option<u64>, shard: Shard) -> Result<Self, Error> {
        let CommandLine { command, arguments, files } = line;
        let input = |path: &std::path::PathBuf| {
            Ok::<_, Error>(InputFile { file: path.to_string_lossy().into_owned(), blake3: hash(path)? })
        };
        let inputs = files.iter().map(input).collect::<Result<_, _>>()?;
        Ok(Self { manycore_shard: FORMAT, program: PROGRAM.to_owned(), command, arguments, inputs, seed, shard })
    }

    /// The words of the command line.
    pub(super) fn words(&self) -> Vec<String> {
        words(&self.command, &self.arguments, |input| Some(self.inputs.get(input)?.file.as_str()))
    }

    /// The first difference from another shard that should be of the same work: its name, and both values.
    pub(super) fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        type Fact = fn(&Head) -> String;
        let facts: [(&'static str, Fact); 5] = [
            ("version of the program", |head| shown(&head.program)),
            ("command", |head| shown(&head.command)),
            ("list of arguments", |head| shown_arguments(&head.arguments)),
            ("seed", |head| head.seed.map_or("none".to_owned(), |seed| seed.to_string())),
            ("number of shards", |head| head.shard.count.to_string()),
        ];
        let fact =
            facts.into_iter().map(|(name, of)| (name, (of(self), of(other)))).find(|(_, (own, other))| own != other);
        let input = || {
            let differs = |(own, other): &(&InputFile, &InputFile)| own.blake3 != other.blake3;
            let (own, other) = self.inputs.iter().zip(&other.inputs).find(differs)?;
            let told = |input: &InputFile| format!("{} with the BLAKE3 {}", shown(&input.file), shown(&input.blake3));
            Some(("input", told(own), told(other)))
        };
        let count = || {
            let (own, other) = (self.inputs.len(), other.inputs.len());
            (own != other).then(|| ("number of inputs", own.to_string(), other.to_string()))
        };
        fact.map(|(name, (own, other))| (name, own, other)).or_else(input).or_else(count)
    }
}

/// The hash of a file's content, hexadecimal.
///
/// # Errors
/// [`Error::Input`] for a file that cannot be read; [`Error::Usage`] for one that can be read once.
pub(super) fn hash(path: &Path) -> Result<String, Error> {
    let file = input::name(path);
    let wrong = |error: io::Error| Error::from(InputError::from(FileError::Read { file: file.clone(), error }));
    if path == Path::new("-") || !path.metadata().map_err(wrong)?.is_file() {
        return Err(Error::Usage(format!("{file}: shards are of files, which every machine can read: name one")));
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path).map_err(wrong)?).map_err(wrong)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// The shard that a command computes.
#[derive(Debug, Clone)]
pub struct Sharding {
    pub(super) head: Head,
    pub(super) deal: Deal,
    pub(super) items: OnceLock<u64>,
}

#[cfg(test)]
impl Head {
    /// The head of shard 2/3 of a determinant.
    pub(super) fn sample() -> Self {
        let input = InputFile { file: "m.txt".to_owned(), blake3: "00".to_owned() };
        Self {
            manycore_shard: FORMAT,
            program: PROGRAM.to_owned(),
            command: "matrix det".to_owned(),
            arguments: vec![Argument::Word("--exact".to_owned()), Argument::Input { input: 0, option: None }],
            inputs: vec![input],
            seed: None,
            shard: "2/3".parse().unwrap(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        let own = Head::sample();
        assert_eq!(own.difference(&Head::sample()), None);
        let differs = |change: fn(&mut Head)| {
            let mut other = Head::sample();
            change(&mut other);
            own.difference(&other).unwrap().0
        };
        assert_eq!(differs(|head| head.command.push('s')), "command");
        assert_eq!(differs(|head| head.arguments.truncate(1)), "list of arguments");
        assert_eq!(differs(|head| head.seed = Some(1)), "seed");
        assert_eq!(differs(|head| head.shard = "1/4".parse().unwrap()), "number of shards");
        assert_eq!(differs(|head| head.inputs[0].blake3.push('0')), "input");
        assert_eq!(differs(|head| head.inputs.clear()), "number of inputs");
        let mut renamed = Head::sample();
        renamed.inputs[0].file = "other.txt".to_owned();
        assert_eq!(own.difference(&renamed), None);
    }
}
