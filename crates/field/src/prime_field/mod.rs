//! Prime fields of word size, and the multiplications they are computed with.

use std::fmt;

#[cfg(feature = "bigint")]
use num_bigint::{BigInt, BigUint};
#[cfg(feature = "bigint")]
use num_integer::Integer as _;
#[cfg(feature = "bigint")]
use num_traits::ToPrimitive as _;

use crate::algebra::{Field, Ring, Semiring};
use crate::error::NotPrime;
use crate::modular::{ModularField, inverse_modulo};
use crate::primes;

mod barrett;
mod floating;
pub(crate) mod montgomery;
mod shoup;
pub(crate) mod word;

pub use barrett::Barrett;
pub use floating::{FloatingFactor, FloatingPoint};
pub use montgomery::Montgomery;
pub use shoup::{Shoup, ShoupFactor};
pub use word::ResidueWord;

/// The integers mod a prime `p`, as a value: `p < 2^31` with residues in `u32`, `p < 2^63` with residues in `u64`.
///
/// Residues are canonical, `0 <= a < p`, in and out; the operations expect that, and [`check`](ModularField::check)
/// finds where a slice breaks this. The word's highest bit is left free so that a sum of two residues, and everything
/// "lazy" below `2 p`, fits the word on every device: a prime of 32 bits belongs into `u64`. The prime `2^64 - 2^32 +
/// 1` has a type of its own, [`Goldilocks`](crate::Goldilocks).
///
/// Products are computed after [`Barrett`], which needs no other form of the operands and holds for `p = 2` too;
/// [`montgomery`](Self::montgomery), [`shoup`](Self::shoup) and [`floating_point`](Self::floating_point) give the other
/// multiplications for the same modulus.
///
/// ```
/// use manycore_field::{Field, ModularField, NotPrime, PrimeField, Ring, Semiring};
///
/// let field = PrimeField::<u64>::new(9001)?;
/// assert_eq!(field.mul(9000, 9000), 1);
/// assert_eq!(field.inverse(2), Some(4501));
/// assert_eq!(PrimeField::<u32>::new(9003), Err(NotPrime::Composite { n: 9003, factor: 3 }));
/// # Ok::<(), NotPrime>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PrimeField<W> {
    modulus: W,
    barrett: Barrett<W>,
}

impl<W: ResidueWord> PrimeField<W> {
    /// The bound that moduli must be below: `2^31` or `2^63`.
    pub const LIMIT: u64 = 1 << (W::BITS - 1);

    /// The field of residues mod `p`.
    ///
    /// # Errors
    /// [`NotPrime`] says what is wrong with `p`; for a composite it names the least prime divisor, which takes up to some
    /// ten milliseconds to find for products of two primes of 31 bits.
    pub fn new(p: W) -> Result<Self, NotPrime> {
        let n = p.as_u64();
        match n {
            0 => return Err(NotPrime::Zero),
            1 => return Err(NotPrime::One),
            _ if n >= Self::LIMIT => return Err(NotPrime::TooLarge { n, limit: Self::LIMIT }),
            _ if n != 2 && n.is_multiple_of(2) => return Err(NotPrime::Even { n }),
            _ => {}
        }
        if let Some(factor) = primes::least_divisor(n) {
            return Err(NotPrime::Composite { n, factor });
        }
        let barrett = Barrett::new(p).ok_or(NotPrime::Zero)?;
        Ok(Self { modulus: p, barrett })
    }

    /// `p`.
    #[inline(always)]
    pub fn modulus(&self) -> W {
        self.modulus
    }

    /// The multiplication that the field itself uses.
    #[inline(always)]
    pub fn barrett(&self) -> Barrett<W> {
        self.barrett
    }

    /// Montgomery's multiplication; `None` for `p = 2`.
    pub fn montgomery(&self) -> Option<Montgomery<W>> {
        Montgomery::new(self.modulus)
    }

    /// Multiplication by constants.
    #[inline(always)]
    pub fn shoup(&self) -> Shoup<W> {
        Shoup::below_half(self.modulus)
    }

    /// The multiplication in double precision; `None` from `2^51` on.
    pub fn floating_point(&self) -> Option<FloatingPoint> {
        FloatingPoint::new(self.modulus.as_u64())
    }

    /// Any word mod `p`.
    #[inline(always)]
    pub fn reduce(&self, a: W) -> W {
        self.barrett.reduce(a)
    }

    /// A non-negative number of up to 128 bits mod `p`.
    pub fn reduce_u128(&self, a: u128) -> W {
        W::from_u64((a % u128::from(self.modulus.as_u64())) as u64)
    }

    /// A number of up to 128 bits mod `p`.
    pub fn reduce_i128(&self, a: i128) -> W {
        let magnitude = self.reduce_u128(a.unsigned_abs());
        if a < 0 { self.neg(magnitude) } else { magnitude }
    }

    /// A non-negative number of any size mod `p`.
    #[cfg(feature = "bigint")]
    pub fn reduce_biguint(&self, a: &BigUint) -> W {
        // The remainder is below p, so the conversion never fails.
        W::from_u64((a % self.modulus.as_u64()).to_u64().unwrap_or_default())
    }

    /// A number of any size mod `p`.
    #[cfg(feature = "bigint")]
    pub fn reduce_bigint(&self, a: &BigInt) -> W {
        // The floored remainder is in [0, p), so the conversion never fails.
        W::from_u64(a.mod_floor(&self.modulus.as_u64().into()).to_u64().unwrap_or_default())
    }

    /// The representative nearest to zero, in `(-p/2, p/2]`.
    pub fn symmetric(&self, a: W) -> i64 {
        let (a, p) = (a.as_u64(), self.modulus.as_u64());
        if a > p / 2 { a as i64 - p as i64 } else { a as i64 }
    }
}

impl<W: ResidueWord> Semiring for PrimeField<W> {
    type Element = W;

    #[inline(always)]
    fn zero(&self) -> W {
        W::zero()
    }

    #[inline(always)]
    fn one(&self) -> W {
        W::one()
    }

    #[inline(always)]
    fn add(&self, a: W, b: W) -> W {
        let sum = a.wrapping_add(&b);
        // Below p the difference wraps to a larger number.
        sum.min(sum.wrapping_sub(&self.modulus))
    }

    #[inline(always)]
    fn mul(&self, a: W, b: W) -> W {
        self.barrett.mul(a, b)
    }

    fn contains(&self, a: W) -> bool {
        a < self.modulus
    }

    fn natural(&self, n: u64) -> W {
        W::from_u64(n % self.modulus.as_u64())
    }
}

impl<W: ResidueWord> Ring for PrimeField<W> {
    #[inline(always)]
    fn neg(&self, a: W) -> W {
        if a == W::zero() { a } else { self.modulus.wrapping_sub(&a) }
    }

    #[inline(always)]
    fn sub(&self, a: W, b: W) -> W {
        let difference = a.wrapping_sub(&b);
        difference.min(difference.wrapping_add(&self.modulus))
    }
}

impl<W: ResidueWord> Field for PrimeField<W> {
    fn inverse(&self, a: W) -> Option<W> {
        inverse_modulo(a.as_u64(), self.modulus.as_u64()).map(W::from_u64)
    }

    fn characteristic(&self) -> u64 {
        self.modulus.as_u64()
    }
}

impl<W: ResidueWord> ModularField for PrimeField<W> {
    fn order(&self) -> u64 {
        self.modulus.as_u64()
    }
}

impl<W: ResidueWord> fmt::Display for PrimeField<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the integers mod {}", self.modulus)
    }
}
