//! Tuning modes of handles, and the variable that names one.

use std::process::Command;

use manycore_device::{Device, DeviceKind, TUNING_VARIABLE, TuningMode};
use manycore_testkit::devices;

/// The variable that makes [`child`] act.
const ROLE: &str = "MANYCORE_TUNING_TEST_ROLE";

#[test]
fn handles_of_other_modes_are_handles_of_the_device() {
    for device in devices() {
        for mode in TuningMode::ALL {
            let other = device.with_tuning(mode);
            let expected = if device.info().kind == DeviceKind::Cpu { TuningMode::Estimate } else { mode };
            assert_eq!((other.tuning(), other.clone().tuning()), (expected, expected), "{device:?}");
            assert_eq!((&other, other.same_as(&device)), (&device, Ok(())));
            assert_eq!(other.tuned().tuning(), device.with_tuning(TuningMode::Measure).tuning());
            // Buffers of both are used together.
            let x = device.upload(&[1u32, 2, 3]).unwrap();
            let mut y = other.zeros::<u32>(3).unwrap();
            y.copy_from(&x).unwrap();
            assert_eq!(y.download().unwrap(), [1, 2, 3]);
        }
    }
}

/// Prints the host's mode, in processes that [`mode_of`] starts.
#[test]
fn child() {
    if std::env::var_os(ROLE).is_some() {
        println!("mode {}", Device::host().tuning());
    }
}

/// The host's mode in a process with the variable at `value`.
fn mode_of(value: Option<&str>) -> TuningMode {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(ROLE, "1").env_remove(TUNING_VARIABLE);
    let output = command.envs(value.map(|value| (TUNING_VARIABLE, value))).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let found = text.lines().find_map(|line| Some(line.split_once("mode ")?.1));
    found.unwrap_or_else(|| panic!("{text}")).parse().unwrap()
}

#[test]
fn the_variable_names_the_mode_and_without_one_cached_choices_count() {
    for mode in TuningMode::ALL {
        assert_eq!(mode_of(Some(mode.name())), mode);
    }
    assert_eq!(mode_of(Some(" Measure ")), TuningMode::Measure);
    for value in [None, Some(""), Some("sometimes")] {
        assert_eq!(mode_of(value), TuningMode::Kept, "{value:?}");
    }
}
