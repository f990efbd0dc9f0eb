//! Work enqueued ahead of the device: bounded where a control may cancel it, since what is enqueued can only be waited for.
//!
//! Launches are counted in windows. When one is full, a marker ends it, and the host waits for the marker before: so a window runs
//! while the next one is enqueued, and at most two are under way. Work that has no [`Control`](crate::Control) is not bounded.

use std::sync::{Arc, Mutex, PoisonError};

use super::objects::{Event, Queue};
use crate::control;
use crate::error::DeviceError;

/// Launches of a window: hundreds of microseconds of the least kernels, against some microseconds of a marker.
const LAUNCHES: u64 = 64;
/// Bytes and operations of a window: a quarter to half a second on two cores of a processor, less than a millisecond on a GPU.
const BYTES: u64 = 1 << 28;
const OPERATIONS: u64 = 1 << 30;

/// What was enqueued on a device's queue since the last marker, and that marker.
#[derive(Debug, Default)]
pub(crate) struct Ahead(Mutex<Window>);

#[derive(Debug, Default)]
struct Window {
    launches: u64,
    bytes: u64,
    operations: u64,
    marker: Option<Arc<Event>>,
}

impl Window {
    /// Counts a launch; whether the window is full, which begins the next one.
    fn count(&mut self, bytes: u64, operations: u64) -> bool {
        self.launches += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.operations = self.operations.saturating_add(operations);
        let is_full = self.launches >= LAUNCHES || self.bytes >= BYTES || self.operations >= OPERATIONS;
        if is_full {
            (self.launches, self.bytes, self.operations) = (0, 0, 0);
        }
        is_full
    }
}

impl Ahead {
    /// Notes a launch of this thread, and waits for the window before the one that it fills.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when the runtime refuses a marker, or the work before it failed; [`DeviceError::Cancelled`].
    pub(crate) fn enqueued(&self, queue: &Queue, bytes: u64, operations: u64, device: &str) -> Result<(), DeviceError> {
        if !control::is_controlled() {
            return Ok(());
        }
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !window.count(bytes, operations) {
            return Ok(());
        }
        let marker = Arc::new(queue.marker(device)?);
        let before = window.marker.replace(marker);
        // Other threads go on enqueuing.
        drop(window);
        queue.flush(device)?;
        if let Some(before) = before {
            before.wait(device)?;
        }
        control::checkpoint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_full_by_launches_bytes_or_operations() {
        let mut window = Window::default();
        for _ in 0..2 {
            assert!((1..LAUNCHES).all(|_| !window.count(1, 1)));
            assert!(window.count(1, 1));
        }
        assert!(!window.count(BYTES - 1, 0) && window.count(1, 0));
        assert!(!window.count(0, OPERATIONS - 1) && window.count(0, u64::MAX));
        assert!(!window.count(0, 0));
    }
}
