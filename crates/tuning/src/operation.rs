//! An operation on a device, as the planner sees it: its plans with their costs, the key of its choices, and trials.

use std::fmt::Debug;

use manycore_device::DeviceError;

use crate::choose::{Costed, NoChoice};
use crate::proof::Proof;

/// An operation that has several plans, on one device: what the planner asks of it, and all of it.
///
/// What the plans are and what each one counts is told by [`Operation::Costs`], which needs no device, so that an operation can
/// be planned for any machine. The rest is told here. [`Planner::choice`](crate::Planner::choice) makes the choice of a plan, and
/// [`Planner::seconds`](crate::Planner::seconds) times one.
pub trait Operation {
    /// The plans of a shape and their costs.
    type Costs: Costed;
    /// Data of a measurement: operands, and memory for results. Made once for all plans, and only where something is measured.
    type Trial;
    /// The operation's error.
    type Error: From<NoChoice> + From<DeviceError> + Debug;

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
