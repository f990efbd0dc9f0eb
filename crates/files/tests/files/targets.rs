//! Targets: whole or as they were, with the permissions and links that they had.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use manycore_files::{Target, create};
use tempfile::TempDir;

/// More than a target writes at once.
const MANY_BYTES: usize = 200_000;

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn files_are_made_and_replaced_whole() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    create(&path, |out| out.write_all(b"first")).unwrap();
    let target = Target::new(&path).unwrap();
    target
        .write(|out| {
            out.write_all(&vec![b'y'; MANY_BYTES][..])?;
            assert_eq!((read(&path).as_str(), names(folder.path()).len()), ("first", 2));
            Ok(())
        })
        .unwrap();
    assert_eq!((read(&path).len(), names(folder.path())), (MANY_BYTES, vec!["x".to_owned()]));
}

#[test]
fn a_failure_leaves_the_old_file_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, "old").unwrap();
    let error = create(&path, |out| {
        out.write_all(&vec![b'y'; MANY_BYTES][..])?;
        Err(io::Error::other("a failure"))
    });
    assert_eq!(error.unwrap_err().to_string(), format!("{}: a failure", path.display()));
    assert_eq!((read(&path).as_str(), names(folder.path())), ("old", vec!["x".to_owned()]));
}

#[test]
fn targets_that_cannot_be_written_are_found_at_once() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| Target::new(folder.path().join(name)).unwrap_err().to_string();
    assert!(at("no/x").ends_with("no/x: No such file or directory (os error 2)"), "{}", at("no/x"));
    fs::create_dir(folder.path().join("folder")).unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    for (name, reason) in [
        ("folder", "is a directory"),
        ("new/", "is a directory"),
        (".", "is a directory"),
        ("file/x", "Not a directory (os error 20)"),
    ] {
        assert!(at(name).ends_with(&format!("{name}: {reason}")), "{}", at(name));
    }
    assert!(Target::new("").is_err());
    assert_eq!(names(folder.path()), ["file", "folder"]);
}

#[cfg(unix)]
#[test]
fn links_stay_and_permissions_too() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("inner")).unwrap();
    fs::write(path("inner/x"), "old").unwrap();
    fs::set_permissions(path("inner/x"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("inner/x", path("link")).unwrap();
    symlink("link", path("second")).unwrap();
    symlink("inner/none", path("dangling")).unwrap();
    symlink("loop", path("loop")).unwrap();
    create(path("second"), |out| out.write_all(b"new")).unwrap();
    create(path("dangling"), |out| out.write_all(b"made")).unwrap();
    assert_eq!((read(&path("inner/x")), read(&path("inner/none"))), ("new".into(), "made".into()));
    assert_eq!(fs::metadata(path("inner/x")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(path("link")).unwrap().is_symlink());
    assert_eq!(names(&path("inner")), ["none", "x"]);
    assert!(Target::new(path("loop")).is_err());
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_regular_file_is_written_as_it_is() {
    use std::os::fd::AsRawFd;
    create("/dev/null", |out| out.write_all(b"x")).unwrap();
    let full = Target::new("/dev/full").unwrap();
    let error = full.write(|out| out.write_all(b"x")).unwrap_err().to_string();
    assert_eq!(error, "/dev/full: No space left on device (os error 28)");
    // The name of an open file: what the file holds stays.
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, "line\n").unwrap();
    let open = File::open(&path).unwrap();
    create(format!("/proc/self/fd/{}", open.as_raw_fd()), |out| out.write_all(b"more\n")).unwrap();
    assert_eq!((read(&path).as_str(), names(folder.path())), ("line\nmore\n", vec!["log".to_owned()]));
}
