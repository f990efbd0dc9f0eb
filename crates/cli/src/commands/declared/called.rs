//! The command line of an operation, from its declaration.

use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, FromArgMatches, Subcommand, value_parser};
use manycore::operation::{Arguments, Declaration, DeclaredOption, Input, Operation, OptionKind, Range, Setting, When};

use crate::arguments::{modulus, positive};
use crate::error::Error;

/// Operations that are commands of one command.
pub trait Family: Sized + 'static {
    /// Why they are not done.
    type Error: Into<Error> + 'static;

    /// All of them, in the order of help.
    fn all() -> &'static [&'static dyn Operation<Error = Self::Error>];
}

/// An operation with its files and arguments.
pub struct Called<F: Family> {
    pub(crate) operation: &'static dyn Operation<Error = F::Error>,
    /// The inputs, in their order.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) arguments: Arguments,
    family: PhantomData<fn() -> F>,
}

impl<F: Family> fmt::Debug for Called<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.operation.declaration().name;
        f.debug_struct("Called")
            .field("name", &name)
            .field("files", &self.files)
            .field("arguments", &self.arguments)
            .finish()
    }
}

impl<F: Family> Called<F> {
    pub(crate) fn declaration(&self) -> &'static Declaration {
        self.operation.declaration()
    }

    /// What it writes if no array holds it.
    pub(crate) fn text_alone(&self) -> Option<&'static str> {
        let declaration = self.declaration();
        declaration.no_array.filter(|_| !declaration.array_with.is_some_and(|option| self.arguments.is_given(option)))
    }

    /// Refuses what is given and means nothing beside the other arguments.
    ///
    /// # Errors
    /// [`Error::Usage`].
    pub(crate) fn fits(&self) -> Result<(), Error> {
        let declaration = self.declaration();
        let holds = |when: &When| self.arguments.word(when.option) == Some(when.word);
        for option in declaration.options.iter().filter(|option| self.arguments.is_given(option.name)) {
            if let Some(when) = option.when.filter(|when| !holds(when)) {
                let (name, When { option, word, reason }) = (option.name, when);
                return Err(Error::Usage(format!("--{name} goes with --{option} {word}: {reason}")));
            }
        }
        for (input, path) in declaration.inputs.iter().zip(&self.files) {
            if let Some(when) = input.when.filter(|when| !holds(when)) {
                let (reason, word) = (when.reason, when.word);
                return Err(Error::Usage(format!("{reason}, {}, is for {word}s alone", path.display())));
            }
        }
        Ok(())
    }

    pub(crate) fn paths(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }
}

impl<F: Family> Subcommand for Called<F> {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(F::all().iter().map(|operation| of(operation.declaration())))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        F::all().iter().any(|operation| operation.declaration().word() == name)
    }
}

impl<F: Family> FromArgMatches for Called<F> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::raw(ErrorKind::MissingSubcommand, "an operation is missing");
        let (word, matches) = matches.subcommand().ok_or_else(missing)?;
        let is_called = |operation: &&&dyn Operation<Error = F::Error>| operation.declaration().word() == word;
        let operation = *F::all().iter().find(is_called).ok_or_else(missing)?;
        let declaration = operation.declaration();
        let file = |input: &Input| matches.get_one::<PathBuf>(input.name).cloned();
        let files = declaration.inputs.iter().map_while(file).collect();
        let set = |arguments: Arguments, option: &DeclaredOption| match setting(option, matches) {
            Some(setting) => arguments.with(option.name, setting),
            None => arguments,
        };
        let arguments = declaration.options.iter().fold(Arguments::new(), set);
        Ok(Self { operation, files, arguments, family: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The value of an option on a command line, or its default; `None` where it has neither.
fn setting(option: &DeclaredOption, matches: &ArgMatches) -> Option<Setting> {
    match option.value {
        OptionKind::Flag => matches.get_flag(option.name).then_some(Setting::Given),
        OptionKind::Modulus { .. } => matches.get_one::<u64>(option.name).map(|&modulus| Setting::Number(modulus)),
        OptionKind::Count { range: Range::Short, .. } => {
            matches.get_one::<u32>(option.name).map(|&count| Setting::Number(count.into()))
        }
        OptionKind::Count { .. } => matches.get_one::<u64>(option.name).map(|&count| Setting::Number(count)),
        OptionKind::Word { words, .. } => {
            let given = matches.get_one::<String>(option.name)?;
            words.iter().find(|(word, _)| word == given).map(|&(word, _)| Setting::Word(word))
        }
    }
}

/// The command of a declaration.
fn of(declaration: &Declaration) -> Command {
    let command = Command::new(declaration.word()).about(declaration.title);
    let command = command.long_about(declaration.about).after_long_help(declaration.help);
    let command = command.visible_aliases(declaration.alias);
    let inputs = declaration.inputs.iter().map(|input| {
        let argument = Arg::new(input.name).help(input.help).value_name(input.value_name);
        let argument = argument.value_parser(value_parser!(PathBuf));
        match input.when {
            None => argument.required(true),
            Some(when) => argument.required_if_eq(when.option, when.word),
        }
    });
    let (first, others): (Vec<&DeclaredOption>, Vec<&DeclaredOption>) =
        declaration.options.iter().partition(|option| option.is_positional);
    let command = command.args(first.into_iter().map(argument)).args(inputs).args(others.into_iter().map(argument));
    if declaration.one_of.is_empty() {
        return command;
    }
    command.group(ArgGroup::new("kind").required(true).args(declaration.one_of))
}

fn argument(option: &DeclaredOption) -> Arg {
    let argument = Arg::new(option.name).help(option.help).visible_aliases(option.alias);
    let argument = if option.is_positional { argument.required(true) } else { argument.long(option.name) };
    let argument = option.requires.into_iter().fold(argument, Arg::requires);
    let argument = option.excludes.into_iter().fold(argument, Arg::conflicts_with);
    match option.value {
        OptionKind::Flag => argument.action(ArgAction::SetTrue),
        OptionKind::Modulus { is_required } => argument.value_name("P").value_parser(modulus).required(is_required),
        OptionKind::Count { value_name, range, is_required } => {
            let argument = argument.value_name(value_name).required(is_required);
            match range {
                Range::Short => argument.value_parser(value_parser!(u32)),
                Range::Long => argument.value_parser(value_parser!(u64)),
                Range::Positive => argument.value_parser(positive::<u64>),
            }
        }
        OptionKind::Word { value_name, words, default } => {
            let word = |&(word, help): &(&'static str, &'static str)| PossibleValue::new(word).help(help);
            let parser = PossibleValuesParser::new(words.iter().map(word)).map(|word| word);
            argument.value_name(value_name).value_parser(parser).default_value(default)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::matrix::Matrices;

    fn called(line: &str) -> Result<Called<Matrices>, String> {
        let command = Called::<Matrices>::augment_subcommands(Command::new("matrix").no_binary_name(true));
        let matches = command.try_get_matches_from(line.split(' ')).map_err(|error| error.to_string())?;
        Called::from_arg_matches(&matches).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_are_those_of_the_declaration() {
        let det = called("det m.txt --real --pivoting first").unwrap();
        assert_eq!((det.declaration().name, det.paths()), ("matrix det", vec![Path::new("m.txt")]));
        assert!(det.arguments.is_given("real") && !det.arguments.is_given("exact"));
        assert_eq!(det.arguments.word("pivoting"), Some("first"));
        let solve = called("solve a b --exact").unwrap();
        assert!(solve.arguments.is_given("rational") && solve.files.len() == 2);
        assert_eq!(called("kernel m --modulus 7").unwrap().arguments.number("modulus"), Some(7));
        for wrong in ["det m", "det m --real --exact", "mul a --modulus 7", "lu a", "none"] {
            assert!(called(wrong).is_err(), "{wrong}");
        }
    }
}
