//! The OpenCL executor: one device with its context, two queues, memory pool and built programs.

use std::collections::HashMap;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use manycore_model::machine::Startup;

use super::ahead::Ahead;
use super::calls::failure;
use super::defines::Defines;
use super::kernel::Kernel;
use super::objects::{Context, DeviceId, Program, Queue};
use super::pinned::Staging;
use super::pool::Pool;
use super::room;
use crate::control::uncontrolled;
use crate::error::DeviceError;
use crate::info::{DeviceInfo, KeptMachine};
use crate::profile::Recorder;
use crate::proof::{Proof, SelfTest};
use crate::waits::{self, Waiting};

/// An OpenCL device, as the primitives of an operation see it.
///
/// Kernels run in order on one queue. A second queue carries overlapped transfers (see
/// [`Device::overlap`](crate::Device::overlap)).
#[derive(Debug)]
pub struct OpenCl {
    pub(super) id: DeviceId,
    pub(crate) info: DeviceInfo,
    /// What its self-test found, once it is known; handles with other limits share it.
    pub(crate) proof: Arc<OnceLock<Proof>>,
    /// A primitive that the self-test is made to find wrong.
    pub(super) broken: Option<String>,
    /// The context and the queue of a device that runs on a given queue.
    pub(super) given: Option<(Arc<Context>, Arc<Queue>)>,
    /// The facts without double precision, for a device that computes it wrong.
    pub(super) without_fp64: OnceLock<DeviceInfo>,
    pub(crate) opened: OnceLock<Result<Opened, DeviceError>>,
    pub(crate) local_limit: OnceLock<usize>,
    /// Whether it offers less than the device has.
    pub(super) is_limited: bool,
    pub(crate) recorder: Recorder,
    pub(crate) machine: Arc<KeptMachine>,
    pub(crate) start: Arc<dyn Start>,
    /// Further queues of the device, made on demand ([`Device::lanes`](crate::Device::lanes)).
    pub(super) lanes: Mutex<Vec<Arc<Self>>>,
}

/// The work at a device's start beside that of the runtime, and its cached results: the files above implement it.
pub(crate) trait Start: fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The start of another handle of the device, which is opened anew.
    fn anew(&self) -> Arc<dyn Start>;

    /// Does what comes before the opening.
    ///
    /// # Errors
    /// [`DeviceError::Variable`] for a variable that does not say what is to be done.
    fn begin(&self, device: &OpenCl) -> Result<(), DeviceError>;

    /// Hears that this process has its context.
    fn has_context(&self);

    /// Notes the seconds in which the device was opened.
    fn opened(&self, took: Duration);

    /// Finds out what the device computes right: `bench` is a handle of its own, opened already and trusted. With `broken`, as if
    /// that primitive were computed wrong.
    ///
    /// # Errors
    /// Those of what everything needs, where it did not run.
    fn prove(&self, bench: &OpenCl, broken: Option<&str>) -> Result<Proof, DeviceError>;

    /// Whether the driver has built a program of this hash before, in this process or an earlier one.
    fn was_built(&self, program: u64, info: &DeviceInfo) -> bool;

    /// Whether another process is going to build the program of this name.
    fn has_builder(&self, name: &str) -> bool;

    /// Waits while another process is at this program; whether one was.
    fn wait_for_builder(&self, name: &str) -> bool;

    /// Notes the seconds in which a program of this hash was built or loaded; none where another process built it meanwhile.
    fn built(&self, took: Option<Duration>, program: u64, info: &DeviceInfo);

    /// The device's start: as it was measured, where it was, else as it is typical.
    fn startup(&self, typical: Startup, info: &DeviceInfo) -> Startup;
}

/// A unit's address (paths need not be unique) and its defines.
pub(super) type Key = (usize, Defines);

/// The programs built so far.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    pub(super) built: Mutex<HashMap<Key, Arc<Program>>>,
    /// The programs built again with their hints; `None` where the hints make no difference.
    pub(super) wished: Mutex<HashMap<Key, Option<Arc<Program>>>>,
}

/// What exists once a device is used for the first time; listing devices creates no context.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) fill: OnceLock<Kernel>,
    /// Lanes share it.
    pub(crate) programs: Arc<Programs>,
    pub(crate) pool: Pool,
    pub(crate) staging: Staging,
    pub(crate) ahead: Ahead,
    pub(crate) queue: Arc<Queue>,
    pub(crate) transfers: Queue,
    pub(crate) context: Arc<Context>,
}

impl OpenCl {
    pub(crate) fn new(id: DeviceId, info: DeviceInfo, start: Arc<dyn Start>) -> Self {
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
            start,
            lanes: Mutex::default(),
        }
    }

    /// The device, opened again, with a self-test that finds a primitive wrong.
    pub(crate) fn with_broken(&self, primitive: &str) -> Self {
        Self { broken: Some(primitive.to_owned()), ..Self::new(self.id, self.info.clone(), self.start.anew()) }
    }

    /// The device, opened again, with at most `local_bytes` bytes of local memory and groups of at most `group_limit` items.
    pub(crate) fn limited(&self, local_bytes: usize, group_limit: usize) -> Self {
        let info = DeviceInfo {
            local_memory_bytes: self.info.local_memory_bytes.min(local_bytes as u64),
            group_limit: self.info.group_limit.min(group_limit).max(1),
            ..self.info.clone()
        };
        let (proof, broken) = (Arc::clone(&self.proof), self.broken.clone());
        let limited = Self { proof, broken, is_limited: true, ..Self::new(self.id, info, self.start.anew()) };
        // What larger arrays the driver would give is not asked for.
        let _ = limited.local_limit.set(limited.info.local_memory_bytes as usize);
        limited
    }

    /// The device on a queue of another context.
    #[cfg(feature = "opencl")]
    pub(crate) fn on(&self, context: Context, queue: Queue) -> Self {
        let (proof, given) = (Arc::clone(&self.proof), Some((Arc::new(context), Arc::new(queue))));
        Self { proof, given, ..Self::new(self.id, self.info.clone(), self.start.anew()) }
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

    /// Whether kernels may compute residues in double precision: the device supports it and passed the self-test of
    /// known answers. Opens the device, whose first use runs that test.
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
        room::of_driver(&self.info)?;
        self.start.begin(self)?;
        let begun = Instant::now();
        let (context, queue) = if let Some(given) = &self.given {
            given.clone()
        } else {
            let context = Context::of(self.id, self.name())?;
            let queue = Queue::of(&context, self.id, self.name())?;
            (Arc::new(context), Arc::new(queue))
        };
        self.start.has_context();
        let opened = Opened {
            fill: OnceLock::new(),
            programs: Arc::default(),
            pool: Pool::default(),
            staging: Staging::default(),
            ahead: Ahead::default(),
            queue,
            transfers: Queue::of(&context, self.id, self.name())?,
            context,
        };
        // A context that the caller gave was open.
        if self.given.is_none() {
            self.start.opened(begun.elapsed());
        }
        if self.proof.get().is_some() {
            return Ok(opened);
        }
        // A handle of its own, opened already and trusted: the test uses the device as operations do, beside this
        // device's profiles and programs.
        let bench = Self {
            proof: Arc::new(OnceLock::from(Proof::trusted())),
            opened: OnceLock::from(Ok(opened)),
            ..Self::new(self.id, self.info.clone(), Arc::clone(&self.start))
        };
        let test = || self.start.prove(&bench, self.broken.as_deref());
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

    /// Frees every block of the pool that no buffer holds, and those of its [lanes](crate::Device::lanes).
    ///
    /// # Errors
    /// [`DeviceError::Api`] when waiting for the device fails.
    pub fn trim(&self) -> Result<(), DeviceError> {
        let opened = self.opened()?;
        self.finish()?;
        opened.pool.clear();
        Ok(())
    }
}
