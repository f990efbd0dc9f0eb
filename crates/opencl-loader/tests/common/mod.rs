//! Runs one test of this executable in a process of its own, where the library's variable can be
//! set: the library is chosen once per process.

use std::env;
use std::process::Command;

use manycore_opencl_loader::LIBRARY_VARIABLE;

/// Set in the processes that [`child`] starts.
const CHILD: &str = "MANYCORE_LOADER_TEST_CHILD";

/// Whether this process was started by [`child`].
pub(crate) fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// Runs the ignored test `name` with the variable set, or as it is for `None`, and demands that it
/// ran and passed.
pub(crate) fn child(name: &str, library: Option<&str>) {
    let mut command = Command::new(env::current_exe().expect("this executable has a path"));
    command.args([name, "--exact", "--ignored", "--nocapture"]).env(CHILD, "1");
    if let Some(value) = library {
        command.env(LIBRARY_VARIABLE, value);
    }
    let output = command.output().expect("this executable starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {}\n{text}\n{errors}", output.status);
    assert!(text.contains("1 passed"), "{name} did not run:\n{text}");
}
