//! Cached data of a ring for products.

use std::sync::Arc;

use manycore_ntt::NttField;
use manycore_tuning::{Planner, Plans};

use super::plan::Plan;
use super::transform::product::TransformProduct;
use super::transform::shape::Shape;

/// Choices by shape, and products by transforms.
#[derive(Debug)]
pub(crate) struct Multiplier<F: NttField> {
    /// Nothing is locked while a choice is made.
    pub(super) chosen: Plans<Shape, Plan>,
    pub(crate) transform: TransformProduct<F>,
}

impl<F: NttField> Multiplier<F> {
    /// Choices that are kept.
    const MOST_CHOICES: usize = 1 << 12;

    pub(crate) fn new(planner: &Arc<Planner>, field: &F) -> Self {
        let chosen = Plans::at_most(Self::MOST_CHOICES);
        Self { chosen, transform: TransformProduct::with_planner(planner, field) }
    }

    /// Drops the choices.
    pub(crate) fn forget(&mut self) {
        self.chosen = Plans::at_most(Self::MOST_CHOICES);
    }
}
