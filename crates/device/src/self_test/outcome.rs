//! What a self-test found, and the cache file that keeps it.

use std::fmt;
use std::hash::Hasher as _;
use std::path::Path;
use std::sync::OnceLock;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

use crate::cache_files::{self, file_name};
use crate::error::DeviceError;
use crate::info::DeviceInfo;

/// What cannot be used where a primitive is computed wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NeededBy {
    /// The device: nothing is computed on it.
    Everything,
    /// `f64` in kernels, residues in double precision too: the device counts as one without `cl_khr_fp64`.
    Double,
    /// Residues in double precision: primes below 2^50 are computed with in integers.
    DoubleProducts,
}

/// A primitive that a device computes wrong, with an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Failure {
    /// The primitive.
    pub primitive: String,
    /// The operands, in hexadecimal.
    pub input: String,
    /// The right result.
    pub expected: String,
    /// The device's.
    pub found: String,
    /// What is not used because of it.
    pub needed_by: NeededBy,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { primitive, input, expected, found, .. } = self;
        write!(f, "{primitive} of {input} gives {found}, not {expected}")
    }
}

/// What is known of the self-test of a device: [`Device::self_test`](crate::Device::self_test).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelfTest {
    /// None was run with this driver yet, or it is the host, or the tests are off.
    Unknown,
    /// Every primitive is computed right.
    Passed,
    /// Some are not.
    Failed(Vec<Failure>),
}

/// What a self-test found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proof {
    /// `None` where no test was run and the device is trusted.
    failures: Option<Vec<Failure>>,
}

impl Proof {
    pub(crate) fn of(failures: Vec<Failure>) -> Self {
        Self { failures: Some(failures) }
    }

    /// Of a device that is used whatever it computes.
    pub(crate) fn trusted() -> Self {
        Self { failures: None }
    }

    fn failures(&self) -> &[Failure] {
        self.failures.as_deref().unwrap_or_default()
    }

    fn lacks(&self, what: NeededBy) -> bool {
        self.failures().iter().any(|failure| failure.needed_by == what)
    }

    /// Whether kernels may compute in double precision, where the device has it and is not refused.
    pub(crate) fn double(&self) -> bool {
        !self.lacks(NeededBy::Double)
    }

    /// Whether kernels may compute residues in double precision.
    pub(crate) fn double_products(&self) -> bool {
        self.double() && !self.lacks(NeededBy::DoubleProducts)
    }

    /// Why the device is not used at all.
    pub(crate) fn refusal(&self, info: &DeviceInfo) -> Option<DeviceError> {
        let failure = self.failures().iter().find(|failure| failure.needed_by == NeededBy::Everything)?;
        Some(DeviceError::SelfTest {
            device: info.label(),
            driver: info.driver.clone(),
            failure: Box::new(failure.clone()),
        })
    }

    /// What callers are told.
    pub(crate) fn told(&self) -> SelfTest {
        match &self.failures {
            None => SelfTest::Unknown,
            Some(failures) if failures.is_empty() => SelfTest::Passed,
            Some(failures) => SelfTest::Failed(failures.clone()),
        }
    }
}

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

/// Keeps what was found; tells whether it could.
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

    #[test]
    fn what_callers_are_told() {
        assert_eq!(Proof::trusted().told(), SelfTest::Unknown);
        assert_eq!(Proof::of(vec![]).told(), SelfTest::Passed);
        let failed = vec![failure(NeededBy::Double)];
        assert_eq!(Proof::of(failed.clone()).told(), SelfTest::Failed(failed));
    }
}
