//! Values at the points of a subproduct tree by a transposed descent (Bostan, Lecerf, Schost 2003; Bernstein 2004).
//!
//! With `w` the power series inverse of a node's reversed polynomial, the node holds `t[r] = sum over j of w[j] f[r + j]` for
//! `r` below its number of points. A child's are a middle product of the node's and its sibling; at a point `t[0]` is the value.

use manycore_device::{Buffer, Executor};

use super::build::SubproductTree;
use super::level::Level;
use super::{device, host};
use crate::arithmetic::multiply::{Factors, Shape};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// The values of `f` at the points of a tree, in their order. `O(M(n) log n)` for `n` points and as many coefficients.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`]; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn evaluate_at(&self, f: &Poly<F>, tree: &SubproductTree<F>) -> Result<Buffer<F::Element>, PolyError> {
        self.own(f)?;
        self.own(tree.root.poly())?;
        let mut values = self.device().scratch(tree.len())?;
        if f.is_zero() || tree.is_empty() {
            values.fill(self.field().zero())?;
            return Ok(values);
        }
        let reduced;
        let f = if f.len > tree.padded() {
            reduced = self.div_rem_with(f, &tree.root)?.1;
            &reduced
        } else {
            f
        };
        if f.is_zero() {
            values.fill(self.field().zero())?;
            return Ok(values);
        }
        let mut t = self.root_terms(f, tree)?;
        // From the children of the root down to the lowest nodes.
        let below_root = tree.levels.iter().take(tree.levels.len() - 1).rev();
        for (log_words, children) in (tree.log_leaf + 1..=tree.log_len).rev().zip(below_root) {
            t = self.descend(&t, children, log_words)?;
        }
        let Some(lowest) = tree.levels.first() else { return Ok(values) };
        match self.device().executor() {
            Executor::Host(pool) => host::values(self.field(), pool, &tree.points, lowest, &t, &mut values)?,
            Executor::OpenCl(cl) => device::values(self, cl, tree.log_leaf, &tree.points, lowest, &t, &mut values)?,
        }
        Ok(values)
    }

    /// The terms of the root.
    fn root_terms(&self, f: &Poly<F>, tree: &SubproductTree<F>) -> Result<Buffer<F::Element>, PolyError> {
        let n = tree.padded();
        let inverse = tree.root.inverse(self, n)?;
        let mut t = self.device().scratch(n)?;
        let shape = Shape { count: 1, n, m: f.len, low: n - 1, len: n, square: false };
        // The series stands in reversed order; a longer one may be kept.
        let reversed = (&inverse.buffer, inverse.precision - n);
        self.multiply_at(&shape, reversed, (&f.buffer, 0), (&mut t, 0), None)?;
        Ok(t)
    }

    /// The terms of the children of nodes of `2^log_words` words.
    fn descend(
        &self,
        t: &Buffer<F::Element>,
        children: &Level<F>,
        log_words: u32,
    ) -> Result<Buffer<F::Element>, PolyError> {
        let (words, half) = (1usize << log_words, 1usize << (log_words - 1));
        let shape = Shape { count: t.len() / words, n: words, m: half, low: half, len: half, square: false };
        let mut products = [self.device().scratch(t.len() / 2)?, self.device().scratch(t.len() / 2)?];
        for (sibling, product) in [&children.right, &children.left].into_iter().zip(&mut products) {
            self.multiply(&shape, &Factors { a: t, b: sibling }, product, None)?;
        }
        let mut below = self.device().scratch(t.len())?;
        match self.device().executor() {
            Executor::Host(pool) => host::descend(self.field(), pool, t, &products, &mut below, log_words)?,
            Executor::OpenCl(cl) => device::descend(self, cl, t, &products, &mut below, log_words)?,
        }
        Ok(below)
    }
}
