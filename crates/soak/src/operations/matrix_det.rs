//! Determinants, ranks and echelon forms of matrices over prime fields, of every rank.

use manycore::field::Ring;
use manycore::linalg::{EliminationShape, eliminate, multiply};
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

/// Rows and columns, at most: the definition takes the product of three.
const MOST: usize = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    Determinant,
    Rank,
    Echelon,
}

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    field: Field,
    which: Which,
    rows: usize,
    columns: usize,
    /// The inner length, where the matrix is a product: a bound of its rank.
    through: Option<usize>,
    residues: Residues,
    candidate: Option<u64>,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let field = Field::any(random);
        let which = random.pick(&[Which::Determinant, Which::Rank, Which::Echelon]);
        let rows = random.length(MOST);
        let columns = if which == Which::Determinant { rows } else { random.length(MOST) };
        let through = random.once_in(3).then(|| random.length(rows.min(columns)));
        Self {
            field,
            which,
            rows,
            columns,
            through,
            residues: Residues::draw(random),
            candidate: draw_candidate(random),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_field!(self.field, field => self.of(&field, random, site))
    }
}

impl Case {
    fn of<F: PolyField + MatrixField>(&self, field: &F, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let &Self { rows, columns, .. } = self;
        let space =
            site.context(self.field, || LinearAlgebra::with_machine(&site.device, site.machine(), field.clone()))?;
        let entries = match self.through {
            Some(inner) => {
                let left = residues(field, random, rows * inner, Residues::Uniform);
                let right = residues(field, random, inner * columns, self.residues);
                multiply::reference::multiply(field, &left, &right, (rows, inner, columns))
            }
            None => residues(field, random, rows * columns, self.residues),
        };
        let a = space.matrix(rows, columns, &entries)?;
        match self.which {
            Which::Determinant => {
                let choice = space.explain_elimination(&EliminationShape::determinant(rows))?;
                let determinant = match candidate(&choice, self.candidate, site) {
                    Some(&plan) => space.determinant_by(&a, plan)?,
                    None => space.determinant(&a)?,
                };
                let found = site.result(vec![determinant]);
                Ok(Found::equal("elimination on the host", &found, &[determinant_of(field, entries, rows)]))
            }
            Which::Rank => {
                let found = site.result(vec![space.rank(&a)? as u64]);
                let (_, pivots) = eliminate::reference::echelon(field, &entries, columns);
                Ok(Found::equal("definition", &found, &[pivots.len() as u64]))
            }
            Which::Echelon => {
                let choice = space.explain_elimination(&EliminationShape::echelon(rows, columns))?;
                let echelon = match candidate(&choice, self.candidate, site) {
                    Some(&plan) => space.echelon_by(&a, plan)?,
                    None => space.echelon(&a)?,
                };
                let (expected, pivots) = eliminate::reference::echelon(field, &entries, columns);
                let form = Found::equal("definition", &site.result(space.entries(echelon.matrix())?), &expected);
                Ok(form.and(Found::equal("definition", echelon.pivots(), &pivots)))
            }
        }
    }
}

/// The determinant: the product of the pivots, which are the last ones of their columns, with the sign of their exchanges.
fn determinant_of<F: PolyField>(field: &F, mut a: Vec<F::Element>, order: usize) -> F::Element {
    let mut determinant = field.one();
    for column in 0..order {
        let Some(pivot) = (column..order).rev().find(|&row| a[row * order + column] != field.zero()) else {
            return field.zero();
        };
        if pivot != column {
            (0..order).for_each(|j| a.swap(pivot * order + j, column * order + j));
            determinant = Ring::neg(field, determinant);
        }
        let head = a[column * order + column];
        determinant = field.mul(determinant, head);
        // It is not zero.
        let inverse = field.inverse(head).unwrap_or(head);
        for row in column + 1..order {
            let factor = field.mul(a[row * order + column], inverse);
            for j in column..order {
                let below = field.mul(factor, a[column * order + j]);
                a[row * order + j] = field.sub(a[row * order + j], below);
            }
        }
    }
    determinant
}
