//! The context of sorts on a device: its planner, and the plans that were taken.

use manycore_device::Device;
use manycore_tuning::{Planner, Plans};

use super::plan::{SortPlan, SortShape};

/// Stable sorts of numbers on a device.
///
/// Sorts are O(keys) for each digit of 8 to 10 bits in which keys differ; keys that are sorted cost one reading.
///
/// Memory beside `n` keys of `K` bytes and values of `V` bytes, on an OpenCL device with a tile of `T` keys, 2048 to 10240 (counts of
/// sweeps have 8 bytes from `2^30` keys on, those of passes from `2^32` on):
///
/// | form | on the host | on an OpenCL device |
/// |---|---|---|
/// | [`sort`](Sorter::sort), [`sort_pairs`](Sorter::sort_pairs) | `(K + V) n` | `(K + V) n`, and `2048 n / T` bytes of counts |
/// | [`argsort`](Sorter::argsort) | `(2 K + 8) n` | `(2 K + 8) n` and counts |
/// | [`sort_segments`](Sorter::sort_segments) | `K n` | `(K + 8) n` and counts |
/// | [`first`](Sorter::first) | `K n`, and `2 K` for each that is asked for | `2 K n` and counts |
/// | [`sort_wide`](Sorter::sort_wide) | `48 n` | `32 n` and counts, `16 n` of the host |
///
/// Keys and values of the host are on the device as well while they are sorted there. What does not fit the device, or so much of it
/// as [`Sorter::memory_bytes`] grants, is sorted in blocks on several lanes, in `(K + V) n` more bytes of the host: by [`SharedSorter`](crate::SharedSorter),
/// which does so on several devices, too.
///
/// ```
/// use manycore_device::Device;
/// use manycore_sort::{SortOrder, Sorter};
///
/// let sorter = Sorter::new(&Device::from_env()?);
/// let mut temperatures = [21.5f32, -3.0, 17.25, -0.0, 0.0];
/// sorter.sort(&mut temperatures, SortOrder::Descending)?;
/// assert_eq!(temperatures.map(f32::to_bits), [21.5, 17.25, 0.0, -0.0, -3.0].map(f32::to_bits));
/// assert_eq!(sorter.argsort(&[30u32, 10, 20], SortOrder::Ascending)?, [1, 2, 0]);
/// # Ok::<(), manycore_sort::SortError>(())
/// ```
#[derive(Debug)]
pub struct Sorter {
    pub(super) planner: Planner,
    /// The plan that was asked for.
    pub(super) asked: Option<SortPlan>,
    /// Bytes of an OpenCL device that a sort may take at a time.
    pub(super) memory_bytes: Option<u64>,
    pub(super) chosen: Plans<SortShape, SortPlan>,
}

impl Sorter {
    /// Sorts on this device.
    pub fn new(device: &Device) -> Self {
        Self { planner: Planner::new(device), asked: None, memory_bytes: None, chosen: Plans::default() }
    }

    /// Sorts by this plan whatever the planner would choose: the same results by every plan.
    ///
    /// # Errors
    /// Sorts tell [`SortError::NoChoice`](crate::SortError::NoChoice) where the plan does not suit the device or the number of keys.
    #[must_use]
    pub fn by(self, plan: SortPlan) -> Self {
        Self { asked: Some(plan), ..self }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }
}
