//! Number-theoretic transforms: cyclic and negacyclic, in both orders, in every arithmetic, by any passes.

use manycore::device::Executor;
use manycore::field::ModularField;
use manycore::ntt::reference;
use manycore::ntt::{Kind, Ntt, NttField, SpectrumOrder};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use super::spectral::Runs;
use crate::compare::Found;
use crate::failure::Failure;
use crate::fields::{Field, Residues, inverse, residue, residues, reversed, transformed};
use crate::random::Random;
use crate::site::Site;
use crate::with_field;

/// Longer arrays are compared with closed forms and come back by the inverse.
const MOST_STEPPED: usize = 1 << 19;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Route {
    Steps,
    Definition,
    Host,
    Inverse,
    Delta,
}

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 4;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    field: Field,
    runs: Runs,
    #[serde(serialize_with = "super::case::debugged")]
    kind: Kind,
    #[serde(serialize_with = "super::case::debugged")]
    order: SpectrumOrder,
    inverse: bool,
    /// Which of the field's arithmetics; the model's choice without it.
    arithmetic: Option<u64>,
    candidate: Option<u64>,
    residues: Residues,
    route: Route,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let field = Field::with_roots(random);
        let kind = random.pick(&[Kind::Cyclic, Kind::Cyclic, Kind::Negacyclic]);
        let most = site.most_values(random, field.bytes());
        let most_log = field.two_adicity() - u32::from(kind == Kind::Negacyclic);
        let mut runs = Runs::draw(random, most);
        runs.log_len = runs.log_len.min(most_log);
        let route = match random.below(6) {
            _ if runs.values() > MOST_STEPPED => random.pick(&[Route::Inverse, Route::Delta]),
            0 if runs.log_len <= 8 && runs.values() <= 1 << 10 => Route::Definition,
            1 if !site.is_host() => Route::Host,
            2 => Route::Inverse,
            3 => Route::Delta,
            _ => Route::Steps,
        };
        Self {
            field,
            runs,
            kind,
            order: random.pick(&[SpectrumOrder::BitReversed, SpectrumOrder::Natural]),
            inverse: random.once_in(2) && !matches!(route, Route::Inverse | Route::Definition),
            arithmetic: random.once_in(2).then(|| random.below(8)),
            candidate: draw_candidate(random),
            residues: Residues::draw(random),
            route,
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_field!(self.field, field => self.of(&field, random, site))
    }
}

/// The arithmetic drawn, of those that the device has.
pub(super) fn arithmetic<F: NttField>(
    field: &F,
    drawn: Option<u64>,
    site: &Site,
) -> Option<manycore::field::Arithmetic> {
    let mut possible = field.arithmetics();
    if !site.has_f64() || site.is_host() {
        possible.retain(|&arithmetic| arithmetic != manycore::field::Arithmetic::Floating);
    }
    Some(possible[drawn? as usize % possible.len()])
}

impl Case {
    fn of<F: NttField>(&self, field: &F, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let arithmetic = arithmetic(field, self.arithmetic, site);
        let key = format!("{} {} {:?} {:?} {arithmetic:?}", self.field, self.runs.log_len, self.kind, self.order);
        let ntt = site.context(key, || self.ntt(field, &site.device, site, arithmetic))?;
        let x = match self.route {
            Route::Delta => self.delta(field, random),
            _ => residues(field, random, self.runs.values(), self.residues),
        };
        let plan = if self.candidate.is_some()
            && !x.is_empty()
            && self.runs.log_len > 0
            && matches!(site.device.executor(), Executor::OpenCl(_))
        {
            let choice = ntt.explain(x.len())?;
            candidate(&choice, self.candidate, site).cloned()
        } else {
            None
        };
        let mut buffer = site.device.upload(&x)?;
        match (&plan, self.inverse) {
            (Some(plan), false) => ntt.forward_by(&mut buffer, plan)?,
            (Some(plan), true) => ntt.inverse_by(&mut buffer, plan)?,
            (None, false) => ntt.forward(&mut buffer)?,
            (None, true) => ntt.inverse(&mut buffer)?,
        }
        if self.route == Route::Inverse {
            ntt.inverse(&mut buffer)?;
            return Ok(Found::equal("inverse", &site.taken(&buffer)?, &x));
        }
        let found = site.taken(&buffer)?;
        let runs = x.chunks_exact(self.runs.len());
        let root = ntt.root();
        let (name, expected): (_, Vec<F::Element>) = match self.route {
            Route::Definition => {
                let defined = |x: &[F::Element]| self.ordered(&reference::ntt(field, x, root, self.kind));
                ("definition", runs.flat_map(defined).collect())
            }
            Route::Host => {
                let host = self.ntt(field, &site.host, site, None)?;
                let mut buffer = site.host.upload(&x)?;
                if self.inverse {
                    host.inverse(&mut buffer)?;
                } else {
                    host.forward(&mut buffer)?;
                }
                ("host", buffer.download()?)
            }
            Route::Delta => ("closed form", runs.flat_map(|x| self.powers(field, x, root)).collect()),
            Route::Steps | Route::Inverse => ("steps", runs.flat_map(|x| self.stepped(field, x, root)).collect()),
        };
        Ok(Found::equal(name, &found, &expected))
    }

    fn ntt<F: NttField>(
        &self,
        field: &F,
        device: &manycore::Device,
        site: &Site,
        arithmetic: Option<manycore::field::Arithmetic>,
    ) -> Result<Ntt<F>, Failure> {
        let machine = if *device == site.device { site.machine() } else { device.typical_machine() };
        let ntt = Ntt::with_machine(device, machine, field, self.runs.len(), self.kind)?.with_order(self.order);
        Ok(match arithmetic {
            Some(arithmetic) => ntt.with_arithmetic(arithmetic)?,
            None => ntt,
        })
    }

    /// One residue that is not 0 in each run.
    fn delta<F: ModularField>(&self, field: &F, random: &mut Random) -> Vec<F::Element> {
        let mut x = vec![field.zero(); self.runs.values()];
        for run in x.chunks_exact_mut(self.runs.len()) {
            let value = residue(field, random);
            let place = random.below(run.len() as u64) as usize;
            run[place] = if value == field.zero() { field.one() } else { value };
        }
        x
    }

    /// The order of spectra; its own inverse.
    fn ordered<E: Copy>(&self, x: &[E]) -> Vec<E> {
        match self.order {
            SpectrumOrder::Natural => x.to_vec(),
            SpectrumOrder::BitReversed => (0..x.len()).map(|i| x[reversed(i, self.runs.log_len)]).collect(),
        }
    }

    /// The transform of one value: a geometric sequence.
    fn powers<F: ModularField>(&self, field: &F, x: &[F::Element], root: F::Element) -> Vec<F::Element> {
        let negacyclic = self.kind == Kind::Negacyclic;
        let Some(place) = x.iter().position(|&value| value != field.zero()) else { return x.to_vec() };
        let natural = |place: usize| match self.order {
            SpectrumOrder::Natural => place,
            SpectrumOrder::BitReversed => reversed(place, self.runs.log_len),
        };
        let j = if self.inverse { natural(place) } else { place } as u64;
        // Forward, value k is x v^(j (2 k + 1)) or x w^(j k); back, value k is x / n v^-((2 j + 1) k) or x / n w^-(j k).
        let (first, step) = match (self.inverse, negacyclic) {
            (false, false) => (field.one(), field.power(root, j)),
            (false, true) => (field.power(root, j), field.power(root, 2 * j)),
            (true, false) => (self.scale(field), field.power(inverse(field, root), j)),
            (true, true) => (self.scale(field), field.power(inverse(field, root), 2 * j + 1)),
        };
        let mut power = field.mul(x[place], first);
        let mut y = vec![field.zero(); x.len()];
        for value in &mut y {
            *value = power;
            power = field.mul(power, step);
        }
        if self.inverse { y } else { self.ordered(&y) }
    }

    /// The inverse of the length.
    fn scale<F: ModularField>(&self, field: &F) -> F::Element {
        inverse(field, field.natural(self.runs.len() as u64))
    }

    fn stepped<F: ModularField>(&self, field: &F, x: &[F::Element], root: F::Element) -> Vec<F::Element> {
        let negacyclic = self.kind == Kind::Negacyclic;
        let cyclic = if negacyclic { field.mul(root, root) } else { root };
        let twisted = |x: &[F::Element], by: F::Element, first: F::Element| {
            let mut power = first;
            let twist = |&value: &F::Element| {
                let value = field.mul(value, power);
                power = field.mul(power, by);
                value
            };
            x.iter().map(twist).collect::<Vec<_>>()
        };
        if !self.inverse {
            let x = if negacyclic { twisted(x, root, field.one()) } else { x.to_vec() };
            return self.ordered(&transformed(field, &x, cyclic));
        }
        let y = transformed(field, &self.ordered(x), inverse(field, cyclic));
        let by = if negacyclic { inverse(field, root) } else { field.one() };
        twisted(&y, by, self.scale(field))
    }
}
