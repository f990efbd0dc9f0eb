//! Replacement of a set of files: all new ones are whole and on the disk before the first takes its place.
//!
//! Hidden files beside the targets are written and synced, then the folder, and then each is renamed over its target. So the new
//! set is whole from the moment before the first name changes, and the old set until then: whatever ends the process in between
//! leaves one of them, if not under its names, then in hidden files that [`leftovers`] finds.

use std::collections::{BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::hash::Hasher as _;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use fnv::FnvHasher;

use crate::error::FileError;
use crate::target::{UNFINISHED, behind_links, failed, folder, keep_permissions};

/// How names of hidden files end.
const ENDING: &str = ".tmp";
/// Files that a set keeps open at most.
const MOST_OPEN: usize = 512;
/// Files that are synced one by one; more, with all that the file system has to write.
const FEW: usize = 64;

/// A set of files that is written whole, or not at all.
///
/// The files may be written in turns and in pieces, from several threads, and read again before they take their places. Dropped
/// without [`TargetSet::commit`], the set leaves what was there before.
///
/// ```
/// use manycore_files::TargetSet;
///
/// # let folder = tempfile::tempdir()?;
/// let names = ["x.part0", "x.part1"].map(|name| folder.path().join(name));
/// std::fs::write(&names[1], "old")?;
/// let set = TargetSet::new(&names, "x")?;
/// set.write_at(1, 0, b"new")?;
/// set.write_at(0, 4, b"bytes")?;
/// set.write_at(0, 0, b"some")?;
/// assert_eq!(std::fs::read(&names[1])?, b"old");
/// set.commit()?;
/// assert_eq!(std::fs::read(&names[0])?, b"somebytes");
/// assert_eq!(std::fs::read(&names[1])?, b"new");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TargetSet {
    files: Vec<Pending>,
    /// Where leftovers of earlier sets may be.
    folder: PathBuf,
    label: OsString,
    token: String,
}

/// A file that is written, and its target.
#[derive(Debug)]
struct Pending {
    /// The target as it was given, for errors.
    given: PathBuf,
    /// The target behind symbolic links.
    target: PathBuf,
    hidden: PathBuf,
    /// `None` where it is opened for each piece: a set may have more files than a process may open.
    file: Mutex<Option<File>>,
}

impl TargetSet {
    /// Begins a set of files: finds out whether they can be written, and makes hidden files beside them. `label` is a name for what
    /// they belong to, the same for a set that replaces another.
    ///
    /// # Errors
    /// [`FileError::Write`] with the file: its folder is not there or takes no new file, or the target is a folder, a device or a
    /// pipe, or cannot be opened for writing.
    pub fn new(targets: &[impl AsRef<Path>], label: impl AsRef<OsStr>) -> Result<Self, FileError> {
        let label = label.as_ref().to_owned();
        let first = targets.first().map_or(Path::new("."), AsRef::as_ref);
        let mut set = Self { files: Vec::new(), folder: folder(first).to_owned(), label, token: String::new() };
        let most_open = most_open();
        // The first file is open and locked as long as the process has the set.
        let mut attempt = 0;
        for target in targets {
            let given = target.as_ref();
            loop {
                if set.files.is_empty() {
                    set.token = token(attempt);
                    attempt += 1;
                }
                match set.add(given, most_open) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists && set.files.is_empty() && attempt < 100 => {
                    }
                    Err(error) => return Err(failed(given, error)),
                    Ok(()) => break,
                }
            }
        }
        Ok(set)
    }

    fn add(&mut self, given: &Path, most_open: usize) -> io::Result<()> {
        let target = behind_links(given)?;
        match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => return Err(io::Error::other("not a regular file")),
            Ok(_) => drop(OpenOptions::new().write(true).open(&target)?),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        if target.file_name().is_none() {
            return Err(ErrorKind::NotFound.into());
        }
        let index = self.files.len();
        let hidden = folder(&target).join(format!("{}{}-{index}{ENDING}", prefix(&self.label), self.token));
        // A signal that comes now waits until the file can be removed.
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&hidden)?;
        unfinished.push(hidden.clone());
        drop(unfinished);
        if index == 0 {
            // A file system without locks does without.
            let _ = file.try_lock();
        }
        let file = Mutex::new((index < most_open).then_some(file));
        self.files.push(Pending { given: given.to_owned(), target, hidden, file });
        Ok(())
    }

    /// Writes bytes at an offset of a file.
    ///
    /// # Errors
    /// [`FileError::Write`] with the file.
    pub fn write_at(&self, index: usize, offset: u64, bytes: &[u8]) -> Result<(), FileError> {
        let pending = &self.files[index];
        let write = |mut file: &File| file.seek(SeekFrom::Start(offset)).and_then(|_| file.write_all(bytes));
        pending.with(write).map_err(|error| failed(&pending.given, error))
    }

    /// Reads bytes from an offset of a file as it is written so far, fewer than asked for only at its end.
    ///
    /// # Errors
    /// What the system says.
    pub fn read_at(&self, index: usize, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.files[index].with(|file| read_at(file, offset, out))
    }

    /// Bytes of a file as it is written so far.
    ///
    /// # Errors
    /// What the system says.
    pub fn length(&self, index: usize) -> io::Result<u64> {
        self.files[index].with(|file| Ok(file.metadata()?.len()))
    }

    /// Puts all files in their places. What is left of sets with the same label whose process has ended goes.
    ///
    /// # Errors
    /// [`FileError::Write`] with the file. Where files could not be brought to the disk, all is as it was before. Where one could
    /// not be renamed behind others, it and those that follow are left as [`leftovers`], and with the others are the new set.
    pub fn commit(mut self) -> Result<(), FileError> {
        self.sync()?;
        let mut files = std::mem::take(&mut self.files);
        // A signal that comes from here on waits until all files have their names.
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let hidden: HashSet<&Path> = files.iter().map(|pending| pending.hidden.as_path()).collect();
        unfinished.retain(|path| !hidden.contains(path.as_path()));
        // The first file, which is locked, comes last: as long as it is hidden, the set is not complete.
        for (renamed, pending) in files.iter().rev().enumerate() {
            if let Err(error) = fs::rename(&pending.hidden, &pending.target) {
                if renamed == 0 {
                    drop(unfinished);
                    let error = failed(&pending.given, error);
                    self.files = files;
                    return Err(error);
                }
                return Err(failed(&pending.given, error));
            }
        }
        drop(unfinished);
        self.sync_folders(&files);
        files.clear();
        self.remove_dead();
        Ok(())
    }

    /// Brings the new files and their hidden names to the disk.
    fn sync(&self) -> Result<(), FileError> {
        for pending in &self.files {
            if let Ok(old) = fs::metadata(&pending.target) {
                let keep = |file: &File| keep_permissions(file, &old);
                pending.with(keep).map_err(|error| failed(&pending.given, error))?;
            }
        }
        let is_synced =
            self.files.len() > FEW && self.files.first().is_some_and(|first| first.with(sync_file_system).is_ok());
        if !is_synced {
            for pending in &self.files {
                pending.with(File::sync_all).map_err(|error| failed(&pending.given, error))?;
            }
        }
        self.sync_folders(&self.files);
        Ok(())
    }

    /// Brings names to the disk. Not every file system can be asked for that.
    fn sync_folders(&self, files: &[Pending]) {
        if cfg!(unix) {
            let folders: BTreeSet<&Path> =
                files.iter().map(|pending| folder(&pending.target)).chain([self.folder.as_path()]).collect();
            for folder in folders {
                let _ = File::open(folder).and_then(|folder| folder.sync_all());
            }
        }
    }

    /// Removes what is left of other sets with this label.
    fn remove_dead(&self) {
        let mut dead: Vec<(String, PathBuf)> = Vec::new();
        for path in leftovers(&self.folder, &self.label) {
            let Some(token) = token_of(&path, &self.label) else { continue };
            if token != self.token {
                dead.push((token, path));
            }
        }
        // The first file of a set comes last in this order, and is locked as long as the process of the set lives.
        dead.sort_by_key(|(token, path)| (token.clone(), is_first(path)));
        for at in 0..dead.len() {
            let (token, path) = &dead[at];
            let first = dead.iter().find(|(other, path)| other == token && is_first(path));
            let lives = first.is_some_and(|(_, first)| File::open(first).is_ok_and(|file| file.try_lock().is_err()));
            if !lives {
                let _ = fs::remove_file(path);
            }
        }
    }
}

impl Drop for TargetSet {
    fn drop(&mut self) {
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        for pending in self.files.iter().rev() {
            let _ = fs::remove_file(&pending.hidden);
        }
        let hidden: HashSet<&Path> = self.files.iter().map(|pending| pending.hidden.as_path()).collect();
        unfinished.retain(|path| !hidden.contains(path.as_path()));
    }
}

impl Pending {
    fn with<R>(&self, work: impl FnOnce(&File) -> io::Result<R>) -> io::Result<R> {
        match &*self.file.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(file) => work(file),
            None => work(&OpenOptions::new().read(true).write(true).open(&self.hidden)?),
        }
    }
}

/// Hidden files in a folder that are left of sets with this label, or are being written: a set whose process was killed while it
/// renamed them has its other files under their names.
pub fn leftovers(folder: &Path, label: impl AsRef<OsStr>) -> Vec<PathBuf> {
    let prefix = prefix(label.as_ref());
    let is_hidden = |name: &OsStr| {
        name.to_str()
            .is_some_and(|name| name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(ENDING)).is_some())
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> =
        entries.filter(|entry| is_hidden(&entry.file_name())).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Reads bytes from an offset of a file, fewer than asked for only at its end.
///
/// # Errors
/// What the system says.
pub fn read_at(mut file: &File, offset: u64, out: &mut [u8]) -> io::Result<usize> {
    file.seek(SeekFrom::Start(offset))?;
    let mut count = 0;
    while count < out.len() {
        match file.read(&mut out[count..]) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

/// Whether two paths name one file, or would if files were made there: behind links, in the same folder.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(a), Ok(b)) => {
            use std::os::unix::fs::MetadataExt;
            return (a.dev(), a.ino()) == (b.dev(), b.ino());
        }
        (Err(_), Err(_)) => {}
        _ => return false,
    }
    let place = |path: &Path| {
        let path = behind_links(path).ok()?;
        Some((fs::canonicalize(folder(&path)).ok()?, path.file_name()?.to_owned()))
    };
    place(a).is_some_and(|a| Some(a) == place(b))
}

/// All bytes of a reader, in a file without a name, for input that is read several times and from any place.
///
/// # Errors
/// What the system says of reading, or of writing to the folder of temporary files.
pub fn spooled(mut reader: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut reader, &mut file)?;
    Ok(file)
}

/// Files that may be opened and kept so: half of what the process may open at most.
pub fn most_open() -> usize {
    #[cfg(unix)]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(u64::MAX);
        usize::try_from(limit / 2).unwrap_or(MOST_OPEN).min(MOST_OPEN)
    }
    #[cfg(not(unix))]
    {
        MOST_OPEN
    }
}

/// Writes everything that the file system of a file has in memory to the disk.
fn sync_file_system(file: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        Ok(rustix::fs::syncfs(file)?)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = file;
        Err(ErrorKind::Unsupported.into())
    }
}

/// How names of hidden files begin; of a fixed length, so that they are no longer than names may be.
fn prefix(label: &OsStr) -> String {
    let mut hash = FnvHasher::default();
    hash.write(label.as_encoded_bytes());
    format!(".manycore-{:016x}-", hash.finish())
}

/// A name for a set that no other one has at this time.
fn token(attempt: u32) -> String {
    let nanoseconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{:x}.{:x}.{attempt}", std::process::id(), nanoseconds as u64)
}

/// The token in the name of a hidden file.
fn token_of(path: &Path, label: &OsStr) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    Some(name.strip_prefix(&prefix(label))?.rsplit_once('-')?.0.to_owned())
}

fn is_first(path: &Path) -> bool {
    path.file_name()
        .and_then(OsStr::to_str)
        .is_some_and(|name| name.strip_suffix(ENDING).is_some_and(|name| name.ends_with("-0")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn write(targets: &[PathBuf], content: &[u8]) -> TargetSet {
        let set = TargetSet::new(targets, "x").unwrap();
        (0..targets.len()).for_each(|index| set.write_at(index, 0, content).unwrap());
        set
    }

    #[test]
    fn a_set_that_is_dropped_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let targets = ["a", "b"].map(|name| folder.path().join(name));
        write(&targets, b"old").commit().unwrap();
        drop(write(&targets, b"new"));
        assert_eq!(names(folder.path()), ["a", "b"]);
        assert_eq!(fs::read(&targets[1]).unwrap(), b"old");
    }

    #[test]
    fn targets_that_cannot_be_written_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let targets = ["a", "b"].map(|name| folder.path().join(name));
        fs::create_dir(&targets[1]).unwrap();
        let error = TargetSet::new(&targets, "x").unwrap_err().to_string();
        assert!(error.ends_with("b: is a directory"), "{error}");
        assert_eq!(names(folder.path()), ["b"]);
        let error = TargetSet::new(&[folder.path().join("no/a")], "x").unwrap_err().to_string();
        assert!(error.contains("no/a: No such file"), "{error}");
    }

    /// Files of a process that ended while it renamed them stay until a set is whole, and only files of living ones after it.
    #[test]
    fn leftovers_go_when_the_next_set_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let targets = ["a", "b"].map(|name| folder.path().join(name));
        let dead =
            ["1.2.0-0.tmp", "1.2.0-1.tmp", "7.7.0-5.tmp"].map(|end| folder.path().join(prefix("x".as_ref()) + end));
        for path in &dead {
            fs::write(path, "left").unwrap();
        }
        let alive = write(&targets, b"alive");
        let set = write(&targets, b"new");
        assert_eq!(leftovers(folder.path(), "x").len(), 7);
        assert!(leftovers(folder.path(), "y").is_empty());
        set.commit().unwrap();
        assert_eq!(leftovers(folder.path(), "x").len(), 2);
        alive.commit().unwrap();
        assert_eq!(names(folder.path()), ["a", "b"]);
        assert_eq!(fs::read(&targets[0]).unwrap(), b"alive");
    }

    #[test]
    fn more_files_than_are_kept_open_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let targets: Vec<PathBuf> = (0..MOST_OPEN + 10).map(|i| folder.path().join(i.to_string())).collect();
        let set = write(&targets, b"one");
        let last = targets.len() - 1;
        set.write_at(last, 3, b" two").unwrap();
        let mut bytes = [0; 9];
        assert_eq!((set.read_at(last, 2, &mut bytes).unwrap(), set.length(last).unwrap()), (5, 7));
        assert_eq!(&bytes[..5], b"e two");
        set.commit().unwrap();
        assert_eq!(fs::read(&targets[last]).unwrap(), b"one two");
        assert_eq!(names(folder.path()).len(), targets.len());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let targets = ["a", "b"].map(|name| folder.path().join(name));
        fs::write(folder.path().join("c"), "old").unwrap();
        fs::set_permissions(folder.path().join("c"), PermissionsExt::from_mode(0o640)).unwrap();
        symlink("c", &targets[1]).unwrap();
        write(&targets, b"new").commit().unwrap();
        assert_eq!(names(folder.path()), ["a", "b", "c"]);
        assert_eq!(fs::read(folder.path().join("c")).unwrap(), b"new");
        assert_eq!(fs::metadata(folder.path().join("c")).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
