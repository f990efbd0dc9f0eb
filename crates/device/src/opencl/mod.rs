//! The OpenCL executor: one device with its context, two queues, memory pool and built programs.

mod ahead;
pub mod builders;
#[cfg(feature = "opencl")]
pub(crate) mod calls;
#[cfg(feature = "opencl")]
mod facts;
#[cfg(feature = "opencl")]
mod interop;
pub(crate) mod kernel;
mod lanes;
pub(crate) mod launch;
pub(crate) mod memory;
mod object;
#[cfg(feature = "opencl")]
pub(crate) mod objects;
pub(crate) mod program;
#[cfg(feature = "opencl")]
mod remembered;
mod room;
#[cfg(feature = "opencl")]
pub(crate) mod source;
pub(crate) mod staging;
#[cfg(not(feature = "opencl"))]
mod stand_in;
pub(crate) mod startup;

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use self::calls::failure;
use self::objects::{Context, DeviceId, Queue};
use crate::cache_files;
use crate::calibrate::KeptMachine;
use crate::control::uncontrolled;
use crate::error::DeviceError;
use crate::info::DeviceInfo;
use crate::profile::Recorder;
use crate::self_test::{self, Proof, SelfTest};
use crate::waits::{self, Waiting};

#[cfg(feature = "opencl")]
pub(crate) use facts::{all, best, expected, is_listed};
#[cfg(not(feature = "opencl"))]
pub(crate) use stand_in::{all, best, calls, expected, is_listed, objects};

/// Bytes of local memory that devices were seen to give.
const LOCAL_CANDIDATES: [usize; 4] = [232_448 - 256, 163_840, 98_304, 65_536];
/// The kind of cache file of the local memory that a device gives.
const LOCAL_KIND: &str = "local-1";

/// An OpenCL device, as the primitives of an operation see it.
///
/// Kernels run in order on one queue. A second queue carries overlapped transfers (see
/// [`Device::overlap`](crate::Device::overlap)).
#[derive(Debug)]
pub struct OpenCl {
    id: DeviceId,
    info: DeviceInfo,
    /// What its self-test found, once it is known; handles with other limits share it.
    proof: Arc<OnceLock<Proof>>,
    /// A primitive that the self-test is made to find wrong.
    broken: Option<String>,
    /// The context and the queue of a device that runs on a given queue.
    given: Option<(Arc<Context>, Arc<Queue>)>,
    /// The facts without double precision, for a device that computes it wrong.
    without_fp64: OnceLock<DeviceInfo>,
    opened: OnceLock<Result<Opened, DeviceError>>,
    local_limit: OnceLock<usize>,
    /// Whether it offers less than the device has.
    is_limited: bool,
    pub(crate) recorder: Recorder,
    pub(crate) machine: Arc<KeptMachine>,
    pub(crate) startup: Arc<startup::StartupRecord>,
    pub(crate) builders: Arc<builders::Builders>,
    /// Further queues of it, made as they are asked for ([`Device::lanes`](crate::Device::lanes)).
    lanes: Mutex<Vec<Arc<Self>>>,
}

/// What an earlier listing tells of GPUs.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "opencl"), allow(dead_code))]
pub(crate) enum Expected<T> {
    /// Nothing: there was none.
    Unknown,
    /// That there is none.
    None,
    /// The best one.
    Gpu(T),
}

/// What exists once a device is used for the first time; listing devices creates no context.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) fill: OnceLock<kernel::Kernel>,
    /// Lanes share it.
    pub(crate) programs: Arc<program::Programs>,
    pub(crate) pool: memory::Pool,
    pub(crate) staging: staging::Staging,
    pub(crate) ahead: ahead::Ahead,
    pub(crate) queue: Arc<Queue>,
    pub(crate) transfers: Queue,
    pub(crate) context: Arc<Context>,
}

impl OpenCl {
    fn new(id: DeviceId, info: DeviceInfo) -> Self {
        Self {
            id,
            info,
            proof: Arc::default(),
            broken: None,
            given: None,
            without_fp64: OnceLock::new(),
            opened: OnceLock::new(),
            local_limit: OnceLock::new(),
            is_limited: false,
            recorder: Recorder::default(),
            machine: Arc::default(),
            startup: Arc::default(),
            builders: Arc::default(),
            lanes: Mutex::default(),
        }
    }

    /// A device with what an earlier process found of it.
    fn known(id: DeviceId, info: DeviceInfo) -> Self {
        let device = Self::new(id, info);
        if let Some(proof) = self_test::kept(&device.info) {
            let _ = device.proof.set(proof);
        }
        device
    }

    /// The same device, opened anew, as one whose self-test finds a primitive wrong.
    pub(crate) fn with_broken(&self, primitive: &str) -> Self {
        Self { broken: Some(primitive.to_owned()), ..Self::new(self.id, self.info.clone()) }
    }

    /// The same device, opened anew, as one that has so much less local memory and such smaller groups.
    pub(crate) fn limited(&self, local_bytes: usize, group_limit: usize) -> Self {
        let info = DeviceInfo {
            local_memory_bytes: self.info.local_memory_bytes.min(local_bytes as u64),
            group_limit: self.info.group_limit.min(group_limit).max(1),
            ..self.info.clone()
        };
        let (proof, broken) = (Arc::clone(&self.proof), self.broken.clone());
        let limited = Self { proof, broken, is_limited: true, ..Self::new(self.id, info) };
        // What larger arrays the driver would give is not asked for.
        let _ = limited.local_limit.set(limited.info.local_memory_bytes as usize);
        limited
    }

    /// Whether it is a device that offers less than it has ([`Device::limited`](crate::Device::limited)).
    pub fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// The device's facts: without double precision where the self-test found that wrong.
    pub fn info(&self) -> &DeviceInfo {
        if !self.info.fp64 || self.proof.get().is_none_or(Proof::double) {
            return &self.info;
        }
        self.without_fp64.get_or_init(|| DeviceInfo { fp64: false, ..self.info.clone() })
    }

    /// What is known of the device's self-test, by this process or an earlier one.
    pub fn self_test(&self) -> SelfTest {
        self.proof.get().map_or(SelfTest::Unknown, Proof::told)
    }

    /// Whether kernels may compute residues in double precision: the device has it, and computed the known answers.
    /// Opens the device, at the first use of which they are compared.
    pub fn floating_residues(&self) -> bool {
        let is_right = |proof: &Proof| proof.double_products() && proof.refusal(&self.info).is_none();
        let known = || self.proof.get().map(is_right);
        self.info.fp64 && known().unwrap_or_else(|| self.opened().is_ok() && known().unwrap_or(true))
    }

    /// Whether the device has a cache of a quarter megabyte a compute unit or more, of which kernels may ask, in
    /// NVIDIA's assembly, that lines stay: compute capability 8.0, and from 8.9 on.
    pub fn keeps_lines(&self) -> bool {
        self.info.compute_capability().is_some_and(|capability| capability == 80 || capability >= 89)
    }

    /// Whether what is measured of it is true of the device: it offers all that the device has, and is not made to fail.
    pub(crate) fn is_whole(&self) -> bool {
        !self.is_limited && self.broken.is_none()
    }

    /// The device's name, for messages.
    pub(crate) fn name(&self) -> &str {
        &self.info.name
    }

    pub(crate) fn raw_id(&self) -> DeviceId {
        self.id
    }

    pub(crate) fn opened(&self) -> Result<&Opened, DeviceError> {
        let open = || waits::note(Waiting::Opening, || self.info.id.clone(), || uncontrolled(|| self.open()));
        self.opened.get_or_init(open).as_ref().map_err(Clone::clone)
    }

    /// Makes what the device needs, and lets it prove itself where that is not known.
    fn open(&self) -> Result<Opened, DeviceError> {
        let refused = |proof: &Proof| proof.refusal(&self.info).map_or(Ok(()), Err);
        self.proof.get().map_or(Ok(()), refused)?;
        self.take_room_of_driver()?;
        self.begin_builders()?;
        let begun = Instant::now();
        let (context, queue) = if let Some(given) = &self.given {
            given.clone()
        } else {
            let context = Context::of(self.id, self.name())?;
            let queue = Queue::of(&context, self.id, self.name())?;
            (Arc::new(context), Arc::new(queue))
        };
        self.builders.open();
        let opened = Opened {
            fill: OnceLock::new(),
            programs: Arc::default(),
            pool: memory::Pool::default(),
            staging: staging::Staging::default(),
            ahead: ahead::Ahead::default(),
            queue,
            transfers: Queue::of(&context, self.id, self.name())?,
            context,
        };
        // A context that the caller gave was open.
        if self.given.is_none() {
            self.startup.opened(begun.elapsed());
        }
        if self.proof.get().is_some() {
            return Ok(opened);
        }
        // A handle of its own, opened already and trusted: the test uses the device as operations do, beside this
        // device's profiles and programs.
        let bench = Self {
            proof: Arc::new(OnceLock::from(Proof::trusted())),
            opened: OnceLock::from(Ok(opened)),
            startup: Arc::clone(&self.startup),
            builders: Arc::clone(&self.builders),
            ..Self::new(self.id, self.info.clone())
        };
        let test = || self_test::prove(&bench, self.broken.as_deref());
        let proof = waits::note(Waiting::SelfTest, || self.info.id.clone(), test)?;
        bench.trim()?;
        refused(self.proof.get_or_init(|| proof))?;
        let mut opened =
            bench.opened.into_inner().unwrap_or_else(|| Err(failure(0, "clCreateContext", self.name())))?;
        opened.programs = Arc::default();
        Ok(opened)
    }

    /// Waits until every launch and copy enqueued so far has ended.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when one of them failed on the device.
    pub fn finish(&self) -> Result<(), DeviceError> {
        self.opened()?.queue.finish(self.name())
    }

    /// Bytes of local memory that a kernel's static arrays can have: at least the reported size.
    ///
    /// Some drivers report less than they give (48 KB where 227 KB work), so larger arrays are tried once, by building
    /// a kernel and running it.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when the device cannot be opened.
    pub fn local_limit_bytes(&self) -> Result<usize, DeviceError> {
        if let Some(&known) = self.local_limit.get() {
            return Ok(known);
        }
        let reported = self.info.local_memory_bytes as usize;
        if self.info.kind != crate::DeviceKind::Gpu {
            return Ok(*self.local_limit.get_or_init(|| reported));
        }
        let kept = || cache_files::read(LOCAL_KIND, &self.info)?.trim().parse().ok();
        let is_possible = |bytes: &usize| *bytes == reported || LOCAL_CANDIDATES.contains(bytes);
        if let Some(kept) = kept().filter(is_possible) {
            return Ok(*self.local_limit.get_or_init(|| kept));
        }
        self.opened()?;
        Ok(*self.local_limit.get_or_init(|| {
            let has_more = |&bytes: &usize| bytes > reported && self.has_local(bytes).unwrap_or(false);
            let found = LOCAL_CANDIDATES.into_iter().find(has_more).unwrap_or(reported);
            if self.is_whole() {
                // Where it cannot be kept, the next process tries again.
                let _ = cache_files::write(LOCAL_KIND, &self.info, &format!("{found}\n"));
            }
            found
        }))
    }

    /// The kernel that is tried first to find out how much local memory there is.
    pub(crate) fn probe_of_local_memory() -> (&'static kernel::KernelSpec, program::Defines) {
        (&LOCAL_PROBE, probe_defines(LOCAL_CANDIDATES[0]))
    }

    fn has_local(&self, bytes: usize) -> Result<bool, DeviceError> {
        let words = probe_words(bytes);
        let groups = self.info.compute_units.max(1) as usize;
        let kernel = self.kernel(&LOCAL_PROBE, &probe_defines(bytes))?;
        let (memory, size) = self.allocate(groups * 4)?;
        let outcome = (|| {
            self.launch(&kernel).memory(&memory, crate::WordType::U32).value(1u32).groups(groups, 64).run()?;
            let mut kept = vec![0u8; groups * 4];
            self.read(&memory, 0, &mut kept)?;
            Ok(kept.chunks_exact(4).all(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]) as usize == words))
        })();
        self.release(memory, size);
        outcome
    }
}

/// Words of the probe's array, beside which it keeps 64.
const fn probe_words(bytes: usize) -> usize {
    bytes / 4 - 64
}

fn probe_defines(bytes: usize) -> program::Defines {
    program::Defines::new().set("LOCAL_WORDS", probe_words(bytes))
}

// SAFETY: `OpenCl::has_local` alone launches it, with one word of memory for each group.
crate::kernel! {
    /// Counts the words of static local memory that groups get.
    unsafe LOCAL_PROBE in manycore_kernels::device::LOCAL_PROBE: local_probe
}
