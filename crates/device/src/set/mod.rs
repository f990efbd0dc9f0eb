//! Several devices as one.

mod into;
mod lanes;
mod share;

use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use self::share::Shares;
use crate::control::{Control, checkpoint, shared};
use crate::device::Device;
use crate::error::DeviceError;

pub use lanes::{LANES, Lanes, NoRoom, Room, most_fitting};

thread_local! {
    static IS_SHARING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread does a part of the work that several devices or lanes share: what its launches take then depends on what the
/// others do, and memory that a device has left may be wanted by them.
pub fn is_sharing() -> bool {
    IS_SHARING.get()
}

/// Several devices that share independent work, such as the batches of a transform.
///
/// ```
/// use manycore_device::{Device, DeviceSet};
/// let set = DeviceSet::new(vec![Device::host(), Device::host_with(1)?], &[3.0, 1.0])?;
/// assert_eq!(set.partition(100, 8), [0..72, 72..100]);
/// # Ok::<(), manycore_device::DeviceError>(())
/// ```
#[derive(Debug, Clone)]
pub struct DeviceSet {
    devices: Vec<Device>,
    weights: Vec<f64>,
    /// Shared by clones.
    failures: Arc<Mutex<Vec<Failure>>>,
}

/// A device of a set that failed at work which others then did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The device, as `opencl:0 (NAME)`.
    pub device: String,
    /// Its error.
    pub reason: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed, and others did its work: {}", self.device, self.reason)
    }
}

impl From<Device> for DeviceSet {
    /// A set of one.
    fn from(device: Device) -> Self {
        Self { devices: vec![device], weights: vec![1.0], failures: Arc::default() }
    }
}

impl DeviceSet {
    /// Devices with their shares of the work, which need not sum to 1.
    ///
    /// # Errors
    /// [`DeviceError::Length`] for no device, or for another number of weights or one that is not positive and finite.
    pub fn new(devices: Vec<Device>, weights: &[f64]) -> Result<Self, DeviceError> {
        let good = weights.iter().filter(|w| w.is_finite() && **w > 0.0).count();
        if devices.is_empty() || good != devices.len() || weights.len() != devices.len() {
            let expected = devices.len().max(1);
            let given = if weights.len() == devices.len() { good } else { weights.len() };
            return Err(DeviceError::Length { what: "positive weights of a device set", expected, given });
        }
        Ok(Self { devices, weights: weights.to_vec(), failures: Arc::default() })
    }

    /// Devices with equal shares.
    ///
    /// # Errors
    /// [`DeviceError::Length`] for no device.
    pub fn equal(devices: Vec<Device>) -> Result<Self, DeviceError> {
        let weights = vec![1.0; devices.len()];
        Self::new(devices, &weights)
    }

    /// The same devices, each as so many [lanes](Device::lanes): work shared among them is copied and computed at the same time. 0 is for
    /// memory that no two lanes fit: one lane of each device, where the set has several of one itself.
    ///
    /// # Errors
    /// As [`Device::lanes`] where no device has any; others are left out, and are among the [failures](DeviceSet::failures).
    pub fn lanes(&self, count: usize) -> Result<Self, DeviceError> {
        let mut set = Self { devices: Vec::new(), weights: Vec::new(), failures: Arc::clone(&self.failures) };
        let mut refused = Vec::new();
        for (at, (device, &weight)) in self.devices.iter().zip(&self.weights).enumerate() {
            if count == 0 && self.devices[..at].iter().any(|other| other.info().id == device.info().id) {
                continue;
            }
            match device.lanes(count) {
                Ok(lanes) => {
                    set.weights.resize(set.weights.len() + lanes.len(), weight / lanes.len() as f64);
                    set.devices.extend(lanes);
                }
                Err(error) => refused.push((device, error)),
            }
        }
        match refused.first() {
            Some((_, error)) if set.devices.is_empty() => return Err(error.clone()),
            _ => {}
        }
        set.note(refused);
        Ok(set)
    }

    /// Some devices with equal shares, whose failures are among those of this set.
    ///
    /// # Errors
    /// As [`DeviceSet::equal`].
    pub fn of(&self, devices: Vec<Device>) -> Result<Self, DeviceError> {
        Ok(Self { failures: Arc::clone(&self.failures), ..Self::equal(devices)? })
    }

    /// The devices that failed at work which others then did, of all calls so far of this set, its clones and its lanes.
    pub fn failures(&self) -> Vec<Failure> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note<'a>(&self, failed: impl IntoIterator<Item = (&'a Device, impl fmt::Display)>) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        for (device, error) in failed {
            let failure = Failure { device: device.info().label(), reason: error.to_string() };
            if !failures.contains(&failure) {
                failures.push(failure);
            }
        }
    }

    /// The devices.
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// `0..len` cut into one range a device, by weight, at multiples of `granularity` (0 counts as 1) or at the end;
    /// ranges may be empty.
    pub fn partition(&self, len: usize, granularity: usize) -> Vec<Range<usize>> {
        let granularity = granularity.max(1);
        let total: f64 = self.weights.iter().sum();
        let mut passed = 0.0;
        let mut start = 0;
        let last = self.devices.len() - 1;
        self.weights
            .iter()
            .enumerate()
            .map(|(i, weight)| {
                passed += weight;
                let cut = (len as f64 * (passed / total) / granularity as f64).round() as usize;
                let end = if i == last { len } else { cut.saturating_mul(granularity).clamp(start, len) };
                let range = start..end;
                start = end;
                range
            })
            .collect()
    }

    /// Runs `work` once for each device with its range, on one thread each under the caller's [`Control`], and collects the results in the devices'
    /// order.
    ///
    /// # Errors
    /// The error of the first device, in their order, whose work failed; [`DeviceError::Length`], before any work, for
    /// another number of ranges than devices; [`DeviceError::Threads`] when the system gives no thread.
    ///
    /// # Panics
    /// When `work` panicked, with its panic, after the others have ended.
    pub fn run<R: Send, E: Send + From<DeviceError>>(
        &self,
        ranges: &[Range<usize>],
        work: impl Fn(&Device, Range<usize>) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        if ranges.len() != self.devices.len() {
            let (expected, given) = (self.devices.len(), ranges.len());
            return Err(DeviceError::Length { what: "ranges of a device set", expected, given }.into());
        }
        let results: Vec<Mutex<Option<Result<R, E>>>> = ranges.iter().map(|_| Mutex::new(None)).collect();
        let refused = side_by_side(ranges.len(), &|at| {
            let result = work(&self.devices[at], ranges[at].clone());
            *results[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        });
        let mut all = Vec::with_capacity(results.len());
        for (result, refused) in results.into_iter().zip(refused) {
            match result.into_inner().unwrap_or_else(PoisonError::into_inner) {
                Some(result) => all.push(result?),
                None => return Err(refused.unwrap_or_else(DeviceError::elsewhere).into()),
            }
        }
        Ok(all)
    }

    /// Shares `0..len` by measured speed: each device, on a thread of its own under the caller's [`Control`], does ranges of
    /// multiples of `granularity` (0 counts as 1) until nothing is left, larger ones the faster it is. The results with their
    /// ranges, which follow each other from 0 to `len`; a set of one device does one range, on the caller's thread.
    ///
    /// A device whose work fails gets no more of it in this call, what it had is done again by the others, and it is among the
    /// [failures](DeviceSet::failures) from then on. So `work` leaves nothing changed where it fails.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceError, DeviceSet};
    /// let set = DeviceSet::equal(vec![Device::host_with(1)?, Device::host_with(1)?])?;
    /// let broken = &set.devices()[0];
    /// let sums = set.share(1000, 1, |device, range| {
    ///     if device == broken { Err(DeviceError::Threads { reason: "none".into() }) } else { Ok(range.sum::<usize>()) }
    /// })?;
    /// assert_eq!(sums.iter().map(|(_, sum)| sum).sum::<usize>(), 499_500);
    /// for failure in set.failures() {
    ///     eprintln!("{failure}"); // where the other one was not done before it began
    /// }
    /// # Ok::<(), DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// Where all devices failed, the error at the first range; the first one where the work was cancelled.
    /// [`DeviceError::Threads`] when the system gives no thread.
    ///
    /// # Panics
    /// When `work` panicked, with its panic, after the others have ended.
    pub fn share<R: Send, E: Error + Send + From<DeviceError>>(
        &self,
        len: usize,
        granularity: usize,
        work: impl Fn(&Device, Range<usize>) -> Result<R, E> + Sync,
    ) -> Result<Vec<(Range<usize>, R)>, E> {
        if len == 0 {
            return Ok(Vec::new());
        }
        if let [device] = self.devices.as_slice() {
            return Ok(vec![(0..len, work(device, 0..len)?)]);
        }
        // Results and errors stand in the order in which they come, and are known by their places.
        let (results, errors) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        let shared = self.share_ranges(len, granularity, &|device, range| match work(device, range) {
            Ok(result) => Ok(added(&results, result)),
            Err(error) => Err((error.to_string(), added(&errors, error))),
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut errors = errors.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared {
            Ok(ranges) => {
                let range = |(range, place): (Range<usize>, usize)| Some((range, results.get_mut(place)?.take()?));
                Ok(ranges.into_iter().filter_map(range).collect())
            }
            Err(Unshared::Failed(place)) => {
                let error = errors.get_mut(place).and_then(Option::take);
                Err(error.unwrap_or_else(|| DeviceError::elsewhere().into()))
            }
            Err(Unshared::Device(error)) => Err(error.into()),
        }
    }

    /// [`DeviceSet::share`] without the types of results and errors, which are known by numbers: compiled once.
    fn share_ranges(
        &self,
        len: usize,
        granularity: usize,
        work: &NumberedWork<'_>,
    ) -> Result<Vec<(Range<usize>, usize)>, Unshared> {
        let name = |device: &Device| device.info().name.clone();
        let is_equal = self.devices.iter().all(|device| name(device) == name(&self.devices[0]));
        let shares = Shares::new(len, granularity, &self.weights, is_equal);
        let (done, failed) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        let refused = side_by_side(self.devices.len(), &|at| {
            while let Some(turn) = shares.take(at) {
                let range = turn.range.clone();
                match work(&self.devices[at], range.clone()) {
                    Ok(place) => {
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((range, place));
                        turn.done();
                    }
                    Err((reason, place)) => {
                        failed.lock().unwrap_or_else(PoisonError::into_inner).push((range.start, at, reason, place));
                        turn.failed();
                        if checkpoint().is_err() {
                            shares.end();
                        }
                    }
                }
            }
        });
        if let Some(error) = refused.into_iter().flatten().next() {
            return Err(Unshared::Device(error));
        }
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.sort_by_key(|(start, at, ..)| (*start, *at));
        if !shares.is_done() {
            let first = failed.first().map(|&(.., place)| Unshared::Failed(place));
            return Err(first.unwrap_or_else(|| Unshared::Device(DeviceError::elsewhere())));
        }
        failed.sort_by_key(|(_, at, ..)| *at);
        self.note(failed.iter().map(|(_, at, reason, _)| (&self.devices[*at], reason)));
        done.sort_by_key(|(range, _)| range.start);
        Ok(done)
    }
}

/// Work on a range by a device: the number of its result, or its error's reason and number.
type NumberedWork<'a> = dyn Fn(&Device, Range<usize>) -> Result<usize, (String, usize)> + Sync + 'a;

/// Why work was not shared.
enum Unshared {
    /// By the error of this number.
    Failed(usize),
    Device(DeviceError),
}

/// Adds a value to a list; its place.
fn added<T>(list: &Mutex<Vec<Option<T>>>, value: T) -> usize {
    let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
    list.push(Some(value));
    list.len() - 1
}

/// Runs `work` with each number below `count` on a thread of its own, under the caller's control, and waits for all. The error
/// of each thread that the system refused.
///
/// # Panics
/// When `work` panicked, with its first panic, after the others have ended.
fn side_by_side(count: usize, work: &(dyn Fn(usize) + Sync)) -> Vec<Option<DeviceError>> {
    let control = &Control::current();
    let mut panic = None;
    let refused = std::thread::scope(|scope| {
        let start = |at: usize| {
            std::thread::Builder::new().spawn_scoped(scope, move || {
                // The thread ends with its work.
                IS_SHARING.set(true);
                shared(control.clone(), || work(at));
            })
        };
        let running: Vec<_> = (0..count).map(start).collect();
        let ended = running.into_iter().map(|thread| match thread {
            Ok(thread) => {
                if let Err(own) = thread.join() {
                    // To drop a second one may panic.
                    if panic.is_none() { panic = Some(own) } else { std::mem::forget(own) }
                }
                None
            }
            Err(error) => Some(DeviceError::Threads { reason: error.to_string() }),
        });
        ended.collect()
    });
    if let Some(panic) = panic {
        std::panic::resume_unwind(panic);
    }
    refused
}
