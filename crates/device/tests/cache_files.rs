//! Cache files by kind and device, in a process of its own whose folder a variable names.

use std::process::Command;

use manycore_device::{CACHE_VARIABLE, CalibrateError, Device, DeviceInfo, cache_files};

/// The variable that makes [`child`] act.
const ROLE: &str = "MANYCORE_CACHE_FILES_TEST_ROLE";

/// Writes and reads files, in the process that the test starts.
#[test]
fn child() {
    if std::env::var_os(ROLE).is_none() {
        return;
    }
    let info = Device::host().info().clone();
    let other: DeviceInfo = Device::host_with(info.compute_units as usize + 1).unwrap().info().clone();
    assert_eq!(cache_files::read("a-kind-1", &info), None);
    let path = cache_files::write("a-kind-1", &info, "one").unwrap();
    assert_eq!(cache_files::write("a-kind-1", &info, "two"), Ok(path.clone()));
    assert_eq!(cache_files::read("a-kind-1", &info).as_deref(), Some("two"));
    assert_eq!((cache_files::read("a-kind-2", &info), cache_files::read("a-kind-1", &other)), (None, None));
    assert_ne!(cache_files::write("a-kind-1", &other, "three"), Ok(path.clone()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
    // A folder that is not empty stands where the file would.
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir_all(path.join("x")).unwrap();
    let outcome = cache_files::write("a-kind-1", &info, "four");
    assert!(matches!(&outcome, Err(CalibrateError::Write { path: told, .. }) if *told == path), "{outcome:?}");
    println!("files held");
}

#[test]
fn files_are_of_a_kind_and_a_device() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(ROLE, "1");
    let output = command.env(CACHE_VARIABLE, folder.path().join("made")).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("files held"), "{text}");
}
