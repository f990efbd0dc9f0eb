//! Matrices, row after row: modulo primes, and determinants of integers.

use std::ffi::c_char;

use manycore::linalg::exact::{Certainty, determinant};
use manycore::{Goldilocks, LinearAlgebra, MatrixField, PrimeField};

use crate::arrays;
use crate::device::{ManycoreDevice, device as opened};
use crate::status::{Failure, ManycoreStatus, guarded};
use crate::transforms::GOLDILOCKS;

fn entries(rows: usize, columns: usize) -> Result<usize, Failure> {
    rows.checked_mul(columns).ok_or_else(|| Failure::invalid(format!("a matrix of {rows} rows and {columns} columns")))
}

unsafe fn mul<F: MatrixField>(
    device: *const ManycoreDevice,
    field: F,
    (rows, inner, columns): (usize, usize, usize),
    (a, b, out): (*const F::Element, *const F::Element, *mut F::Element),
) -> Result<(), Failure> {
    // SAFETY: the caller answers for the handle and the arrays.
    let (device, a, b, out) = unsafe {
        let (a, b) = (arrays::read("a", a, entries(rows, inner)?)?, arrays::read("b", b, entries(inner, columns)?)?);
        (opened(device)?, a, b, arrays::write("out", out, entries(rows, columns)?)?)
    };
    let space = LinearAlgebra::new(device, field)?;
    arrays::give("out", &space.mul_words((rows, inner, columns), a, b)?, out)
}

unsafe fn det<F: MatrixField>(
    device: *const ManycoreDevice,
    field: F,
    (a, order): (*const F::Element, usize),
    out: *mut F::Element,
) -> Result<(), Failure> {
    // SAFETY: the caller answers for the handle and the arrays.
    let (device, a, out) =
        unsafe { (opened(device)?, arrays::read("a", a, entries(order, order)?)?, arrays::out("out", out)?) };
    let space = LinearAlgebra::new(device, field)?;
    *out = space.determinant(&space.matrix(order, order, a)?)?;
    Ok(())
}

unsafe fn inverse<F: MatrixField>(
    device: *const ManycoreDevice,
    field: F,
    (a, order): (*const F::Element, usize),
    out: *mut F::Element,
) -> Result<(), Failure> {
    // SAFETY: the caller answers for the handle and the arrays.
    let (device, a, out) = unsafe {
        let count = entries(order, order)?;
        (opened(device)?, arrays::read("a", a, count)?, arrays::write("out", out, count)?)
    };
    let space = LinearAlgebra::new(device, field)?;
    let inverse = space.inverse(&space.matrix(order, order, a)?)?;
    arrays::give("out", &space.entries(&inverse)?, out)
}

/// Product of a matrix of `rows` rows and `inner` columns and one of `inner` rows and `columns` columns modulo a prime below 2^31; `out` has
/// `rows * columns` entries.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_matrix_mul_u32(
    device: *const ManycoreDevice,
    p: u32,
    rows: usize,
    inner: usize,
    columns: usize,
    a: *const u32,
    b: *const u32,
    out: *mut u32,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { mul(device, PrimeField::<u32>::new(p)?, (rows, inner, columns), (a, b, out)) }
    })
}

/// Product of a matrix of `rows` rows and `inner` columns and one of `inner` rows and `columns` columns modulo a prime below 2^63 or 2^64 - 2^32 + 1; `out` has
/// `rows * columns` entries.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_matrix_mul_u64(
    device: *const ManycoreDevice,
    p: u64,
    rows: usize,
    inner: usize,
    columns: usize,
    a: *const u64,
    b: *const u64,
    out: *mut u64,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            match p {
                GOLDILOCKS => mul(device, Goldilocks, (rows, inner, columns), (a, b, out)),
                _ => mul(device, PrimeField::<u64>::new(p)?, (rows, inner, columns), (a, b, out)),
            }
        }
    })
}

/// The determinant of a matrix of `order^2` entries modulo a prime below 2^31.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_matrix_det_u32(
    device: *const ManycoreDevice,
    p: u32,
    a: *const u32,
    order: usize,
    out: *mut u32,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { det(device, PrimeField::<u32>::new(p)?, (a, order), out) }
    })
}

/// The determinant of a matrix of `order^2` entries modulo a prime below 2^63 or 2^64 - 2^32 + 1.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_matrix_det_u64(
    device: *const ManycoreDevice,
    p: u64,
    a: *const u64,
    order: usize,
    out: *mut u64,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            match p {
                GOLDILOCKS => det(device, Goldilocks, (a, order), out),
                _ => det(device, PrimeField::<u64>::new(p)?, (a, order), out),
            }
        }
    })
}

/// The inverse of a matrix of `order^2` entries modulo a prime below 2^31; `MANYCORE_STATUS_INVALID` for one that has none.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_matrix_inverse_u32(
    device: *const ManycoreDevice,
    p: u32,
    a: *const u32,
    order: usize,
    out: *mut u32,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { inverse(device, PrimeField::<u32>::new(p)?, (a, order), out) }
    })
}

/// The inverse of a matrix of `order^2` entries modulo a prime below 2^63 or 2^64 - 2^32 + 1; `MANYCORE_STATUS_INVALID` for one that has none.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_matrix_inverse_u64(
    device: *const ManycoreDevice,
    p: u64,
    a: *const u64,
    order: usize,
    out: *mut u64,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            match p {
                GOLDILOCKS => inverse(device, Goldilocks, (a, order), out),
                _ => inverse(device, PrimeField::<u64>::new(p)?, (a, order), out),
            }
        }
    })
}

/// The proved determinant of a matrix of `order^2` integers, as decimal digits with a sign and a zero at the end, to an array of `capacity`
/// bytes; `len` receives the number of bytes with the zero, also where they do not fit, which is `MANYCORE_STATUS_INVALID`.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_det_i64(
    device: *const ManycoreDevice,
    a: *const i64,
    order: usize,
    digits: *mut c_char,
    capacity: usize,
    len: *mut usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        let (device, a, digits, len) = unsafe {
            let digits = arrays::write("digits", digits.cast::<u8>(), capacity)?;
            (opened(device)?, arrays::read("a", a, entries(order, order)?)?, digits, arrays::out("len", len)?)
        };
        let mut text = determinant(device, order, a, Certainty::Proved)?.value.to_string().into_bytes();
        text.push(0);
        *len = text.len();
        arrays::give_some("digits", &text, digits, len)
    })
}
