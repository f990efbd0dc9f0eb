//! The cache file that keeps what a self-test found.

use std::hash::Hasher as _;
use std::path::Path;
use std::sync::OnceLock;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::info::DeviceInfo;
use crate::proof::Proof;
use crate::start::cache_files::{self, file_name};

/// The text of a cache file.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    device: String,
    driver: String,
    failures: Vec<Failure>,
}

/// What begins the name of a file: another text of the kernels, or another version of this crate, is tested anew.
fn file_kind() -> &'static str {
    static KIND: OnceLock<String> = OnceLock::new();
    KIND.get_or_init(|| {
        let units = [
            &manycore_kernels::device::SELF_TEST_WORDS,
            &manycore_kernels::device::SELF_TEST_RESIDUES,
            &manycore_kernels::device::SELF_TEST_DOUBLE,
        ];
        let texts = units.map(manycore_kernels::spliced);
        let mut hash = FnvHasher::default();
        hash.write(env!("CARGO_PKG_VERSION").as_bytes());
        for text in &texts {
            hash.write(text.as_bytes());
        }
        format!("self-test-1-{:016x}", hash.finish())
    })
}

/// What is kept of a device with its driver.
pub(super) fn load(info: &DeviceInfo) -> Option<Proof> {
    load_from(&cache_files::folder()?, info)
}

fn load_from(folder: &Path, info: &DeviceInfo) -> Option<Proof> {
    let kept: Kept = serde_json::from_str(&cache_files::read_file(&folder.join(file_name(file_kind(), info)))?).ok()?;
    // The name holds a part of both, and a sum over all.
    (kept.device == info.name && kept.driver == info.driver).then(|| Proof::of(kept.failures))
}

/// Stores the outcome; returns whether that succeeded.
pub(super) fn save(info: &DeviceInfo, proof: &Proof) -> bool {
    cache_files::made_folder().is_ok_and(|folder| save_to(&folder, info, proof))
}

fn save_to(folder: &Path, info: &DeviceInfo, proof: &Proof) -> bool {
    let kept = Kept { device: info.name.clone(), driver: info.driver.clone(), failures: proof.failures().to_vec() };
    serde_json::to_string_pretty(&kept).is_ok_and(|text| {
        cache_files::write_file(&folder.join(file_name(file_kind(), info)), &format!("{text}\n")).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Device;
    use crate::failure::NeededBy;

    fn failure(needed_by: NeededBy) -> Failure {
        Failure {
            primitive: "32-bit mul_hi".into(),
            input: "0x1, 0x2".into(),
            expected: "0x0".into(),
            found: "0x1".into(),
            needed_by,
        }
    }

    #[test]
    fn outcomes_are_read_back_for_one_driver() {
        let folder = tempfile::tempdir().unwrap();
        let info = Device::host().info().clone();
        assert_eq!(load_from(folder.path(), &info), None);
        for failures in [vec![], vec![failure(NeededBy::DoubleProducts), failure(NeededBy::Everything)]] {
            let proof = Proof::of(failures);
            assert!(save_to(folder.path(), &info, &proof));
            assert_eq!(load_from(folder.path(), &info), Some(proof));
        }
        let other = DeviceInfo { driver: "another".into(), ..info.clone() };
        assert_eq!(load_from(folder.path(), &other), None);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        // A file of another device under this name, and damaged ones.
        let path = folder.path().join(file_name(file_kind(), &info));
        let text = cache_files::read_file(&path).unwrap();
        let name = serde_json::to_string(&info.name).unwrap();
        for damaged in [text.replace(&name, "\"x\""), String::new(), "{}".into(), text[..text.len() / 2].into()] {
            cache_files::write_file(&path, &damaged).unwrap();
            assert_eq!(load_from(folder.path(), &info), None, "{damaged}");
        }
        assert!(!save_to(&folder.path().join("none"), &info, &Proof::of(vec![])));
    }
}
