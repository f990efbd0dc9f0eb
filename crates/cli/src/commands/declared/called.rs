//! The command line of an operation, from its declaration.

use std::path::{Path, PathBuf};

use clap::builder::{EnumValueParser, PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, FromArgMatches, Subcommand, value_parser};
use manycore::operation::choice::size;
use manycore::operation::{Arguments, Declaration, DeclaredOption, Group, Operation, OptionKind, Range, Setting, When};
use manycore::operations::GROUPS;

use crate::error::Error;
use crate::global::Language;

/// An operation with its files and arguments.
pub struct Called {
    pub(crate) operation: &'static dyn Operation,
    /// The inputs in their order, and those of options.
    pub(crate) files: Vec<Option<PathBuf>>,
    pub(crate) arguments: Arguments,
    /// The language of the result, where one was asked for.
    pub(crate) format: Option<Language>,
    /// The files that are written beside the result, by the names of their options.
    pub(crate) written: Vec<(&'static str, PathBuf)>,
}

impl std::fmt::Debug for Called {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { files, arguments, format, written, .. } = self;
        let name = self.declaration().name;
        write!(f, "{name} {files:?} {arguments:?} {format:?} {written:?}")
    }
}

impl Called {
    pub(crate) fn declaration(&self) -> &'static Declaration {
        self.operation.declaration()
    }

    /// What it writes if no array holds it.
    pub(crate) fn text_alone(&self) -> Option<&'static str> {
        let declaration = self.declaration();
        if declaration.is_page {
            return declaration.no_array.or(Some("a page"));
        }
        if let Some((_, what)) = declaration.no_array_with.filter(|(option, _)| self.arguments.is_given(option)) {
            return Some(what);
        }
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
        for (input, path) in declaration.inputs.iter().zip(self.files.iter().flatten()) {
            if let Some(when) = input.when.filter(|when| !holds(when)) {
                let (reason, word) = (when.reason, when.word);
                return Err(Error::Usage(format!("{reason}, {}, is for {word}s alone", path.display())));
            }
        }
        Ok(())
    }

    /// The files that are read, in their order.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        self.files.iter().flatten().map(PathBuf::as_path).collect()
    }
}

impl Subcommand for Called {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(GROUPS.iter().map(of_group))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        GROUPS.iter().any(|group| group.word == name)
    }
}

impl FromArgMatches for Called {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::raw(ErrorKind::MissingSubcommand, "an operation is missing");
        let (word, matches) = matches.subcommand().ok_or_else(missing)?;
        let group = GROUPS.iter().find(|group| group.word == word).ok_or_else(missing)?;
        let format = if group.has_languages { matches.get_one::<Language>(FORMAT).copied() } else { None };
        let (operation, matches) = if let Some(alone) = group.operation(word) {
            (alone, matches)
        } else {
            let (word, matches) = matches.subcommand().ok_or_else(missing)?;
            (group.operation(word).ok_or_else(missing)?, matches)
        };
        let declaration = operation.declaration();
        let mut files: Vec<Option<PathBuf>> = Vec::new();
        for input in declaration.inputs {
            match matches.get_many::<PathBuf>(input.name) {
                Some(paths) => files.extend(paths.cloned().map(Some)),
                None => files.push(None),
            }
        }
        let mut written = Vec::new();
        for option in declaration.options {
            match option.value {
                OptionKind::File { .. } => files.push(matches.get_one::<PathBuf>(option.name).cloned()),
                OptionKind::Written { .. } => {
                    written.extend(matches.get_one::<PathBuf>(option.name).map(|path| (option.name, path.clone())));
                }
                _ => {}
            }
        }
        let arguments = arguments(declaration.options, matches);
        Ok(Self { operation, files, arguments, format, written })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The values of options on a command line, or their defaults.
pub(crate) fn arguments(options: &[DeclaredOption], matches: &ArgMatches) -> Arguments {
    options.iter().fold(Arguments::new(), |arguments, option| match setting(option, matches) {
        Some(setting) => arguments.with(option.name, setting),
        None => arguments,
    })
}

/// The value of an option on a command line, or its default; `None` where it has neither.
fn setting(option: &DeclaredOption, matches: &ArgMatches) -> Option<Setting> {
    match option.value {
        OptionKind::Flag => matches.get_flag(option.name).then_some(Setting::Given),
        OptionKind::Modulus { .. } | OptionKind::ModulusOr { .. } | OptionKind::Size { .. } => {
            matches.get_one::<u64>(option.name).map(|&number| Setting::Number(number))
        }
        OptionKind::Count { range: Range::Short | Range::PositiveShort | Range::Within(..), .. } => {
            matches.get_one::<u32>(option.name).map(|&count| Setting::Number(count.into()))
        }
        OptionKind::Count { .. } => matches.get_one::<u64>(option.name).map(|&count| Setting::Number(count)),
        OptionKind::Word { words, .. } => {
            let given = matches.get_one::<String>(option.name)?;
            words.iter().find(|(word, _)| word == given).map(|&(word, _)| Setting::Word(word))
        }
        OptionKind::Text { .. } => matches.get_one::<String>(option.name).cloned().map(Setting::Text),
        OptionKind::List { .. } => {
            let texts: Vec<&str> = matches.get_many::<String>(option.name)?.map(String::as_str).collect();
            Some(Setting::Text(texts.join(",")))
        }
        OptionKind::File { .. } | OptionKind::Written { .. } => {
            matches.contains_id(option.name).then_some(Setting::Given)
        }
    }
}

/// The option of the language of results.
const FORMAT: &str = "format";

/// The command of a group: of its operations, or of the one that is called as it is.
fn of_group(group: &Group) -> Command {
    if let Some(operation) = group.operation(group.word) {
        return of(operation.declaration());
    }
    let command = Command::new(group.word).about(group.title).subcommand_required(true).arg_required_else_help(true);
    let command = command.subcommands(group.operations().map(|operation| of(operation.declaration())));
    if !group.has_languages {
        return command;
    }
    let help = "Write polynomials as coefficients, or the result in the language of Sage or of PARI/GP";
    let format = Arg::new(FORMAT).long(FORMAT).global(true).value_name("LANGUAGE").help(help);
    command.arg(format.value_parser(EnumValueParser::<Language>::new()))
}

/// The command of a declaration.
fn of(declaration: &Declaration) -> Command {
    let command = Command::new(declaration.word()).about(declaration.title);
    let command = if declaration.about.is_empty() { command } else { command.long_about(declaration.about) };
    let command = command.after_long_help(declaration.help);
    let command = command.visible_aliases(declaration.alias);
    let inputs = declaration.inputs.iter().map(|input| {
        let argument = Arg::new(input.name).help(input.help).value_name(input.value_name);
        let argument = argument.value_parser(value_parser!(PathBuf));
        let argument = if input.is_many { argument.num_args(1..) } else { argument };
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

/// The argument of a number, this one where none is given.
fn with_default(argument: Arg, default: Option<u64>) -> Arg {
    match default {
        Some(number) => argument.default_value(number.to_string()),
        None => argument,
    }
}

/// The argument that an option is.
pub(crate) fn argument(option: &DeclaredOption) -> Arg {
    let argument = Arg::new(option.name).visible_aliases(option.alias);
    let argument = match option.help.split_once("\n\n") {
        Some((short, _)) => argument.help(short).long_help(option.help),
        None => argument.help(option.help),
    };
    let argument = if option.is_positional { argument.required(true) } else { argument.long(option.name) };
    let argument = option.heading.into_iter().fold(argument, Arg::help_heading);
    let argument = option.requires.into_iter().fold(argument, Arg::requires);
    let argument = option.excludes.into_iter().fold(argument, Arg::conflicts_with);
    match option.value {
        OptionKind::Flag => argument.action(ArgAction::SetTrue),
        OptionKind::Modulus { is_required } => argument.value_name("P").value_parser(modulus).required(is_required),
        OptionKind::ModulusOr { default } => {
            with_default(argument.value_name("P").value_parser(modulus), Some(default))
        }
        OptionKind::Size { value_name, is_required, default } => {
            with_default(argument.value_name(value_name).value_parser(size).required(is_required), default)
        }
        OptionKind::Count { value_name, range, is_required, default } => {
            let argument = with_default(argument.value_name(value_name).required(is_required), default);
            match range {
                Range::Short => argument.value_parser(value_parser!(u32)),
                Range::Long => argument.value_parser(value_parser!(u64)),
                Range::Positive => argument.value_parser(positive::<u64>),
                Range::PositiveShort => argument.value_parser(positive::<u32>),
                Range::Within(first, last) => {
                    argument.value_parser(value_parser!(u32).range(i64::from(first)..=i64::from(last)))
                }
            }
        }
        OptionKind::Word { value_name, words, default } => {
            let word = |&(word, help): &(&'static str, &'static str)| {
                let value = PossibleValue::new(word);
                if help.is_empty() { value } else { value.help(help) }
            };
            let parser = PossibleValuesParser::new(words.iter().map(word)).map(|word| word);
            argument.value_name(value_name).value_parser(parser).default_value(default).required(option.is_required())
        }
        OptionKind::Text { value_name, check, default, is_required } => {
            let parser = move |text: &str| check(text).map(|()| text.to_owned());
            argument.value_name(value_name).value_parser(parser).default_value(default).required(is_required)
        }
        OptionKind::List { value_name, default } => {
            argument.value_name(value_name).value_delimiter(',').action(ArgAction::Append).default_value(default)
        }
        OptionKind::File { value_name } | OptionKind::Written { value_name, .. } => {
            argument.value_name(value_name).value_parser(value_parser!(PathBuf))
        }
    }
}

/// Reads a count of at least one: of nothing there is no result to print.
fn positive<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let number = text.parse::<u64>().ok().filter(|&number| number > 0);
    let number = number.ok_or_else(|| "expected a whole number of at least 1".to_owned())?;
    T::try_from(number).map_err(|_| "the number is too large".to_owned())
}

/// Reads a modulus: a number below 2^64. Whether it is a prime is checked later.
fn modulus(text: &str) -> Result<u64, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().map_err(|_| {
        if is_number {
            "a modulus is a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1".to_owned()
        } else {
            "a modulus is a prime, in decimal digits".to_owned()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(line: &str) -> Result<Called, String> {
        let command = Called::augment_subcommands(Command::new("manycore").no_binary_name(true));
        let matches = command.try_get_matches_from(line.split(' ')).map_err(|error| error.to_string())?;
        Called::from_arg_matches(&matches).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_are_those_of_the_declaration() {
        let det = called("matrix det m.txt --real --pivoting first").unwrap();
        assert_eq!((det.declaration().name, det.paths()), ("matrix det", vec![Path::new("m.txt")]));
        assert!(det.arguments.is_given("real") && !det.arguments.is_given("exact"));
        assert_eq!(det.arguments.word("pivoting"), Some("first"));
        let solve = called("matrix solve a b --exact").unwrap();
        assert!(solve.arguments.is_given("exact") && solve.files.len() == 2);
        assert_eq!(called("matrix kernel m --modulus 7").unwrap().arguments.number("modulus"), Some(7));
        for wrong in ["det m", "det m --real --exact", "mul a --modulus 7", "lu a", "none"] {
            assert!(called(&format!("matrix {wrong}")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts_begin_at_1() {
        assert_eq!((positive::<u32>("7"), positive::<usize>("1")), (Ok(7), Ok(1)));
        for wrong in ["0", "-5", "", "x", "1.5"] {
            assert_eq!(positive::<u32>(wrong), Err("expected a whole number of at least 1".to_owned()), "{wrong}");
        }
        assert_eq!(positive::<u32>("4294967296"), Err("the number is too large".to_owned()));
    }

    #[test]
    fn moduli_are_numbers_below_2_to_the_64() {
        assert_eq!(modulus("18446744069414584321"), Ok(18_446_744_069_414_584_321));
        assert!(modulus("18446744073709551616").unwrap_err().contains("below 2^63"));
        for wrong in ["", "-7", "7.0", "x", "2^31"] {
            assert_eq!(modulus(wrong), Err("a modulus is a prime, in decimal digits".to_owned()), "{wrong}");
        }
    }
}
