//! Running other programs: each is shown before it starts, and its failure is an error that names it.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

/// The root folder of the workspace: the parent of this crate's folder.
///
/// The folder is the one that `cargo run` names when it starts this program: clones that share a target folder share
/// the program too. Started otherwise, it is the one that it was built in.
pub(crate) fn root() -> PathBuf {
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    // Another package's `cargo run` may have left its folder to this program.
    let started = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = started.filter(|folder| folder.file_name() == built.file_name()).unwrap_or(built);
    here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
}

/// The `cargo` that runs this program, so that a toolchain chosen on the command line stays chosen.
pub(crate) fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root());
    // `cargo run` describes this crate in variables; a nested cargo should not see them as the user's.
    for name in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH"] {
        command.env_remove(name);
    }
    command
}

/// A command of any other program, run in the workspace root.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The command as one would type it, with the variables that it sets.
pub(crate) fn line(command: &Command) -> String {
    let mut text = String::new();
    for (name, value) in command.get_envs() {
        // `PATH` is long, and follows from the program's own path.
        if let Some(value) = value.filter(|_| name != "PATH") {
            let _ = write!(text, "{}={} ", name.to_string_lossy(), quoted(value));
        }
    }
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    text.push_str(&name.to_string_lossy());
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&quoted(argument));
    }
    text
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if word.is_empty() || word.contains(|c: char| c.is_whitespace() || "'\"$&|;<>()*?".contains(c)) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        word.into_owned()
    }
}

/// Shows and runs a command with this program's streams; a non-zero exit is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    eprintln!("$ {line}");
    let status = command.status().with_context(|| format!("cannot start: {line}"))?;
    if !status.success() {
        bail!("{line}: {status}");
    }
    Ok(())
}

/// Runs a command quietly and gives its standard output; a non-zero exit is an error with its last words.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start: {line}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("{line}: {}\n{}", output.status, errors.trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{line}: output is not UTF-8"))
}

/// Whether a command starts and ends well; its output is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Does `work` on every item, on as many at a time as there are processors; the outcomes stand in the order of the items.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let outcomes: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let (Some(item), Some(outcome)) = (items.get(index), outcomes.get(index))
                {
                    *outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(work(item));
                }
            });
        }
    });
    outcomes.into_iter().filter_map(|outcome| outcome.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// The first file called `name` in the folders of `PATH`.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::{command, find_program, line, output, root, side_by_side};

    #[test]
    fn lines_read_as_typed() {
        let mut echo = command("echo");
        echo.env("NAME", "a b").args(["one", "two words", "it's"]);
        assert_eq!(line(&echo), r"NAME='a b' echo one 'two words' 'it'\''s'");
    }

    #[test]
    fn outcomes_stand_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(side_by_side(&items, |item| item * item), items.iter().map(|item| item * item).collect::<Vec<_>>());
        assert!(side_by_side(&[], |item: &u32| *item).is_empty());
    }

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("xtask/src/main.rs").is_file());
    }

    #[cfg(unix)]
    #[test]
    fn failures_name_the_command() {
        assert!(find_program("sh").is_some());
        let error = output(command("sh").args(["-c", "echo why >&2; exit 3"])).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("exit status: 3") && text.contains("why"), "{text}");
    }
}
