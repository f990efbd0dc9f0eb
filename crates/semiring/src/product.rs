//! Generalized products `c[u][v] = sum over i, in order, of a[u][i] b[i][v]` on the host (paper 003, formula 1): rows of the
//! result are shared by threads, and a row takes whole rows of the second operand, one after the other.

use std::sync::{Mutex, PoisonError};

use manycore_device::{Device, Executor};
use manycore_expressions::{Columns, Elements, Input};

use crate::error::SemiringError;
use crate::matrix::{Kept, Lists, Matrix};
use crate::plan::Shape;
use crate::semiring::Semiring;

impl<A: Elements, B: Elements, S: Elements> Semiring<A, B, S> {
    /// The product by its definition, for comparisons: O(rows inner columns) calls.
    ///
    /// # Errors
    /// [`SemiringError::Shapes`].
    pub fn reference(&self, a: &Matrix<A>, b: &Matrix<B>) -> Result<Matrix<S>, SemiringError> {
        let shape = shape(a, b)?;
        let mut entries = Vec::new();
        for row in 0..shape.rows {
            for column in 0..shape.columns {
                let pairs = (0..a.shape().columns).filter_map(|i| a.get(row, i).zip(b.get(i, column)));
                entries
                    .push(pairs.fold(self.zero(), |sum, (a, b)| self.sum().call((sum, self.product().call((a, b))))));
            }
        }
        Matrix::stored(shape.rows, shape.columns, &entries)
    }

    /// The product on the host's threads, stored. Missing entries of sparse operands are left out.
    ///
    /// O(rows inner columns) steps, of a sparse first operand O(entries columns), and as many as there are pairs of entries
    /// where both are sparse.
    ///
    /// # Errors
    /// [`SemiringError::Shapes`]; [`SemiringError::Absent`] where products with missing entries are not zero;
    /// [`SemiringError::Device`] where `host` is no host, or has not the memory.
    pub fn multiply(&self, host: &Device, a: &Matrix<A>, b: &Matrix<B>) -> Result<Matrix<S>, SemiringError> {
        let shape = shape(a, b)?;
        if absent(a).is_some_and(|absent| !self.leaves_out_left(absent)) {
            return Err(SemiringError::Absent { side: "left" });
        }
        if absent(b).is_some_and(|absent| !self.leaves_out_right(absent)) {
            return Err(SemiringError::Absent { side: "right" });
        }
        let Executor::Host(pool) = host.executor() else {
            return Err(manycore_device::DeviceError::elsewhere().into());
        };
        let (left, right) = (Lines::of_rows(a), Lines::of_rows(b));
        let (rows, width) = (shape.rows as usize, shape.columns as usize);
        let done = Mutex::new(Ok::<_, SemiringError>(vec![None; rows]));
        pool.team().each(0..rows, |row| {
            let made = self.row(&left, &right, row as u64, width);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            match (&mut *done, made) {
                (Ok(all), Ok(made)) => all[row] = Some(made),
                (done @ Ok(_), Err(error)) => *done = Err(error),
                (Err(_), _) => {}
            }
        });
        let all = done.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        let entries: Vec<S> = all.into_iter().flatten().flat_map(|row: Columns<S>| row.elements()).collect();
        Ok(Matrix::of_columns(shape, Columns::from_elements(&entries)))
    }

    /// A row of the product.
    fn row(&self, a: &Lines<A>, b: &Lines<B>, row: u64, width: usize) -> Result<Columns<S>, SemiringError> {
        let (mut sums, mut next) = (Columns::filled(self.zero(), width), Columns::filled(self.zero(), width));
        let mut same = Vec::new();
        for (i, factor) in a.line(row) {
            same.clear();
            factor.put_bits(&mut same);
            match b {
                Lines::Sparse(lists) => {
                    for (column, entry) in lists.line(i) {
                        let at = column as usize;
                        if let Some(sum) = sums.get(at) {
                            sums.set(at, self.step().call((sum, factor, entry)));
                        }
                    }
                }
                Lines::Dense(entries, columns) => {
                    let start = i as usize * columns;
                    let of_sums = sums.columns().into_iter().map(Input::Column);
                    let of_factor = same.iter().map(|&bits| Input::Same(bits));
                    let of_row =
                        entries.columns().into_iter().map(|column| Input::Column(column.part(start, start + columns)));
                    let inputs: Vec<Input<'_>> = of_sums.chain(of_factor).chain(of_row).collect();
                    self.step().program().evaluate(&inputs, &[], &mut next.columns_mut())?;
                    std::mem::swap(&mut sums, &mut next);
                }
            }
        }
        Ok(sums)
    }
}

/// The shape of a product.
fn shape<A: Elements, B: Elements>(a: &Matrix<A>, b: &Matrix<B>) -> Result<Shape, SemiringError> {
    let (left, right) = (a.shape(), b.shape());
    if left.columns != right.rows {
        return Err(SemiringError::Shapes { left, right });
    }
    Ok(Shape { rows: left.rows, columns: right.columns })
}

/// What missing entries are.
fn absent<T: Elements>(matrix: &Matrix<T>) -> Option<T> {
    match matrix.kept() {
        Kept::Rows(lists) | Kept::Columns(lists) => Some(lists.absent),
        Kept::Stored(_) | Kept::Function(_) => None,
    }
}

/// The rows of a matrix.
enum Lines<T> {
    /// All entries, so many in a row.
    Dense(Columns<T>, usize),
    Sparse(Lists<T>),
}

impl<T: Elements> Lines<T> {
    fn of_rows(matrix: &Matrix<T>) -> Self {
        let Shape { rows, columns } = matrix.shape();
        match matrix.kept() {
            Kept::Stored(entries) => Self::Dense(entries.clone(), columns as usize),
            Kept::Function(_) => Self::Dense(Columns::from_elements(&matrix.entries()), columns as usize),
            Kept::Rows(lists) => Self::Sparse(lists.clone()),
            Kept::Columns(lists) => Self::Sparse(by_rows(lists, rows, columns)),
        }
    }

    /// The entries of a row, with their columns.
    fn line(&self, at: u64) -> Vec<(u64, T)> {
        match self {
            Self::Dense(entries, columns) => {
                let start = at as usize * columns;
                (0..*columns).filter_map(|i| entries.get(start + i).map(|entry| (i as u64, entry))).collect()
            }
            Self::Sparse(lists) => lists.line(at).collect(),
        }
    }
}

/// Lists of columns as lists of rows, by counting.
fn by_rows<T: Elements>(lists: &Lists<T>, rows: u64, columns: u64) -> Lists<T> {
    let mut offsets = vec![0usize; rows as usize + 1];
    for &row in &lists.indices {
        offsets[row as usize + 1] += 1;
    }
    for row in 0..rows as usize {
        offsets[row + 1] += offsets[row];
    }
    let mut next = offsets.clone();
    let (mut indices, mut entries) = (vec![0; lists.indices.len()], vec![lists.absent; lists.entries.len()]);
    for column in 0..columns {
        for (row, entry) in lists.line(column) {
            let place = &mut next[row as usize];
            (indices[*place], entries[*place]) = (column, entry);
            *place += 1;
        }
    }
    Lists { offsets, indices, entries, absent: lists.absent }
}
