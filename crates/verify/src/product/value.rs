//! Values of polynomials at a point of an extension, and sums over windows of powers of it.
//!
//! The coordinates of `z^0, ..., z^(B-1)` stand in a table of `k` rows; the coordinates of the value of a block of `B`
//! coefficients are sums of products with them, and Horner's rule in `z^B` puts blocks together: `k` products for each
//! coefficient.

use std::ops::Range;

use manycore_field::ResidueWord;

use super::extension::{Element, Extension};
use crate::modulus::WideSum;
use crate::threads::{join, levels};

/// Coefficients of a block.
const BLOCK: usize = 1024;

/// A point `z` with its powers.
pub(super) struct Point<'a> {
    extension: &'a Extension,
    z: Element,
    /// For each coordinate, those of `z^0, ..., z^(B-1)`.
    table: Vec<u64>,
    block: usize,
    /// `z^B`.
    step: Element,
}

impl<'a> Point<'a> {
    /// A point `z` for polynomials of `len` coefficients.
    pub(super) fn new(extension: &'a Extension, z: Element, len: usize) -> Self {
        // A table of a short polynomial would cost more than its value.
        let block = BLOCK.min(1 << len.max(16).ilog2().div_ceil(2));
        let mut power = extension.one();
        let mut table = vec![0; extension.degree() * block];
        for i in 0..block {
            power.iter().enumerate().for_each(|(row, &c)| table[row * block + i] = c);
            power = extension.mul(&power, &z);
        }
        Self { extension, z, table, block, step: power }
    }

    /// The field that the point lies in.
    pub(super) fn extension(&self) -> &'a Extension {
        self.extension
    }

    /// The point.
    pub(super) fn point(&self) -> &[u64] {
        &self.z
    }

    /// The value of a polynomial.
    pub(super) fn value<T: ResidueWord>(&self, f: &[T]) -> Element {
        self.halves(levels(), f)
    }

    /// The value by halves, on two threads each while `levels` is above 0.
    fn halves<T: ResidueWord>(&self, levels: u32, f: &[T]) -> Element {
        let middle = (f.len() / 2).next_multiple_of(self.block);
        if levels == 0 || middle >= f.len() {
            let rows = || self.table.chunks_exact(self.block);
            let block_value = |block: &[T]| rows().map(|row| self.extension.modulus().dot(block, row)).collect();
            return self.horner(f.chunks(self.block).rev().map(block_value));
        }
        let (low, high) = f.split_at(middle);
        // Each coefficient is multiplied with as many numbers as the degree of the extension says.
        let work = f.len() * self.extension.degree();
        let (low, high) = join(levels, work, |levels| self.halves(levels, low), |levels| self.halves(levels, high));
        let step = self.extension.power(&self.step, (middle / self.block) as u64);
        self.extension.add(&low, &self.extension.mul(&high, &step))
    }

    /// The value at `z^B` of the polynomial with these coefficients, the leading one first.
    fn horner(&self, coefficients: impl Iterator<Item = Element>) -> Element {
        let next = |value: Element, c: Element| self.extension.add(&self.extension.mul(&value, &self.step), &c);
        coefficients.fold(self.extension.zero(), next)
    }

    /// The value of the coefficients `range` of `f g`, as those of a polynomial that begins with the first of them, without
    /// the product: `sum over j of f_j G_j`, with `G_j` the value of the coefficients of `g` from `range.start - j` on, as
    /// many as the range has. `G_(j+1) = z G_j + g_(start - j - 1) - z^len g_(end - 1 - j)`: so `k^2` products for each
    /// coefficient of `f`, whatever the range.
    pub(super) fn part_value<T: ResidueWord>(&self, f: &[T], g: &[T], range: Range<usize>) -> Element {
        let (extension, modulus) = (self.extension, self.extension.modulus());
        let at = |index: Option<usize>| index.and_then(|index| g.get(index)).map_or(0, |c| c.as_u64());
        let matrix = extension.matrix(&self.z);
        let last_power = extension.power(&self.z, range.len() as u64);
        let mut window = self.value(&g[range.start.min(g.len())..range.end.min(g.len())]);
        let mut next = extension.zero();
        let mut sums = vec![WideSum::default(); extension.degree()];
        for (j, c) in f.iter().enumerate() {
            sums.iter_mut().zip(&window).for_each(|(sum, &w)| sum.add(c.as_u64(), w));
            let (comes, goes) = (at(range.start.checked_sub(j + 1)), at((range.end - 1).checked_sub(j)));
            let rows = matrix.chunks_exact(extension.degree());
            for ((next, row), &last) in next.iter_mut().zip(rows).zip(&last_power) {
                *next = modulus.sub(modulus.dot(&window, row), modulus.mul(goes, last));
            }
            next[0] = modulus.add(next[0], comes);
            std::mem::swap(&mut window, &mut next);
        }
        sums.into_iter().map(|sum| sum.reduced(modulus)).collect()
    }
}
