//! Exact products of matrices of integers: modulo 2^bits where by the ranges of the operands nothing overflows, else by exact integers of
//! several words.

use manycore_device::{Device, DeviceSet};
use manycore_expressions::{Function, Value as V};

use super::bounds::EntryRange;
use super::rules::{CheckedSemiring, Sums};
use super::words::Checked;
use crate::computation::{Computation, Term};
use crate::error::SemiringError;
use crate::factor::Factor;
use crate::matrix::Matrix;
use crate::multiply::products::Products;
use crate::reduce::Reduction;
use crate::resident::DeviceMatrix;
use crate::semiring::Semiring;

/// An entry and its place.
type Placed<T> = (V<T>, V<u32>);

impl<T: Checked> CheckedSemiring<T> {
    /// Operations on words that are exact for operands in these ranges and `terms` terms; `None` where there are none.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    pub fn on_words(
        &self,
        a: Option<EntryRange>,
        b: Option<EntryRange>,
        terms: u64,
    ) -> Result<Option<Semiring<T, T, T>>, SemiringError> {
        if self.is_closed() {
            return Ok(Some(self.plain().clone()));
        }
        let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
        if self.product_range(a, b, terms).is_none() {
            return Ok(None);
        }
        let has_infinite = self.has_infinities() && (a.has_least || a.has_greatest || b.has_least || b.has_greatest);
        Ok(Some(if has_infinite { self.keeping(false)? } else { self.plain().clone() }))
    }

    /// The exact product on a device, stored; for products in a row keep a [`Products`] ([`Products::multiply_checked`]).
    ///
    /// Where by the ranges of the entries no sum overflows, the cost beyond [`Semiring::wrapping_plus_times`] is one
    /// look at each entry; otherwise sums are integers of two or three words.
    ///
    /// # Errors
    /// [`SemiringError::Overflow`] with the first entry, by rows, that its type does not hold; those of [`Semiring::multiply`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_semiring::{CheckedSemiring, Matrix};
    /// let integers = CheckedSemiring::plus_times()?;
    /// let a = Matrix::stored(2, 2, &[50_000i32, 1, 2, 3])?;
    /// assert!(integers.multiply(&Device::from_env()?, &a, &a).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(never)]
    pub fn multiply(&self, device: &Device, a: &Matrix<T>, b: &Matrix<T>) -> Result<Matrix<T>, SemiringError> {
        match self.on_words(a.range(), b.range(), a.shape().columns)? {
            Some(words) => words.multiply(device, a, b),
            None => self.narrow_all(&self.exact()?.multiply(device, a, b)?),
        }
    }

    /// [`CheckedSemiring::multiply`] on a set of devices.
    ///
    /// # Errors
    /// As [`CheckedSemiring::multiply`].
    #[inline(never)]
    pub fn multiply_on(&self, set: &DeviceSet, a: &Matrix<T>, b: &Matrix<T>) -> Result<Matrix<T>, SemiringError> {
        match self.on_words(a.range(), b.range(), a.shape().columns)? {
            Some(words) => words.multiply_on(set, a, b),
            None => self.narrow_all(&self.exact()?.multiply_on(set, a, b)?),
        }
    }

    /// Exact integers as those of their type.
    fn narrow_all(&self, sums: &Matrix<T::Sum>) -> Result<Matrix<T>, SemiringError> {
        let (shape, mut entries) = (sums.shape(), Vec::new());
        for (at, sum) in (0u64..).zip(sums.entries()) {
            let (row, column) = (at / shape.columns.max(1) + 1, at % shape.columns.max(1) + 1);
            entries.push(self.narrow(sum).ok_or(SemiringError::Overflow { row, column })?);
        }
        Matrix::stored(shape.rows, shape.columns, &entries)
    }
}

impl Products {
    /// The exact product over a semiring of integers, or the first entry, by rows, that its type does not hold.
    ///
    /// Ranges of the entries of matrices are found once and kept; those of functions are not, and their products take several words.
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
        let range = |matrix: Option<&DeviceMatrix<T>>| matrix.map_or(Ok(None), |matrix| self.range(matrix));
        if let Some(words) = semiring.on_words(range(a.resident())?, range(b.resident())?, a.shape().columns)? {
            return self.multiply(&words, a, b);
        }
        let exact = self.multiply(&semiring.exact()?, a, b)?;
        // Whether an entry passes the type, as a byte.
        let past = Function::<T::Sum, u8>::new(|sum: Sums<T>| semiring.narrowed(sum).1.select(1u8, 0u8))?;
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

    /// [`Products::multiply_checked`] with the places of the terms that sums are, as [`Products::multiply_with_places`] has them.
    ///
    /// # Errors
    /// [`SemiringError::Overflow`] as [`Products::multiply_checked`]; those of [`Products::multiply_with_places`].
    #[inline(never)]
    pub fn multiply_checked_with_places<T: Checked>(
        &self,
        semiring: &CheckedSemiring<T>,
        a: &impl Factor<T>,
        b: &DeviceMatrix<T>,
    ) -> Result<DeviceMatrix<(T, u32)>, SemiringError> {
        let range = |matrix: Option<&DeviceMatrix<T>>| matrix.map_or(Ok(None), |matrix| self.range(matrix));
        let words = semiring.on_words(range(a.resident())?, self.range(b)?, a.shape().columns)?;
        if let Some(words) = words {
            return self.multiply_with_places(&words, a, b);
        }
        // Where each sum is exact no term that passes its type is one.
        self.multiply_checked(semiring, a, b)?;
        let made = self.multiply_with_places(&semiring.keeping(true)?, a, b)?;
        let Some(least) = semiring.least_products()? else { return Ok(made) };
        let places = self.multiply_with_places(&least, a, b)?;
        let placed = Function::<((T, u32), (T, u32)), (T, u32)>::new(
            |((entry, place), (is_least, own)): (Placed<T>, Placed<T>)| {
                (entry, (entry.equals(T::LEAST) & is_least.equals(!V::from(T::ZERO))).select(own, place))
            },
        )?;
        self.zip(&placed, &made, &places)
    }
}

impl Computation {
    /// The product over a semiring of integers, each with whether it, or what it is made of, passed its type: in place of a wrong integer a
    /// program has a flag. Factors that are the sum of nothing make nothing of what passed its type.
    ///
    /// # Errors
    /// As [`Computation::product`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_expressions::{Function, Value};
    /// use manycore_semiring::{CheckedSemiring, Computation, Matrix, Products};
    /// let mut computation = Computation::new();
    /// let a = computation.matrix("a", Matrix::stored(2, 1, &[i32::MAX, 3])?);
    /// let b = computation.matrix("b", Matrix::stored(1, 1, &[2])?);
    /// let given = Function::<i32, (i32, bool)>::new(|a: Value<i32>| (a, false.into()))?;
    /// let (a, b) = (computation.map("a'", &given, a)?, computation.map("b'", &given, b)?);
    /// let product = computation.product_checked("a b", &CheckedSemiring::plus_times()?, a, b)?;
    /// let out = computation.output("out", product)?;
    /// let products = Products::new(&Device::from_env()?);
    /// let entries = computation.run(&products, &computation.cheapest()?)?.matrix(out)?.entries();
    /// assert!(entries[0].1 && entries[1] == (6, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn product_checked<T: Checked>(
        &mut self,
        name: &str,
        semiring: &CheckedSemiring<T>,
        a: Term<(T, bool)>,
        b: Term<(T, bool)>,
    ) -> Result<Term<(T, bool)>, SemiringError> {
        if semiring.is_closed() {
            return self.product(name, &semiring.flagged_closed()?, a, b);
        }
        let sums = self.product(&format!("{name}, exact"), &semiring.flagged()?, a, b)?;
        self.map(name, &semiring.narrowing()?, sums)
    }

    /// The sum of each row, exactly, with flags as those of [`Computation::product_checked`]: a column.
    ///
    /// # Errors
    /// As [`Computation::product`].
    pub fn reduce_rows_checked<T: Checked>(
        &mut self,
        name: &str,
        semiring: &CheckedSemiring<T>,
        a: Term<(T, bool)>,
    ) -> Result<Term<(T, bool)>, SemiringError> {
        let (sums, one) = semiring.sums_of_lines()?;
        let ones = Matrix::function(self.shape(a)?.columns, 1, one);
        let ones = self.matrix(&format!("{name}, its ones"), ones);
        self.product_checked(name, &sums, a, ones)
    }

    /// The sum of each column, as [`Computation::reduce_rows_checked`]: a row.
    ///
    /// # Errors
    /// As [`Computation::product`].
    pub fn reduce_columns_checked<T: Checked>(
        &mut self,
        name: &str,
        semiring: &CheckedSemiring<T>,
        a: Term<(T, bool)>,
    ) -> Result<Term<(T, bool)>, SemiringError> {
        let (sums, one) = semiring.sums_of_lines()?;
        let ones = Matrix::function(1, self.shape(a)?.rows, one);
        let ones = self.matrix(&format!("{name}, its ones"), ones);
        self.product_checked(name, &sums, ones, a)
    }
}
