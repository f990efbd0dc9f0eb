//! Polynomials modulo primes: arrays of coefficients, the constant term first. The zero polynomial has none.

use manycore::poly::{PolyField, PolyRing};
use manycore::{Goldilocks, PrimeField};

use crate::arrays;
use crate::device::{ManycoreDevice, device as opened};
use crate::status::{Failure, ManycoreStatus, guarded};
use crate::transforms::GOLDILOCKS;

/// A polynomial or points of the caller.
type Input<T> = (*const T, usize);
/// An array of the caller for a result of as many elements at most, and where its length goes.
type Output<T> = (*mut T, usize, *mut usize);

unsafe fn mul<F: PolyField>(
    device: *const ManycoreDevice,
    field: F,
    (a, b): (Input<F::Element>, Input<F::Element>),
    (out, capacity, len): Output<F::Element>,
) -> Result<(), Failure> {
    // SAFETY: the caller answers for the handle and the arrays.
    let (ring, a, b, out, len) = unsafe {
        let ring = PolyRing::new(opened(device)?, field)?;
        (ring, read("a", a)?, read("b", b)?, arrays::write("out", out, capacity)?, arrays::out("out_len", len)?)
    };
    let product = ring.mul(&ring.poly(a)?, &ring.poly(b)?)?;
    arrays::give_some("out", &ring.coefficients(&product)?, out, len)
}

unsafe fn divrem<F: PolyField>(
    device: *const ManycoreDevice,
    field: F,
    (a, b): (Input<F::Element>, Input<F::Element>),
    quotient: Output<F::Element>,
    remainder: Output<F::Element>,
) -> Result<(), Failure> {
    // SAFETY: the caller answers for the handle and the arrays.
    let (ring, a, b, (q, q_len), (r, r_len)) = unsafe {
        let ring = PolyRing::new(opened(device)?, field)?;
        (ring, read("a", a)?, read("b", b)?, output("q", quotient)?, output("r", remainder)?)
    };
    let (quotient, remainder) = ring.div_rem(&ring.poly(a)?, &ring.poly(b)?)?;
    arrays::give_some("q", &ring.coefficients(&quotient)?, q, q_len)?;
    arrays::give_some("r", &ring.coefficients(&remainder)?, r, r_len)
}

unsafe fn gcd<F: PolyField>(
    device: *const ManycoreDevice,
    field: F,
    (a, b): (Input<F::Element>, Input<F::Element>),
    result: Output<F::Element>,
) -> Result<(), Failure> {
    // SAFETY: the caller answers for the handle and the arrays.
    let (ring, a, b, (out, len)) = unsafe {
        let ring = PolyRing::new(opened(device)?, field)?;
        (ring, read("a", a)?, read("b", b)?, output("out", result)?)
    };
    let divisor = ring.gcd(&ring.poly(a)?, &ring.poly(b)?)?;
    arrays::give_some("out", &ring.coefficients(&divisor)?, out, len)
}

unsafe fn eval<F: PolyField>(
    device: *const ManycoreDevice,
    field: F,
    (f, points): (Input<F::Element>, Input<F::Element>),
    values: *mut F::Element,
) -> Result<(), Failure> {
    // SAFETY: the caller answers for the handle and the arrays.
    let (ring, f, points, values) = unsafe {
        let ring = PolyRing::new(opened(device)?, field)?;
        (ring, read("f", f)?, read("points", points)?, arrays::write("values", values, points.1)?)
    };
    arrays::give("values", &ring.evaluate_many(&ring.poly(f)?, points)?, values)
}

unsafe fn interpolate<F: PolyField>(
    device: *const ManycoreDevice,
    field: F,
    (points, values): (Input<F::Element>, *const F::Element),
    result: Output<F::Element>,
) -> Result<(), Failure> {
    // SAFETY: the caller answers for the handle and the arrays.
    let (device, points, values, (out, len)) = unsafe {
        (opened(device)?, read("points", points)?, read("values", (values, points.1))?, output("out", result)?)
    };
    let ring = PolyRing::new(device, field)?;
    let polynomial = ring.interpolate(&ring.tree(points)?, &device.upload(values)?)?;
    arrays::give_some("out", &ring.coefficients(&polynomial)?, out, len)
}

/// # Safety
/// As [`arrays::read`].
unsafe fn read<'a, T>(name: &str, (array, len): Input<T>) -> Result<&'a [T], Failure> {
    // SAFETY: by this function's contract.
    unsafe { arrays::read(name, array, len) }
}

/// # Safety
/// As [`arrays::write`] and [`arrays::out`].
unsafe fn output<'a, T>(
    name: &str,
    (array, capacity, len): Output<T>,
) -> Result<(&'a mut [T], &'a mut usize), Failure> {
    // SAFETY: by this function's contract.
    unsafe { Ok((arrays::write(name, array, capacity)?, arrays::out(&format!("{name}_len"), len)?)) }
}

/// Product of polynomials modulo a prime below 2^31, of `a_len + b_len - 1` coefficients at most.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_poly_mul_u32(
    device: *const ManycoreDevice,
    p: u32,
    a: *const u32,
    a_len: usize,
    b: *const u32,
    b_len: usize,
    out: *mut u32,
    out_capacity: usize,
    out_len: *mut usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { mul(device, PrimeField::<u32>::new(p)?, ((a, a_len), (b, b_len)), (out, out_capacity, out_len)) }
    })
}

/// Product of polynomials modulo a prime below 2^63 or 2^64 - 2^32 + 1, of `a_len + b_len - 1` coefficients at most.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_poly_mul_u64(
    device: *const ManycoreDevice,
    p: u64,
    a: *const u64,
    a_len: usize,
    b: *const u64,
    b_len: usize,
    out: *mut u64,
    out_capacity: usize,
    out_len: *mut usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            match p {
                GOLDILOCKS => mul(device, Goldilocks, ((a, a_len), (b, b_len)), (out, out_capacity, out_len)),
                _ => mul(device, PrimeField::<u64>::new(p)?, ((a, a_len), (b, b_len)), (out, out_capacity, out_len)),
            }
        }
    })
}

/// Quotient and remainder modulo a prime below 2^31: `a = q b + r`, of `a_len - b_len + 1` and `b_len - 1` coefficients at most.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_poly_divrem_u32(
    device: *const ManycoreDevice,
    p: u32,
    a: *const u32,
    a_len: usize,
    b: *const u32,
    b_len: usize,
    q: *mut u32,
    q_capacity: usize,
    q_len: *mut usize,
    r: *mut u32,
    r_capacity: usize,
    r_len: *mut usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            divrem(
                device,
                PrimeField::<u32>::new(p)?,
                ((a, a_len), (b, b_len)),
                (q, q_capacity, q_len),
                (r, r_capacity, r_len),
            )
        }
    })
}

/// Quotient and remainder modulo a prime below 2^63 or 2^64 - 2^32 + 1: `a = q b + r`, of `a_len - b_len + 1` and `b_len - 1` coefficients at most.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_poly_divrem_u64(
    device: *const ManycoreDevice,
    p: u64,
    a: *const u64,
    a_len: usize,
    b: *const u64,
    b_len: usize,
    q: *mut u64,
    q_capacity: usize,
    q_len: *mut usize,
    r: *mut u64,
    r_capacity: usize,
    r_len: *mut usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            match p {
                GOLDILOCKS => {
                    divrem(device, Goldilocks, ((a, a_len), (b, b_len)), (q, q_capacity, q_len), (r, r_capacity, r_len))
                }
                _ => divrem(
                    device,
                    PrimeField::<u64>::new(p)?,
                    ((a, a_len), (b, b_len)),
                    (q, q_capacity, q_len),
                    (r, r_capacity, r_len),
                ),
            }
        }
    })
}

/// The monic greatest common divisor modulo a prime below 2^31, of no more coefficients than the longer polynomial.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_poly_gcd_u32(
    device: *const ManycoreDevice,
    p: u32,
    a: *const u32,
    a_len: usize,
    b: *const u32,
    b_len: usize,
    out: *mut u32,
    out_capacity: usize,
    out_len: *mut usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { gcd(device, PrimeField::<u32>::new(p)?, ((a, a_len), (b, b_len)), (out, out_capacity, out_len)) }
    })
}

/// The monic greatest common divisor modulo a prime below 2^63 or 2^64 - 2^32 + 1, of no more coefficients than the longer polynomial.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_poly_gcd_u64(
    device: *const ManycoreDevice,
    p: u64,
    a: *const u64,
    a_len: usize,
    b: *const u64,
    b_len: usize,
    out: *mut u64,
    out_capacity: usize,
    out_len: *mut usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            match p {
                GOLDILOCKS => gcd(device, Goldilocks, ((a, a_len), (b, b_len)), (out, out_capacity, out_len)),
                _ => gcd(device, PrimeField::<u64>::new(p)?, ((a, a_len), (b, b_len)), (out, out_capacity, out_len)),
            }
        }
    })
}

/// The values of `f` at `count` points modulo a prime below 2^31.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_poly_eval_u32(
    device: *const ManycoreDevice,
    p: u32,
    f: *const u32,
    f_len: usize,
    points: *const u32,
    count: usize,
    values: *mut u32,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { eval(device, PrimeField::<u32>::new(p)?, ((f, f_len), (points, count)), values) }
    })
}

/// The values of `f` at `count` points modulo a prime below 2^63 or 2^64 - 2^32 + 1.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_poly_eval_u64(
    device: *const ManycoreDevice,
    p: u64,
    f: *const u64,
    f_len: usize,
    points: *const u64,
    count: usize,
    values: *mut u64,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            match p {
                GOLDILOCKS => eval(device, Goldilocks, ((f, f_len), (points, count)), values),
                _ => eval(device, PrimeField::<u64>::new(p)?, ((f, f_len), (points, count)), values),
            }
        }
    })
}

/// The polynomial of `count` coefficients at most with these values at `count` different points modulo a prime below 2^31.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_poly_interpolate_u32(
    device: *const ManycoreDevice,
    p: u32,
    points: *const u32,
    values: *const u32,
    count: usize,
    out: *mut u32,
    out_capacity: usize,
    out_len: *mut usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            interpolate(device, PrimeField::<u32>::new(p)?, ((points, count), values), (out, out_capacity, out_len))
        }
    })
}

/// The polynomial of `count` coefficients at most with these values at `count` different points modulo a prime below 2^63 or 2^64 - 2^32 + 1.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_poly_interpolate_u64(
    device: *const ManycoreDevice,
    p: u64,
    points: *const u64,
    values: *const u64,
    count: usize,
    out: *mut u64,
    out_capacity: usize,
    out_len: *mut usize,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe {
            match p {
                GOLDILOCKS => interpolate(device, Goldilocks, ((points, count), values), (out, out_capacity, out_len)),
                _ => interpolate(
                    device,
                    PrimeField::<u64>::new(p)?,
                    ((points, count), values),
                    (out, out_capacity, out_len),
                ),
            }
        }
    })
}
