//! A failure of a self-test: a primitive that a device computes wrong.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The variable that decides about self-tests: `auto` or nothing runs one at the first use of a device with a driver, `always` in
/// each process, `off` never, so that a device is used whatever it computes.
pub const SELF_TEST_VARIABLE: &str = "MANYCORE_SELF_TEST";

/// What cannot be used where a primitive is computed wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NeededBy {
    /// The device: nothing is computed on it.
    Everything,
    /// `f64` in kernels, residues in double precision too: the device counts as one without `cl_khr_fp64`.
    Double,
    /// Residues in double precision: primes below 2^50 are computed with in integers.
    DoubleProducts,
}

/// A primitive that a device computes wrong, with an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Failure {
    /// The primitive.
    pub primitive: String,
    /// The operands, in hexadecimal.
    pub input: String,
    /// The right result.
    pub expected: String,
    /// The device's.
    pub found: String,
    /// What is not used because of it.
    pub needed_by: NeededBy,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { primitive, input, expected, found, .. } = self;
        write!(f, "{primitive} of {input} gives {found}, not {expected}")
    }
}
