//! Proofs of every plan of a choice, also of plans that no estimate would take: what tests of operations ask for.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use manycore_device::{launched, uncontrolled};

use super::Proof;
use crate::choose::{Choice, Costed};
use crate::operation::{Operation, PlanOf, Shape};
use crate::watched;

thread_local! {
    /// The proofs of the call of [`every`] that this thread is in; `None` outside of it, and within a choice.
    static PROVED: Cell<Option<Vec<Proved>>> = const { Cell::new(None) };
}

/// A plan, and what its proof found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proved {
    /// The operation's name.
    pub operation: &'static str,
    /// The plan.
    pub plan: String,
    /// What is known of its results; where it failed to run or panicked, why.
    pub proof: Result<Proof, String>,
}

/// Does `explain`, and proves every plan that fits of the choices that are made by it on this thread
/// ([`Planner::choice`](crate::Planner::choice)): not those within other choices or proofs, and none of empty shapes. Nothing is
/// kept, and what is kept already does not count.
///
/// ```
/// use manycore_device::Device;
/// use manycore_tuning::{Planner, proof};
/// let planner = Planner::new(&Device::host());
/// let (name, proved) = proof::every(|| planner.machine().name.clone());
/// assert!(!name.is_empty() && proved.is_empty(), "no choice was made");
/// ```
pub fn every<R>(explain: impl FnOnce() -> R) -> (R, Vec<Proved>) {
    let outer = PROVED.replace(Some(Vec::new()));
    let explained = explain();
    (explained, PROVED.replace(outer).unwrap_or_default())
}

/// Makes a choice, and proves its plans where [`every`] asks for them.
pub(crate) fn choosing<O: Operation>(
    operation: &O,
    shape: &Shape<O>,
    choose: impl FnOnce() -> Result<Choice<PlanOf<O>>, O::Error>,
) -> Result<Choice<PlanOf<O>>, O::Error> {
    let Some(mut proved) = PROVED.take() else { return choose() };
    let choice = choose();
    if let Ok(choice) = &choice
        && !operation.is_empty(shape)
    {
        let plans = choice.candidates().iter().map(|candidate| &candidate.parameters);
        let plans = plans.chain(choice.disproved.iter().map(|(plan, _)| plan));
        proved.extend(plans.map(|plan| prove(operation, shape, plan)));
    }
    PROVED.set(Some(proved));
    choice
}

/// The proof of a plan; one that panics is an error of the plan.
fn prove<O: Operation>(operation: &O, shape: &Shape<O>, plan: &PlanOf<O>) -> Proved {
    let proof = match catch_unwind(AssertUnwindSafe(|| run(operation, shape, plan))) {
        Ok(proof) => proof.map_err(|error| format!("{error:?}")),
        Err(_) => Err("panicked".to_owned()),
    };
    Proved { operation: operation.costs().name(), plan: plan.to_string(), proof }
}

/// The proof of a plan, which nothing interrupts, and which counts for no measurement.
pub(super) fn run<O: Operation>(operation: &O, shape: &Shape<O>, plan: &PlanOf<O>) -> Result<Proof, O::Error> {
    uncontrolled(|| launched::aside(|| watched::unwatched(|| operation.proof(shape, plan))))
}
