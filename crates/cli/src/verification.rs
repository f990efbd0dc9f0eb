//! The verification of results, and the fate of wrong ones.

use std::sync::{Mutex, PoisonError};

use manycore::verify::{CheckError, Passed};
use serde::Serialize;

use crate::error::Error;
use crate::global::Global;
use crate::label::{Labelled, label};
use crate::message;

/// How a result was verified.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verification {
    /// The method.
    pub method: &'static str,
    /// The base-2 logarithm of a bound of the chance that a wrong result passes; null where none does.
    pub chance_log2: Option<f64>,
}

/// Checks that results of this run have passed, for the last line of the program.
static PASSED: Mutex<Vec<Verification>> = Mutex::new(Vec::new());

impl Verification {
    /// A check that has passed, with the base-2 logarithm of the chance that it passes a wrong result. The program's last line reports it.
    pub(crate) fn passed(method: &'static str, chance_log2: Option<f64>) -> Self {
        let passed = Self { method, chance_log2 };
        PASSED.lock().unwrap_or_else(PoisonError::into_inner).push(passed.clone());
        passed
    }
}

impl From<Passed> for Verification {
    fn from(passed: Passed) -> Self {
        Self::passed(passed.method, passed.chance.log2())
    }
}

/// Reports on standard error what was checked of a result; a JSON result contains that itself.
pub(crate) fn tell(global: &Global) {
    let passed = PASSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let (false, false, Some(text)) = (global.json, global.quiet, told(&passed)) {
        message::tell(&text);
    }
}

/// What was checked, each method once, and the greatest chance.
fn told(passed: &[Verification]) -> Option<String> {
    let mut methods: Vec<&str> = Vec::new();
    for of in passed {
        if !methods.contains(&of.method) {
            methods.push(of.method);
        }
    }
    let chance = passed.iter().filter_map(|of| of.chance_log2).reduce(f64::max);
    let chance = match chance {
        None => "no wrong result passes".to_owned(),
        Some(log2) => format!("a wrong result passes with a chance below 2^{:.0}", log2.ceil()),
    };
    (!methods.is_empty()).then(|| format!("verified: {}; {chance}", methods.join("; ")))
}

/// The error of a check that does not pass: [`Error::Wrong`] for a wrong result, [`Error::Check`] where the check could not be
/// made.
pub(crate) fn failed(error: CheckError, device: &impl Labelled) -> Error {
    if error.is_wrong() {
        Error::Wrong { device: label(device), reason: error.to_string() }
    } else {
        Error::Check(error)
    }
}

/// Checks that take longer than this are announced, in seconds.
const ANNOUNCED_SECONDS: f64 = 2.0;

/// Says on standard error about how long a check takes, where that is long, unless `quiet`.
pub fn announce(seconds: f64, quiet: bool) {
    if seconds >= ANNOUNCED_SECONDS && !quiet {
        message::tell(&announcement(seconds));
    }
}

fn announcement(seconds: f64) -> String {
    let time = match seconds {
        ..100.0 => format!("{seconds:.0} seconds"),
        ..6000.0 => format!("{:.0} minutes", seconds / 60.0),
        _ => format!("{:.0} hours", seconds / 3600.0),
    };
    format!("verifying takes about {time}")
}

#[cfg(test)]
mod tests {
    use manycore::verify::Chance;

    use super::*;

    #[test]
    fn times_are_told_in_words() {
        assert_eq!(announcement(12.3), "verifying takes about 12 seconds");
        assert_eq!(announcement(300.0), "verifying takes about 5 minutes");
        assert_eq!(announcement(7300.0), "verifying takes about 2 hours");
    }

    #[test]
    fn checks_are_told_once_with_the_greatest_chance() {
        let of = |method, chance_log2| Verification { method, chance_log2 };
        assert_eq!(told(&[]), None);
        let all = told(&[of("a", None), of("a", None)]);
        assert_eq!(all.as_deref(), Some("verified: a; no wrong result passes"));
        let some = told(&[of("a", Some(-64.5)), of("b", Some(-70.0)), of("c", None)]);
        assert_eq!(some.as_deref(), Some("verified: a; b; c; a wrong result passes with a chance below 2^-64"));
    }

    #[test]
    fn wrong_results_and_checks_that_were_not_made_are_told_apart() {
        let device = manycore::Device::host();
        let passed = Passed { method: "two ways", chance: Chance::Below { log2: -64.5 } };
        let json = serde_json::to_string(&Verification::from(passed)).unwrap();
        assert_eq!(json, r#"{"method":"two ways","chance_log2":-64.5}"#);
        let error = failed(CheckError::Length { found: 1, expected: 2 }, &device);
        assert!(error.to_string().starts_with("--verify: the result of host"), "{error}");
        let error = failed(CheckError::TooLarge { bytes: 1 << 40 }, &device);
        assert_eq!(
            (error.exit_code(), error.to_string().as_str()),
            (1, "--verify: verification takes 1099511627776 bytes of memory more, which are not there")
        );
    }
}
