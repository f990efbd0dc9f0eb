//! The outcome of a device's self-test, and the mode in which tests run.

use crate::error::DeviceError;
use crate::failure::{Failure, NeededBy, SELF_TEST_VARIABLE};
use crate::info::DeviceInfo;

/// When a device proves itself: the values of [`SELF_TEST_VARIABLE`], and of
/// [`Device::with_proofs`](crate::Device::with_proofs) for the plans of operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SelfTestMode {
    /// Once with a driver and a revision of the code; what was found is kept for later processes.
    #[default]
    Auto,
    /// Once in each process.
    Always,
    /// Never: the device is used whatever it computes.
    Off,
}

impl SelfTestMode {
    fn of(value: &str) -> Option<Self> {
        match value.trim().to_lowercase().as_str() {
            "" | "auto" => Some(Self::Auto),
            "always" => Some(Self::Always),
            "off" => Some(Self::Off),
            _ => None,
        }
    }

    /// The mode that the variable names.
    ///
    /// # Errors
    /// [`DeviceError::Variable`] for a value that it does not take.
    pub(crate) fn from_env() -> Result<Self, DeviceError> {
        let value = std::env::var_os(SELF_TEST_VARIABLE).unwrap_or_default();
        let value = value.to_string_lossy();
        Self::of(&value).ok_or_else(|| DeviceError::Variable {
            variable: SELF_TEST_VARIABLE,
            value: value.chars().take(40).collect(),
            expected: "auto, always or off",
        })
    }
}

/// The state of a device's self-test: [`Device::self_test`](crate::Device::self_test).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelfTest {
    /// None was run with this driver yet, or it is the host, or the tests are off.
    Unknown,
    /// Every primitive is computed right.
    Passed,
    /// Some are not.
    Failed(Vec<Failure>),
}

/// The outcome of a self-test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proof {
    /// `None` where no test was run and the device is trusted.
    failures: Option<Vec<Failure>>,
}

impl Proof {
    pub(crate) fn of(failures: Vec<Failure>) -> Self {
        Self { failures: Some(failures) }
    }

    /// Of a device that is used whatever it computes.
    pub(crate) fn trusted() -> Self {
        Self { failures: None }
    }

    pub(crate) fn failures(&self) -> &[Failure] {
        self.failures.as_deref().unwrap_or_default()
    }

    fn lacks(&self, what: NeededBy) -> bool {
        self.failures().iter().any(|failure| failure.needed_by == what)
    }

    /// Whether the self-test allows kernels in double precision, on a device that supports it.
    pub(crate) fn double(&self) -> bool {
        !self.lacks(NeededBy::Double)
    }

    /// Whether kernels may compute residues in double precision.
    pub(crate) fn double_products(&self) -> bool {
        self.double() && !self.lacks(NeededBy::DoubleProducts)
    }

    /// Why the device is not used at all.
    pub(crate) fn refusal(&self, info: &DeviceInfo) -> Option<DeviceError> {
        let failure = self.failures().iter().find(|failure| failure.needed_by == NeededBy::Everything)?;
        Some(DeviceError::SelfTest {
            device: info.label(),
            driver: info.driver.clone(),
            failure: Box::new(failure.clone()),
        })
    }

    /// The outcome in the public form.
    pub(crate) fn told(&self) -> SelfTest {
        match &self.failures {
            None => SelfTest::Unknown,
            Some(failures) if failures.is_empty() => SelfTest::Passed,
            Some(failures) => SelfTest::Failed(failures.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_has_three_values() {
        for (value, policy) in [
            ("", Some(SelfTestMode::Auto)),
            ("auto", Some(SelfTestMode::Auto)),
            (" Always ", Some(SelfTestMode::Always)),
            ("OFF", Some(SelfTestMode::Off)),
            ("no", None),
            ("1", None),
        ] {
            assert_eq!(SelfTestMode::of(value), policy, "{value:?}");
        }
    }

    #[test]
    fn what_callers_are_told() {
        assert_eq!(Proof::trusted().told(), SelfTest::Unknown);
        assert_eq!(Proof::of(vec![]).told(), SelfTest::Passed);
        let failed = vec![Failure {
            primitive: "32-bit mul_hi".into(),
            input: "0x1, 0x2".into(),
            expected: "0x0".into(),
            found: "0x1".into(),
            needed_by: NeededBy::Double,
        }];
        assert_eq!(Proof::of(failed.clone()).told(), SelfTest::Failed(failed));
    }
}
