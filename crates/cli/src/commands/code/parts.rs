//! Parts in files: their names, how they are written as a set, and how they are read.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use manycore::FileError;
use manycore::codes::{PartSink, PartSource};
use manycore::files::{TargetSet, leftovers, read_at, spooled};

use crate::input;

/// The names of the parts of a file, in the folder of the file or in another one.
pub(super) fn names(file: &Path, folder: Option<&Path>, count: usize) -> Vec<PathBuf> {
    let stem = stem(file);
    let name = |index: usize| {
        let mut name = stem.clone();
        name.push(format!(".part{index}"));
        match folder {
            Some(folder) => folder.join(name),
            None if file == Path::new("-") => name.into(),
            None => file.with_file_name(name),
        }
    };
    (0..count).map(name).collect()
}

/// What names of parts begin with.
pub(super) fn stem(file: &Path) -> OsString {
    if file == Path::new("-") { "stdin".into() } else { file.file_name().unwrap_or_default().to_owned() }
}

/// Parts that are being written.
pub(super) struct Written {
    set: TargetSet,
    /// The first error, which names its file.
    error: Mutex<Option<FileError>>,
}

impl Written {
    pub(super) fn new(names: &[PathBuf], stem: &OsStr) -> Result<Self, FileError> {
        Ok(Self { set: TargetSet::new(names, stem)?, error: Mutex::default() })
    }

    /// The error of a write that failed.
    pub(super) fn error(&self) -> Option<FileError> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Gives the parts their names.
    pub(super) fn commit(self) -> Result<(), FileError> {
        self.set.commit()
    }

    /// The parts, to be read.
    pub(super) fn parts(&self, count: usize) -> Vec<WrittenPart<'_>> {
        (0..count).map(|index| WrittenPart { set: &self.set, index }).collect()
    }
}

impl PartSink for Written {
    fn write_at(&self, part: usize, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.set.write_at(part, offset, bytes).map_err(|error| {
            let told = io::Error::other(error.to_string());
            self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            told
        })
    }
}

/// A part that is written and has no name yet.
pub(super) struct WrittenPart<'a> {
    set: &'a TargetSet,
    index: usize,
}

impl PartSource for WrittenPart<'_> {
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.set.read_at(self.index, offset, out)
    }

    fn length(&self) -> io::Result<u64> {
        self.set.length(self.index)
    }
}

/// A part that was given.
pub(super) struct GivenPart {
    path: PathBuf,
    /// `None` where it is opened for each piece: there may be more parts than a process may open.
    file: Option<Mutex<File>>,
}

impl GivenPart {
    /// Opens a part; pipes and standard input are written to a file without a name first, for parts are read in pieces.
    pub(super) fn open(path: &Path, is_kept: bool) -> io::Result<Self> {
        if path == Path::new("-") {
            let file = spooled(io::stdin().lock())?;
            return Ok(Self { path: path.to_owned(), file: Some(Mutex::new(file)) });
        }
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let (file, is_kept) = if metadata.is_file() { (file, is_kept) } else { (spooled(file)?, true) };
        Ok(Self { path: path.to_owned(), file: is_kept.then(|| Mutex::new(file)) })
    }

    fn with<R>(&self, work: impl FnOnce(&File) -> io::Result<R>) -> io::Result<R> {
        match &self.file {
            Some(file) => work(&file.lock().unwrap_or_else(PoisonError::into_inner)),
            None => work(&File::open(&self.path)?),
        }
    }
}

impl PartSource for GivenPart {
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.with(|file| read_at(file, offset, out))
    }

    fn length(&self) -> io::Result<u64> {
        self.with(|file| Ok(file.metadata()?.len()))
    }
}

/// Parts by their paths, with names for messages.
pub(super) fn open(paths: &[PathBuf]) -> impl Iterator<Item = (String, io::Result<GivenPart>)> {
    let most_open = manycore::files::most_open();
    let part = move |(at, path): (usize, &PathBuf)| (input::name(path), GivenPart::open(path, at < most_open));
    paths.iter().enumerate().map(part).collect::<Vec<_>>().into_iter()
}

/// Bytes that were worked on in a second, rounded; 0 where no time passed.
pub(super) fn bytes_per_second(bytes: u64, seconds: f64) -> u64 {
    if seconds > 0.0 { (bytes as f64 / seconds) as u64 } else { 0 }
}

/// Hidden files beside parts, which a split of the same file was killed over while it renamed them.
pub(super) fn left_beside(paths: &[PathBuf]) -> Vec<PathBuf> {
    let sets: BTreeSet<(PathBuf, String)> = paths.iter().filter_map(|path| set_of(path)).collect();
    sets.iter().flat_map(|(folder, stem)| leftovers(folder, stem)).filter(|path| !paths.contains(path)).collect()
}

/// The folder of a part, and what its name begins with.
fn set_of(path: &Path) -> Option<(PathBuf, String)> {
    let (stem, index) = path.file_name()?.to_str()?.rsplit_once(".part")?;
    let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    is_number.then(|| (folder.to_owned(), stem.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_after_their_file() {
        assert_eq!(names(Path::new("a/b.tar"), None, 2), [Path::new("a/b.tar.part0"), Path::new("a/b.tar.part1")]);
        assert_eq!(names(Path::new("a/b"), Some(Path::new("c")), 1), [Path::new("c/b.part0")]);
        assert_eq!(names(Path::new("-"), None, 1), [Path::new("stdin.part0")]);
        assert_eq!(set_of(Path::new("a/b.part7.part12")), Some(("a".into(), "b.part7".into())));
        assert_eq!(set_of(Path::new("x.part0")), Some((".".into(), "x".into())));
        assert_eq!((set_of(Path::new("x.part")), set_of(Path::new("x.part1a"))), (None, None));
    }
}
