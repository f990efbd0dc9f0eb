//! Why an operation over ranks was not done.

use manycore_device::DeviceError;
use manycore_linalg::LinalgError;
use manycore_maxplus::MaxPlusError;
use manycore_ntt::NttError;
use manycore_semiring::SemiringError;
use manycore_sort::SortError;
use manycore_spectral::SpectralError;

/// Why an operation over ranks was not done. Ranks that wait for one that failed get [`ClusterError::Lost`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// A rank ended, or answered with something else than was agreed.
    #[error("rank {rank}: {reason}")]
    Lost {
        /// The other rank.
        rank: usize,
        /// What is known of it.
        reason: String,
    },
    /// A rank has another number of elements than its part.
    #[error("rank {rank} has {given} {what}, and its part is {expected}")]
    Length {
        /// The rank.
        rank: usize,
        /// Which elements.
        what: &'static str,
        /// Its part.
        expected: usize,
        /// What it has.
        given: usize,
    },
    /// More ranks than the data has parts for, or none.
    #[error("{ranks} ranks for {what} of {parts}: each needs one at least")]
    Ranks {
        /// The ranks.
        ranks: usize,
        /// What is shared.
        what: &'static str,
        /// The number of parts.
        parts: usize,
    },
    /// The weight of a path may pass the ends of its type.
    #[error("paths over {nodes} nodes of weights up to {largest} may pass the ends of {kind}")]
    Overflow {
        /// The nodes.
        nodes: usize,
        /// The largest absolute weight.
        largest: String,
        /// The type.
        kind: &'static str,
    },
    /// MPI could not be started.
    #[error("MPI: {0}")]
    Mpi(String),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A part of a transform was not done.
    #[error(transparent)]
    Spectral(Box<SpectralError>),
    /// A part of a transform modulo a prime was not done.
    #[error(transparent)]
    Ntt(Box<NttError>),
    /// A part of a sort was not done.
    #[error(transparent)]
    Sort(Box<SortError>),
    /// A block of a star was not computed.
    #[error(transparent)]
    MaxPlus(Box<MaxPlusError>),
    /// A product of blocks was not computed.
    #[error(transparent)]
    Semiring(Box<SemiringError>),
    /// A part of a determinant was not computed.
    #[error(transparent)]
    Linalg(Box<LinalgError>),
}

/// Errors of operations stand behind a pointer: some are large.
macro_rules! from {
    ($($error:ident => $variant:ident,)*) => {$(
        impl From<$error> for ClusterError {
            fn from(error: $error) -> Self {
                Self::$variant(Box::new(error))
            }
        }
    )*};
}

from! {
    SpectralError => Spectral,
    NttError => Ntt,
    SortError => Sort,
    MaxPlusError => MaxPlus,
    SemiringError => Semiring,
    LinalgError => Linalg,
}
