//! The passed items of a whole run in parts: they hold for the current state of the files only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::shell;

/// Names of what passed, kept in a file.
pub(crate) struct State {
    file: PathBuf,
    kept: Mutex<Kept>,
}

#[derive(Default, Serialize, Deserialize)]
struct Kept {
    /// The tree that git makes of the files.
    of: String,
    /// Seconds by name.
    passed: BTreeMap<String, f64>,
}

impl State {
    /// What a file keeps of these files; nothing where it is of others.
    pub(super) fn read(file: PathBuf) -> Result<Self> {
        let of = tree(&file)?;
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let kept: Kept = serde_json::from_str(&text).unwrap_or_default();
        let kept = if kept.of == of { kept } else { Kept { of, passed: BTreeMap::new() } };
        Ok(Self { file, kept: Mutex::new(kept) })
    }

    /// Whether it passed before.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).passed.contains_key(name)
    }

    /// Whether nothing has passed before.
    pub(super) fn is_fresh(&self) -> bool {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).passed.is_empty()
    }

    /// Seconds of everything that passed, by name.
    pub(super) fn seconds(&self) -> BTreeMap<String, f64> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).passed.clone()
    }

    /// Keeps that it passed. A file that cannot be written loses that alone.
    pub(crate) fn note(&self, name: &str, seconds: f64) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.passed.insert(name.to_owned(), seconds);
        let written = serde_json::to_string(&*kept).context("cannot be written").and_then(|text| {
            std::fs::write(&self.file, text).with_context(|| format!("cannot write {}", self.file.display()))
        });
        if let Err(error) = written {
            eprintln!("ci: {name} passed, but is not kept: {error:#}");
        }
    }
}

/// What git calls the files as they are, those that it does not track among them: the tree of an index beside `file`.
fn tree(file: &Path) -> Result<String> {
    let index = file.with_extension("index");
    let git = |arguments: &[&str]| {
        let mut command = shell::command("git");
        shell::output(command.args(arguments).env("GIT_INDEX_FILE", &index))
    };
    git(&["add", "--all"])?;
    Ok(git(&["write-tree"])?.trim().to_owned())
}

/// The commit where nothing differs from it.
pub(super) fn clean_commit() -> Result<Option<String>> {
    let changes = shell::output(shell::command("git").args(["status", "--porcelain"]))?;
    if !changes.trim().is_empty() {
        return Ok(None);
    }
    Ok(Some(shell::output(shell::command("git").args(["rev-parse", "HEAD"]))?.trim().to_owned()))
}
