//! The cases of products, determinants and inverses of matrices, on the host each in turns with the other codes that are present, on
//! OpenCL devices on data that lie there.
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
use crate::modular::{FFT_29, PLAIN_62, Prime};
use crate::peers::tasks::Task;
use crate::solved::{Planned, Solved, absent};
use crate::verify::Told;
use crate::walsh::Profile;

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// The product of two square matrices.
    Product,
    /// The determinant.
    Determinant,
    /// The inverse.
    Inverse,
}

impl Work {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Product, Self::Determinant, Self::Inverse];

    /// The operation's name in every line.
    pub const fn operation(self) -> &'static str {
        match self {
            Self::Product => "matrix-mul",
            Self::Determinant => "matrix-det",
            Self::Inverse => "matrix-inverse",
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
    /// The order of the matrices, as a power of two.
    pub log_order: u32,
    /// Whether it is one on an OpenCL device.
    pub on_device: bool,
}

impl fmt::Display for Case {
    /// As `matrix-mul/host/469762049/2^9`, `matrix-det/device/469762049/2^12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.on_device { "device" } else { "host" };
        write!(f, "{}/{place}/{}/2^{}", self.work.operation(), self.prime.p, self.log_order)
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
        self.log_order
    }

    fn on_device(&self) -> bool {
        self.on_device
    }

    /// Those of one matrix.
    fn bytes(&self) -> u64 {
        self.prime.word_bytes() << (2 * self.log_order)
    }

    /// Of order `n` `2 n^3`, for a determinant a third of them.
    fn operations(&self) -> f64 {
        let cube = f64::from(3 * self.log_order).exp2();
        if self.work == Work::Determinant { 2.0 * cube / 3.0 } else { 2.0 * cube }
    }

    fn task(&self) -> Task {
        let order = 1usize << self.log_order;
        let entries = |seed| data::residues(order * order, self.prime.p, seed);
        match self.work {
            Work::Product => Task::MatrixProduct { order, a: entries(1), b: entries(2) },
            Work::Determinant => Task::Determinant { order, a: entries(1) },
            Work::Inverse => Task::Inverse { order, a: entries(1) },
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
    let orders: &[u32] = match (kind, profile) {
        (DeviceKind::Cpu, Profile::Quick) => &[5],
        (DeviceKind::Cpu, _) => &[5, 7],
        (DeviceKind::Host, Profile::Quick) => &[6, 8],
        (DeviceKind::Host, Profile::Standard) => &[6, 7, 8, 9],
        (DeviceKind::Host, Profile::Full) => &[6, 7, 8, 9, 10],
        (_, Profile::Quick) => &[6, 8, 10],
        (_, Profile::Standard) => &[6, 8, 10, 12],
        (_, Profile::Full) => &[6, 7, 8, 9, 10, 11, 12, 13],
    };
    let primes: &[Prime] = if profile == Profile::Quick { &[FFT_29] } else { &[FFT_29, PLAIN_62] };
    let mut found = Vec::new();
    for work in Work::ALL {
        for &prime in primes {
            found.extend(orders.iter().map(|&log_order| Case { work, prime, log_order, on_device }));
        }
    }
    found
}

/// A line for each code that could be measured with the cases of the host and is absent.
pub fn preface(cases: &[Case]) -> Vec<Line> {
    let is_on_host = |work: &Work| cases.iter().any(|case| case.work == *work && !case.on_device);
    Work::ALL.into_iter().filter(is_on_host).flat_map(|work| absent(work.operation())).collect()
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
                    assert!(names.iter().any(|name| name == "matrix-det/device/469762049/2^10"));
                }
            }
        }
    }

    #[test]
    fn who_is_absent_is_told_of_the_host_s_cases() {
        let lines = |kind| preface(&cases(Profile::Quick, kind)).len();
        let (flint, ffpack) = (cfg!(not(feature = "flint")), cfg!(not(manycore_ffpack)));
        let absent = 3 * usize::from(flint) + 2 * usize::from(ffpack);
        assert_eq!((lines(DeviceKind::Gpu), lines(DeviceKind::Host)), (0, absent));
    }
}
