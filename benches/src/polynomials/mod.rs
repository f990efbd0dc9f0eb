//! The cases of division, greatest common divisors, evaluation and interpolation, on the host each in turns with the other codes
//! that are present, on OpenCL devices on data that lie there.
//!
//! | file | what |
//! |---|---|
//! | `ours` | the library's operations |
//! | `check` | the checks of results |

mod check;
mod ours;

use std::fmt;

use anyhow::Result;
use manycore_device::{Device, DeviceKind};

use crate::data;
use crate::lines::Line;
use crate::modular::{FFT_29, FFT_62, PLAIN_31, Prime};
use crate::peers::figures;
use crate::peers::tasks::Task;
use crate::solved::{Planned, Solved, absent};
use crate::verify::Told;
use crate::walsh::Profile;
pub use check::COMMON;
use check::common;

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Quotient and remainder of a polynomial by one of half as many coefficients.
    Divide,
    /// The greatest common divisor of two polynomials with a factor of [`COMMON`] coefficients in common.
    Gcd,
    /// Values of a polynomial at as many points as it has coefficients, the points' tree included.
    Evaluate,
    /// The polynomial with given values at as many points, the points' tree included.
    Interpolate,
}

impl Work {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Divide, Self::Gcd, Self::Evaluate, Self::Interpolate];

    /// The operation's name in every line.
    pub const fn operation(self) -> &'static str {
        match self {
            Self::Divide => "poly-div",
            Self::Gcd => "poly-gcd",
            Self::Evaluate => "poly-eval",
            Self::Interpolate => "poly-interpolate",
        }
    }
}

/// A case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// What is computed.
    pub work: Work,
    /// The modulus.
    pub prime: Prime,
    /// Coefficients of the longest operand, as a power of two.
    pub log_len: u32,
    /// Whether it is one on an OpenCL device.
    pub on_device: bool,
}

impl fmt::Display for Case {
    /// As `poly-div/host/469762049/2^12`, `poly-eval/device/469762049/2^16`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.on_device { "device" } else { "host" };
        write!(f, "{}/{place}/{}/2^{}", self.work.operation(), self.prime.p, self.log_len)
    }
}

impl Solved for Case {
    fn operation(&self) -> &'static str {
        self.work.operation()
    }

    fn prime(&self) -> Prime {
        self.prime
    }

    fn log_len(&self) -> u32 {
        self.log_len
    }

    fn on_device(&self) -> bool {
        self.on_device
    }

    /// Those of the longest operand.
    fn bytes(&self) -> u64 {
        self.prime.word_bytes() << self.log_len
    }

    /// With `n` coefficients `n^2 / 2` in a division, else `2 n^2`.
    fn operations(&self) -> f64 {
        let square = f64::from(2 * self.log_len).exp2();
        if self.work == Work::Divide { square / 2.0 } else { 2.0 * square }
    }

    fn task(&self) -> Task {
        let (len, p) = (1usize << self.log_len, self.prime.p);
        let factor = |len, seed| data::coefficients(len, p, seed);
        // An odd number that no prime here divides: its multiples are different.
        let points = || (0..len as u64).map(|i| (u128::from(i) * 2_654_435_761 % u128::from(p)) as u64).collect();
        match self.work {
            Work::Divide => Task::Divide { a: factor(len, 1), b: factor(len.div_ceil(2), 2) },
            Work::Gcd => {
                let own = |seed| check::multiply(p, &factor(len.saturating_sub(COMMON - 1).max(1), seed), &common(p));
                Task::Gcd { a: own(1), b: own(2) }
            }
            Work::Evaluate => Task::Evaluate { f: factor(len, 1), points: points() },
            Work::Interpolate => Task::Interpolate { points: points(), values: data::residues(len, p, 2) },
        }
    }

    fn prepare(&self, device: &Device, task: &Task) -> Result<Planned> {
        ours::prepare(device, self.prime.p, task)
    }

    fn check(&self, task: &Task, result: &[Vec<u64>]) -> Result<Told> {
        check::check(self.prime.p, task, result)
    }
}

/// The cases of a profile for a kind of device, in the order they are run. A CPU takes about a second to build each kernel, so
/// that it gets small sizes only.
pub fn cases(profile: Profile, kind: DeviceKind) -> Vec<Case> {
    let on_device = kind != DeviceKind::Host;
    let host = [10, 12, 14, 16, 18, 20];
    let lengths = |work| -> &[u32] {
        match (kind, profile, work) {
            (DeviceKind::Cpu, Profile::Quick, _) => &[9],
            (DeviceKind::Cpu, _, _) => &[9, 11],
            (DeviceKind::Host, Profile::Quick, Work::Gcd) => &[10, 12],
            (DeviceKind::Host, Profile::Quick, _) => &[12, 16],
            (DeviceKind::Host, Profile::Standard, Work::Gcd) => &host[..3],
            (DeviceKind::Host, Profile::Standard, _) | (DeviceKind::Host, _, Work::Gcd) => &host[..4],
            (DeviceKind::Host, _, _) => &host,
            (_, Profile::Quick, Work::Gcd) => &[12, 14],
            (_, Profile::Quick, _) => &[14, 16, 20],
            (_, _, Work::Gcd) => &[10, 12, 14, 16],
            (_, Profile::Standard, _) => &[10, 12, 14, 16, 18, 20],
            (_, _, Work::Divide) => &[10, 12, 14, 16, 18, 20, 22],
            (_, _, _) => &[10, 12, 14, 16, 18, 20, 22, 23],
        }
    };
    let primes: &[Prime] = if profile == Profile::Quick { &[FFT_29] } else { &[FFT_29, PLAIN_31, FFT_62] };
    let mut found = Vec::new();
    for work in Work::ALL {
        for &prime in primes {
            found.extend(lengths(work).iter().map(|&log_len| Case { work, prime, log_len, on_device }));
        }
    }
    found
}

/// Figures measured elsewhere for the operations of the cases, and a line for each code that could be measured with the cases
/// of the host and is absent.
pub fn preface(cases: &[Case]) -> Vec<Line> {
    let mut lines = Vec::new();
    for work in Work::ALL {
        let operation = work.operation();
        let mut own = cases.iter().filter(|case| case.work == work).peekable();
        if own.peek().is_some() {
            let figures = figures::polynomials().into_iter().filter(|peer| peer.operation == operation);
            lines.extend(figures.map(Line::Peer));
        }
        if own.any(|case| !case.on_device) {
            lines.extend(absent(operation));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_tell_the_case() {
        for profile in [Profile::Quick, Profile::Standard, Profile::Full] {
            for kind in [DeviceKind::Host, DeviceKind::Cpu, DeviceKind::Gpu] {
                let mut names: Vec<String> = cases(profile, kind).iter().map(ToString::to_string).collect();
                let count = names.len();
                names.sort();
                names.dedup();
                assert_eq!(names.len(), count);
                if kind == DeviceKind::Gpu {
                    assert!(names.iter().any(|name| name == "poly-eval/device/469762049/2^20"));
                }
            }
        }
        assert!(
            cases(Profile::Quick, DeviceKind::Host).iter().any(|c| c.to_string() == "poly-gcd/host/469762049/2^12")
        );
    }

    #[test]
    fn evaluations_have_figures_beside_them() {
        let lines = preface(&cases(Profile::Quick, DeviceKind::Gpu));
        let figures =
            |operation| lines.iter().any(|line| matches!(line, Line::Peer(peer) if peer.operation == operation));
        assert!(figures("poly-eval") && figures("poly-interpolate"));
        assert!(!lines.iter().any(|line| matches!(line, Line::Skipped(_))));
        let absent = preface(&cases(Profile::Quick, DeviceKind::Host));
        let absent = absent.iter().filter(|line| matches!(line, Line::Skipped(_))).count();
        assert_eq!(absent, if cfg!(feature = "flint") { 0 } else { 4 });
    }
}
