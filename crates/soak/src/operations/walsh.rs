//! The Walsh-Hadamard transform against its definition, one butterfly step after the other, the host, closed forms and its
//! inverse.

use manycore::spectral::Direction;
use manycore::spectral::walsh::reference;
use manycore::{Algorithm, Order, Scalar, Spectral, Walsh};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use super::spectral::{Runs, context, direction, gathered, steps};
use crate::compare::Found;
use crate::failure::Failure;
use crate::numbers::{Element, Number, Range, absolute_sum, compare, draw};
use crate::random::Random;
use crate::site::Site;
use crate::with_element;

/// Values of longer arrays are compared with closed forms alone.
const MOST_STEPPED: usize = 1 << 21;

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 4;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    element: Element,
    runs: Runs,
    #[serde(serialize_with = "super::case::shown")]
    order: Order,
    #[serde(serialize_with = "super::case::debugged")]
    direction: Direction,
    #[serde(serialize_with = "super::case::debugged")]
    algorithm: Option<Algorithm>,
    steps: Option<u32>,
    candidate: Option<u64>,
    range: Range,
    route: Route,
}

/// The second route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Route {
    Steps,
    Definition,
    Host,
    Inverse,
    Delta,
    Row,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let element = random.pick(&Element::ALL);
        let most = site.most_values(random, element.bytes());
        let runs = Runs::draw(random, most);
        let route = match random.below(8) {
            _ if runs.values() > MOST_STEPPED => random.pick(&[Route::Delta, Route::Row, Route::Inverse]),
            0 | 1 if runs.log_len <= 9 => Route::Definition,
            2 if !site.is_host() => Route::Host,
            3 => Route::Inverse,
            4 => Route::Delta,
            5 => Route::Row,
            _ => Route::Steps,
        };
        Self {
            element,
            runs,
            order: random.pick(&Order::ALL),
            // A round trip that begins with a division is not exact in integers.
            direction: if route == Route::Inverse { Direction::Forward } else { direction(random) },
            algorithm: random.pick(&[None, None, Some(Algorithm::CooleyTukey), Some(Algorithm::ConstantGeometry)]),
            steps: random.once_in(4).then(|| random.within(1, 6) as u32),
            candidate: draw_candidate(random),
            range: random.pick(&[Range::Whole, Range::Whole, Range::Small, Range::Bits]),
            route,
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_element!(self.element, T => self.of::<T>(random, site))
    }
}

impl Case {
    fn of<T: Number>(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let (len, order) = (self.runs.len(), self.order);
        let spectral = context(site)?;
        let how = self.how::<T>(&spectral, site)?;
        let x = self.input::<T>(random);
        let mut buffer = site.device.upload(&x)?;
        spectral.walsh(&mut buffer, &how)?;
        if self.route == Route::Inverse {
            spectral.walsh(&mut buffer, &how.inverse())?;
            let found = site.taken(&buffer)?;
            // The errors of all coefficients, and those of the second transform.
            let bounds = self.bounds(&x, 4.0);
            return Ok(compare("inverse", &found, &x, len, &bounds));
        }
        let found = site.taken(&buffer)?;
        let scale = if self.direction == Direction::Inverse { 1.0 / len as f64 } else { 1.0 };
        let bounds = self.bounds(&x, 2.0 * scale);
        let (name, expected) = match self.route {
            Route::Definition => (
                "definition",
                self.scaled(x.chunks_exact(len), |x| reference::walsh_hadamard(x, order).unwrap_or_default()),
            ),
            Route::Host => {
                let host = Spectral::with_machine(&site.host, site.host.typical_machine());
                let how = Walsh::new().wrapping().order(order).direction(self.direction).batch(len);
                ("host", host.walsh_of(&x, &how)?)
            }
            Route::Delta | Route::Row => ("closed form", self.closed(&x)),
            Route::Steps | Route::Inverse => (
                "steps",
                self.scaled(x.chunks_exact(len), |x| {
                    let mut x = x.to_vec();
                    steps(&mut x, self.runs.log_len, |a: T, b: T| (a.plus(b), a.minus(b)));
                    gathered(&x, len, |row| order.natural_index(row, self.runs.log_len))
                }),
            ),
        };
        Ok(compare(name, &found, &expected, len, &bounds))
    }

    fn how<T: Scalar>(&self, spectral: &Spectral, site: &Site) -> Result<Walsh, Failure> {
        let mut how = Walsh::new().wrapping().order(self.order).direction(self.direction).batch(self.runs.len());
        if let Some(algorithm) = self.algorithm {
            how = how.algorithm(algorithm);
        }
        if self.candidate.is_some() && self.runs.log_len > 0 && self.runs.count > 0 {
            let choice = spectral.explain_walsh::<T>(self.runs.values(), &how)?;
            if let Some(plan) = candidate(&choice, self.candidate, site) {
                return Ok(how.by(plan));
            }
        }
        Ok(match self.steps {
            Some(steps) => how.steps_per_pass(steps),
            None => how,
        })
    }

    /// Arbitrary values; those of a spectrum where the input of an inverse must be one; or those that a closed form is known of.
    fn input<T: Number>(&self, random: &mut Random) -> Vec<T> {
        let (len, log_len) = (self.runs.len(), self.runs.log_len);
        let mut x: Vec<T> = vec![T::default(); self.runs.values()];
        for run in x.chunks_exact_mut(len) {
            match self.route {
                Route::Delta => run[random.below(len as u64) as usize] = T::small(random.pick(&[-3, -1, 1, 7])),
                Route::Row => {
                    let row = random.below(len as u64) as usize;
                    for (column, value) in run.iter_mut().enumerate() {
                        let negative = reference::is_negative(row, column, log_len, self.order);
                        *value = T::small(if negative { -1 } else { 1 });
                    }
                }
                _ => run.copy_from_slice(&draw::<T>(random, len, self.exact_range::<T>())),
            }
        }
        x
    }

    /// Integers that are divided by the length must not wrap before.
    fn exact_range<T: Number>(&self) -> Range {
        if T::TYPE.is_floating() || self.route != Route::Inverse {
            return self.range;
        }
        // 8 times 2^28 fits 32 bits with a sign.
        if self.range == Range::Bits || self.runs.log_len > 28 { Range::Bits } else { Range::Small }
    }

    fn scaled<'a, T: Number>(&self, runs: impl Iterator<Item = &'a [T]>, transform: impl Fn(&[T]) -> Vec<T>) -> Vec<T> {
        let inverse = self.direction == Direction::Inverse;
        let divided = |y: T| if inverse { y.divide_by_power(self.runs.log_len) } else { y };
        runs.flat_map(|x| transform(x).into_iter().map(divided).collect::<Vec<_>>()).collect()
    }

    /// The spectrum of a multiple of a unit vector is that multiple of a column; that of a row is the length at one place.
    fn closed<T: Number>(&self, x: &[T]) -> Vec<T> {
        let (len, log_len) = (self.runs.len(), self.runs.log_len);
        self.scaled(x.chunks_exact(len), |x| {
            let mut y = vec![T::default(); len];
            if self.route == Route::Delta {
                let place = x.iter().position(|&x| x != T::default()).unwrap_or(0);
                for (row, y) in y.iter_mut().enumerate() {
                    let negative = reference::is_negative(row, place, log_len, self.order);
                    *y = if negative { T::default().minus(x[place]) } else { x[place] };
                }
            } else {
                // A row's bits are its signs at the powers of two.
                let sign = |bit: u32| usize::from(x[1 << bit] != x[0]) << bit;
                let natural = (0..log_len).fold(0, |natural, bit| natural | sign(bit));
                let row = self.order.row(natural, log_len);
                // The length, which wraps as sums do.
                y[row] = (0..log_len).fold(T::small(1), |power, _| power.plus(power));
            }
            y
        })
    }

    /// Each coefficient is a tree of `log_len` additions, so that it is off by at most `log_len` roundings of the sum of the
    /// absolute values.
    fn bounds<T: Number>(&self, x: &[T], factor: f64) -> Vec<f64> {
        let roundings = factor * (f64::from(self.runs.log_len) + 2.0) * T::ROUNDOFF;
        x.chunks_exact(self.runs.len()).map(|x| roundings * absolute_sum(x)).collect()
    }
}
