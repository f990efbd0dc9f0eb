//! The host's memory that a driver takes: asked for before the driver is called, since one that lacks memory may end the process.

use std::sync::{Mutex, PoisonError};

use manycore_files::memory::{fits, free_bytes, take};

use crate::error::DeviceError;
use crate::info::{DeviceInfo, DeviceKind};

/// What a processor's driver takes and keeps, its compiler above all: `PoCL` 3.1 has 86 MB in memory after it has built the kernels of
/// a determinant.
const DRIVER_BYTES: u64 = 128 << 20;

/// What the building of a program takes beside that and gives back, for each byte of its source, four times as much as seen: `PoCL` 3.1 took
/// 230 bytes a byte at most for sources of 5 to 34 kB.
const BUILDING_BYTES: u64 = 1 << 10;

/// What a driver keeps beside the bytes of a block, at most.
const BLOCK_BYTES: u64 = 1 << 12;

/// Takes what a processor's driver keeps, once for all such devices.
///
/// # Errors
/// [`DeviceError::OutOfMemory`].
pub(super) fn of_driver(info: &DeviceInfo) -> Result<(), DeviceError> {
    static IS_TAKEN: Mutex<bool> = Mutex::new(false);
    let mut is_taken = IS_TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    if info.kind == DeviceKind::Cpu && !*is_taken {
        take(DRIVER_BYTES).map_err(|free| no_room(info, DRIVER_BYTES, free))?;
        *is_taken = true;
    }
    Ok(())
}

/// Checks that the host has the memory that the driver's compiler takes for a source of `source_bytes` bytes.
pub(super) fn of_building(info: &DeviceInfo, source_bytes: usize) -> Result<(), DeviceError> {
    of_call(info, (source_bytes as u64).saturating_mul(BUILDING_BYTES))
}

/// Checks that the host has the memory that the driver takes for a block of `bytes` bytes: the whole block where the device's memory is the
/// host's.
pub(super) fn of_block(info: &DeviceInfo, bytes: usize) -> Result<(), DeviceError> {
    of_call(info, BLOCK_BYTES.saturating_add(bytes as u64))
}

fn of_call(info: &DeviceInfo, bytes: u64) -> Result<(), DeviceError> {
    if info.kind != DeviceKind::Cpu || fits(bytes) { Ok(()) } else { Err(no_room(info, bytes, free_bytes())) }
}

fn no_room(info: &DeviceInfo, wanted_bytes: u64, free_or_limit_bytes: u64) -> DeviceError {
    DeviceError::OutOfMemory {
        device: info.name.clone(),
        wanted_bytes,
        free_or_limit_bytes,
        reason: "the host's memory that is free for its driver",
    }
}
