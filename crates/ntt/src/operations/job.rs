//! Jobs that transform residues: in the memory of one device, in blocks by several or through one, or in a file without a name.

use std::ops::Deref;

use manycore_arrays::orders::{BitOrder, Direction};
use manycore_device::DeviceSet;
use manycore_field::ResidueWord;
use manycore_operation::files::{OutOfMemory, memory};
use manycore_operation::json::integer;
use manycore_operation::left::{self, Mapped, Scratch};
use manycore_operation::verify::{Passed, ntt as verify};
use manycore_operation::{Answer, Arguments, Job, OperationError, Task, Value, unmade};

use crate::{Kind, Ntt, NttError, NttField, SpectrumOrder};

/// Which transform.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    kind: Kind,
    order: SpectrumOrder,
    direction: Direction,
}

impl Options {
    pub(super) fn new(arguments: &Arguments) -> Self {
        Self {
            kind: if arguments.is_given("negacyclic") { Kind::Negacyclic } else { Kind::Cyclic },
            order: match arguments.word("order") {
                Some("bit-reversed") => SpectrumOrder::BitReversed,
                _ => SpectrumOrder::Natural,
            },
            direction: if arguments.is_given("inverse") { Direction::Inverse } else { Direction::Forward },
        }
    }

    const fn order_name(self) -> &'static str {
        match self.order {
            SpectrumOrder::Natural => "natural",
            SpectrumOrder::BitReversed => "bit-reversed",
        }
    }
}

/// What is transformed: residues in memory, or words left in their file.
pub(super) enum Residues<W> {
    Memory(Vec<W>),
    File(Mapped<u64>, left::Numbers),
}

impl<W> Residues<W> {
    fn len(&self) -> usize {
        match self {
            Self::Memory(values) => values.len(),
            Self::File(values, _) => values.deref().len(),
        }
    }
}

/// What it becomes.
enum Storage<W> {
    /// In memory, as the words that are written.
    Memory(Vec<u64>),
    File(Scratch<W>),
}

/// Residues as the words that are written.
fn words<W: ResidueWord>(values: &[W]) -> Result<Vec<u64>, OutOfMemory> {
    let mut words = Vec::new();
    memory::reserve(&mut words, values.len(), || "residues as words".to_owned())?;
    words.extend(values.iter().map(|value| value.as_u64()));
    Ok(words)
}

/// How the work is done.
enum Plan {
    /// All values at once on one device: the algorithm, and the estimated seconds.
    AtOnce(String, f64),
    /// In blocks, which are known without the data where one device does it.
    Blocks(Option<String>),
}

/// A job.
pub(super) struct Spectra<F: NttField> {
    field: F,
    options: Options,
    /// The values of one transform.
    len: usize,
    /// The number of all transforms.
    all: usize,
    x: Residues<F::Element>,
    /// The transform and its plan, once they are prepared.
    prepared: Option<(Ntt<F>, Plan)>,
    y: Option<Storage<F::Element>>,
}

impl<F: NttField> Spectra<F> {
    pub(super) fn new(field: F, options: Options, (len, all): (usize, usize), x: Residues<F::Element>) -> Self {
        Self { field, options, len, all, x, prepared: None, y: None }
    }

    fn plan(&self, devices: &DeviceSet) -> Result<(Ntt<F>, Plan), NttError> {
        let ntt =
            Ntt::new(&devices.devices()[0], &self.field, self.len, self.options.kind)?.with_order(self.options.order);
        let Residues::Memory(x) = &self.x else { return Ok((ntt, Plan::Blocks(None))) };
        let blocks = ntt.blocks(x.len())?;
        if devices.devices().len() > 1 || blocks.is_some() {
            return Ok((ntt, Plan::Blocks(blocks.map(|blocks| blocks.to_string()))));
        }
        let choice = ntt.explain(self.all * self.len)?;
        let (best, part) = (choice.best(), x.len() as f64 / (self.all * self.len) as f64);
        let plan = Plan::AtOnce(best.parameters.to_string(), best.estimate.seconds * part);
        Ok((ntt, plan))
    }
}

impl<F: NttField> Job for Spectra<F> {
    fn task(&self) -> Option<Task> {
        let batch = self.x.len() / self.len.max(1);
        let sizes = vec![("n", self.len as u64), ("batch", batch as u64), ("modulus", self.field.order())];
        Some(Task::of("ntt", sizes))
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn prepare(&mut self, devices: &DeviceSet) -> Result<(), OperationError> {
        self.prepared = Some(self.plan(devices)?);
        Ok(())
    }

    fn is_waited_for(&self) -> bool {
        matches!(self.prepared, Some((_, Plan::Blocks(_))))
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let (ntt, plan) = match self.prepared.take() {
            Some(prepared) => prepared,
            None => self.plan(devices)?,
        };
        let is_inverse = self.options.direction == Direction::Inverse;
        let over = |values: &mut [F::Element]| {
            if is_inverse { ntt.inverse_over(devices, values) } else { ntt.forward_over(devices, values) }
        };
        self.y = Some(match &self.x {
            Residues::File(_, numbers) => {
                let mut values = numbers.copy()?;
                over(&mut values)?;
                Storage::File(values)
            }
            Residues::Memory(x) => {
                let mut values = Vec::new();
                memory::reserve(&mut values, x.len(), || "the transform".to_owned())?;
                values.extend_from_slice(x);
                match (&plan, is_inverse) {
                    (Plan::Blocks(_), _) => over(&mut values)?,
                    (Plan::AtOnce(..), false) => ntt.forward(&mut values)?,
                    (Plan::AtOnce(..), true) => ntt.inverse(&mut values)?,
                }
                Storage::Memory(words(&values)?)
            }
        });
        self.prepared = Some((ntt, plan));
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let ((ntt, _), y) = (self.prepared.as_ref().ok_or_else(unmade)?, self.y.as_ref().ok_or_else(unmade)?);
        let shape = verify::Shape {
            len: self.len,
            kind: match self.options.kind {
                Kind::Cyclic => verify::Kind::Cyclic,
                Kind::Negacyclic => verify::Kind::Negacyclic,
            },
            order: match self.options.order {
                SpectrumOrder::Natural => BitOrder::Natural,
                SpectrumOrder::BitReversed => BitOrder::Reversed,
            },
            modulus: self.field.order(),
            root: ntt.root().as_u64(),
        };
        let direction = self.options.direction;
        Ok(match (&self.x, y) {
            (Residues::Memory(x), Storage::Memory(y)) => verify::check(&words(x)?, y, direction, shape)?,
            (Residues::File(x, _), Storage::File(y)) => verify::check(x, bytemuck::cast_slice(y), direction, shape)?,
            _ => return Err(unmade().into()),
        })
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { field, options, len, all, prepared, y, .. } = *self;
        let Some((ntt, plan)) = prepared else { return Answer::of(Value::None) };
        let value = match y {
            None => Value::None,
            Some(Storage::Memory(values)) => Value::Elements(values),
            Some(Storage::File(values)) => Value::Left(values.cast::<u64>().into()),
        };
        let (way, predicted_seconds) = match plan {
            Plan::AtOnce(way, seconds) => (Some(way), Some(seconds)),
            Plan::Blocks(way) => (way, None),
        };
        let answer = Answer::of(value).with("modulus", integer(field.order())).with("length", len);
        let kind = if options.kind == Kind::Negacyclic { "negacyclic" } else { "cyclic" };
        let answer = answer.with("transforms", all).with("kind", kind);
        let answer = answer.with("root", integer(ntt.root().as_u64())).with("order", options.order_name());
        let direction = if options.direction == Direction::Inverse { "inverse" } else { "forward" };
        let answer = answer.with("direction", direction).with("way", way);
        Answer { predicted_seconds, ..answer }
    }
}
