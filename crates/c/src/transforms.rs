//! Transforms of the caller's arrays: Walsh-Hadamard, Reed-Muller, number-theoretic, Fourier on groups.

use manycore::characters::AbelianGroup;
use manycore::fourier::{Complexes, Fourier, Numbers};
use manycore::ntt::{Kind, Ntt, NttField, SpectrumOrder};
use manycore::{Goldilocks, PrimeField, ReedMuller, Scalar, Spectral, Walsh};

use crate::arrays;
use crate::device::{ManycoreDevice, device as opened};
use crate::status::{Failure, ManycoreStatus, guarded};

/// The order of the field with a type of its own.
pub(crate) const GOLDILOCKS: u64 = 0xFFFF_FFFF_0000_0001;

unsafe fn walsh<T: Scalar>(
    device: *const ManycoreDevice,
    x: *mut T,
    (len, count): (usize, usize),
    how: Walsh,
) -> Result<(), Failure> {
    let total = len.checked_mul(count).ok_or_else(|| Failure::invalid(format!("{count} times {len} values")))?;
    // SAFETY: the caller answers for the handle and the array.
    let (device, x) = unsafe { (opened(device)?, arrays::write("x", x, total)?) };
    Ok(Spectral::new(device).walsh(x, &how.batch(len))?)
}

/// Walsh-Hadamard transforms in place, in the order of Hadamard, of `count` runs of `len` values, `len` a power of two: value `w` of a run
/// becomes the sum of `(-1)^(w . x) f(x)`. Where the type does not hold a sum the status is `MANYCORE_STATUS_INVALID`, and nothing is
/// changed.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_walsh_i32(
    device: *const ManycoreDevice,
    x: *mut i32,
    len: usize,
    count: usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { walsh(device, x, (len, count), Walsh::new()) }
    })
}

/// Walsh-Hadamard transforms in place, in the order of Hadamard, of `count` runs of `len` values, `len` a power of two: value `w` of a run
/// becomes the sum of `(-1)^(w . x) f(x)`. Where the type does not hold a sum the status is `MANYCORE_STATUS_INVALID`, and nothing is
/// changed.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_walsh_i64(
    device: *const ManycoreDevice,
    x: *mut i64,
    len: usize,
    count: usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { walsh(device, x, (len, count), Walsh::new()) }
    })
}

/// As `manycore_walsh_i32`, modulo 2^32: sums that the type does not hold wrap.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_wrapping_walsh_i32(
    device: *const ManycoreDevice,
    x: *mut i32,
    len: usize,
    count: usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { walsh(device, x, (len, count), Walsh::new().wrapping()) }
    })
}

/// As `manycore_walsh_i64`, modulo 2^64: sums that the type does not hold wrap.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_wrapping_walsh_i64(
    device: *const ManycoreDevice,
    x: *mut i64,
    len: usize,
    count: usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { walsh(device, x, (len, count), Walsh::new().wrapping()) }
    })
}

/// Walsh-Hadamard transforms in place, in the order of Hadamard, of `count` runs of `len` values, `len` a power of two: value `w` of a run
/// becomes the sum of `(-1)^(w . x) f(x)`.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_walsh_f32(
    device: *const ManycoreDevice,
    x: *mut f32,
    len: usize,
    count: usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { walsh(device, x, (len, count), Walsh::new()) }
    })
}

/// Walsh-Hadamard transforms in place, in the order of Hadamard, of `count` runs of `len` values, `len` a power of two: value `w` of a run
/// becomes the sum of `(-1)^(w . x) f(x)`.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_walsh_f64(
    device: *const ManycoreDevice,
    x: *mut f64,
    len: usize,
    count: usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { walsh(device, x, (len, count), Walsh::new()) }
    })
}

/// Reed-Muller transform in place of a truth table of `2^variables` bits, 64 in a word, the lowest bit first; a table of fewer than 64 bits
/// lies in the lowest ones of one word. `words` is their number.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_reed_muller(
    device: *const ManycoreDevice,
    x: *mut u64,
    words: usize,
    variables: u32,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        let (device, x) = unsafe { (opened(device)?, arrays::write("x", x, words)?) };
        Ok(Spectral::new(device).reed_muller_packed(x, variables, &ReedMuller::new())?)
    })
}

/// Transforms on a product of cyclic groups.
unsafe fn fourier<N: Numbers>(
    device: *const ManycoreDevice,
    numbers: &N,
    (factors, rank): (*const u64, usize),
    (x, len): (*mut N::Word, usize),
    inverse: bool,
) -> Result<(), Failure> {
    // SAFETY: the caller answers for the handle and the arrays.
    let (device, factors, x) =
        unsafe { (opened(device)?, arrays::read("factors", factors, rank)?, arrays::write("x", x, len)?) };
    let (fourier, group) = (Fourier::new(device), AbelianGroup::new(factors)?);
    if inverse {
        fourier.inverse(&group, numbers, x)?;
    } else {
        fourier.forward(&group, numbers, x)?;
    }
    Ok(())
}

/// Fourier transforms in place of complex functions on the product of cyclic groups of the orders `factors`, the last index fastest; real and
/// imaginary parts in turn, `len` words in all: one function or some behind each other. The inverse divides by the group's order.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_fourier_f32(
    device: *const ManycoreDevice,
    factors: *const u64,
    rank: usize,
    x: *mut f32,
    len: usize,
    inverse: bool,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { fourier(device, &Complexes::<f32>::new(), (factors, rank), (x, len), inverse) }
    })
}

/// Fourier transforms in place of complex functions on the product of cyclic groups of the orders `factors`, the last index fastest; real and
/// imaginary parts in turn, `len` words in all: one function or some behind each other. The inverse divides by the group's order.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_fourier_f64(
    device: *const ManycoreDevice,
    factors: *const u64,
    rank: usize,
    x: *mut f64,
    len: usize,
    inverse: bool,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { fourier(device, &Complexes::<f64>::new(), (factors, rank), (x, len), inverse) }
    })
}

unsafe fn ntt<F: NttField>(
    device: *const ManycoreDevice,
    field: &F,
    (x, len, count): (*mut F::Element, usize, usize),
    inverse: bool,
) -> Result<(), Failure> {
    let total = len.checked_mul(count).ok_or_else(|| Failure::invalid(format!("{count} times {len} values")))?;
    // SAFETY: the caller answers for the handle and the array.
    let (device, x) = unsafe { (opened(device)?, arrays::write("x", x, total)?) };
    let ntt = Ntt::new(device, field, len, Kind::Cyclic)?.with_order(SpectrumOrder::Natural);
    if inverse {
        ntt.inverse(x)?;
    } else {
        ntt.forward(x)?;
    }
    Ok(())
}

/// Cyclic number-theoretic transforms in place, in natural order, of `count` runs of `len` residues modulo a prime below 2^31, where `len` is a
/// power of two that divides `p - 1`. The inverse divides by `len`.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_ntt_u32(
    device: *const ManycoreDevice,
    p: u32,
    x: *mut u32,
    len: usize,
    count: usize,
    inverse: bool,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { ntt(device, &PrimeField::<u32>::new(p)?, (x, len, count), inverse) }
    })
}

/// As `manycore_ntt_u32`, modulo a prime below 2^63 or 2^64 - 2^32 + 1.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_ntt_u64(
    device: *const ManycoreDevice,
    p: u64,
    x: *mut u64,
    len: usize,
    count: usize,
    inverse: bool,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            match p {
                GOLDILOCKS => ntt(device, &Goldilocks, (x, len, count), inverse),
                _ => ntt(device, &PrimeField::<u64>::new(p)?, (x, len, count), inverse),
            }
        }
    })
}
