//! Estimates of every candidate of an operation, and the choice among them.
//!
//! | file | what |
//! |---|---|
//! | `choice` | candidates in order, with the origin of the choice |
//! | `crossovers` | the sizes at which the least of several costs changes |

mod choice;
mod crossovers;

use std::fmt::Display;

use manycore_model::{DoesNotFit, Estimate, Machine, Program};

pub use choice::{Candidate, Choice, Origin, TuningCost};
pub(crate) use choice::{Contending, EQUAL_ESTIMATES, Watch};
pub use crossovers::crossovers;

/// An operation that counts what its candidates move, compute and launch.
pub trait Costed {
    /// The shape of the input.
    type Size: ?Sized;
    /// A candidate: the algorithm and its parameters.
    type Parameters: Clone + Display;

    /// The operation's name.
    fn name(&self) -> &'static str;

    /// The candidates for `size` on `machine`, the preferred one first where estimates are equal.
    fn candidates(&self, size: &Self::Size, machine: &Machine) -> Vec<Self::Parameters>;

    /// The kernels that a candidate launches.
    ///
    /// # Errors
    /// [`DoesNotFit`] where the parameters do not suit the size or the machine.
    fn program(
        &self,
        size: &Self::Size,
        parameters: &Self::Parameters,
        machine: &Machine,
    ) -> Result<Program, DoesNotFit>;

    /// The estimated time of a candidate: [`Machine::estimate`] of its program.
    ///
    /// # Errors
    /// As [`Costed::program`] and [`Machine::estimate`].
    fn estimate(
        &self,
        size: &Self::Size,
        parameters: &Self::Parameters,
        machine: &Machine,
    ) -> Result<Estimate, DoesNotFit> {
        machine.estimate(&self.program(size, parameters, machine)?)
    }

    /// The name of a candidate in files of choices: other than those of all other candidates for `size`, and the same for what
    /// does the same at near sizes, so that lengths stand in it as parts of the size or not at all. Without an own form, the
    /// text of the parameters.
    fn kept_name(&self, size: &Self::Size, parameters: &Self::Parameters) -> String {
        let _ = size;
        parameters.to_string()
    }

    /// Whether two candidates give the same bits. Exact arithmetic always does; floating-point results depend on the order of
    /// additions.
    fn gives_same_bits(&self, size: &Self::Size, one: &Self::Parameters, other: &Self::Parameters) -> bool {
        let _ = (size, one, other);
        true
    }
}

/// An operation without a candidate that fits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no candidate of {operation} fits {machine}{}", .first.as_ref().map_or(String::new(), |reason| format!(": {reason}")))]
pub struct NoChoice {
    /// The operation's name.
    pub operation: &'static str,
    /// The machine's name.
    pub machine: String,
    /// Why the first candidate does not fit; `None` where there was no candidate.
    pub first: Option<DoesNotFit>,
}

/// Estimates every candidate of `operation` for `size` on `machine`; nothing is measured or read.
///
/// Takes one evaluation of [`Costed::estimate`] a candidate.
///
/// # Errors
/// [`NoChoice`] where no candidate fits.
pub fn choose<C: Costed>(operation: &C, size: &C::Size, machine: &Machine) -> Result<Choice<C::Parameters>, NoChoice> {
    let (mut candidates, mut refused) = (Vec::new(), Vec::new());
    for parameters in operation.candidates(size, machine) {
        match operation.estimate(size, &parameters, machine) {
            Ok(estimate) if !(estimate.seconds.is_finite() && estimate.seconds >= 0.0) => {
                refused.push((parameters, DoesNotFit::NotFinite { of: operation.name().to_owned() }));
            }
            Ok(estimate) => candidates.push(Candidate { parameters, estimate, measured_seconds: None }),
            Err(reason) => refused.push((parameters, reason)),
        }
    }
    let (name, machine) = (operation.name(), machine.name.clone());
    if candidates.is_empty() {
        let first = refused.into_iter().next().map(|(_, reason)| reason);
        return Err(NoChoice { operation: name, machine, first });
    }
    Ok(Choice::estimated(name, machine, candidates, refused))
}
