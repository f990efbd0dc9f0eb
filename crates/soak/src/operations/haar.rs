//! The Haar transform in both orders and every normalisation, forward and back.

use manycore::spectral::Direction;
use manycore::spectral::haar::reference;
use manycore::{Haar, HaarOrder, Normalization, Spectral};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use super::spectral::{Runs, context, direction};
use crate::compare::Found;
use crate::failure::Failure;
use crate::numbers::{Element, Number, Range, compare, draw};
use crate::random::Random;
use crate::site::Site;
use crate::with_element;

/// The definition takes longer for more values.
const MOST_DEFINED: usize = 1 << 19;

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 2;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    element: Element,
    runs: Runs,
    #[serde(serialize_with = "super::case::shown")]
    order: HaarOrder,
    #[serde(serialize_with = "super::case::shown")]
    normalization: Normalization,
    #[serde(serialize_with = "super::case::debugged")]
    direction: Direction,
    candidate: Option<u64>,
    range: Range,
    by_host: bool,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let element = random.pick(&Element::ALL);
        let most = site.most_values(random, element.bytes());
        let runs = Runs::draw(random, most);
        let normalization = random.pick(&Normalization::ALL);
        Self {
            element,
            runs,
            order: random.pick(&HaarOrder::ALL),
            normalization: if element.is_real() { normalization } else { Normalization::None },
            direction: direction(random),
            candidate: draw_candidate(random),
            range: random.pick(&[Range::Whole, Range::Small, Range::Bits]),
            by_host: random.once_in(4) && !site.is_host(),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_element!(self.element, T => self.of::<T>(random, site))
    }
}

impl Case {
    fn how(&self) -> Haar {
        Haar::new().wrapping().order(self.order).normalization(self.normalization).batch(self.runs.len())
    }

    fn of<T: Number>(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let (len, spectral) = (self.runs.len(), context(site)?);
        // Sums of integers that wrap do not come back.
        let range = if T::TYPE.is_floating() { self.range } else { Range::Small };
        let back = self.direction == Direction::Inverse || self.runs.values() > MOST_DEFINED;
        let range = if back { range } else { self.range };
        let x: Vec<T> = draw(random, self.runs.values(), range);
        let mut how = self.how();
        if self.candidate.is_some() && self.runs.log_len > 0 && !x.is_empty() {
            let choice = spectral.explain_haar::<T>(x.len(), &how)?;
            // A plan brings its order with it: only those of this order.
            let fitting = choice.map(|plan| plan);
            if fitting.best().parameters.order == self.order
                && let Some(plan) = candidate(&fitting, self.candidate, site)
                && plan.order == self.order
            {
                how = how.by(plan);
            }
        }
        let depth = f64::from(self.runs.log_len) + 2.0;
        if back {
            // The spectrum by the definition, or for long arrays by the device.
            let mut buffer = if self.runs.values() > MOST_DEFINED {
                let mut buffer = site.device.upload(&x)?;
                spectral.haar(&mut buffer, &how)?;
                buffer
            } else {
                site.device.upload(&self.defined(&x))?
            };
            spectral.haar(&mut buffer, &how.inverse())?;
            // Each level rounds means of values, and there are as many levels of sums before.
            let bounds: Vec<f64> =
                x.chunks_exact(len).map(|x| 4.0 * depth * depth * T::ROUNDOFF * largest(x)).collect();
            return Ok(compare("inverse", &site.taken(&buffer)?, &x, len, &bounds));
        }
        let mut buffer = site.device.upload(&x)?;
        spectral.haar(&mut buffer, &how)?;
        let (name, expected) = if self.by_host {
            let host = Spectral::with_machine(&site.host, site.host.typical_machine());
            ("host", host.haar_of(&x, &self.how())?)
        } else {
            ("definition", self.defined(&x))
        };
        // Sums are the same tree everywhere; a factor rounds twice.
        let bounds: Vec<f64> = expected.iter().map(|y| 4.0 * T::ROUNDOFF * y.double().abs()).collect();
        Ok(compare(name, &site.taken(&buffer)?, &expected, 1, &bounds))
    }

    fn defined<T: Number>(&self, x: &[T]) -> Vec<T> {
        let of = |x| reference::haar(x, self.order, self.normalization).unwrap_or_default();
        x.chunks_exact(self.runs.len()).flat_map(of).collect()
    }
}

fn largest<T: Number>(x: &[T]) -> f64 {
    x.iter().fold(0.0, |most, x| most.max(x.double().abs()))
}
