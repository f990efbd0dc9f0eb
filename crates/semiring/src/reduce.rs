//! Reductions of rows and of columns: products with a factor that has no elements, in the order of the inner index.

use manycore_expressions::{Bits, Elements, Function, Integer, Number, Real, Value};

use crate::error::SemiringError;
use crate::factor::Factor;
use crate::matrix::Matrix;
use crate::multiply::products::Products;
use crate::ready::Bounded;
use crate::resident::DeviceMatrix;
use crate::semiring::Semiring;

/// A sum of elements with the sum of nothing, whose laws were tried.
///
/// ```
/// use manycore_device::Device;
/// use manycore_semiring::{Matrix, Products, Reduction};
/// let products = Products::new(&Device::from_env()?);
/// let a = products.upload(&Matrix::stored(2, 3, &[3i32, 1, 2, 7, 9, 8])?)?;
/// assert_eq!(products.reduce_rows(&Reduction::max()?, &a)?.download()?.entries(), [3, 9]);
/// assert_eq!(products.reduce_columns(&Reduction::wrapping_plus()?, &a)?.download()?.entries(), [10, 10, 10]);
/// assert_eq!(products.reduce_rows_with_places(&Reduction::min()?, &a)?.download()?.entries(), [(1, 1), (7, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Reduction<S> {
    rows: Semiring<S, (), S>,
    columns: Semiring<(), S, S>,
}

impl<S: Elements> Reduction<S> {
    /// An associative sum, not necessarily commutative, and its identity.
    ///
    /// # Errors
    /// Those of [`Semiring::new`].
    pub fn new(sum: &Function<(S, S), S>, zero: S) -> Result<Self, SemiringError> {
        let rows = Function::<(S, ()), S>::new(|(a, ()): (S::Values, ())| a)?;
        let columns = Function::<((), S), S>::new(|((), b): ((), S::Values)| b)?;
        Ok(Self { rows: Semiring::new(rows, sum.clone(), zero)?, columns: Semiring::new(columns, sum.clone(), zero)? })
    }

    /// The semiring that sums rows by a second factor without elements.
    pub(crate) fn of_rows(&self) -> &Semiring<S, (), S> {
        &self.rows
    }

    /// The semiring that sums columns by a first factor without elements.
    pub(crate) fn of_columns(&self) -> &Semiring<(), S, S> {
        &self.columns
    }

    /// A factor without elements.
    pub(crate) fn nothing(rows: u64, columns: u64) -> Result<Matrix<()>, SemiringError> {
        let entry = Function::<(u64, u64), ()>::new(|_: (Value<u64>, Value<u64>)| ())?;
        Ok(Matrix::function(rows, columns, entry))
    }

    /// The sum.
    pub fn sum(&self) -> &Function<(S, S), S> {
        self.rows.sum()
    }

    /// The sum of nothing.
    pub fn zero(&self) -> S {
        self.rows.zero()
    }
}

type V<T> = Value<T>;

impl<T: Bounded + Real> Reduction<T> {
    /// Sums of numbers.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    pub fn plus() -> Result<Self, SemiringError> {
        Self::new(&Function::new(|(a, b): (V<T>, V<T>)| a + b)?, T::ZERO)
    }
}

impl<T: Bounded + Integer> Reduction<T> {
    /// Sums of integers modulo `2^bits`; [`Computation::reduce_rows_checked`](crate::Computation::reduce_rows_checked) has exact ones.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    pub fn wrapping_plus() -> Result<Self, SemiringError> {
        Self::new(&Function::new(|(a, b): (V<T>, V<T>)| a + b)?, T::ZERO)
    }
}

impl<T: Bounded> Reduction<T> {
    /// Maxima, the first of equal ones.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    pub fn max() -> Result<Self, SemiringError> {
        Self::new(&Function::new(|(a, b): (V<T>, V<T>)| a.max(b))?, T::LEAST)
    }

    /// Minima, the first of equal ones.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    pub fn min() -> Result<Self, SemiringError> {
        Self::new(&Function::new(|(a, b): (V<T>, V<T>)| a.min(b))?, T::GREATEST)
    }
}

impl<T: Bits + Elements<Values = V<T>>> Reduction<T> {
    /// Exclusive or, bit by bit; of truth values parity.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    pub fn xor() -> Result<Self, SemiringError> {
        Self::new(&Function::new(|(a, b): (V<T>, V<T>)| a ^ b)?, T::from_bits(0))
    }

    /// Or, bit by bit: whether there is one.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    pub fn or() -> Result<Self, SemiringError> {
        Self::new(&Function::new(|(a, b): (V<T>, V<T>)| a | b)?, T::from_bits(0))
    }

    /// And, bit by bit: whether there are all.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    pub fn and() -> Result<Self, SemiringError> {
        Self::new(&Function::new(|(a, b): (V<T>, V<T>)| a & b)?, T::from_bits(u64::MAX))
    }
}

impl Products {
    /// The sum of each row, in order: a column.
    ///
    /// # Errors
    /// Those of [`Products::multiply`]; [`SemiringError::Absent`] of lists of entries whose missing ones are not zero.
    pub fn reduce_rows<S: Elements>(
        &self,
        reduction: &Reduction<S>,
        a: &impl Factor<S>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        self.multiply(&reduction.rows, a, &self.upload(&Reduction::<S>::nothing(a.shape().columns, 1)?)?)
    }

    /// The sum of each column, in order: a row.
    ///
    /// # Errors
    /// As [`Products::reduce_rows`].
    pub fn reduce_columns<S: Elements>(
        &self,
        reduction: &Reduction<S>,
        a: &impl Factor<S>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        self.multiply(&reduction.columns, &self.upload(&Reduction::<S>::nothing(1, a.shape().rows)?)?, a)
    }

    /// The sum of each row with the column of the entry that it is, the lowest of equal ones; `u32::MAX` of no entries.
    ///
    /// # Errors
    /// Those of [`Products::multiply_with_places`] and of [`Products::reduce_rows`].
    pub fn reduce_rows_with_places<T: Number + Elements<Values = Value<T>>>(
        &self,
        reduction: &Reduction<T>,
        a: &impl Factor<T>,
    ) -> Result<DeviceMatrix<(T, u32)>, SemiringError> {
        self.multiply_with_places(&reduction.rows, a, &self.upload(&Reduction::<T>::nothing(a.shape().columns, 1)?)?)
    }

    /// The sum of each column with the row of the entry that it is, the lowest of equal ones; `u32::MAX` of no entries.
    ///
    /// # Errors
    /// As [`Products::reduce_rows_with_places`].
    pub fn reduce_columns_with_places<T: Number + Elements<Values = Value<T>>>(
        &self,
        reduction: &Reduction<T>,
        a: &DeviceMatrix<T>,
    ) -> Result<DeviceMatrix<(T, u32)>, SemiringError> {
        self.multiply_with_places(&reduction.columns, &self.upload(&Reduction::<T>::nothing(1, a.shape().rows)?)?, a)
    }
}
