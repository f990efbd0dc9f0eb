//! Divisions of polynomials with remainder, by any plan and by kept divisors.

use manycore::poly::divide::reference;
use manycore::poly::linear;
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
pub(crate) const WEIGHT: u64 = 4;

/// Coefficients, at most: the definition takes their square.
const MOST: usize = 1 << 11;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    field: Field,
    n: usize,
    m: usize,
    /// Whether the divisor is kept, with its inverse.
    kept: bool,
    residues: Residues,
    candidate: Option<u64>,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let field = Field::any(random);
        let n = random.length(MOST);
        let most = if random.once_in(4) { MOST } else { n };
        let m = random.length(most).max(1);
        let kept = random.once_in(3);
        Self { field, n, m, kept, residues: Residues::draw(random), candidate: draw_candidate(random) }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_field!(self.field, field => self.of(&field, random, site))
    }
}

impl Case {
    fn of<F: PolyField>(&self, field: &F, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let ring = site.context(self.field, || PolyRing::with_machine(&site.device, site.machine(), field.clone()))?;
        let a = residues(field, random, self.n, self.residues);
        let mut b = residues(field, random, self.m, Residues::Uniform);
        // A leading coefficient other than zero.
        if let Some(last) = b.last_mut().filter(|last| **last == field.zero()) {
            *last = field.one();
        }
        let (f, g) = (ring.poly(&a)?, ring.poly(&b)?);
        let (q, r) = if self.kept {
            ring.div_rem_with(&f, &ring.divisor(g)?)?
        } else {
            let choice = ring.explain_division(f.len(), self.m)?;
            match candidate(&choice, self.candidate, site) {
                Some(plan) => ring.div_rem_by(&f, &g, plan)?,
                None => ring.div_rem(&f, &g)?,
            }
        };
        let (q, r) = (site.result(ring.coefficients(&q)?), site.result(ring.coefficients(&r)?));
        let (quotient, remainder) =
            reference::divide(field, &a, &b).ok_or_else(|| Failure::other("the divisor is zero"))?;
        let stripped = |x: &[F::Element]| x[..linear::reference::stripped_len(field, x)].to_vec();
        let quotients = Found::equal("definition", &q, &stripped(&quotient));
        Ok(quotients.and(Found::equal("definition", &r, &stripped(&remainder))))
    }
}
