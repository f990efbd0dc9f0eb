//! The kernels of the device crate (`fill`, `local_probe` and those of calibrations) on every OpenCL device, against
//! references.

use std::fmt::Debug;
use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::{Defines, Device, DeviceError, Executor, OpenCl, Team, Word, integers};
use manycore_testkit::{devices, opencl_devices, simulated};

// SAFETY: each is launched on buffers of the lengths that its arguments tell.
manycore_device::kernel! {
    /// The kernel behind large fills, launched by itself.
    unsafe FILL in manycore_kernels::device::FILL: fill

    /// The kernel behind [`OpenCl::local_limit_bytes`], launched by itself.
    unsafe LOCAL_PROBE in manycore_kernels::device::LOCAL_PROBE: local_probe

    /// Multiply-adds in eight chains.
    unsafe RATE in manycore_kernels::device::CALIBRATE_RATE:
        calibrate_rate

    /// Multiply-adds in one chain.
    unsafe LATENCY in manycore_kernels::device::CALIBRATE_RATE:
        calibrate_latency

    /// Copies in runs.
    unsafe COPY in manycore_kernels::device::CALIBRATE_MEMORY:
        calibrate_copy

    /// Reads that wait for each other.
    unsafe CHASE in manycore_kernels::device::CALIBRATE_MEMORY: calibrate_chase

    /// Tiles through local memory.
    unsafe TILE in manycore_kernels::device::CALIBRATE_TILE: calibrate_tile
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

/// Numbers that the arithmetic of calibrations is done with.
trait Number: Word + PartialEq + Debug {
    /// Pairs of factor and term. Floating-point factors are powers of 2, so that a fused multiply-add rounds as two steps do.
    const PAIRS: [(Self, Self); 2];
    fn of(index: usize) -> Self;
    fn add(self, other: Self) -> Self;
    fn step(self, factor: Self, term: Self) -> Self;
}

macro_rules! numbers {
    ($($type:ty: $pairs:expr, |$a:ident, $b:ident| $add:expr, $mul:expr;)*) => {
        $(impl Number for $type {
            const PAIRS: [(Self, Self); 2] = $pairs;
            fn of(index: usize) -> Self {
                index as Self
            }
            fn add(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $add
            }
            fn step(self, factor: Self, term: Self) -> Self {
                let ($a, $b) = (self, factor);
                Number::add($mul, term)
            }
        })*
    };
}

numbers! {
    u32: [(5, 3), (0xDEAD_BEEF, 0x8765_4321)], |a, b| a.wrapping_add(b), a.wrapping_mul(b);
    u64: [(5, 3), (0xDEAD_BEEF_0123_4567, 1 << 63)], |a, b| a.wrapping_add(b), a.wrapping_mul(b);
    f32: [(0.5, 1.0), (-0.5, 0.75)], |a, b| a + b, a * b;
    f64: [(0.5, 1.0), (-0.5, 0.75)], |a, b| a + b, a * b;
}

/// What an item writes after `steps` multiply-adds in each of `chains` chains.
fn multiply_adds<T: Number>(index: usize, chains: usize, steps: u32, (factor, term): (T, T)) -> T {
    let starts = std::iter::successors(Some(T::of(index)), |&start| Some(start.add(term)));
    let ends = starts.take(chains).map(|start| (0..steps).fold(start, |value, _| value.step(factor, term)));
    ends.reduce(Number::add).unwrap()
}

fn check_multiply_adds<T: Number>(device: &Device) {
    let cl = opencl(device);
    let defines = Defines::new().element(T::TYPE);
    if T::TYPE == manycore_device::WordType::F64 && !device.info().fp64 {
        assert!(matches!(cl.kernel(&RATE, &defines), Err(DeviceError::Unsupported { .. })), "{device:?}");
        return;
    }
    let (longest, widest) = if simulated(device) { (2, 4) } else { (37, 64) };
    for (spec, chains) in [(&RATE, 8), (&LATENCY, 1)] {
        let kernel = cl.kernel(spec, &defines).unwrap();
        let group = kernel.group_limit().min(widest);
        // Each size of a group is compiled anew on a CPU.
        for (groups, group) in [(0, group), (1, group), (3, group), (1, 1)] {
            for (rounds, pair) in [(0, 0), (1, 0), (1, 1), (longest, 1)] {
                let pair = T::PAIRS[pair];
                let mut expected: Vec<T> =
                    (0..groups * group).map(|i| multiply_adds(i, chains, 16 * rounds, pair)).collect();
                expected.push(T::of(9));
                let mut out = device.upload(&vec![T::of(9); expected.len()]).unwrap();
                let launch = cl.launch(&kernel).buffer(&mut out).value(rounds).value(pair.0).value(pair.1);
                launch.groups(groups, group).run().unwrap();
                let what =
                    || format!("{device:?} {chains} chains, {groups} groups of {group}, {rounds} rounds, {pair:?}");
                assert_eq!(out.download().unwrap(), expected, "{}", what());
            }
        }
    }
}

#[test]
fn the_calibration_s_multiply_adds_equal_the_host_s_for_every_element() {
    let _turn = turn();
    for device in opencl_devices() {
        for set in manycore_kernels::device::CALIBRATE_RATE.parameter_sets {
            match set.iter().find(|(name, _)| *name == "ELEMENT").map_or("uint", |(_, value)| value) {
                "uint" => check_multiply_adds::<u32>(&device),
                "ulong" => check_multiply_adds::<u64>(&device),
                "float" => check_multiply_adds::<f32>(&device),
                "double" => check_multiply_adds::<f64>(&device),
                other => panic!("{other} is not tested"),
            }
        }
    }
}

/// Copies with every kind of run; words past the count stay.
#[test]
fn the_calibration_s_copy_moves_every_block_once() {
    let _turn = turn();
    for device in opencl_devices() {
        let cl = opencl(&device);
        let kernel = cl.kernel(&COPY, &Defines::new()).unwrap();
        let (counts, widest): (&[u32], _) = if simulated(&device) { (&[0, 4, 6], 4) } else { (&[0, 1, 5, 9, 14], 64) };
        let group = kernel.group_limit().min(widest);
        for &log_count in counts {
            let words = 4usize << log_count;
            let from: Vec<u32> = (1..=words as u32).collect();
            let input = device.upload(&from).unwrap();
            let all = (1usize << log_count).div_ceil(4 * group);
            for log_segment in [0, 1, log_count / 2, log_count] {
                let high = log_count.saturating_sub(log_segment);
                for log_jump in [0, 1, high / 2, high] {
                    if log_segment > log_count || log_jump > high {
                        continue;
                    }
                    for (groups, group) in [(1, 1), (1, group), (all + 1, group)] {
                        let mut to = device.upload(&vec![0u32; words + 8]).unwrap();
                        let launch = cl.launch(&kernel).input(&input).buffer(&mut to);
                        let launch = launch.value(log_count).value(log_segment).value(log_jump);
                        launch.groups(groups, group).run().unwrap();
                        let what = || format!("{device:?} {log_count} {log_segment} {log_jump}, {groups} of {group}");
                        let found = to.download().unwrap();
                        assert!(found[..words] == from && found[words..] == [0; 8], "{}", what());
                    }
                }
            }
        }
    }
}

#[test]
fn the_calibration_s_chain_of_reads_ends_where_the_host_s_does() {
    let _turn = turn();
    for device in opencl_devices() {
        let cl = opencl(&device);
        let kernel = cl.kernel(&CHASE, &Defines::new()).unwrap();
        for len in [1u32, 2, 64, 4096] {
            let next: Vec<u32> = (0..len).map(|i| (5 * i + 3) % len).collect();
            let input = device.upload(&next).unwrap();
            for (start, steps) in [(0, 0u32), (len - 1, 0), (0, 1), (len / 2, 7), (0, 200)] {
                let mut out = device.upload(&[start, 9]).unwrap();
                cl.launch(&kernel)
                    .input(&input)
                    .buffer(&mut out)
                    .value(steps)
                    .value(len - 1)
                    .groups(1, 1)
                    .run()
                    .unwrap();
                let end = (0..steps).fold(start, |at, _| next[at as usize]);
                assert_eq!(out.download().unwrap(), [end, 9], "{device:?} {steps} steps from {start} of {len}");
            }
            // Places that there are not are taken for the last one.
            let spoiled = device.upload(&vec![u32::MAX; len as usize]).unwrap();
            let mut out = device.upload(&[u32::MAX, 9]).unwrap();
            cl.launch(&kernel).input(&spoiled).buffer(&mut out).value(5u32).value(len - 1).groups(1, 1).run().unwrap();
            assert_eq!(out.download().unwrap(), [len - 1, 9], "{device:?} spoiled chain of {len}");
        }
    }
}

/// One round on one tile: the words change places within it, and each is multiplied by 5 and increased by 1.
fn exchanged<T: Number>(tile: &[T], group: usize, round: u32) -> Vec<T> {
    (0..tile.len()).map(|i| tile[i ^ (round as usize & (group - 1))].step(T::of(5), T::of(1))).collect()
}

#[test]
fn the_calibration_s_tiles_equal_the_host_s_under_every_parameter_set() {
    let _turn = turn();
    for device in opencl_devices() {
        let table = manycore_kernels::device::CALIBRATE_TILE.parameter_sets.iter().map(|set| set.to_vec());
        let smallest = [vec![("GROUP", "1"), ("LOCAL_WORDS", "16")], vec![("GROUP", "2"), ("LOCAL_WORDS", "33")]];
        for set in table.chain(smallest) {
            match set.iter().find(|(name, _)| *name == "ELEMENT").map_or("uint", |(_, value)| value) {
                "uint" => check_tiles::<u32>(&device, &set),
                "ulong" => check_tiles::<u64>(&device, &set),
                other => panic!("{other} is not tested"),
            }
        }
    }
}

fn check_tiles<T: Number>(device: &Device, set: &[(&'static str, &'static str)]) {
    let cl = opencl(device);
    let group = set.iter().find(|(name, _)| *name == "GROUP").map_or(64, |(_, value)| value.parse().unwrap());
    let defines = set.iter().filter(|(name, _)| *name != "ELEMENT");
    let defines = defines.fold(Defines::new().element(T::TYPE), |defines, &(name, value)| defines.set(name, value));
    let kernel = cl.kernel(&TILE, &defines).unwrap();
    assert_eq!(kernel.group_limit(), group, "{device:?} {set:?}");
    let large = simulated(device) && group > 64;
    let (counts, rounds): (&[usize], &[u32]) = match (simulated(device), large) {
        (false, _) => (&[0, 1, 5], &[0, 1, 2, 100, 600]),
        (true, false) => (&[1, 2], &[0, 2, 3]),
        (true, true) => (&[1], &[2]),
    };
    for &groups in counts {
        let words: Vec<T> = (0..16 * group * groups).map(|i| T::of(i * 0x9E37_79B9)).collect();
        for &rounds in rounds {
            let mut data = device.upload(&[words.as_slice(), &[T::of(7); 16]].concat()).unwrap();
            cl.launch(&kernel).buffer(&mut data).value(rounds).groups(groups, group).run().unwrap();
            let tiles = words
                .chunks_exact(16 * group)
                .flat_map(|tile| (0..rounds).fold(tile.to_vec(), |tile, round| exchanged(&tile, group, round)));
            let expected: Vec<T> = tiles.chain([T::of(7); 16]).collect();
            assert!(data.download().unwrap() == expected, "{device:?} {set:?}, {groups} tiles, {rounds} rounds");
        }
    }
}

/// `integer_bounds`: any number of values, of both types, and sums of some of them.
#[test]
fn bounds_of_integers_equal_the_host_s() {
    let _turn = turn();
    for device in opencl_devices() {
        let cl = opencl(&device);
        let lens: &[usize] = if simulated(&device) { &[1, 300] } else { &[1, 2, 255, 256, 300, 70_000] };
        for &len in lens {
            let x: Vec<i64> = (0..len as i64).map(|i| (i * 0x1357_9bdf_0246) ^ -(i & 1)).collect();
            let narrow: Vec<i32> = x.iter().map(|&x| (x >> 40) as i32).collect();
            for log_stride in [0, 3, 63] {
                let of = |words: Vec<i64>| {
                    words.iter().step_by(1 << log_stride.min(40)).fold(0, |sum: i64, &x| sum.wrapping_add(x))
                };
                let found = integers::bounds_on(cl, &device.upload(&x).unwrap(), log_stride).unwrap();
                assert_eq!(
                    found,
                    (integers::bits(&x, Team::ALONE), of(x.clone()) as u64),
                    "{device:?} {len} {log_stride}"
                );
                let found = integers::bounds_on(cl, &device.upload(&narrow).unwrap(), log_stride).unwrap();
                let sum = of(narrow.iter().map(|&x| x.into()).collect()) as u64;
                assert_eq!(found, (integers::bits(&narrow, Team::ALONE), sum), "{device:?} {len} {log_stride}");
            }
        }
        let floats = device.upload(&[1.0f32]).unwrap();
        assert!(matches!(integers::bounds_on(cl, &floats, 0), Err(DeviceError::Unsupported { .. })));
    }
}
