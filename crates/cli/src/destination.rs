//! The destination of the result: standard output, or the file of `-o`, which is checked before the work begins.

use std::path::Path;

use manycore::FileError;
use manycore::files::{Format, Target, shown_path};

use crate::error::Error;
use crate::global::{Global, Language};

/// The file of `-o`; `None` for standard output, which `-o -` names too.
pub fn file(global: &Global) -> Option<&Path> {
    global.output.as_deref().filter(|path| *path != Path::new("-"))
}

/// Looks whether the file of `-o` can be written; a folder takes files where the result `is_files`.
///
/// # Errors
/// [`Error::Output`] for a file that cannot be written.
pub(crate) fn open(global: &Global, is_files: bool) -> Result<Option<Target>, Error> {
    file(global).filter(|path| !(is_files && path.is_dir())).map(target).transpose()
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

/// The program's error for a file that cannot be written.
pub(crate) fn output_error(error: FileError) -> Error {
    match error {
        FileError::Write { file, error } => Error::Output { file: Some(file), error },
        other => Error::Input(other.into()),
    }
}

/// The language that a result is written in, looked at beside the form that other options ask for.
///
/// # Errors
/// [`Error::Usage`] beside `--json` and for a `.npy` file, which have forms of their own.
pub(crate) fn language(language: Option<Language>, global: &Global) -> Result<Option<Language>, Error> {
    if language.is_some() && global.json {
        return Err(Error::Usage("--format asks for text, and --json for JSON: give one of them".to_owned()));
    }
    match file(global) {
        Some(path) if language.is_some() && Format::of(path) == Format::Npy => {
            let path = shown_path(path);
            Err(Error::Usage(format!("{path}: --format asks for text, the name for an array: give one of them")))
        }
        _ => Ok(language),
    }
}
