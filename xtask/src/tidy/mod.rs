//! `cargo xtask tidy`: what the architecture promises about the files of the project, checked.

mod files;
mod generated;
mod instances;
mod kernels;
mod messages;
mod operations;
mod tables;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::shell;

/// Checks file lengths, shared instances, launched kernels, the parts of each operation, messages of errors and generated text.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Writes generated text again where it is not current
    #[arg(long)]
    write: bool,
}

impl Arguments {
    /// The run that changes nothing.
    pub(crate) fn check() -> Self {
        Self { write: false }
    }
}

/// What the checks found.
#[derive(Default)]
struct Findings {
    /// Broken rules: they fail the command.
    faults: Vec<String>,
    /// Things to look at: they are shown.
    warnings: Vec<String>,
}

/// A text file of the project.
struct SourceFile {
    /// Its path from the root, with forward slashes.
    path: String,
    /// Its contents.
    text: String,
}

/// `cargo xtask tidy`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let files = read_files()?;
    let mut findings = Findings::default();
    files::check(&files, &mut findings);
    instances::check(&files, &mut findings);
    kernels::check(&files, &mut findings);
    operations::check(&files, &mut findings);
    messages::check(&files, &mut findings);
    generated::check(&files, arguments.write, &mut findings)?;
    for warning in &findings.warnings {
        eprintln!("tidy: warning: {warning}");
    }
    for fault in &findings.faults {
        eprintln!("tidy: {fault}");
    }
    if !findings.faults.is_empty() {
        bail!("tidy found {} faults", findings.faults.len());
    }
    eprintln!("tidy: {} files are in order", files.len());
    Ok(())
}

/// The text files that git tracks or would track.
fn read_files() -> Result<Vec<SourceFile>> {
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
fn extension(path: &str) -> &str {
    Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or("")
}

/// Whether `word` stands in `text` with no letter, digit or underscore beside it.
fn has_word(text: &str, word: &str) -> bool {
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
