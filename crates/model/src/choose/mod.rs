//! Choosing an algorithm's parameters by predicted time, and saying why.
//!
//! An operation implements [`Costed`]: for a size and parameters, the [`Program`] that it would run. [`choose`] predicts
//! every candidate on a machine and gives a [`Choice`]: the candidates in the order of their predicted times, with what
//! bounds each, and those that do not fit with the reason. A choice may be refined by a few measurements
//! ([`Choice::refine`], [`Choice::refine_within`]), which stop as soon as no candidate left could be faster by the model's
//! floor.
//!
//! | file | what |
//! |---|---|
//! | `refine` | measurements of the candidates predicted best |
//! | `crossovers` | the sizes at which the fastest of several costs changes |

mod crossovers;
mod refine;

use std::fmt::{self, Display};

use crate::machine::{Machine, Prediction};
use crate::many_core::{DoesNotFit, Program};
pub use crossovers::crossovers;
pub use refine::{Refinement, Sample};

/// An operation whose cost the model can tell.
pub trait Costed {
    /// What tells how large the input is.
    type Size: ?Sized;
    /// The algorithm and the parameters that may be chosen.
    type Parameters: Clone + Display;

    /// Its name.
    fn name(&self) -> &'static str;

    /// The parameters worth considering for `size` on `machine`.
    fn candidates(&self, size: &Self::Size, machine: &Machine) -> Vec<Self::Parameters>;

    /// The kernels that it would launch.
    ///
    /// # Errors
    /// [`DoesNotFit`] where the parameters do not suit the size or the machine.
    fn program(
        &self,
        size: &Self::Size,
        parameters: &Self::Parameters,
        machine: &Machine,
    ) -> Result<Program, DoesNotFit>;

    /// The predicted time.
    ///
    /// # Errors
    /// As [`Costed::program`] and [`Machine::predict`].
    fn predict(
        &self,
        size: &Self::Size,
        parameters: &Self::Parameters,
        machine: &Machine,
    ) -> Result<Prediction, DoesNotFit> {
        machine.predict(&self.program(size, parameters, machine)?)
    }
}

/// Candidates that were measured within so many times the least measured time are as fast as it: what a measurement again
/// would say of them is another order, and the model knows better.
const ALIKE: f64 = 1.03;

/// Candidates predicted within so many times the least predicted time are as fast as it, as far as a model can tell. What a launch
/// takes varies more than all else, so that the one with the fewest launches is chosen.
const PREDICTED_ALIKE: f64 = 1.06;

/// Whether seconds are a measurement: a clock that went back, or a division by nothing, says nothing of a candidate.
fn measures(seconds: f64) -> bool {
    seconds.is_finite() && seconds > 0.0
}

/// One way to do an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<P> {
    /// The algorithm and its parameters.
    pub parameters: P,
    /// What the model says of it.
    pub prediction: Prediction,
    /// What a measurement said, if there was one.
    pub measured_seconds: Option<f64>,
}

impl<P> Candidate<P> {
    /// The measured seconds, else the predicted ones.
    pub fn seconds(&self) -> f64 {
        self.measured_seconds.unwrap_or(self.prediction.seconds)
    }
}

/// The candidates of an operation, the best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice<P> {
    /// The operation's name.
    pub operation: &'static str,
    /// The machine's name.
    pub machine: String,
    /// Those that fit, the chosen one first, then by ascending seconds; never empty.
    candidates: Vec<Candidate<P>>,
    /// Those that do not, with the reason.
    pub refused: Vec<(P, DoesNotFit)>,
}

/// There is nothing to choose from.
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

/// Predicts every candidate of `operation` for `size` on `machine`.
///
/// # Errors
/// [`NoChoice`] when none fits.
///
/// ```
/// use manycore_model::machine::Class;
/// use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Program, choose};
///
/// /// The sum of `n` words by groups that add `2^parameter` words each, level after level.
/// struct Sum;
/// impl Costed for Sum {
///     type Size = u64;
///     type Parameters = u32;
///     fn name(&self) -> &'static str {
///         "sum"
///     }
///     fn candidates(&self, _: &u64, _: &Machine) -> Vec<u32> {
///         (1..=16).collect()
///     }
///     fn program(&self, n: &u64, &log: &u32, _: &Machine) -> Result<Program, DoesNotFit> {
///         let (mut program, mut left) = (Program::new(), *n);
///         while left > 1 {
///             let each = left.min(1 << log);
///             left = left.div_ceil(each);
///             program.queue(Kernel::new("add", 64).blocks(Blocks::even(left, 64, each / 64 + 6, each.div_ceil(64), 1)))?;
///         }
///         Ok(program)
///     }
/// }
/// let gpu = Class { name: "a GPU".into(), vendor: "".into(), processors: 100, clock_hz: 0, local_bytes: 48 << 10, block_threads: 1024, fp64: true };
/// let choice = choose(&Sum, &(1 << 20), &gpu.gpu())?;
/// // Few levels, and still enough groups for every processor.
/// assert!((10..=13).contains(&choice.best().parameters));
/// println!("{choice}");
/// # Ok::<(), manycore_model::NoChoice>(())
/// ```
pub fn choose<C: Costed>(operation: &C, size: &C::Size, machine: &Machine) -> Result<Choice<C::Parameters>, NoChoice> {
    let (mut candidates, mut refused) = (Vec::new(), Vec::new());
    for parameters in operation.candidates(size, machine) {
        match operation.predict(size, &parameters, machine) {
            Ok(prediction) if !(prediction.seconds.is_finite() && prediction.seconds >= 0.0) => {
                refused.push((parameters, DoesNotFit::NotFinite { of: operation.name().to_owned() }));
            }
            Ok(prediction) => candidates.push(Candidate { parameters, prediction, measured_seconds: None }),
            Err(reason) => refused.push((parameters, reason)),
        }
    }
    let (name, machine) = (operation.name(), machine.name.clone());
    if candidates.is_empty() {
        let first = refused.into_iter().next().map(|(_, reason)| reason);
        return Err(NoChoice { operation: name, machine, first });
    }
    let mut choice = Choice { operation: name, machine, candidates, refused };
    choice.sort();
    Ok(choice)
}

impl<P> Choice<P> {
    /// The candidate with the least seconds. Of several that were measured within 3 % of the least, the best predicted; where
    /// none was measured, of several that are predicted within 6 % of the least, the one with the fewest launches.
    pub fn best(&self) -> &Candidate<P> {
        &self.candidates[0]
    }

    /// Every candidate that fits, the chosen one first, then by ascending seconds; measured ones count as measured.
    pub fn candidates(&self) -> &[Candidate<P>] {
        &self.candidates
    }

    /// The same choice with its parameters told otherwise.
    pub fn map<Q>(self, tell: impl Fn(P) -> Q) -> Choice<Q> {
        let candidate = |old: Candidate<P>| Candidate {
            parameters: tell(old.parameters),
            prediction: old.prediction,
            measured_seconds: old.measured_seconds,
        };
        Choice {
            operation: self.operation,
            machine: self.machine,
            candidates: self.candidates.into_iter().map(candidate).collect(),
            refused: self.refused.into_iter().map(|(parameters, reason)| (tell(parameters), reason)).collect(),
        }
    }

    /// How many candidates have predicted seconds within `factor` of the least: those that a measurement should compare.
    pub fn near(&self, factor: f64) -> usize {
        let most = factor * self.least_predicted();
        self.candidates.iter().filter(|candidate| candidate.prediction.seconds <= most).count()
    }

    /// How many candidates were measured.
    pub fn measured(&self) -> usize {
        self.candidates.iter().filter(|candidate| candidate.measured_seconds.is_some()).count()
    }

    /// The least predicted seconds of all candidates.
    fn least_predicted(&self) -> f64 {
        self.candidates.iter().map(|candidate| candidate.prediction.seconds).fold(f64::INFINITY, f64::min)
    }

    /// The one that is chosen where nothing was measured.
    fn predicted_best(&self) -> Option<usize> {
        let most = PREDICTED_ALIKE * self.least_predicted();
        let prediction = |at: usize| &self.candidates[at].prediction;
        let alike = (0..self.candidates.len()).filter(|&at| prediction(at).seconds <= most);
        alike.min_by(|&a, &b| {
            let (a, b) = (prediction(a), prediction(b));
            a.launches.cmp(&b.launches).then(a.seconds.total_cmp(&b.seconds))
        })
    }

    /// Notes what a measurement of the candidates that `which` picks said, and chooses anew. Seconds that are not positive and
    /// finite are no measurement, and change nothing.
    pub fn note(&mut self, which: impl Fn(&P) -> bool, seconds: f64) {
        if !measures(seconds) {
            return;
        }
        for candidate in self.candidates.iter_mut().filter(|candidate| which(&candidate.parameters)) {
            candidate.measured_seconds = Some(seconds);
        }
        self.sort();
    }

    /// Measured candidates first: a prediction is not compared with a measurement. Of those that a measurement cannot tell
    /// from the fastest, the best predicted leads; of those that a prediction cannot, the one with the fewest launches.
    fn sort(&mut self) {
        self.candidates.sort_by(|a, b| {
            let key = |c: &Candidate<P>| (c.measured_seconds.is_none(), c.seconds());
            let ((a_later, a_seconds), (b_later, b_seconds)) = (key(a), key(b));
            a_later.cmp(&b_later).then(a_seconds.total_cmp(&b_seconds))
        });
        let seconds = |at: &usize| self.candidates[*at].prediction.seconds;
        let lead = match self.candidates.first().and_then(|fastest| fastest.measured_seconds) {
            Some(least) => {
                let measured = self.candidates.iter().map_while(|candidate| candidate.measured_seconds);
                let count = measured.take_while(|&seconds| seconds <= ALIKE * least).count();
                (0..count).min_by(|a, b| seconds(a).total_cmp(&seconds(b)))
            }
            None => self.predicted_best(),
        };
        if let Some(lead) = lead {
            self.candidates[..=lead].rotate_right(1);
        }
    }
}

/// The slowdowns that a prediction counts with, in the order of its kernels, and the kernels of each.
fn slowdowns(prediction: &Prediction) -> Vec<(f64, Vec<&str>)> {
    let mut found: Vec<(f64, Vec<&str>)> = Vec::new();
    for kernel in prediction.kernels.iter().filter(|kernel| (kernel.slowdown - 1.0).abs() > 0.0) {
        match found.iter_mut().find(|(slowdown, _)| slowdown.total_cmp(&kernel.slowdown).is_eq()) {
            Some((_, names)) if names.contains(&kernel.name.as_str()) => {}
            Some((_, names)) => names.push(&kernel.name),
            None => found.push((kernel.slowdown, vec![&kernel.name])),
        }
    }
    found
}

impl<P: Display> Display for Choice<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::machine::Seconds;
        writeln!(f, "{} on {}", self.operation, self.machine)?;
        let count = self.measured();
        let measured = count > 0;
        if measured {
            writeln!(f, "  the fastest of {count} measured, of {} candidates that fit", self.candidates.len())?;
        }
        if self
            .candidates
            .iter()
            .filter_map(|candidate| candidate.measured_seconds)
            .any(|other| other < self.best().seconds())
        {
            writeln!(f, "  of those measured within 3 % of it, the best predicted")?;
        } else if !measured && self.best().seconds() > self.least_predicted() {
            writeln!(f, "  of those predicted within 6 % of the least, the one with the fewest launches")?;
        }
        for (slowdown, kernels) in slowdowns(&self.best().prediction) {
            let kernels = kernels.join(", ");
            writeln!(f, "  operations take {slowdown:.2} times what the machine's rates say, measured: {kernels}")?;
        }
        write!(f, "  {:>10}  {:>10}  {:>8}  {:<12}", "predicted", "floor", "launches", "bound by")?;
        writeln!(f, "{}  parameters", if measured { "    measured" } else { "" })?;
        for (i, candidate) in self.candidates.iter().enumerate() {
            let prediction = &candidate.prediction;
            let mark = if i == 0 { '*' } else { ' ' };
            write!(
                f,
                "{mark} {:>10}  {:>10}  {:>8}  {:<12}",
                Seconds(prediction.seconds),
                Seconds(prediction.floor_seconds),
                prediction.launches,
                prediction.bound()
            )?;
            match candidate.measured_seconds {
                Some(seconds) => write!(f, "  {:>10}", Seconds(seconds))?,
                None if measured => write!(f, "  {:>10}", "")?,
                None => {}
            }
            writeln!(f, "  {}", candidate.parameters)?;
        }
        for (parameters, reason) in &self.refused {
            writeln!(f, "  does not fit: {parameters}: {reason}")?;
        }
        Ok(())
    }
}
