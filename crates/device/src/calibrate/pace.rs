//! Whether a processor is still the machine that was calibrated.

use std::hint::black_box;
use std::time::Instant;

use super::handover;
use super::loops::turns;
use crate::calibrate::host::LANES;
use crate::device::{Device, Executor};
use crate::host::HostPool;

/// Looks, of which the fastest counts: what disturbs one of them only adds.
const LOOKS: usize = 5;
/// Turns of a thread's loop of multiply-adds: about 10 us.
const TURNS: usize = 5_000;
/// How many times as long or as short a word's way is, at most, in the same places, and how many times as fast multiply-adds are.
const SAME_HANDOVER: f64 = 1.75;
const SAME_RATE: f64 = 1.4;

/// How fast the threads of a host are at the moment, and how far from each other: what tells in about a millisecond, or
/// in up to 25 where threads wait for a core, whether a machine is still the one that was calibrated.
///
/// The processors of a virtual machine may move. Two of a Zen 5 lay for some seconds, up to a minute, on cores with a common
/// cache, on cores without, or on one core. A word takes 40 ns from one to the other in the first case and 200 in the second,
/// and all threads move half as many bytes again of memory there; in the third they have half as many multiply-adds. These are
/// three machines, and a prediction is of one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Multiply-adds of `f32` a second, of all threads together.
    pub multiply_adds: f64,
    /// See [`Machine::handover_seconds`](manycore_model::Machine::handover_seconds); `None` for a single thread, and where
    /// the threads do not all run at the same time.
    pub handover_seconds: Option<f64>,
}

impl Pace {
    /// Whether both are of the same machine: words take less than 1.75 times as long in one as in the other, multiply-adds
    /// less than 1.4 times.
    pub fn agrees(&self, other: &Self) -> bool {
        let within = |a: f64, b: f64, most: f64| a.max(b) < most * a.min(b);
        let near = match (self.handover_seconds, other.handover_seconds) {
            (Some(a), Some(b)) => within(a, b, SAME_HANDOVER),
            (a, b) => a.is_some() == b.is_some(),
        };
        near && within(self.multiply_adds, other.multiply_adds, SAME_RATE)
    }

    pub(super) fn of(pool: &HostPool) -> Self {
        let threads = pool.threads();
        let seconds = |_| {
            let start = Instant::now();
            pool.team().each(0..threads, |_| {
                black_box(turns(black_box([3f32; LANES]), TURNS));
            });
            start.elapsed().as_secs_f64()
        };
        // The first one wakes threads.
        let least = (0..=LOOKS).map(seconds).fold(f64::INFINITY, f64::min);
        Self {
            multiply_adds: (LANES * TURNS * threads) as f64 / least,
            handover_seconds: (0..LOOKS).filter_map(|_| handover::measure(pool)).min_by(f64::total_cmp),
        }
    }
}

impl Device {
    /// The host's pace now; `None` for devices of OpenCL.
    ///
    /// ```
    /// use manycore_device::Device;
    /// let pace = Device::host_with(1)?.pace().expect("a host");
    /// assert!(pace.multiply_adds > 0.0 && pace.handover_seconds.is_none());
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    pub fn pace(&self) -> Option<Pace> {
        match self.executor() {
            Executor::Host(pool) => Some(Pace::of(pool)),
            Executor::OpenCl(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_agree_within_bounds() {
        let near = Pace { multiply_adds: 1e11, handover_seconds: Some(4e-8) };
        assert!(near.agrees(&near) && near.agrees(&Pace { multiply_adds: 1.3e11, handover_seconds: Some(6e-8) }));
        let others = [
            Pace { handover_seconds: Some(2e-7), ..near },
            Pace { handover_seconds: None, ..near },
            Pace { multiply_adds: 5e10, ..near },
        ];
        for other in others {
            assert!(!near.agrees(&other) && !other.agrees(&near), "{other:?}");
        }
        let alone = Pace { handover_seconds: None, ..near };
        assert!(alone.agrees(&alone));
    }

    #[test]
    fn hosts_have_a_pace() {
        let one = Device::host_with(1).unwrap().pace().unwrap();
        assert!(one.multiply_adds.is_finite() && one.multiply_adds > 0.0 && one.handover_seconds.is_none());
        assert!(Device::host_with(2).unwrap().pace().unwrap().multiply_adds > 0.0);
    }
}
