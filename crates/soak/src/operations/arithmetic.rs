//! The arithmetic transform in both directions and any polarity.

use manycore::spectral::Direction;
use manycore::spectral::arithmetic::reference;
use manycore::{Algorithm, Arithmetic, BitOrder, Spectral};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use super::spectral::{Runs, context, direction, polarity, reordered, steps};
use crate::compare::Found;
use crate::failure::Failure;
use crate::numbers::{Element, Number, Range, absolute_sum, compare, draw};
use crate::random::Random;
use crate::site::Site;
use crate::with_element;

/// Longer arrays come back by the inverse instead.
const MOST_STEPPED: usize = 1 << 21;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Route {
    Steps,
    Definition,
    Host,
    Inverse,
}

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 2;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    element: Element,
    runs: Runs,
    #[serde(serialize_with = "super::case::shown")]
    order: BitOrder,
    #[serde(serialize_with = "super::case::debugged")]
    direction: Direction,
    #[serde(serialize_with = "super::case::debugged")]
    algorithm: Option<Algorithm>,
    polarity: u64,
    candidate: Option<u64>,
    range: Range,
    route: Route,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let element = random.pick(&Element::ALL);
        let most = site.most_values(random, element.bytes());
        let runs = Runs::draw(random, most);
        let route = match random.below(6) {
            _ if runs.values() > MOST_STEPPED => Route::Inverse,
            0 | 1 if runs.log_len <= 9 && runs.values() <= 1 << 12 => Route::Definition,
            2 if !site.is_host() => Route::Host,
            // A round trip of rounded numbers proves little: the transform's inverse has large entries.
            3 if !element.is_real() => Route::Inverse,
            _ => Route::Steps,
        };
        Self {
            // A round trip is exact in integers.
            element: if runs.values() > MOST_STEPPED && element.is_real() { Element::I32 } else { element },
            runs,
            order: random.pick(&BitOrder::ALL),
            direction: direction(random),
            algorithm: random.pick(&[None, None, Some(Algorithm::CooleyTukey), Some(Algorithm::ConstantGeometry)]),
            polarity: polarity(random, runs.log_len),
            candidate: draw_candidate(random),
            range: random.pick(&[Range::Whole, Range::Small, Range::Bits]),
            route,
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_element!(self.element, T => self.of::<T>(random, site))
    }
}

impl Case {
    fn how(&self) -> Arithmetic {
        let how = Arithmetic::new().wrapping().order(self.order).direction(self.direction).polarity(self.polarity);
        let how = how.batch(self.runs.len());
        self.algorithm.map_or(how.clone(), |algorithm| how.algorithm(algorithm))
    }

    fn of<T: Number>(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let (len, spectral) = (self.runs.len(), context(site)?);
        let x: Vec<T> = draw(random, self.runs.values(), self.range);
        let mut how = self.how();
        if self.candidate.is_some() && self.runs.log_len > 0 && !x.is_empty() {
            let choice = spectral.explain_arithmetic::<T>(x.len(), &how)?;
            how = candidate(&choice, self.candidate, site).map_or(how.clone(), |plan| how.by(plan));
        }
        let mut buffer = site.device.upload(&x)?;
        spectral.arithmetic(&mut buffer, &how)?;
        let forward = self.direction == Direction::Forward;
        // A coefficient is a tree of additions of a part of the values.
        let roundings = 2.0 * (f64::from(self.runs.log_len) + 2.0) * T::ROUNDOFF;
        let bounds: Vec<f64> = x.chunks_exact(len).map(|x| roundings * absolute_sum(x)).collect();
        let (name, expected) = match self.route {
            Route::Inverse => {
                let back = if forward { Direction::Inverse } else { Direction::Forward };
                spectral.arithmetic(&mut buffer, &how.direction(back))?;
                return Ok(Found::equal("inverse", &site.taken(&buffer)?, &x));
            }
            Route::Host => {
                let host = Spectral::with_machine(&site.host, site.host.typical_machine());
                ("host", host.arithmetic_of(&x, &self.how())?)
            }
            Route::Definition => {
                let defined = |x: &[T]| {
                    let polarity = self.polarity as usize;
                    let by = if forward { reference::arithmetic } else { reference::inverse_arithmetic };
                    by(x, self.order, polarity).unwrap_or_default()
                };
                ("definition", x.chunks_exact(len).flat_map(defined).collect())
            }
            Route::Steps => ("steps", x.chunks_exact(len).flat_map(|x| self.stepped(x)).collect()),
        };
        Ok(compare(name, &site.taken(&buffer)?, &expected, len, &bounds))
    }

    /// Forward: the values are shifted by the polarity, then transformed, then ordered; the inverse undoes it.
    fn stepped<T: Number>(&self, x: &[T]) -> Vec<T> {
        let (log_len, shift) = (self.runs.log_len, self.polarity as usize);
        let forward = self.direction == Direction::Forward;
        let shifted = |x: &[T]| (0..x.len()).map(|i| x[i ^ shift]).collect::<Vec<T>>();
        let mut y = if forward { shifted(x) } else { reordered(x, log_len, self.order) };
        steps(&mut y, log_len, |a: T, b: T| (a, if forward { b.minus(a) } else { b.plus(a) }));
        if forward { reordered(&y, log_len, self.order) } else { shifted(&y) }
    }
}
