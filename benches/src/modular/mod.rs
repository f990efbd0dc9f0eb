//! The cases of modular arithmetic: number-theoretic transforms and products of polynomials, on the host each timed in turns
//! with the other codes that are present, on OpenCL devices by the device's clock.
//!
//! | file | what |
//! |---|---|
//! | `ours` | the library's transforms and products |
//! | `contest` | one case: checks everybody's result, times everybody in turns |
//! | [`device`] | the cases on OpenCL devices, on data that lie there |

mod contest;
pub mod device;
mod ours;

use std::fmt;

use crate::lines::{Line, Skipped};
use crate::peers::{self, Absent};
use crate::walsh::Profile;

pub use contest::run;
pub use device::DeviceCase;

/// The operation's name of transforms in every line.
pub const NTT: &str = "ntt";
/// The operation's name of products in every line.
pub const PRODUCT: &str = "poly-mul";

/// A modulus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prime {
    /// The prime.
    pub p: u64,
    /// The word that holds its residues, and the prime: the element type in every line.
    pub element: &'static str,
}

impl Prime {
    /// Bytes of a residue.
    pub const fn word_bytes(&self) -> u64 {
        if self.p >> 31 == 0 { 4 } else { 8 }
    }
}

/// 29 bits; roots of unity up to the order 2^26.
pub const FFT_29: Prime = Prime { p: 469_762_049, element: "u32 mod 469762049" };
/// 31 bits; roots of unity up to the order 2^27.
pub const FFT_31: Prime = Prime { p: 2_013_265_921, element: "u32 mod 2013265921" };
/// 62 bits; roots of unity up to the order 2^25.
pub const FFT_62: Prime = Prime { p: 4_611_686_018_326_724_609, element: "u64 mod 4611686018326724609" };
/// 31 bits, and no roots of unity of an even order past 2: products take other primes.
pub const PLAIN_31: Prime = Prime { p: 2_147_483_647, element: "u32 mod 2147483647" };
/// 62 bits, and no roots of unity of an order that helps.
pub const PLAIN_62: Prime = Prime { p: 4_611_686_018_427_387_847, element: "u64 mod 4611686018427387847" };

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// The forward transform of `2^log_len` values, into bit-reversed order.
    Transform,
    /// The product of two polynomials of `2^log_len` coefficients each.
    Product,
}

/// A case. Everything is computed on the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// What is computed.
    pub work: Work,
    /// The modulus.
    pub prime: Prime,
    /// Values of a transform or coefficients of an operand, as a power of two.
    pub log_len: u32,
}

impl fmt::Display for Case {
    /// As `ntt/host/469762049/2^12`, `poly-mul/host/469762049/2^12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/host/{}/2^{}", self.operation(), self.prime.p, self.log_len)
    }
}

impl Case {
    /// The operation's name.
    pub const fn operation(&self) -> &'static str {
        match self.work {
            Work::Transform => NTT,
            Work::Product => PRODUCT,
        }
    }

    /// Bytes that are read and that are written, at least each: the operands are as long as the result.
    pub fn bytes(&self) -> u64 {
        let word = if self.prime.p >> 32 == 0 { 4 } else { 8 };
        match self.work {
            Work::Transform => word << self.log_len,
            Work::Product => word << (self.log_len + 1),
        }
    }
}

/// The cases of a profile, in the order they are run.
pub fn cases(profile: Profile) -> Vec<Case> {
    let (first, last, step) = match profile {
        Profile::Quick => (12, 20, 4),
        Profile::Standard => (10, 22, 2),
        Profile::Full => (10, 24, 1),
    };
    let of = |work, primes: &[Prime]| -> Vec<Case> {
        let lengths = || (first..=last).step_by(step);
        primes.iter().flat_map(|&prime| lengths().map(move |log_len| Case { work, prime, log_len })).collect()
    };
    [of(Work::Transform, &[FFT_29, FFT_31, FFT_62]), of(Work::Product, &[FFT_29, PLAIN_31, FFT_62, PLAIN_62])].concat()
}

/// Figures measured elsewhere for the operations of the cases, and a line for each code that
/// could be measured with the cases of the host and is absent.
pub fn preface(cases: &[Case], on_devices: &[DeviceCase]) -> Vec<Line> {
    let on_host = |work| cases.iter().any(|case| case.work == work);
    let any = |work| on_host(work) || on_devices.iter().any(|case| case.work == work);
    let absent = |operation: &'static str, codes: Vec<Absent>| {
        codes.into_iter().map(move |Absent { name, reason }| {
            let (case, device) = (format!("{operation}/host: {name} beside ours"), "host".into());
            Line::Skipped(Skipped { operation, case, device, reason: reason.to_owned() })
        })
    };
    let mut lines = Vec::new();
    if any(Work::Transform) {
        lines.extend(peers::figures::ntt().into_iter().map(Line::Peer));
    }
    if on_host(Work::Transform) {
        lines.extend(absent(NTT, peers::transformers().absent));
    }
    if any(Work::Product) {
        lines.extend(peers::figures::products().into_iter().map(Line::Peer));
    }
    if on_host(Work::Product) {
        lines.extend(absent(PRODUCT, peers::multipliers().absent));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{NTT, cases, device, preface};
    use crate::lines::Line;
    use crate::walsh::Profile;

    #[test]
    fn names_are_unique_and_tell_the_case() {
        for profile in [Profile::Quick, Profile::Standard, Profile::Full] {
            let mut names: Vec<String> = cases(profile).iter().map(ToString::to_string).collect();
            let count = names.len();
            assert!(names.iter().any(|name| name == "ntt/host/469762049/2^12"));
            assert!(names.iter().any(|name| name == "poly-mul/host/4611686018326724609/2^20"));
            names.sort();
            names.dedup();
            assert_eq!(names.len(), count);
        }
    }

    #[test]
    fn devices_have_figures_beside_them() {
        let all = device::cases(Profile::Quick, manycore_device::DeviceKind::Gpu);
        let lines = preface(&[], &all);
        let peer = |operation, class| {
            lines
                .iter()
                .any(|line| matches!(line, Line::Peer(peer) if (peer.operation, peer.class) == (operation, class)))
        };
        assert!(peer(NTT, "gpu") && peer(super::PRODUCT, "gpu"));
        assert!(!lines.iter().any(|line| matches!(line, Line::Skipped(_))));
    }

    #[test]
    fn an_absent_code_is_named_for_the_operations_that_run() {
        let all = cases(Profile::Quick);
        let transforms: Vec<_> = all.iter().filter(|case| case.operation() == NTT).copied().collect();
        let absent = |lines: &[Line]| -> Vec<String> {
            let name = |line: &Line| if let Line::Skipped(skipped) = line { Some(skipped.case.clone()) } else { None };
            lines.iter().filter_map(name).collect()
        };
        assert!(preface(&[], &[]).is_empty());
        let names = absent(&preface(&transforms, &[]));
        assert_eq!(names.iter().any(|name| name.contains("tfhe-ntt")), cfg!(not(feature = "tfhe-ntt")));
        assert!(!names.iter().any(|name| name.contains("FLINT")));
        let names = absent(&preface(&all, &[]));
        assert_eq!(names.iter().any(|name| name.contains("FLINT")), cfg!(not(feature = "flint")));
    }
}
