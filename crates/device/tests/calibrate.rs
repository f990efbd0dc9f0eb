//! Machines of devices, and calibrations as files.
//!
//! The folder of calibrations is named by a variable, so that each test acts in processes of its own: [`in_folder`]
//! starts this program again.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use manycore_device::{CACHE_VARIABLE, CalibrateError, Calibration, Device, DeviceKind};
use manycore_model::{Machine, Source};
use manycore_testkit::{devices, opencl_devices, simulated};

/// The variable that makes [`child`] act, and how.
const ROLE: &str = "MANYCORE_CALIBRATE_TEST_ROLE";

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("manycore-calibrate-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// The files of calibrations: processes keep self-tests and times of starting beside them.
    fn file_names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with("machine-")).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Acts as `role` in a process whose calibrations lie in `folder`; one at a time, because others would disturb the
/// clock. Gives what the process printed.
fn in_folder(folder: &Path, role: &str) -> String {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(CACHE_VARIABLE, folder).env(ROLE, role);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{role}:\n{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// What the processes do that [`in_folder`] starts; nothing in the parent.
#[test]
fn child() {
    match std::env::var(ROLE).as_deref() {
        Ok("ask") => ask(),
        Ok("calibrate") => calibrate(),
        Ok("fail") => fail(),
        Ok(other) => panic!("no role is called {other}"),
        Err(_) => {}
    }
}

fn folder() -> PathBuf {
    std::env::var_os(CACHE_VARIABLE).unwrap().into()
}

/// The devices that are calibrated: a simulator would take minutes.
fn measured() -> impl Iterator<Item = Device> {
    std::iter::once(Device::host()).chain(opencl_devices()).filter(|device| !simulated(device))
}

/// Prints every device's machine.
fn ask() {
    for device in devices() {
        let machine = device.machine();
        assert_eq!(machine.clone().checked(), Ok(machine.clone()), "{device:?}");
        assert_eq!(device.clone().machine(), machine, "handles share it");
        println!("machine {:?} {machine:?}", device.info().to_string());
        println!("typical {:?} {:?}", device.info().to_string(), device.typical_machine());
    }
}

/// Calibrates every device and prints the machines that are kept, and whether they are earlier ones.
fn calibrate() {
    for device in measured() {
        let Calibration { machine, path, kept_old, .. } = device.calibrate().unwrap();
        assert_eq!(machine.clone().checked(), Ok(machine.clone()), "{device:?}");
        let Source::Measured { spread, seconds } = machine.source else { panic!("{machine:?}") };
        assert!(seconds > 0.0 && (kept_old || spread >= 0.0), "{machine:?}");
        assert_eq!((device.machine(), device.clone().machine()), (machine.clone(), machine.clone()));
        if !kept_old {
            facts_hold(&device, &machine);
        }
        assert!(path.starts_with(folder()) && path.is_file(), "{}", path.display());
        println!(
            "{} {} {:?} {machine:?}",
            if kept_old { "old" } else { "new" },
            path.display(),
            device.info().to_string()
        );
    }
}

/// What a measured machine must be whatever the clock says.
fn facts_hold(device: &Device, machine: &Machine) {
    let info = device.info();
    assert_eq!(machine.name, info.name);
    assert_eq!(machine.execution_model, device.typical_machine().execution_model);
    assert_eq!(machine.processors, info.compute_units.max(1));
    assert_eq!(machine.rates.f64 > 0.0, info.fp64, "{device:?}");
    assert!(machine.processor_bandwidth <= machine.bandwidth, "{machine:?}");
    assert!(machine.segments.iter().all(|segment| segment.rate <= machine.bandwidth), "{machine:?}");
    assert!(machine.caches.iter().all(|cache| cache.rate > machine.bandwidth), "{machine:?}");
    assert!(machine.local_bytes >= info.local_memory_bytes, "{machine:?}");
    if info.kind != DeviceKind::Host {
        assert!(machine.block_threads as usize <= info.group_limit.max(1), "{machine:?}");
    }
}

/// A calibration whose file cannot be written says so, names the place and changes nothing.
fn fail() {
    for device in measured() {
        let before = device.machine();
        let outcome = device.calibrate();
        let Err(CalibrateError::Write { path, reason }) = &outcome else { panic!("{device:?}: {outcome:?}") };
        assert!(path.starts_with(folder()) && !reason.is_empty(), "{outcome:?}");
        let message = outcome.as_ref().unwrap_err().to_string();
        assert!(message.contains(&path.display().to_string()) && message.contains(reason), "{message}");
        assert_eq!(device.machine(), before);
    }
}

/// The rest of each line that begins with this word.
fn lines<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' ')).collect()
}

#[test]
fn before_a_calibration_machines_are_typical_and_no_machine_is_written() {
    let outer = Folder::new("typical");
    let folder = outer.0.join("not there");
    let text = in_folder(&folder, "ask");
    assert!(lines(&text, "machine").len() >= 2, "the host with one thread and with all: {text}");
    assert_eq!(lines(&text, "machine"), lines(&text, "typical"));
    let files: Vec<_> =
        std::fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().file_name()).collect();
    // Which devices there are is kept, where there is OpenCL.
    assert!(files.iter().all(|file| file == "listing-1.json"), "{files:?}");
}

/// The path and the rest of a line that [`calibrate`] printed.
fn path_and_machine<'a>(line: &&'a str) -> (String, &'a str) {
    let (path, machine) = line.split_once(".json ").unwrap();
    (format!("{path}.json"), machine)
}

#[test]
fn a_calibration_is_kept_for_later_processes_and_a_damaged_one_is_no_calibration() {
    let folder = Folder::new("kept");
    let calibrated = in_folder(&folder.0, "calibrate");
    let new: Vec<_> = lines(&calibrated, "new").iter().map(path_and_machine).collect();
    assert_eq!(new.len(), measured().count(), "{calibrated}");
    assert_eq!(folder.file_names().len(), new.len(), "one file a device: {:?}", folder.file_names());

    let asked = in_folder(&folder.0, "ask");
    let (found, typical) = (lines(&asked, "machine"), lines(&asked, "typical"));
    for (_, machine) in &new {
        assert!(found.contains(machine) && !typical.contains(machine), "{machine}\nis not among\n{asked}");
    }
    let calibrated = found.iter().filter(|line| !typical.contains(line)).count();
    // With one processor, the host with all its threads is the host with one.
    assert!(calibrated == new.len() || calibrated == new.len() + 1, "{asked}");

    for damage in ["", "{", "{\"name\": \"x\"}", "[1, 2, 3]"] {
        for (path, _) in &new {
            std::fs::write(path, damage).unwrap();
        }
        let asked = in_folder(&folder.0, "ask");
        assert_eq!(lines(&asked, "machine"), lines(&asked, "typical"), "{damage}");
    }
}

#[test]
fn of_two_calibrations_the_one_with_the_smaller_spread_stays() {
    let folder = Folder::new("better");
    let first = in_folder(&folder.0, "calibrate");
    let first: Vec<_> = lines(&first, "new").iter().map(path_and_machine).collect();
    assert_eq!(first.len(), measured().count());
    // No measurement spreads less than not at all, or more than this; the bandwidth tells the earlier machine.
    for (spread, stays) in [("-1.0", true), ("1e300", false)] {
        for (path, _) in &first {
            let mut machine: Machine = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            machine.bandwidth = 1e29;
            machine.source = Source::Measured { spread: spread.parse().unwrap(), seconds: 1.0 };
            std::fs::write(path, serde_json::to_string(&machine).unwrap()).unwrap();
        }
        let again = in_folder(&folder.0, "calibrate");
        let (old, new) = (lines(&again, "old"), lines(&again, "new"));
        assert_eq!((old.len(), new.len()), if stays { (first.len(), 0) } else { (0, first.len()) }, "{again}");
        let asked = in_folder(&folder.0, "ask");
        let found = lines(&asked, "machine");
        for line in old.iter().chain(&new) {
            let (_, machine) = path_and_machine(line);
            assert!(found.contains(&machine) && machine.contains("bandwidth: 1e29,") == stays, "{machine}");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let outer = Folder::new("unwritable");
    let file = outer.0.join("file");
    std::fs::write(&file, "in the way").unwrap();
    in_folder(&file, "fail");
    in_folder(&file.join("below"), "fail");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "in the way");
}
