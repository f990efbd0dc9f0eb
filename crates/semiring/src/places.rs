//! The places of results: for a sum that takes one of its terms the inner index of the term that it took, the lowest of equal ones.

use manycore_device::{Device, DeviceError};
use manycore_expressions::{Elements, Function, Laws, Number, Value};

use crate::error::SemiringError;
use crate::factor::{Factor, sealed};
use crate::matrix::{Kept, Lists, Matrix};
use crate::multiply::fit::leaves_out;
use crate::multiply::products::Products;
use crate::operand::Operand;
use crate::plan::{Representation, Shape};
use crate::readable::Readable;
use crate::resident::DeviceMatrix;
use crate::semiring::Semiring;

/// A number with the inner index that it comes from.
type Placed<T> = (T, u32);
/// A semiring whose second factors and sums are elements with their places.
pub type PlacedSemiring<A, B, T> = Semiring<A, (B, u32), (T, u32)>;

type PlacedValues<T> = (Value<T>, Value<u32>);

impl<A: Elements, B: Elements, T: Number + Elements<Values = Value<T>>> Semiring<A, B, T> {
    /// The semiring whose sums are the terms that they took with the places of these: second factors are elements with their
    /// places, of equal terms the one with the lowest place is taken, and the place of the sum of nothing is `u32::MAX`.
    ///
    /// # Errors
    /// [`SemiringError::Law`] where a sum of two terms is not always one of them, with terms that show it.
    ///
    /// ```
    /// use manycore_semiring::Semiring;
    /// let min_plus = Semiring::<i64, i64, i64>::min_plus_saturating()?.with_places()?;
    /// assert_eq!(min_plus.sum().call(((5, 2), (5, 1))), (5, 1));
    /// assert!(Semiring::<i64, i64, i64>::wrapping_plus_times()?.with_places().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_places(&self) -> Result<PlacedSemiring<A, B, T>, SemiringError> {
        self.made_once(|| self.placed())
    }

    fn placed(&self) -> Result<PlacedSemiring<A, B, T>, SemiringError> {
        Laws::new(&[self.zero()]).selective(self.sum())?;
        let (product, sum) = (self.product(), self.sum());
        let product = Function::<(A, (B, u32)), Placed<T>>::new(|(a, (b, place)): (A::Values, (B::Values, _))| {
            (product.of((a, b)), place)
        })?;
        let sum = Function::<(Placed<T>, Placed<T>), Placed<T>>::new(
            |((x, i), (y, j)): (PlacedValues<T>, PlacedValues<T>)| {
                let taken = sum.of((x, y));
                // What is no number equals nothing: the first one stays.
                let is_second = taken.equals(y) & (taken.differs(x) | j.lt(i));
                (taken, is_second.select(j, i))
            },
        )?;
        Semiring::new(product, sum, (self.zero(), u32::MAX))
    }
}

/// The second factor with the places of its entries.
struct WithPlaces<'a, B> {
    of: Readable<'a, B>,
    entry: Function<(u64, u64), (B, u32)>,
}

impl<'a, B: Elements> WithPlaces<'a, B> {
    fn new(device: &Device, of: &'a DeviceMatrix<B>) -> Result<Self, SemiringError> {
        let of = Readable::new(device, of)?;
        let entry = Function::new(|(x, y): (Value<u64>, Value<u64>)| (of.entry().of((x, y)), y.to::<u32>()))?;
        Ok(Self { of, entry })
    }
}

impl<B: Elements> sealed::Sealed<(B, u32)> for WithPlaces<'_, B> {
    fn shape(&self) -> Shape {
        self.of.matrix().shape()
    }

    fn device(&self) -> Option<&Device> {
        self.of.matrix().device()
    }

    fn absent(&self) -> Option<(B, u32)> {
        None
    }

    fn operand(&self) -> Operand<'_> {
        Operand::Computed(self.entry.shared(), self.of.tables())
    }

    fn check(&self) -> Result<(), SemiringError> {
        sealed::Sealed::check(self.of.matrix())
    }
}

impl Products {
    /// The product with the places of its sums: for a sum that takes one of its terms, as a maximum does, each entry with the inner
    /// index of the term that it is, the lowest of equal ones; `u32::MAX` where no term is.
    ///
    /// As [`Products::multiply`] of a second factor whose entries carry their rows; lists of entries are made anew on the host.
    ///
    /// # Errors
    /// [`SemiringError::Law`] where a sum of two terms is not always one of them; [`SemiringError::Device`] where the inner index is longer
    /// than places count; those of [`Products::multiply`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_semiring::{Matrix, Products, Semiring};
    /// let products = Products::new(&Device::from_env()?);
    /// let arcs = products.upload(&Matrix::stored(2, 2, &[0i64, 3, 9, 0])?)?;
    /// let two = products.multiply_with_places(&Semiring::min_plus_saturating()?, &arcs, &arcs)?;
    /// assert_eq!(two.download()?.entries(), [(0, 0), (3, 0), (9, 0), (0, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(never)]
    pub fn multiply_with_places<A: Elements, B: Elements, T: Number + Elements<Values = Value<T>>>(
        &self,
        semiring: &Semiring<A, B, T>,
        a: &impl Factor<A>,
        b: &DeviceMatrix<B>,
    ) -> Result<DeviceMatrix<(T, u32)>, SemiringError> {
        leaves_out(semiring, a, b)?;
        let placed = semiring.with_places()?;
        let size = b.shape().rows;
        if size > u64::from(u32::MAX) {
            let (what, limit) = ("an inner index with places".to_owned(), u64::from(u32::MAX));
            return Err(DeviceError::TooLarge { what, size, limit, device: self.device().info().label() }.into());
        }
        if let Some(absent) = b.absent() {
            let lists = self.upload(&lists_with_places(b, absent)?)?;
            return self.multiply_leaving_out(&placed, a, &lists);
        }
        self.multiply_leaving_out(&placed, a, &WithPlaces::new(self.device(), b)?)
    }
}

/// Lists of entries with their rows.
fn lists_with_places<B: Elements>(b: &DeviceMatrix<B>, absent: B) -> Result<Matrix<(B, u32)>, SemiringError> {
    let shape = b.shape();
    let of = |lists: &Lists<B>, lines: u64| {
        // Lists of columns have rows as their indices.
        let is_by_rows = b.representation() == Representation::Rows;
        let places = (0..lines).flat_map(|line| {
            lists.line(line).map(move |(index, entry)| (entry, if is_by_rows { line } else { index } as u32))
        });
        let (offsets, indices) = (lists.offsets.clone(), lists.indices.clone());
        Lists { entries: places.collect(), offsets, indices, absent: (absent, u32::MAX) }
    };
    Ok(match b.download()?.kept() {
        Kept::Rows(lists) => Matrix::of_lists(shape, Kept::Rows(of(lists, shape.rows))),
        Kept::Columns(lists) => Matrix::of_lists(shape, Kept::Columns(of(lists, shape.columns))),
        // A matrix with missing entries is lists.
        Kept::Stored(_) | Kept::Function(_) => Matrix::stored(0, 0, &[])?,
    })
}
