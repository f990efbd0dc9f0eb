//! The device as a value.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::control;
use crate::error::DeviceError;
use crate::host::HostPool;
use crate::info::{DeviceInfo, DeviceKind, KeptMachine};
use crate::opencl::executor::OpenCl;
use crate::profile::Profile;
use crate::proof::{SelfTest, SelfTestMode};
use crate::tuning::TuningMode;

/// Results of fewer bytes are computed without a look at the memory, which takes longer than they do.
const SMALL_BYTES: u64 = 64 << 20;

/// A device: the host, or one that OpenCL offers. A cheap handle; cloning it shares everything.
///
/// ```
/// use manycore_device::Device;
///
/// for device in Device::all() {
///     println!("{}", device.info());
/// }
/// let device = Device::host();
/// let mut x = device.upload(&[1u32, 2, 3])?;
/// x.fill(7)?;
/// assert_eq!(x.download()?, [7, 7, 7]);
/// # Ok::<(), manycore_device::DeviceError>(())
/// ```
#[derive(Clone)]
pub struct Device {
    inner: Inner,
    /// `None` for what the variable says.
    tuning: Option<TuningMode>,
    /// `None` for what the variable says.
    proofs: Option<SelfTestMode>,
}

#[derive(Clone)]
enum Inner {
    Host(Arc<HostPool>),
    OpenCl(Arc<OpenCl>),
}

/// What a primitive runs on: it has one form for each.
#[derive(Debug, Clone, Copy)]
pub enum Executor<'a> {
    /// The host's threads.
    Host(&'a HostPool),
    /// An OpenCL device.
    OpenCl(&'a OpenCl),
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.info().id)
    }
}

impl PartialEq for Device {
    /// Whether both are handles of one device, whatever their modes.
    fn eq(&self, other: &Self) -> bool {
        match (&self.inner, &other.inner) {
            (Inner::Host(a), Inner::Host(b)) => Arc::ptr_eq(a, b),
            (Inner::OpenCl(a), Inner::OpenCl(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for Device {}

impl Device {
    fn of(inner: Inner) -> Self {
        Self { inner, tuning: None, proofs: None }
    }

    /// The handle of an OpenCL device.
    pub(crate) fn of_opencl(cl: Arc<OpenCl>) -> Self {
        Self::of(Inner::OpenCl(cl))
    }

    /// The host with all its processors.
    pub fn host() -> Self {
        static HOST: OnceLock<Device> = OnceLock::new();
        HOST.get_or_init(|| {
            // A system that gives no thread beside this one gets a pool that runs on the calling thread.
            let pool = HostPool::new(0).unwrap_or_else(|_| HostPool::on_caller());
            Self::of(Inner::Host(Arc::new(pool)))
        })
        .clone()
    }

    /// The host with `threads` threads; 0 stands for all processors.
    ///
    /// # Errors
    /// [`DeviceError::TooLarge`] for more than [`MOST_THREADS`](crate::MOST_THREADS); [`DeviceError::Threads`] when the
    /// system gives no such number of threads.
    pub fn host_with(threads: usize) -> Result<Self, DeviceError> {
        Ok(Self::of(Inner::Host(Arc::new(HostPool::new(threads)?))))
    }

    /// A view of an OpenCL device with at most the given bytes of local memory and items of a group; the host
    /// unchanged.
    ///
    /// Tiles are then small, and work-items keep as many values as make a group fill the local memory, so that short
    /// inputs take as many passes over memory as long ones do elsewhere: tests reach every algorithm of an operation by
    /// it. The handle is a device of its own, with its own queues, memory and kernels.
    ///
    /// ```
    /// use manycore_device::Device;
    /// for device in Device::opencl().unwrap_or_default() {
    ///     let limited = device.limited(1 << 10, 32);
    ///     assert!(limited.info().local_memory_bytes <= 1 << 10 && limited.info().group_limit <= 32);
    ///     assert_ne!(limited, device);
    /// }
    /// ```
    #[must_use]
    pub fn limited(&self, local_bytes: usize, group_limit: usize) -> Self {
        match &self.inner {
            Inner::Host(_) => self.clone(),
            Inner::OpenCl(cl) => {
                Self { inner: Inner::OpenCl(Arc::new(cl.limited(local_bytes, group_limit))), ..self.clone() }
            }
        }
    }

    /// An OpenCL device as another one whose self-test finds a primitive wrong, whose kernel is built with a mistake;
    /// the host as it is. Tests see by it what is refused, and what falls back on other arithmetic.
    /// [`self_test::primitives`](crate::self_test::primitives) names them; a name that is none of these changes
    /// nothing. What is found is not kept.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceError};
    /// for device in Device::opencl().unwrap_or_default() {
    ///     let broken = device.with_broken("32-bit mul_hi");
    ///     let outcome = broken.upload(&[1u32, 2]);
    ///     assert!(matches!(outcome, Err(DeviceError::SelfTest { failure, .. }) if failure.primitive == "32-bit mul_hi"));
    /// }
    /// ```
    #[must_use]
    pub fn with_broken(&self, primitive: &str) -> Self {
        match &self.inner {
            Inner::Host(_) => self.clone(),
            Inner::OpenCl(cl) => Self { inner: Inner::OpenCl(Arc::new(cl.with_broken(primitive))), ..self.clone() },
        }
    }

    /// The device as `count` that work side by side: itself, and others with a queue each, which share its memory. While one copies,
    /// another computes, so that work cut into parts takes the time of its transfers or of its kernels, whichever is longer. The
    /// host, whose threads share every step, is one lane.
    ///
    /// Each is a device of its own: buffers are used with the lane that made them. A device keeps its lanes, with the tables and
    /// blocks of memory of theirs; 0 counts as 1.
    ///
    /// ```
    /// use manycore_device::Device;
    /// let lanes = Device::from_env()?.lanes(3)?;
    /// let buffers = lanes.iter().map(|lane| lane.upload(&[7u32; 100])).collect::<Result<Vec<_>, _>>()?;
    /// assert!(buffers[0].device() == &Device::from_env()?);
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::Api`] where the runtime gives no further queue, or the device cannot be opened.
    pub fn lanes(&self, count: usize) -> Result<Vec<Self>, DeviceError> {
        let mut lanes = vec![self.clone()];
        if let Inner::OpenCl(cl) = &self.inner {
            let others = cl.lanes(count.max(1) - 1)?;
            lanes.extend(others.into_iter().map(|cl| Self { inner: Inner::OpenCl(cl), ..self.clone() }));
        }
        Ok(lanes)
    }

    /// The bytes that new buffers on the device can have at most, by its memory, the buffers that exist, and the limit of the
    /// [`Control`](crate::Control) that the calling thread works under. Drivers keep some memory for themselves.
    pub fn room_bytes(&self) -> u64 {
        let room = match self.executor() {
            Executor::Host(_) => manycore_files::memory::free_bytes().min(self.info().memory_bytes),
            Executor::OpenCl(cl) => cl.room_bytes(),
        };
        room.min(control::room(&self.info().id))
    }

    /// The bytes that work in parts may take: those that new buffers can have, and of an OpenCL device nine tenths of its memory at most,
    /// for the sake of what drivers keep.
    pub fn usable_bytes(&self) -> u64 {
        let info = self.info();
        let most = if info.kind == DeviceKind::Host { u64::MAX } else { info.memory_bytes / 10 * 9 };
        most.min(self.room_bytes())
    }

    /// Checks that new buffers of `bytes` bytes together fit the device ([`Device::room_bytes`]): for a check before the work, where the
    /// size of its result is known. Bytes of less than 64 MiB are compared with the limit of the [`Control`](crate::Control) alone, which
    /// takes no time.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceError};
    /// let device = Device::host();
    /// device.has_room(1 << 20)?;
    /// assert!(matches!(device.has_room(u64::MAX), Err(DeviceError::OutOfMemory { .. })));
    /// # Ok::<(), DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] with both numbers; [`DeviceError::Cancelled`].
    pub fn has_room(&self, bytes: u64) -> Result<(), DeviceError> {
        control::checkpoint()?;
        let limit = control::room(&self.info().id);
        let room = if bytes < SMALL_BYTES { limit } else { limit.min(self.room_bytes()) };
        if bytes <= room {
            return Ok(());
        }
        Err(DeviceError::OutOfMemory {
            device: self.info().id.clone(),
            wanted_bytes: bytes,
            free_or_limit_bytes: room,
            reason: if room == limit { control::LIMIT } else { "the memory that is free" },
        })
    }

    /// How operations on this handle choose among their algorithms: the mode of [`Device::with_tuning`], else the one
    /// that the variable `MANYCORE_TUNING` names, else [`TuningMode::Kept`]. Always [`TuningMode::Estimate`] on a CPU
    /// through OpenCL.
    pub fn tuning(&self) -> TuningMode {
        match self.info().kind {
            DeviceKind::Cpu => TuningMode::Estimate,
            _ => self.tuning.unwrap_or_else(TuningMode::from_env),
        }
    }

    /// Another handle of this device, whose operations choose by `mode`. Both handles are equal, and buffers made with
    /// one are used with the other.
    ///
    /// ```
    /// use manycore_device::{Device, TuningMode};
    /// let device = Device::host();
    /// let estimating = device.with_tuning(TuningMode::Estimate);
    /// assert_eq!(estimating.tuning(), TuningMode::Estimate);
    /// assert_eq!(estimating, device);
    /// ```
    #[must_use]
    pub fn with_tuning(&self, mode: TuningMode) -> Self {
        Self { tuning: Some(mode), ..self.clone() }
    }

    /// [`Device::with_tuning`] with [`TuningMode::Measure`].
    #[must_use]
    pub fn tuned(&self) -> Self {
        self.with_tuning(TuningMode::Measure)
    }

    /// When plans of operations on this handle are compared with the host before they are first taken: the mode of
    /// [`Device::with_proofs`], else the one that the variable `MANYCORE_SELF_TEST` names. Always [`SelfTestMode::Off`] on the
    /// host.
    pub fn proofs(&self) -> SelfTestMode {
        match &self.inner {
            Inner::Host(_) => SelfTestMode::Off,
            // A variable with another value is an error when the device is opened.
            Inner::OpenCl(_) => self.proofs.unwrap_or_else(|| SelfTestMode::from_env().unwrap_or_default()),
        }
    }

    /// Another handle of this device, whose operations prove their plans as `mode` says. Both handles are equal, and buffers made
    /// with one are used with the other. The known-answer tests of primitives at the opening of the device stay as they are.
    ///
    /// ```
    /// use manycore_device::{Device, SelfTestMode};
    /// for device in Device::opencl().unwrap_or_default() {
    ///     let trusted = device.with_proofs(SelfTestMode::Off);
    ///     assert_eq!((trusted.proofs(), &trusted), (SelfTestMode::Off, &device));
    /// }
    /// assert_eq!(Device::host().with_proofs(SelfTestMode::Always).proofs(), SelfTestMode::Off);
    /// ```
    #[must_use]
    pub fn with_proofs(&self, mode: SelfTestMode) -> Self {
        Self { proofs: Some(mode), ..self.clone() }
    }

    /// What is known of the device's self-test, from this process or an earlier one; nothing is run for it.
    pub fn self_test(&self) -> SelfTest {
        match &self.inner {
            Inner::Host(_) => SelfTest::Unknown,
            Inner::OpenCl(cl) => cl.self_test(),
        }
    }

    /// Whether OpenCL kernels of the device may compute residues modulo primes below 2^50 in double precision: where it
    /// has `cl_khr_fp64` and computed the known answers of its self-test, which the first use of the device runs. Never
    /// on the host.
    pub fn floating_residues(&self) -> bool {
        match &self.inner {
            Inner::Host(_) => false,
            Inner::OpenCl(cl) => cl.floating_residues(),
        }
    }

    /// The device's facts.
    pub fn info(&self) -> &DeviceInfo {
        match &self.inner {
            Inner::Host(host) => host.info(),
            Inner::OpenCl(cl) => cl.info(),
        }
    }

    /// Where the device's machine is kept once it is known.
    pub(crate) fn kept_machine(&self) -> &KeptMachine {
        match &self.inner {
            Inner::Host(host) => &host.machine,
            Inner::OpenCl(cl) => &cl.machine,
        }
    }

    /// What a primitive runs on.
    pub fn executor(&self) -> Executor<'_> {
        match &self.inner {
            Inner::Host(host) => Executor::Host(host),
            Inner::OpenCl(cl) => Executor::OpenCl(cl),
        }
    }

    /// Fails unless both are the same device.
    ///
    /// # Errors
    /// [`DeviceError::MixedDevices`] with both names.
    pub fn same_as(&self, other: &Self) -> Result<(), DeviceError> {
        if self == other {
            return Ok(());
        }
        Err(DeviceError::MixedDevices { expected: self.info().label(), given: other.info().label() })
    }

    /// Waits until everything enqueued on the device has ended.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when something failed on the device.
    pub fn finish(&self) -> Result<(), DeviceError> {
        match self.executor() {
            Executor::Host(_) => Ok(()),
            Executor::OpenCl(cl) => cl.finish(),
        }
    }

    /// Runs `work` and returns the profile of this device meanwhile, for all threads. One profile is taken at a time; a
    /// second thread that asks waits.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when something failed on the device; [`DeviceError::Unsupported`] inside another profile of
    /// the same thread.
    pub fn profile<R>(&self, work: impl FnOnce() -> R) -> Result<(R, Profile), DeviceError> {
        let (mut work, mut result) = (Some(work), None);
        let profile = self.profiled(&mut || result = work.take().map(|work| work()))?;
        Ok((result.ok_or_else(DeviceError::elsewhere)?, profile))
    }

    /// [`Device::profile`] without the type of the result: compiled once.
    fn profiled(&self, work: &mut dyn FnMut()) -> Result<Profile, DeviceError> {
        match &self.inner {
            Inner::Host(host) => host.recorder.collect("host", work, &mut || Ok(())),
            Inner::OpenCl(cl) => cl.recorder.collect(&cl.info().name, work, &mut || cl.finish()),
        }
    }
}
