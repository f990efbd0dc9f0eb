//! Products of integers of any size: products of polynomials modulo three primes (J. Pollard, The fast Fourier transform in a
//! finite field, Mathematics of Computation 25, 1971), Garner's mixed radix, carries.
//!
//! The limbs of 32 bits of `a` and of `b` are the coefficients of polynomials, whose product at `2^32` is `a b`. With `t` limbs in
//! the shorter factor a coefficient of the product is at most `t (2^32 - 1)^2`. Its residues modulo three primes with a larger product
//! determine it: of 29 bits up to 2^22 limbs, of 30 or 31 bits beyond. Each product modulo a prime is one of [`PolyRing`](crate::PolyRing),
//! in the way that its planner chooses; digits of the mixed radix and carries are made on the host, pieces of the result side by side.
//!
//! Short integers, or one much shorter than the other, are multiplied by `num-bigint` where that is estimated to be quicker: as
//! plain products or Karatsuba's of polynomials with as many coefficients as the integers have words.
//!
//! | file | what |
//! |---|---|
//! | `product` | the three products and their choice |
//! | `carry` | from residues to words |

mod carry;
mod product;

use std::sync::LazyLock;

use manycore_device::Device;
pub use num_bigint::{BigInt, BigUint};

pub use product::{IntegerAlgorithm, IntegerProduct};

use crate::error::PolyError;

/// Products by the threads of the host, for [`mul`] and the others.
static HOST: LazyLock<IntegerProduct> = LazyLock::new(|| IntegerProduct::new(&Device::host()));

/// `a b`, by the threads of the host: [`IntegerProduct::mul`].
///
/// ```
/// use manycore_poly::integer;
/// use num_bigint::BigUint;
/// let a = (BigUint::from(1u32) << 100_000) - 1u32;
/// let square = integer::mul(&a, &a)?; // 2^200000 - 2^100001 + 1
/// assert_eq!(square, (BigUint::from(1u32) << 200_000) - (BigUint::from(1u32) << 100_001) + 1u32);
/// # Ok::<(), manycore_poly::PolyError>(())
/// ```
///
/// # Errors
/// As [`IntegerProduct::mul`].
pub fn mul(a: &BigUint, b: &BigUint) -> Result<BigUint, PolyError> {
    HOST.mul(a, b)
}

/// `a b` with its sign, by the threads of the host: [`IntegerProduct::mul_signed`].
///
/// ```
/// use manycore_poly::integer;
/// use num_bigint::BigInt;
/// let a = BigInt::from(-3) << 50_000u32;
/// assert_eq!(integer::mul_signed(&a, &a)?, BigInt::from(9) << 100_000u32);
/// # Ok::<(), manycore_poly::PolyError>(())
/// ```
///
/// # Errors
/// As [`IntegerProduct::mul`].
pub fn mul_signed(a: &BigInt, b: &BigInt) -> Result<BigInt, PolyError> {
    HOST.mul_signed(a, b)
}

/// `a^2`, by the threads of the host: [`IntegerProduct::square`].
///
/// # Errors
/// As [`IntegerProduct::mul`].
pub fn square(a: &BigUint) -> Result<BigUint, PolyError> {
    HOST.square(a)
}
