//! Many polynomials at the same points; values at points that are given once, by a tree or point by point.

use std::fmt;

use super::build::SubproductTree;
use crate::arithmetic::multiply::{Batch, Operation, Shape};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// How values at many points are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AtPoints {
    /// Each point by itself: a product that is added for every point and coefficient.
    One,
    /// By a subproduct tree.
    Tree,
}

impl AtPoints {
    /// Its name: `each-point` or `subproduct-tree`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::One => "each-point",
            Self::Tree => "subproduct-tree",
        }
    }
}

impl fmt::Display for AtPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "point by point",
            Self::Tree => "by a subproduct tree",
        })
    }
}

impl<F: PolyField> PolyRing<F> {
    /// The values of `f` at these points: point by point where they are few, else by a tree that is used once
    /// ([`PolyRing::explain_evaluate_many`]).
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let f = ring.poly(&[3, 0, 5, 1])?; // 3 + 5 x^2 + x^3
    /// assert_eq!(ring.evaluate_many(&f, &[0, 1, 2])?, [3, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfRange`] with the index of the first point that is no residue; [`PolyError::MixedRings`]; as
    /// [`PolyRing::mul`].
    #[inline(never)]
    pub fn evaluate_many(&self, f: &Poly<F>, points: &[F::Element]) -> Result<Vec<F::Element>, PolyError> {
        let way = self.explain_evaluate_many(f.len, points.len())?.first().map_or(AtPoints::One, |&(way, _)| way);
        self.evaluate_many_by(f, points, way)
    }

    /// [`PolyRing::evaluate_many`] in this way.
    ///
    /// # Errors
    /// As [`PolyRing::evaluate_many`].
    #[inline(never)]
    pub fn evaluate_many_by(
        &self,
        f: &Poly<F>,
        points: &[F::Element],
        way: AtPoints,
    ) -> Result<Vec<F::Element>, PolyError> {
        self.own(f)?;
        self.field().check(points)?;
        match way {
            AtPoints::One => points.iter().map(|&u| self.evaluate(f, u)).collect(),
            AtPoints::Tree => Ok(self.evaluate_at(f, &self.tree(points)?)?.download()?),
        }
    }

    /// The ways of computing the values of a polynomial of `terms` coefficients at `points` points, each with its estimated
    /// seconds, the quickest first: those of the products that a tree takes, or of as many values.
    ///
    /// # Errors
    /// As [`PolyRing::explain`] and [`PolyRing::explain_evaluate`].
    #[inline(never)]
    pub fn explain_evaluate_many(&self, terms: usize, points: usize) -> Result<[(AtPoints, f64); 2], PolyError> {
        let one = if terms == 0 || points == 0 {
            0.0
        } else {
            points as f64 * self.explain_evaluate(terms)?.best().estimate.seconds
        };
        let mut tree = 0.0;
        let log_leaf = self.log_leaf();
        let words = points.max(1).next_power_of_two();
        for log_words in log_leaf + 1..=words.ilog2() {
            let half = 1usize << (log_words - 1);
            let count = words >> log_words;
            let seconds = |n, low, len| -> Result<f64, PolyError> {
                let shape = Shape { count, n, m: half, low, len, square: false };
                Ok(self.explain(Operation::Products(shape))?.best().estimate.seconds)
            };
            tree += seconds(half, 0, 2 * half)? + 2.0 * seconds(2 * half, half, half)?;
        }
        // The lowest nodes take a value at as many terms for each point; the root an inverse, about two products.
        let lowest = (1usize << log_leaf).min(words);
        tree += words as f64 * self.explain_evaluate(lowest)?.best().estimate.seconds / lowest as f64;
        let root = Shape { count: 1, n: words, m: terms.max(1), low: words - 1, len: words, square: false };
        tree += 3.0 * self.explain(Operation::Products(root))?.best().estimate.seconds;
        Ok(if one <= tree {
            [(AtPoints::One, one), (AtPoints::Tree, tree)]
        } else {
            [(AtPoints::Tree, tree), (AtPoints::One, one)]
        })
    }

    /// The values of each polynomial of a batch at the points of a tree, a row of values for each.
    ///
    /// # Errors
    /// As [`PolyRing::evaluate_at`]; [`PolyError::TooLong`].
    #[inline(never)]
    pub fn evaluate_batch_at(&self, batch: &Batch<F>, tree: &SubproductTree<F>) -> Result<Batch<F>, PolyError> {
        self.own_batch(batch)?;
        let words = batch.count().checked_mul(tree.len()).ok_or(PolyError::TooLong { what: "a batch of values" })?;
        let mut rows = self.device().scratch(words)?;
        for index in 0..batch.count() {
            let values = self.evaluate_at(&self.of_batch(batch, index)?, tree)?;
            rows.view_mut(index * tree.len()..(index + 1) * tree.len())?.copy_from(&values)?;
        }
        Ok(self.batch_in(rows, batch.count(), tree.len()))
    }

    /// The polynomials of degree below the number of points of the tree with the values of each row of a batch: as many
    /// coefficients as points each, of which leading ones may be zero. The weights of the points are computed once.
    ///
    /// # Errors
    /// As [`PolyRing::interpolate`].
    #[inline(never)]
    pub fn interpolate_batch(&self, tree: &SubproductTree<F>, values: &Batch<F>) -> Result<Batch<F>, PolyError> {
        self.own_batch(values)?;
        let len = tree.len();
        if values.len() != len {
            return Err(PolyError::Values { points: len, values: values.len() });
        }
        let mut rows = self.device().scratch(values.buffer().len())?;
        for index in 0..values.count() {
            let mut own = self.device().scratch(len)?;
            own.view_mut(..)?.copy_from(values.buffer().view(index * len..(index + 1) * len)?)?;
            let f = self.interpolate(tree, &own)?;
            rows.view_mut(index * len + f.len..(index + 1) * len)?.fill(self.field().zero())?;
            rows.view_mut(index * len..index * len + f.len)?.copy_from(f.view()?)?;
        }
        Ok(self.batch_in(rows, values.count(), len))
    }
}
