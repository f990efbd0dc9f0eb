//! The text files of the project, and what checks find in them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::shell;

/// What the checks found.
#[derive(Default)]
pub(super) struct Findings {
    /// Broken rules: they fail the command.
    pub(super) faults: Vec<String>,
    /// Things to look at: they are shown.
    pub(super) warnings: Vec<String>,
}

/// A text file of the project.
pub(super) struct SourceFile {
    /// Its path from the root, with forward slashes.
    pub(super) path: String,
    /// Its contents.
    pub(super) text: String,
}

/// The text files that git tracks or would track.
pub(super) fn read_files() -> Result<Vec<SourceFile>> {
    let list =
        shell::output(shell::command("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))
            .context("tidy reads the list of files from git")?;
    let root = shell::root();
    let mut files = Vec::new();
    let mut paths: Vec<&str> = list.split('\0').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        let full: PathBuf = root.join(path);
        // A file deleted but still in the index, or a submodule's folder.
        if !full.is_file() {
            continue;
        }
        let bytes = std::fs::read(&full).with_context(|| format!("cannot read {path}"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(SourceFile { path: path.to_owned(), text });
        }
    }
    Ok(files)
}

/// What follows the last dot of a path's file name; empty where there is none.
pub(super) fn extension(path: &str) -> &str {
    Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or("")
}

/// Whether `word` stands in `text` with no letter, digit or underscore beside it.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(inside)
            && !text[at + word.len()..].chars().next().is_some_and(inside)
    })
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn words_are_whole() {
        assert!(has_word("a walsh_tile(b)", "walsh_tile"));
        assert!(has_word("walsh", "walsh"));
        assert!(!has_word("walsh_tiles xwalsh_tile", "walsh_tile"));
        assert!(!has_word("", "walsh"));
    }
}
