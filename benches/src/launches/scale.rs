//! The kernel that is launched, and what each launch is given.

use std::fmt;

use manycore_kernels::{Entry, Unit};

/// The operation's name in every line.
pub const OPERATION: &str = "launch";

pub(super) static SCALE_UNIT: Unit = Unit {
    path: "benches/scale.cl",
    source: "__kernel void scale(__global const float *x, __global float *y, const ulong n, const float a, const float b,\n\
             \x20                   const uint shift, const uint mask)\n{\n\
             \x20   const ulong i = get_global_id(0);\n    if (i < n)\n        y[i] = a * x[(i + shift) & mask] + b;\n}\n",
    parts: &[],
    entries: &[Entry::named("scale")],
    parameter_sets: &[&[]],
};

// SAFETY: the arguments of its launches are the length of both buffers, a power of two, and a mask below it.
manycore_device::kernel! {
    /// y = a x + b, of x rotated.
    pub(super) unsafe SCALE in SCALE_UNIT: scale(x: input<f32>, y: buffer<f32>, n: u64, a: f32, b: f32, shift: u32, mask: u32)
}

/// Arguments of [`SCALE`].
pub(super) const ARGUMENTS: usize = 7;
/// Values of a launch, and items of its groups.
pub(super) const LEN: usize = 1024;
pub(super) const GROUP: usize = 64;

/// What changes from launch to launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// Nothing.
    Same,
    /// Both buffers and two of the numbers.
    Changing,
}

impl fmt::Display for Case {
    /// As `launch/same-arguments`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = if *self == Self::Same { "same" } else { "changing" };
        write!(f, "{OPERATION}/{arguments}-arguments")
    }
}

/// What a launch is given: y = a x + b, of x rotated by `shift`, where x and y may change places. Both forms write ones:
/// 0.75 * 1 + 0.25 and 0.5 * 1 + 0.5.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arguments {
    pub(super) swapped: bool,
    pub(super) a: f32,
    pub(super) b: f32,
    pub(super) shift: u32,
}

impl Arguments {
    /// The arguments of launch `number` of a case.
    pub(super) fn of(case: Case, number: u32) -> Self {
        let swapped = case == Case::Changing && !number.is_multiple_of(2);
        let (b, shift) = if swapped { (0.25, 5) } else { (0.5, 3) };
        Self { swapped, a: 1.0 - b, b, shift }
    }
}
