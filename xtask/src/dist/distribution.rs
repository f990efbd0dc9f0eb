//! The folders and files of a distribution.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::tools::{self, Tools};
use crate::{metadata, shell};

/// The package of the program.
pub(super) const PACKAGE: &str = "manycore-cli";

/// The profile that is handed on.
pub(super) const PROFILE: &str = "dist";

/// What is made, and where.
pub(super) struct Distribution {
    /// The version of all packages.
    pub(super) version: String,
    /// The system that it is for: the one that compiles.
    pub(super) triple: String,
    /// The target folder.
    pub(super) target: PathBuf,
    /// Where it is put.
    pub(super) out: PathBuf,
    pub(super) tools: Tools,
}

impl Distribution {
    pub(super) fn new(native: bool) -> Result<Self> {
        let workspace = metadata::workspace()?;
        let program = workspace.packages.iter().find(|package| package.name == PACKAGE);
        let version = program.with_context(|| format!("no package {PACKAGE}"))?.version.clone();
        let target = workspace.target_directory;
        let out = target.join("distribution");
        let tools = Tools::set_up(&target, native)?;
        Ok(Self { version, triple: tools::host()?, target, out, tools })
    }
}

/// The files of a folder, in the order of their names.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}

/// The file of the distribution whose name ends so.
pub(super) fn ending(distribution: &Distribution, end: &str) -> Result<PathBuf> {
    let mut files = files(&distribution.out)?;
    files.retain(|file| name(file).ends_with(end));
    match files.as_slice() {
        [file] => Ok(file.clone()),
        files => bail!("{}: {} files end in {end}", distribution.out.display(), files.len()),
    }
}

pub(super) fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// A folder that is there and empty.
pub(super) fn emptied(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Writes a file, whose folders are made.
pub(super) fn written(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Copies a file, whose folders are made.
pub(super) fn copied(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Seconds since 1970 of the last commit: what is packed has that time, so that the same sources give the same files.
pub(super) fn commit_seconds() -> String {
    let commit = shell::output(shell::command("git").args(["log", "-1", "--format=%ct"]));
    commit.map_or_else(|_| "0".to_owned(), |seconds| seconds.trim().to_owned())
}
