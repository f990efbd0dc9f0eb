//! The operations on slices: what each does with one element, and with a vector of 32-bit ones.

#[cfg(target_arch = "x86_64")]
use super::modulus::{Factor, Modulus};
#[cfg(target_arch = "x86_64")]
use super::vectors::Pairs;
use crate::algebra::{Ring as _, Semiring as _};
use crate::prime_field::montgomery::reduced;
use crate::prime_field::{PrimeField, ResidueWord, ShoupFactor};

/// What the operations on elements need.
#[derive(Clone, Copy)]
pub(crate) struct Constants<W> {
    pub(super) field: PrimeField<W>,
    /// `p^-1 mod R`, for products of two variables modulo odd primes: the vectors do not serve 2.
    pub(super) inverse: W,
    /// The operation's constant factor; `R` for products of two variables.
    pub(super) factor: ShoupFactor<W>,
}

/// What the operations on vectors need.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct VectorConstants<V> {
    pub(super) modulus: Modulus<V>,
    pub(super) factor: Factor<V>,
}

/// An operation that sets each element `x` of a slice from itself and up to two others, `y` and `z`; those that it does not
/// read hold anything.
pub(crate) trait Operation {
    /// The number of other slices that it reads.
    const OTHERS: usize;

    fn element<W: ResidueWord>(by: &Constants<W>, x: W, y: W, z: W) -> W;

    /// For an odd `p < 2^31`.
    #[cfg(target_arch = "x86_64")]
    fn vector<V: Pairs>(by: &VectorConstants<V>, x: V, y: V, z: V) -> V;
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident reads $others:literal, |$by:ident, $x:ident, $y:ident, $z:ident|
        element $element:expr, vector $vector:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Operation for $name {
            const OTHERS: usize = $others;

            #[inline(always)]
            #[allow(unused_variables)] // not every operation reads all of its operands
            fn element<W: ResidueWord>($by: &Constants<W>, $x: W, $y: W, $z: W) -> W {
                $element
            }

            #[cfg(target_arch = "x86_64")]
            #[inline(always)]
            #[allow(unused_variables)]
            fn vector<V: Pairs>($by: &VectorConstants<V>, $x: V, $y: V, $z: V) -> V {
                $vector
            }
        }
    )*};
}

operations! {
    /// `x + y`.
    Add reads 1, |by, x, y, z|
        element by.field.add(x, y),
        vector by.modulus.plus(x, y);
    /// `x - y`.
    Subtract reads 1, |by, x, y, z|
        element by.field.sub(x, y),
        vector by.modulus.minus(x, y);
    /// `-x`.
    Negate reads 0, |by, x, y, z|
        element by.field.neg(x),
        vector by.modulus.negative(x);
    /// `c x`.
    Scale reads 0, |by, x, y, z|
        element by.field.shoup().mul(x, &by.factor),
        vector by.modulus.scaled(x, by.factor);
    /// `x + c y`.
    AddScaled reads 1, |by, x, y, z|
        element by.field.add(x, by.field.shoup().mul(y, &by.factor)),
        vector by.modulus.plus(x, by.modulus.scaled(y, by.factor));
    /// `x y`, by way of `x y / R` and a product with the constant `R`.
    Multiply reads 1, |by, x, y, z|
        element by.field.mul(x, y),
        vector by.modulus.scaled(by.modulus.montgomery(x, y), by.factor);
    /// `x + y z`.
    AddProduct reads 2, |by, x, y, z|
        element by.field.add(x, by.field.mul(y, z)),
        vector by.modulus.plus(x, by.modulus.scaled(by.modulus.montgomery(y, z), by.factor));
    /// `x y / R`.
    MultiplyMontgomery reads 1, |by, x, y, z|
        element reduced(x.wide_mul(y), by.field.modulus(), by.inverse),
        vector by.modulus.montgomery(x, y);
}
