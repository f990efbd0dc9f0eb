//! Atomic replacement of a file: a hidden file beside it is written, synced and renamed over it.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::error::FileError;
use crate::shown::shown_path;

/// A file to be written: it holds all of its new content or, where writing fails or the process ends before that, its old one.
///
/// [`Target::write`] writes a file with a random name that begins with `.manycore-` into the same folder, brings it to the
/// disk and renames it over the target, so that the input of a computation can be its target. The target's permissions stay,
/// and its owner and group where the process may give them; the name becomes a link to a new file, so that other hard links
/// keep the old content. A symbolic link stays, and the file that it leads to is replaced. What is no regular file, such as
/// a device or a named pipe, is written as it is, and so are names of open files (`/dev/stdout`, `/dev/fd/3`).
///
/// ```
/// use manycore_files::Target;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("x.txt");
/// std::fs::write(&path, "old")?;
/// let target = Target::new(&path)?; // before the work begins
/// target.write(|_| Err(std::io::Error::other("a failure"))).unwrap_err();
/// assert_eq!(std::fs::read_to_string(&path)?, "old");
/// target.write(|out| out.write_all(b"new"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "new");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The path as it was given, for errors.
    given: PathBuf,
    place: Place,
}

/// Where the content goes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// A regular file, or none yet; behind symbolic links.
    Replaced(PathBuf),
    /// A device, a pipe or an open file.
    Direct,
}

/// Symbolic links that are followed one after the other, as Linux does.
const MOST_LINKS: usize = 40;

/// Bytes that are written at once.
const BUFFER_BYTES: usize = 1 << 16;

impl Target {
    /// Finds out whether a file can be written, and writes nothing that stays: an existing file must be open for writing,
    /// and its folder for new files.
    ///
    /// # Errors
    /// [`FileError::Write`] with the file: its folder is not there or takes no new file, it is a folder, or it cannot be
    /// opened for writing.
    pub fn new(path: impl Into<PathBuf>) -> Result<Self, FileError> {
        let given = path.into();
        match Place::of(&given) {
            Ok(place) => Ok(Self { given, place }),
            Err(error) => Err(failed(&given, error)),
        }
    }

    /// The path, as it was given.
    pub fn path(&self) -> &Path {
        &self.given
    }

    /// Lets `content` write through a buffer, and puts the whole of it in the place of the file.
    ///
    /// # Errors
    /// [`FileError::Write`] with the file; a regular file is then as it was before.
    pub fn write(&self, content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<(), FileError> {
        // Compiled once for all contents.
        let mut content = Some(content);
        self.written(&mut |out| content.take().map_or(Ok(()), |content| content(out)))
    }

    fn written(&self, content: Content<'_>) -> Result<(), FileError> {
        let written = match &self.place {
            Place::Replaced(path) => replace(path, content),
            Place::Direct => open_direct(&self.given).and_then(|file| buffered(&file, content)),
        };
        written.map_err(|error| failed(&self.given, error))
    }
}

/// Writes a file that is whole or as it was; as [`Target`] does.
///
/// # Errors
/// [`FileError::Write`] with the file.
pub fn create(
    path: impl AsRef<Path>,
    content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<(), FileError> {
    Target::new(path.as_ref())?.write(content)
}

pub(crate) fn failed(path: &Path, error: io::Error) -> FileError {
    FileError::Write { file: shown_path(path), error }
}

impl Place {
    fn of(given: &Path) -> io::Result<Self> {
        let path = behind_links(given)?;
        match fs::metadata(given) {
            Ok(metadata) if metadata.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() || is_name_of_open_file(given) => {
                // A pipe would wait for its reader.
                if !is_pipe(&metadata) {
                    open_direct(given)?;
                }
                return Ok(Self::Direct);
            }
            Ok(_) => drop(OpenOptions::new().write(true).open(&path)?),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        if ends_with_separator(&path) {
            return Err(ErrorKind::IsADirectory.into());
        }
        if path.file_name().is_none() {
            return Err(ErrorKind::NotFound.into());
        }
        drop(Unfinished::new(folder(&path))?);
        Ok(Self::Replaced(path))
    }
}

/// The path that symbolic links lead to, whether or not something is there.
pub(crate) fn behind_links(given: &Path) -> io::Result<PathBuf> {
    let mut path = given.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = folder(&path).join(link),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn ends_with_separator(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| std::path::is_separator(byte.into()))
}

/// Whether a path names a file that some process has open: replacing the file would not reach it.
fn is_name_of_open_file(path: &Path) -> bool {
    cfg!(unix)
        && (["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
            || ["/dev/fd", "/proc"].iter().any(|folder| path.starts_with(folder)))
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

/// Opens what is not replaced. A regular file behind the name of an open one keeps what it holds.
fn open_direct(path: &Path) -> io::Result<File> {
    let append = fs::metadata(path)?.is_file();
    OpenOptions::new().write(true).append(append).open(path)
}

/// What is written to a file.
type Content<'a> = &'a mut dyn FnMut(&mut (dyn Write + Send)) -> io::Result<()>;

fn buffered(file: &File, content: Content<'_>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, file);
    content(&mut out)?;
    out.flush()
}

/// A new file with a random name in a folder, of the permissions that every new file has; it goes when it is dropped.
fn temporary(folder: &Path) -> io::Result<NamedTempFile<File>> {
    let mut code = None;
    let create = |path: &Path| {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).open(path).inspect_err(|error| code = error.raw_os_error())
    };
    let made = Builder::new().prefix(".manycore-").suffix(".tmp").make_in(folder, create);
    // The crate's error names the random file.
    made.map_err(|error| code.map_or(error, io::Error::from_raw_os_error))
}

fn replace(path: &Path, content: Content<'_>) -> io::Result<()> {
    let unfinished = Unfinished::new(folder(path))?;
    let file = &unfinished.file;
    buffered(file, content)?;
    if let Ok(old) = fs::metadata(path) {
        keep_permissions(file, &old)?;
    }
    file.sync_all()?;
    unfinished.rename(path)?;
    // The new name is on the disk when its folder is. Not every file system can be asked for that.
    if cfg!(unix) {
        let _ = File::open(folder(path)).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

#[cfg(unix)]
pub(crate) fn keep_permissions(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    let mut mode = old.mode() & 0o777;
    if new.uid() != old.uid() {
        // Only the superuser gives files away.
        let _ = fchown(file, Some(old.uid()), None);
    }
    let grouped = new.gid() == old.gid() || fchown(file, None, Some(old.gid())).is_ok();
    if !grouped {
        // Another group may do no more than everyone.
        mode = mode & 0o707 | (mode & 0o007) << 3 & mode;
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub(crate) fn keep_permissions(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// Paths of files that are being written and not renamed yet.
pub(crate) static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is being written: it goes unless it is renamed.
struct Unfinished {
    file: File,
    path: Option<TempPath>,
}

impl Unfinished {
    fn new(folder: &Path) -> io::Result<Self> {
        let mut paths = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, path) = temporary(folder)?.into_parts();
        paths.push(path.to_path_buf());
        Ok(Self { file, path: Some(path) })
    }

    fn rename(mut self, to: &Path) -> io::Result<()> {
        let mut paths = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(path) = self.path.take() else { return Ok(()) };
        paths.retain(|other| **other != *path);
        path.persist(to).map_err(|error| error.error)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            let mut paths = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
            paths.retain(|other| **other != *path);
            // The file goes before the lock: a signal in between would leave it.
            drop(path);
        }
    }
}

/// Removes the files that are being written, for a process that a signal ends: nothing of theirs stays, and the targets are
/// as they were.
///
/// Every later write of the process waits for its end. Another thread that makes or renames a file meanwhile is waited for,
/// at most ten seconds: on a busy disk that takes a while.
pub fn discard_unfinished() {
    for _ in 0..10_000 {
        let paths = match UNFINISHED.try_lock() {
            Ok(paths) => paths,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                thread::sleep(Duration::from_millis(1));
                continue;
            }
        };
        for path in paths.iter() {
            let _ = fs::remove_file(path);
        }
        // Kept for ever, so that nothing is renamed after this.
        std::mem::forget(paths);
        return;
    }
}
