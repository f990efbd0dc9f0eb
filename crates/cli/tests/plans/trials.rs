//! Trials of plans within a program's own runs, of every operation that chooses: a process takes an OpenCL processor for a GPU whose
//! kernels spill, so that estimates are made anew, plans give way to others and are timed; its results are the host's all the while.
//! Each plan is proved before its first run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use manycore::Device;
use manycore_testkit::faults::Injector;
use manycore_testkit::opencl_devices;

use crate::operations::OPERATIONS;
use crate::proofs;

/// The variable that names the device of the started process.
const DEVICE: &str = "MANYCORE_TEST_WATCHED_DEVICE";
/// Runs of each operation: eight plans are built, two are timed, and the one that stays goes on.
const RUNS: usize = 13;

/// Every operation again and again on a device that says it is a GPU.
#[test]
#[ignore = "started by the other test with a device of its own"]
fn process() {
    let device = Device::select(&std::env::var(DEVICE).unwrap()).unwrap();
    assert_eq!(device.info().kind, manycore::DeviceKind::Gpu);
    for (name, prepare) in OPERATIONS {
        let expected = prepare(&Device::host())();
        let mut run = prepare(&device);
        for turn in 0..RUNS {
            assert_eq!(run(), expected, "{name}, run {turn}");
        }
    }
}

/// What is kept of choices, by key: the numbers of candidates that were built and timed.
fn kept(folder: &Path) -> BTreeMap<String, [usize; 2]> {
    let mut found = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if !path.file_name().unwrap().to_string_lossy().starts_with("wisdom-") {
            continue;
        }
        let entries: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        for (key, entry) in entries.as_object().unwrap() {
            let count = |name: &str| entry[name].as_array().map_or(0, Vec::len);
            assert!(count("measured") == 0 || entry["is_trial"] == true, "{key}: {entry}");
            found.insert(key.clone(), [count("built"), count("measured")]);
        }
    }
    found
}

#[test]
fn every_operation_tries_other_plans_where_its_kernels_spill() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["--ignored", "--exact", "trials::process", "--nocapture"]).env(DEVICE, &device.info().id);
        program.env("MANYCORE_CACHE", folder.path()).env("MANYCORE_TUNING", "kept");
        Injector::find().unwrap().pretend_gpu(&mut program, 4096);
        let output = program.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{device:?}: {text}");
        let kept = kept(folder.path());
        // Of the others choices ship that were measured on GPUs, or there is one plan for the shape.
        for name in [
            "bits-mul",
            "characters",
            "division",
            "evaluation",
            "kronecker",
            "matrix-eliminate",
            "matrix-inverse",
            "matrix-mul",
            "product",
            "sparse product",
        ] {
            let has =
                |(key, counts): (&String, &[usize; 2])| key.starts_with(name) && counts.iter().any(|&count| count > 0);
            assert!(kept.iter().any(has), "{device:?}, {name}: {kept:?}");
        }
        assert!(kept.values().any(|counts| counts[1] == 2), "{device:?}: two were timed: {kept:?}");
        let proved = proofs::kept(folder.path());
        assert_eq!(proved.values().flatten().collect::<Vec<_>>(), Vec::<&String>::new(), "{device:?}");
        let of = |name: &str| proved.keys().filter(|key| key.starts_with(name)).count();
        assert!(of("bits-mul") > 1 && of("kronecker") > 1, "{device:?}: rivals were proved: {proved:?}");
    }
}
