//! Calibrations and measured choices as files: one of each for each device and driver.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use manycore_model::Machine;

use super::{CACHE_VARIABLE, CalibrateError};
use crate::info::{DeviceInfo, DeviceKind};

/// What begins the name of a machine's file: its number changes when machines get parameters that older files lack.
const MACHINE: &str = "machine-5";

/// The folder: the one that the variable names, else `manycore` in the user's cache folder.
pub(super) fn folder() -> Option<PathBuf> {
    match std::env::var_os(CACHE_VARIABLE) {
        Some(folder) if !folder.is_empty() => Some(PathBuf::from(folder)),
        _ => dirs::cache_dir().map(|folder| folder.join("manycore")),
    }
}

/// The name of the file of a device with its driver. Threads count for the host: fewer make another machine. So do builds
/// without optimization, whose loops say nothing of those with it.
pub(super) fn file_name(what: &str, info: &DeviceInfo) -> String {
    // Systems take about 255 bytes.
    const MOST: usize = 48;
    let facts = [&info.platform, &info.name, &info.driver];
    let plain = |text: &str| -> String {
        let kept = text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' });
        let name: String = kept.take(MOST).collect();
        name.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
    };
    // The facts themselves, by FNV-1a: what is left out above may be all that differs.
    let bytes = facts.iter().flat_map(|text| text.bytes().chain([0]));
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let name = facts.map(|text| plain(text)).join("_");
    let build = if cfg!(debug_assertions) && info.kind == DeviceKind::Host { "_debug" } else { "" };
    format!("{what}_{name}_{}_{hash:08x}{build}.json", info.compute_units)
}

/// The machine kept for this device and driver; `None` where there is none, or the file is not one.
pub(super) fn load(info: &DeviceInfo) -> Option<Machine> {
    load_from(&folder()?, info)
}

fn load_from(folder: &Path, info: &DeviceInfo) -> Option<Machine> {
    parse(&std::fs::read_to_string(folder.join(file_name(MACHINE, info))).ok()?)
}

fn parse(text: &str) -> Option<Machine> {
    serde_json::from_str::<Machine>(text).ok()?.checked().ok()
}

/// The folder, made where it is missing.
pub(super) fn make_folder() -> Result<PathBuf, CalibrateError> {
    let folder = folder().ok_or_else(|| CalibrateError::Write {
        path: "manycore".into(),
        reason: format!("the system names no cache folder; {CACHE_VARIABLE} can"),
    })?;
    match std::fs::create_dir_all(&folder) {
        Ok(()) => Ok(folder),
        Err(error) => Err(CalibrateError::Write { path: folder, reason: error.to_string() }),
    }
}

/// Keeps a machine, whole or not at all; tells what a later process reads.
pub(super) fn save(folder: &Path, info: &DeviceInfo, machine: Machine) -> Result<(Machine, PathBuf), CalibrateError> {
    let path = folder.join(file_name(MACHINE, info));
    let written = serde_json::to_string_pretty(&machine).map_err(std::io::Error::from).and_then(|text| {
        write_whole(&path, &format!("{text}\n"))?;
        Ok(text)
    });
    match written {
        Ok(text) => Ok((parse(&text).unwrap_or(machine), path)),
        Err(error) => Err(CalibrateError::Write { path, reason: error.to_string() }),
    }
}

/// Writes a file whole or not at all: beside its place first.
pub(super) fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let partial = path.with_extension(format!("{}.{number}.partial", std::process::id()));
    std::fs::write(&partial, text).and_then(|()| std::fs::rename(&partial, path)).inspect_err(|_| {
        // The reason is told; what is left of the attempt may stay where it cannot be removed.
        let _ = std::fs::remove_file(&partial);
    })
}

#[cfg(test)]
mod tests {
    use manycore_model::Source;
    use manycore_model::machine::SegmentPart;

    use super::{MACHINE, file_name, load_from, save};
    use crate::calibrate::CalibrateError;
    use crate::device::Device;
    use crate::info::DeviceInfo;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("manycore-store-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

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
        let mut names: Vec<String> = others.iter().map(|info| file_name(MACHINE, info)).collect();
        assert!(names.iter().all(|name| name.len() < 200 && !name.contains(['/', '\\', ' ', ':'])), "{names:?}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), others.len());
    }

    /// Choices that were measured are told apart by their times, so that these must not change by being kept.
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
        machine.cached_segments = vec![SegmentPart { bytes: 64, part: 1.0 / 3.0 }];
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
        let path = folder.join(file_name(MACHINE, device.info()));
        std::fs::create_dir_all(path.join("x")).unwrap();
        let outcome = save(&folder, device.info(), device.typical_machine());
        assert!(matches!(&outcome, Err(CalibrateError::Write { path: told, .. }) if *told == path), "{outcome:?}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
