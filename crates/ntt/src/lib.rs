#![doc = include_str!("../README.md")]
//!
//! `X[k]` is the sum of `x[j] w^(j k)` over `2^n` values, where `w` has the order `2^n` modulo `p`; products of spectra are
//! spectra of cyclic convolutions. The negacyclic transform takes `v^(j (2 k + 1))` with `v` of order `2^(n+1)` and
//! multiplies modulo `x^(2^n) + 1`. A transform takes `n * 2^(n-1)` butterflies.
//!
//! By default the forward transform leaves its spectrum in bit-reversed order and the inverse takes it in that order, so
//! that neither moves values more than its butterflies do; pointwise work does not mind. [`SpectrumOrder::Natural`] takes a
//! bit reversal more.
//!
//! | file | what |
//! |---|---|
//! | `kind` | kinds, orders and directions |
//! | `transform` | [`Ntt`]: parameters, caches, the call |
//! | [`mod@reference`] | the definition, quadratic: specification and oracle |
//! | `tables` | roots of unity as the kernels want them |
//! | `host` | threads and SIMD |
//! | `device` | OpenCL orchestration |
//! | `explain` | the choice of a plan, and its seconds |
//! | `middle` | the passes of long transforms that other operations do not do themselves |
//! | `pointwise` | products of spectra, and convolutions by them |
//! | `parts` | what parts a pass finds, and how it twists them |
//! | `products` | products on the host, without spectra in between |
//! | `reversal` | bit reversal, for natural order |
//! | `along` | transforms along axes of arrays |
//! | `blocks` | transforms by several devices, and past their memory |
//! | [`truncated`] | transforms of any length |
//! | [`cost`] | the passes that a device may take, and what they count |

#[cfg(feature = "ndarray")]
mod along;
mod blocks;
pub mod cost;
mod device;
mod error;
mod explain;
mod host;
mod kind;
mod middle;
#[cfg(feature = "operations")]
pub mod operations;
mod parts;
mod pointwise;
mod products;
pub mod reference;
mod reversal;
pub mod tables;
mod transform;
pub mod truncated;

pub use error::NttError;
pub(crate) use kind::Way;
pub use kind::{Kind, SpectrumOrder};
pub use manycore_arrays::blocks::Blocks;
#[cfg(feature = "ndarray")]
pub use manycore_arrays::{Axes, AxesError, ndarray};
pub(crate) use manycore_device::Word;
pub use middle::{Columns, Middle};
#[doc(hidden)]
pub use pointwise::multiply_spectra;
pub use products::Rows;
pub use transform::{Ntt, NttField};
pub use truncated::{TruncatedNtt, TruncatedSpectrum};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
