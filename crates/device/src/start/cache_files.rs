//! Cache files: what was measured or proved of a device with its driver, one small file for each kind of knowledge.
//!
//! [`read()`] and [`write()`] take the kind, such as `machine-6`, and the facts of the device; the file's name holds
//! the platform, the device, its driver and its number of compute units, so that another driver has a file of its own.
//! The folder is `manycore` in the user's cache folder, or the one that the variable `MANYCORE_CACHE` names.
//!
//! The folder may be one that others write to as well, so that a file is written under a name that nobody can foresee
//! (`O_EXCL`, mode 0600) and renamed when it is whole, and a link, or a file of another user, is never read.

use std::fs::{File, OpenOptions};
use std::hash::Hasher as _;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use fnv::FnvHasher;

use super::calibrate::error::CalibrateError;
use crate::info::{DeviceInfo, DeviceKind};

/// The variable that names the folder of cache files (calibrations, cached choices, self-tests).
pub const CACHE_VARIABLE: &str = "MANYCORE_CACHE";

/// The size of the largest file that is read. The largest ones, of 4096 measured choices, take about a megabyte.
const MOST_BYTES: u64 = 16 << 20;

/// The text of the cache file of this kind for a device with its driver; `None` where there is none, and for a link,
/// for what is no regular file of this user or of the system's administrator, for more than 16 MiB, and for what is not
/// UTF-8.
pub fn read(kind: &str, info: &DeviceInfo) -> Option<String> {
    read_file(&folder()?.join(file_name(kind, info)))
}

/// Writes the cache file of this kind for a device with its driver, and returns its path: whole or not at all, for this
/// user alone, in a folder that is made where it is missing. Of two processes that write at once, one file stays.
///
/// ```no_run
/// use manycore_device::{Device, cache_files};
/// let device = Device::host();
/// let path = cache_files::write("notes-1", device.info(), "measured\n")?;
/// assert_eq!(cache_files::read("notes-1", device.info()).as_deref(), Some("measured\n"));
/// # Ok::<(), manycore_device::CalibrateError>(())
/// ```
///
/// # Errors
/// [`CalibrateError::Write`] with the path and what the system says.
pub fn write(kind: &str, info: &DeviceInfo, text: &str) -> Result<PathBuf, CalibrateError> {
    let path = made_folder()?.join(file_name(kind, info));
    match write_file(&path, text) {
        Ok(()) => Ok(path),
        Err(error) => Err(CalibrateError::Write { path, reason: error.to_string() }),
    }
}

/// The folder, made where it is missing.
///
/// # Errors
/// [`CalibrateError::Write`] where the system names none, or it cannot be made.
pub(crate) fn made_folder() -> Result<PathBuf, CalibrateError> {
    let folder = folder().ok_or_else(|| CalibrateError::Write {
        path: "manycore".into(),
        reason: format!("the system names no cache folder; {CACHE_VARIABLE} can"),
    })?;
    match make(&folder) {
        Ok(()) => Ok(folder),
        Err(error) => Err(CalibrateError::Write { path: folder, reason: error.to_string() }),
    }
}

/// The folder: the one that the variable names, else `manycore` in the user's cache folder.
pub(crate) fn folder() -> Option<PathBuf> {
    match std::env::var_os(CACHE_VARIABLE) {
        Some(folder) if !folder.is_empty() => Some(PathBuf::from(folder)),
        _ => etcetera::base_strategy::choose_native_strategy().ok().map(|user| user.cache_dir().join("manycore")),
    }
}

/// Makes a folder where it is missing, and those above it, for this user alone.
fn make(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The name of the file of a device with its driver. Threads count for the host: fewer make another machine. So do
/// builds without optimization, whose loops say nothing of those with it.
pub(crate) fn file_name(what: &str, info: &DeviceInfo) -> String {
    // Systems take about 255 bytes.
    const MOST: usize = 48;
    let facts = [&info.platform, &info.name, &info.driver];
    let plain = |text: &str| -> String {
        let kept = text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' });
        let name: String = kept.take(MOST).collect();
        name.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
    };
    // The facts themselves: what is left out above may be all that differs.
    let mut hash = FnvHasher::default();
    for text in facts {
        hash.write(text.as_bytes());
        hash.write_u8(0);
    }
    let hash = hash.finish();
    let name = facts.map(|text| plain(text)).join("_");
    let build = if cfg!(debug_assertions) && info.kind == DeviceKind::Host { "_debug" } else { "" };
    format!("{what}_{name}_{}_{hash:016x}{build}.json", info.compute_units)
}

/// The text of a cache file; `None` where there is none, for a link, for what is no regular file of this user or of the
/// system's administrator, for more than 16 MiB, and for what is not UTF-8.
pub(crate) fn read_file(path: &Path) -> Option<String> {
    let file = open(path).ok()?;
    let facts = file.metadata().ok()?;
    if !facts.is_file() || facts.len() > MOST_BYTES || !is_own(&facts) {
        return None;
    }
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    // A pipe in the file's place would be waited for.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    if path.symlink_metadata()?.file_type().is_symlink() {
        return Err(io::Error::other("a link"));
    }
    OpenOptions::new().read(true).open(path)
}

#[cfg(unix)]
fn is_own(facts: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    [0, rustix::process::geteuid().as_raw()].contains(&facts.uid())
}

#[cfg(not(unix))]
fn is_own(_: &std::fs::Metadata) -> bool {
    true
}

/// Writes a file whole or not at all, for this user alone: under a name that nobody can foresee first. What stands in
/// its place is replaced, a link too; where the link leads to stays as it is.
pub(crate) fn write_file(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Made with `O_EXCL` and mode 0600, and removed again where anything fails.
    let mut file = tempfile::Builder::new().prefix(".").suffix(".partial").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;

    #[test]
    fn names_differ_by_every_fact_and_are_short() {
        let info = Device::host().info().clone();
        let longer = |text: &str| format!("{}{text}", "a".repeat(200));
        let others = [
            info.clone(),
            DeviceInfo { driver: "535.1".into(), ..info.clone() },
            DeviceInfo { driver: "535.2".into(), ..info.clone() },
            DeviceInfo { driver: longer("1"), ..info.clone() },
            DeviceInfo { driver: longer("2"), ..info.clone() },
            DeviceInfo { name: "a b".into(), ..info.clone() },
            DeviceInfo { name: "a/b".into(), ..info.clone() },
            DeviceInfo { name: "\u{5668}".into(), ..info.clone() },
            DeviceInfo { platform: "a b".into(), ..info.clone() },
            DeviceInfo { name: longer(""), driver: longer(""), platform: longer(""), ..info.clone() },
            DeviceInfo { compute_units: info.compute_units + 1, ..info },
        ];
        let mut names: Vec<String> = others.iter().map(|info| file_name("a-kind-of-file-1", info)).collect();
        assert!(names.iter().all(|name| name.len() < 200 && !name.contains(['/', '\\', ' ', ':'])), "{names:?}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), others.len());
    }

    #[test]
    fn files_are_written_whole_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        assert_eq!(read_file(&path), None);
        write_file(&path, "one").unwrap();
        write_file(&path, "two\n").unwrap();
        assert_eq!(read_file(&path).as_deref(), Some("two\n"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        std::fs::write(&path, [0xFF, 0xFE]).unwrap();
        assert_eq!(read_file(&path), None, "not UTF-8");
        File::create(&path).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert_eq!(read_file(&path), None, "too large");
        assert!(write_file(&folder.path().join("no").join("a.json"), "x").is_err());
        // A folder that is not empty stands where the file would.
        std::fs::create_dir_all(folder.path().join("b.json").join("x")).unwrap();
        assert!(write_file(&folder.path().join("b.json"), "x").is_err());
        assert_eq!(read_file(&folder.path().join("b.json")), None, "a folder");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    }

    #[cfg(unix)]
    #[test]
    fn files_and_folders_are_of_this_user_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("a").join("b");
        make(&folder).unwrap();
        make(&folder).unwrap();
        let path = folder.join("c.json");
        write_file(&path, "x").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&outer.path().join("a")), mode(&folder), mode(&path)), (0o700, 0o700, 0o600));
        // What stood there was open to all.
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
        write_file(&path, "y").unwrap();
        assert_eq!((mode(&path), read_file(&path).as_deref()), (0o600, Some("y")));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_neither_read_nor_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, path) = (folder.path().join("target"), folder.path().join("a.json"));
        std::fs::write(&target, "theirs").unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        assert_eq!(read_file(&path), None, "a link");
        write_file(&path, "ours").unwrap();
        assert_eq!(read_file(&path).as_deref(), Some("ours"));
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "theirs");
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(read_file(&pipe), None, "a pipe nobody writes to");
    }
}
