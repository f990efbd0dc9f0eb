//! Remainders from the root of a subproduct tree down (paper 002, algorithms 26 and 31, corrected): each by a product with the
//! kept inverse and one modulo `x^N - 1`.

use manycore_device::{Buffer, Executor};

use super::inverses::SubinverseTree;
use super::rows::Rows;
use super::{device, host};
use crate::arithmetic::multiply::{Factors, Shape};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;
use crate::tree::build::SubproductTree;

impl<F: PolyField> PolyRing<F> {
    /// The values of `f` at the points of a tree by remainders at its nodes: those of [`PolyRing::evaluate_at`], in the way of
    /// paper 002, with about one and a half times its products once both trees are made.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`]; [`PolyError::Inverses`] for inverses of another tree; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn evaluate_by_remainders(
        &self,
        f: &Poly<F>,
        tree: &SubproductTree<F>,
        inverses: &SubinverseTree<F>,
    ) -> Result<Buffer<F::Element>, PolyError> {
        self.own(f)?;
        self.own(tree.root.poly())?;
        let levels = (tree.log_len - tree.log_leaf) as usize;
        if inverses.levels.len() != levels {
            return Err(PolyError::Inverses { given: inverses.levels.len(), levels });
        }
        let mut values = self.device().scratch(tree.len())?;
        let reduced;
        let f = if f.len > tree.padded() {
            reduced = self.div_rem_with(f, &tree.root)?.1;
            &reduced
        } else {
            f
        };
        let mut rows = self.device().scratch(tree.padded())?;
        rows.view_mut(f.len..)?.fill(self.field().zero())?;
        rows.view_mut(..f.len)?.copy_from(f.view()?)?;
        for (level, log_words) in (tree.log_leaf..tree.log_len).enumerate().rev() {
            let (nodes, inverses) = (&tree.levels[level], &inverses.levels[level]);
            let mut below = self.device().scratch(rows.len())?;
            let top = self.new_rows(Rows::ReversedHalf, [&rows; 3], log_words, rows.len() / 2)?;
            let sides = [(&nodes.left, &inverses.left), (&nodes.right, &inverses.right)];
            for (side, (nodes, inverses)) in (0..).zip(sides) {
                let words = 1usize << log_words;
                let shape = Shape { count: top.len() / words, n: words, m: words, low: 0, len: words, square: false };
                let mut quotients = self.device().scratch(top.len())?;
                self.multiply(&shape, &Factors { a: &top, b: inverses }, &mut quotients, None)?;
                let quotients = self.new_rows(Rows::Reversed, [&quotients; 3], log_words, quotients.len())?;
                let product = self.products_of_pairs(&quotients, nodes, log_words + 1)?;
                self.rows(Rows::Remainder { side }, [&rows, &product, &quotients], log_words, &mut below)?;
            }
            rows = below;
        }
        match self.device().executor() {
            Executor::Host(pool) => {
                host::horner(self.field(), pool, &rows, &tree.points, tree.log_leaf, &mut values)?;
            }
            Executor::OpenCl(cl) => device::horner(self, cl, &rows, &tree.points, tree.log_leaf, &mut values)?,
        }
        Ok(values)
    }
}
