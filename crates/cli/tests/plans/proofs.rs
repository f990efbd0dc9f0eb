//! Proofs of plans at their first use, of every operation: they hold, are kept, and leave out what a driver has miscompiled as a
//! whole. Each process has a device, a cache and a fault of its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use manycore::device::{DeviceError, Disproof, SelfTestMode};
use manycore::ntt::Kind;
use manycore::ntt::cost::Pass;
use manycore::tuning::Proof;
use manycore::{Device, Ntt, NttError, PrimeField};
use manycore_testkit::faults::{Command as Launch, Counts, Injector};
use manycore_testkit::opencl_devices;

use crate::common;
use crate::operations::{FAMILIES, MORE, OPERATIONS};

/// The variables that name the device of a started process, and what it does.
const DEVICE: &str = "MANYCORE_TEST_PROVED_DEVICE";
/// Values of the transform whose kernels are miscompiled.
const LEN: usize = 1 << 12;
/// The kernel that every plan of that transform has.
const KERNEL: &str = "ntt_tile";

/// What is kept of proofs, by key: what differs, `None` for plans whose results are right.
pub(crate) fn kept(folder: &Path) -> BTreeMap<String, Option<String>> {
    let mut found = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if !path.file_name().unwrap().to_string_lossy().starts_with("proofs-") {
            continue;
        }
        let entries: BTreeMap<String, serde_json::Value> =
            serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        found.extend(entries.into_iter().map(|(key, entry)| (key, entry["differs"].as_str().map(str::to_owned))));
    }
    found
}

/// A process of one of the ignored tests below.
struct Process<'a> {
    test: &'static str,
    device: &'a Device,
    folder: &'a Path,
    /// The kernels that are miscompiled, with the options of their programs.
    miscompiled: Option<&'a str>,
    mode: &'static str,
}

impl Process<'_> {
    /// What it told, and the number of its launches.
    fn run(&self) -> (Vec<String>, u64) {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["--ignored", "--exact", self.test, "--nocapture"]);
        self.apart(&mut program);
        let counts = self.folder.join("counts");
        Injector::find().unwrap().inject(&mut program, None, &counts);
        let output = program.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{:?}: {text}{}", self.device, String::from_utf8_lossy(&output.stderr));
        let told = text.lines().filter_map(|line| Some(line.split_once("told: ")?.1.to_owned())).collect();
        (told, Counts::read(&counts).unwrap().of(Launch::Launch))
    }

    fn apart(&self, program: &mut Command) {
        program.env(DEVICE, &self.device.info().id).env("MANYCORE_CACHE", self.folder);
        // On GPUs other modes try rivals of a choice, which are proved in later processes, too.
        program.env("MANYCORE_TUNING", "estimate").env("MANYCORE_SELF_TEST", self.mode);
        if let Some(kernel) = self.miscompiled {
            program.env("MANYCORE_FAULT_MISCOMPILES", kernel);
        }
    }
}

fn selected() -> Device {
    Device::select(&std::env::var(DEVICE).unwrap()).unwrap()
}

#[test]
#[ignore = "started by another test with a device of its own"]
fn every_operation() {
    let device = selected();
    for (name, prepare) in OPERATIONS {
        assert_eq!(prepare(&device)(), prepare(&Device::host())(), "{name}");
    }
    for run in MORE {
        run(&device);
    }
}

#[test]
fn every_operation_proves_its_plans_once() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        let process = |mode: &'static str| Process {
            test: "proofs::every_operation",
            device: &device,
            folder: folder.path(),
            miscompiled: None,
            mode,
        };
        let (_, first) = process("auto").run();
        let proved = kept(folder.path());
        let wrong: Vec<_> = proved.iter().filter(|(_, differs)| differs.is_some()).collect();
        assert!(wrong.is_empty(), "{device:?}: {wrong:?}");
        for family in FAMILIES {
            assert!(proved.keys().any(|key| key.starts_with(family)), "{device:?}, {family}: {proved:?}");
        }
        let (_, second) = process("auto").run();
        assert_eq!(kept(folder.path()), proved, "{device:?}");
        let (_, always) = process("always").run();
        let (_, off) = process("off").run();
        // The tests of primitives take some launches themselves.
        assert!(off <= second && second < first && second < always, "{device:?}: {first} {second} {always} {off}");
    }
}

/// The transform of the process, beside the host's.
fn transform(device: &Device) -> (Ntt<PrimeField<u32>>, Result<bool, NttError>) {
    let field = PrimeField::<u32>::new(469_762_049).unwrap();
    let values: Vec<u32> = (0..LEN as u32).map(|i| i.wrapping_mul(2_654_435_761) % 469_762_049).collect();
    let mut expected = values.clone();
    Ntt::new(&Device::host(), &field, LEN, Kind::Cyclic).unwrap().forward(&mut expected).unwrap();
    let ntt = Ntt::new(device, &field, LEN, Kind::Cyclic).unwrap();
    let mut x = device.upload(&values).unwrap();
    let is_right = ntt.forward(&mut x).map(|()| x.download().unwrap() == expected);
    (ntt, is_right)
}

#[test]
#[ignore = "started by another test with a device and a fault of its own"]
fn one_transform() {
    let (ntt, is_right) = transform(&selected());
    match is_right {
        Err(NttError::Device(DeviceError::Disproved(disproof))) => {
            let Disproof { operation, plan, device, driver, difference } = *disproof;
            assert!(difference.contains("word") && !driver.is_empty(), "{difference}");
            println!("told: no plan of {operation} on {device}: {plan}");
            return;
        }
        Err(error) => panic!("{error}"),
        Ok(is_right) => println!("told: {}", if is_right { "right" } else { "wrong" }),
    }
    let choice = ntt.explain(LEN).unwrap();
    println!("told: {}", choice.best().parameters);
    choice.disproved.iter().for_each(|(plan, _)| println!("told: without {plan}"));
    match choice.candidates()[0].parameters.passes.last() {
        Some(&Pass::Tile { log_tile, log_regs, .. }) => {
            println!("told: ntt_tile:-DLOG_TILE={log_tile} -DLOG_REGS={log_regs}");
        }
        pass => panic!("{pass:?}"),
    }
    let is_proved = matches!(choice.proof(), Some(Proof::Holds));
    assert_eq!(is_proved, selected().proofs() != SelfTestMode::Off);
}

#[test]
fn a_plan_whose_program_is_miscompiled_is_not_taken() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        let transform = |folder: &Path, miscompiled: Option<&str>, mode: &'static str| {
            Process { test: "proofs::one_transform", device: &device, folder, miscompiled, mode }.run()
        };
        let (told, _) = transform(folder.path(), None, "auto");
        let [right, best, options] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!(right, "right");
        // The driver miscompiles the best plan's program now, and nobody looks.
        let (told, _) = transform(folder.path(), Some(options), "off");
        assert_eq!(told[..2], ["wrong".to_owned(), best.clone()]);
        // What an earlier process found of this driver holds.
        let (told, _) = transform(folder.path(), Some(options), "auto");
        assert_eq!(told[..2], ["wrong".to_owned(), best.clone()]);
        for mode in ["auto", "always"] {
            let other = tempfile::tempdir().unwrap();
            let (told, first) = transform(other.path(), Some(options), mode);
            assert_eq!(told[0], "right", "{device:?}: {told:?}");
            assert!(told[1] != *best && told[2] == format!("without {best}"), "{device:?}: {told:?}");
            let proved = kept(other.path());
            let wrong: Vec<&String> =
                proved.iter().filter(|(_, differs)| differs.is_some()).map(|(key, _)| key).collect();
            assert!(!wrong.is_empty() && wrong.iter().all(|key| key.starts_with("ntt")), "{device:?}: {proved:?}");
            // Kept: nothing is proved again, and the plan is left out still.
            let (again, second) = transform(other.path(), Some(options), mode);
            assert_eq!(again, told, "{device:?}");
            assert_eq!(second < first, mode == "auto", "{device:?}: {first} launches, then {second}");
        }
    }
}

#[test]
fn where_all_plans_are_wrong_the_error_names_them() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        let miscompiled = Some(KERNEL);
        let process = Process {
            test: "proofs::one_transform",
            device: &device,
            folder: folder.path(),
            miscompiled,
            mode: "auto",
        };
        let (told, _) = process.run();
        let expected = format!("no plan of ntt on {}: ", device.info().label());
        assert!(told.len() == 1 && told[0].starts_with(&expected), "{told:?}");
        // The program says so, and so does what explains the choice.
        for line in ["spectrum ntt --modulus 469762049 -", "explain ntt --n 4096 --modulus 469762049"] {
            let mut command = common::command(&line.split_whitespace().collect::<Vec<_>>());
            command.args(["--device", &device.info().id]);
            process.apart(&mut command);
            Injector::find().unwrap().inject(&mut command, None, &folder.path().join("counts"));
            let error = common::run_with(command, b"1 2 3 4 5 6 7 8").error(1);
            assert!(error.contains("no plan of ntt gives right results on") && error.contains("driver"), "{error}");
        }
    }
}

#[test]
fn explain_tells_which_plans_are_wrong() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        let process = |miscompiled| Process {
            test: "proofs::one_transform",
            device: &device,
            folder: folder.path(),
            miscompiled,
            mode: "always",
        };
        let options = process(None).run().0.pop().unwrap();
        std::fs::remove_dir_all(folder.path()).unwrap();
        std::fs::create_dir(folder.path()).unwrap();
        let process = Process { mode: "auto", ..process(Some(&options)) };
        let (told, _) = process.run();
        let explain = |form: &[&str]| {
            let mut command = common::command(&["explain", "ntt", "--n", "4096", "--modulus", "469762049"]);
            command.args(["--device", &device.info().id]).args(form);
            process.apart(&mut command);
            common::run_with(command, b"")
        };
        let without = told[2].strip_prefix("without ").unwrap();
        let text = explain(&[]).output();
        assert!(text.contains(&format!("gives wrong results: {without}: word ")), "{text}");
        let json = explain(&["--json"]).json();
        assert_eq!(json["parameters"]["proof"], "right", "{json}");
        assert_eq!(json["parameters"]["wrong_plans"][0]["parameters"], without, "{json}");
        assert!(json["parameters"]["wrong_plans"][0]["difference"].as_str().unwrap().starts_with("word "), "{json}");
    }
}
