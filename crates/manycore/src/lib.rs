#![doc = include_str!("../README.md")]

#[cfg(feature = "bigint")]
pub mod operations;

pub use manycore_bivariate as bivariate;
pub use manycore_boolean as boolean;
pub use manycore_characters as characters;
pub use manycore_codes as codes;
pub use manycore_device as device;
pub use manycore_expressions as expressions;
pub use manycore_field as field;
pub use manycore_files as files;
pub use manycore_fourier as fourier;
pub use manycore_kronecker as kronecker;
pub use manycore_linalg as linalg;
pub use manycore_maxplus as maxplus;
pub use manycore_model as model;
pub use manycore_ntt as ntt;
#[cfg(feature = "bigint")]
pub use manycore_operation as operation;
pub use manycore_poly as poly;
pub use manycore_semiring as semiring;
pub use manycore_sort as sort;
pub use manycore_sparse as sparse;
pub use manycore_spectral as spectral;
pub use manycore_tuning as tuning;
pub use manycore_verify as verify;

// The crates of the types that are taken and given.
#[cfg(feature = "bigint")]
pub use manycore_field::{num_bigint, num_rational};
pub use manycore_fourier::num_complex;
pub use manycore_sparse::sprs;
#[cfg(feature = "ndarray")]
pub use manycore_spectral::ndarray;

pub use manycore_bivariate::{Bivariate, BivariateError, BivariateField, BivariateRing};
pub use manycore_boolean::{Anf, Boolean, BooleanError, HexOrder, SBox, SBoxes, TableError, TruthTable};
pub use manycore_characters::{AbelianGroup, CharacterError, Characters, GroupError, IndexMap};
pub use manycore_codes::{CodeError, ErasureCode};
pub use manycore_device::{
    Buffer, CalibrateError, Control, Device, DeviceError, DeviceInfo, DeviceKind, DeviceSet, ErrorKind, InPlace,
    LibraryError, Profile, TuningMode, View, ViewMut,
};
pub use manycore_field::{Goldilocks, NotPrime, OutOfRange, PrimeField};
pub use manycore_files::FileError;
pub use manycore_fourier::{Fourier, FourierError};
pub use manycore_kronecker::{Factor, FactorError, Kronecker, KroneckerError, KroneckerProduct};
pub use manycore_linalg::{LinalgError, LinearAlgebra, Matrix, MatrixField, MatrixFileError};
pub use manycore_ntt::{Ntt, NttError, NttField, SpectrumOrder};
pub use manycore_poly::{Poly, PolyError, PolyField, PolyFileError, PolyRing};
pub use manycore_sparse::{MatrixEntries, SparseError, SparseFileError, SparseProduct};
pub use manycore_spectral::{
    Algorithm, Arithmetic, BitOrder, Bits, Direction, Haar, HaarOrder, Normalization, Order, Polarities, ReedMuller,
    Scalar, Spectral, SpectralError, Walsh, WalshPlan, arithmetic, haar, walsh_hadamard,
};
#[cfg(feature = "ndarray")]
pub use manycore_spectral::{Axes, AxesError};
