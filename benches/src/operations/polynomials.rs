//! Factors and power series of polynomials over a prime field, and common zeros of polynomials in two variables.

use anyhow::Result;
use manycore_bivariate::{Bivariate, BivariateRing, Solutions};
use manycore_field::PrimeField;
use manycore_poly::{Factorization, Poly, PolyRing};

use super::case::{Case, Extent, work};
use crate::data;

/// The modulus: with roots of unity of order `2^26`.
const P: u32 = 469_762_049;

type Field = PrimeField<u32>;

pub(super) fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for degree in extent.of(&[32], &[64, 256], &[256, 1024]) {
        cases.push(factors(degree));
    }
    for len in extent.of(&[1 << 8], &[1 << 12, 1 << 16], &[1 << 16, 1 << 20]) {
        cases.push(exponential(len));
        cases.push(shift(len));
    }
    for degree in extent.of(&[3], &[4, 8], &[8, 20]) {
        cases.push(bivariate(degree));
    }
    cases
}

fn ring(device: &manycore_device::Device) -> Result<PolyRing<Field>> {
    Ok(PolyRing::new(device, Field::new(P)?)?)
}

fn coefficients(len: usize, seed: u64) -> Vec<u32> {
    data::coefficients(len, P.into(), seed).into_iter().map(|c| c as u32).collect()
}

fn factors(degree: usize) -> Case {
    let case = Case::new(
        ("poly-factor", "u32 mod 469762049"),
        (degree, format!("degree {degree}")),
        (8 * degree, 0.0),
        "the product of the factors, and their irreducibility",
        move |device| {
            let ring = ring(device)?;
            let f = ring.poly(&coefficients(degree + 1, 1))?;
            Ok(work(
                (ring, f, None::<Factorization<Field>>),
                |(ring, f, found)| {
                    *found = Some(ring.factor(f)?);
                    Ok(())
                },
                |(ring, f, found)| Ok(found.as_ref().is_some_and(|found| ring.check_factors(f, found, 1).is_ok())),
            ))
        },
    );
    beside_flint(case, degree)
}

#[cfg(feature = "flint")]
fn beside_flint(case: Case, degree: usize) -> Case {
    use crate::peers::flint_integers::{Factors, name};

    case.beside(name(), false, move || {
        let words: Vec<u64> = coefficients(degree + 1, 1).into_iter().map(u64::from).collect();
        let ring = ring(&manycore_device::Device::host())?;
        let count = ring.factor(&ring.poly(&coefficients(degree + 1, 1))?)?.factors.len();
        Ok(work(
            Factors::new(P.into(), &words),
            |factors| {
                factors.run();
                Ok(())
            },
            move |factors| Ok(factors.count() == count),
        ))
    })
}

#[cfg(not(feature = "flint"))]
fn beside_flint(case: Case, _degree: usize) -> Case {
    case
}

fn exponential(len: usize) -> Case {
    let case = Case::new(
        ("series-exp", "u32 mod 469762049"),
        (len, format!("2^{} terms", len.ilog2())),
        (4 * len, 0.0),
        "its logarithm is the input",
        move |device| {
            let ring = ring(device)?;
            let mut words = coefficients(len, 2);
            words[0] = 0;
            let f = ring.poly(&words)?;
            Ok(work(
                (ring, f, None::<Poly<Field>>),
                move |(ring, f, found)| {
                    *found = Some(ring.exp_series(f, len)?);
                    Ok(())
                },
                move |(ring, f, found)| {
                    let Some(found) = found else { return Ok(false) };
                    let back = ring.log_series(found, len)?;
                    Ok(ring.coefficients(&back)? == ring.coefficients(f)?)
                },
            ))
        },
    );
    beside_flint_series(case, len)
}

#[cfg(feature = "flint")]
fn beside_flint_series(case: Case, len: usize) -> Case {
    use crate::peers::flint_integers::{Exponential, name};

    case.beside(name(), false, move || {
        let mut words: Vec<u64> = coefficients(len, 2).into_iter().map(u64::from).collect();
        words[0] = 0;
        let ring = ring(&manycore_device::Device::host())?;
        let small: Vec<u32> = words.iter().map(|&word| word as u32).collect();
        let expected = ring.coefficients(&ring.exp_series(&ring.poly(&small)?, len)?)?;
        Ok(work(
            Exponential::new(P.into(), &words),
            |series| {
                series.run();
                Ok(())
            },
            move |series| Ok(series.values().into_iter().eq(expected.iter().map(|&word| u64::from(word)))),
        ))
    })
}

#[cfg(not(feature = "flint"))]
fn beside_flint_series(case: Case, _len: usize) -> Case {
    case
}

fn shift(len: usize) -> Case {
    Case::new(
        ("poly-shift", "u32 mod 469762049"),
        (len, format!("2^{} coefficients", len.ilog2())),
        (4 * len, 0.0),
        "shifted back it is the input",
        move |device| {
            let ring = ring(device)?;
            let f = ring.poly(&coefficients(len, 3))?;
            Ok(work(
                (ring, f, None::<Poly<Field>>),
                |(ring, f, found)| {
                    *found = Some(ring.taylor_shift(f, 12_345)?);
                    Ok(())
                },
                |(ring, f, found)| {
                    let Some(found) = found else { return Ok(false) };
                    let back = ring.taylor_shift(found, P - 12_345)?;
                    Ok(ring.coefficients(&back)? == ring.coefficients(f)?)
                },
            ))
        },
    )
}

/// All common zeros of two polynomials of a total degree, drawn at random.
fn bivariate(degree: usize) -> Case {
    Case::new(
        ("bivariate-solve", "u32 mod 469762049"),
        (degree, format!("degree {degree}")),
        (8 * degree * degree, 0.0),
        "by the points, and by the remainders of both polynomials",
        move |device| {
            let field = Field::new(P)?;
            let polynomial = |seed| Bivariate::random(&field, degree, seed);
            let (f, g) = (polynomial(1)?, polynomial(2)?);
            Ok(work(
                (BivariateRing::new(device, field)?, f, g, None::<Solutions<Field>>),
                |(ring, f, g, found)| {
                    *found = Some(ring.solve(f, g)?);
                    Ok(())
                },
                |(ring, f, g, found)| {
                    let Some(found) = found else { return Ok(false) };
                    Ok(ring.verify_solutions(f, g, found)?)
                },
            ))
        },
    )
}
