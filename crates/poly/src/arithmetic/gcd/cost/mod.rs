//! Counts of greatest common divisors, and the candidates: operations and memory by the sources of the kernels and of the host's code.
//!
//! | file | what |
//! |---|---|
//! | `host` | Euclid's algorithm on the host |
//! | `device` | steps on OpenCL devices |
//! | `half` | half-gcd on both |

mod device;
mod half;
mod host;

pub use device::OnDevice;
pub use host::OnHost;

pub(super) use half::WithHalf;

use super::plan::GcdShape;

/// Words of all pairs and of the divisors.
fn words(shape: &GcdShape) -> u64 {
    let one = (shape.n as u64).saturating_add(shape.m as u64).saturating_add(shape.longest() as u64);
    one.saturating_mul(shape.count as u64)
}
