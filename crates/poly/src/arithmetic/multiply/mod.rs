//! Products of polynomials.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition, quadratic: specification and oracle |
//! | `host`, `karatsuba` | on the host: by the definition with vectors and threads, and Karatsuba's |
//! | `device` | by the definition on OpenCL devices: tiles, and the two phases of paper 002 |
//! | `transform` | by number-theoretic transforms, on the host and on devices |
//! | `products`, `batch` | products as operations of the ring, one or many at once |
//! | `plan` | the algorithms and their parameters |
//! | `multiplier` | what a ring keeps of choices and transforms |
//! | [`cost`] | what each of them counts |

mod batch;
pub mod cost;
mod device;
mod host;
mod karatsuba;
pub(crate) mod multiplier;
pub(crate) mod plan;
mod products;
pub mod reference;
pub mod transform;

pub use batch::Batch;
pub use device::two_phase;
pub use plan::{Algorithm, Plan, Tile};
pub use products::Operation;
pub use transform::shape::Shape;

pub(crate) use host::run as run_on_host;
pub(crate) use products::Factors;
