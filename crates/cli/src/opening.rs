//! The GPU that computes is opened while the input is read: both take tenths of a second.

use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use manycore::{Device, DeviceKind};

/// Threads that open devices.
static OPENING: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// Opens a GPU beside what the process does.
pub(crate) fn begin(device: &Device) {
    if device.info().kind != DeviceKind::Gpu {
        return;
    }
    let device = device.clone();
    // An error here appears again, and is reported, where the device is used.
    let started = Builder::new().spawn(move || drop(device.finish()));
    OPENING.lock().unwrap_or_else(PoisonError::into_inner).extend(started);
}

/// Waits until none is being opened: no driver likes the end of a process meanwhile.
pub(crate) fn end() {
    let threads = std::mem::take(&mut *OPENING.lock().unwrap_or_else(PoisonError::into_inner));
    for thread in threads {
        drop(thread.join());
    }
}
