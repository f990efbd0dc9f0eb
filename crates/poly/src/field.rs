//! The fields that polynomials have coefficients in.

use manycore_files::NpyNumber;
use manycore_ntt::NttField;

use crate::host::HostField;

/// Fields whose polynomials have all operations on the host and on devices: [`PrimeField<u32>`](manycore_field::PrimeField),
/// [`PrimeField<u64>`](manycore_field::PrimeField) and [`Goldilocks`](manycore_field::Goldilocks).
pub trait PolyField: NttField<Element: NpyNumber> + HostField {}

impl<F: NttField<Element: NpyNumber> + HostField> PolyField for F {}
