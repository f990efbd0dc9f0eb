//! The choice of an operation's plan, with what proofs found of its plans.

use std::collections::BTreeSet;
use std::fmt;

use manycore_device::waits::{self, Waiting};
use manycore_device::{DeviceError, DeviceKind, Disproof, SelfTestMode, timing};

use crate::choose::{Candidate, Choice, Costed, choose};
use crate::decide::NoPlan;
use crate::key::TuningTask;
use crate::operation::{Operation, PlanOf, Shape};
use crate::planner::Planner;
use crate::proof::{Proof, choosing};
use crate::verdicts::{self, program};

/// The key of a plan's proof: the operation and its words, sizes by the next power of two, since those build one program, the
/// program's constants and the plan.
pub(crate) fn key<O: Operation + ?Sized>(operation: &O, shape: &Shape<O>, plan: &PlanOf<O>) -> String {
    let power = |size: usize| size.checked_next_power_of_two().unwrap_or(size).to_string();
    let sizes: Vec<String> = operation.sizes(shape).into_iter().map(power).collect();
    let name = operation.costs().kept_name(shape, plan);
    format!("{}; {}; {}; {name}", operation.family(shape), sizes.join(" by "), operation.constants(shape))
}

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
        choosing(operation, shape, || self.choice_of(operation, shape))
    }

    fn choice_of<O: Operation>(&self, operation: &O, shape: &Shape<O>) -> Result<Choice<PlanOf<O>>, O::Error> {
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

    /// The seconds in which the kernels of an operation's candidates are built: none of plans that were proved with the same
    /// constants, of any size, and where proofs are off, so that nothing is known.
    fn building<O: Operation>(
        &self,
        operation: &O,
        shape: &Shape<O>,
        task: &TuningTask,
    ) -> impl Fn(&Candidate<PlanOf<O>>) -> f64 {
        let is_known = self.device().info().kind == DeviceKind::Gpu && self.device().proofs() != SelfTestMode::Off;
        let constants = is_known.then(|| operation.constants(shape));
        let kernel_seconds = self.device().startup().kernel_seconds;
        move |candidate| {
            let Some(constants) = &constants else { return 0.0 };
            let name = operation.costs().kept_name(shape, &candidate.parameters);
            if verdicts::is_built(self.device().info(), &program(&task.key, constants, &name), task.revision) {
                return 0.0;
            }
            let kernels: BTreeSet<&str> =
                candidate.estimate.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
            kernels.len() as f64 * kernel_seconds
        }
    }

    /// When plans are compared with the host.
    pub(crate) fn proofs(&self) -> SelfTestMode {
        self.device().proofs()
    }

    /// What is known of a plan; nothing is run for it.
    fn known_proof<O: Operation>(&self, operation: &O, shape: &Shape<O>, plan: &PlanOf<O>) -> Option<Proof> {
        let mode = self.proofs();
        if mode == SelfTestMode::Off {
            return None;
        }
        verdicts::find(self.device().info(), mode, &key(operation, shape, plan), operation.revision())
    }

    /// Whether a plan of the device may be known as wrong: else no plan needs to be looked up.
    fn knows_wrong(&self) -> bool {
        self.proofs() != SelfTestMode::Off && verdicts::has_wrong(self.device().info(), self.proofs())
    }

    /// The error of an operation all of whose plans are wrong.
    fn disproved<P: fmt::Display>(&self, operation: &'static str, plan: &P, difference: String) -> DeviceError {
        let info = self.device().info();
        DeviceError::Disproved(Box::new(Disproof {
            operation,
            plan: plan.to_string(),
            device: info.label(),
            driver: info.driver.clone(),
            difference,
        }))
    }
}
