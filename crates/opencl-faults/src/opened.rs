//! The real OpenCL library, opened once and kept open, and the plan of the fault.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::sync::OnceLock;

use libloading::Library;

use crate::miscompile::Origins;
use crate::plan::Plan;
use crate::real::{Facts, Real};
use crate::types::Function;

/// The variable that names the real library.
const LIBRARY_VARIABLE: &str = "MANYCORE_FAULT_LIBRARY";

/// The system's library.
const SYSTEM: &str = if cfg!(windows) {
    "OpenCL.dll"
} else if cfg!(target_os = "macos") {
    "/System/Library/Frameworks/OpenCL.framework/OpenCL"
} else {
    "libOpenCL.so.1"
};

/// The function by which an OpenCL library is recognized.
const WITNESS: &str = "clGetPlatformIDs";

/// The library in use.
pub(crate) struct Opened {
    pub(crate) library: Library,
    pub(crate) real: Real,
    pub(crate) facts: Facts,
    pub(crate) origins: Origins,
    pub(crate) plan: Plan,
}

static OPENED: OnceLock<Result<Opened, String>> = OnceLock::new();

/// The library, opened at the first call. A failure is reported on standard error, since OpenCL's status has no room for it; the program
/// finds no platform. `is_forwarder` recognizes this library's own functions.
pub(crate) fn open(is_forwarder: fn(Function) -> bool) -> Result<&'static Opened, &'static str> {
    let tell = |reason: &String| eprintln!("manycore-opencl-faults: {reason}");
    OPENED.get_or_init(|| open_real(is_forwarder).inspect_err(tell)).as_ref().map_err(String::as_str)
}

/// The library, where it is open.
pub(crate) fn opened() -> Option<&'static Opened> {
    OPENED.get()?.as_ref().ok()
}

fn open_real(is_forwarder: fn(Function) -> bool) -> Result<Opened, String> {
    let plan = Plan::from_environment().map_err(|error| error.to_string())?;
    let named = env::var_os(LIBRARY_VARIABLE).filter(|file| !file.is_empty());
    let file = named.unwrap_or_else(|| OsString::from(SYSTEM));
    let told = |reason: String| format!("{}: {reason}", file.to_string_lossy());
    // SAFETY: runs the initializers of the file that the user, or the system, has as OpenCL's library.
    let library = unsafe { Library::new(&file) }.map_err(|error| told(reason(&error)))?;
    let witness = lookup(&library, WITNESS).map_err(|error| told(reason(&error)))?;
    if is_forwarder(witness) {
        return Err(told(format!("it is this library itself: {LIBRARY_VARIABLE} names the real one")));
    }
    let real = Real::of(&library).map_err(|error| told(reason(&error)))?;
    let facts = Facts::of(&library).map_err(|error| told(reason(&error)))?;
    let origins = Origins::of(&library).map_err(|error| told(reason(&error)))?;
    Ok(Opened { library, real, facts, origins, plan })
}

pub(crate) fn lookup(library: &Library, name: &str) -> Result<Function, libloading::Error> {
    // SAFETY: a code pointer; the forwarder of this name gives it its signature before it calls.
    unsafe { library.get::<Function>(name) }.map(|symbol| *symbol)
}

/// What the system's loader says; `libloading` keeps it as the source of its own error.
fn reason(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}
