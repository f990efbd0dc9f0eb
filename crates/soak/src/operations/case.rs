//! The common part of cases of operations: draws, checks and reports.

use serde::Serialize;

use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

/// A case of an operation: what was drawn.
pub trait Case: Serialize + Sized {
    /// Draws one for a device.
    fn draw(random: &mut Random, site: &Site) -> Self;

    /// Does it, and compares the result with a second route.
    ///
    /// # Errors
    /// Errors of the library, legitimate or not.
    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure>;
}

/// A candidate that the model finds slower than both is not taken: the definition of a long product, for one.
const SLOW_SECONDS: f64 = 0.2;
const SLOW_FACTOR: f64 = 8.0;

/// The candidate that a case takes of a choice, of those that are not slow; `None` leaves the choice to the library.
pub(super) fn candidate<'a, P: std::fmt::Display>(
    choice: &'a manycore::tuning::Choice<P>,
    drawn: Option<u64>,
    site: &Site,
) -> Option<&'a P> {
    let drawn = drawn?;
    let most = (choice.best().estimate.seconds * SLOW_FACTOR).max(SLOW_SECONDS);
    let quick = || choice.candidates().iter().filter(|candidate| candidate.estimate.seconds <= most);
    let plan = &quick().nth(drawn as usize % quick().count().max(1))?.parameters;
    site.note("plan", plan);
    Some(plan)
}

/// Which candidate: none, the best, or any.
pub(super) fn draw_candidate(random: &mut Random) -> Option<u64> {
    let any = random.word() >> 1;
    match random.below(4) {
        0 => None,
        1 => Some(0),
        _ => Some(any),
    }
}

/// Writes what prints itself as a string.
pub(super) fn shown<T: std::fmt::Display, S: serde::Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Writes a value without a form of its own by its name.
pub(super) fn debugged<T: std::fmt::Debug, S: serde::Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&format_args!("{value:?}"))
}
