//! Subproduct trees: products of neighbouring nodes, level by level (paper 002, algorithm 24).

use std::fmt;
use std::sync::{Arc, Mutex};

use manycore_device::{Buffer, Executor};

use super::level::Level;
use super::{device, host};
use crate::arithmetic::divide::Divisor;
use crate::arithmetic::multiply::{Factors, Shape};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// The subproduct tree of points: made once by [`PolyRing::tree`], used for any number of evaluations and interpolations.
///
/// With `n` points, filled up to a power of two, it keeps `n` words for each level above the lowest few, the inverse of the
/// root as a power series, and, once values were interpolated, the weights of the points: [`PolyRing::tree_words`].
pub struct SubproductTree<F: PolyField> {
    pub(super) points: Buffer<F::Element>,
    /// The base-2 logarithm of the number of points, filled up.
    pub(super) log_len: u32,
    /// The base-2 logarithm of the points of the lowest nodes that are kept.
    pub(super) log_leaf: u32,
    /// From the lowest nodes to the root, whose words lie in `left`.
    pub(super) levels: Vec<Level<F>>,
    /// The root with its leading one.
    pub(super) root: Divisor<F>,
    /// Inverses of the derivative of the product at the points.
    pub(super) weights: Mutex<Option<Arc<Buffer<F::Element>>>>,
}

impl<F: PolyField> fmt::Debug for SubproductTree<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SubproductTree of {} points mod {}", self.points.len(), self.root.poly().field().order())
    }
}

impl<F: PolyField> SubproductTree<F> {
    /// The number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The points, in the order in which they were given.
    pub fn points(&self) -> &Buffer<F::Element> {
        &self.points
    }

    /// Words at the lowest nodes, and of each level.
    pub(super) const fn padded(&self) -> usize {
        1 << self.log_len
    }
}

const fn log_len(n: usize, log_leaf: u32) -> u32 {
    let log_len = if n <= 1 { 0 } else { usize::BITS - (n - 1).leading_zeros() };
    if log_len < log_leaf { log_leaf } else { log_len }
}

impl<F: PolyField> PolyRing<F> {
    /// The subproduct tree of these points; they may be repeated. `O(M(n) log n)`, where a product of `n` coefficients takes
    /// `M(n)`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let tree = ring.tree(&[1, 2, 3, 4])?;
    /// let f = ring.poly(&[4, 3, 2, 1])?;
    /// assert_eq!(ring.evaluate_at(&f, &tree)?.download()?, [10, 26, 58, 112]);
    /// let values = ring.device().upload(&[10, 26, 58, 112])?;
    /// assert!(ring.equal(&ring.interpolate(&tree, &values)?, &f)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfRange`] with the index of the first point that is no residue; [`PolyError::TooLong`]; as
    /// [`PolyRing::mul`].
    #[inline(never)]
    pub fn tree(&self, points: &[F::Element]) -> Result<SubproductTree<F>, PolyError> {
        self.field().check(points)?;
        self.tree_of(self.device().upload(points)?)
    }

    /// The subproduct tree of points in a buffer of the ring's device. They must be residues; results for other words
    /// are unspecified.
    ///
    /// # Errors
    /// As [`PolyRing::tree`].
    #[inline(never)]
    pub fn tree_of(&self, points: Buffer<F::Element>) -> Result<SubproductTree<F>, PolyError> {
        self.device().same_as(points.device())?;
        let n = points.len();
        if n > 1 << (usize::BITS - 6) || n > u32::MAX as usize {
            return Err(PolyError::TooLong { what: "a subproduct tree" });
        }
        let log_leaf = self.log_leaf();
        let log_len = log_len(n, log_leaf);
        let words = 1usize << log_len;
        let mut levels = Vec::with_capacity((log_len - log_leaf + 1) as usize);
        let mut lowest = Level::scratch(self.device(), words, log_len == log_leaf)?;
        match self.device().executor() {
            Executor::Host(pool) => host::leaves(self.field(), pool, &points, &mut lowest)?,
            Executor::OpenCl(cl) => device::leaves(self, cl, log_leaf, &points, &mut lowest)?,
        }
        levels.push(lowest);
        for log_words in log_leaf + 1..=log_len {
            let Some(children) = levels.last() else { break };
            let mut level = Level::scratch(self.device(), words, log_words == log_len)?;
            let product = self.products_of_pairs(&children.left, &children.right, log_words)?;
            self.join(&[&product], children, &mut level, log_words)?;
            levels.push(level);
        }
        let root = self.root(&levels, words)?;
        Ok(SubproductTree { points, log_len, log_leaf, levels, root, weights: Mutex::new(None) })
    }

    /// Words of the device's memory that a tree of `n` points keeps in the end: `(k - h + 5) 2^k + 1` with `k = log2 n` rounded
    /// up and lowest nodes of `2^h` points.
    #[inline(never)]
    pub fn tree_words(&self, n: usize) -> usize {
        let log_leaf = self.log_leaf();
        let log_len = log_len(n, log_leaf);
        ((log_len - log_leaf + 5) as usize) * (1 << log_len) + 1
    }

    /// The base-2 logarithm of the points of the lowest nodes that are kept.
    pub(super) fn log_leaf(&self) -> u32 {
        match self.device().executor() {
            Executor::Host(_) => host::LOG_LEAF,
            Executor::OpenCl(cl) => device::log_leaf(cl),
        }
    }

    /// The root with its leading one.
    fn root(&self, levels: &[Level<F>], words: usize) -> Result<Divisor<F>, PolyError> {
        let mut root = self.device().scratch(words + 1)?;
        root.view_mut(words..)?.write(&[self.field().one()])?;
        if let Some(level) = levels.last() {
            root.view_mut(..words)?.copy_from(level.left.view(..words)?)?;
        }
        self.divisor(self.exact(root, words + 1))
    }

    /// The products of the nodes at the same places of both, of `2^(log_words - 1)` words each, filled up to `2^log_words`.
    pub(super) fn products_of_pairs(
        &self,
        a: &Buffer<F::Element>,
        b: &Buffer<F::Element>,
        log_words: u32,
    ) -> Result<Buffer<F::Element>, PolyError> {
        let half = 1usize << (log_words - 1);
        let count = a.len() / half;
        let shape = Shape { count, n: half, m: half, low: 0, len: 2 * half, square: false };
        let mut out = self.device().scratch(2 * a.len())?;
        self.multiply(&shape, &Factors { a, b }, &mut out, None)?;
        Ok(out)
    }

    /// Nodes of `2^log_words` words: the sum of products and `x^N (a + b)` with the words of the children.
    pub(super) fn join(
        &self,
        products: &[&Buffer<F::Element>],
        children: &Level<F>,
        level: &mut Level<F>,
        log_words: u32,
    ) -> Result<(), PolyError> {
        match self.device().executor() {
            Executor::Host(pool) => host::join(self.field(), pool, products, children, level, log_words),
            Executor::OpenCl(cl) => device::join(self, cl, products, children, level, log_words),
        }
    }

    /// The product of `x - u` over the points of a tree.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn tree_product(&self, tree: &SubproductTree<F>) -> Result<Poly<F>, PolyError> {
        self.own(tree.root.poly())?;
        // The points that fill up are factors x.
        self.shift_down(tree.root.poly(), tree.padded() - tree.len())
    }
}
