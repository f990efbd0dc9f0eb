//! The kernels of sorts by sweeps (`sweep_survey`, `sweep_place`, `sweep_tile`) on every OpenCL device against the host: keys of each
//! width around tiles, one digit and all of them, alone and with values; and tiles that never wait for others.

use manycore_device::{Defines, Device, Executor};
use manycore_sort::{Key, SortError, SortOrder, SortPlan, SortTile, Sorter, Value};
use manycore_testkit::{opencl_devices, simulated};

fn bits(i: usize) -> u64 {
    (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

const MASKS: [u64; 5] = [u64::MAX, 0xff00, 0x3, 0x0101_0101_0000_0000, 0xf0f0_ff00_ff00_00ff];

fn check_keys<K: Key>(sorter: &Sorter, len: usize, order: SortOrder, of: impl Fn(u64) -> K) {
    let host = Sorter::new(&Device::host());
    for mask in MASKS {
        let keys: Vec<K> = (0..len).map(|i| of(bits(i) & mask)).collect();
        let sorted = |sorter: &Sorter| {
            let mut keys = keys.clone();
            sorter.sort(&mut keys, order).unwrap();
            bytemuck::cast_slice::<K, u8>(&keys).to_vec()
        };
        assert!(sorted(sorter) == sorted(&host), "{len} keys of {:?}, {mask:x}, {sorter:?}", K::TYPE);
    }
}

fn check_pairs<K: Key, V: Value>(sorter: &Sorter, len: usize, order: SortOrder, of: impl Fn(u64) -> K) {
    let host = Sorter::new(&Device::host());
    for mask in MASKS {
        let keys: Vec<K> = (0..len).map(|i| of(bits(i) & mask)).collect();
        let values: Vec<u64> = (0..len).map(|i| bits(i + len)).collect();
        let sorted = |sorter: &Sorter| {
            let (mut keys, mut values) = (keys.clone(), bytemuck::cast_slice::<u64, V>(&values)[..len].to_vec());
            sorter.sort_pairs(&mut keys, &mut values, order).unwrap();
            (bytemuck::cast_slice::<K, u8>(&keys).to_vec(), bytemuck::cast_slice::<V, u8>(&values).to_vec())
        };
        assert!(sorted(sorter) == sorted(&host), "{len} pairs of {:?}, {mask:x}, {sorter:?}", K::TYPE);
    }
}

#[test]
fn sweeps_and_tiles_equal_the_host() {
    for device in opencl_devices() {
        for tile in [SortTile { group: 64, per: 3 }, SortTile { group: 256, per: 2 }] {
            let all = (tile.group * tile.per) as usize;
            let lens = if simulated(&device) { vec![all + 9] } else { vec![2, 31, all - 1, all, all + 1, 5 * all + 3] };
            for (plan, most) in [(SortPlan::Sweeps(tile), usize::MAX), (SortPlan::Tile(tile), all)] {
                let sorter = Sorter::new(&device).by(plan);
                for &len in lens.iter().filter(|&&len| len <= most) {
                    if tile.group == 64 {
                        check_keys(&sorter, len, SortOrder::Descending, |bits| bits as u8);
                        check_keys(&sorter, len, SortOrder::Ascending, f64::from_bits);
                        check_pairs::<_, u32>(&sorter, len, SortOrder::Ascending, |bits| bits as u32);
                    } else {
                        check_keys(&sorter, len, SortOrder::Ascending, |bits| (bits >> 8) as i16);
                        check_pairs::<_, i64>(&sorter, len, SortOrder::Descending, |bits| f32::from_bits(bits as u32));
                        check_pairs::<_, f32>(&sorter, len, SortOrder::Ascending, |bits| bits as u8);
                    }
                }
            }
        }
    }
}

#[test]
fn plans_that_suit_no_device_are_told() {
    for device in opencl_devices() {
        let tiles = [(0, 4), (64, 0), (48, 4), (1 << 20, 1), (256, 1 << 10)];
        let plans = tiles.map(|(group, per)| SortPlan::Sweeps(SortTile { group, per }));
        let small = SortPlan::Tile(SortTile { group: 32, per: 1 });
        for plan in plans.into_iter().chain([SortPlan::Host, SortPlan::Passes { group: 3, per: 2 }, small]) {
            let refused = Sorter::new(&device).by(plan).sort(&mut [3u32; 40].map(|key| key + 1), SortOrder::Ascending);
            assert!(matches!(refused, Err(SortError::NoChoice(_))), "{plan}: {refused:?}");
        }
    }
}

/// Counts of 64 bits, which keys past 2^30 have.
#[test]
fn counts_of_64_bits_give_the_same_places() {
    const TILE: usize = 64 * 4;
    for device in opencl_devices() {
        let Executor::OpenCl(cl) = device.executor() else { continue };
        let len = 3 * TILE + 7;
        let keys: Vec<u32> = (0..len).map(|i| bits(i) as u32 | 1).collect();
        let defines =
            Defines::new().set("KEY", "uint").set("GROUP", 64).set("PER", 4).set("COUNT", "ulong").set("WIDE", 1);
        let Ok(survey) = cl.kernel(&SURVEY, &defines) else {
            assert!(!cl.info().int64_atomics, "{device:?}");
            continue;
        };
        let place = cl.kernel(&PLACE, &defines).unwrap();
        let (mut a, mut b) = (device.upload(&keys).unwrap(), device.zeros::<u32>(len).unwrap());
        let mut control = device.zeros::<u32>(16 + 2 * 4 * 256).unwrap();
        let mut states = device.scratch::<u64>(2 * 4 * 256).unwrap();
        let (mut none, mut other_none) = (device.zeros::<u32>(1).unwrap(), device.zeros::<u32>(1).unwrap());
        cl.launch(&survey)
            .input(&a)
            .value(len as u64)
            .value(0u32)
            .value(0u32)
            .value(4 * 256u64)
            .buffer(&mut control)
            .buffer(&mut states)
            .groups(2, 64)
            .run()
            .unwrap();
        cl.launch(&place)
            .buffer(&mut a)
            .buffer(&mut b)
            .buffer(&mut none)
            .buffer(&mut other_none)
            .value(len as u64)
            .value(0u32)
            .value(0u32)
            .value(0u32)
            .buffer(&mut control)
            .buffer(&mut states)
            .groups(4, 64)
            .run()
            .unwrap();
        let mut expected = keys;
        expected.sort_by_key(|key| key & 0xff);
        assert!(b.download().unwrap() == expected, "{device:?}");
    }
}

// SAFETY: the test below launches them as `Sorter` does, with states for the tiles that there are.
manycore_device::kernel! {
    /// The survey.
    unsafe SURVEY in manycore_kernels::sort::SWEEP: sweep_survey
}
// SAFETY: as above.
manycore_device::kernel! {
    /// A sweep.
    unsafe PLACE in manycore_kernels::sort::SWEEP: sweep_place
}

#[test]
fn keys_of_a_tile_that_never_runs_are_counted_by_those_behind() {
    const TILE: usize = 64 * 4;
    const TICKETS: usize = 4;
    for device in opencl_devices() {
        let Executor::OpenCl(cl) = device.executor() else { continue };
        let len = 3 * TILE + 7;
        let keys: Vec<u32> = (0..len).map(|i| bits(i) as u32 | 1).collect();
        let defines = Defines::new().set("KEY", "uint").set("GROUP", 64).set("PER", 4).set("WAIT_TURNS", "2u");
        let (survey, place) = (cl.kernel(&SURVEY, &defines).unwrap(), cl.kernel(&PLACE, &defines).unwrap());
        let (mut a, mut b) = (device.upload(&keys).unwrap(), device.zeros::<u32>(len).unwrap());
        let mut control = device.zeros::<u32>(16 + 4 * 256).unwrap();
        let mut states = device.scratch::<u32>(2 * 4 * 256).unwrap();
        let (mut none, mut other_none) = (device.zeros::<u32>(1).unwrap(), device.zeros::<u32>(1).unwrap());
        cl.launch(&survey)
            .input(&a)
            .value(len as u64)
            .value(0u32)
            .value(0u32)
            .value(4 * 256u64)
            .buffer(&mut control)
            .buffer(&mut states)
            .groups(2, 64)
            .run()
            .unwrap();
        // The first tile has begun, as it seems.
        let mut words = control.download().unwrap();
        words[TICKETS] = 1;
        let mut control = device.upload(&words).unwrap();
        cl.launch(&place)
            .buffer(&mut a)
            .buffer(&mut b)
            .buffer(&mut none)
            .buffer(&mut other_none)
            .value(len as u64)
            .value(0u32)
            .value(0u32)
            .value(0u32)
            .buffer(&mut control)
            .buffer(&mut states)
            .groups(4, 64)
            .run()
            .unwrap();
        let mut order: Vec<usize> = (0..len).collect();
        order.sort_by_key(|&i| keys[i] & 0xff);
        let expected: Vec<u32> = order.iter().map(|&i| if i < TILE { 0 } else { keys[i] }).collect();
        assert!(b.download().unwrap() == expected, "{device:?}");
    }
}
