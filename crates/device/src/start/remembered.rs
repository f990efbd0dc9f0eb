//! The GPU that an earlier process listed: what a choice of a device needs to know of it, without loading OpenCL.
//!
//! A driver takes a tenth of a second and more to load, as long as many a job takes on the host. So each listing keeps the facts of
//! the best GPU, or that there is none, in a cache file, beside a description of what is installed; another description makes it void.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Expected, cache_files};
use crate::info::DeviceInfo;

/// The file's name; the number changes with the form of its content.
const FILE: &str = "listing-1.json";

/// Variables that decide which devices are listed.
const VARIABLES: [&str; 10] = [
    manycore_opencl_loader::LIBRARY_VARIABLE,
    "LD_LIBRARY_PATH",
    "OCL_ICD_VENDORS",
    "OCL_ICD_FILENAMES",
    "OPENCL_VENDOR_PATH",
    "CUDA_VISIBLE_DEVICES",
    "NVIDIA_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "POCL_DEVICES",
];

/// What a listing found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Listing {
    /// The library's version and what was installed.
    installed: String,
    /// The best GPU, where there was one.
    gpu: Option<DeviceInfo>,
}

/// Names and times of the entries of a folder.
fn entries(folder: &str) -> Vec<String> {
    let told = |entry: fs::DirEntry| {
        let changed = entry.metadata().ok()?.modified().ok()?;
        let changed = changed.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs();
        Some(format!("{} {changed}", entry.file_name().to_string_lossy()))
    };
    let mut entries: Vec<String> = fs::read_dir(folder).into_iter().flatten().flatten().filter_map(told).collect();
    entries.sort();
    entries
}

/// Names of device files that begin like this: those of GPUs come and go with their hardware and containers.
fn device_files(folder: &str, beginning: &str) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(beginning)).collect();
    names.sort();
    names
}

/// What is installed, as far as a listing depends on it.
fn installed() -> String {
    let variable = |name: &&str| Some(format!("{name}={}", std::env::var_os(name)?.to_string_lossy()));
    let mut told: Vec<String> = vec![env!("CARGO_PKG_VERSION").to_owned()];
    told.extend(VARIABLES.iter().filter_map(variable));
    told.extend(entries("/etc/OpenCL/vendors"));
    told.extend(device_files("/dev", "nvidia"));
    told.extend(device_files("/dev/dri", "renderD"));
    told.extend(fs::read_to_string("/proc/driver/nvidia/version").ok());
    if !cfg!(target_os = "linux") {
        // Elsewhere there is no sign of new devices: a listing holds for a day.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        told.push(format!("day {}", now.map_or(0, |since| since.as_secs() / 86_400)));
    }
    told.join("\n")
}

fn read(folder: &Path) -> Option<Listing> {
    serde_json::from_str(&cache_files::read_file(&folder.join(FILE))?).ok()
}

/// The best GPU of the last listing.
pub(crate) fn gpu() -> Expected<DeviceInfo> {
    let known = cache_files::folder().and_then(|folder| read(&folder));
    match known.filter(|listing| listing.installed == installed()) {
        None => Expected::Unknown,
        Some(Listing { gpu: None, .. }) => Expected::None,
        Some(Listing { gpu: Some(gpu), .. }) => Expected::Gpu(gpu),
    }
}

/// Keeps what was listed where it is news.
pub(crate) fn keep(gpu: Option<&DeviceInfo>) {
    let Ok(folder) = cache_files::made_folder() else { return };
    let listing = Listing { installed: installed(), gpu: gpu.cloned() };
    if read(&folder).as_ref() != Some(&listing)
        && let Ok(text) = serde_json::to_string(&listing)
    {
        // Where it cannot be kept, the next process lists.
        let _ = cache_files::write_file(&folder.join(FILE), &format!("{text}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;

    #[test]
    fn a_listing_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()), None);
        for gpu in [None, Some(Device::host().info().clone())] {
            let listing = Listing { installed: installed(), gpu };
            let text = serde_json::to_string(&listing).unwrap();
            cache_files::write_file(&folder.path().join(FILE), &text).unwrap();
            assert_eq!(read(folder.path()), Some(listing));
        }
        for damaged in ["", "{}", "{\"installed\": 1}"] {
            cache_files::write_file(&folder.path().join(FILE), damaged).unwrap();
            assert_eq!(read(folder.path()), None, "{damaged}");
        }
    }

    #[test]
    fn what_is_installed_is_told_the_same_twice() {
        assert_eq!(installed(), installed());
    }
}
