//! Calibrations as cache files: one for each device and driver.

use std::path::{Path, PathBuf};

use manycore_model::Machine;

use super::error::CalibrateError;
use crate::info::DeviceInfo;
use crate::start::cache_files::{self, file_name};

/// What begins the name of a machine's file: its number changes when machines get parameters that older files lack.
const MACHINE: &str = "machine-6";

/// The machine kept for this device and driver; `None` where there is none, or the file is not one.
pub(super) fn load(info: &DeviceInfo) -> Option<Machine> {
    load_from(&cache_files::folder()?, info)
}

/// The machine kept in this folder.
pub(super) fn load_from(folder: &Path, info: &DeviceInfo) -> Option<Machine> {
    parse(&cache_files::read_file(&path(folder, info))?)
}

fn parse(text: &str) -> Option<Machine> {
    serde_json::from_str::<Machine>(text).ok()?.checked().ok()
}

/// The machine's file.
pub(super) fn path(folder: &Path, info: &DeviceInfo) -> PathBuf {
    folder.join(file_name(MACHINE, info))
}

/// Stores a machine, whole or not at all; returns what a later process reads.
pub(super) fn save(folder: &Path, info: &DeviceInfo, machine: Machine) -> Result<(Machine, PathBuf), CalibrateError> {
    let path = path(folder, info);
    let written = serde_json::to_string_pretty(&machine).map_err(std::io::Error::from).and_then(|text| {
        cache_files::write_file(&path, &format!("{text}\n"))?;
        Ok(text)
    });
    match written {
        Ok(text) => Ok((parse(&text).unwrap_or(machine), path)),
        Err(error) => Err(CalibrateError::Write { path, reason: error.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use manycore_model::Source;

    use super::{load_from, path, save};
    use crate::device::Device;
    use crate::info::DeviceInfo;
    use crate::start::calibrate::error::CalibrateError;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("manycore-store-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// A machine is compared with its file, so that numbers must not change by being written.
    #[test]
    fn numbers_are_read_back_to_the_last_bit() {
        for number in [0.000_113_249_000_000_000_01, 5.378_366_4e-5, 1.0 / 3.0, f64::MIN_POSITIVE, f64::MAX] {
            let text = serde_json::to_string(&number).unwrap();
            assert_eq!(serde_json::from_str::<f64>(&text).unwrap().to_bits(), number.to_bits(), "{text}");
        }
    }

    #[test]
    fn a_machine_is_read_back_as_it_was_told() {
        let folder = folder("kept");
        let device = Device::host();
        let mut machine = device.typical_machine();
        assert_eq!(load_from(&folder, device.info()), None);
        // Numbers with all their digits.
        machine.bandwidth = 1e10 / 3.0;
        machine.local_bandwidth_8_bytes = Some(1e11 / 3.0);
        machine.rates.f64 = 1e12 / 7.0;
        machine.source = Source::Measured { spread: 0.1 / 3.0, seconds: 4.0 / 3.0 };
        let (told, path) = save(&folder, device.info(), machine.clone()).unwrap();
        assert!((told.bandwidth / machine.bandwidth - 1.0).abs() < 1e-15);
        assert_eq!(load_from(&folder, device.info()), Some(told.clone()));
        let other = DeviceInfo { driver: "another".into(), ..device.info().clone() };
        assert_eq!(load_from(&folder, &other), None);
        machine.bandwidth *= 2.0;
        let (again, same) = save(&folder, device.info(), machine).unwrap();
        assert!(same == path && again != told && load_from(&folder, device.info()) == Some(again));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn damaged_files_are_no_machine() {
        let folder = folder("damaged");
        let device = Device::host();
        let (machine, path) = save(&folder, device.info(), device.typical_machine()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(load_from(&folder, device.info()), Some(machine));
        let negative = text.replace("\"bandwidth\": ", "\"bandwidth\": -");
        assert_ne!(negative, text);
        let cut = &text[..text.len() / 2];
        for damaged in ["", "{}", "null", "\u{0}", cut, negative.as_str()] {
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(load_from(&folder, device.info()), None, "{damaged}");
        }
        std::fs::write(&path, [0xFF, 0xFE]).unwrap();
        assert_eq!(load_from(&folder, device.info()), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let folder = folder("blocked");
        let device = Device::host();
        // A folder that is not empty stands where the file would.
        let path = path(&folder, device.info());
        std::fs::create_dir_all(path.join("x")).unwrap();
        let outcome = save(&folder, device.info(), device.typical_machine());
        assert!(matches!(&outcome, Err(CalibrateError::Write { path: told, .. }) if *told == path), "{outcome:?}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
