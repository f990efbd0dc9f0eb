//! Functions of entries, and transposes, of matrices on a device.

use manycore_expressions::{Elements, Function, Memory, Value, Words, WordsMut};

use crate::error::SemiringError;
use crate::factor::sealed::Sealed;
use crate::matrix::Matrix;
use crate::multiply::products::Products;
use crate::plan::Shape;
use crate::readable::Readable;
use crate::resident::DeviceMatrix;

type At = (Value<u64>, Value<u64>);

impl Products {
    /// A function of each entry, stored.
    ///
    /// # Errors
    /// [`SemiringError::Tables`] where the function reads tables; [`SemiringError::Device`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_expressions::{Function, Value};
    /// use manycore_semiring::{Matrix, Products};
    /// let products = Products::new(&Device::from_env()?);
    /// let a = products.upload(&Matrix::stored(1, 3, &[3i32, -1, 2])?)?;
    /// let double = Function::<i32, i64>::new(|x: Value<i32>| x.to::<i64>() * 2)?;
    /// assert_eq!(products.map(&double, &a)?.download()?.entries(), [6, -2, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map<A: Elements, R: Elements>(
        &self,
        function: &Function<A, R>,
        a: &DeviceMatrix<A>,
    ) -> Result<DeviceMatrix<R>, SemiringError> {
        without_tables(function)?;
        self.each(a, a.shape(), |entry, at| function.of(entry.of(at)))
    }

    /// A function of column, row and entry of each place, stored.
    ///
    /// # Errors
    /// As [`Products::map`].
    pub fn map_at<A: Elements, R: Elements>(
        &self,
        function: &Function<((u64, u64), A), R>,
        a: &DeviceMatrix<A>,
    ) -> Result<DeviceMatrix<R>, SemiringError> {
        without_tables(function)?;
        self.each(a, a.shape(), |entry, at| function.of((at, entry.of(at))))
    }

    /// A function of the entries of two matrices at each place, stored.
    ///
    /// # Errors
    /// [`SemiringError::SameShape`]; as [`Products::map`].
    pub fn zip<A: Elements, B: Elements, R: Elements>(
        &self,
        function: &Function<(A, B), R>,
        a: &DeviceMatrix<A>,
        b: &DeviceMatrix<B>,
    ) -> Result<DeviceMatrix<R>, SemiringError> {
        without_tables(function)?;
        let (left, right) = (a.shape(), b.shape());
        if left != right {
            return Err(SemiringError::SameShape { left, right });
        }
        let (dense_a, dense_b) = (self.dense(a)?, self.dense(b)?);
        let a = Readable::new(self.device(), dense_a.as_ref().unwrap_or(a))?;
        let b = Readable::new(self.device(), dense_b.as_ref().unwrap_or(b))?;
        let first = a.table_count();
        let entry =
            Function::<(u64, u64), R>::new(|at: At| function.of((a.entry().of(at), b.entry().of_from(at, first))))?;
        let tables: Vec<Words<'_>> = a.tables().into_iter().chain(b.tables()).collect();
        self.kept(&entry, &tables, left)
    }

    /// The transpose, stored.
    ///
    /// # Errors
    /// [`SemiringError::Device`] without the memory.
    pub fn transpose<T: Elements>(&self, a: &DeviceMatrix<T>) -> Result<DeviceMatrix<T>, SemiringError> {
        let Shape { rows, columns } = a.shape();
        self.each(a, Shape { rows: columns, columns: rows }, |entry, (x, y)| entry.of((y, x)))
    }

    /// A matrix of values that are made of those of another.
    fn each<A: Elements, R: Elements>(
        &self,
        a: &DeviceMatrix<A>,
        shape: Shape,
        of: impl FnOnce(&Function<(u64, u64), A>, At) -> R::Values,
    ) -> Result<DeviceMatrix<R>, SemiringError> {
        let dense = self.dense(a)?;
        let a = Readable::new(self.device(), dense.as_ref().unwrap_or(a))?;
        let entry = Function::<(u64, u64), R>::new(|at: At| of(a.entry(), at))?;
        self.kept(&entry, &a.tables(), shape)
    }

    /// Lists of entries with all of them; `None` of what has all.
    pub(crate) fn dense<T: Elements>(&self, a: &DeviceMatrix<T>) -> Result<Option<DeviceMatrix<T>>, SemiringError> {
        if let Some(device) = a.device() {
            self.device().same_as(device)?;
        }
        Sealed::check(a)?;
        let Shape { rows, columns } = a.shape();
        if a.absent().is_none() {
            return Ok(None);
        }
        Ok(Some(self.upload(&Matrix::stored(rows, columns, &a.download()?.entries())?)?))
    }

    fn kept<R: Elements>(
        &self,
        entry: &Function<(u64, u64), R>,
        tables: &[Words<'_>],
        shape: Shape,
    ) -> Result<DeviceMatrix<R>, SemiringError> {
        let mut out = DeviceMatrix::scratch(self.device(), shape)?;
        if let Some(entries) = out.entries_mut() {
            let mut words: Vec<WordsMut<'_>> = entries.memory_mut().iter_mut().map(Memory::words_mut).collect();
            self.store(&entry.shared(), tables, shape, &mut words)?;
        }
        Ok(out)
    }
}

fn without_tables<I: Elements, O: Elements>(function: &Function<I, O>) -> Result<(), SemiringError> {
    if function.program().tables().is_empty() { Ok(()) } else { Err(SemiringError::Tables { operation: "function" }) }
}
