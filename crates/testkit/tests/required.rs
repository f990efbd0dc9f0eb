//! A missing OpenCL device is a failure where one is required, and only there.

use std::process::Command;

use manycore_testkit::{REQUIRE_OPENCL, devices, opencl_devices};

/// The variable that makes [`child`] act.
const ROLE: &str = "MANYCORE_REQUIRED_TEST_ROLE";

/// Lists the devices that tests run on; nothing in the parent.
#[test]
fn child() {
    if std::env::var(ROLE).is_ok() {
        assert!(opencl_devices().is_empty());
        assert_eq!(devices().len(), 2, "the host with all threads and with one");
    }
}

/// Whether the child passes with these variables, and what it printed.
fn passes(variables: &[(&str, &str)]) -> (bool, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(ROLE, "1").env_remove(REQUIRE_OPENCL);
    let output = command.env_remove("MANYCORE_TEST_DEVICE").envs(variables.iter().copied()).output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_missing_device_fails_where_one_is_required() {
    let none = ("MANYCORE_OPENCL_LIBRARY", "none");
    let (passed, text) = passes(&[none]);
    assert!(passed && text.contains("no OpenCL device, "), "{text}");
    assert!(passes(&[none, (REQUIRE_OPENCL, "0")]).0);
    let (passed, text) = passes(&[none, (REQUIRE_OPENCL, "1")]);
    assert!(!passed && text.contains(REQUIRE_OPENCL), "{text}");
}

/// The host is no OpenCL device, also when it is the one that is named.
#[test]
fn naming_the_host_does_not_meet_the_requirement() {
    assert!(passes(&[("MANYCORE_TEST_DEVICE", "host")]).0);
    assert!(!passes(&[("MANYCORE_TEST_DEVICE", "host"), (REQUIRE_OPENCL, "1")]).0);
    let (passed, text) = passes(&[("MANYCORE_TEST_DEVICE", "no such device")]);
    assert!(!passed && text.contains("no such device"), "{text}");
}
