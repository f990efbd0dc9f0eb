//! Images of a system modulo primes one after the other.

use manycore_field::{PrimeField, primes};

use super::RationalRing;
use super::polynomial::RationalBivariate;
use crate::error::BivariateError;
use crate::polynomial::Bivariate;
use crate::ring::BivariateRing;

/// The field of an image.
pub(super) type Field = PrimeField<u64>;

/// Bits of the primes.
pub(super) const PRIME_BITS: u32 = 62;

/// Orders of roots of unity that the primes have, at least and at most, as logarithms.
const LOG_ORDERS: std::ops::RangeInclusive<u32> = 12..=40;

/// A system modulo a prime.
pub(super) struct Image {
    pub(super) ring: BivariateRing<Field>,
    pub(super) f: Bivariate<Field>,
    pub(super) g: Bivariate<Field>,
}

/// The order of the roots of unity that the resultant's points are, as a logarithm.
fn log_order(f: &RationalBivariate, g: &RationalBivariate) -> u32 {
    let degrees = |f: &RationalBivariate| [f.degree_x(), f.degree_y()].map(|degree| degree.unwrap_or(0));
    let ([a, m], [b, n]) = (degrees(f), degrees(g));
    // Degrees are at most 2^20.
    let bound = n * a + m * b + 1;
    bound.next_power_of_two().ilog2().clamp(*LOG_ORDERS.start(), *LOG_ORDERS.end())
}

/// The fields of primes from the largest down that keep the degrees of both polynomials in both variables.
pub(super) fn fields<'a>(f: &'a RationalBivariate, g: &'a RationalBivariate) -> impl Iterator<Item = Field> + 'a {
    let primes = primes::ntt_primes(PRIME_BITS, log_order(f, g));
    primes.filter_map(|p| PrimeField::<u64>::new(p).ok()).filter(move |field| keeps([f, g], field).is_some())
}

/// Images modulo the primes of [`fields`].
pub(super) fn images<'a>(
    ring: &'a RationalRing,
    f: &'a RationalBivariate,
    g: &'a RationalBivariate,
) -> impl Iterator<Item = Result<Image, BivariateError>> + 'a {
    fields(f, g).filter_map(move |field| image(ring, [f, g], field))
}

/// Polynomials modulo a prime that keeps their degrees; `None` where it does not.
fn keeps(system: [&RationalBivariate; 2], field: &Field) -> Option<[Bivariate<Field>; 2]> {
    let same = |f: &RationalBivariate| {
        let reduced = f.reduced(field)?;
        (reduced.degree_x() == f.degree_x() && reduced.degree_y() == f.degree_y()).then_some(reduced)
    };
    let [f, g] = system;
    Some([same(f)?, same(g)?])
}

/// The image modulo one prime; `None` where it has other degrees.
pub(super) fn image(
    ring: &RationalRing,
    system: [&RationalBivariate; 2],
    field: Field,
) -> Option<Result<Image, BivariateError>> {
    let [f, g] = keeps(system, &field)?;
    Some(BivariateRing::new(&ring.device, field).map(|ring| Image { ring, f, g }))
}
