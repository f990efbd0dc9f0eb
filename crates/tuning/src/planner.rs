//! The planner: a known choice, else a measured one where the device's mode says so, else the best estimate.

use std::sync::Arc;

use manycore_device::timing;
use manycore_device::{
    Cache, Defines, Device, DeviceError, DeviceKind, Executor, Kernel, KernelSpec, OpenCl, TuningMode,
};
use manycore_kernels::Unit;
use manycore_model::Machine;

use crate::choose::{Choice, Costed, NoChoice, Origin, TuningCost, choose};
use crate::known;
use crate::measure::{Turn, contenders, cost, measure};

/// The device of an operation, the machine that it plans for, and the kernels built so far: the base of the contexts of all
/// operations.
#[derive(Debug)]
pub struct Planner {
    device: Device,
    machine: Machine,
    /// Whether the machine is the device's own.
    is_own: bool,
    mode: TuningMode,
    kernels: Cache<(usize, Defines), Kernel>,
}

/// What identifies a choice from process to process.
#[derive(Debug, Clone)]
pub struct TuningTask<'a> {
    /// The operation, its types and its shape but for `count`, and whatever else changes which candidates there are. The device
    /// and the driver need not be named.
    pub key: String,
    /// Arrays side by side: choices hold for numbers with the same power of two.
    pub count: usize,
    /// The code that the candidates run: another text makes what was kept void.
    pub sources: Sources<'a>,
}

/// The code that an operation's candidates run.
#[derive(Debug, Clone, Copy)]
pub enum Sources<'a> {
    /// The units of OpenCL kernels.
    Kernels(&'a [&'static Unit]),
    /// Code of the host: the revision of its source files ([`revision!`](crate::revision)).
    Host(u64),
}

impl Planner {
    /// A planner for `device` by its machine (the calibrated one where there is one) and its mode ([`Device::tuning`]).
    pub fn new(device: &Device) -> Self {
        Self { is_own: true, mode: device.tuning(), ..Self::with_machine(device, device.machine()) }
    }

    /// A planner that plans for `machine` by estimates alone; it measures, reads and keeps nothing.
    pub fn with_machine(device: &Device, machine: Machine) -> Self {
        Self { device: device.clone(), machine, is_own: false, mode: TuningMode::Estimate, kernels: Cache::default() }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The machine that it plans for.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// How it chooses.
    pub fn mode(&self) -> TuningMode {
        self.mode
    }

    /// Whether the device is the host.
    pub fn on_host(&self) -> bool {
        matches!(self.device.executor(), Executor::Host(_))
    }

    /// A kernel with these defines: built at its first use, then kept.
    ///
    /// # Errors
    /// [`DeviceError`] where it does not build.
    pub fn kernel(&self, cl: &OpenCl, spec: &'static KernelSpec, defines: Defines) -> Result<Arc<Kernel>, DeviceError> {
        // Two units may have entries of the same name.
        self.kernels.get((std::ptr::from_ref(spec).addr(), defines), |(_, defines)| cl.kernel(spec, defines))
    }

    /// The choice among an operation's candidates for `size`: a known one where the mode lets it count, else a measured one
    /// where the mode says so, else the best estimate.
    ///
    /// `run` does the work of one candidate once, on data of its own, and may enqueue it; it is called only to measure. A
    /// candidate whose run fails is no choice: the operation itself tells the error where no other is left. Threads measure one
    /// after the other; whoever waits for a measurement holds no lock but that.
    ///
    /// # Errors
    /// [`NoChoice`] where no candidate fits.
    pub fn choose<C: Costed, E: From<DeviceError>>(
        &self,
        operation: &C,
        size: &C::Size,
        task: &TuningTask<'_>,
        mut run: impl FnMut(&C::Parameters) -> Result<(), E>,
    ) -> Result<Choice<C::Parameters>, NoChoice> {
        let mut choice = match self.larger_machine() {
            Some(machine) => choose(operation, size, &machine)?,
            None => choose(operation, size, &self.machine)?,
        };
        let is_tuned = self.device.info().kind != DeviceKind::Cpu;
        if choice.candidates().len() == 1 || !is_tuned {
            return Ok(choice);
        }
        let best = choice.best().parameters.clone();
        let contenders = contenders(&choice, |other| operation.gives_same_bits(size, &best, other));
        choice.tuning_cost = cost(&choice, &contenders);
        if self.mode == TuningMode::Estimate || contenders.len() < 2 {
            return Ok(choice);
        }
        let may_stand = |other: &C::Parameters| operation.gives_same_bits(size, &best, other);
        let (key, revision) = (bucket(task), revision(task.sources));
        if self.take_kept(&mut choice, &key, revision, task.count, &may_stand) {
            return Ok(choice);
        }
        if self.mode != TuningMode::Measure {
            self.take_shipped(&mut choice, &key, task.count, &may_stand);
            return Ok(choice);
        }
        let _turn = Turn::wait();
        // Another thread may have measured it meanwhile.
        if self.take_kept(&mut choice, &key, revision, task.count, &may_stand) {
            return Ok(choice);
        }
        let measured =
            measure(&choice, contenders, |parameters, first| timing::sample(&self.device, first, || run(parameters)));
        let arrays = task.count.max(1) as f64;
        let mut texts: Vec<(String, f64)> =
            measured.iter().map(|&(i, seconds)| (text(&choice, i), seconds / arrays)).collect();
        texts.sort_by(|a, b| a.1.total_cmp(&b.1));
        if choice.note(&measured, Origin::Measured) {
            known::keep(self.device.info(), &key, revision, texts);
            choice.tuning_cost = TuningCost::default();
        }
        Ok(choice)
    }

    /// The device's machine with the local memory that the device gives, where that is more than its driver reports and no
    /// calibration told it.
    fn larger_machine(&self) -> Option<Machine> {
        let Executor::OpenCl(cl) = self.device.executor() else { return None };
        let local_bytes = cl.local_limit_bytes().ok().filter(|_| self.is_own)? as u64;
        (local_bytes > self.machine.local_bytes).then(|| Machine { local_bytes, ..self.machine.clone() })
    }

    /// Takes a choice that was kept; whether there is one.
    fn take_kept<P: Clone + std::fmt::Display>(
        &self,
        choice: &mut Choice<P>,
        key: &str,
        revision: u64,
        count: usize,
        may_stand: &impl Fn(&P) -> bool,
    ) -> bool {
        let Some(measured) = known::kept(self.device.info(), key, revision) else { return false };
        let found: Vec<(usize, f64)> = measured
            .iter()
            .filter_map(|(text, seconds)| Some((index_of(choice, text, may_stand)?, seconds * count.max(1) as f64)))
            .collect();
        let is_taken = choice.note(&found, Origin::Kept);
        if is_taken {
            choice.tuning_cost = TuningCost::default();
        }
        is_taken
    }

    /// Takes a choice that ships with the library, of the nearest device whose candidate there is here.
    fn take_shipped<P: Clone + std::fmt::Display>(
        &self,
        choice: &mut Choice<P>,
        key: &str,
        count: usize,
        may_stand: &impl Fn(&P) -> bool,
    ) {
        for shipped in known::shipped(self.device.info(), key) {
            if let Some(i) = index_of(choice, &shipped.candidate, may_stand) {
                let origin = Origin::Shipped { device: shipped.device, level: shipped.level };
                choice.note(&[(i, shipped.seconds * count.max(1) as f64)], origin);
                return;
            }
        }
    }
}

/// The key of a choice, with the power of two of its count.
fn bucket(task: &TuningTask<'_>) -> String {
    match task.count.max(1).ilog2() {
        0 => task.key.clone(),
        log => format!("{}, 2^{log} arrays", task.key),
    }
}

fn revision(sources: Sources<'_>) -> u64 {
    match sources {
        Sources::Kernels(kernels) => known::revision_of_kernels(kernels),
        Sources::Host(revision) => revision,
    }
}

fn text<P: std::fmt::Display>(choice: &Choice<P>, i: usize) -> String {
    choice.candidates()[i].parameters.to_string()
}

/// The candidate with this text that may stand for the best estimate.
fn index_of<P: std::fmt::Display>(choice: &Choice<P>, text: &str, may_stand: &impl Fn(&P) -> bool) -> Option<usize> {
    let candidates = choice.candidates();
    let is_it = |&i: &usize| candidates[i].parameters.to_string() == text;
    (0..candidates.len()).find(is_it).filter(|&i| i == 0 || may_stand(&candidates[i].parameters))
}
