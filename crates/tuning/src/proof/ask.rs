//! When a plan is proved, and what follows: a plan that is asked for is compared with the host where nothing is known of it.

use std::cell::RefCell;
use std::fmt;

use manycore_device::SelfTestMode;
use manycore_device::waits::{self, Waiting};

use super::{Proof, every};
use crate::choose::{Choice, Costed};
use crate::chosen::key;
use crate::operation::{Operation, PlanOf, Shape};
use crate::planner::Planner;
use crate::verdicts::{self, program};

thread_local! {
    /// The keys of the proofs that this thread makes now: operations within an operation prove themselves, each once.
    static PROVING: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A proof that this thread makes; it ends also where it panics.
struct Proving;

impl Proving {
    /// `None` where this thread makes it already.
    fn begin(key: &str) -> Option<Self> {
        PROVING.with_borrow_mut(|keys| {
            let is_new = !keys.iter().any(|known| known == key);
            is_new.then(|| {
                keys.push(key.to_owned());
                Self
            })
        })
    }
}

impl Drop for Proving {
    fn drop(&mut self) {
        PROVING.with_borrow_mut(|keys| drop(keys.pop()));
    }
}

impl Planner {
    /// What is known of a plan, by a proof where nothing is; `None` where it cannot be proved: no proofs are made, or it failed to
    /// run, which the operation itself then tells.
    fn prove<O: Operation>(&self, operation: &O, shape: &Shape<O>, plan: &PlanOf<O>) -> Option<Proof> {
        let mode = self.proofs();
        if mode == SelfTestMode::Off || operation.is_empty(shape) {
            return None;
        }
        let (key, info) = (key(operation, shape, plan), self.device().info());
        match verdicts::find(info, mode, &key, operation.revision()) {
            // Another shape of the key may be small enough.
            None | Some(Proof::TooLarge) => {}
            known => return known,
        }
        let _proving = Proving::begin(&key)?;
        let run = || waits::note(Waiting::Proof, || key.clone(), || every::run(operation, shape, plan)).ok();
        let proof = run()?;
        // A fault of a moment is no property of the driver: it counts, but is not kept.
        let is_kept = match &proof {
            Proof::Differs(_) => matches!(run(), Some(Proof::Differs(_))),
            Proof::Holds => true,
            Proof::TooLarge => false,
        };
        let name = operation.costs().kept_name(shape, plan);
        let program = program(&operation.family(shape), &operation.constants(shape), &name);
        verdicts::note(info, (&key, &program), operation.revision(), proof.clone(), is_kept);
        Some(proof)
    }

    /// Asks for an operation's plan of a shape: a choice whose plan is proved, and whether others may take its place.
    pub fn ask<'a, O>(&'a self, operation: O, shape: Shape<O>) -> Asked<'a, PlanOf<O>, O::Error>
    where
        O: Operation + 'a,
        Shape<O>: Sized + 'a,
    {
        Asked { question: Box::new(Question { planner: self, operation, shape }) }
    }
}

/// An operation that is asked for its plan of a shape, of plans `P` and with errors `E` ([`Planner::ask`]).
///
/// On OpenCL devices a plan is compared with the host before it is first taken: [`Operation::proof`] runs it on a small known
/// input. What was found is kept as `MANYCORE_SELF_TEST` says, under the device, its driver and the revision of the code. A plan
/// with wrong results is no candidate any more, and the next best one takes its place. Proofs are no part of profiles.
pub struct Asked<'a, P, E> {
    question: Box<dyn Ask<P, E> + 'a>,
}

impl<P, E> fmt::Debug for Asked<'_, P, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").finish_non_exhaustive()
    }
}

impl<P, E> Asked<'_, P, E> {
    /// The choice, as [`Planner::choice`], whose plan was proved where it can be.
    ///
    /// # Errors
    /// As [`Planner::choice`].
    pub fn choice(&self) -> Result<Choice<P>, E> {
        self.question.choice()
    }

    /// Whether a plan may be taken: it is not known to be wrong, after a proof where nothing was known.
    pub fn may_take(&self, plan: &P) -> bool {
        self.question.may_take(plan)
    }
}

/// [`Asked`] without the operation's type.
trait Ask<P, E> {
    fn choice(&self) -> Result<Choice<P>, E>;
    fn may_take(&self, plan: &P) -> bool;
}

struct Question<'a, O: Operation>
where
    Shape<O>: Sized,
{
    planner: &'a Planner,
    operation: O,
    shape: Shape<O>,
}

impl<O: Operation> Ask<PlanOf<O>, O::Error> for Question<'_, O>
where
    Shape<O>: Sized,
{
    fn choice(&self) -> Result<Choice<PlanOf<O>>, O::Error> {
        let Self { planner, operation, shape } = self;
        loop {
            let mut choice = planner.choice(operation, shape)?;
            match planner.prove(operation, shape, &choice.best().parameters) {
                // It is known now, and no candidate any more.
                Some(Proof::Differs(_)) => {}
                proof => {
                    choice.proof = proof;
                    return Ok(choice);
                }
            }
        }
    }

    fn may_take(&self, plan: &PlanOf<O>) -> bool {
        !matches!(self.planner.prove(&self.operation, &self.shape, plan), Some(Proof::Differs(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_within_itself_is_none() {
        let outer = Proving::begin("a");
        assert!(outer.is_some() && Proving::begin("a").is_none() && Proving::begin("b").is_some());
        drop(outer);
        assert!(Proving::begin("a").is_some());
    }
}
