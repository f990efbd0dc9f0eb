//! Tuning modes: how operations choose among their algorithms.

use std::fmt;
use std::str::FromStr;

/// The variable that names the mode of [`Device::tuning`](crate::Device::tuning): `estimate`, `kept` or `measure`. Any
/// other value counts as `kept`; a program that wants to refuse it parses the value itself ([`TuningMode::from_str`]).
pub const TUNING_VARIABLE: &str = "MANYCORE_TUNING";

/// How operations choose among their algorithms and parameters.
///
/// ```
/// use manycore_device::TuningMode;
/// assert_eq!("measure".parse(), Ok(TuningMode::Measure));
/// assert_eq!(TuningMode::Kept.to_string(), "kept");
/// assert!("sometimes".parse::<TuningMode>().is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum TuningMode {
    /// By the model's estimate alone.
    Estimate,
    /// By a choice that was measured earlier, where one was kept, else by the estimate.
    #[default]
    Kept,
    /// As [`TuningMode::Kept`], and where no choice was kept, the candidates are measured and the choice is kept.
    Measure,
    /// As [`TuningMode::Measure`], but instead of being measured each candidate runs once, and the estimate decides: its
    /// kernels are built, and the driver keeps them. Processes that build side by side prepare one that measures.
    Build,
}

/// A text that names no tuning mode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is no tuning mode: estimate, kept or measure")]
pub struct UnknownTuningMode {
    /// The text.
    pub given: String,
}

impl TuningMode {
    /// Every mode that the variable may name.
    pub const ALL: [Self; 3] = [Self::Estimate, Self::Kept, Self::Measure];

    /// The mode's name in the variable `MANYCORE_TUNING`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Estimate => "estimate",
            Self::Kept => "kept",
            Self::Measure => "measure",
            Self::Build => "build",
        }
    }

    /// The mode that the variable names; [`TuningMode::Kept`] where it names none.
    pub(crate) fn from_env() -> Self {
        std::env::var(TUNING_VARIABLE).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
    }
}

impl fmt::Display for TuningMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TuningMode {
    type Err = UnknownTuningMode;

    /// The mode of this name, in any case, with white space around it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wanted = text.trim().to_lowercase();
        let found = Self::ALL.into_iter().find(|mode| mode.name() == wanted);
        found.ok_or_else(|| UnknownTuningMode { given: text.to_owned() })
    }
}
