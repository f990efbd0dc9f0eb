//! Inverses of matrices over prime fields, singular ones among them.

use manycore::linalg::{LinalgError, eliminate, inverses, multiply};
use manycore::{LinearAlgebra, MatrixField, PolyField};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use crate::compare::Found;
use crate::failure::Failure;
use crate::fields::{Field, Residues, residues};
use crate::random::Random;
use crate::site::Site;
use crate::with_field;

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 3;

/// The order, at most: the definition takes its third power.
const MOST: usize = 160;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    field: Field,
    order: usize,
    /// The inner length, where the matrix is a product: a bound of its rank.
    through: Option<usize>,
    candidate: Option<u64>,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let (field, order) = (Field::any(random), random.length(MOST));
        let through = random.once_in(4).then(|| random.length(order));
        Self { field, order, through, candidate: draw_candidate(random) }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_field!(self.field, field => self.of(&field, random, site))
    }
}

impl Case {
    fn of<F: PolyField + MatrixField>(&self, field: &F, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let n = self.order;
        let space =
            site.context(self.field, || LinearAlgebra::with_machine(&site.device, site.machine(), field.clone()))?;
        let mut uniform = |len: usize| residues(field, random, len, Residues::Uniform);
        let entries = match self.through {
            Some(inner) => {
                multiply::reference::multiply(field, &uniform(n * inner), &uniform(inner * n), (n, inner, n))
            }
            None => uniform(n * n),
        };
        let a = space.matrix(n, n, &entries)?;
        let choice = space.explain_inverse(n)?;
        let inverse = match candidate(&choice, self.candidate, site) {
            Some(&plan) => space.inverse_by(&a, plan),
            None => space.inverse(&a),
        };
        let expected = inverses::reference::inverse(field, &entries, n);
        match (inverse, expected) {
            (Ok(inverse), Some(expected)) => {
                Ok(Found::equal("definition", &site.result(space.entries(&inverse)?), &expected))
            }
            (Err(LinalgError::Singular { rank, .. }), _) => {
                let found = site.result(vec![rank as u64]);
                let (_, pivots) = eliminate::reference::echelon(field, &entries, n);
                Ok(Found::equal("rank by definition", &found, &[pivots.len() as u64]))
            }
            (Ok(_), None) => Ok(Found::holds("definition", false, || "the matrix has no inverse".to_owned())),
            (Err(error), _) => Err(error.into()),
        }
    }
}
