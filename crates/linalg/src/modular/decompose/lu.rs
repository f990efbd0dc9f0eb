//! `P A = L U` with `U` in echelon form, and what follows from the factors: solutions, determinants, inverses.

use manycore_device::Buffer;

use super::permutation::Permutation;
use super::recursive::Decomposition;
use super::triangular::{Diagonal, Factor, Triangle};
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::eliminate::Solution;
use crate::modular::matrix::Matrix;
use crate::modular::multiply::shape::Store;

/// `P A = L U` of a matrix of `m` by `n` entries of rank `r`: `L` of `m` by `r` entries, 1 on the diagonal and 0 above it; `U` of `r` by
/// `n`, in echelon form: the first entry other than 0 of each row, its pivot, stands to the right of that of the row above. A regular
/// square matrix has square factors, `U` upper triangular. Made by [`LinearAlgebra::lu`].
#[derive(Debug)]
pub struct Lu<F: MatrixField> {
    space: LinearAlgebra<F>,
    permutation: Permutation,
    swaps: Vec<u32>,
    lower: Matrix<F>,
    upper: Matrix<F>,
    pivots: Vec<usize>,
    values: Vec<F::Element>,
    diagonal: Vec<Diagonal<F>>,
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// The decomposition `P A = L U`, of any shape and rank, from which many systems are solved: `r (m n - r (m + n) / 2 + r^2 / 3)`
    /// products and sums of residues for `m` by `n` entries of rank `r`, `n^3 / 3` for a regular matrix of order `n`, most of them in
    /// products of matrices. The pivot of a column is the first entry other than 0 of the rows that have none.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let lu = space.lu(&space.matrix(3, 2, &[0, 2, 1, 3, 2, 5])?)?;
    /// assert_eq!(lu.permutation().images(), [1, 0, 2]);
    /// assert_eq!(space.entries(lu.lower())?, [1, 0, 0, 1, 2, 3]);
    /// assert_eq!(space.entries(lu.upper())?, [1, 3, 0, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn lu(&self, a: &Matrix<F>) -> Result<Lu<F>, LinalgError> {
        self.own(a)?;
        let found = Decomposition::of(self, a)?;
        let rank = found.rank();
        let part = |block: Block, rows: usize, columns: usize| block.part(0..rows, 0..columns);
        let upper = self.block_of(&found.a, part(Block::whole(a.rows, a.columns), rank, a.columns))?;
        let lower = if rank == found.lower_block.columns {
            found.lower
        } else {
            self.block_of(&found.lower, part(found.lower_block, a.rows, rank))?
        };
        Ok(Lu {
            space: self.clone(),
            permutation: Permutation::of_swaps(a.rows, &found.swaps),
            swaps: found.swaps,
            lower: self.of(lower, a.rows, rank),
            upper: self.of(upper, rank, a.columns),
            pivots: found.columns,
            values: found.values,
            diagonal: found.diagonal,
        })
    }
}

impl<F: MatrixField> Lu<F> {
    /// `P`: row `k` of `L U` is row `images()[k]` of the matrix.
    pub fn permutation(&self) -> &Permutation {
        &self.permutation
    }

    /// `L`: as many rows as the matrix, as many columns as the rank; 1 on the diagonal, 0 above it.
    pub fn lower(&self) -> &Matrix<F> {
        &self.lower
    }

    /// `U`: as many rows as the rank, as many columns as the matrix; in echelon form.
    pub fn upper(&self) -> &Matrix<F> {
        &self.upper
    }

    /// The column of the pivot of each row of `U`, ascending: the column rank profile, the first columns of which none is a combination
    /// of those before it.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// The rank.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// The factors and the permutation.
    pub fn into_parts(self) -> (Permutation, Matrix<F>, Matrix<F>) {
        (self.permutation, self.lower, self.upper)
    }

    /// The determinant of a square matrix: the product of the pivots, with the sign of `P`; 0 where it is singular, 1 for order 0.
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`].
    #[inline(never)]
    pub fn determinant(&self) -> Result<F::Element, LinalgError> {
        let (field, order) = (self.space.field(), self.order("determinant")?);
        if self.rank() < order {
            return Ok(field.zero());
        }
        let product = field.product(&self.values);
        Ok(if self.permutation.is_even() { product } else { field.neg(product) })
    }

    /// The inverse of a regular square matrix: `n^3` products and sums for order `n`.
    ///
    /// # Errors
    /// [`LinalgError::Singular`] with the rank of a matrix that has none; [`LinalgError::NotSquare`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn inverse(&self) -> Result<Matrix<F>, LinalgError> {
        let (order, rank) = (self.order("inverse")?, self.rank());
        match self.point(&self.space.identity(order)?)? {
            Some(inverse) if rank == order => Ok(inverse),
            _ => Err(LinalgError::Singular { rank, order }),
        }
    }

    /// The solutions `x` of `a x = b` for the matrix `a` and every column of `b`: those of [`LinearAlgebra::solve`], without another
    /// elimination. About `r (m + n) k` products and sums for `k` columns.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::{LinearAlgebra, Solution};
    /// let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(7)?)?;
    /// let lu = space.lu(&space.matrix(2, 2, &[2, 1, 1, 3])?)?;
    /// let Solution::Unique(x) = lu.solve(&space.matrix(2, 1, &[5, 3])?)? else { return Err("one".into()) };
    /// assert_eq!(space.entries(&x)?, [1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::Shapes`] for another number of rows than the matrix has; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn solve(&self, b: &Matrix<F>) -> Result<Solution<F>, LinalgError> {
        self.space.own(b)?;
        let (rows, columns) = (self.lower.rows, self.upper.columns);
        if b.rows != rows {
            return Err(LinalgError::Shapes { operation: "solution", left: (rows, columns), right: b.shape() });
        }
        Ok(match self.point(b)? {
            None => Solution::None,
            Some(point) if self.rank() == columns => Solution::Unique(point),
            Some(point) => Solution::Affine { point, directions: self.nullspace()? },
        })
    }

    /// A basis of the nullspace, in the form of [`LinearAlgebra::nullspace`].
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    #[inline(never)]
    pub fn nullspace(&self) -> Result<Matrix<F>, LinalgError> {
        let (space, columns, rank) = (&self.space, self.upper.columns, self.rank());
        let order = Permutation::first(columns, &self.pivots);
        let free = &order.images()[rank..];
        let mut reduced = self.picked(free)?;
        self.solve_upper(&mut reduced, free.len())?;
        space.nullspace_of((rank, columns), &self.pivots, &reduced.download()?)
    }

    /// The order, where the matrix is square.
    fn order(&self, operation: &'static str) -> Result<usize, LinalgError> {
        let (rows, columns) = (self.lower.rows, self.upper.columns);
        if rows == columns { Ok(rows) } else { Err(LinalgError::NotSquare { operation, rows, columns }) }
    }

    /// Some columns of the upper factor.
    pub(super) fn picked(&self, columns: &[usize]) -> Result<Buffer<F::Element>, LinalgError> {
        let columns: Vec<u32> = columns.iter().map(|&column| column as u32).collect();
        self.space.pick(&self.upper.buffer, Block::whole(self.rank(), self.upper.columns), &columns)
    }

    /// The row that each pivot's row was exchanged with, and each pivot.
    pub(super) fn exchanges(&self) -> (&[u32], &[F::Element]) {
        (&self.swaps, &self.values)
    }

    /// The space that the factors belong to.
    pub(super) fn space(&self) -> &LinearAlgebra<F> {
        &self.space
    }

    /// Solves with the pivots' columns of the upper factor, in place, for as many rows as the rank.
    fn solve_upper(&self, right: &mut Buffer<F::Element>, width: usize) -> Result<(), LinalgError> {
        let rank = self.rank();
        let is_square = self.pivots.last().is_none_or(|&last| last + 1 == rank);
        let picked = if is_square { None } else { Some(self.picked(&self.pivots)?) };
        let (words, block) = match &picked {
            Some(words) => (words, Block::whole(rank, rank)),
            None => (&self.upper.buffer, Block::whole(rank, self.upper.columns)),
        };
        let triangle = Triangle { factor: Factor::Upper, words, block, diagonal: &self.diagonal };
        self.space.solve_triangle(&triangle, right, (0, width))
    }

    /// One solution of the system of a right side of as many rows, 0 in each row that belongs to no pivot; `None` where there is none.
    fn point(&self, b: &Matrix<F>) -> Result<Option<Matrix<F>>, LinalgError> {
        let (space, rank, rows, width) = (&self.space, self.rank(), b.rows, b.columns);
        let columns = self.upper.columns;
        let whole = Block::whole(rows, width);
        if width == 0 {
            return space.zeros(columns, 0).map(Some);
        }
        let mut right = space.block_of(&b.buffer, whole)?;
        space.permute_rows(&mut right, width, 0, &self.swaps)?;
        let mut solved = space.block_of(&right, whole.part(0..rank, 0..width))?;
        let lines = Block::whole(rank, width);
        let lower = Block::whole(rows, rank);
        let triangle =
            Triangle { factor: Factor::Lower, words: &self.lower.buffer, block: lower, diagonal: &self.diagonal };
        space.solve_triangle(&triangle, &mut solved, (0, width))?;
        if rank < rows {
            // The other rows say what they have on the right.
            let mut rest = space.block_of(&right, whole.part(rank..rows, 0..width))?;
            let factors = (&self.lower.buffer, lower.part(rank..rows, 0..rank));
            let target = (&mut rest, Block::whole(rows - rank, width));
            if rank > 0 {
                space.product_into(factors, (&solved, lines), target, Store::Subtract)?;
            }
            if rest.download()?.iter().any(|&word| word != space.field().zero()) {
                return Ok(None);
            }
        }
        self.solve_upper(&mut solved, width)?;
        space.at_pivots(&solved, lines, &self.pivots, columns).map(Some)
    }
}
