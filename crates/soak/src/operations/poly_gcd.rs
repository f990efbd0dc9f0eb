//! Greatest common divisors of polynomials, with factors in common, by any plan.

use manycore::poly::gcd::reference;
use manycore::poly::multiply;
use manycore::{PolyField, PolyRing};
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

/// Coefficients of a cofactor and of the common factor, at most: the definition takes their square.
const MOST: usize = 700;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    field: Field,
    n: usize,
    m: usize,
    common: usize,
    residues: Residues,
    candidate: Option<u64>,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let field = Field::any(random);
        let n = random.length(MOST);
        let m = if random.once_in(2) { n } else { random.length(MOST) };
        let common = if random.once_in(2) { 1 } else { random.length(MOST) };
        Self { field, n, m, common, residues: Residues::draw(random), candidate: draw_candidate(random) }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_field!(self.field, field => self.of(&field, random, site))
    }
}

impl Case {
    fn of<F: PolyField>(&self, field: &F, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let ring = site.context(self.field, || PolyRing::with_machine(&site.device, site.machine(), field.clone()))?;
        let common = residues(field, random, self.common, Residues::Uniform);
        let times = |cofactor: Vec<F::Element>| multiply::reference::multiply(field, &cofactor, &common);
        let a = times(residues(field, random, self.n, self.residues));
        let b = times(residues(field, random, self.m, Residues::Uniform));
        let (f, g) = (ring.poly(&a)?, ring.poly(&b)?);
        let choice = ring.explain_gcd(f.len(), g.len())?;
        let divisor = match candidate(&choice, self.candidate, site) {
            Some(plan) => ring.gcd_by(&f, &g, plan)?,
            None => ring.gcd(&f, &g)?,
        };
        let found = site.result(ring.coefficients(&divisor)?);
        Ok(Found::equal("Euclid's algorithm", &found, &reference::gcd(field, &a, &b)))
    }
}
