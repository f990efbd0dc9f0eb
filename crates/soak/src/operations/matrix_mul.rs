//! Products of matrices over prime fields, by any plan.

use manycore::linalg::multiply::reference;
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

/// Rows and columns, at most: the definition takes the product of all three.
const MOST: usize = 160;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    field: Field,
    rows: usize,
    inner: usize,
    columns: usize,
    left: Residues,
    right: Residues,
    candidate: Option<u64>,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let field = Field::any(random);
        let rows = random.length(MOST);
        // Squares, and any shapes.
        let (inner, columns) =
            if random.once_in(2) { (rows, rows) } else { (random.length(MOST), random.length(MOST)) };
        let (left, right) = (Residues::draw(random), Residues::draw(random));
        Self { field, rows, inner, columns, left, right, candidate: draw_candidate(random) }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_field!(self.field, field => self.of(&field, random, site))
    }
}

impl Case {
    fn of<F: PolyField + MatrixField>(&self, field: &F, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let &Self { rows, inner, columns, .. } = self;
        let space =
            site.context(self.field, || LinearAlgebra::with_machine(&site.device, site.machine(), field.clone()))?;
        let left = residues(field, random, rows * inner, self.left);
        let right = residues(field, random, inner * columns, self.right);
        let (a, b) = (space.matrix(rows, inner, &left)?, space.matrix(inner, columns, &right)?);
        let choice = space.explain_product(rows, inner, columns)?;
        let product = match candidate(&choice, self.candidate, site) {
            Some(&plan) => space.mul_with(&a, &b, plan)?,
            None => space.mul(&a, &b)?,
        };
        let found = site.result(space.entries(&product)?);
        Ok(Found::equal("definition", &found, &reference::multiply(field, &left, &right, (rows, inner, columns))))
    }
}
