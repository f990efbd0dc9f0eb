//! Memory and threads that a host refuses, in processes of their own with limits that a shell sets.

#![cfg(unix)]

use std::process::Command;

use manycore_device::{Device, DeviceError, MOST_THREADS, memory_limit_bytes};
use manycore_testkit::devices;

/// The variable that makes [`child`] act: the process's limit in kibibytes.
const LIMIT: &str = "MANYCORE_LIMITS_TEST_KIBIBYTES";

/// What the processes do that the tests start.
#[test]
fn child() {
    let Some(limit) = std::env::var(LIMIT).ok().and_then(|text| text.parse::<u64>().ok()) else { return };
    if limit < FEW {
        let outcome = Device::host_with(MOST_THREADS);
        assert!(matches!(outcome, Err(DeviceError::Threads { .. })), "{outcome:?}");
        println!("limits held");
        return;
    }
    let limit = limit * 1024;
    assert_eq!(memory_limit_bytes(), limit);
    let device = Device::host();
    let info = device.info();
    assert_eq!((info.memory_bytes, info.largest_allocation_bytes), (limit, limit));
    let Err(DeviceError::OutOfMemory { wanted_bytes, free_or_limit_bytes, .. }) =
        device.zeros::<u8>(limit as usize + 1)
    else {
        panic!("more than the limit was given");
    };
    assert_eq!((wanted_bytes, free_or_limit_bytes), (limit + 1, limit));

    // Within the limit the process's own memory is in the way at some time: an error tells, and what is dropped is free again.
    // Large ones first: what the allocator had for small ones it may keep.
    for bytes in [64 << 20, 3 << 20, 100_000] {
        let mut buffers = Vec::new();
        let outcome = loop {
            match device.zeros::<u8>(bytes) {
                Ok(mut buffer) => {
                    // Written, so that the memory is really had.
                    buffer.as_host_mut().unwrap()[bytes / 2] = 1;
                    buffers.push(buffer);
                }
                Err(error) => break error,
            }
        };
        let DeviceError::OutOfMemory { device: told, wanted_bytes, free_or_limit_bytes, .. } = &outcome else {
            panic!("{outcome}");
        };
        assert!(told == "host" && *wanted_bytes >= bytes as u64 && *free_or_limit_bytes < limit, "{outcome}");
        assert!(buffers.len() * bytes > limit as usize / 4, "{} buffers of {bytes}", buffers.len());
        // Copies have no more room than one buffer that just did not fit.
        let copies: Result<Vec<_>, _> = (0..3).map(|_| buffers[0].download()).collect();
        assert!(bytes < 64 << 20 || matches!(copies, Err(DeviceError::OutOfMemory { .. })), "three copies were made");
        drop(buffers);
        device.zeros::<u8>(bytes).unwrap();
    }
    println!("limits held");
}

/// Kibibytes that are too few for the stacks of so many threads, 2 MiB each.
const FEW: u64 = 1 << 20;

#[test]
fn the_limit_of_the_address_space_is_an_error_not_an_abort() {
    // Enough for the program's threads, whose allocator takes 64 MiB of addresses each.
    within(2 << 20);
}

#[test]
fn threads_that_the_system_does_not_give_are_an_error_not_an_abort() {
    within(FEW / 2);
}

fn within(kibibytes: u64) {
    let mut command = Command::new("sh");
    let line = format!("ulimit -v {kibibytes} && exec \"$0\" --exact child --nocapture --test-threads 1");
    command.args(["-c", &line]).arg(std::env::current_exe().unwrap()).env(LIMIT, kibibytes.to_string());
    let output = command.env("RUST_BACKTRACE", "1").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("limits held"), "{text}");
}

#[test]
fn no_buffer_is_larger_than_what_the_process_can_have() {
    for device in devices() {
        let info = device.info();
        assert!(info.memory_bytes <= memory_limit_bytes() || info.kind == manycore_device::DeviceKind::Gpu, "{info}");
        assert!(info.largest_allocation_bytes <= info.memory_bytes, "{info}");
        let len = usize::try_from(info.largest_allocation_bytes).unwrap();
        for len in [len / 8 + 1, usize::MAX / 8, usize::MAX] {
            let outcome = device.zeros::<u64>(len);
            assert!(matches!(outcome, Err(DeviceError::OutOfMemory { .. })), "{device:?} {outcome:?}");
        }
    }
}

/// Systems promise more memory than they have: what is not written takes none, so that only counting refuses it.
#[test]
fn all_buffers_of_the_host_together_stay_within_the_limit() {
    let device = Device::host_with(1).unwrap();
    let quarter = usize::try_from(memory_limit_bytes() / 4).unwrap();
    let mut held = Vec::new();
    let outcome = loop {
        match device.zeros::<u8>(quarter) {
            Ok(buffer) => held.push(buffer),
            Err(error) => break error,
        }
    };
    assert!(held.len() <= 4, "{} quarters", held.len());
    let is_refused = |outcome: &DeviceError| matches!(outcome, DeviceError::OutOfMemory { free_or_limit_bytes, .. } if *free_or_limit_bytes < quarter as u64);
    assert!(is_refused(&outcome), "{outcome}");
    assert!(is_refused(&device.zeros::<u8>(quarter).unwrap_err()), "and again");
    drop(held);
    device.zeros::<u8>(quarter).unwrap();
}

#[test]
fn threads_past_the_bound_are_refused_at_once() {
    for (spec, size) in [
        ("host:1025", MOST_THREADS as u64 + 1),
        ("host:1000000", 1_000_000),
        ("host:18446744073709551615", u64::MAX),
        ("host:99999999999999999999999", u64::MAX),
    ] {
        let outcome = Device::select(spec);
        let expected =
            DeviceError::TooLarge { what: "threads".into(), size, limit: MOST_THREADS as u64, device: "host".into() };
        assert_eq!(outcome.unwrap_err(), expected, "{spec}");
    }
    assert!(matches!(Device::host_with(usize::MAX), Err(DeviceError::TooLarge { .. })));
    assert!(Device::host().info().compute_units as usize <= MOST_THREADS);
}
