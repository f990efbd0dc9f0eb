//! Tests keep what they measure in a folder of their own, also where no harness names one.

#![cfg(any(target_os = "linux", target_os = "macos"))]

use std::process::Command;

use manycore_device::CACHE_VARIABLE;
use manycore_testkit::cache;

/// The variable that makes [`child`] act.
const ROLE: &str = "MANYCORE_CACHE_TEST_ROLE";

/// Prints the cache folder; nothing in the parent.
#[test]
fn child() {
    if std::env::var(ROLE).is_ok() {
        eprintln!("{}: {}", cache::FOLDER, std::env::var(CACHE_VARIABLE).unwrap_or_default());
    }
}

/// What the child prints where the variable has this value.
fn told(folder: Option<&str>) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(ROLE, "1").env_remove(CACHE_VARIABLE);
    let output = command.envs(folder.map(|folder| (CACHE_VARIABLE, folder))).output().unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn tests_keep_nothing_in_the_folder_of_the_user() {
    for folder in [None, Some("")] {
        assert!(told(folder).contains(&format!("/{}\n", cache::FOLDER)), "{}", told(folder));
    }
    assert!(told(Some("/named")).contains(": /named\n"), "{}", told(Some("/named")));
}
