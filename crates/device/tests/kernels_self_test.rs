//! Self-tests of devices: the kernels `self_test_words`, `self_test_group`, `self_test_residues` and `self_test_double` give
//! the known answers on every OpenCL device, and a device that gives another one is refused, or what depends on it.

use std::collections::BTreeSet;
use std::process::Command;

use manycore_device::self_test::{NeededBy, primitives};
use manycore_device::{CACHE_VARIABLE, Defines, Device, DeviceError, Executor, OpenCl, SELF_TEST_VARIABLE, SelfTest};
use manycore_testkit::{opencl_devices, simulated};

// SAFETY: each is launched on buffers of the lengths that its arguments tell.
manycore_device::kernel! {
    /// A kernel of doubles.
    unsafe DOUBLES in manycore_kernels::device::CALIBRATE_RATE:
        calibrate_latency

    /// A kernel of residues.
    unsafe PRODUCTS in manycore_kernels::device::SELF_TEST_RESIDUES:
        self_test_residues
}

/// The variable that makes [`child`] act.
const ROLE: &str = "MANYCORE_SELF_TEST_TEST_ROLE";

fn opencl(device: &Device) -> &OpenCl {
    match device.executor() {
        Executor::OpenCl(cl) => cl,
        Executor::Host(_) => panic!("{device:?} is no OpenCL device"),
    }
}

/// A name that is no primitive's: the test runs anew in this handle, with no mistake.
fn fresh(device: &Device) -> Device {
    device.with_broken("")
}

#[test]
fn every_device_gives_the_known_answers() {
    for device in opencl_devices() {
        let device = fresh(&device);
        assert_eq!(device.self_test(), SelfTest::Unknown, "{device:?} before its first use");
        let ((), profile) =
            device.profile(|| assert_eq!(device.upload(&[1u32, 2]).unwrap().download().unwrap(), [1, 2])).unwrap();
        assert_eq!(device.self_test(), SelfTest::Passed, "{device:?}");
        assert_eq!(profile.launches(), 0, "the test is in no profile");
        assert_eq!(device.floating_residues(), device.info().fp64);
        assert!(opencl(&device).allocated_bytes() < 4096, "the test leaves no memory");
        // Handles with other limits know what this one knows.
        assert_eq!(device.limited(1 << 12, 32).self_test(), SelfTest::Passed);
    }
}

/// Mistakes that every arithmetic of integers is made with, by way of the kernels themselves.
#[test]
fn a_device_with_a_mistake_in_integers_is_refused_by_name() {
    let mistakes = [
        "64-bit mul_hi",
        "32-bit signed right shift",
        "single precision fma",
        "work-item numbers",
        "exchange of 64-bit words in local memory",
        "local atomics",
        "global atomics",
        "numbers that atomic_inc returns",
        "Montgomery product modulo p in 32-bit words",
        "product by a constant modulo p in 64-bit words",
        "difference of the inverse butterfly of block 15 modulo 2^64 - 2^32 + 1",
    ];
    let known = primitives();
    for device in opencl_devices() {
        for &mistake in if simulated(&device) { &mistakes[4..6] } else { &mistakes[..] } {
            assert!(known.iter().any(|name| name == mistake), "{mistake} is no primitive");
            let broken = device.with_broken(mistake);
            let outcome = broken.upload(&[1u32]).map(drop);
            let Err(DeviceError::SelfTest { device: told, driver, failure }) = &outcome else {
                panic!("{device:?} with {mistake}: {outcome:?}");
            };
            assert_eq!((told, driver), (&device.info().label(), &device.info().driver));
            assert!(failure.primitive == mistake && failure.expected != failure.found, "{outcome:?}");
            let SelfTest::Failed(failures) = broken.self_test() else { panic!("{:?}", broken.self_test()) };
            assert!(failures.len() == 1 && failures[0].needed_by == NeededBy::Everything, "{failures:?}");
            assert_eq!(broken.finish(), outcome.clone(), "every use says the same");
            assert_eq!(broken.limited(1 << 12, 32).finish(), outcome, "limited handles too");
            assert!(!broken.floating_residues());
        }
    }
}

#[test]
fn a_device_with_a_mistake_in_double_precision_has_none() {
    for device in opencl_devices().into_iter().filter(|device| device.info().fp64) {
        let broken = device.with_broken("double precision quotient");
        assert!(broken.info().fp64, "reported, and not yet tested");
        assert_eq!(broken.upload(&[1u32, 2]).unwrap().download().unwrap(), [1, 2], "integers work");
        assert!(!broken.info().fp64 && !broken.floating_residues());
        assert!(matches!(broken.self_test(), SelfTest::Failed(failures) if failures[0].needed_by == NeededBy::Double));
        let doubles = Defines::new().element(manycore_device::WordType::F64);
        let outcome = opencl(&broken).kernel(&DOUBLES, &doubles);
        assert!(
            matches!(&outcome, Err(DeviceError::Unsupported { feature, .. }) if feature.contains("self-test")),
            "{outcome:?}"
        );
        assert!(opencl(&fresh(&device)).kernel(&DOUBLES, &doubles).is_ok());
    }
}

#[test]
fn a_device_with_a_mistake_in_floating_residues_computes_them_in_integers() {
    for device in opencl_devices().into_iter().filter(|device| device.info().fp64) {
        let broken = device.with_broken("product modulo p in double precision");
        assert!(!broken.floating_residues() && broken.info().fp64, "double precision stays");
        assert!(
            matches!(broken.self_test(), SelfTest::Failed(failures) if failures[0].needed_by == NeededBy::DoubleProducts)
        );
        let residues = |arithmetic: u8| {
            let defines = Defines::new().element(manycore_device::WordType::U64).set("ARITHMETIC", arithmetic);
            opencl(&broken).kernel(&PRODUCTS, &defines).map(drop)
        };
        assert_eq!(residues(1), Ok(()));
        let outcome = residues(3);
        assert!(
            matches!(&outcome, Err(DeviceError::Unsupported { feature, .. }) if feature.contains("self-test")),
            "{outcome:?}"
        );
    }
}

/// Many threads that use a device at the same time for the first time all wait for one test.
#[test]
fn threads_share_a_first_use() {
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let (fresh, broken) = (fresh(&device), device.with_broken("64-bit product"));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(fresh.upload(&[7u8; 3]).unwrap().download().unwrap(), [7; 3]));
                scope.spawn(|| assert!(matches!(broken.finish(), Err(DeviceError::SelfTest { .. }))));
            }
        });
    }
}

/// What the processes do that [`in_folder`] starts: tells what is known of each device before and after its first use.
#[test]
fn child() {
    if std::env::var_os(ROLE).is_none() {
        return;
    }
    for device in Device::opencl().unwrap_or_default() {
        let before = device.self_test();
        println!("told {:?} {before:?} {:?} {:?}", device.info().label(), device.finish(), device.self_test());
    }
}

fn in_folder(folder: &std::path::Path, policy: Option<&str>) -> Vec<String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(CACHE_VARIABLE, folder).env(ROLE, "tell");
    match policy {
        Some(policy) => command.env(SELF_TEST_VARIABLE, policy),
        None => command.env_remove(SELF_TEST_VARIABLE),
    };
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().filter_map(|line| line.strip_prefix("told ")).map(str::to_owned).collect()
}

#[test]
fn what_was_found_is_kept_for_later_processes_and_the_variable_decides() {
    let devices = opencl_devices();
    if devices.is_empty() || devices.iter().any(simulated) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let all = |lines: &[String], text: &str| !lines.is_empty() && lines.iter().all(|line| line.contains(text));
    let files = || -> BTreeSet<std::path::PathBuf> {
        let entries = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        // Which devices there are is kept beside.
        let own = entries.filter(|path| !path.ends_with("listing-1.json"));
        own.inspect(|path| assert!(path.to_string_lossy().contains("self-test-"), "{path:?}")).collect()
    };
    // Off: nothing is run or kept.
    assert!(all(&in_folder(folder.path(), Some("off")), " Unknown Ok(()) Unknown"));
    assert_eq!(files().len(), 0);
    assert!(all(&in_folder(folder.path(), None), " Unknown Ok(()) Passed"));
    let kept = files();
    assert!(!kept.is_empty());
    assert!(all(&in_folder(folder.path(), Some("auto")), " Passed Ok(()) Passed"));
    assert!(all(&in_folder(folder.path(), Some("always")), " Unknown Ok(()) Passed"));
    let lines = in_folder(folder.path(), Some("perhaps"));
    assert!(all(&lines, "Err(Variable { variable: \"MANYCORE_SELF_TEST\", value: \"perhaps\""), "{lines:?}");

    // What an earlier process found wrong counts, until the test runs anew or is off.
    for (needed_by, told) in [("everything", "Err(SelfTest {"), ("double_products", "Ok(())")] {
        for path in &kept {
            let text = std::fs::read_to_string(path).unwrap();
            let (head, _) = text.split_once("\"failures\"").unwrap();
            let failure = format!(
                "{{\"primitive\": \"a product\", \"input\": \"0x1\", \"expected\": \"0x2\", \"found\": \"0x3\", \
                 \"needed_by\": \"{needed_by}\"}}"
            );
            std::fs::write(path, format!("{head}\"failures\": [{failure}]}}")).unwrap();
        }
        let lines = in_folder(folder.path(), None);
        assert!(all(&lines, " Failed([Failure { primitive: \"a product\"") && all(&lines, told), "{lines:?}");
        assert!(all(&in_folder(folder.path(), Some("off")), " Unknown Ok(()) Unknown"));
    }
    assert!(all(&in_folder(folder.path(), Some("always")), " Unknown Ok(()) Passed"));
    assert!(all(&in_folder(folder.path(), None), " Passed Ok(()) Passed"), "kept again");
    assert_eq!(files(), kept);
}
