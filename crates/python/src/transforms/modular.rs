//! Number-theoretic transforms, and residues of integers.

use manycore::field::{ModularField as _, ResidueWord as _};
use manycore::ntt::Kind;
use manycore::{Goldilocks, Ntt, PrimeField, SpectrumOrder};
use pyo3::prelude::*;

use crate::arrays::owned;
use crate::device::PyDevice;
use crate::devices::Devices;
use crate::errors::OrRaise as _;
use crate::fields::{Field, WithField, short_field, with_field};
use crate::work::run;

/// Does `$work` with the field of a modulus and the array's memory in the field's words.
macro_rules! over_field {
    ($py:expr, $modulus:expr, $array:expr, |$field:ident, $x:ident| $work:expr) => {{
        let modulus: u64 = $modulus;
        if let Some(array) = $crate::arrays::of_type::<u32>($array) {
            let $field = $crate::fields::short_field(modulus)?;
            let mut access = $crate::arrays::writing(&array)?;
            let $x = access.as_slice_mut()?;
            $field.check($x).or_raise()?;
            $crate::work::run($py, || $work)?
        } else if let Some(array) = $crate::arrays::of_type::<u64>($array) {
            let mut access = $crate::arrays::writing(&array)?;
            let $x = access.as_slice_mut()?;
            if modulus == manycore::Goldilocks::MODULUS {
                let $field = manycore::Goldilocks;
                $field.check($x).or_raise()?;
                $crate::work::run($py, || $work)?
            } else {
                let $field = manycore::PrimeField::<u64>::new(modulus).or_raise()?;
                $field.check($x).or_raise()?;
                $crate::work::run($py, || $work)?
            }
        } else {
            Err($crate::arrays::wrong_type($array, "uint32 and uint64"))
        }
    }};
}

pub(super) use over_field;

/// The bytes of a word that holds residues modulo a prime: 4, or 8.
#[pyfunction]
pub(crate) fn residue_bytes(modulus: u64) -> PyResult<usize> {
    if modulus < PrimeField::<u32>::LIMIT {
        short_field(modulus)?;
        return Ok(size_of::<u32>());
    }
    if modulus != Goldilocks::MODULUS {
        PrimeField::<u64>::new(modulus).or_raise()?;
    }
    Ok(size_of::<u64>())
}

/// The residues modulo `modulus` of integers, in the words of [`residue_bytes`].
#[pyfunction]
pub(crate) fn residues<'py>(py: Python<'py>, modulus: u64, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if residue_bytes(modulus)? == size_of::<u32>() {
        Ok(owned(py, crate::arrays::residues::<u32>(modulus, x)?))
    } else {
        Ok(owned(py, crate::arrays::residues::<u64>(modulus, x)?))
    }
}

/// The number-theoretic transform of residues; gives the root of unity.
#[pyfunction]
pub(crate) fn ntt(
    py: Python<'_>,
    devices: Devices,
    x: &Bound<'_, PyAny>,
    len: usize,
    modulus: u64,
    form: (bool, bool, bool),
) -> PyResult<u64> {
    let (inverse, negacyclic, bit_reversed) = form;
    let kind = if negacyclic { Kind::Negacyclic } else { Kind::Cyclic };
    let order = if bit_reversed { SpectrumOrder::BitReversed } else { SpectrumOrder::Natural };
    over_field!(py, modulus, x, |field, x| {
        let of = format!("modulo {modulus}, {len}, {kind:?}, {order:?}");
        let make = |device: &_| Ntt::new(device, &field, len, kind).map(|ntt| ntt.with_order(order));
        match &devices {
            Devices::One(session) => session.kept(of, make).and_then(|ntt| {
                if inverse { ntt.inverse(x) } else { ntt.forward(x) }?;
                Ok(ntt.root().as_u64())
            }),
            // Each device of the set makes its own plan.
            Devices::Several(set) => make(&set.devices()[0]).and_then(|ntt| {
                if inverse { ntt.inverse_over(set, x) } else { ntt.forward_over(set, x) }?;
                Ok(ntt.root().as_u64())
            }),
        }
        .or_raise()
    })
}
/// Why a number-theoretic transform of `values` residues in runs of `len` takes its plan.
#[pyfunction]
pub(crate) fn explain_ntt(
    py: Python<'_>,
    device: &PyDevice,
    modulus: u64,
    values: usize,
    len: usize,
) -> PyResult<String> {
    struct Explain<'a> {
        device: &'a PyDevice,
        values: usize,
        len: usize,
    }
    impl WithField for Explain<'_> {
        type Output = String;

        fn run<F: Field>(self, field: F) -> PyResult<String> {
            let ntt = Ntt::new(&self.device.0.device, &field, self.len, Kind::Cyclic).or_raise()?;
            Ok(ntt.explain(self.values).or_raise()?.to_string())
        }
    }
    run(py, || with_field(modulus, Explain { device, values, len }))?
}
