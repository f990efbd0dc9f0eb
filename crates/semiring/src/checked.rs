//! Sums and products of integers that tell where they pass their type: exact integers of several words, which are associative as
//! flags of each step's overflow are not.
//!
//! An exact integer is `word + 2^bits * high` of types of up to 32 bits, and `word + 2^64 * middle + 2^128 * high` of 64 bits. Both
//! hold any sum of products of matrices that memory holds. It is an integer of its type where all but the word is 0.

use manycore_expressions::{Elements, Function, Value};

use crate::error::SemiringError;
use crate::factor::Factor;
use crate::matrix::Matrix;
use crate::multiply::Products;
use crate::ready::Bounded;
use crate::reduce::Reduction;
use crate::resident::DeviceMatrix;
use crate::semiring::Semiring;

mod sealed {
    use super::{Elements, Value};

    /// Exact integers of several words, least word first.
    pub trait Exact: Sized {
        type Sum: Elements;

        /// What stands for nothing in maxima.
        const BELOW: Self::Sum;
        /// What stands for nothing in minima.
        const ABOVE: Self::Sum;
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
    }
}

/// Integers whose products and sums tell where they pass their type: those of 8 to 64 bits, with a sign or without.
pub trait Checked: Bounded + sealed::Exact {}

impl<T: Bounded + sealed::Exact> Checked for T {}

type V<T> = Value<T>;

/// The carry of a sum of words, which is 1, 0 or -1.
fn carry<T: Bounded + manycore_expressions::Integer>(a: V<T>, b: V<T>) -> V<i64> {
    // The greatest or least integer where it passes the type, which the sum modulo 2^bits is then not.
    let is_past = a.saturating_add(b).differs(a + b);
    is_past.select(b.ge(T::ZERO).select(1i64, -1i64), 0i64)
}

macro_rules! narrow {
    ($($word:ty)*) => {$(
        impl sealed::Exact for $word {
            type Sum = ($word, i64);

            const BELOW: Self::Sum = (<$word>::MIN, i64::MIN);
            const ABOVE: Self::Sum = (<$word>::MAX, i64::MAX);
            const NULL: Self::Sum = (0, 0);

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
        }
    )*};
}

/// Word, middle and high of an exact integer of 64 bits.
type Wide<T> = (V<T>, V<u64>, V<i64>);

macro_rules! wide {
    ($($word:ty)*) => {$(
        impl sealed::Exact for $word {
            type Sum = ($word, u64, i64);

            const BELOW: Self::Sum = (<$word>::MIN, 0, i64::MIN);
            const ABOVE: Self::Sum = (<$word>::MAX, u64::MAX, i64::MAX);
            const NULL: Self::Sum = (0, 0, 0);

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
        }
    )*};
}

narrow!(u8 u16 u32 i8 i16 i32);
wide!(u64 i64);

/// What a checked product does.
type Exactly<T> = Semiring<T, T, <T as sealed::Exact>::Sum>;
type Sums<T> = <<T as sealed::Exact>::Sum as Elements>::Values;

fn of<T: Checked>(
    product: impl FnOnce(V<T>, V<T>) -> Sums<T>,
    sum: impl FnOnce(Sums<T>, Sums<T>) -> Sums<T>,
    zero: T::Sum,
) -> Result<Exactly<T>, SemiringError> {
    let product = Function::<(T, T), T::Sum>::new(|(a, b): (V<T>, V<T>)| product(a, b))?;
    let sum = Function::<(T::Sum, T::Sum), T::Sum>::new(|(a, b): (Sums<T>, Sums<T>)| sum(a, b))?;
    Semiring::new(product, sum, zero)
}

fn constant<T: Checked>(sum: T::Sum) -> Sums<T> {
    let mut bits = Vec::new();
    sum.put_bits(&mut bits);
    T::Sum::constants(&mut bits.into_iter())
}

/// A semiring of integers whose results are exact: see [`Products::multiply_checked`].
#[derive(Debug, Clone)]
pub struct CheckedSemiring<T: Checked> {
    exact: Exactly<T>,
    /// The exact infinity, where the ends of the type stand for infinities.
    infinity: Option<T::Sum>,
}

impl<T: Checked> CheckedSemiring<T> {
    /// Sums of products.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    #[inline(never)]
    pub fn plus_times() -> Result<Self, SemiringError> {
        Ok(Self { exact: of(T::product, T::sum, T::NULL)?, infinity: None })
    }

    /// Maxima of sums; the least integer stands for minus infinity, and absorbs. The greatest one stands for infinity, and no entry
    /// holds it.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    #[inline(never)]
    pub fn max_plus() -> Result<Self, SemiringError> {
        let max = |a: Sums<T>, b: Sums<T>| T::is_less(a, b).select_elements::<T::Sum>(b, a);
        Ok(Self {
            exact: of(|a, b| sum((T::LEAST, T::BELOW), T::GREATEST, a, b), max, T::BELOW)?,
            infinity: Some(T::BELOW),
        })
    }

    /// Minima of sums; the greatest integer stands for infinity, and absorbs. The least one stands for minus infinity, and no entry
    /// holds it.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    #[inline(never)]
    pub fn min_plus() -> Result<Self, SemiringError> {
        let min = |a: Sums<T>, b: Sums<T>| T::is_less(b, a).select_elements::<T::Sum>(b, a);
        Ok(Self {
            exact: of(|a, b| sum((T::GREATEST, T::ABOVE), T::LEAST, a, b), min, T::ABOVE)?,
            infinity: Some(T::ABOVE),
        })
    }
}

/// A sum of integers with an infinity that absorbs, by what stands for it and exactly, and another one, which stays as it is.
fn sum<T: Checked>((stand_in, infinity): (T, T::Sum), other: T, a: V<T>, b: V<T>) -> Sums<T> {
    let (is_none, is_other) = (a.equals(stand_in) | b.equals(stand_in), a.equals(other) | b.equals(other));
    let held = is_other.select_elements::<T::Sum>(T::plus(other.into(), T::ZERO.into()), T::plus(a, b));
    is_none.select_elements::<T::Sum>(constant::<T>(infinity), held)
}

impl Products {
    /// The product over a semiring of integers, or the first entry, by rows, whose exact value is no integer of the type, or in
    /// maxima and minima one of its ends, which stand for infinities there.
    ///
    /// # Errors
    /// [`SemiringError::Overflow`] with that entry; those of [`Products::multiply`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_semiring::{CheckedSemiring, Matrix, Products, SemiringError};
    /// let products = Products::new(&Device::from_env()?);
    /// let a = products.upload(&Matrix::stored(2, 2, &[50_000i32, 1, 2, 3])?)?;
    /// let wrong = products.multiply_checked(&CheckedSemiring::plus_times()?, &a, &a);
    /// assert!(matches!(wrong, Err(SemiringError::Overflow { row: 1, column: 1 })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(never)]
    pub fn multiply_checked<T: Checked>(
        &self,
        semiring: &CheckedSemiring<T>,
        a: &impl Factor<T>,
        b: &impl Factor<T>,
    ) -> Result<DeviceMatrix<T>, SemiringError> {
        let exact = self.multiply(&semiring.exact, a, b)?;
        // Whether an entry passes the type, as a byte.
        let past = Function::<T::Sum, u8>::new(|sum: Sums<T>| {
            let (word, is_whole) = T::word(sum);
            let is_right = semiring.infinity.map_or(is_whole, |infinity| {
                let infinity = constant::<T>(infinity);
                let is_infinity = !(T::is_less(sum, infinity) | T::is_less(infinity, sum));
                is_infinity | (is_whole & word.differs(T::LEAST) & word.differs(T::GREATEST))
            });
            is_right.select(0u8, 1u8)
        })?;
        let past = self.map(&past, &exact)?;
        let by_rows = self.reduce_rows(&Reduction::<u8>::or()?, &past)?.download()?.entries();
        if let Some(row) = by_rows.iter().position(|&is_past| is_past != 0) {
            let past: Matrix<u8> = past.download()?;
            let columns = past.shape().columns;
            let column = (0..columns).find(|&column| past.get(row as u64, column) == Some(1)).unwrap_or_default();
            return Err(SemiringError::Overflow { row: row as u64 + 1, column: column + 1 });
        }
        self.map(&Function::<T::Sum, T>::new(|sum: Sums<T>| T::word(sum).0)?, &exact)
    }
}
