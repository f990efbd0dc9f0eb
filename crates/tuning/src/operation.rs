//! An operation on a device, as the planner sees it: its plans with their costs, the key of its choices, and trials.

use manycore_device::waits::{self, Waiting};
use manycore_device::{DeviceError, timing};

use crate::choose::{Choice, Costed, NoChoice, choose};
use crate::planner::{NoPlan, Planner, TuningTask};
use crate::proof::Proof;

/// An operation that has several plans, on one device: what the planner asks of it, and all of it.
///
/// What the plans are and what each one counts is told by [`Operation::Costs`], which needs no device, so that an operation can
/// be planned for any machine. The rest is told here. [`Planner::choice`] makes the choice of a plan, and
/// [`Planner::seconds`] times one.
pub trait Operation {
    /// The plans of a shape and their costs.
    type Costs: Costed;
    /// Data of a measurement: operands, and memory for results. Made once for all plans, and only where something is measured.
    type Trial;
    /// The operation's error.
    type Error: From<NoChoice> + From<DeviceError>;

    /// The revision of the code that plans run: `REVISION` of the operation's crate
    /// ([`revision!`](manycore_revision::revision)). Choices that were measured of other code are void.
    fn revision(&self) -> u64;

    /// The plans and their costs.
    fn costs(&self) -> &Self::Costs;

    /// The operation, its types, and whatever else changes which plans there are, but no size: the beginning of a choice's key in
    /// files. The device and the driver need not be named.
    fn family(&self, shape: &Shape<Self>) -> String;

    /// The sizes of the shape, always as many for one family: a choice that ships stands in for shapes of near sizes.
    fn sizes(&self, shape: &Shape<Self>) -> Vec<usize>;

    /// Arrays side by side: choices hold for numbers with the same power of two.
    fn arrays(&self, shape: &Shape<Self>) -> usize {
        let _ = shape;
        1
    }

    /// What the programs of a shape are built with beside the family, powers of two near the sizes, and the plan, such as the
    /// entries of a matrix: plans are proved for each.
    fn constants(&self, shape: &Shape<Self>) -> String {
        let _ = shape;
        String::new()
    }

    /// Whether there is nothing to do, and so nothing to measure.
    fn is_empty(&self, shape: &Shape<Self>) -> bool {
        let _ = shape;
        false
    }

    /// The operation's error where no plan fits.
    fn refused(&self, shape: &Shape<Self>, none: NoChoice) -> Self::Error {
        let _ = shape;
        none.into()
    }

    /// Data for measurements of a shape.
    ///
    /// # Errors
    /// Those of the operation, as for too little memory.
    fn trial(&self, shape: &Shape<Self>) -> Result<Self::Trial, Self::Error>;

    /// Does the work by `plan` once, on data of its own, and may enqueue it.
    ///
    /// # Errors
    /// Those of the operation.
    fn try_plan(&self, shape: &Shape<Self>, trial: &mut Self::Trial, plan: &PlanOf<Self>) -> Result<(), Self::Error>;

    /// Compares what `plan` gives on the device of an input that the host makes with what the [host](crate::proof::host) gives:
    /// by the same bits ([`Proof::of_words`]), and by a bound that is derived where numbers round otherwise.
    ///
    /// It builds the programs of the shape: its sizes are the shape's, or as many as make the plan's programs do all that they
    /// do; of many arrays side by side there are a few. Words are pseudo-random, so that all bits are in use. A shape for which
    /// the host takes long ([`is_small`](crate::proof::is_small)) is [`Proof::TooLarge`].
    ///
    /// # Errors
    /// Those of the operation. They say nothing of the plan: it is taken, and its own run tells.
    fn proof(&self, shape: &Shape<Self>, plan: &PlanOf<Self>) -> Result<Proof, Self::Error>;
}

/// The shape of an operation's input.
pub type Shape<O> = <<O as Operation>::Costs as Costed>::Size;

/// The plans of an operation.
pub type PlanOf<O> = <<O as Operation>::Costs as Costed>::Parameters;

impl Planner {
    /// The choice among an operation's plans for a shape: a known one where the mode lets it count, else a measured one where the
    /// mode says so, else the best estimate. Of an empty shape the best estimate.
    ///
    /// Plans are tried only to measure. A plan that fails is no choice: the operation itself tells the error where no other is
    /// left. Threads measure one after the other; whoever waits for a measurement holds no lock but that.
    ///
    /// A plan that gave wrong results on the device is no candidate; none is run to find out ([`Planner::ask`]).
    ///
    /// # Errors
    /// [`Operation::refused`] where no plan fits; [`DeviceError::Disproved`] where each one that does gives wrong results.
    pub fn choice<O: Operation>(&self, operation: &O, shape: &Shape<O>) -> Result<Choice<PlanOf<O>>, O::Error> {
        let costs = operation.costs();
        if operation.is_empty(shape) {
            return choose(costs, shape, self.machine()).map_err(|none| operation.refused(shape, none));
        }
        let task = TuningTask {
            key: operation.family(shape),
            sizes: operation.sizes(shape),
            count: operation.arrays(shape),
            revision: operation.revision(),
        };
        let mut trial = None;
        let run = |plan: &PlanOf<O>| {
            let trial = match &mut trial {
                Some(trial) => trial,
                none => none.insert(operation.trial(shape)?),
            };
            operation.try_plan(shape, trial, plan)
        };
        let knows_wrong = self.knows_wrong();
        let wrong = |plan: &PlanOf<O>| match knows_wrong.then(|| self.known_proof(operation, shape, plan))? {
            Some(Proof::Differs(difference)) => Some(difference),
            _ => None,
        };
        let building = self.building(operation, shape, &task);
        let choosing = || self.choose(costs, shape, &task, (wrong, &building), run);
        let chosen = waits::note(Waiting::Choosing, || task.key.clone(), choosing);
        let mut choice = chosen.map_err(|none| match none {
            NoPlan::Fits(none) => operation.refused(shape, none),
            NoPlan::IsRight(plan, difference) => self.disproved(costs.name(), &plan, difference).into(),
        })?;
        choice.building_seconds = building(choice.best());
        choice.proof = self.known_proof(operation, shape, &choice.best().parameters);
        Ok(choice)
    }

    /// The seconds that an operation takes by `plan` on the data of a measurement, by the device's clock: the median of several
    /// runs, after one that builds kernels and tables and wakes threads; on GPUs with launches queued ([`timing::seconds`]).
    ///
    /// # Errors
    /// Those of the operation.
    pub fn seconds<O: Operation>(&self, operation: &O, shape: &Shape<O>, plan: &PlanOf<O>) -> Result<f64, O::Error> {
        let mut trial = operation.trial(shape)?;
        timing::seconds(self.device(), || operation.try_plan(shape, &mut trial, plan))
    }
}
