//! Triangular decompositions of matrices of bits: `P A = L U` and `A = P L U Q`, by the elimination of 64 columns at a time that keeps
//! its multipliers (Albrecht and Pernet, "Efficient decomposition of dense matrices over GF(2)", 2010).

use super::algebra::BitAlgebra;
use super::matrix::{BITS, BitMatrix, word_count, words_per_row};
use super::multipliers::Multipliers;
use super::reference::bit;
use super::solve::BitSolution;
use super::triangular::{self, Side};
use crate::block::Block;
use crate::error::LinalgError;
use crate::modular::decompose::Permutation;
use crate::modular::eliminate::plan::Reach;

/// `P A = L U` of a matrix of `m` by `n` bits of rank `r`: `L` of `m` by `r` bits, 1 on the diagonal and 0 above it; `U` of `r` by `n`,
/// in echelon form. Made by [`BitAlgebra::lu`]; equal to [`Lu`](crate::Lu) over the field of two elements.
#[derive(Debug)]
pub struct BitLu {
    space: BitAlgebra,
    permutation: Permutation,
    swaps: Vec<u32>,
    lower: BitMatrix,
    upper: BitMatrix,
    pivots: Vec<usize>,
}

/// `A = P L U Q` of a matrix of bits, in the form of [`Pluq`](crate::Pluq): bit `(i, j)` of `L U` is that of the matrix in row `rows()[i]`
/// and column `columns()[j]`. Made by [`BitAlgebra::pluq`].
#[derive(Debug)]
pub struct BitPluq {
    lu: BitLu,
    upper: BitMatrix,
    columns: Permutation,
}

impl BitAlgebra {
    /// The decomposition `P A = L U`, of any shape and rank: `n / 64` products for `n` columns, as many as of an echelon form that is not
    /// reduced. The pivot of a column is the first 1 of the rows that have none.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_linalg::bits::BitAlgebra;
    /// let space = BitAlgebra::new(&Device::from_env()?);
    /// let lu = space.lu(&space.of_residues(3, 2, &[0u32, 1, 1, 1, 1, 0])?)?;
    /// assert_eq!(lu.permutation().images(), [1, 0, 2]);
    /// assert_eq!(space.residues::<u32>(lu.lower())?, [1, 0, 0, 1, 1, 1]);
    /// assert_eq!(space.residues::<u32>(lu.upper())?, [1, 1, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    pub fn lu(&self, a: &BitMatrix) -> Result<BitLu, LinalgError> {
        self.own(a)?;
        let mut buffer = self.words_of(&a.buffer, a.block())?;
        let mut multipliers = Multipliers::new(a.rows, a.rows.min(a.columns))?;
        let pivots = self.eliminate_keeping(&mut buffer, a.block(), a.columns, Reach::Below, Some(&mut multipliers))?;
        let rank = pivots.len();
        let (swaps, lower) = multipliers.into_parts(rank)?;
        let upper = self.words_of(&buffer, a.block().part(0..rank, 0..a.words_per_row()))?;
        Ok(BitLu {
            space: self.clone(),
            permutation: Permutation::of_swaps(a.rows, &swaps),
            swaps,
            lower: self.of_words(a.rows, rank, lower)?,
            upper: BitMatrix::of(upper, rank, a.columns),
            pivots,
        })
    }

    /// The decomposition `A = P L U Q`: [`BitAlgebra::lu`] with the pivots' columns of the upper factor first.
    ///
    /// # Errors
    /// As [`BitAlgebra::lu`].
    pub fn pluq(&self, a: &BitMatrix) -> Result<BitPluq, LinalgError> {
        self.lu(a)?.into_pluq()
    }
}

impl BitLu {
    /// `P`: row `k` of `L U` is row `images()[k]` of the matrix.
    pub fn permutation(&self) -> &Permutation {
        &self.permutation
    }

    /// `L`: as many rows as the matrix, as many columns as the rank; 1 on the diagonal, 0 above it.
    pub fn lower(&self) -> &BitMatrix {
        &self.lower
    }

    /// `U`: as many rows as the rank, as many columns as the matrix; in echelon form.
    pub fn upper(&self) -> &BitMatrix {
        &self.upper
    }

    /// The column of the pivot of each row of `U`, ascending: the column rank profile.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// The rank.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// The decomposition `A = P L U Q` with the same lower factor.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn into_pluq(self) -> Result<BitPluq, LinalgError> {
        let columns = Permutation::first(self.upper.columns, &self.pivots);
        let upper = self.picked(columns.images())?;
        let upper = self.space.of_words(self.rank(), columns.len(), upper)?;
        Ok(BitPluq { lu: self, upper, columns })
    }

    /// The inverse of a regular square matrix.
    ///
    /// # Errors
    /// [`LinalgError::Singular`] with the rank of a matrix that has none; [`LinalgError::NotSquare`]; [`LinalgError::Device`].
    pub fn inverse(&self) -> Result<BitMatrix, LinalgError> {
        let (rows, columns, rank) = (self.lower.rows, self.upper.columns, self.rank());
        if rows != columns {
            return Err(LinalgError::NotSquare { operation: "inverse", rows, columns });
        }
        match self.point(&self.space.identity(rows)?)? {
            Some(inverse) if rank == rows => Ok(inverse),
            _ => Err(LinalgError::Singular { rank, order: rows }),
        }
    }

    /// The solutions `x` of `a x = b` for the matrix `a` and every column of `b`: those of [`BitAlgebra::solve`], without another
    /// elimination.
    ///
    /// # Errors
    /// [`LinalgError::Shapes`] for another number of rows than the matrix has; [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    pub fn solve(&self, b: &BitMatrix) -> Result<BitSolution, LinalgError> {
        self.space.own(b)?;
        let (rows, columns) = (self.lower.rows, self.upper.columns);
        if b.rows != rows {
            return Err(LinalgError::Shapes { operation: "solution", left: (rows, columns), right: b.shape() });
        }
        Ok(match self.point(b)? {
            None => BitSolution::None,
            Some(point) if self.rank() == columns => BitSolution::Unique(point),
            Some(point) => BitSolution::Affine { point, directions: self.nullspace()? },
        })
    }

    /// A basis of the nullspace, in the form of [`BitAlgebra::nullspace`].
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn nullspace(&self) -> Result<BitMatrix, LinalgError> {
        let (space, columns, rank) = (&self.space, self.upper.columns, self.rank());
        let order = Permutation::first(columns, &self.pivots);
        let free = &order.images()[rank..];
        let mut reduced = space.device().upload(&self.picked(free)?)?;
        let stride = words_per_row(free.len());
        self.solve_upper(&mut reduced, Block::whole(rank, stride))?;
        let mut basis = vec![0; word_count(columns, free.len())?];
        for (row, &pivot) in reduced.download()?.chunks(stride.max(1)).zip(&self.pivots) {
            basis[pivot * stride..][..stride].copy_from_slice(row);
        }
        for (k, &column) in free.iter().enumerate() {
            basis[column * stride + k / BITS] |= 1 << (k % BITS);
        }
        space.of_words(columns, free.len(), basis)
    }

    /// The words of some columns of the upper factor.
    fn picked(&self, columns: &[usize]) -> Result<Vec<u64>, LinalgError> {
        let words = self.space.words(&self.upper)?;
        let (stride, own) = (self.upper.words_per_row(), words_per_row(columns.len()));
        let mut picked = vec![0; word_count(self.rank(), columns.len())?];
        for (i, row) in picked.chunks_mut(own.max(1)).enumerate() {
            for (k, &column) in columns.iter().enumerate() {
                row[k / BITS] |= u64::from(bit(&words, stride, i, column)) << (k % BITS);
            }
        }
        Ok(picked)
    }

    /// Solves with the pivots' columns of the upper factor, in place.
    fn solve_upper(&self, right: &mut manycore_device::Buffer<u64>, block: Block) -> Result<(), LinalgError> {
        let square = self.space.of_words(self.rank(), self.rank(), self.picked(&self.pivots)?)?;
        triangular::solve(&self.space, Side::Upper, &square, right, block)
    }

    /// One solution, 0 in each row that belongs to no pivot; `None` where there is none.
    fn point(&self, b: &BitMatrix) -> Result<Option<BitMatrix>, LinalgError> {
        let (space, rank, stride) = (&self.space, self.rank(), b.words_per_row());
        let mut right = space.words_of(&b.buffer, b.block())?;
        if stride > 0 {
            space.swap_rows(&mut right, stride, 0, &self.swaps)?;
        }
        triangular::solve(space, Side::Lower, &self.lower, &mut right, b.block())?;
        // The other rows say what they have on the right.
        let rest = space.words_of(&right, b.block().part(rank..b.rows, 0..stride))?;
        if rest.download()?.iter().any(|&word| word != 0) {
            return Ok(None);
        }
        let mut solved = space.words_of(&right, b.block().part(0..rank, 0..stride))?;
        self.solve_upper(&mut solved, Block::whole(rank, stride))?;
        let mut point = vec![0; word_count(self.upper.columns, b.columns)?];
        for (row, &pivot) in solved.download()?.chunks(stride.max(1)).zip(&self.pivots) {
            point[pivot * stride..][..stride].copy_from_slice(row);
        }
        space.of_words(self.upper.columns, b.columns, point).map(Some)
    }
}

impl BitPluq {
    /// The order of the rows: row `i` of `L U` is row `images()[i]` of the matrix.
    pub fn rows(&self) -> &Permutation {
        &self.lu.permutation
    }

    /// The order of the columns: column `j` of `L U` is column `images()[j]` of the matrix.
    pub fn columns(&self) -> &Permutation {
        &self.columns
    }

    /// `L`: as many rows as the matrix, as many columns as the rank; 1 on the diagonal, 0 above it.
    pub fn lower(&self) -> &BitMatrix {
        &self.lu.lower
    }

    /// `U`: as many rows as the rank, as many columns as the matrix; 1 on the diagonal, 0 below it.
    pub fn upper(&self) -> &BitMatrix {
        &self.upper
    }

    /// The rank.
    pub fn rank(&self) -> usize {
        self.lu.rank()
    }

    /// The decomposition without an order of columns, for solutions and inverses.
    pub fn lu(&self) -> &BitLu {
        &self.lu
    }
}
