//! `cargo xtask dist`: what users install without Rust: the program as an archive and a Debian package, the Python wheel, sources,
//! checksums; tried in a bare system, and type-checked for other ones.
//!
//! | file | what |
//! |---|---|
//! | `tools` | maturin and zig, in an environment of their own |
//! | `program` | the program, its manual pages and completions: archive and Debian package |
//! | `python` | the wheel and the source distribution |
//! | `bare` | the installation, tried where there is neither Rust nor OpenCL |
//! | `others` | type checks for systems that this machine is none of |

mod bare;
mod others;
mod program;
mod python;
mod tools;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use sha2::{Digest as _, Sha256};

use crate::{metadata, shell};
use tools::Tools;

/// Makes what users install without Rust: the program, the Python wheel, sources, checksums.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What is done, in this order
    #[arg(value_enum, default_value = "make")]
    parts: Vec<Part>,
    /// Link with this system's own libraries, which the installed program then needs as new
    #[arg(long)]
    native: bool,
}

/// What there is to do.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Make all of it
    Make,
    /// Install what was made in a bare Debian system that debootstrap makes, and use it there (as root)
    Try,
    /// Type-check program, Python package and C library for other systems
    Others,
}

/// The profile that is handed on.
const PROFILE: &str = "dist";

/// The file of checksums.
const SUMS: &str = "SHA256SUMS";

/// What is made, and where.
struct Distribution {
    /// The version of all packages.
    version: String,
    /// The system that it is for: the one that compiles.
    triple: String,
    /// The target folder.
    target: PathBuf,
    /// Where it is put.
    out: PathBuf,
    tools: Tools,
}

impl Distribution {
    fn new(native: bool) -> Result<Self> {
        let workspace = metadata::workspace()?;
        let program = workspace.packages.iter().find(|package| package.name == program::PACKAGE);
        let version = program.with_context(|| format!("no package {}", program::PACKAGE))?.version.clone();
        let target = workspace.target_directory;
        let out = target.join("distribution");
        let tools = Tools::set_up(&target, native)?;
        Ok(Self { version, triple: tools::host()?, target, out, tools })
    }
}

/// `cargo xtask dist`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let distribution = Distribution::new(arguments.native)?;
    for part in &arguments.parts {
        match part {
            Part::Make => make(&distribution)?,
            Part::Try => bare::try_out(&distribution)?,
            Part::Others => others::check(&distribution)?,
        }
    }
    Ok(())
}

fn make(distribution: &Distribution) -> Result<()> {
    let out = &distribution.out;
    emptied(out)?;
    let begin = Instant::now();
    program::make(distribution)?;
    let of_program = begin.elapsed().as_secs_f64();
    python::make(distribution)?;
    let of_python = begin.elapsed().as_secs_f64() - of_program;
    eprintln!("dist: the program took {of_program:.0} s, the wheel and the sources {of_python:.0} s");
    let files = files(out)?;
    let mut sums = String::new();
    for file in &files {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        sums.push_str(&line(&bytes, name(file)));
        println!("{:>12} bytes  {}", bytes.len(), name(file));
    }
    written(&out.join(SUMS), sums.as_bytes())?;
    println!("{}", out.display());
    Ok(())
}

/// A line as `sha256sum` writes and checks it.
fn line(bytes: &[u8], name: &str) -> String {
    let mut line = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(line, "{byte:02x}");
    }
    let _ = writeln!(line, "  {name}");
    line
}

/// The files of a folder, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}

/// The file of the distribution whose name ends so.
fn ending(distribution: &Distribution, end: &str) -> Result<PathBuf> {
    let mut files = files(&distribution.out)?;
    files.retain(|file| name(file).ends_with(end));
    match files.as_slice() {
        [file] => Ok(file.clone()),
        files => bail!("{}: {} files end in {end}", distribution.out.display(), files.len()),
    }
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// A folder that is there and empty.
fn emptied(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Writes a file, whose folders are made.
fn written(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Copies a file, whose folders are made.
fn copied(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Seconds since 1970 of the last commit: what is packed has that time, so that the same sources give the same files.
fn commit_seconds() -> String {
    let commit = shell::output(shell::command("git").args(["log", "-1", "--format=%ct"]));
    commit.map_or_else(|_| "0".to_owned(), |seconds| seconds.trim().to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn sums_are_those_of_sha256sum() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.whl\n";
        assert_eq!(super::line(b"", "a.whl"), empty);
    }
}
