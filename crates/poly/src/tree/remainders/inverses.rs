//! Subinverse trees (paper 002, algorithms 28 to 30, corrected): the inverse of each reversed node as a power series, to as
//! many terms as the node has points, each from those of its children.

use manycore_device::Buffer;

use super::Rows;
use crate::arithmetic::multiply::{Factors, Shape};
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;
use crate::tree::build::SubproductTree;
use crate::tree::level::Level;

/// The inverses of the reversed nodes of a subproduct tree below its root; for [`PolyRing::evaluate_by_remainders`].
#[derive(Debug)]
pub struct SubinverseTree<F: PolyField> {
    /// From the lowest nodes to the children of the root.
    pub(super) levels: Vec<Level<F>>,
}

impl<F: PolyField> PolyRing<F> {
    /// The subinverse tree of a subproduct tree. About five products of the nodes' size for each node, `O(M(n) log n)`; `n`
    /// words for each level.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`]; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn subinverse_tree(&self, tree: &SubproductTree<F>) -> Result<SubinverseTree<F>, PolyError> {
        self.own(tree.root.poly())?;
        let mut levels: Vec<Level<F>> = Vec::new();
        for (log_words, nodes) in (tree.log_leaf..tree.log_len).zip(&tree.levels) {
            let level = match levels.last() {
                None => {
                    let inverse = |nodes: &Buffer<F::Element>| self.inverses_of_nodes(nodes, log_words);
                    Level { left: inverse(&nodes.left)?, right: inverse(&nodes.right)? }
                }
                Some(below) => {
                    let children = &tree.levels[levels.len() - 1];
                    let left = self.to_twice_the_words(&children.left, &below.left, log_words - 1)?;
                    let right = self.to_twice_the_words(&children.right, &below.right, log_words - 1)?;
                    let words = 1usize << log_words;
                    let shape =
                        Shape { count: left.len() / words, n: words, m: words, low: 0, len: words, square: false };
                    let mut products = self.device().scratch(left.len())?;
                    self.multiply(&shape, &Factors { a: &left, b: &right }, &mut products, None)?;
                    let every_other = |side| {
                        let operands = [&products; 3];
                        self.new_rows(Rows::EveryOther { side }, operands, log_words, products.len() / 2)
                    };
                    Level { left: every_other(0)?, right: every_other(1)? }
                }
            };
            levels.push(level);
        }
        Ok(SubinverseTree { levels })
    }

    /// The inverses of reversed monic nodes of `2^log_words` words to as many terms, by Newton's iteration.
    fn inverses_of_nodes(&self, nodes: &Buffer<F::Element>, log_words: u32) -> Result<Buffer<F::Element>, PolyError> {
        let words = 1usize << log_words;
        let count = nodes.len() / words;
        let reversed = self.new_rows(Rows::ReversedMonic, [nodes; 3], log_words, nodes.len())?;
        let negated = self.negated(&reversed, reversed.len())?;
        let mut inverses = self.device().scratch(count)?;
        inverses.fill(self.field().one())?;
        for log_have in 0..log_words {
            let have = 1usize << log_have;
            // The errors of the inverses, then their corrections, which are the next words.
            let shape = Shape { count, n: words, m: have, low: have, len: have, square: false };
            let mut errors = self.device().scratch(count * have)?;
            self.multiply(&shape, &Factors { a: &negated, b: &inverses }, &mut errors, None)?;
            let shape = Shape { count, n: have, m: have, low: 0, len: have, square: false };
            let mut next = self.device().scratch(count * have)?;
            self.multiply(&shape, &Factors { a: &errors, b: &inverses }, &mut next, None)?;
            let operands = [&inverses, &next, &next];
            inverses = self.new_rows(Rows::Joined, operands, log_have + 1, 2 * count * have)?;
        }
        Ok(inverses)
    }

    /// Inverses of reversed nodes of `2^log_words` words, with as many terms, to twice as many (algorithm 28): the product of
    /// the reversed inverse with the node modulo `x^N - 1` gives the error, without the leading one that is not stored.
    fn to_twice_the_words(
        &self,
        nodes: &Buffer<F::Element>,
        inverses: &Buffer<F::Element>,
        log_words: u32,
    ) -> Result<Buffer<F::Element>, PolyError> {
        let reversed = self.new_rows(Rows::Reversed, [inverses; 3], log_words, inverses.len())?;
        let product = self.products_of_pairs(&reversed, nodes, log_words + 1)?;
        let errors = self.new_rows(Rows::NextWords, [&product, inverses, inverses], log_words, inverses.len())?;
        let words = 1usize << log_words;
        let shape = Shape { count: inverses.len() / words, n: words, m: words, low: 0, len: words, square: false };
        let mut next = self.device().scratch(inverses.len())?;
        self.multiply(&shape, &Factors { a: &errors, b: inverses }, &mut next, None)?;
        self.new_rows(Rows::Joined, [inverses, &next, &next], log_words + 1, 2 * inverses.len())
    }
}
