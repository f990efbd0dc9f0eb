//! Jobs that multiply vectors by a Kronecker product.

use manycore_device::{Buffer, DeviceSet};
use manycore_operation::json::integer;
use manycore_operation::verify::Passed;
use manycore_operation::{Answer, Arguments, Job, OperationError, Task, Value, ValueError, unmade};

use super::rings::{Place, Ring};
use crate::context::Kronecker;
use crate::error::KroneckerError;
use crate::product::KroneckerProduct;
use crate::transform::Plan;
use crate::values::Values;

/// Which product, and how it is multiplied.
#[derive(Debug, Clone)]
pub(super) struct Options {
    /// The text of the product.
    pub(super) product: String,
    pub(super) is_inverse: bool,
    pub(super) is_transposed: bool,
    wrap: bool,
    modulus: Option<u64>,
}

impl Options {
    pub(super) fn new(arguments: &Arguments) -> Self {
        Self {
            product: arguments.text("product").unwrap_or_default().to_owned(),
            is_inverse: arguments.is_given("inverse"),
            is_transposed: arguments.is_given("transpose"),
            wrap: arguments.is_given("wrap"),
            modulus: arguments.number("modulus"),
        }
    }

    const fn direction(&self) -> &'static str {
        match (self.is_inverse, self.is_transposed) {
            (true, true) => "inverse transposed",
            (true, false) => "inverse",
            (false, true) => "transposed",
            (false, false) => "forward",
        }
    }
}

/// A job.
pub(super) struct Vectors<V: Values, R> {
    options: Options,
    ring: R,
    product: KroneckerProduct<V>,
    place: Place,
    x: Vec<V::Word>,
    prepared: Option<Prepared<V>>,
    y: Option<Vec<V::Word>>,
}

/// What is known before the work.
struct Prepared<V: Values> {
    kronecker: Kronecker,
    /// The product that is computed.
    product: KroneckerProduct<V>,
    plan: Plan,
    predicted_seconds: f64,
}

impl<V: Values, R: Ring<V>> Vectors<V, R> {
    pub(super) fn new(
        options: Options,
        ring: R,
        product: KroneckerProduct<V>,
        (file, vectors, first): (String, usize, usize),
        x: Vec<V::Word>,
    ) -> Self {
        let place = Place { file, first, vectors };
        Self { options, ring, product, place, x, prepared: None, y: None }
    }

    /// The number of vectors that are multiplied here.
    fn batch(&self) -> usize {
        self.x.len() / (self.product.order() * V::WORDS).max(1)
    }

    fn plan(&self, devices: &DeviceSet) -> Result<Prepared<V>, KroneckerError> {
        let (kronecker, product) = (Kronecker::new(&devices.devices()[0]), self.ring.computed(&self.product));
        let (batch, vectors) = (self.batch(), self.place.vectors);
        let choice = kronecker.explain(&product, vectors)?;
        let best = choice.best();
        let plan = if batch < vectors {
            // Parts go by the plan of the whole: with another one sums may be rounded in another order.
            best.parameters.clone()
        } else {
            kronecker.transform(&product, batch)?.plan().clone()
        };
        let predicted_seconds = best.estimate.seconds * batch as f64 / vectors as f64;
        Ok(Prepared { kronecker, product, plan, predicted_seconds })
    }
}

impl<V: Values, R: Ring<V>> Job for Vectors<V, R> {
    fn task(&self) -> Option<Task> {
        let task = Task::of("kronecker", vec![("batch", self.batch() as u64)]);
        Some(self.ring.task(task.with("product", self.options.product.clone())))
    }

    fn prepare(&mut self, devices: &DeviceSet) -> Result<(), OperationError> {
        self.ring.refuse(&self.product, &self.x, &self.place)?;
        self.prepared = Some(self.plan(devices)?);
        Ok(())
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        if self.prepared.is_none() {
            self.prepare(devices)?;
        }
        let Some(Prepared { kronecker, product, plan, .. }) = &self.prepared else { return Err(unmade().into()) };
        let transform = kronecker.transform_by(product, self.batch(), plan.clone())?;
        let mut buffer: Buffer<V::Word> = devices.devices()[0].upload(&self.x)?;
        transform.run(&mut buffer)?;
        let mut y = buffer.download()?;
        let finished = self.ring.finish(&self.product, &mut y, &self.place);
        self.ring.room(y.len())?;
        self.y = Some(y);
        finished
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let y = self.y.as_ref().ok_or_else(unmade)?;
        self.ring.check(&self.product, &self.x, y)
    }

    fn check_refusal(&self, refused: &OperationError, _: u64) -> Option<Result<Passed, OperationError>> {
        // The vectors are to blame only if the device is not.
        let ValueError::NotSpectrum { .. } = refused.of()? else { return None };
        self.ring.check_unfinished(&self.product, &self.x, self.y.as_ref()?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { options, ring, product, place, prepared, y, .. } = *self;
        let (Some(prepared), Some(y)) = (prepared, y) else { return Answer::of(Value::None) };
        let answer = Answer::of(ring.value(y)).with("product", options.product.clone());
        let answer =
            answer.with("values", prepared.product.values().name()).with("modulus", options.modulus.map(integer));
        let answer = answer.with("order", product.order()).with("vectors", place.vectors);
        let answer = answer.with("direction", options.direction()).with("wrap", options.wrap);
        let answer = answer.with("way", prepared.plan.to_string());
        Answer { predicted_seconds: Some(prepared.predicted_seconds), ..answer }
    }
}
