//! The cases of the Reed-Muller, arithmetic and Haar transforms, and paper 001's comparison of each with its plain forms.

mod check;
mod work;

use std::fmt;

use anyhow::Result;
use manycore_device::{Device, DeviceInfo, DeviceKind};

use crate::lines::Measurement;
use crate::measure::{Effort, measure};
use crate::memory_rate::MemoryRate;
use crate::walsh::{Form, Profile, even, too_large};
pub use work::prepare;

/// A transform and its element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transform {
    /// Reed-Muller, one value a byte.
    ReedMullerU8,
    /// Reed-Muller, one value an `i32`, as paper 001 has them.
    ReedMullerI32,
    /// Reed-Muller, 64 values a word.
    ReedMullerPacked,
    /// Arithmetic, of `i32`.
    ArithmeticI32,
    /// Arithmetic, of `i64`.
    ArithmeticI64,
    /// Haar, of `f32`.
    HaarF32,
    /// Haar, of `i32`.
    HaarI32,
}

impl Transform {
    /// The operation's name in every line.
    pub const fn operation(self) -> &'static str {
        match self {
            Self::ReedMullerU8 | Self::ReedMullerI32 | Self::ReedMullerPacked => "reed-muller",
            Self::ArithmeticI32 | Self::ArithmeticI64 => "arithmetic",
            Self::HaarF32 | Self::HaarI32 => "haar",
        }
    }

    /// The element type.
    pub const fn element(self) -> &'static str {
        match self {
            Self::ReedMullerU8 => "u8",
            Self::ReedMullerPacked => "bit",
            Self::ReedMullerI32 | Self::ArithmeticI32 | Self::HaarI32 => "i32",
            Self::ArithmeticI64 => "i64",
            Self::HaarF32 => "f32",
        }
    }

    const fn is_haar(self) -> bool {
        matches!(self, Self::HaarF32 | Self::HaarI32)
    }

    const fn bits(self) -> u64 {
        match self {
            Self::ReedMullerPacked => 1,
            Self::ReedMullerU8 => 8,
            Self::ReedMullerI32 | Self::ArithmeticI32 | Self::HaarF32 | Self::HaarI32 => 32,
            Self::ArithmeticI64 => 64,
        }
    }
}

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// The transform.
    pub transform: Transform,
    /// Its values, as a power of two: one transform.
    pub log_len: u32,
    /// The program.
    pub form: Form,
    /// Whether it is the inverse.
    pub inverse: bool,
}

impl fmt::Display for Case {
    /// As `haar/f32/2^20/standard/constant-geometry`, with `/inverse` at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (operation, element) = (self.transform.operation(), self.transform.element());
        write!(f, "{operation}/{element}/2^{}/{}/{}", self.log_len, self.order(), self.form.name())?;
        if self.inverse { f.write_str("/inverse") } else { Ok(()) }
    }
}

impl Case {
    /// The operation's name.
    pub const fn operation(&self) -> &'static str {
        self.transform.operation()
    }

    /// The order of the spectrum: the program's default.
    pub const fn order(&self) -> &'static str {
        match (self.is_in_place(), self.transform.is_haar()) {
            (true, false) => "natural",
            (false, false) => "reversed",
            (true, true) => "in-place",
            (false, true) => "standard",
        }
    }

    const fn is_in_place(self) -> bool {
        matches!(self.form, Form::CooleyTukey | Form::PlainLoop)
    }

    /// Bytes of all values.
    pub const fn bytes(&self) -> u64 {
        (self.transform.bits() << self.log_len) / 8
    }

    /// Additions, subtractions, and exclusive ors of single values.
    pub fn operations(&self) -> f64 {
        let values = f64::from(self.log_len).exp2();
        if self.transform.is_haar() { 2.0 * (values - 1.0) } else { f64::from(self.log_len) / 2.0 * values }
    }

    /// Whether the case means something on a device, as [`crate::walsh::Case::concerns`].
    pub fn concerns(&self, kind: DeviceKind, threads: Option<u64>) -> bool {
        match self.form {
            Form::CooleyTukey | Form::Geometry => true,
            Form::GeometrySteps => kind != DeviceKind::Host,
            Form::PlainLoop | Form::PlainGeometry => threads == Some(1),
        }
    }

    /// Why the case cannot run on a device; `host_bytes` is the host's memory.
    pub fn obstacle(&self, info: &DeviceInfo, host_bytes: u64) -> Option<String> {
        let buffers = match self.form {
            // The spectrum and two rows of sums beside the values.
            Form::PlainGeometry if self.transform.is_haar() => 4,
            form => form.buffers(),
        };
        too_large(info, host_bytes, self.bytes(), buffers)
    }
}

/// The cases of a profile for a kind of device, in the order they are run. A GPU does more in the same time.
pub fn cases(profile: Profile, kind: DeviceKind) -> Vec<Case> {
    let gpu = matches!(kind, DeviceKind::Gpu | DeviceKind::Accelerator);
    let mut cases = Vec::new();
    let mut add = |transform, lengths: &[u32], form, inverse| {
        cases.extend(lengths.iter().map(|&log_len| Case { transform, log_len, form, inverse }));
    };
    let singles = if gpu {
        profile.pick(vec![12, 16, 20, 24, 26], even(10, 28), (10..=30).collect())
    } else {
        profile.pick(vec![12, 16, 20], even(10, 24), (10..=28).collect())
    };
    let few = if gpu {
        profile.pick(vec![24], vec![20, 24, 26], even(10, 28))
    } else {
        profile.pick(vec![18], vec![16, 20, 24], even(10, 26))
    };
    for transform in [Transform::ReedMullerI32, Transform::ArithmeticI32] {
        add(transform, &singles, Form::CooleyTukey, false);
        add(transform, &few, Form::Geometry, false);
        add(transform, &few, Form::GeometrySteps, false);
    }
    add(Transform::ReedMullerU8, &few, Form::CooleyTukey, false);
    add(Transform::ArithmeticI64, &few, Form::CooleyTukey, false);
    add(Transform::ArithmeticI32, &few, Form::CooleyTukey, true);
    let packed = if gpu {
        profile.pick(vec![26, 32], even(18, 34), even(12, 38))
    } else {
        profile.pick(vec![18, 24], even(14, 30), even(12, 34))
    };
    add(Transform::ReedMullerPacked, &packed, Form::CooleyTukey, false);
    add(Transform::HaarF32, &singles, Form::Geometry, false);
    add(Transform::HaarF32, &few, Form::Geometry, true);
    add(Transform::HaarF32, &few, Form::CooleyTukey, false);
    add(Transform::HaarI32, &few, Form::Geometry, false);
    // Paper 001's comparison: its plain forms on one host thread.
    let paper = profile.pick(vec![12, 16, 18, 20], even(10, 24), (10..=24).collect());
    for transform in [Transform::ReedMullerI32, Transform::ArithmeticI32, Transform::HaarF32] {
        add(transform, &paper, Form::PlainLoop, false);
        add(transform, &paper, Form::PlainGeometry, false);
    }
    cases
}

/// Checks and times a case on a device.
///
/// # Errors
/// When the device has too little memory or fails.
pub fn run(device: &Device, case: &Case, effort: Effort, rate: &mut MemoryRate) -> Result<Measurement> {
    let host = device.info().kind == DeviceKind::Host;
    let floor_seconds = rate.floor_seconds(case.bytes())?;
    let mut work = prepare(device, *case)?;
    let (verified, note) = work.check()?;
    let facts = work.facts()?;
    let times = measure(effort, work.most_repeats(), |repeats| work.group(repeats))?;
    let passes = (!host).then(|| facts.bytes / (2.0 * case.bytes() as f64));
    Ok(Measurement {
        operation: case.operation(),
        case: case.to_string(),
        device: device.info().id.clone(),
        element: case.transform.element(),
        size: None,
        order: case.order(),
        algorithm: format!("{}{}", case.form.name(), if case.inverse { ", inverse" } else { "" }),
        log_len: case.log_len,
        batch: 1,
        threads: host.then_some(device.info().compute_units.into()),
        seconds: times.median,
        minimum: times.minimum,
        maximum: times.maximum,
        repeats: times.repeats,
        upload_seconds: facts.transfers.map(|(up, _)| up),
        download_seconds: facts.transfers.map(|(_, down)| down),
        floor_seconds,
        passes,
        pass_floor_seconds: passes.map(|passes| passes * floor_seconds),
        bytes: facts.bytes,
        operations: case.operations(),
        launches: (!host).then_some(facts.launches),
        verified,
        baseline: case.form.is_baseline(),
        note: if verified { note.to_owned() } else { format!("WRONG: {note}") },
    })
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
                for name in [
                    "reed-muller/i32/2^20/natural/cooley-tukey",
                    "arithmetic/i32/2^20/natural/plain-cooley-tukey",
                    "haar/f32/2^20/standard/constant-geometry",
                ] {
                    assert!(names.iter().any(|known| known == name), "{name} {profile:?} {kind:?}");
                }
                names.sort();
                names.dedup();
                assert_eq!(names.len(), count, "{profile:?} {kind:?}");
            }
        }
    }

    #[test]
    fn every_plain_form_has_ours_in_its_order_beside_it() {
        for case in cases(Profile::Quick, DeviceKind::Host).into_iter().filter(|case| case.form.is_baseline()) {
            let ours = cases(Profile::Quick, DeviceKind::Host).into_iter();
            let mut ours = ours.filter(|other| !other.form.is_baseline() && !other.inverse);
            assert!(ours.any(|other| (other.transform, other.order()) == (case.transform, case.order())), "{case}");
        }
    }
}
