//! The sources of a package and their hash, FNV-1a of 64 bits over paths and contents.

use std::fs;
use std::hash::Hasher as _;
use std::io;
use std::path::{Path, PathBuf};

use fnv::FnvHasher;

/// Ends of the names of sources.
const SOURCES: [&str; 3] = ["rs", "cl", "clh"];
/// Folders that hold no code of the library.
const APART: [&str; 4] = ["tests", "benches", "examples", "target"];

/// A number that every change of a source of the package in this folder changes: of a path or of a content, but for line ends.
///
/// # Errors
/// A folder or file that cannot be read.
pub(crate) fn revision(folder: &Path) -> io::Result<u64> {
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    files.sort_unstable();
    let mut hash = FnvHasher::default();
    for (path, file) in files {
        for text in [path.as_bytes(), &fs::read(file)?] {
            hash_text(&mut hash, text);
        }
    }
    Ok(hash.finish())
}

/// Adds a text without the first bytes of line ends, and its length: what moves from one text to the next is a change.
fn hash_text(hash: &mut FnvHasher, text: &[u8]) {
    let is_end = |at: &usize| text[*at] == b'\r' && text.get(at + 1) == Some(&b'\n');
    let mut len = 0u64;
    for at in (0..text.len()).filter(|at| !is_end(at)) {
        hash.write(&text[at..=at]);
        len += 1;
    }
    hash.write(&len.to_le_bytes());
}

/// The sources within a folder, by their paths within the package with `/` between names.
fn collect(folder: &Path, within: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A source has a name of Unicode: `mod` and the table of kernels name it.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let (path, kind) = (format!("{within}{name}"), entry.file_type()?);
        if kind.is_dir() {
            if !name.starts_with('.') && !APART.contains(&name.as_str()) {
                collect(&entry.path(), &format!("{path}/"), files)?;
            }
        } else if Path::new(&name).extension().is_some_and(|end| SOURCES.iter().any(|source| end == *source)) {
            files.push((path, entry.path()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> u64 {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        revision(folder.path()).unwrap()
    }

    #[test]
    fn every_change_of_a_source_counts() {
        let trees: [&[(&str, &str)]; 9] = [
            &[],
            &[("src/a.rs", "")],
            &[("src/a.rs", "x")],
            &[("src/a.rs", "xy")],
            &[("src/a.rs", "x\n")],
            &[("src/b.rs", "x")],
            &[("src/a.rs", "x"), ("src/b.rs", "y")],
            &[("src/a.rs", "y"), ("src/b.rs", "x")],
            &[("src/a.rs", "x"), ("kernels/b.cl", "y")],
        ];
        let mut revisions: Vec<u64> = trees.iter().map(|files| tree(files)).collect();
        revisions.sort_unstable();
        revisions.dedup();
        assert_eq!(revisions.len(), trees.len());
    }

    #[test]
    fn places_line_ends_and_other_files_do_not_count() {
        let once = [("src/a.rs", "x\ny\n"), ("part.clh", "z")];
        let again = tree(&once);
        assert_eq!(tree(&once), again, "another folder at another time");
        assert_eq!(tree(&[("src/a.rs", "x\r\ny\r\n"), ("part.clh", "z")]), again);
        let others = [("data/a.json", "1"), ("tests/t.rs", "t"), (".hidden/h.rs", "h"), ("README.md", "r")];
        assert_eq!(tree(&[&once[..], &others].concat()), again);
        assert_ne!(tree(&[("src/a.rs", "x\r\r\ny\n"), ("part.clh", "z")]), again);
    }
}
