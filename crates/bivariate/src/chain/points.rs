//! Points to evaluate at: a coset of roots of unity where the prime has them, else a geometric progression.

use manycore_poly::SubproductTree;

use crate::error::BivariateError;
use crate::ring::{BivariateField, BivariateRing};

/// Seed of the coset's shift and the progression's start.
const SEED: u64 = 0x0062_6976_6172_6961;

/// Points of an interpolation.
#[derive(Debug)]
pub(super) enum Points<F: BivariateField> {
    /// `shift w^i` for `i < 2^log_len`, with `w` the field's root of unity of that order.
    Coset { log_len: u32, shift: F::Element },
    /// `start q^i` for the primitive root `q`, with their tree.
    Progression { start: F::Element, ratio: F::Element, tree: Box<SubproductTree<F>> },
    /// The field has too few.
    None,
}

impl<F: BivariateField> Points<F> {
    /// Points for polynomials of at most this degree.
    pub(super) fn new(ring: &BivariateRing<F>, degree: usize) -> Result<Self, BivariateError> {
        let (field, univariate) = (ring.field(), ring.univariate());
        let count = degree.checked_add(1).ok_or(BivariateError::Bound { bound: degree })?;
        let log_len = count.checked_next_power_of_two().ok_or(BivariateError::Bound { bound: degree })?.ilog2();
        let group = field.order() - 1;
        if log_len <= field.two_adicity() {
            return Ok(Self::Coset { log_len, shift: univariate.unit(SEED) });
        }
        if count as u64 > group {
            return Ok(Self::None);
        }
        let (start, ratio) = (univariate.unit(SEED), field.primitive_root());
        let points: Vec<F::Element> =
            std::iter::successors(Some(start), |&x| Some(field.mul(x, ratio))).take(count).collect();
        let tree = Box::new(univariate.ring().tree(&points)?);
        Ok(Self::Progression { start, ratio, tree })
    }

    /// The number of points.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Coset { log_len, .. } => 1 << log_len,
            Self::Progression { tree, .. } => tree.len(),
            Self::None => 0,
        }
    }
}
