//! Device memory: the pool, its limits, and transfers large enough for pinned staging.

use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::{Buffer, Device, DeviceError, Executor, OpenCl};
use manycore_testkit::{devices, opencl_devices, simulated};
use rayon::prelude::*;

/// The tests look at the memory of whole devices, so they run one after the other.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn opencl(device: &Device) -> &OpenCl {
    match device.executor() {
        Executor::OpenCl(cl) => cl,
        Executor::Host(_) => panic!("{device:?} is no OpenCL device"),
    }
}

#[test]
fn memory_of_dropped_buffers_is_used_again() {
    let _turn = turn();
    for device in opencl_devices() {
        let cl = opencl(&device);
        cl.trim().unwrap();
        let before = cl.allocated_bytes();
        let make = || [1usize, 1000, 70_000].map(|len| device.upload(&vec![7u32; len]).unwrap());
        drop(make());
        let once = cl.allocated_bytes();
        let bytes = 4 * 71_001;
        assert!(once - before >= bytes && once - before <= bytes + bytes / 8 + 3 * 256, "{} bytes", once - before);
        for _ in 0..20 {
            drop(make());
            assert_eq!(cl.allocated_bytes(), once, "{device:?}: the pool grew");
        }
        let held = make();
        cl.trim().unwrap();
        assert_eq!(cl.allocated_bytes(), once, "{device:?}: memory of buffers that live was given back");
        assert!(held.iter().all(|x| x.download().unwrap().iter().all(|&v| v == 7)));
        drop(held);
        cl.trim().unwrap();
        assert_eq!(cl.allocated_bytes(), before, "{device:?}: the pool kept memory");
    }
}

/// A block that is handed out again while earlier commands on it still wait has what was written last.
#[test]
fn a_block_used_again_holds_its_new_content() {
    let _turn = turn();
    for device in opencl_devices() {
        let len = if simulated(&device) { 100 } else { 100_000 };
        for round in 0..20u32 {
            let mut x = device.scratch::<u32>(len).unwrap();
            x.fill(round).unwrap();
            drop(x);
            let mut y = device.scratch::<u32>(len).unwrap();
            y.fill(round + 1000).unwrap();
            let z = device.zeros::<u32>(len).unwrap();
            assert!(y.download().unwrap().iter().all(|&v| v == round + 1000), "{device:?}");
            assert!(z.download().unwrap().iter().all(|&v| v == 0), "{device:?}");
        }
    }
}

/// CPUs keep blocks from 4 MiB on in pages of the host's, which go with them.
#[test]
fn large_blocks_come_and_go() {
    const LARGE: usize = 1 << 20;
    let _turn = turn();
    for device in opencl_devices() {
        let cl = opencl(&device);
        let rounds = if simulated(&device) { 1 } else { 4 };
        for (round, len) in
            (0..rounds).flat_map(|round| [LARGE - 1, LARGE, LARGE + 1, 3 * LARGE + 7].map(|len| (round, len)))
        {
            let data: Vec<u32> = (round..).step_by(3).take(len).collect();
            let x = device.upload(&data).unwrap();
            let mut y = device.scratch::<u32>(len).unwrap();
            y.copy_from(&x).unwrap();
            drop(x);
            cl.trim().unwrap();
            let mut part = device.zeros::<u32>(LARGE / 2).unwrap();
            part.view_mut(..).unwrap().copy_from(y.view(len - LARGE / 2..).unwrap()).unwrap();
            assert_eq!(part.download().unwrap(), data[len - LARGE / 2..], "{device:?} {len}");
            drop(part);
            cl.trim().unwrap();
            assert!(y.download().unwrap() == data, "{device:?} {len}");
        }
    }
}

#[test]
fn a_buffer_past_the_largest_allocation_is_refused_with_the_sizes() {
    let _turn = turn();
    for device in devices() {
        let limit = device.info().largest_allocation_bytes;
        let error = |wanted: u64, error: DeviceError| match error {
            DeviceError::OutOfMemory { wanted_bytes, free_or_limit_bytes, .. } => {
                assert_eq!((wanted_bytes, free_or_limit_bytes), (wanted, limit), "{device:?}");
            }
            error => panic!("{error}"),
        };
        error(limit + 1, device.scratch::<u8>(limit as usize + 1).unwrap_err());
        let len = limit as usize / 8 + 1;
        error(8 * len as u64, device.zeros::<u64>(len).unwrap_err());
        assert!(matches!(device.scratch::<f64>(usize::MAX / 8 + 1), Err(DeviceError::OutOfMemory { .. })));
        assert!(matches!(device.scratch::<f64>(usize::MAX), Err(DeviceError::OutOfMemory { .. })));
        assert!(matches!(device.pinned::<f64>(usize::MAX), Err(DeviceError::OutOfMemory { .. })));
        round_trip(&device, 100, 0);
    }
}

#[test]
fn buffers_past_the_memory_are_refused_and_leave_it_usable() {
    let _turn = turn();
    for device in opencl_devices() {
        if simulated(&device) {
            continue;
        }
        let (cl, info) = (opencl(&device), device.info());
        cl.trim().unwrap();
        let before = cl.allocated_bytes();
        let len = info.largest_allocation_bytes as usize;
        let most = info.memory_bytes / info.largest_allocation_bytes;
        // Nothing is written, so that no memory is taken from anybody.
        let mut held: Vec<Buffer<u8>> = Vec::new();
        let error = loop {
            match device.scratch(len) {
                Ok(buffer) => held.push(buffer),
                Err(error) => break error,
            }
            assert!(held.len() as u64 <= most, "{device:?} gives more than it has");
        };
        let DeviceError::OutOfMemory { wanted_bytes, free_or_limit_bytes, reason, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(*wanted_bytes, len as u64);
        let existing = cl.allocated_bytes();
        assert!(existing - before >= (held.len() * len) as u64, "{error}");
        assert_eq!(*free_or_limit_bytes, info.memory_bytes.saturating_sub(existing), "{error}");
        assert!(reason.contains("driver") || free_or_limit_bytes < wanted_bytes, "{error}");
        drop(held);
        // The pool's blocks make room for blocks of another size.
        let smaller: Vec<Buffer<u8>> = (0..2).map(|_| device.scratch(len / 2).unwrap()).collect();
        drop(smaller);
        cl.trim().unwrap();
        assert_eq!(cl.allocated_bytes(), before);
        round_trip(&device, 1000, 0);
    }
}

/// Writes and reads `bytes` bytes at byte `start` of a buffer with some more.
fn round_trip(device: &Device, bytes: usize, start: usize) {
    let pattern: Vec<u8> = (0..251).collect();
    let data = pattern.repeat(bytes / 251 + 1);
    let data = &data[..bytes];
    let mut x = device.scratch::<u8>(start + bytes + 5).unwrap();
    x.fill(255).unwrap();
    x.view_mut(start..start + bytes).unwrap().write(data).unwrap();
    assert!(x.view(start..start + bytes).unwrap().download().unwrap() == data, "{device:?}: {bytes} bytes at {start}");
    let all = x.download().unwrap();
    assert!(all[..start].iter().chain(&all[start + bytes..]).all(|&byte| byte == 255), "{device:?}: bytes beside");
    assert!(all[start..start + bytes] == *data);
}

/// Sizes around 1 MiB, from which GPUs take pinned blocks, and around multiples of their 16 MiB.
#[test]
fn large_transfers_come_back_as_they_went() {
    const MIB: usize = 1 << 20;
    let _turn = turn();
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        for bytes in [MIB - 1, MIB, MIB + 1, 16 * MIB - 1, 16 * MIB, 16 * MIB + 1, 32 * MIB, 32 * MIB + 4097] {
            round_trip(&device, bytes, 0);
        }
        round_trip(&device, 48 * MIB + 3, 1);
        round_trip(&device, MIB, 4096);
    }
}

/// Tasks of one pool that transfer at the same time, and whose copies may take up each other, all end.
#[test]
fn tasks_of_a_pool_transfer_at_the_same_time() {
    let _turn = turn();
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        (0..8usize).into_par_iter().for_each(|i| round_trip(&device, (3 << 20) + 12_345 * i, i));
    }
}
