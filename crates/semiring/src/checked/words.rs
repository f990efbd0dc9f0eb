//! Exact integers of several words: sums of products that no sum overflows, and where they pass a type.
//!
//! An exact integer is `word + 2^bits * high` of types of up to 32 bits, and `word + 2^64 * middle + 2^128 * high` of 64 bits. Both
//! hold any sum of products of matrices that memory holds. It is an integer of its type where all but the word is 0. Flags of each
//! step's overflow would not be associative, as these are.

use manycore_expressions::{Column, Elements, Integer, Value};

use crate::ready::Bounded;

pub(crate) mod sealed {
    use super::{Column, Elements, Range, Value};

    /// Exact integers of several words, least word first.
    pub trait Exact: Sized {
        type Sum: Elements;

        /// Minus infinity, whose word is the least one.
        const BELOW: Self::Sum;
        /// Infinity, whose word is the greatest one.
        const ABOVE: Self::Sum;
        /// Whether there are integers below 0.
        const IS_SIGNED: bool;
        /// 0.
        const NULL: Self::Sum;

        fn product(a: Value<Self>, b: Value<Self>) -> <Self::Sum as Elements>::Values;
        fn plus(a: Value<Self>, b: Value<Self>) -> <Self::Sum as Elements>::Values;
        fn sum(
            a: <Self::Sum as Elements>::Values,
            b: <Self::Sum as Elements>::Values,
        ) -> <Self::Sum as Elements>::Values;
        /// Whether the first is less.
        fn is_less(a: <Self::Sum as Elements>::Values, b: <Self::Sum as Elements>::Values) -> Value<bool>;
        /// The word, and whether it is the whole integer.
        fn word(a: <Self::Sum as Elements>::Values) -> (Value<Self>, Value<bool>);
        /// The word of an exact integer, and whether it is the whole one.
        fn held(sum: Self::Sum) -> (Self, bool);
        /// The least and the greatest one of words but the ends of the type, and whether there are the least and the greatest of the
        /// type among them.
        fn range(words: Column<'_>) -> Range;
        fn wide(self) -> i128;
    }
}

/// Integers whose products and sums detect overflow: those of 8 to 64 bits, with a sign or without.
pub trait Checked: Bounded + Integer + sealed::Exact {}

impl<T: Bounded + Integer + sealed::Exact> Checked for T {}

type V<T> = Value<T>;

/// The least and the greatest word but the ends of a type, where there are such words, and whether there are those.
pub(crate) type Range = (Option<(i128, i128)>, bool, bool);

macro_rules! range {
    ($word:ty, $kind:ident) => {
        fn range(words: Column<'_>) -> Range {
            let Column::$kind(words) = words else { return (None, false, false) };
            let (mut least, mut greatest, mut has_least, mut has_greatest) = (<$word>::MAX, <$word>::MIN, false, false);
            for &word in words {
                let (is_least, is_greatest) = (word == <$word>::MIN, word == <$word>::MAX);
                has_least |= is_least;
                has_greatest |= is_greatest;
                // Without a branch, as a vector.
                least = least.min(if is_least { <$word>::MAX } else { word });
                greatest = greatest.max(if is_greatest { <$word>::MIN } else { word });
            }
            ((least <= greatest).then(|| (least.into(), greatest.into())), has_least, has_greatest)
        }

        fn wide(self) -> i128 {
            self.into()
        }
    };
}

/// The carry of a sum of words, which is 1, 0 or -1.
fn carry<T: Bounded + Integer>(a: V<T>, b: V<T>) -> V<i64> {
    // The greatest or least integer where it passes the type, which the sum modulo 2^bits is then not.
    let is_past = a.saturating_add(b).differs(a + b);
    is_past.select(b.ge(T::ZERO).select(1i64, -1i64), 0i64)
}

macro_rules! narrow {
    ($($word:ty, $kind:ident;)*) => {$(
        impl sealed::Exact for $word {
            type Sum = ($word, i64);

            const BELOW: Self::Sum = (<$word>::MIN, i64::MIN);
            const ABOVE: Self::Sum = (<$word>::MAX, i64::MAX);
            const NULL: Self::Sum = (0, 0);
            const IS_SIGNED: bool = <$word>::MIN != 0;

            fn product(a: V<Self>, b: V<Self>) -> (V<Self>, V<i64>) {
                let word = a * b;
                // The upper half is that of a lower one without a sign.
                (word, a.mul_high(b).to::<i64>() + word.lt(0).select(1i64, 0i64))
            }

            fn plus(a: V<Self>, b: V<Self>) -> (V<Self>, V<i64>) {
                (a + b, carry(a, b))
            }

            fn sum((a, high): (V<Self>, V<i64>), (b, other): (V<Self>, V<i64>)) -> (V<Self>, V<i64>) {
                (a + b, high + other + carry(a, b))
            }

            fn is_less((a, high): (V<Self>, V<i64>), (b, other): (V<Self>, V<i64>)) -> V<bool> {
                high.lt(other) | (high.equals(other) & a.lt(b))
            }

            fn word((word, high): (V<Self>, V<i64>)) -> (V<Self>, V<bool>) {
                (word, high.equals(0))
            }

            fn held((word, high): Self::Sum) -> (Self, bool) {
                (word, high == 0)
            }

            range!($word, $kind);
        }
    )*};
}

/// Word, middle and high of an exact integer of 64 bits.
type Wide<T> = (V<T>, V<u64>, V<i64>);

macro_rules! wide {
    ($($word:ty, $kind:ident;)*) => {$(
        impl sealed::Exact for $word {
            type Sum = ($word, u64, i64);

            const BELOW: Self::Sum = (<$word>::MIN, 0, i64::MIN);
            const ABOVE: Self::Sum = (<$word>::MAX, u64::MAX, i64::MAX);
            const NULL: Self::Sum = (0, 0, 0);
            const IS_SIGNED: bool = <$word>::MIN != 0;

            fn product(a: V<Self>, b: V<Self>) -> Wide<Self> {
                let word = a * b;
                let upper = a.mul_high(b);
                // Of types without a sign nothing is less than 0.
                let middle = upper.to::<u64>() + word.lt(0).select(1u64, 0u64);
                (word, middle, (upper.lt(0) & middle.differs(0)).select(-1i64, 0i64))
            }

            fn plus(a: V<Self>, b: V<Self>) -> Wide<Self> {
                let carry = carry(a, b);
                (a + b, carry.to::<u64>(), carry.min(0))
            }

            fn sum((a, middle, high): Wide<Self>, (b, other, top): Wide<Self>) -> Wide<Self> {
                let carry = carry(a, b);
                let both = middle + other;
                let with = both + carry.to::<u64>();
                let first = both.lt(middle).select(1i64, 0i64);
                let second = (carry.gt(0) & with.equals(0)).select(1i64, 0i64);
                let third = (carry.lt(0) & both.equals(0)).select(1i64, 0i64);
                (a + b, with, high + top + first + second - third)
            }

            fn is_less((a, middle, high): Wide<Self>, (b, other, top): Wide<Self>) -> V<bool> {
                let is_less = middle.lt(other) | (middle.equals(other) & a.lt(b));
                high.lt(top) | (high.equals(top) & is_less)
            }

            fn word((word, middle, high): Wide<Self>) -> (V<Self>, V<bool>) {
                (word, middle.equals(0) & high.equals(0))
            }

            fn held((word, middle, high): Self::Sum) -> (Self, bool) {
                (word, middle == 0 && high == 0)
            }

            range!($word, $kind);
        }
    )*};
}

narrow!(u8, U8; u16, U16; u32, U32; i8, I8; i16, I16; i32, I32;);
wide!(u64, U64; i64, I64;);
