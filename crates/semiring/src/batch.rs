//! Products of many pairs of small matrices at once: one product whose right factor depends on the row of the result (paper 003,
//! formula 5), or one after the other, by what the planner knows of both.

use std::ops::Range;

use manycore_device::Executor;
use manycore_expressions::{Elements, Function, Memory, Value, Words, WordsMut};

use crate::error::SemiringError;
use crate::factor::{AtResult, sealed};
use crate::multiply::fit::leaves_out;
use crate::multiply::form::{ProductForm, ProductShape};
use crate::multiply::products::Products;
use crate::operand::{Form, Operand};
use crate::plan::Shape;
use crate::readable::Readable;
use crate::resident::{DeviceMatrix, count as count_of};
use crate::semiring::Semiring;

type V = Value<u64>;

/// The right factor of all products as one: its part is that of the row of the result.
struct Parts<'a, B> {
    of: Readable<'a, B>,
    shape: Shape,
    entry: Function<AtResult, B>,
    /// Rows of a left part and of a right one.
    sizes: Memory,
}

impl<'a, B: Elements> Parts<'a, B> {
    fn new(products: &Products, of: &'a DeviceMatrix<B>, rows: u64, inner: u64) -> Result<Self, SemiringError> {
        let of = Readable::new(products.device(), of)?;
        let sizes = Memory::upload(products.device(), (&[rows, inner][..]).into())?;
        let number = of.table_count();
        let entry = Function::new(|((x, y), (u, _)): ((V, V), (V, V))| {
            let size = |at: u64| V::from(at).read::<u64>(number);
            of.entry().of((x, u / size(0) * size(1) + y))
        })?;
        let shape = Shape { rows: inner, columns: of.matrix().shape().columns };
        Ok(Self { of, shape, entry, sizes })
    }
}

impl<B: Elements> sealed::Sealed<B> for Parts<'_, B> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn device(&self) -> Option<&manycore_device::Device> {
        self.of.matrix().device()
    }

    fn absent(&self) -> Option<B> {
        None
    }

    fn operand(&self) -> Operand<'_> {
        let tables = self.of.tables().into_iter().chain([self.sizes.words()]).collect();
        Operand::AtResult(self.entry.shared(), tables, 0)
    }

    fn check(&self) -> Result<(), SemiringError> {
        sealed::Sealed::check(self.of.matrix())
    }
}

impl Products {
    /// The products of `count` pairs of matrices: those of the first factor stand below each other, those of the second, too, and so
    /// do the products, which are stored. As `count` times [`Products::multiply`].
    ///
    /// # Errors
    /// [`SemiringError::Batch`] where the rows of a factor are no multiple of `count`, or the parts do not fit; those of
    /// [`Products::multiply`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_semiring::{Matrix, Products, Semiring};
    /// let products = Products::new(&Device::from_env()?);
    /// let a = products.upload(&Matrix::stored(2, 2, &[1i64, 2, 3, 4])?)?; // two rows
    /// let b = products.upload(&Matrix::stored(4, 1, &[1i64, 1, 10, 20])?)?; // two columns
    /// let both = products.multiply_batch(&Semiring::wrapping_plus_times()?, 2, &a, &b)?;
    /// assert_eq!(both.download()?.entries(), [3, 110]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn multiply_batch<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        count: u64,
        a: &DeviceMatrix<A>,
        b: &DeviceMatrix<B>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        let (left, right) = (a.shape(), b.shape());
        let part = |of: Shape| of.rows.checked_div(count).filter(|part| part * count == of.rows);
        let (Some(rows), Some(inner)) = (part(left), part(right)) else {
            return Err(SemiringError::Batch { count, left, right });
        };
        if left.columns != inner {
            return Err(SemiringError::Batch { count, left, right });
        }
        for device in [a.device(), b.device()].into_iter().flatten() {
            self.device().same_as(device)?;
        }
        leaves_out(semiring, a, b)?;
        let shape = ProductShape {
            rows: count_of(rows, self.device())?,
            inner: count_of(inner, self.device())?,
            columns: count_of(right.columns, self.device())?,
        };
        if let (Some(_), Some(_), true) = (a.entries(), b.entries(), rows > 0 && right.columns > 0)
            && self.is_one_by_one(semiring, count, (a, b), shape)?
        {
            return self.one_by_one(semiring, count, (a, b), shape);
        }
        let dense = self.dense(b)?;
        self.multiply_leaving_out(semiring, a, &Parts::new(self, dense.as_ref().unwrap_or(b), rows.max(1), inner)?)
    }

    /// Whether products of stored parts are faster one after the other: on the host, and where the planner says so.
    fn is_one_by_one<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        count: u64,
        (a, b): (&DeviceMatrix<A>, &DeviceMatrix<B>),
        shape: ProductShape,
    ) -> Result<bool, SemiringError> {
        if let Executor::Host(_) = self.device().executor() {
            return Ok(true);
        }
        let each = ProductForm::of(semiring.algebra(), &a.operand(), &b.operand());
        let parts = Parts::new(self, b, shape.rows as u64, shape.inner as u64)?;
        let right = sealed::Sealed::operand(&parts).form();
        let all = ProductForm { right, ..each.clone() };
        let rows = count_of(a.shape().rows, self.device())?;
        let (each, all) = (self.choice(&each, shape)?, self.choice(&all, ProductShape { rows, ..shape })?);
        Ok(each.best().seconds() * count as f64 <= all.best().seconds())
    }

    fn one_by_one<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        count: u64,
        (a, b): (&DeviceMatrix<A>, &DeviceMatrix<B>),
        shape: ProductShape,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        let (left, right) = (a.shape(), b.shape());
        let mut out = DeviceMatrix::<S>::scratch(self.device(), Shape { rows: left.rows, columns: right.columns })?;
        let (Some(a), Some(b), Some(c)) = (a.entries(), b.entries(), out.entries_mut()) else { return Ok(out) };
        let sizes = [shape.rows * shape.inner, shape.inner * shape.columns, shape.rows * shape.columns];
        let form = ProductForm { algebra: semiring.algebra().clone(), left: Form::Stored, right: Form::Stored };
        for number in 0..count as usize {
            let [of_a, of_b, of_c] = sizes.map(|size| number * size..(number + 1) * size);
            let (a, b) = (Operand::Stored(parts(a.memory(), &of_a)?), Operand::Stored(parts(b.memory(), &of_b)?));
            let mut to: Vec<WordsMut<'_>> =
                c.memory_mut().iter_mut().map(|memory| memory.part_mut(of_c.clone())).collect::<Result<_, _>>()?;
            self.product(&form, shape, (&a, &b), &mut to)?;
        }
        Ok(out)
    }
}

/// A part of each scalar.
fn parts<'a>(memory: &'a [Memory], range: &Range<usize>) -> Result<Vec<Words<'a>>, SemiringError> {
    Ok(memory.iter().map(|memory| memory.part(range.clone())).collect::<Result<_, _>>()?)
}
