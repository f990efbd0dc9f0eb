//! Values of polynomials at many points by subproduct trees, and polynomials from their values.

use manycore::field::ResidueWord as _;
use manycore::poly::{linear, tree};
use manycore::{PolyField, PolyRing};
use serde::Serialize;

use crate::compare::Found;
use crate::failure::Failure;
use crate::fields::{Field, Residues, residues};
use crate::random::Random;
use crate::site::Site;
use crate::with_field;

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 3;

/// Points and coefficients, at most: the definition takes their product.
const MOST: usize = 1 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    Evaluate,
    Interpolate,
}

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    field: Field,
    which: Which,
    n: usize,
    points: usize,
    residues: Residues,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let field = Field::any(random);
        let which = random.pick(&[Which::Evaluate, Which::Interpolate]);
        let points = random.length(MOST);
        // Points of an interpolation differ.
        let points = if which == Which::Interpolate { points.min(field.order() as usize) } else { points };
        Self { field, which, n: random.length(MOST), points, residues: Residues::draw(random) }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_field!(self.field, field => self.of(&field, random, site))
    }
}

impl Case {
    fn of<F: PolyField>(&self, field: &F, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let ring = site.context(self.field, || PolyRing::with_machine(&site.device, site.machine(), field.clone()))?;
        match self.which {
            Which::Evaluate => {
                let points = residues(field, random, self.points, Residues::Uniform);
                let f = residues(field, random, self.n, self.residues);
                let values = ring.evaluate_at(&ring.poly(&f)?, &ring.tree(&points)?)?;
                let expected = tree::reference::values(field, &f, &points);
                Ok(Found::equal("Horner's rule", &site.taken(&values)?, &expected))
            }
            Which::Interpolate => {
                // Consecutive residues from any one on.
                let p = field.order();
                let first = random.below(p);
                let point = |i: u64| F::Element::from_u64(((u128::from(first) + u128::from(i)) % u128::from(p)) as u64);
                let points: Vec<F::Element> = (0..self.points as u64).map(point).collect();
                let f = residues(field, random, self.points, self.residues);
                let values = ring.device().upload(&tree::reference::values(field, &f, &points))?;
                let found = site.result(ring.coefficients(&ring.interpolate(&ring.tree(&points)?, &values)?)?);
                let expected = &f[..linear::reference::stripped_len(field, &f)];
                Ok(Found::equal("the polynomial that was evaluated", &found, expected))
            }
        }
    }
}
