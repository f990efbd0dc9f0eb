//! Factors of products: matrices, function matrices and lists that functions make (paper 003, section IV-B and formula 5).

use std::sync::Arc;

use manycore_device::{Device, WordType};
use manycore_expressions::{Elements, Function, Memory, ScalarType, Value, Words};

use crate::error::SemiringError;
use crate::operand::{MadeLists, Operand};
use crate::plan::Shape;
use crate::resident::DeviceMatrix;

pub(crate) mod sealed {
    use super::{Device, DeviceMatrix, Operand, SemiringError, Shape};

    pub trait Sealed<T> {
        fn shape(&self) -> Shape;

        /// The device of what is stored.
        fn device(&self) -> Option<&Device>;

        /// What missing entries are, where there are lists.
        fn absent(&self) -> Option<T>;

        fn operand(&self) -> Operand<'_>;

        /// The matrix, where it is one in the memory of a device.
        fn resident(&self) -> Option<&DeviceMatrix<T>> {
            None
        }

        /// Whether functions have the tables that they read.
        fn check(&self) -> Result<(), SemiringError>;
    }
}

/// A factor of a product: a [`DeviceMatrix`], a [`FunctionMatrix`] or a [`ListMatrix`].
pub trait Factor<T>: sealed::Sealed<T> {}

impl<T: Elements, F: sealed::Sealed<T>> Factor<T> for F {}

impl<T: Elements> sealed::Sealed<T> for DeviceMatrix<T> {
    fn shape(&self) -> Shape {
        Self::shape(self)
    }

    fn device(&self) -> Option<&Device> {
        Self::device(self)
    }

    fn absent(&self) -> Option<T> {
        Self::absent(self)
    }

    fn operand(&self) -> Operand<'_> {
        Self::operand(self)
    }

    fn resident(&self) -> Option<&Self> {
        Some(self)
    }

    fn check(&self) -> Result<(), SemiringError> {
        Tables::default().check(&self.function_of_place().map_or_else(Vec::new, |entry| vec![entry.program()]))
    }
}

/// Entries that functions read, a table for each scalar.
#[derive(Debug, Clone, Default)]
struct Tables<'a> {
    words: Vec<Words<'a>>,
    device: Option<&'a Device>,
}

impl<'a> Tables<'a> {
    fn push<R: Elements>(&mut self, entries: &'a DeviceMatrix<R>) -> Result<(), SemiringError> {
        let Some(stored) = entries.entries() else {
            return Err(SemiringError::Unstored { representation: entries.representation() });
        };
        self.words.extend(stored.memory().iter().map(Memory::words));
        self.device = entries.device();
        Ok(())
    }

    /// The types of the tables, where functions read those of that type.
    fn check(&self, programs: &[&manycore_expressions::Program]) -> Result<(), SemiringError> {
        for program in programs {
            for (number, &kind) in program.tables().iter().enumerate() {
                let given = self.words.get(number).map(Words::word);
                // What is not read is bytes.
                if given.is_some_and(|given| given == kind.memory()) || !program.reads_table(number as u16) {
                    continue;
                }
                let given = given.map_or("none", WordType::name);
                return Err(SemiringError::Table { number, expected: kind.name(), given });
            }
        }
        Ok(())
    }

    fn kinds(&self) -> Vec<ScalarType> {
        self.words.iter().map(|words| ScalarType::Word(words.word())).collect()
    }
}

/// A matrix that depends on the entry of the product that it is read for: a function of its own column and row and of the row and
/// the column of that entry, all from 0 (paper 003, formula 5). Nothing of it is stored.
///
/// The greatest and the least number of a row at once, as the maxima of the row and of its negative:
///
/// ```
/// use manycore_device::Device;
/// use manycore_expressions::{Function, Value};
/// use manycore_semiring::{FunctionMatrix, Matrix, Products, Semiring};
///
/// type At = (Value<u64>, Value<u64>);
/// let products = Products::new(&Device::from_env()?);
/// let data = products.upload(&Matrix::stored(1, 4, &[3i32, -1, 4, 1])?)?;
/// let signs = Function::<((u64, u64), (u64, u64)), i32>::new(|(_, (_, v)): (At, At)| v.equals(1).select(-1, 1))?;
/// let signs = FunctionMatrix::new(4, 2, signs);
/// let product = Function::new(|(a, b): (Value<i32>, Value<i32>)| a * b)?;
/// let largest = Semiring::new(product, Function::new(|(a, b): (Value<i32>, Value<i32>)| a.max(b))?, i32::MIN)?;
/// assert_eq!(products.multiply(&largest, &data, &signs)?.download()?.entries(), [4, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FunctionMatrix<'a, T> {
    shape: Shape,
    entry: Function<AtResult, T>,
    tables: Tables<'a>,
}

/// Column and row of a factor, then row and column of the product's entry that reads it.
pub type AtResult = ((u64, u64), (u64, u64));

impl<'a, T: Elements> FunctionMatrix<'a, T> {
    /// A function of `((column, row), (row of the product, column of the product))`.
    pub fn new(rows: u64, columns: u64, entry: Function<AtResult, T>) -> Self {
        Self { shape: Shape { rows, columns }, entry, tables: Tables::default() }
    }

    /// Lets the function read stored entries, row after row: a table for each scalar, behind those of matrices before.
    ///
    /// # Errors
    /// [`SemiringError::Unstored`] for a matrix whose entries are not stored.
    pub fn reading<R: Elements>(mut self, entries: &'a DeviceMatrix<R>) -> Result<Self, SemiringError> {
        self.tables.push(entries)?;
        Ok(self)
    }
}

impl<T: Elements> sealed::Sealed<T> for FunctionMatrix<'_, T> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn device(&self) -> Option<&Device> {
        self.tables.device
    }

    fn absent(&self) -> Option<T> {
        None
    }

    fn operand(&self) -> Operand<'_> {
        Operand::AtResult(self.entry.shared(), self.tables.words.clone(), 0)
    }

    fn check(&self) -> Result<(), SemiringError> {
        self.tables.check(&[self.entry.program()])
    }
}

/// A matrix whose lists of entries are functions: how many entries a line has, and index and value of each (paper 003, `rowsize`,
/// `col` and `val`, or `colsize`, `row` and `val`). Nothing of it is stored.
///
/// Indices of a line ascend; those past the last one count as the last one, and a line has at most as many entries as the inner
/// index is long.
///
/// ```
/// use manycore_device::Device;
/// use manycore_expressions::{Function, Value};
/// use manycore_semiring::{ListMatrix, Matrix, Products, Semiring};
///
/// // A row backwards: column x of the permutation has a 1 in row 3 - x.
/// type At = (Value<u64>, Value<u64>);
/// let one = Function::<u64, u64>::new(|_: Value<u64>| Value::from(1))?;
/// let row = Function::<(u64, u64), u64>::new(|(x, _): At| Value::from(3) - x)?;
/// let value = Function::<(u64, u64), i32>::new(|_: At| Value::from(1))?;
/// let backwards = ListMatrix::by_columns(4, 4, (one, row, value), 0)?;
/// let products = Products::new(&Device::from_env()?);
/// let data = products.upload(&Matrix::stored(1, 4, &[3i32, -1, 4, 1])?)?;
/// let turned = products.multiply(&Semiring::<i32, i32, i32>::wrapping_plus_times()?, &data, &backwards)?;
/// assert_eq!(turned.download()?.entries(), [1, 4, -1, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ListMatrix<'a, T> {
    shape: Shape,
    is_by_rows: bool,
    size: Function<u64, u64>,
    entry: Function<(u64, u64), (u64, T)>,
    absent: T,
    tables: Tables<'a>,
}

/// The number of entries of a line; index and value of an entry by its line and its number in it.
pub(crate) type Lists<T> = (Function<u64, u64>, Function<(u64, u64), u64>, Function<(u64, u64), T>);

impl<'a, T: Elements> ListMatrix<'a, T> {
    /// The entries of each row, of a left factor: how many there are, and column and value of each by row and number; and what the
    /// missing ones are.
    ///
    /// # Errors
    /// [`SemiringError::Expression`] where the functions read a table as two types.
    pub fn by_rows(rows: u64, columns: u64, lists: Lists<T>, absent: T) -> Result<Self, SemiringError> {
        Self::new(Shape { rows, columns }, true, lists, absent)
    }

    /// The entries of each column, of a right factor, as [`ListMatrix::by_rows`].
    ///
    /// # Errors
    /// As [`ListMatrix::by_rows`].
    pub fn by_columns(rows: u64, columns: u64, lists: Lists<T>, absent: T) -> Result<Self, SemiringError> {
        Self::new(Shape { rows, columns }, false, lists, absent)
    }

    fn new(shape: Shape, is_by_rows: bool, (size, index, value): Lists<T>, absent: T) -> Result<Self, SemiringError> {
        let entry = Function::new(|at: (Value<u64>, Value<u64>)| (index.of(at), value.of(at)))?;
        Ok(Self { shape, is_by_rows, size, entry, absent, tables: Tables::default() })
    }

    /// Lets the functions read stored entries, row after row: a table for each scalar, behind those of matrices before.
    ///
    /// # Errors
    /// [`SemiringError::Unstored`] for a matrix whose entries are not stored.
    pub fn reading<R: Elements>(mut self, entries: &'a DeviceMatrix<R>) -> Result<Self, SemiringError> {
        self.tables.push(entries)?;
        Ok(self)
    }
}

impl<T: Elements> sealed::Sealed<T> for ListMatrix<'_, T> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn device(&self) -> Option<&Device> {
        self.tables.device
    }

    fn absent(&self) -> Option<T> {
        Some(self.absent)
    }

    fn operand(&self) -> Operand<'_> {
        let lists = MadeLists {
            is_by_rows: self.is_by_rows,
            size: self.size.shared(),
            entry: self.entry.shared(),
            tables: self.tables.kinds(),
        };
        Operand::Made(Arc::new(lists), self.tables.words.clone(), 0)
    }

    fn check(&self) -> Result<(), SemiringError> {
        self.tables.check(&[self.size.program(), self.entry.program()])
    }
}
