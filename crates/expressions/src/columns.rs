//! Elements in columns: the scalars of each place of a tuple one behind the other.

use std::fmt;
use std::marker::PhantomData;

use crate::elements::Elements;
use crate::host::{Column, ColumnMut, Owned};
use crate::scalar::ScalarType;

/// Elements in columns, one for each scalar of their type; truth values are bytes, 0 or 1.
///
/// ```
/// use manycore_expressions::Columns;
/// let mut best = Columns::from_elements(&[(1.5f32, 7u32), (2.5, 8)]);
/// best.set(0, (0.5, 9));
/// assert_eq!((best.len(), best.get(0), best.get(1)), (2, Some((0.5, 9)), Some((2.5, 8))));
/// ```
#[derive(Clone)]
pub struct Columns<T> {
    scalars: Vec<Owned>,
    len: usize,
    elements: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for Columns<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.scalars).finish()
    }
}

impl<T: Elements> PartialEq for Columns<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && (0..self.len).all(|at| self.get(at) == other.get(at))
    }
}

fn types<T: Elements>() -> Vec<ScalarType> {
    let mut types = Vec::new();
    T::types(&mut types);
    types
}

impl<T: Elements> Columns<T> {
    /// These elements.
    pub fn from_elements(elements: &[T]) -> Self {
        let (types, mut bits) = (types::<T>(), Vec::new());
        for element in elements {
            element.put_bits(&mut bits);
        }
        let width = types.len().max(1);
        let column = |(at, &kind): (usize, &ScalarType)| {
            Owned::from_bits(kind.memory(), bits.iter().skip(at).step_by(width).copied())
        };
        Self { scalars: types.iter().enumerate().map(column).collect(), len: elements.len(), elements: PhantomData }
    }

    /// Columns that fit the type, each of `len` words.
    pub(crate) fn of(scalars: Vec<Owned>, len: usize) -> Self {
        Self { scalars, len, elements: PhantomData }
    }

    /// Columns of scalars as elements; `None` where they do not fit the type, or are not of one length.
    pub fn of_scalars(scalars: Vec<Owned>, len: usize) -> Option<Self> {
        let types = types::<T>();
        let fits = scalars.len() == types.len()
            && scalars.iter().zip(types).all(|(column, kind)| {
                let column = column.column();
                column.word() == kind.memory() && column.len() == len
            });
        fits.then_some(Self { scalars, len, elements: PhantomData })
    }

    /// One element, repeated `len` times.
    pub fn filled(element: T, len: usize) -> Self {
        let mut bits = Vec::new();
        element.put_bits(&mut bits);
        let column =
            |(&kind, &bits): (&ScalarType, &u64)| Owned::from_bits(kind.memory(), std::iter::repeat_n(bits, len));
        Self { scalars: types::<T>().iter().zip(&bits).map(column).collect(), len, elements: PhantomData }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// An element; `None` past the end.
    pub fn get(&self, at: usize) -> Option<T> {
        (at < self.len).then(|| T::take_bits(&mut self.scalars.iter().map(|column| column.bits(at))))
    }

    /// Sets an element; nothing past the end.
    pub fn set(&mut self, at: usize, element: T) {
        let mut bits = Vec::new();
        element.put_bits(&mut bits);
        if at < self.len {
            self.scalars.iter_mut().zip(bits).for_each(|(column, bits)| column.set_bits(at, bits));
        }
    }

    /// A copy of some elements, those of the range that there are.
    #[must_use]
    pub fn part(&self, range: std::ops::Range<usize>) -> Self {
        let end = range.end.min(self.len);
        let start = range.start.min(end);
        let scalars = self.scalars.iter().map(|column| Owned::copied(column.column().part(start, end))).collect();
        Self { scalars, len: end - start, elements: PhantomData }
    }

    /// These elements behind each other.
    #[must_use]
    pub fn joined(parts: &[Self]) -> Self {
        let mut all = Self::from_elements(&[]);
        for part in parts {
            for (to, from) in all.scalars.iter_mut().zip(&part.scalars) {
                to.extend(from.column());
            }
            all.len += part.len;
        }
        all
    }

    /// All elements.
    pub fn elements(&self) -> Vec<T> {
        (0..self.len).filter_map(|at| self.get(at)).collect()
    }

    /// The columns.
    pub fn columns(&self) -> Vec<Column<'_>> {
        self.scalars.iter().map(Owned::column).collect()
    }

    /// The columns, to change.
    pub fn columns_mut(&mut self) -> Vec<ColumnMut<'_>> {
        self.scalars.iter_mut().map(Owned::column_mut).collect()
    }
}
