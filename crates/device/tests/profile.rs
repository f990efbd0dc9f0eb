//! Profiles: what is recorded, in which order, under which name, and what stays usable when work panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use manycore_device::{Defines, Device, DeviceError, Entry, Executor, Kind, Profile};
use manycore_kernels::{self as kernels, Unit};
use manycore_testkit::{devices, opencl_devices, simulated};

static COUNT_UNIT: Unit = Unit {
    path: "tests/count.cl",
    source: "__kernel void count(__global uint *x, const uint n)\n{\n\
             \x20   if (get_global_id(0) < n)\n        x[get_global_id(0)] += 1u;\n}\n",
    parts: &[],
    entries: &[kernels::Entry::named("count")],
    parameter_sets: &[&[]],
};

// SAFETY: its launches tell the length of the buffer.
manycore_device::kernel! {
    /// Adds one to each of `n` words.
    unsafe COUNT in COUNT_UNIT: count(x: buffer<u32>, n: u32)
}

/// Profiles see what other threads run on their device, so the tests take turns.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn of(profile: &Profile, kind: Kind) -> Vec<&Entry> {
    profile.entries.iter().filter(|entry| entry.kind == kind).collect()
}

/// The sum of bytes of one kind, and of operations.
fn sums(profile: &Profile, kind: Kind) -> (u64, u64) {
    of(profile, kind).iter().fold((0, 0), |sums, entry| (sums.0 + entry.bytes, sums.1 + entry.operations))
}

#[test]
fn transfers_fills_and_copies_are_entries_with_their_bytes() {
    let _turn = turn();
    for device in devices() {
        let len: usize = if simulated(&device) { 1000 } else { 500_000 };
        let bytes = 4 * len as u64;
        let data = vec![1u32; len];
        // Made before, so that only what is asked for is recorded.
        let (mut x, mut y) = (device.scratch::<u32>(len).unwrap(), device.zeros::<u32>(len).unwrap());
        let ((), profile) = device
            .profile(|| {
                x.write(&data).unwrap();
                y.copy_from(&x).unwrap();
                x.fill(3).unwrap();
                x.view_mut(..7).unwrap().fill(4).unwrap();
                y.download().unwrap();
            })
            .unwrap();
        // Large transfers may travel in several parts.
        for (kind, expected) in
            [(Kind::Upload, bytes), (Kind::Copy, 2 * bytes), (Kind::Fill, bytes + 28), (Kind::Download, bytes)]
        {
            assert_eq!(sums(&profile, kind), (expected, 0), "{device:?} {kind:?} {profile:?}");
            assert!(of(&profile, kind).iter().all(|entry| entry.name == kind.name()), "{profile:?}");
            assert!(profile.seconds(kind) > 0.0, "{device:?} {kind:?} {profile:?}");
        }
        assert_eq!((profile.launches(), profile.seconds(Kind::Kernel), profile.span_seconds()), (0, 0.0, 0.0));
        let starts: Vec<f64> = profile.entries.iter().map(|entry| entry.start_seconds).collect();
        assert!(starts[0] == 0.0 && starts.is_sorted(), "{starts:?}");
        let first = |kind| profile.entries.iter().position(|entry| entry.kind == kind).unwrap();
        assert!(first(Kind::Upload) < first(Kind::Copy) && first(Kind::Copy) < first(Kind::Fill), "{profile:?}");
        assert!(first(Kind::Fill) < first(Kind::Download), "{profile:?}");
        assert!(x.download().unwrap()[..8] == [4, 4, 4, 4, 4, 4, 4, 3]);
    }
}

#[test]
fn kernels_are_entries_with_what_they_declare() {
    let _turn = turn();
    for device in opencl_devices() {
        let Executor::OpenCl(cl) = device.executor() else { continue };
        let kernel = cl.kernel(&COUNT, &Defines::new()).unwrap();
        let mut x = device.zeros::<u32>(1000).unwrap();
        let mut launch = |times: u64| {
            for i in 0..times {
                let launch = cl.launch(&kernel).buffer(&mut x).value(1000u32).items(1000, 16);
                launch.bytes(8000).operations(1000 + i).run().unwrap();
            }
        };
        let ((), profile) = device.profile(|| launch(3)).unwrap();
        assert_eq!((profile.launches(), profile.entries.len()), (3, 3), "{profile:?}");
        assert!(profile.entries.iter().all(|entry| entry.name == "count" && entry.seconds > 0.0), "{profile:?}");
        assert_eq!(sums(&profile, Kind::Kernel), (24_000, 3003));
        let operations: Vec<u64> = profile.entries.iter().map(|entry| entry.operations).collect();
        assert_eq!(operations, [1000, 1001, 1002], "in the order of the launches");
        assert!(profile.span_seconds() >= profile.seconds(Kind::Kernel) * 0.999, "{profile:?}");

        let table = profile.to_string();
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 2, "{table}");
        let heads = ["kind", "name", "runs", "time (us)", "GB/s", "Gop/s"];
        assert!(heads.iter().all(|head| lines[0].contains(head)), "{table}");
        let cells: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!((&cells[..3], cells.len()), (&["kernel", "count", "3"][..], 6), "{table}");
        assert_eq!(cells[3], format!("{:.1}", profile.seconds(Kind::Kernel) * 1e6), "{table}");

        // An empty grid is no launch, and what runs outside is not recorded.
        launch(2);
        let run = || cl.launch(&kernel).buffer(&mut x).value(0u32).items(0, 16).run();
        let (outcome, profile) = device.profile(run).unwrap();
        outcome.unwrap();
        assert!(profile.entries.is_empty(), "{profile:?}");
        assert_eq!(x.download().unwrap(), [5; 1000]);
    }
}

#[test]
fn steps_of_the_host_are_entries() {
    let _turn = turn();
    for device in [Device::host(), Device::host_with(1).unwrap()] {
        let Executor::Host(host) = device.executor() else { panic!("{device:?}") };
        let work = || {
            host.step("first", 100, 10, || std::thread::sleep(Duration::from_millis(2)));
            host.step("second", 0, 0, || 7)
        };
        let (seven, profile) = device.profile(work).unwrap();
        assert_eq!((seven, profile.launches()), (7, 2));
        let names: Vec<&str> = profile.entries.iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["first", "second"]);
        assert!(profile.entries[0].seconds >= 0.002 && profile.entries[1].start_seconds >= 0.002, "{profile:?}");
        assert_eq!((profile.entries[0].bytes, profile.entries[0].operations), (100, 10));
        let table = profile.to_string();
        let second = table.lines().find(|line| line.contains("second")).unwrap();
        assert!(second.ends_with(&format!("{:>10}{:>10}", "-", "-")), "nothing declared has no rate: {table}");
    }
}

/// Steps that overlap are ordered by their beginning, though the outer one ends last.
#[test]
fn entries_are_in_the_order_of_their_beginning() {
    let _turn = turn();
    let device = Device::host_with(1).unwrap();
    let Executor::Host(host) = device.executor() else { panic!("{device:?}") };
    let inner = || host.step("inner", 0, 0, || std::thread::sleep(Duration::from_millis(1)));
    let outer = || {
        std::thread::sleep(Duration::from_millis(1));
        inner();
    };
    let ((), profile) = device.profile(|| host.step("outer", 0, 0, outer)).unwrap();
    let names: Vec<&str> = profile.entries.iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["outer", "inner"]);
    assert!(profile.entries[0].start_seconds == 0.0 && profile.entries[1].start_seconds >= 0.001, "{profile:?}");
}

#[test]
fn a_profile_within_a_profile_is_unsupported() {
    let _turn = turn();
    for device in devices() {
        let (inner, outer) = device.profile(|| device.profile(|| 5)).unwrap();
        assert!(matches!(inner, Err(DeviceError::Unsupported { .. })), "{inner:?}");
        assert!(outer.entries.is_empty());
        assert_eq!(device.profile(|| 5).unwrap().0, 5);
    }
}

#[test]
fn a_panic_leaves_nothing_behind() {
    let _turn = turn();
    for device in devices() {
        let mut x = device.zeros::<u32>(100).unwrap();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            device.profile(|| {
                x.fill(1).unwrap();
                panic!("on purpose");
            })
        }));
        assert!(panicked.is_err());
        // Not recorded: no profile is on.
        x.fill(2).unwrap();
        let ((), profile) = device.profile(|| x.write(&[3; 100]).unwrap()).unwrap();
        assert_eq!(profile.entries.len(), 1, "{device:?} {profile:?}");
        assert_eq!((profile.entries[0].kind, profile.entries[0].bytes), (Kind::Upload, 400));
        assert_eq!(x.download().unwrap(), [3; 100]);
    }
}

#[test]
fn threads_take_turns() {
    let _turn = turn();
    for device in devices() {
        std::thread::scope(|scope| {
            for thread in 1..5usize {
                let device = &device;
                scope.spawn(move || {
                    for _ in 0..10 {
                        let (x, profile) = device.profile(|| device.upload(&vec![0u8; 100 * thread]).unwrap()).unwrap();
                        assert_eq!(x.len(), 100 * thread);
                        let seen: Vec<u64> = profile.entries.iter().map(|entry| entry.bytes).collect();
                        assert_eq!(seen, [100 * thread as u64], "{device:?}");
                    }
                });
            }
        });
    }
}

/// A transfer that is under way when the profile ends is waited for.
#[test]
fn overlapped_transfers_are_entries() {
    let _turn = turn();
    for device in devices() {
        let data = vec![6u32; 1 << 14];
        let mut x = device.zeros::<u32>(1 << 14).unwrap();
        let profile = device
            .overlap(|transfers| {
                let to = x.view_mut(..).unwrap();
                let (upload, profile) = device.profile(|| transfers.upload(&data, to)).unwrap();
                upload.unwrap().wait().unwrap();
                profile
            })
            .unwrap();
        assert_eq!(sums(&profile, Kind::Upload), (1 << 16, 0), "{device:?} {profile:?}");
        assert!(x.download().unwrap() == data);
    }
}

#[test]
fn elapsed_time_passes() {
    let _turn = turn();
    for device in devices() {
        let mut x = device.zeros::<u32>(if simulated(&device) { 100 } else { 1 << 20 }).unwrap();
        let (outcome, seconds) = device.elapsed(|| x.fill(7)).unwrap();
        outcome.unwrap();
        assert!(seconds > 0.0 && seconds < 60.0, "{device:?}: {seconds} s");
        let (five, seconds) = device.elapsed(|| 5).unwrap();
        assert!(five == 5 && (0.0..60.0).contains(&seconds), "{device:?}: {seconds} s");
        let (inner, outer) = device.elapsed(|| device.elapsed(|| x.fill(8)).unwrap().1).unwrap();
        assert!(inner > 0.0 && outer >= inner, "{device:?}: {inner} s within {outer} s");
    }
}

/// The sum of no times is 0, not -0, which would be shown.
#[test]
fn nothing_takes_no_time() {
    let profile = Profile::default();
    for kind in [Kind::Kernel, Kind::Upload, Kind::Download, Kind::Copy, Kind::Fill] {
        assert_eq!(profile.seconds(kind).to_bits(), 0);
    }
    assert_eq!(profile.span_seconds().to_bits(), 0);
}
