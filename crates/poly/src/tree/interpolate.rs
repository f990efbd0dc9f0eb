//! Interpolation by Lagrange's formula through a subproduct tree (paper 002, section 10.4).

use std::sync::{Arc, PoisonError};

use manycore_device::{Buffer, Executor};

use super::build::SubproductTree;
use super::level::Level;
use super::{device, host};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// The polynomial of degree below the number of points of the tree that has these values at them. `O(M(n) log n)`; the
    /// weights of the points, half of the work, are kept with the tree.
    ///
    /// # Errors
    /// [`PolyError::RepeatedPoint`] with the indices of two equal points; [`PolyError::Values`] where there are not as many
    /// values as points; [`PolyError::MixedRings`]; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn interpolate(&self, tree: &SubproductTree<F>, values: &Buffer<F::Element>) -> Result<Poly<F>, PolyError> {
        self.own(tree.root.poly())?;
        self.device().same_as(values.device())?;
        if values.len() != tree.len() {
            return Err(PolyError::Values { points: tree.len(), values: values.len() });
        }
        if tree.is_empty() {
            return self.zero();
        }
        let weights = self.weights(tree)?;
        let mut scaled = self.device().scratch(values.len())?;
        match self.device().executor() {
            Executor::Host(pool) => host::scale(self.field(), pool, values, &weights, &mut scaled)?,
            Executor::OpenCl(cl) => device::scale(self, cl, values, &weights, &mut scaled)?,
        }
        let sum = self.weighted_sum(tree, &scaled)?;
        // The points that fill up have weight 0, so that their factors x divide the sum.
        let mut polynomial = self.device().scratch(tree.len())?;
        polynomial.view_mut(..)?.copy_from(sum.view(tree.padded() - tree.len()..tree.padded())?)?;
        self.stripped(polynomial, tree.len())
    }

    /// The sum over the points of a weight times the root over `x - u`.
    fn weighted_sum(
        &self,
        tree: &SubproductTree<F>,
        weights: &Buffer<F::Element>,
    ) -> Result<Buffer<F::Element>, PolyError> {
        let words = tree.padded();
        let mut sums = Level::scratch(self.device(), words, tree.log_len == tree.log_leaf)?;
        match self.device().executor() {
            Executor::Host(pool) => host::leaf_sums(self.field(), pool, &tree.points, weights, &mut sums)?,
            Executor::OpenCl(cl) => device::leaf_sums(self, cl, tree.log_leaf, &tree.points, weights, &mut sums)?,
        }
        for (log_words, nodes) in (tree.log_leaf + 1..=tree.log_len).zip(&tree.levels) {
            let mut above = Level::scratch(self.device(), words, log_words == tree.log_len)?;
            let first = self.products_of_pairs(&nodes.left, &sums.right, log_words)?;
            let second = self.products_of_pairs(&nodes.right, &sums.left, log_words)?;
            self.join(&[&first, &second], &sums, &mut above, log_words)?;
            sums = above;
        }
        Ok(sums.left)
    }

    /// The inverses of the derivative of the product at the points.
    fn weights(&self, tree: &SubproductTree<F>) -> Result<Arc<Buffer<F::Element>>, PolyError> {
        if let Some(weights) = tree.weights.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            return Ok(Arc::clone(weights));
        }
        let derivative = self.derivative(&self.tree_product(tree)?)?;
        let slopes = self.evaluate_at(&derivative, tree)?;
        let mut inverses = self.device().scratch(tree.len())?;
        let zero = match self.device().executor() {
            Executor::Host(pool) => host::invert(self.field(), pool, &slopes, &mut inverses)?,
            Executor::OpenCl(cl) => device::invert(self, cl, &slopes, &mut inverses)?,
        };
        if let Some(index) = zero {
            return Err(repeated(tree, index)?);
        }
        let weights = Arc::new(inverses);
        let mut kept = tree.weights.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(kept.get_or_insert(weights)))
    }
}

/// The error of a point whose weight would be infinite: another one is equal to it.
fn repeated<F: PolyField>(tree: &SubproductTree<F>, index: usize) -> Result<PolyError, PolyError> {
    let points = tree.points.download()?;
    let equal = |&(other, point): &(usize, &F::Element)| other != index && *point == points[index];
    let other = points.iter().enumerate().find(equal).map_or(index, |(other, _)| other);
    Ok(PolyError::RepeatedPoint { first: index.min(other), second: index.max(other) })
}
