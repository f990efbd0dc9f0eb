//! The command line of a shard, as far as the result depends on it: the command, its options and its files, without those of the
//! program's global options.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, ValueHint};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::message;

/// A word of a command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Argument {
    /// The word.
    Word(String),
    /// A file: the one of this index among the inputs, from 0, after an option where it is the value of one.
    Input {
        /// The file's index.
        input: usize,
        /// The option, such as `--convolve`.
        #[serde(skip_serializing_if = "Option::is_none")]
        option: Option<String>,
    },
}

/// A command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CommandLine {
    /// The command, such as `matrix det`.
    pub(super) command: String,
    pub(super) arguments: Vec<Argument>,
    /// The files that are read: every argument that is a path.
    pub(super) files: Vec<PathBuf>,
}

/// What a command line asks for, in one order of options, without those that have their default. The program's options are those that
/// its own command has.
///
/// # Errors
/// [`Error::Usage`] for one that is not understood.
pub(super) fn of(mut command: clap::Command, line: &[OsString]) -> Result<CommandLine, Error> {
    command.build();
    let wrong = |error: clap::Error| Error::Usage(message::usage(&error.to_string()));
    let matches = command.clone().try_get_matches_from(line).map_err(wrong)?;
    let (mut matches, mut names, mut leaf) = (&matches, Vec::new(), &command);
    while let Some((name, below)) = matches.subcommand() {
        names.push(name);
        matches = below;
        leaf = leaf.find_subcommand(name).unwrap_or(leaf);
    }
    let global: HashSet<&clap::Id> = command.get_arguments().map(Arg::get_id).collect();
    let mut found = CommandLine { command: names.join(" "), arguments: Vec::new(), files: Vec::new() };
    let own = || leaf.get_arguments().filter(|argument| !global.contains(argument.get_id()));
    own().filter(|argument| !argument.is_positional()).for_each(|option| found.take(option, matches));
    found.arguments.push(Argument::Word("--".to_owned()));
    own().filter(|argument| argument.is_positional()).for_each(|positional| found.take(positional, matches));
    Ok(found)
}

impl CommandLine {
    /// Takes what was given of an argument.
    fn take(&mut self, argument: &Arg, matches: &ArgMatches) {
        let id = argument.get_id().as_str();
        let is_given = matches.try_contains_id(id).unwrap_or(false)
            && matches.value_source(id).is_some_and(|source| source != ValueSource::DefaultValue);
        let Some(values) = matches.try_get_raw(id).ok().flatten().filter(|_| is_given) else { return };
        let values: Vec<OsString> = values.map(OsString::from).collect();
        if values == argument.get_default_values() {
            return;
        }
        let option = argument.get_long().map(|name| format!("--{name}"));
        if !argument.get_action().takes_values() {
            self.arguments.extend(option.map(Argument::Word));
            return;
        }
        if argument.get_value_hint() == ValueHint::AnyPath {
            for file in values {
                self.arguments.push(Argument::Input { input: self.files.len(), option: option.clone() });
                self.files.push(file.into());
            }
            return;
        }
        let mut words: Vec<String> = values.iter().map(|value| value.to_string_lossy().into_owned()).collect();
        if let Some(delimiter) = argument.get_value_delimiter() {
            words = vec![words.join(&delimiter.to_string())];
        }
        let word = |word: String| option.as_ref().map_or(word.clone(), |option| format!("{option}={word}"));
        self.arguments.extend(words.into_iter().map(|text| Argument::Word(word(text))));
    }
}

/// The words of a command line with these files.
pub(super) fn words<'a>(command: &str, arguments: &[Argument], file: impl Fn(usize) -> Option<&'a str>) -> Vec<String> {
    let mut words = vec!["manycore".to_owned()];
    words.extend(command.split(' ').map(str::to_owned));
    words.extend(arguments.iter().map(|argument| match argument {
        Argument::Word(word) => word.clone(),
        Argument::Input { input, option } => {
            let file = file(*input).unwrap_or_default();
            option.as_ref().map_or(file.to_owned(), |option| format!("{option}={file}"))
        }
    }));
    words
}

/// The arguments as messages have them, with the files by their numbers.
pub(super) fn shown(arguments: &[Argument]) -> String {
    let given = |argument: &Argument| match argument {
        Argument::Word(word) => word.clone(),
        Argument::Input { input, option: None } => format!("<file {}>", input + 1),
        Argument::Input { input, option: Some(option) } => format!("{option} <file {}>", input + 1),
    };
    let words: Vec<String> = arguments.iter().map(given).filter(|word| word != "--").collect();
    manycore::files::shown(&format!("`{}`", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::*;
    use crate::arguments::Cli;

    fn line(text: &str) -> CommandLine {
        of(Cli::command(), &text.split(' ').map(OsString::from).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn lines_that_mean_the_same_are_equal() {
        let plain = line("manycore matrix det m.txt --exact");
        assert_eq!(plain.command, "matrix det");
        assert_eq!(shown(&plain.arguments), "`--exact <file 1>`");
        for other in [
            "manycore matrix det --exact m.txt --shard 1/2",
            "manycore --device host --shard=2/3 matrix det --exact -- m.txt",
            "manycore matrix --seed 7 det --exact m.txt -o x --verify --quiet",
        ] {
            assert_eq!(line(other), plain, "{other}");
        }
        let walsh = line("manycore spectrum walsh x.txt --batch 8");
        assert_eq!(line("manycore spectrum walsh --order hadamard --batch=8 x.txt"), walsh);
        assert_ne!(line("manycore spectrum walsh --order dyadic --batch=8 x.txt"), walsh);
        assert_ne!(line("manycore spectrum walsh x.txt --batch 8 --inverse"), walsh);
        // The name of a file is no part of what is computed.
        assert_eq!(line("manycore spectrum walsh 8 --batch 8").arguments, walsh.arguments);
        let written = line("manycore matrix --format sage mul a.txt b.txt --modulus 7");
        assert_eq!(written.arguments.len(), 5);
        assert_eq!(line("manycore matrix mul a.txt b.txt --format=sage --modulus 7"), written);
    }

    #[test]
    fn lines_are_read_again() {
        for text in [
            "manycore matrix det --exact -- m.txt",
            "manycore spectrum fourier --group=3,4 --convolve=y.txt -- x.txt",
            "manycore characters --rows=3..5 -- 4,6",
            "manycore matrix mul --modulus=7 --format=sage -- a.txt b.txt",
        ] {
            let found = line(text);
            let files: Vec<&str> = found.files.iter().map(|file| file.to_str().unwrap()).collect();
            let words = words(&found.command, &found.arguments, |input| files.get(input).copied());
            let again = of(Cli::command(), &words.iter().map(OsString::from).collect::<Vec<_>>()).unwrap();
            assert_eq!(again, found, "{text}");
            let [first, second] = [text.split(' ').map(str::to_owned).collect(), words]
                .map(|words| format!("{:?}", Cli::try_parse_from(words).unwrap().command));
            assert_eq!(first, second);
        }
    }

    #[test]
    fn every_option_has_a_name() {
        fn check(command: &clap::Command) {
            for argument in command.get_arguments().filter(|argument| !argument.is_positional()) {
                assert!(argument.get_long().is_some(), "{argument:?}");
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }
}
