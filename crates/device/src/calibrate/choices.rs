//! Choices that were refined by measurements, as files beside the calibrated machines.
//!
//! What an operation measured of its candidates holds for one device with one driver, which name the file, and for what the
//! operation puts into its key: what it did, on which shape, with which kernels. A file that cannot be read or written costs
//! a measurement, no more: nothing here fails.

use std::collections::BTreeMap;
use std::path::Path;

use super::store::make_folder;
use crate::cache::{self, file_name};
use crate::device::Device;
use crate::info::DeviceInfo;

/// What begins a file's name: its number changes with the form of its content.
const CHOICES: &str = "choices-1";
/// A file that holds so many choices is begun anew.
const MOST: usize = 4096;

/// The measured candidates of a choice: the parameters as text, and seconds.
type Candidates = Vec<(String, f64)>;

impl Device {
    /// What an operation measured earlier under `key` on this device with this driver, in this process or another:
    /// candidates as text with their seconds. Reads a small file.
    pub fn kept_choice(&self, key: &str) -> Option<Vec<(String, f64)>> {
        load(&cache::folder()?, self.info()).remove(key)
    }

    /// Keeps what an operation measured under `key` for [`Device::kept_choice`], in the folder of calibrations; tells
    /// whether it could. Of two processes that keep at the same time, one may be forgotten.
    pub fn keep_choice(&self, key: &str, measured: &[(String, f64)]) -> bool {
        make_folder().is_ok_and(|folder| save(&folder, self.info(), key, measured))
    }
}

fn load(folder: &Path, info: &DeviceInfo) -> BTreeMap<String, Candidates> {
    let text = cache::read(&folder.join(file_name(CHOICES, info))).unwrap_or_default();
    let mut choices: BTreeMap<String, Candidates> = serde_json::from_str(&text).unwrap_or_default();
    choices.retain(|_, candidates| candidates.iter().all(|(_, seconds)| seconds.is_finite() && *seconds > 0.0));
    choices
}

fn save(folder: &Path, info: &DeviceInfo, key: &str, measured: &[(String, f64)]) -> bool {
    let mut choices = load(folder, info);
    if choices.len() >= MOST {
        choices.clear();
    }
    choices.insert(key.to_owned(), measured.to_vec());
    serde_json::to_string_pretty(&choices)
        .is_ok_and(|text| cache::write(&folder.join(file_name(CHOICES, info)), &format!("{text}\n")).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_kept_by_key_and_damaged_files_are_none() {
        let folder = std::env::temp_dir().join(format!("manycore-choices-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let device = Device::host();
        let info = device.info();
        let measured = [("blocks of 2^17".to_owned(), 1e-3 / 3.0), ("blocks of 2^18".to_owned(), 2e-3)];
        assert!(load(&folder, info).is_empty());
        assert!(save(&folder, info, "a", &measured) && save(&folder, info, "b", &measured[..1]));
        let kept = load(&folder, info);
        assert_eq!(kept.len(), 2);
        assert_eq!((kept["a"][1].0.as_str(), kept["b"].len()), ("blocks of 2^18", 1));
        assert!((kept["a"][0].1 * 3e3 - 1.0).abs() < 1e-12);
        assert!(save(&folder, info, "a", &measured[1..]));
        assert_eq!(load(&folder, info)["a"].len(), 1, "the last measurement counts");
        let other = DeviceInfo { driver: "another".into(), ..info.clone() };
        assert!(load(&folder, &other).is_empty());

        let path = folder.join(file_name(CHOICES, info));
        for damaged in ["", "[]", "{\"a\": 1}", "{\"a\": [[\"x\", -1.0]]}", "{\"a\": [[\"x\"]]}"] {
            std::fs::write(&path, damaged).unwrap();
            assert!(load(&folder, info).is_empty(), "{damaged}");
        }
        assert!(save(&folder, info, "a", &measured), "a damaged file is replaced");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(!save(&folder, info, "a", &measured), "no folder");
    }
}
