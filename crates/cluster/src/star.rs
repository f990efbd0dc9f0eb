//! The Kleene star of a dense matrix in two-dimensional blocks over ranks: blocked elimination of nodes (Floyd 1962; the blocks as by
//! Venkataraman, Sahni and Mukhopadhyaya, A Blocked All-Pairs Shortest-Paths Algorithm, 2003), of which paper 004 has the star.

use std::ops::Range;

use bytemuck::Pod;
use manycore_device::Device;
use manycore_maxplus::{Graph, MaxPlus, Weight};
use manycore_semiring::{Bounded, Matrix, Products, Semiring};

use crate::error::ClusterError;
use crate::exchange::{all_gather, broadcast};
use crate::ranks::{Ranks, part};

/// Nodes that are eliminated at a time.
const BLOCK: usize = 1024;

/// Weights of a star over ranks: `i32` and `i64`, of which the least stands for no path.
pub trait Distance: Weight + Bounded + Pod + sealed::Sealed {
    #[doc(hidden)]
    fn max_plus() -> Result<Semiring<Self, Self, Self>, ClusterError>;

    /// Its absolute value, and the largest number of the type.
    #[doc(hidden)]
    fn magnitude(self) -> (u128, u128);
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! distances {
    ($($weight:ty)*) => {$(
        impl sealed::Sealed for $weight {}

        impl Distance for $weight {
            fn max_plus() -> Result<Semiring<Self, Self, Self>, ClusterError> {
                Ok(Semiring::max_plus_saturating()?)
            }

            fn magnitude(self) -> (u128, u128) {
                (u128::from(self.unsigned_abs()), <$weight>::MAX as u128)
            }
        }
    )*};
}

distances! { i32 i64 }

/// How ranks stand in a rectangle: `height` by `width`, as near to a square as their number allows, row after row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    height: usize,
    width: usize,
}

impl Grid {
    /// The rectangle of `size` ranks, one of them at least.
    pub fn new(size: usize) -> Self {
        let size = size.max(1);
        let height = (1..=size.isqrt()).rev().find(|&height| size.is_multiple_of(height)).unwrap_or(1);
        Self { height, width: size / height }
    }

    /// The rows and columns of an `n` by `n` matrix that a rank has.
    pub fn block(self, n: usize, rank: usize) -> (Range<usize>, Range<usize>) {
        (part(n, self.height, rank / self.width), part(n, self.width, rank % self.width))
    }

    /// The ranks of a row of the rectangle.
    fn row(self, row: usize) -> Vec<usize> {
        (0..self.width).map(|column| row * self.width + column).collect()
    }

    /// The ranks of a column of the rectangle.
    fn column(self, column: usize) -> Vec<usize> {
        (0..self.height).map(|row| row * self.width + column).collect()
    }
}

/// The ranges of nodes that are eliminated one after the other: each lies in one row and one column of blocks.
fn steps(n: usize, grid: Grid, most: usize) -> Vec<Range<usize>> {
    let mut cuts: Vec<usize> = (0..=grid.height).map(|row| part(n, grid.height, row).start.min(n)).collect();
    cuts.extend((0..=grid.width).map(|column| part(n, grid.width, column).start.min(n)));
    cuts.extend((0..n).step_by(most.max(1)));
    cuts.push(n);
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Stars over ranks, each with a device of its own.
///
/// ```
/// use manycore_cluster::{Grid, Ranks, Star, threads};
/// use manycore_device::Device;
/// // Arcs from each of 10 nodes to the next one, of weight 1: entry (to, from).
/// let arc = |to: usize, from: usize| if to == from + 1 { 1i64 } else { i64::MIN };
/// let blocks = threads(4, |ranks| {
///     let (rows, columns) = Grid::new(4).block(10, ranks.rank());
///     let own = rows.flat_map(|to| columns.clone().map(move |from| arc(to, from))).collect();
///     Star::new(&Device::host()).star(ranks, 10, own)
/// })?;
/// assert_eq!(blocks[2][4 * 5], 9); // node 9 from node 0, in the third block of 5 by 5 nodes
/// # Ok::<(), manycore_cluster::ClusterError>(())
/// ```
#[derive(Debug)]
pub struct Star {
    products: Products,
    device: Device,
    block: usize,
}

impl Star {
    /// With the device of this rank.
    pub fn new(device: &Device) -> Self {
        Self { products: Products::new(device), device: device.clone(), block: BLOCK }
    }

    /// Sets the number of nodes that are eliminated at a time; 0 counts as 1. By default 1024.
    #[must_use]
    pub fn nodes_at_a_time(self, block: usize) -> Self {
        Self { block: block.max(1), ..self }
    }

    /// The star of an `n` by `n` matrix, of which every rank has a [block](Grid::block), row after row: entry `(to, from)` is the
    /// weight of an arc, or the least number for none. Gives this rank's block of the weights of longest paths, that of a node to
    /// itself being 0.
    ///
    /// `2 n^3 / size` operations for each rank. Each of `n / block` steps sends a row and a column of blocks: about
    /// `n^2 (1 / height + 1 / width)` numbers to each rank in all.
    ///
    /// # Errors
    /// [`ClusterError::Length`] where a rank has other entries than its block; [`ClusterError::Overflow`] where weights are so large
    /// that a path's may pass the ends of the type; [`ClusterError::MaxPlus`] for a circuit of positive weight, on the rank
    /// that finds it, where the others get [`ClusterError::Lost`].
    pub fn star<T: Distance>(&self, ranks: &dyn Ranks, n: usize, mut own: Vec<T>) -> Result<Vec<T>, ClusterError> {
        let (rank, grid) = (ranks.rank(), Grid::new(ranks.size()));
        let (rows, columns) = grid.block(n, rank);
        let expected = rows.len() * columns.len();
        if own.len() != expected {
            return Err(ClusterError::Length { rank, what: "entries", expected, given: own.len() });
        }
        fits(ranks, n, &own)?;
        let semiring = T::max_plus()?;
        let width = columns.len();
        for step in steps(n, grid, self.block) {
            let holds = |parts: usize| (0..parts).find(|&at| part(n, parts, at).contains(&step.start)).unwrap_or(0);
            let (row, column) = (holds(grid.height), holds(grid.width));
            let (is_row, is_column) = (rank / grid.width == row, rank % grid.width == column);
            let entries = |rows_of: Range<usize>, columns_of: Range<usize>, own: &[T]| -> Vec<T> {
                rows_of.flat_map(|i| columns_of.clone().map(move |j| own[i * width + j])).collect()
            };
            let within = |step: &Range<usize>, whole: &Range<usize>| step.start - whole.start..step.end - whole.start;
            // The star of the pivot, to its row of ranks.
            let mut pivot = Vec::new();
            if is_row && is_column {
                let block = entries(within(&step, &rows), within(&step, &columns), &own);
                let graph = Graph::from_dense(step.len(), &block, T::LEAST)?;
                pivot = MaxPlus::<T>::new(&self.device).star(&graph)?.into_entries();
            }
            // Its rows, times the star, down each column of ranks.
            let mut across = Vec::new();
            if is_row {
                broadcast(ranks, &grid.row(row), row * grid.width + column, &mut pivot)?;
                across = entries(within(&step, &rows), 0..width, &own);
                across = self.product(&semiring, (step.len(), step.len(), width), &pivot, &across)?;
            }
            broadcast(ranks, &grid.column(rank % grid.width), row * grid.width + rank % grid.width, &mut across)?;
            // Its columns, as they are, along each row of ranks.
            let mut down = Vec::new();
            if is_column {
                down = entries(0..rows.len(), within(&step, &columns), &own);
            }
            let root = rank / grid.width * grid.width + column;
            broadcast(ranks, &grid.row(rank / grid.width), root, &mut down)?;
            let through = self.product(&semiring, (rows.len(), step.len(), width), &down, &across)?;
            for (entry, through) in own.iter_mut().zip(through) {
                if through > *entry {
                    *entry = through;
                }
            }
        }
        // A path of no arc.
        for node in rows.start.max(columns.start)..rows.end.min(columns.end) {
            let entry = &mut own[(node - rows.start) * width + node - columns.start];
            if *entry < <T as Bounded>::ZERO {
                *entry = <T as Bounded>::ZERO;
            }
        }
        Ok(own)
    }

    fn product<T: Distance>(
        &self,
        semiring: &Semiring<T, T, T>,
        (height, middle, width): (usize, usize, usize),
        a: &[T],
        b: &[T],
    ) -> Result<Vec<T>, ClusterError> {
        if height == 0 || width == 0 {
            return Ok(Vec::new());
        }
        let products = &self.products;
        let a = products.upload(&Matrix::stored(height as u64, middle as u64, a)?)?;
        let b = products.upload(&Matrix::stored(middle as u64, width as u64, b)?)?;
        Ok(products.multiply(semiring, &a, &b)?.download()?.entries())
    }
}

/// Refuses weights of which a path's may pass the ends of the type.
fn fits<T: Distance>(ranks: &dyn Ranks, n: usize, own: &[T]) -> Result<(), ClusterError> {
    let present = own.iter().filter(|&&weight| weight != T::LEAST);
    let largest = present.map(|weight| weight.magnitude().0).max().unwrap_or(0);
    let all = all_gather(ranks, &[largest as u64])?;
    let largest = all.iter().flatten().copied().max().unwrap_or(0);
    // Walks of twice as many arcs as there are nodes are added on the way.
    if u128::from(largest) * 2 * (n as u128) < <T as Bounded>::ZERO.magnitude().1 {
        return Ok(());
    }
    Err(ClusterError::Overflow { nodes: n, largest: largest.to_string(), kind: std::any::type_name::<T>() })
}
