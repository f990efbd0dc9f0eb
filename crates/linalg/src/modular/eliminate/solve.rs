//! Solutions of linear systems, nullspaces, and inverses beside the identity.

use manycore_device::{Buffer, zeroed_words};

use super::plan::Reach;
use super::steps::Extent;
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;
use crate::shape::entries;

/// The solutions `x` of `a x = b`, for every column of `b`.
#[derive(Debug)]
pub enum Solution<F: MatrixField> {
    /// One: the matrix has as many pivots as columns.
    Unique(Matrix<F>),
    /// `point + directions t` for every matrix `t`.
    Affine {
        /// One solution: 0 in each row that belongs to no pivot.
        point: Matrix<F>,
        /// A basis of the nullspace, as columns.
        directions: Matrix<F>,
    },
    /// None, for some column of `b`.
    None,
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// The inverse of a square matrix that is not empty, by elimination of the matrix beside the identity.
    pub(crate) fn inverse_beside(&self, a: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        let order = a.order("inverse")?;
        match self.solved(a, &self.identity(order)?)? {
            (Some(inverse), pivots) if pivots.len() == order => Ok(inverse),
            (_, pivots) => Err(LinalgError::Singular { rank: pivots.len(), order }),
        }
    }

    /// The solutions `x` of `a x = b`: one, a family, or none, all of which are answers. By elimination of `a` beside `b`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::{LinearAlgebra, Solution};
    /// let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(7)?)?;
    /// let a = space.matrix(2, 2, &[1, 2, 2, 4])?;
    /// match space.solve(&a, &space.matrix(2, 1, &[3, 6])?)? {
    ///     Solution::Affine { point, directions } => {
    ///         assert_eq!((space.entries(&point)?, space.entries(&directions)?), (vec![3, 0], vec![5, 1]));
    ///     }
    ///     other => panic!("{other:?}"),
    /// }
    /// assert!(matches!(space.solve(&a, &space.matrix(2, 1, &[3, 5])?)?, Solution::None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::Shapes`] for matrices with different numbers of rows; [`LinalgError::MixedFields`];
    /// [`LinalgError::Device`].
    #[inline(never)]
    pub fn solve(&self, a: &Matrix<F>, b: &Matrix<F>) -> Result<Solution<F>, LinalgError> {
        self.own(a)?;
        self.own(b)?;
        if a.rows != b.rows {
            return Err(LinalgError::Shapes { operation: "solution", left: a.shape(), right: b.shape() });
        }
        let (point, pivots) = self.solved(a, b)?;
        Ok(match point {
            None => Solution::None,
            Some(point) if pivots.len() == a.columns => Solution::Unique(point),
            Some(point) => Solution::Affine { point, directions: self.nullspace(a)? },
        })
    }

    /// A basis of the nullspace: the columns `x`, as many as the matrix has columns less its rank, with `a x = 0`. Column `k`
    /// is 1 in the row of the column without pivot of number `k` and 0 in those of the others.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn nullspace(&self, a: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        let (form, pivots) = self.echelon(a)?.into_parts();
        let mut free = zeroed_words::<u32>(a.columns - pivots.len())?;
        let others = (0..a.columns).filter(|column| pivots.binary_search(column).is_err());
        free.iter_mut().zip(others).for_each(|(free, column)| *free = column as u32);
        let head = Block::whole(form.rows, form.columns).part(0..pivots.len(), 0..form.columns);
        let picked = self.pick(&form.buffer, head, &free)?.download()?;
        self.nullspace_of((pivots.len(), a.columns), &pivots, &picked)
    }

    /// The basis of the nullspace of a matrix of `rank` rows and `columns` columns in reduced echelon form, from the entries in its
    /// columns without pivot.
    pub(crate) fn nullspace_of(
        &self,
        (rank, columns): (usize, usize),
        pivots: &[usize],
        reduced: &[F::Element],
    ) -> Result<Matrix<F>, LinalgError> {
        let count = columns - rank;
        let mut basis = zeroed_words(entries(columns, count)?)?;
        basis.fill(self.field().zero());
        for (k, column) in (0..columns).filter(|column| pivots.binary_search(column).is_err()).enumerate() {
            basis[column * count + k] = self.field().one();
        }
        for (row, &pivot) in reduced.chunks(count.max(1)).zip(pivots) {
            for (k, &word) in row.iter().enumerate() {
                basis[pivot * count + k] = self.field().neg(word);
            }
        }
        self.matrix(columns, count, &basis)
    }

    /// One solution of `a x = b`, `None` where there is none, and the columns of the pivots of `a`.
    fn solved(&self, a: &Matrix<F>, b: &Matrix<F>) -> Result<(Option<Matrix<F>>, Vec<usize>), LinalgError> {
        let (rows, columns, width) = (a.rows, a.columns, a.columns + b.columns);
        let whole = Block::whole(rows, width);
        let mut both = self.device().scratch(entries(rows, width)?)?;
        self.copy_block(&a.buffer, Block::whole(rows, columns), &mut both, whole.part(0..rows, 0..columns))?;
        let right = whole.part(0..rows, columns..width);
        self.copy_block(&b.buffer, Block::whole(rows, b.columns), &mut both, right)?;
        let extent = Extent { rows, width, search: columns };
        let reach = Reach::All;
        let by = |how, both: &mut _| self.eliminate(both, extent, reach, how);
        let found = self.eliminate_in_place(&mut both, extent.to(reach), by)?;
        let pivots: Vec<usize> = found.columns.iter().map(|&column| column as usize).collect();
        // Rows without a pivot say that 0 is what they have on the right.
        let rest = self.block_of(&both, whole.part(pivots.len()..rows, columns..width))?.download()?;
        if rest.iter().any(|&word| word != self.field().zero()) {
            return Ok((None, pivots));
        }
        let found = whole.part(0..pivots.len(), columns..width);
        let point = self.at_pivots(&both, found, &pivots, columns)?;
        Ok((Some(point), pivots))
    }

    /// The matrix of `rows` rows whose row `pivots[k]` is row `k` of a block, and whose others are 0.
    pub(crate) fn at_pivots(
        &self,
        from: &Buffer<F::Element>,
        block: Block,
        pivots: &[usize],
        rows: usize,
    ) -> Result<Matrix<F>, LinalgError> {
        let mut placed = self.zeros(rows, block.columns)?;
        let target = Block::whole(rows, block.columns);
        // Runs of pivots in neighbouring columns are copied together.
        let mut first = 0;
        while first < pivots.len() {
            let run = (first..pivots.len()).take_while(|&k| pivots[k] - pivots[first] == k - first).count();
            let source = block.part(first..first + run, 0..block.columns);
            let place = target.part(pivots[first]..pivots[first] + run, 0..block.columns);
            self.copy_block(from, source, &mut placed.buffer, place)?;
            first += run;
        }
        Ok(placed)
    }
}
