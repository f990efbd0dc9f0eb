//! Jobs that transform or convolve functions on a group.

use manycore_arrays::orders;
use manycore_characters::AbelianGroup;
use manycore_device::DeviceSet;
use manycore_operation::verify::Passed;
use manycore_operation::{Answer, Job, OperationError, Task, Value, unmade};
use manycore_tuning::Choice;

use super::faults::OfValues;
use super::kinds::{Kind, Made};
use crate::context::Fourier;
use crate::error::FourierError;
use crate::numbers::Numbers;
use crate::transform::{Direction, Plan};

/// Which transform.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) is_inverse: bool,
    /// Whether the group was given, and is not that of all values.
    pub(super) is_given: bool,
    pub(super) group: AbelianGroup,
    /// The number of all functions.
    pub(super) count: usize,
}

/// A job.
pub(super) struct Functions<N: Numbers, K> {
    options: Options,
    numbers: N,
    kind: K,
    x: Vec<N::Word>,
    /// The second operand of a convolution.
    other: Option<Vec<N::Word>>,
    prepared: Option<Prepared>,
    y: Option<Vec<N::Word>>,
}

/// What is known before the work.
struct Prepared {
    fourier: Fourier,
    /// The plan of a part, as that of the whole adds up.
    plan: Option<Plan>,
    way: String,
    predicted_seconds: f64,
}

impl<N: Numbers, K: Kind<N>> Functions<N, K> {
    pub(super) fn new(options: Options, numbers: N, kind: K, [x, other]: [Option<Vec<N::Word>>; 2]) -> Self {
        Self { options, numbers, kind, x: x.unwrap_or_default(), other, prepared: None, y: None }
    }

    /// The number of functions that are transformed here.
    fn batch(&self) -> usize {
        self.x.len() / N::WORDS / (self.options.group.order() as usize).max(1)
    }

    /// The error of a group: without one that is given, of the values that make it.
    fn told(&self, error: FourierError) -> OperationError {
        if self.options.is_given { error.into() } else { OfValues(error).into() }
    }

    fn run(&self, prepared: &Prepared, devices: &DeviceSet) -> Result<Vec<N::Word>, FourierError> {
        let (device, group, Prepared { fourier, plan, .. }) = (&devices.devices()[0], &self.options.group, prepared);
        let mut buffer = device.upload(&self.x)?;
        let other = self.other.as_ref().map(|other| device.upload(other)).transpose()?;
        let direction = if self.options.is_inverse { Direction::Inverse } else { Direction::Forward };
        match &other {
            Some(other) => buffer = fourier.convolve(group, &self.numbers, &buffer, other)?,
            None => drop(fourier.transform(group, &self.numbers, direction, &mut buffer, plan.as_ref())?),
        }
        Ok(buffer.download()?)
    }
}

impl<N: Numbers, K: Kind<N>> Job for Functions<N, K> {
    fn task(&self) -> Option<Task> {
        let factors: Vec<String> = self.options.group.factors().iter().map(ToString::to_string).collect();
        let task = Task::of("fourier", vec![("batch", self.batch() as u64)]);
        Some(self.kind.task(task.with("", factors.join(","))))
    }

    fn prepare(&mut self, devices: &DeviceSet) -> Result<(), OperationError> {
        let (fourier, options, batch) = (Fourier::new(&devices.devices()[0]), &self.options, self.batch());
        let explain = |count| fourier.explain_transform(&options.group, &self.numbers, count);
        let choice = explain(options.count).map_err(|error| self.told(error))?;
        let best = choice.best();
        let of_part = (batch < options.count).then(|| explain(batch)).transpose()?;
        let plan = of_part.as_ref().and_then(|own| of_whole(own, &best.parameters)).cloned();
        let predicted_seconds = best.estimate.seconds * batch as f64 / options.count as f64;
        let way = best.parameters.to_string();
        self.prepared = Some(Prepared { fourier, plan, way, predicted_seconds });
        Ok(())
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        if self.prepared.is_none() {
            self.prepare(devices)?;
        }
        let Some(prepared) = &self.prepared else { return Err(unmade().into()) };
        let y = self.run(prepared, devices).map_err(|error| self.told(error))?;
        self.kind.room(y.len())?;
        self.y = Some(y);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let y = self.y.as_ref().ok_or_else(unmade)?;
        let is_inverse = self.options.is_inverse;
        let direction = if is_inverse { orders::Direction::Inverse } else { orders::Direction::Forward };
        let other = self.other.as_deref();
        self.kind.check(&Made { x: &self.x, other, y, direction, group: &self.options.group })
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { options, numbers, kind, other, prepared, y, .. } = *self;
        let (Some(prepared), Some(y)) = (prepared, y) else { return Answer::of(Value::None) };
        let operation = match (other, options.is_inverse) {
            (Some(_), _) => "convolution",
            (None, true) => "inverse",
            (None, false) => "forward",
        };
        let answer = Answer::of(kind.value(y)).with("numbers", numbers.name()).with("modulus", kind.modulus());
        let answer = answer.with("group", options.group.factors().to_vec()).with("functions", options.count);
        let answer = answer.with("operation", operation).with("way", prepared.way);
        Answer { predicted_seconds: Some(prepared.predicted_seconds), ..answer }
    }
}

/// The plan of a part of the functions that adds up as that of the whole, which may differ in the steps that a pass takes together: with
/// other sums results would be rounded in another order.
fn of_whole<'p>(own: &'p Choice<Plan>, whole: &Plan) -> Option<&'p Plan> {
    let sums = |plan: &Plan| (plan.tile_values, plan.largest_dense, plan.powers_of_two);
    own.candidates().iter().map(|candidate| &candidate.parameters).find(|plan| sums(plan) == sums(whole))
}
