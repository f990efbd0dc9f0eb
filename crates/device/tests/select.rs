//! Listing and choosing devices, in this process and in children with other variables.

use std::process::{Command, Output};

use manycore_device::{DEVICE_VARIABLE, Device, DeviceError, DeviceKind};
use manycore_testkit::opencl_devices;

/// The variable that tells a child which part it plays.
const ROLE: &str = "MANYCORE_SELECT_TEST_ROLE";

/// Runs this binary again, only the test `child`, with these variables.
fn run_child(role: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(ROLE, role).env_remove(DEVICE_VARIABLE);
    command.envs(variables.iter().copied()).output().unwrap()
}

/// The lines that a child printed behind `> `.
fn answers(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    // The test harness may begin a line with the test's name.
    text.lines().filter_map(|line| line.split_once("> ").map(|(_, answer)| answer.to_owned())).collect()
}

fn ids() -> Vec<String> {
    Device::all().iter().map(|device| device.info().id.clone()).collect()
}

/// What children do; nothing in the parent.
#[test]
fn child() {
    match std::env::var(ROLE).as_deref() {
        Ok("from_env") => match Device::from_env() {
            Ok(device) => println!("> {} {}", device.info().id, device.info().compute_units),
            Err(error) => println!("> {error:?}"),
        },
        Ok("list") => {
            println!("> {}", ids().join(" "));
            println!("> {:?}", Device::opencl().map(|devices| devices.len()));
            println!("> {:?}", Device::select("opencl:0").map(|device| device.info().id.clone()));
            println!("> {}", Device::best().info().kind == DeviceKind::Host);
        }
        Ok("threads") => {
            let barrier = std::sync::Barrier::new(16);
            let list = || {
                barrier.wait();
                ids().join(" ")
            };
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..16).map(|_| scope.spawn(list)).collect();
                for thread in threads {
                    println!("> {}", thread.join().unwrap());
                }
            });
        }
        _ => {}
    }
}

#[test]
fn the_list_has_the_host_first_and_numbers_the_rest() {
    let all = Device::all();
    assert_eq!(all[0], Device::host());
    assert_eq!(all[0].info().kind, DeviceKind::Host);
    for (i, device) in all[1..].iter().enumerate() {
        assert_eq!(device.info().id, format!("opencl:{i}"));
        assert_ne!(device.info().kind, DeviceKind::Host);
        assert!(!device.info().name.is_empty() && !device.info().platform.is_empty());
        let info = device.info();
        assert!(info.compute_units > 0 && info.memory_bytes > 0 && info.group_limit > 0, "{info:?}");
        assert!(info.largest_allocation_bytes > 0, "{info:?}");
        assert!(info.view_alignment_bytes.is_power_of_two(), "{info:?}");
    }
    assert_eq!(all, Device::all(), "a list made again holds the same devices");
}

#[test]
fn the_host_is_one_device_and_each_pool_of_threads_another() {
    assert_eq!(Device::host(), Device::select("host").unwrap());
    let three = Device::select("host:3").unwrap();
    assert_eq!(three.info().compute_units, 3);
    assert_eq!(three.info().kind, DeviceKind::Host);
    assert_ne!(three, Device::host());
    assert_ne!(three, Device::host_with(3).unwrap());
    assert!(Device::host_with(0).unwrap().info().compute_units >= 1);
}

#[test]
fn the_best_is_a_gpu_or_the_host() {
    let gpus = Device::all().iter().filter(|device| device.info().kind == DeviceKind::Gpu).count();
    let best = Device::best();
    assert_eq!(best.info().kind, if gpus > 0 { DeviceKind::Gpu } else { DeviceKind::Host });
    for spec in ["", "  ", "auto", "AUTO", "best"] {
        assert_eq!(Device::select(spec).unwrap(), best, "{spec:?}");
    }
}

#[test]
fn devices_are_selected_by_number_and_by_name() {
    let all = Device::all();
    for device in &all[1..] {
        let info = device.info();
        assert_eq!(Device::select(&info.id).unwrap(), *device);
        assert_eq!(Device::select(&format!(" {} ", info.id.to_uppercase())).unwrap(), *device);
        for part in [info.name.to_uppercase(), info.platform.to_lowercase()] {
            let holds = |text: &str| text.to_lowercase().contains(&part.to_lowercase());
            let fitting: Vec<&Device> =
                all[1..].iter().filter(|d| holds(&d.info().name) || holds(&d.info().platform)).collect();
            match Device::select(&part) {
                Ok(found) => assert_eq!([&found], fitting.as_slice()),
                Err(DeviceError::Ambiguous { wanted, fitting: named }) => {
                    assert_eq!(wanted, part);
                    assert!(fitting.len() > 1 && named.len() == fitting.len(), "{named:?}");
                    assert!(named.iter().zip(&fitting).all(|(name, d)| name.starts_with(&d.info().id)), "{named:?}");
                }
                Err(error) => panic!("{part}: {error}"),
            }
        }
    }
}

/// A part that stands in every name fits as many devices as there are.
#[test]
fn a_part_of_several_names_is_ambiguous() {
    let devices = opencl_devices();
    if Device::all().len() < 3 || devices.len() < 2 {
        eprintln!("fewer than two OpenCL devices: nothing is ambiguous");
        return;
    }
    let letters = |device: &Device| (device.info().name.clone() + &device.info().platform).to_lowercase();
    let common = ('a'..='z').find(|&c| Device::all()[1..].iter().all(|device| letters(device).contains(c)));
    if let Some(letter) = common {
        let outcome = Device::select(&letter.to_string());
        assert!(matches!(outcome, Err(DeviceError::Ambiguous { ref fitting, .. }) if fitting.len() > 1), "{outcome:?}");
    }
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let present = Device::all().len();
    for wanted in ["no such device", "host:x", "host:-1", "host:", "hosts"] {
        match Device::select(wanted) {
            Err(DeviceError::NoDevice { wanted: named, seen }) => {
                assert_eq!(named, wanted);
                assert_eq!(seen.len(), present);
                assert!(seen[0].starts_with("host (") && seen[1..].iter().all(|name| name.starts_with("opencl:")));
            }
            other => panic!("{wanted}: {other:?}"),
        }
    }
    for wanted in ["opencl:99", "opencl:x", "opencl:", "opencl:-1"] {
        match (Device::select(wanted), Device::opencl()) {
            (Err(DeviceError::NoDevice { wanted: named, seen }), Ok(_)) => {
                assert_eq!((named.as_str(), seen.len()), (wanted, present));
            }
            (Err(DeviceError::NoRuntime { tried }), Err(_)) => assert!(!tried.is_empty()),
            other => panic!("{wanted}: {other:?}"),
        }
    }
}

#[test]
fn the_variable_selects() {
    let from = |spec: &str| answers(&run_child("from_env", &[(DEVICE_VARIABLE, spec)]));
    assert_eq!(from("host:3"), ["host 3"]);
    assert!(from("host")[0].starts_with("host "));
    assert!(from("nothing of that name")[0].starts_with("NoDevice"));
    for device in &Device::all()[1..] {
        assert!(from(&device.info().id)[0].starts_with(&device.info().id));
    }
    let best = Device::best().info().id.clone();
    assert!(from("")[0].starts_with(&best));
    assert!(answers(&run_child("from_env", &[]))[0].starts_with(&best));
}

#[test]
fn without_a_runtime_the_host_is_alone() {
    let seen = answers(&run_child("list", &[("MANYCORE_OPENCL_LIBRARY", "none")]));
    assert_eq!(seen[0], "host");
    assert!(seen[1].starts_with("Err(NoRuntime") && seen[1].contains("MANYCORE_OPENCL_LIBRARY"), "{}", seen[1]);
    assert!(seen[2].starts_with("Err(NoRuntime"), "{}", seen[2]);
    assert_eq!(seen[3], "true");
    let missing = "no-such-folder/libOpenCL.so.1";
    let seen = answers(&run_child("list", &[("MANYCORE_OPENCL_LIBRARY", missing)]));
    assert_eq!(seen[0], "host");
    assert!(seen[1].starts_with("Err(NoRuntime") && seen[1].contains(missing), "{}", seen[1]);
}

#[test]
fn threads_that_list_first_at_the_same_time_see_the_same() {
    let expected = ids().join(" ");
    for _ in 0..3 {
        let seen = answers(&run_child("threads", &[]));
        assert_eq!(seen.len(), 16);
        assert!(seen.iter().all(|list| *list == expected), "{seen:?}, expected {expected}");
    }
}
