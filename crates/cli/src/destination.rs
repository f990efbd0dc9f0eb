//! Where the result goes: standard output, or the file of `-o`, which is looked at before the work begins.

use std::path::Path;

use manycore::FileError;
use manycore::files::{Format, Target, shown_path};

use crate::arguments::{Cli, Command, Global, Language};
use crate::commands::code;
use crate::error::Error;

/// The file of `-o`; `None` for standard output, which `-o -` names too.
pub fn file(global: &Global) -> Option<&Path> {
    global.output.as_deref().filter(|path| *path != Path::new("-"))
}

/// Looks at the file of `-o`: whether it can be written, and whether its form is one that the result has.
///
/// # Errors
/// [`Error::Output`] for a file that cannot be written; [`Error::Usage`] for a `.npy` file of a result that is no array.
pub(crate) fn open(cli: &Cli) -> Result<Option<Target>, Error> {
    let Some(path) = file(&cli.global) else { return Ok(None) };
    check(cli)?;
    if matches!(cli.command, Command::Man(_)) && path.is_dir() {
        return Ok(None); // a page goes into each of its files
    }
    target(path).map(Some)
}

/// Looks whether the form of the file of `-o` is one that the result of the command has.
///
/// # Errors
/// [`Error::Usage`] for a `.npy` file of a result that is no array.
pub(crate) fn check(cli: &Cli) -> Result<(), Error> {
    match (file(&cli.global), text_alone(&cli.command)) {
        (Some(path), Some(what)) if Format::of(path) == Format::Npy => {
            Err(Error::Usage(format!("{}: {what} is text or JSON, no .npy array", shown_path(path))))
        }
        _ => Ok(()),
    }
}

/// A target at this path.
///
/// # Errors
/// [`Error::Output`].
pub(crate) fn target(path: &Path) -> Result<Target, Error> {
    Target::new(path).map_err(output_error)
}

/// The target of a page beside the result, looked at before the work begins.
///
/// # Errors
/// [`Error::Usage`] where the result goes to the same file or the name is none of a page; [`Error::Output`].
pub(crate) fn page(html: Option<&Path>, global: &Global) -> Result<Option<Target>, Error> {
    let Some(path) = html else { return Ok(None) };
    if path == Path::new("-") {
        return Err(Error::Usage(
            "--html -: standard output is for the result: name a file, such as page.html".to_owned(),
        ));
    }
    beside("--html", (path, &["html", "htm"]), global)
}

/// The target of a picture or page beside the result, of the option that names its file and the ends of names that it may have; `None`
/// for standard output.
///
/// # Errors
/// [`Error::Usage`] where the result goes to the same place or the name has another end; [`Error::Output`].
pub(crate) fn beside(option: &str, (path, ends): (&Path, &[&str]), global: &Global) -> Result<Option<Target>, Error> {
    let refuse = |what: String| Err(Error::Usage(format!("{option} {}: {what}", shown_path(path))));
    if path == Path::new("-") {
        return match file(global) {
            Some(_) => Ok(None),
            None => refuse("the result goes to standard output, too: give it a file by -o".to_owned()),
        };
    }
    if file(global) == Some(path) {
        return refuse(format!("{option} and -o name one file"));
    }
    if !ends.is_empty() && !path.extension().is_some_and(|end| ends.iter().any(|known| end.eq_ignore_ascii_case(known)))
    {
        return refuse(format!("the file's name ends in .{}, the form that it has", ends[0]));
    }
    target(path).map(Some)
}

/// The error of a file that cannot be written, as the program has it.
pub(crate) fn output_error(error: FileError) -> Error {
    match error {
        FileError::Write { file, error } => Error::Output { file: Some(file), error },
        other => Error::Input(other.into()),
    }
}

/// The language that a command was asked to write its result in.
///
/// # Errors
/// [`Error::Usage`] beside `--json` and for a `.npy` file, which have forms of their own.
pub(crate) fn language(cli: &Cli) -> Result<Option<Language>, Error> {
    let language = if let Command::Declared(called) = &cli.command { called.format } else { None };
    if language.is_some() && cli.global.json {
        return Err(Error::Usage("--format asks for text, and --json for JSON: give one of them".to_owned()));
    }
    match file(&cli.global) {
        Some(path) if language.is_some() && Format::of(path) == Format::Npy => {
            let path = shown_path(path);
            Err(Error::Usage(format!("{path}: --format asks for text, the name for an array: give one of them")))
        }
        _ => Ok(language),
    }
}

/// What a command writes if no array holds it. Of every command, so that a new one must decide.
fn text_alone(command: &Command) -> Option<&'static str> {
    match command {
        Command::Devices => Some("a list of devices"),
        Command::Calibrate(_) => Some("a machine model"),
        Command::Explain(_) => Some("an explanation"),
        Command::Tune(_) => Some("a list of choices"),
        Command::Completions(_) => Some("a list of completions"),
        Command::Man(_) => Some("a manual page"),
        Command::Code(code::Operation::Split(_)) => Some("a list of files"),
        Command::Code(code::Operation::Join(_))
        // Its form is looked at once the command of the shards is known.
        | Command::Merge(_) => None,
        Command::Declared(called) => called.text_alone(),
    }
}
