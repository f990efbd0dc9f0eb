//! The kernels of the device crate (`fill`, `local_probe`) on every OpenCL device, against references.

use std::fmt::Debug;
use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::{Defines, Device, DeviceError, Executor, OpenCl, Word};
use manycore_testkit::{devices, opencl_devices, simulated};

manycore_device::kernel! {
    /// The kernel behind large fills, launched by itself.
    FILL in manycore_kernels::FILL: fill(data: buffer<u32>, count: u64, x: u32, y: u32, z: u32, w: u32)

    /// The kernel behind [`OpenCl::local_limit_bytes`], launched by itself.
    LOCAL_PROBE in manycore_kernels::LOCAL_PROBE: local_probe(out: buffer<u32>, salt: u32)
}

fn opencl(device: &Device) -> &OpenCl {
    match device.executor() {
        Executor::OpenCl(cl) => cl,
        Executor::Host(_) => panic!("{device:?} is no OpenCL device"),
    }
}

/// A simulator runs one kernel at a time, so the tests run one after the other.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fills the words from `start` to before `end` of a buffer of `len`, and compares all of it with a vector.
fn check_fill<T: Word + Debug>(device: &Device, len: usize, start: usize, end: usize, around: T, value: T) {
    let mut expected = vec![around; len];
    expected[start..end].fill(value);
    let mut x = device.upload(&vec![around; len]).unwrap();
    x.view_mut(start..end).unwrap().fill(value).unwrap();
    assert!(x.download().unwrap() == expected, "{device:?} {} {start}..{end} of {len}", T::TYPE.name());
}

/// Sizes in bytes around the group of 256 vectors of 16 bytes and around the size from which the kernel is used.
fn sizes(device: &Device) -> &'static [usize] {
    const GROUP: usize = 256 * 16;
    const LARGE: usize = 1 << 16;
    if simulated(device) {
        &[0, 1, 8, 33, LARGE, LARGE + 24]
    } else {
        &[0, 1, 15, 16, 17, GROUP - 16, GROUP, GROUP + 16, LARGE - 1, LARGE, LARGE + 8, LARGE + GROUP + 25, 300_001]
    }
}

fn check_fills<T: Word + Debug>(device: &Device, around: T, value: T) {
    let words = |bytes: usize| bytes.div_ceil(size_of::<T>());
    let alignment = words(device.info().view_alignment_bytes);
    for &bytes in sizes(device) {
        let len = words(bytes);
        check_fill(device, len, 0, len, around, value);
        // Views with words on both sides that must stay: at an aligned start, and at one past it.
        for start in [alignment, alignment + 1] {
            check_fill(device, start + len + 3, start, start + len, around, value);
        }
    }
}

#[test]
fn fills_equal_the_slice_s_for_every_word() {
    let _turn = turn();
    for device in devices() {
        check_fills::<u8>(&device, 1, 0xA5);
        check_fills::<i8>(&device, 1, -7);
        check_fills::<u16>(&device, 1, 0xBEEF);
        check_fills::<i16>(&device, 1, -1234);
        check_fills::<u32>(&device, 1, 0xDEAD_BEEF);
        check_fills::<i32>(&device, 1, -123_456_789);
        check_fills::<u64>(&device, 1, 0x0123_4567_89AB_CDEF);
        check_fills::<i64>(&device, 1, -0x0123_4567_89AB_CDEF);
        check_fills::<f32>(&device, 1.0, -2.5);
        check_fills::<f64>(&device, 1.0, 1e-300);
    }
}

#[test]
fn the_fill_kernel_writes_its_pattern_and_nothing_past_its_count() {
    let _turn = turn();
    for device in opencl_devices() {
        let cl = opencl(&device);
        let kernel = cl.kernel(&FILL, &Defines::new()).unwrap();
        let group = kernel.group_limit().min(64);
        for count in [0, 1, group - 1, group, group + 1, 3 * group + 5] {
            let mut x = device.upload(&vec![9u32; 4 * count + 8]).unwrap();
            let launch = cl.launch(&kernel).buffer(&mut x).value(count as u64);
            launch.value(1u32).value(2u32).value(3u32).value(4u32).items(count, group).run().unwrap();
            let expected: Vec<u32> = [1, 2, 3, 4].into_iter().cycle().take(4 * count).chain([9; 8]).collect();
            assert_eq!(x.download().unwrap(), expected, "{device:?}, {count} vectors in groups of {group}");
        }
    }
}

#[test]
fn the_local_probe_counts_every_word() {
    let _turn = turn();
    for device in opencl_devices() {
        let cl = opencl(&device);
        for words in if simulated(&device) { vec![64, 257] } else { vec![64, 1000, 4096] } {
            let kernel = cl.kernel(&LOCAL_PROBE, &Defines::new().set("LOCAL_WORDS", words)).unwrap();
            for groups in [0usize, 1, 3] {
                let mut out = device.zeros::<u32>(groups + 1).unwrap();
                cl.launch(&kernel).buffer(&mut out).value(77u32).groups(groups, 64).run().unwrap();
                let mut expected = vec![words as u32; groups];
                expected.push(0);
                assert_eq!(out.download().unwrap(), expected, "{device:?}, {words} words");
            }
        }
    }
}

#[test]
fn a_required_group_is_the_only_one() {
    let _turn = turn();
    for device in opencl_devices() {
        let cl = opencl(&device);
        let kernel = cl.kernel(&LOCAL_PROBE, &Defines::new()).unwrap();
        assert_eq!(kernel.group_limit(), 64);
        let mut out = device.zeros::<u32>(1).unwrap();
        for group in [0, 32, 65, 128] {
            let outcome = cl.launch(&kernel).buffer(&mut out).value(1u32).groups(1, group).run();
            let wrong = DeviceError::Length { what: "items of a group", expected: 64, given: group };
            assert_eq!(outcome, Err(wrong), "{device:?}");
        }
        assert_eq!(out.download().unwrap(), [0]);
    }
}

/// The limit is what `local_probe` finds, and kernels with so much local memory run.
#[test]
fn the_local_limit_is_at_least_what_is_reported_and_holds() {
    let _turn = turn();
    for device in opencl_devices() {
        let cl = opencl(&device);
        let limit = cl.local_limit_bytes().unwrap();
        assert!(limit as u64 >= device.info().local_memory_bytes, "{device:?}: {limit} bytes");
        if simulated(&device) || limit < 1024 {
            continue;
        }
        // The probe keeps 64 words beside its array. CPU devices have far more than is worth compiling for.
        let words = limit.min(1 << 18) / 4 - 64;
        let kernel = cl.kernel(&LOCAL_PROBE, &Defines::new().set("LOCAL_WORDS", words)).unwrap();
        let mut out = device.zeros::<u32>(2).unwrap();
        cl.launch(&kernel).buffer(&mut out).value(5u32).groups(2, 64).run().unwrap();
        assert_eq!(out.download().unwrap(), [words as u32; 2], "{device:?}");
    }
}
