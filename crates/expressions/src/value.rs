//! Values within a function that is being written: each operation on them is recorded.

use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

use crate::graph::{Binary, Op, Unary};
use crate::record::{Untyped, push};
use crate::scalar::{Integer, Number, Real, Scalar};

/// A value of type `T` within a function: what is done with it is recorded, and done when the function is.
///
/// Operators take values and constants. Integers are added, subtracted, multiplied and negated modulo `2^bits`; a quotient
/// by 0 is 0 and the remainder the dividend; shifts count modulo the bits. Numbers are rounded once in each operation, to the
/// nearest, on every device; results that are no number may differ in their bits.
///
/// ```
/// use manycore_expressions::{Function, Value};
///
/// let clamp = Function::<(f32, f32), f32>::new(|(x, limit): (Value<f32>, Value<f32>)| (x * 2.0).min(limit).max(0.0))?;
/// assert_eq!(clamp.call((3.0, 5.0)), 5.0);
/// # Ok::<(), manycore_expressions::ExpressionError>(())
/// ```
#[derive(Debug)]
pub struct Value<T> {
    untyped: Untyped,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for Value<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Value<T> {}

impl<T> Value<T> {
    /// Without its type.
    pub(crate) fn any(self) -> Untyped {
        self.untyped
    }
}

impl<T: Scalar> From<T> for Value<T> {
    fn from(constant: T) -> Self {
        Self::of(push(Op::Constant(constant.to_bits()), T::SCALAR, &[]))
    }
}

impl<T: Scalar> Value<T> {
    pub(crate) fn of(untyped: Untyped) -> Self {
        Self { untyped, kind: PhantomData }
    }

    pub(crate) fn untyped(self) -> Untyped {
        self.untyped
    }

    /// Argument `number` of the function that is being written.
    pub(crate) fn input(number: u16) -> Self {
        Self::of(push(Op::Input(number), T::SCALAR, &[]))
    }

    /// The value at an index of a table, as [`Value::read`]; truth values are bytes, 0 or 1.
    pub(crate) fn read_at(index: Value<u64>, number: u16) -> Self {
        Self::of(push(Op::Read(number, index.untyped.id), T::SCALAR, &[index.untyped]))
    }

    fn unary<R: Scalar>(self, unary: Unary) -> Value<R> {
        Value::of(push(Op::Unary(unary, self.untyped.id), R::SCALAR, &[self.untyped]))
    }

    fn binary<R: Scalar>(self, binary: Binary, other: Self) -> Value<R> {
        let (a, b) = (self.untyped, other.untyped);
        Value::of(push(Op::Binary(binary, a.id, b.id), R::SCALAR, &[a, b]))
    }

    /// Whether both are the same; -0.0 is 0.0, and what is no number is the same as nothing.
    #[must_use]
    pub fn equals(self, other: impl Into<Self>) -> Value<bool> {
        self.binary(Binary::Equal, other.into())
    }

    /// Whether they differ.
    #[must_use]
    pub fn differs(self, other: impl Into<Self>) -> Value<bool> {
        !self.equals(other)
    }
}

impl<T: Number> Value<T> {
    /// Whether it is less than the other one.
    #[must_use]
    pub fn lt(self, other: impl Into<Self>) -> Value<bool> {
        self.binary(Binary::Less, other.into())
    }

    /// Whether it is at most the other one.
    #[must_use]
    pub fn le(self, other: impl Into<Self>) -> Value<bool> {
        self.binary(Binary::LessOrEqual, other.into())
    }

    /// Whether it is greater than the other one.
    #[must_use]
    pub fn gt(self, other: impl Into<Self>) -> Value<bool> {
        other.into().lt(self)
    }

    /// Whether it is at least the other one.
    #[must_use]
    pub fn ge(self, other: impl Into<Self>) -> Value<bool> {
        other.into().le(self)
    }

    /// The other one where it is less, else this one.
    #[must_use]
    pub fn min(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::Minimum, other.into())
    }

    /// The other one where it is greater, else this one.
    #[must_use]
    pub fn max(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::Maximum, other.into())
    }

    /// The absolute value; the least signed integer stays as it is.
    #[must_use]
    pub fn abs(self) -> Self {
        self.unary(Unary::Absolute)
    }

    /// As another type, as `as` converts: integers modulo `2^bits`; numbers to integers towards 0, to the nearest that there
    /// is, and to 0 where they are none; to numbers rounded to the nearest.
    #[must_use]
    pub fn to<R: Number>(self) -> Value<R> {
        self.unary(Unary::Convert)
    }

    /// The word at this index of the function's table `number`, from 0; the table's last word past its end, 0 of an empty one.
    #[must_use]
    pub fn read<R: Number>(self, number: u16) -> Value<R> {
        let index: Value<u64> = self.to();
        Value::of(push(Op::Read(number, index.untyped.id), R::SCALAR, &[index.untyped]))
    }
}

impl<T: Integer> Value<T> {
    /// The sum, the greatest or the least integer where it is past them.
    #[must_use]
    pub fn saturating_add(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::AddSaturating, other.into())
    }

    /// The difference, the greatest or the least integer where it is past them.
    #[must_use]
    pub fn saturating_sub(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::SubtractSaturating, other.into())
    }

    /// The upper half of the product of both.
    #[must_use]
    pub fn mul_high(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::MultiplyHigh, other.into())
    }

    /// The number of its ones.
    #[must_use]
    pub fn count_ones(self) -> Self {
        self.unary(Unary::Ones)
    }

    /// The number of zeros before its highest one; all bits for 0.
    #[must_use]
    pub fn leading_zeros(self) -> Self {
        self.unary(Unary::LeadingZeros)
    }

    /// The number of zeros behind its lowest one; all bits for 0.
    #[must_use]
    pub fn trailing_zeros(self) -> Self {
        self.unary(Unary::TrailingZeros)
    }
}

impl<T: Real> Value<T> {
    /// The greatest integer that is at most it.
    #[must_use]
    pub fn floor(self) -> Self {
        self.unary(Unary::Floor)
    }

    /// The least integer that is at least it.
    #[must_use]
    pub fn ceil(self) -> Self {
        self.unary(Unary::Ceiling)
    }

    /// Towards 0 to an integer.
    #[must_use]
    pub fn trunc(self) -> Self {
        self.unary(Unary::Truncate)
    }

    /// To the nearest integer, halves to the even one.
    #[must_use]
    pub fn round_ties_even(self) -> Self {
        self.unary(Unary::Round)
    }

    /// The square root.
    #[must_use]
    pub fn sqrt(self) -> Self {
        self.unary(Unary::SquareRoot)
    }

    /// Itself times `factor` plus `term`, rounded once.
    #[must_use]
    pub fn mul_add(self, factor: impl Into<Self>, term: impl Into<Self>) -> Self {
        let (a, b, c) = (self.untyped, factor.into().untyped, term.into().untyped);
        Self::of(push(Op::Fused(a.id, b.id, c.id), T::SCALAR, &[a, b, c]))
    }
}

macro_rules! same_bits {
    ($($a:ty, $b:ty, $to_b:ident, $to_a:ident;)*) => {$(
        impl Value<$a> {
            /// Its bits as the other type.
            #[must_use]
            pub fn $to_b(self) -> Value<$b> {
                self.unary(Unary::Reinterpret)
            }
        }

        impl Value<$b> {
            /// Its bits as the other type.
            #[must_use]
            pub fn $to_a(self) -> Value<$a> {
                self.unary(Unary::Reinterpret)
            }
        }
    )*};
}

same_bits! { f32, u32, bits, as_f32; f64, u64, bits, as_f64; }

impl Value<bool> {
    /// The first where it is true, else the second.
    #[must_use]
    pub fn select<T: Scalar>(self, yes: impl Into<Value<T>>, no: impl Into<Value<T>>) -> Value<T> {
        let (a, b, c) = (self.untyped, yes.into().untyped, no.into().untyped);
        Value::of(push(Op::Select(a.id, b.id, c.id), T::SCALAR, &[a, b, c]))
    }

    /// 1 where it is true, else 0.
    #[must_use]
    pub fn number<T: Number>(self) -> Value<T> {
        self.unary(Unary::Convert)
    }
}

macro_rules! operators {
    ($($trait:ident, $method:ident, $binary:ident, $bound:ident;)*) => {$(
        impl<T: $bound> $trait for Value<T> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.binary(Binary::$binary, other)
            }
        }

        impl<T: $bound> $trait<T> for Value<T> {
            type Output = Self;

            fn $method(self, other: T) -> Self {
                self.binary(Binary::$binary, other.into())
            }
        }
    )*};
}

operators! {
    Add, add, Add, Number;
    Sub, sub, Subtract, Number;
    Mul, mul, Multiply, Number;
    Div, div, Divide, Number;
    Rem, rem, Remainder, Number;
    BitAnd, bitand, And, Bits;
    BitOr, bitor, Or, Bits;
    BitXor, bitxor, Xor, Bits;
    Shl, shl, ShiftLeft, Integer;
    Shr, shr, ShiftRight, Integer;
}

/// A type whose values are bits: integers and `bool`.
pub trait Bits: Scalar {}

impl Bits for bool {}
impl<T: Integer> Bits for T {}

impl<T: Bits> Not for Value<T> {
    type Output = Self;

    fn not(self) -> Self {
        self.unary(Unary::Not)
    }
}

impl<T: Number> Neg for Value<T> {
    type Output = Self;

    fn neg(self) -> Self {
        self.unary(Unary::Negate)
    }
}

macro_rules! constants_first {
    ($($word:ty)*) => {$(
        constants_first! { $word: Add add, Sub sub, Mul mul, Div div, Rem rem }
    )*};
    ($word:ty: $($trait:ident $method:ident),*) => {$(
        impl $trait<Value<$word>> for $word {
            type Output = Value<$word>;

            fn $method(self, other: Value<$word>) -> Value<$word> {
                Value::from(self).$method(other)
            }
        }
    )*};
}

constants_first! { u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }
