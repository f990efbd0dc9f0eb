//! Linear operations on polynomials and their values.

use manycore::field::ModularField;
use manycore::poly::{evaluate, linear};
use manycore::{PolyField, PolyRing};
use serde::Serialize;

use crate::compare::Found;
use crate::failure::Failure;
use crate::fields::{Field, Residues, residue, residues};
use crate::random::Random;
use crate::site::Site;
use crate::with_field;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    Add,
    Sub,
    Neg,
    Scale,
    ShiftUp,
    ShiftDown,
    Truncate,
    Reverse,
    Derivative,
    Evaluate,
    Equal,
    Random,
}

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    field: Field,
    which: Which,
    n: usize,
    m: usize,
    k: usize,
    residues: Residues,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let field = Field::any(random);
        let most = site.most_values(random, 2 * field.bytes());
        let which = random.pick(&[
            Which::Add,
            Which::Sub,
            Which::Neg,
            Which::Scale,
            Which::ShiftUp,
            Which::ShiftDown,
            Which::Truncate,
            Which::Reverse,
            Which::Derivative,
            Which::Evaluate,
            Which::Evaluate,
            Which::Equal,
            Which::Random,
        ]);
        let n = random.length(most);
        // Equal lengths, so that sums may lose their leading coefficients.
        let m = if random.once_in(2) { n } else { random.length(most) };
        Self { field, which, n, m, k: random.length(most.min(2 * n + 4)), residues: Residues::draw(random) }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_field!(self.field, field => self.of(&field, random, site))
    }
}

impl Case {
    fn of<F: PolyField>(&self, field: &F, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let ring = site.context(self.field, || PolyRing::with_machine(&site.device, site.machine(), field.clone()))?;
        let stripped = |mut f: Vec<F::Element>| {
            f.truncate(linear::reference::stripped_len(field, &f));
            f
        };
        let a = residues(field, random, self.n, self.residues);
        let mut b = residues(field, random, self.m, Residues::Uniform);
        if self.n == self.m && random.once_in(3) {
            // Sums and differences that cancel from a place on.
            let from = random.below(self.n as u64 + 1) as usize;
            let cancelled = |&x: &F::Element| if self.which == Which::Add { field.neg(x) } else { x };
            b.splice(from.., a[from..].iter().map(cancelled));
        }
        let (f, g) = (ring.poly(&a)?, ring.poly(&b)?);
        let (a, b) = (stripped(a), stripped(b));
        let c = residue(field, random);
        let k = self.k;
        let (h, expected) = match self.which {
            Which::Evaluate => {
                let found = site.result(vec![ring.evaluate(&f, c)?]);
                return Ok(Found::equal("Horner's rule", &found, &[evaluate::reference::evaluate(field, &a, c)]));
            }
            Which::Equal => {
                let found = site.result(vec![u8::from(ring.equal(&f, &g)?)]);
                return Ok(Found::equal("host", &found, &[u8::from(a == b)]));
            }
            Which::Random => {
                let seed = random.word();
                let all = (0..self.n as u64).map(|i| linear::reference::random(field, seed, i)).collect();
                (ring.random(self.n, seed)?, all)
            }
            Which::Add => (ring.add(&f, &g)?, linear::reference::add(field, &a, &b)),
            Which::Sub => {
                let negative: Vec<F::Element> = b.iter().map(|&x| field.neg(x)).collect();
                (ring.sub(&f, &g)?, linear::reference::add(field, &a, &negative))
            }
            Which::Neg => (ring.neg(&f)?, a.iter().map(|&x| field.neg(x)).collect()),
            Which::Scale => (ring.scale(&f, c)?, a.iter().map(|&x| field.mul(x, c)).collect()),
            Which::ShiftUp => {
                (ring.shift_up(&f, k)?, if a.is_empty() { a } else { [vec![field.zero(); k], a].concat() })
            }
            Which::ShiftDown => (ring.shift_down(&f, k)?, a.into_iter().skip(k).collect()),
            Which::Truncate => (ring.truncate(&f, k)?, a.into_iter().take(k).collect()),
            Which::Reverse => {
                let degree = a.len().saturating_sub(1) + k;
                let mut reversed = a;
                reversed.resize(degree + 1, field.zero());
                reversed.reverse();
                (ring.reverse(&f, degree)?, reversed)
            }
            Which::Derivative => (ring.derivative(&f)?, derivative(field, &a)),
        };
        let found = site.result(ring.coefficients(&h)?);
        Ok(Found::equal("host", &found, &stripped(expected)))
    }
}

/// Coefficient `i` times `i`, one place lower.
fn derivative<F: ModularField>(field: &F, a: &[F::Element]) -> Vec<F::Element> {
    a.iter().enumerate().skip(1).map(|(i, &x)| field.mul(x, field.natural(i as u64))).collect()
}
