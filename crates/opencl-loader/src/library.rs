//! Opens the OpenCL library, once, and keeps it open.

use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::sync::OnceLock;

use libloading::Library;

use crate::types::Function;

/// The environment variable that names the library file to open, or hides the library.
///
/// Unset or empty: the system's library is looked for. `none`: no library is opened and all of
/// OpenCL is absent. Any other value is the one file that is tried, as a path, or as a bare name
/// that the system's dynamic loader looks up (a file called `none` can be given as `./none`). It is
/// read once, at the first OpenCL call or the first call of [`runtime`](crate::runtime).
pub const LIBRARY_VARIABLE: &str = "MANYCORE_OPENCL_LIBRARY";

/// The value of [`LIBRARY_VARIABLE`] that hides the library.
const HIDDEN: &str = "none";

/// The function that each OpenCL library has, by which a library is recognized.
const WITNESS: &str = "clGetPlatformIDs";

/// The files tried, in this order, unless [`LIBRARY_VARIABLE`] names another.
#[cfg(windows)]
const CANDIDATES: &[&str] = &["OpenCL.dll"];
#[cfg(target_os = "macos")]
const CANDIDATES: &[&str] = &["/System/Library/Frameworks/OpenCL.framework/OpenCL"];
// The name without a version is there where only development files or a phone's driver are.
#[cfg(not(any(windows, target_os = "macos")))]
const CANDIDATES: &[&str] = &["libOpenCL.so.1", "libOpenCL.so"];

/// One library file that was tried, and why it did not serve.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// The file as it was asked for: a name that the system's loader looks up, or a path.
    pub file: String,
    /// Why it did not serve, in the words of the system's loader where it gave any.
    pub reason: String,
}

/// There is no OpenCL library to use, with everything that was tried.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no OpenCL library: {}", list(.tried))]
#[non_exhaustive]
pub struct NoLibrary {
    /// The files tried, in order; at least one.
    pub tried: Vec<Attempt>,
}

fn list(tried: &[Attempt]) -> String {
    let lines: Vec<String> = tried.iter().map(|attempt| format!("{} ({})", attempt.file, attempt.reason)).collect();
    lines.join("; ")
}

/// The library in use.
pub(crate) struct Opened {
    pub(crate) file: String,
    library: Library,
}

/// The library, opened at the first call. It stays open until the process ends, because drivers
/// run threads of their own. `is_forwarder` recognizes this program's own forwarders, which are no library.
pub(crate) fn opened(is_forwarder: fn(Function) -> bool) -> Result<&'static Opened, &'static NoLibrary> {
    static OPENED: OnceLock<Result<Opened, NoLibrary>> = OnceLock::new();
    OPENED.get_or_init(|| open_first(&candidates(env::var_os(LIBRARY_VARIABLE)), is_forwarder)).as_ref()
}

/// A function of the library; `None` where the library lacks it.
pub(crate) fn function(name: &str, is_forwarder: fn(Function) -> bool) -> Result<Option<Function>, &'static NoLibrary> {
    Ok(lookup(&opened(is_forwarder)?.library, name).ok())
}

/// A file to try, or the wish to try none.
enum Candidate {
    System(&'static str),
    Named(OsString),
    Hidden,
}

fn candidates(variable: Option<OsString>) -> Vec<Candidate> {
    match variable {
        Some(value) if value == HIDDEN => vec![Candidate::Hidden],
        Some(value) if !value.is_empty() => vec![Candidate::Named(value)],
        _ => CANDIDATES.iter().map(|file| Candidate::System(file)).collect(),
    }
}

fn open_first(candidates: &[Candidate], is_forwarder: fn(Function) -> bool) -> Result<Opened, NoLibrary> {
    let mut tried = Vec::new();
    for candidate in candidates {
        let (file, result) = match candidate {
            Candidate::System(file) => (OsStr::new(file), open_system(file)),
            // SAFETY: runs the initializers of the file that the user named as OpenCL's library.
            Candidate::Named(file) => (file.as_os_str(), unsafe { Library::new(file) }),
            Candidate::Hidden => {
                let reason = format!("hidden by {LIBRARY_VARIABLE}={HIDDEN}");
                tried.push(Attempt { file: HIDDEN.to_owned(), reason });
                continue;
            }
        };
        let file = file.to_string_lossy().into_owned();
        match result.map_err(|error| reason(&error)).and_then(|library| recognize(library, is_forwarder)) {
            Ok(library) => return Ok(Opened { file, library }),
            Err(reason) => tried.push(Attempt { file, reason }),
        }
    }
    Err(NoLibrary { tried })
}

#[cfg(not(windows))]
fn open_system(file: &str) -> Result<Library, libloading::Error> {
    // SAFETY: runs the initializers of the system's OpenCL library, which a program linked to it
    // would have run at its start.
    unsafe { Library::new(file) }
}

#[cfg(windows)]
fn open_system(file: &str) -> Result<Library, libloading::Error> {
    use libloading::os::windows;
    // The default directories leave out the current one, from which anybody's file could be run.
    // SAFETY: runs the initializers of the system's OpenCL library, which a program linked to it
    // would have run at its start.
    unsafe { windows::Library::load_with_flags(file, windows::LOAD_LIBRARY_SEARCH_DEFAULT_DIRS) }.map(Library::from)
}

/// Accepts only a library of OpenCL, and not this program's own forwarders, which would forward to
/// themselves.
fn recognize(library: Library, is_forwarder: fn(Function) -> bool) -> Result<Library, String> {
    let witness = lookup(&library, WITNESS).map_err(|error| reason(&error))?;
    if is_forwarder(witness) {
        return Err("it is this program's own table of forwarders".to_owned());
    }
    Ok(library)
}

fn lookup(library: &Library, name: &str) -> Result<Function, libloading::Error> {
    // SAFETY: a code pointer; the forwarder of this name gives it its signature before it calls.
    unsafe { library.get::<Function>(name) }.map(|symbol| *symbol)
}

/// What the system's loader says; `libloading` keeps it as the source of its own error.
fn reason(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::is_forwarder;

    fn tried(value: &str) -> Vec<Attempt> {
        match open_first(&candidates(Some(value.into())), is_forwarder) {
            Ok(opened) => panic!("{value} was opened as {}", opened.file),
            Err(error) => error.tried,
        }
    }

    #[test]
    fn the_variable_chooses_what_is_tried() {
        let system = candidates(None);
        assert_eq!(system.len(), CANDIDATES.len());
        assert!(system.iter().all(|candidate| matches!(candidate, Candidate::System(_))));
        assert_eq!(candidates(Some(OsString::new())).len(), CANDIDATES.len());
        assert!(matches!(candidates(Some("none".into()))[..], [Candidate::Hidden]));
        assert!(matches!(candidates(Some("./none".into()))[..], [Candidate::Named(_)]));
    }

    #[test]
    fn hiding_names_the_variable() {
        let tried = tried(HIDDEN);
        assert_eq!(tried.len(), 1);
        assert!(tried[0].reason.contains(LIBRARY_VARIABLE), "{tried:?}");
    }

    #[test]
    fn a_missing_file_is_named_with_the_reason() {
        let file = "libManycoreAbsent.so.1";
        let tried = tried(file);
        assert_eq!(tried.len(), 1);
        assert_eq!(tried[0].file, file);
        assert!(!tried[0].reason.is_empty());
        let text = NoLibrary { tried }.to_string();
        assert!(text.starts_with("no OpenCL library: libManycoreAbsent.so.1 ("), "{text}");
    }

    #[test]
    fn an_interior_zero_is_an_error() {
        assert!(!tried("lib\0OpenCL").is_empty());
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn a_library_without_opencl_is_refused() {
        let tried = tried("libc.so.6");
        assert!(tried[0].reason.contains(WITNESS), "{tried:?}");
    }
}
