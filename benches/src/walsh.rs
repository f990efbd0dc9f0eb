//! The cases of the Walsh-Hadamard transform.

use std::fmt;

use manycore_device::{DeviceInfo, DeviceKind};
use manycore_spectral::{Algorithm, Direction, Order, Walsh};

/// The operation's name in every line.
pub const OPERATION: &str = "walsh";

/// An element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `i32`
    I32,
    /// `i64`
    I64,
}

impl Element {
    /// The Rust name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I32 => "i32",
            Self::I64 => "i64",
        }
    }

    /// Bytes of a value.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::F32 | Self::I32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }
}

/// The program that is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The library, in place.
    CooleyTukey,
    /// The library, out of place, several steps a pass.
    Geometry,
    /// The library, out of place, one step a launch: paper 001's form, on OpenCL devices.
    GeometrySteps,
    /// [`crate::baseline::cooley_tukey`].
    PlainLoop,
    /// [`crate::baseline::constant_geometry`].
    PlainGeometry,
}

impl Form {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CooleyTukey => "cooley-tukey",
            Self::Geometry => "constant-geometry",
            Self::GeometrySteps => "constant-geometry-one-step-a-pass",
            Self::PlainLoop => "plain-cooley-tukey",
            Self::PlainGeometry => "plain-constant-geometry",
        }
    }

    /// Whether it is a plain form to compare with, and not the library.
    pub const fn is_baseline(self) -> bool {
        matches!(self, Self::PlainLoop | Self::PlainGeometry)
    }

    /// Buffers that it needs on the device.
    pub const fn buffers(self) -> u64 {
        match self {
            Self::CooleyTukey | Self::PlainLoop => 1,
            Self::Geometry | Self::GeometrySteps | Self::PlainGeometry => 2,
        }
    }
}

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// The element type.
    pub element: Element,
    /// Values of one transform, as a power of two.
    pub log_len: u32,
    /// Transforms at once, as a power of two.
    pub log_batch: u32,
    /// The order of the spectrum.
    pub order: Order,
    /// Forward or inverse.
    pub direction: Direction,
    /// The program.
    pub form: Form,
}

impl fmt::Display for Case {
    /// As `walsh/f32/2^20/hadamard/cooley-tukey`, `walsh/f32/2^10x2^17/hadamard/cooley-tukey`, with `/inverse` at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{OPERATION}/{}/2^{}", self.element.name(), self.log_len)?;
        if self.log_batch > 0 {
            write!(f, "x2^{}", self.log_batch)?;
        }
        write!(f, "/{}/{}", self.order, self.form.name())?;
        if self.direction == Direction::Inverse { f.write_str("/inverse") } else { Ok(()) }
    }
}

impl Case {
    /// Values of all transforms.
    pub const fn len(&self) -> usize {
        1 << (self.log_len + self.log_batch)
    }

    /// Never: even the shortest transform has a value.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Bytes of all values.
    pub const fn bytes(&self) -> u64 {
        self.element.bytes() << (self.log_len + self.log_batch)
    }

    /// Additions and subtractions.
    pub fn operations(&self) -> f64 {
        f64::from(self.log_len) * f64::from(self.log_len + self.log_batch).exp2()
    }

    /// The algorithm as reports show it.
    pub fn algorithm(&self) -> String {
        let inverse = if self.direction == Direction::Inverse { ", inverse" } else { "" };
        format!("{}{inverse}", self.form.name())
    }

    /// The library's options for the case, in a direction.
    pub fn how(&self, direction: Direction) -> Walsh {
        // Runs go on from the results of those before, whose integers wrap.
        let how = Walsh::new().wrapping().order(self.order).direction(direction).batch(1 << self.log_len);
        match self.form {
            Form::CooleyTukey | Form::PlainLoop => how.algorithm(Algorithm::CooleyTukey),
            Form::Geometry | Form::PlainGeometry => how.algorithm(Algorithm::ConstantGeometry),
            Form::GeometrySteps => how.algorithm(Algorithm::ConstantGeometry).steps_per_pass(1),
        }
    }

    /// Whether the case means something on a device: plain forms on one host thread, single steps on OpenCL devices.
    pub fn concerns(&self, kind: DeviceKind, threads: Option<u64>) -> bool {
        match self.form {
            Form::CooleyTukey | Form::Geometry => true,
            Form::GeometrySteps => kind != DeviceKind::Host,
            Form::PlainLoop | Form::PlainGeometry => threads == Some(1),
        }
    }

    /// Why the case cannot run on a device; `host_bytes` is the host's memory.
    pub fn obstacle(&self, info: &DeviceInfo, host_bytes: u64) -> Option<String> {
        if self.element == Element::F64 && !info.fp64 {
            return Some("the device has no f64".into());
        }
        too_large(info, host_bytes, self.bytes(), self.form.buffers())
    }
}

/// The reason why a device cannot hold `buffers` buffers of `bytes` bytes each, if it cannot; `host_bytes` is the host's memory.
pub(crate) fn too_large(info: &DeviceInfo, host_bytes: u64, bytes: u64, buffers: u64) -> Option<String> {
    let gibibytes = |bytes: u64| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30));
    // The input and the result on the host, and the buffers where the device's memory is the host's.
    let shared = matches!(info.kind, DeviceKind::Host | DeviceKind::Cpu);
    let on_host = bytes * (2 + if shared { buffers } else { 0 });
    if bytes > info.largest_allocation_bytes {
        let (bytes, limit) = (gibibytes(bytes), gibibytes(info.largest_allocation_bytes));
        Some(format!("{bytes} in one buffer; the device's largest is {limit}"))
    } else if bytes * buffers > info.memory_bytes / 10 * 9 {
        let (bytes, limit) = (gibibytes(bytes * buffers), gibibytes(info.memory_bytes));
        Some(format!("{bytes} in buffers; the device has {limit}"))
    } else if on_host > host_bytes / 3 {
        let (bytes, limit) = (gibibytes(on_host), gibibytes(host_bytes / 3));
        Some(format!("{bytes} of host memory; a third of it is {limit}"))
    } else {
        None
    }
}

/// How much is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Profile {
    /// A few sizes: three minutes on two processors
    Quick,
    /// The paper's sizes and more: ten minutes or so
    Standard,
    /// Every size to the device's memory
    Full,
}

impl Profile {
    pub(crate) fn pick<T>(self, quick: T, standard: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Standard => standard,
            Self::Full => full,
        }
    }
}

pub(crate) fn even(first: u32, last: u32) -> Vec<u32> {
    (first..=last).step_by(2).collect()
}

/// The cases of a profile for a kind of device, in the order they are run. A GPU does more in the same time.
pub fn cases(profile: Profile, kind: DeviceKind) -> Vec<Case> {
    let gpu = matches!(kind, DeviceKind::Gpu | DeviceKind::Accelerator);
    let mut cases = Vec::new();
    let mut add = |element, lengths: &[u32], order, form| {
        cases.extend(lengths.iter().map(|&log_len| Case {
            element,
            log_len,
            log_batch: 0,
            order,
            direction: Direction::Forward,
            form,
        }));
    };
    let hadamard = Order::Hadamard;
    let singles = if gpu {
        profile.pick(vec![10, 12, 15, 16, 18, 20, 22, 24, 26, 28], (10..=28).collect(), (10..=30).collect())
    } else {
        profile.pick(even(10, 24), even(10, 26), (10..=30).collect())
    };
    add(Element::F32, &singles, hadamard, Form::CooleyTukey);
    let integers = if gpu { profile.pick(vec![20, 24], even(10, 28), (10..=30).collect()) } else { singles.clone() };
    add(Element::I32, &integers[integers.len() / 2..], hadamard, Form::CooleyTukey);
    let wide = profile.pick(vec![16, 20], vec![16, 20, 24], even(10, 28));
    add(Element::F64, &wide, hadamard, Form::CooleyTukey);
    add(Element::I64, &wide, hadamard, Form::CooleyTukey);
    let geometry = if gpu {
        profile.pick(vec![20, 24], even(10, 26), even(10, 28))
    } else {
        profile.pick(vec![16, 18, 20], even(16, 24), even(10, 28))
    };
    add(Element::F32, &geometry, Order::Sequency, Form::Geometry);
    add(Element::F32, &geometry[geometry.len() - 1..], Order::Dyadic, Form::Geometry);
    add(Element::F32, &geometry, Order::Sequency, Form::GeometrySteps);
    let plain = profile.pick(even(10, 24), even(10, 24), even(10, 28));
    add(Element::F32, &plain, hadamard, Form::PlainLoop);
    add(Element::F32, &geometry, Order::Sequency, Form::PlainGeometry);
    add(Element::I32, &plain[plain.len() / 2..], hadamard, Form::PlainLoop);
    let inverse = |&log_len: &u32| Case {
        element: Element::F32,
        log_len,
        log_batch: 0,
        order: hadamard,
        direction: Direction::Inverse,
        form: Form::CooleyTukey,
    };
    cases.extend(profile.pick(vec![20], vec![16, 20, 24], even(10, 28)).iter().map(inverse));
    // Batches that fill as much memory as the peers' figures.
    let total = if gpu { 27 } else { profile.pick(20, 24, 27) };
    let lengths: &[u32] =
        if gpu { &[10, 12, 13, 14, 15] } else { profile.pick(&[10, 12, 15], &[10, 12, 14, 15], &[10, 12, 13, 14, 15]) };
    for element in [Element::F32, Element::I32] {
        let lengths = if element == Element::F32 { lengths } else { &lengths[..1] };
        cases.extend(lengths.iter().map(|&log_len| Case {
            element,
            log_len,
            log_batch: total - log_len,
            order: hadamard,
            direction: Direction::Forward,
            form: Form::CooleyTukey,
        }));
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::{Profile, cases};
    use manycore_device::{Device, DeviceKind};

    #[test]
    fn names_are_unique_and_tell_the_case() {
        for profile in [Profile::Quick, Profile::Standard, Profile::Full] {
            for kind in [DeviceKind::Host, DeviceKind::Cpu, DeviceKind::Gpu] {
                let mut names: Vec<String> = cases(profile, kind).iter().map(ToString::to_string).collect();
                let count = names.len();
                assert!(names.iter().any(|name| name == "walsh/f32/2^20/hadamard/cooley-tukey"));
                assert!(names.iter().any(|name| name.starts_with("walsh/f32/2^10x2^")));
                names.sort();
                names.dedup();
                assert_eq!(names.len(), count, "{profile:?} {kind:?}");
            }
        }
    }

    #[test]
    fn a_device_too_small_is_an_obstacle() {
        let mut info = Device::host().info().clone();
        (info.memory_bytes, info.largest_allocation_bytes) = (3 << 30, 1 << 28);
        let obstacles: Vec<bool> = cases(Profile::Full, DeviceKind::Host)
            .iter()
            .filter(|case| case.log_batch == 0 && case.element.bytes() == 4)
            .map(|case| case.obstacle(&info, 1 << 40).is_some() == (case.log_len > 26))
            .collect();
        assert!(obstacles.iter().all(|&right| right));
        let case = cases(Profile::Quick, DeviceKind::Gpu)[0];
        assert!(case.obstacle(&info, 16 << 10).unwrap().contains("host memory"));
    }

    #[test]
    fn plain_forms_run_on_one_thread_only() {
        for case in cases(Profile::Quick, DeviceKind::Host) {
            assert_eq!(
                case.concerns(DeviceKind::Host, Some(2)),
                !case.form.is_baseline() && case.concerns(DeviceKind::Host, None)
            );
        }
    }
}
