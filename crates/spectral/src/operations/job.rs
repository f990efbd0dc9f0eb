//! Jobs that transform runs of values: in the memory of one device, in blocks by several or through one, or in files without a name.

use std::ops::{Deref, DerefMut};

use manycore_device::{Buffer, Device, DeviceError, DeviceKind, DeviceSet, Word};
use manycore_operation::files::memory;
use manycore_operation::json::Json;
use manycore_operation::left::{self, Mapped, Scratch};
use manycore_operation::verify::{Outcome, Passed};
use manycore_operation::{Answer, Job, OperationError, Task, Value, ValueError, unmade};

use super::options::direction_name;
use super::runs::Runs;
use crate::Direction;
use crate::error::SpectralError;

/// The transform of values of a type.
pub(super) trait Work<T: Word>: 'static {
    /// Whether several devices share it, and it goes through one in blocks where it does not fit.
    const IS_SHARED: bool;

    /// The values of a word.
    const VALUES: usize = 1;

    /// Refuses values whose transform leaves their type.
    ///
    /// # Errors
    /// What is wrong with the values.
    fn refuse(&self, _x: &[T], _runs: &Runs) -> Result<(), OperationError> {
        Ok(())
    }

    /// The seconds that a device is estimated to take.
    ///
    /// # Errors
    /// Those of the transform.
    fn predicted_seconds(&self, device: &Device, len: usize) -> Result<f64, SpectralError>;

    /// Transforms values on their device.
    ///
    /// # Errors
    /// Those of the transform.
    fn transform(&self, device: &Device, values: &mut Buffer<T>) -> Result<(), SpectralError>;

    /// Transforms values of the host in blocks by several devices, or through one.
    ///
    /// # Errors
    /// Those of the transform.
    fn over(&self, _devices: &DeviceSet, _values: &mut [T]) -> Result<(), SpectralError> {
        Err(DeviceError::elsewhere().into())
    }

    /// Whether coefficients come out in another order than that of the passes in place.
    fn is_ordered(&self) -> bool {
        false
    }

    /// Makes the result of what the transform gives.
    ///
    /// # Errors
    /// That the values have no result of their type.
    fn finish(&self, _y: &mut [T], _runs: &Runs) -> Result<(), OperationError> {
        Ok(())
    }

    /// Checks a result.
    ///
    /// # Errors
    /// The difference of a wrong one.
    fn check(&self, x: &[T], y: &[T], seed: u64) -> Outcome;

    /// Checks what the transform gave, of which [`Work::finish`] made no result.
    fn check_unfinished(&self, _x: &[T], _y: &[T], _seed: u64) -> Option<Outcome> {
        None
    }

    /// The result.
    fn value(&self, y: Vec<T>) -> Value;

    /// The result, where it is in a file.
    fn left(&self, y: Scratch<T>) -> Value {
        self.value(y.to_vec())
    }

    /// The work as one whose time is estimated.
    fn task(&self, sizes: Vec<(&'static str, u64)>) -> Task;

    /// The direction.
    fn direction(&self) -> Direction;

    /// The algorithm, where it has a name.
    fn algorithm(&self) -> Option<&'static str>;

    /// What the result depends on beside the runs and the direction.
    fn parameters(&self) -> Vec<(&'static str, Json)>;
}

/// What is transformed: values in memory, or left in their file.
enum Input<T> {
    Memory(Vec<T>),
    File(Mapped<T>, left::Numbers),
}

impl<T: Word> Deref for Input<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Memory(values) => values,
            Self::File(values, _) => values,
        }
    }
}

/// What it becomes: values in memory, or in a file without a name.
enum Storage<T> {
    Memory(Vec<T>),
    File(Scratch<T>),
}

impl<T: Word> Deref for Storage<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Memory(values) => values,
            Self::File(values) => values,
        }
    }
}

impl<T: Word> DerefMut for Storage<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Memory(values) => values,
            Self::File(values) => values,
        }
    }
}

/// How the work is done.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Plan {
    /// All values at once on one device, with the estimated seconds.
    AtOnce(f64),
    /// In blocks.
    Blocks,
}

/// A job.
pub(super) struct Transforms<T, W> {
    work: W,
    runs: Runs,
    x: Input<T>,
    /// `None` before it is prepared.
    plan: Option<Plan>,
    y: Option<Storage<T>>,
}

impl<T: Word, W: Work<T>> Transforms<T, W> {
    /// The transforms of values in memory.
    pub(super) fn new(work: W, runs: Runs, x: Vec<T>) -> Self {
        Self { work, runs, x: Input::Memory(x), plan: None, y: None }
    }

    /// The transforms of values that are left in their file.
    pub(super) fn of_file(work: W, runs: Runs, x: Mapped<T>, numbers: left::Numbers) -> Self {
        Self { work, runs, x: Input::File(x, numbers), plan: None, y: None }
    }

    /// The device that has all values at once, where one does.
    fn device<'d>(&self, devices: &'d DeviceSet) -> Option<&'d Device> {
        let (Input::Memory(x), Some(device)) = (&self.x, devices.devices().first()) else { return None };
        if !W::IS_SHARED {
            return Some(device);
        }
        let bytes = size_of_val(&x[..]) as u64;
        let fits = bytes <= device.room_bytes().min(device.info().largest_allocation_bytes);
        (fits && devices.devices().len() == 1).then_some(device)
    }

    /// Transforms all values on a device; `None` where the second buffer has no room, and blocks may have.
    fn at_once(&self, device: &Device) -> Result<Option<Vec<T>>, SpectralError> {
        let transformed = || {
            let mut buffer = device.upload(&self.x)?;
            self.work.transform(device, &mut buffer)?;
            Ok(buffer.download()?)
        };
        match transformed() {
            Err(SpectralError::Device(DeviceError::OutOfMemory { .. })) if W::IS_SHARED => Ok(None),
            outcome => outcome.map(Some),
        }
    }

    fn in_blocks(&self, devices: &DeviceSet) -> Result<Storage<T>, OperationError> {
        let mut values = match &self.x {
            Input::File(_, numbers) => Storage::File(numbers.copy()?),
            Input::Memory(x) => {
                let mut values = Vec::new();
                memory::reserve(&mut values, x.len(), || "the transform".to_owned())?;
                values.extend_from_slice(x);
                Storage::Memory(values)
            }
        };
        // Of the host twice itself: blocks are put in order in place, where all values at once take as much memory again.
        let twice = match (devices.devices(), &self.x) {
            ([device], Input::File(..)) if self.work.is_ordered() && device.info().kind == DeviceKind::Host => {
                Some(DeviceSet::equal(vec![device.clone(), device.clone()])?)
            }
            _ => None,
        };
        self.work.over(twice.as_ref().unwrap_or(devices), &mut values)?;
        Ok(values)
    }
}

impl<T: Word, W: Work<T>> Job for Transforms<T, W> {
    fn task(&self) -> Option<Task> {
        let (n, values) = (self.runs.len as u64, (W::VALUES * self.x.len()) as u64);
        Some(self.work.task(vec![("n", n), ("batch", values / n.max(1))]))
    }

    fn is_shared(&self) -> bool {
        W::IS_SHARED
    }

    fn prepare(&mut self, devices: &DeviceSet) -> Result<(), OperationError> {
        self.work.refuse(&self.x, &self.runs)?;
        self.plan = Some(match self.device(devices) {
            Some(device) => Plan::AtOnce(self.work.predicted_seconds(device, self.x.len())?),
            None => Plan::Blocks,
        });
        Ok(())
    }

    fn is_waited_for(&self) -> bool {
        self.plan == Some(Plan::Blocks)
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        if self.plan.is_none() {
            self.prepare(devices)?;
        }
        let device = self.device(devices).filter(|_| matches!(self.plan, Some(Plan::AtOnce(_))));
        let at_once = device.map(|device| self.at_once(device)).transpose()?.flatten();
        let mut y = if let Some(values) = at_once {
            Storage::Memory(values)
        } else {
            self.plan = Some(Plan::Blocks);
            self.in_blocks(devices)?
        };
        let finished = self.work.finish(&mut y, &self.runs);
        self.y = Some(y);
        finished
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let y = self.y.as_ref().ok_or_else(unmade)?;
        Ok(self.work.check(&self.x, y, seed)?)
    }

    fn check_refusal(&self, refused: &OperationError, seed: u64) -> Option<Result<Passed, OperationError>> {
        // The values are to blame only if the device is not.
        let ValueError::NotSpectrum { .. } = refused.of()? else { return None };
        let outcome = self.work.check_unfinished(&self.x, self.y.as_ref()?, seed)?;
        Some(outcome.map_err(OperationError::from))
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { work, runs, plan, y, .. } = *self;
        let (algorithm, direction, parameters) = (work.algorithm(), work.direction(), work.parameters());
        let value = match y {
            None => Value::None,
            Some(Storage::Memory(values)) => work.value(values),
            Some(Storage::File(values)) => work.left(values),
        };
        let answer = Answer::of(value).with("length", runs.len).with("transforms", runs.all);
        let answer = answer.with("direction", direction_name(direction));
        let answer = parameters.into_iter().fold(answer, |answer, (name, value)| answer.with(name, value));
        let predicted_seconds = if let Some(Plan::AtOnce(seconds)) = plan { Some(seconds) } else { None };
        Answer { algorithm, predicted_seconds, ..answer }
    }
}
