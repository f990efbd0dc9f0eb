//! Fourier transforms, convolutions and correlations on finite Abelian groups.

use manycore::characters::{Complexes, Residues};
use manycore::field::primes::factorise;
use manycore::fourier::transform::reference;
use manycore::fourier::{Direction, Numbers, Plan};
use manycore::{AbelianGroup, Fourier, PrimeField};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use crate::compare::Found;
use crate::failure::Failure;
use crate::groups::{draw, prime_with_roots};
use crate::random::Random;
use crate::site::Site;
use crate::values::Transformed;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    ComplexF32,
    ComplexF64,
    Short(u64),
    Long(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    Forward,
    Inverse,
    RoundTrip,
    Character,
    Convolution,
    Correlation,
}

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 4;

/// Terms of a function's transform by the definition of its largest prime, at most.
const MOST_TERMS: u64 = 1 << 26;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    #[serde(serialize_with = "super::case::shown")]
    group: AbelianGroup,
    numbers: Kind,
    count: usize,
    which: Which,
    candidate: Option<u64>,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let most = site.most_values(random, 64).min(1 << 20) as u64;
        let group = draw(random, most);
        let exponent = group.exponent();
        let largest = factorise(exponent).into_iter().map(|(prime, _)| prime).max().unwrap_or(1);
        let numbers = match random.below(4) {
            0 => Kind::ComplexF32,
            1 => Kind::ComplexF64,
            // Residues of most fields have no roots for a chirp: a large prime is done by the definition, for hours.
            _ if group.order().saturating_mul(largest) > MOST_TERMS => Kind::ComplexF64,
            2 => prime_with_roots(random, exponent, 1 << 31).map_or(Kind::ComplexF32, Kind::Short),
            _ => prime_with_roots(random, exponent, 1 << 62).map_or(Kind::ComplexF64, Kind::Long),
        };
        let count = if random.once_in(3) { random.within(1, (most / group.order()).clamp(1, 7)) } else { 1 };
        let which = random.pick(&[
            Which::Forward,
            Which::Forward,
            Which::Inverse,
            Which::RoundTrip,
            Which::Character,
            Which::Convolution,
            Which::Correlation,
        ]);
        let small = group.order() <= 512;
        let which = match which {
            Which::Inverse if !small => Which::RoundTrip,
            Which::Correlation if !small => Which::Convolution,
            other => other,
        };
        Self { group, numbers, count: count as usize, which, candidate: draw_candidate(random) }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        match self.numbers {
            Kind::ComplexF32 => self.of(&Complexes::<f32>::new(), random, site),
            Kind::ComplexF64 => self.of(&Complexes::<f64>::new(), random, site),
            Kind::Short(p) => {
                let field = PrimeField::<u32>::new(p as u32).map_err(Failure::other)?;
                self.of(&Residues::new(field), random, site)
            }
            Kind::Long(p) => {
                let field = PrimeField::<u64>::new(p).map_err(Failure::other)?;
                self.of(&Residues::new(field), random, site)
            }
        }
    }
}

impl Case {
    fn of<N: Transformed>(&self, numbers: &N, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let (group, order) = (&self.group, self.group.order() as usize);
        let fourier =
            site.context("fourier", || Ok::<_, Failure>(Fourier::with_machine(&site.device, site.machine())))?;
        let x: Vec<N::Value> = (0..order * self.count).map(|_| numbers.some(random)).collect();
        match self.which {
            Which::Convolution | Which::Correlation => return self.product(numbers, &fourier, &x, random, site),
            Which::Character => return self.character(numbers, &fourier, random, site),
            _ => {}
        }
        let norms: Vec<f64> = x.chunks_exact(order).map(|f| norm(numbers, f)).collect();
        let roundings = self.roundings::<N>();
        let comes_back = |&a: &N::Value, &b: &N::Value, i: usize| {
            numbers.near(a, b, 2.0 * roundings * norms[i / order]) //
        };
        let plan = self.plan(numbers, &fourier, site)?;
        let mut buffer = fourier.upload(numbers, &x)?;
        let direction = if self.which == Which::Inverse { Direction::Inverse } else { Direction::Forward };
        fourier.transform(group, numbers, direction, &mut buffer, plan.as_ref())?;
        if self.which == Which::RoundTrip {
            fourier.transform(group, numbers, Direction::Inverse, &mut buffer, plan.as_ref())?;
            let found = site.result(fourier.download(numbers, &buffer)?);
            return Ok(Found::near("inverse", &found, &x, comes_back));
        }
        let found = site.result(fourier.download(numbers, &buffer)?);
        // An element is a sum over the group; the inverse divides it by the order.
        let scale = if direction == Direction::Inverse { 1.0 / order as f64 } else { 1.0 };
        let bound = |i: usize| scale * roundings * (order as f64).sqrt() * norms[i / order];
        let wide = numbers.wide();
        let functions: Vec<_> = x.iter().map(|&value| numbers.widened(value)).collect();
        if order * order * self.count <= 1 << 18 || direction == Direction::Inverse {
            let mut expected = Vec::with_capacity(x.len());
            for f in functions.chunks_exact(order) {
                let values = reference::transform(group, &wide, direction, f)?;
                expected.extend(values.into_iter().map(|value| numbers.narrowed(value)));
            }
            return Ok(Found::near("definition", &found, &expected, |&a, &b, i| numbers.near(a, b, bound(i))));
        }
        // Some coefficients of each function by their definition, and all by the inverse.
        let mut result = Found::holds("some coefficients and the inverse", true, String::new);
        for (i, f) in functions.chunks_exact(order).enumerate() {
            let places: Vec<u64> = (0..8).map(|_| random.below(order as u64)).collect();
            let expected = reference::coefficients(group, &wide, f, &places)?;
            let expected: Vec<N::Value> = expected.into_iter().map(|value| numbers.narrowed(value)).collect();
            let taken: Vec<N::Value> = places.iter().map(|&place| found[i * order + place as usize]).collect();
            let near = |&a: &N::Value, &b: &N::Value, _: usize| numbers.near(a, b, bound(i * order));
            result = result.and(Found::near("some coefficients", &taken, &expected, near));
        }
        let mut buffer = fourier.upload(numbers, &found)?;
        fourier.inverse(group, numbers, &mut buffer)?;
        let back = fourier.download(numbers, &buffer)?;
        Ok(result.and(Found::near("inverse", &back, &x, comes_back)))
    }

    /// The bound of the relative error in the norm: 16 roundings for each level of the order, and for four more.
    fn roundings<N: Transformed>(&self) -> f64 {
        16.0 * ((self.group.order() as f64).log2() + 4.0) * N::ROUNDOFF
    }

    fn plan<N: Transformed>(&self, numbers: &N, fourier: &Fourier, site: &Site) -> Result<Option<Plan>, Failure> {
        if self.candidate.is_none() || self.group.order() == 1 {
            return Ok(None);
        }
        let choice = fourier.explain_transform(&self.group, numbers, self.count)?;
        Ok(candidate(&choice, self.candidate, site).cloned())
    }

    /// The transform of a character, by its exact exponents, is the order at one place.
    fn character<N: Transformed>(
        &self,
        numbers: &N,
        fourier: &Fourier,
        random: &mut Random,
        site: &Site,
    ) -> Result<Found, Failure> {
        let (group, order) = (&self.group, self.group.order());
        let base = numbers.base(group.exponent())?;
        let characters: Vec<u64> = (0..self.count).map(|_| random.below(order)).collect();
        let mut x = Vec::with_capacity(self.count * order as usize);
        let mut expected = Vec::with_capacity(x.len());
        for &character in &characters {
            for element in 0..order {
                let exponent = group.character_exponent(character, element).map_err(Failure::other)?;
                x.push(numbers.root(base, exponent));
                let here = element == character;
                expected.push(if here { numbers.natural(order) } else { Numbers::zero(numbers) });
            }
        }
        let plan = self.plan(numbers, fourier, site)?;
        let mut buffer = fourier.upload(numbers, &x)?;
        fourier.transform(group, numbers, Direction::Forward, &mut buffer, plan.as_ref())?;
        let found = site.result(fourier.download(numbers, &buffer)?);
        let bound = self.roundings::<N>() * order as f64;
        Ok(Found::near("closed form", &found, &expected, |&a, &b, _| numbers.near(a, b, bound)))
    }

    fn product<N: Transformed>(
        &self,
        numbers: &N,
        fourier: &Fourier,
        f: &[N::Value],
        random: &mut Random,
        site: &Site,
    ) -> Result<Found, Failure> {
        let (group, order) = (&self.group, self.group.order() as usize);
        let one = random.once_in(2);
        let g: Vec<N::Value> = (0..if one { order } else { f.len() }).map(|_| numbers.some(random)).collect();
        let (left, right) = (fourier.upload(numbers, f)?, fourier.upload(numbers, &g)?);
        let convolution = self.which == Which::Convolution;
        let product = if convolution {
            fourier.convolve(group, numbers, &left, &right)?
        } else {
            fourier.correlate(group, numbers, &left, &right)?
        };
        let found = site.result(fourier.download(numbers, &product)?);
        let wide = numbers.wide();
        let widened = |x: &[N::Value]| x.iter().map(|&value| numbers.widened(value)).collect::<Vec<_>>();
        // Convolutions alone can be checked at single values.
        let defined = order * order * self.count <= 1 << 18 || !convolution;
        let name = if defined { "definition" } else { "some values" };
        let mut result = Found::holds(name, true, String::new);
        for (i, f) in f.chunks_exact(order).enumerate() {
            let g = if one { &g[..] } else { &g[i * order..(i + 1) * order] };
            let found = &found[i * order..(i + 1) * order];
            let norms = norm(numbers, f) * norm(numbers, g);
            let bound = 2.0 * self.roundings::<N>() * norms * (1.0 + (order as f64).sqrt() / 2.0);
            let near = |&a: &N::Value, &b: &N::Value, _: usize| numbers.near(a, b, bound);
            let (f, g) = (widened(f), widened(g));
            let places: Vec<u64> = if defined {
                (0..order as u64).collect()
            } else {
                (0..8).map(|_| random.below(order as u64)).collect()
            };
            let expected = match (defined, convolution) {
                (true, true) => reference::convolution(group, &wide, &f, &g)?,
                (true, false) => reference::correlation(group, &wide, &f, &g)?,
                (false, _) => {
                    let value = |&z: &u64| reference::convolved(group, &wide, &f, &g, z);
                    places.iter().map(value).collect::<Result<Vec<_>, _>>()?
                }
            };
            let expected: Vec<N::Value> = expected.into_iter().map(|value| numbers.narrowed(value)).collect();
            let taken: Vec<N::Value> = places.iter().map(|&place| found[place as usize]).collect();
            result = result.and(Found::near(name, &taken, &expected, near));
        }
        Ok(result)
    }
}

/// The square root of the sum of the squares.
fn norm<N: Transformed>(numbers: &N, x: &[N::Value]) -> f64 {
    x.iter().map(|&value| numbers.square(value)).sum::<f64>().sqrt()
}
