//! A case: how its operands are made, run and checked, and how large it is for a kind of device.

use std::fmt;

use anyhow::Result;
use manycore_device::{Device, DeviceKind};

use crate::memory_rate::MemoryRate;
use crate::walsh::Profile;

/// Prepared work: operands, and the result of the last run.
pub trait Work {
    /// Does it once; the operands stay.
    ///
    /// # Errors
    /// Where memory is short or the device fails.
    fn run(&mut self) -> Result<()>;

    /// Whether the result of the last run is right.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn check(&mut self) -> Result<bool>;
}

struct Prepared<S, R, C> {
    state: S,
    run: R,
    check: C,
}

impl<S, R: FnMut(&mut S) -> Result<()>, C: FnMut(&mut S) -> Result<bool>> Work for Prepared<S, R, C> {
    fn run(&mut self) -> Result<()> {
        (self.run)(&mut self.state)
    }

    fn check(&mut self) -> Result<bool> {
        (self.check)(&mut self.state)
    }
}

/// Work on a state that holds operands and the result.
pub(super) fn work<S: 'static>(
    state: S,
    run: impl FnMut(&mut S) -> Result<()> + 'static,
    check: impl FnMut(&mut S) -> Result<bool> + 'static,
) -> Box<dyn Work> {
    Box::new(Prepared { state, run, check })
}

/// The library's work on a device.
pub(super) type Ours = Box<dyn Fn(&Device) -> Result<Box<dyn Work>>>;

/// Another code's work on the host.
pub(super) struct Other {
    pub(super) name: String,
    /// Whether it takes all threads of the host.
    pub(super) threaded: bool,
    pub(super) prepare: Box<dyn Fn() -> Result<Box<dyn Work>>>,
}

/// A case.
pub struct Case {
    /// The operation's name in every line.
    pub operation: &'static str,
    /// The element type.
    pub element: &'static str,
    /// The size in words, such as `10^6 keys`.
    pub size: String,
    /// The size, as a power of two, rounded up: the place on a plot's axis.
    pub log_len: u32,
    /// Bytes that are read, about as many as are written.
    pub(super) bytes: u64,
    /// Products and sums of the definition, of the words that a device computes with; 0 where the definition has no count.
    pub(super) operations: f64,
    /// How results are checked.
    pub(super) checked: &'static str,
    pub(super) ours: Ours,
    pub(super) others: Vec<Other>,
}

impl fmt::Display for Case {
    /// As `sort/u32/2^20 keys`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.operation, self.element, self.size)
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Case {
    /// A case of `len` elements; memory moves twice `bytes`.
    pub(super) fn new(
        (operation, element): (&'static str, &'static str),
        (len, size): (usize, String),
        (bytes, operations): (usize, f64),
        checked: &'static str,
        ours: impl Fn(&Device) -> Result<Box<dyn Work>> + 'static,
    ) -> Self {
        let log_len = len.max(1).next_power_of_two().ilog2();
        let (ours, others) = (Box::new(ours) as Ours, Vec::new());
        Self { operation, element, size, log_len, bytes: bytes as u64, operations, checked, ours, others }
    }

    /// What its time cannot be below: that of the bytes; not a number where they are no part of what it takes.
    pub(super) fn floor_seconds(&self, rate: &mut MemoryRate) -> Result<f64> {
        if self.operations == 0.0 { Ok(f64::NAN) } else { rate.floor_seconds(self.bytes) }
    }

    /// With another code beside the library on the host.
    pub(super) fn beside(
        mut self,
        name: impl Into<String>,
        threaded: bool,
        prepare: impl Fn() -> Result<Box<dyn Work>> + 'static,
    ) -> Self {
        self.others.push(Other { name: name.into(), threaded, prepare: Box::new(prepare) });
        self
    }
}

/// What a profile asks of a kind of device.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) profile: Profile,
    pub(super) kind: DeviceKind,
}

impl Extent {
    /// The sizes for a processor through OpenCL and a quick run on the host, for other runs on the host, and for a GPU, of which a
    /// quick run takes the first.
    pub(super) fn of<T: Copy>(self, small: &[T], host: &[T], gpu: &[T]) -> Vec<T> {
        let sizes = match (self.kind, self.profile) {
            (DeviceKind::Host, Profile::Quick) | (DeviceKind::Cpu, _) => small,
            (DeviceKind::Host, _) => host,
            (_, Profile::Quick) => &gpu[..gpu.len().min(1)],
            (_, _) => gpu,
        };
        sizes.to_vec()
    }
}
