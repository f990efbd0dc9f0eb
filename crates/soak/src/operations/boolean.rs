//! Boolean functions: spectra, autocorrelations, normal forms, and the properties that follow from them.

use manycore::boolean::function::reference;
use manycore::{Boolean, TruthTable};
use serde::Serialize;

use super::spectral::steps;
use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    Walsh,
    Autocorrelation,
    NormalForm,
    Weigh,
    Histogram,
    Summary,
    Properties,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Uniform,
    Sparse,
    Affine,
    Quadratic,
    Constant,
}

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 3;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    variables: u32,
    kind: Kind,
    which: Which,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let most = site.most_values(random, 12).clamp(1, 1 << 20);
        Self {
            variables: random.log_length(most),
            kind: random.pick(&[
                Kind::Uniform,
                Kind::Uniform,
                Kind::Sparse,
                Kind::Affine,
                Kind::Quadratic,
                Kind::Constant,
            ]),
            which: random.pick(&[
                Which::Walsh,
                Which::Autocorrelation,
                Which::NormalForm,
                Which::Weigh,
                Which::Histogram,
                Which::Summary,
                Which::Properties,
            ]),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let f = self.function(random)?;
        let boolean =
            site.context("boolean", || Ok::<_, Failure>(Boolean::with_machine(&site.device, site.machine())))?;
        let small = self.variables <= 8;
        if self.which == Which::Properties {
            return self.properties(&f, &boolean, site);
        }
        let function = boolean.upload(&f)?;
        match self.which {
            Which::Walsh => {
                let found = site.taken(boolean.walsh(&function)?.buffer())?;
                if small {
                    let expected: Vec<i32> = reference::walsh(&f).into_iter().map(|value| value as i32).collect();
                    return Ok(Found::equal("definition", &found, &expected));
                }
                Ok(Found::equal("steps", &found, &spectrum(&f)))
            }
            Which::Autocorrelation => {
                let walsh = boolean.walsh(&function)?;
                let found = site.taken(boolean.autocorrelation(&walsh)?.buffer())?;
                if small {
                    let expected: Vec<i32> =
                        reference::autocorrelation(&f).into_iter().map(|value| value as i32).collect();
                    return Ok(Found::equal("definition", &found, &expected));
                }
                Ok(Found::equal("steps", &found, &autocorrelation(&f)))
            }
            Which::NormalForm => {
                let found = site.taken(boolean.reed_muller(&function)?.buffer())?;
                if small {
                    return Ok(Found::equal("definition", &found, reference::anf(&f).words()));
                }
                Ok(Found::equal("host words", &found, f.anf().coefficients().words()))
            }
            Which::Weigh => {
                let (weight, most) = boolean.weigh(&function)?;
                let found = site.result(vec![weight, most.into()]);
                let ones = f.minterms().map(|x| u64::from(x.count_ones())).max().unwrap_or(0);
                Ok(Found::equal("count", &found, &[f.minterms().count() as u64, ones]))
            }
            Which::Histogram => {
                let histogram = boolean.histogram(&boolean.walsh(&function)?)?;
                let found =
                    site.result(pairs(histogram.counts.into_iter().map(|(value, count)| (value, count as i64))));
                Ok(Found::equal("steps", &found, &counted(&spectrum(&f))))
            }
            Which::Summary | Which::Properties => {
                let walsh = boolean.walsh(&function)?;
                let summary = boolean.walsh_summary(&walsh)?;
                let found = site.result(vec![summary.linearity(), summary.zeros(), summary.sum_of_squares() as u64]);
                let y = spectrum(&f);
                let most = y.iter().map(|y| u64::from(y.unsigned_abs())).max().unwrap_or(0);
                let zeros = y.iter().filter(|&&y| y == 0).count() as u64;
                let squares: u128 = y.iter().map(|&y| u128::from(y.unsigned_abs()).pow(2)).sum();
                let expected = [most, zeros, squares as u64];
                let by_weight = most_by_weight(&y, self.variables);
                let weights = site.result(summary.most_by_weight());
                Ok(Found::equal("steps", &found, &expected).and(Found::equal("steps", &weights, &by_weight)))
            }
        }
    }
}

impl Case {
    fn function(&self, random: &mut Random) -> Result<TruthTable, Failure> {
        let n = self.variables;
        let (a, b) = (random.word(), random.word());
        Ok(match self.kind {
            Kind::Uniform => {
                let word = |x: u64| Random::new(a ^ (x >> 6)).word();
                TruthTable::from_fn(n, |x| word(x) >> (x % 64) & 1 == 1)?
            }
            Kind::Sparse => {
                let ones: Vec<u64> = (0..random.below(5)).map(|_| random.below(1 << n)).collect();
                TruthTable::from_fn(n, |x| ones.contains(&x))?
            }
            Kind::Affine => TruthTable::affine(n, a & ((1 << n) - 1), b & 1 == 1)?,
            // The inner product of the halves, and a linear function: bent for even n.
            Kind::Quadratic => {
                let half = n / 2;
                let product = |x: u64| (x & (x >> half) & ((1 << half) - 1)).count_ones();
                TruthTable::from_fn(n, |x| (product(x) + (x & a).count_ones()) % 2 == 1)?
            }
            Kind::Constant => TruthTable::constant(n, a & 1 == 1)?,
        })
    }

    fn properties(&self, f: &TruthTable, boolean: &Boolean, site: &Site) -> Result<Found, Failure> {
        let properties = boolean.properties(f)?;
        let found = site.result(vec![
            properties.weight,
            properties.degree.into(),
            properties.terms,
            properties.walsh.nonlinearity(),
            properties.autocorrelation.absolute_indicator(),
            properties.autocorrelation.sum_of_squares() as u64,
        ]);
        let (form, y, r) = (f.anf(), spectrum(f), autocorrelation(f));
        let linearity = y.iter().map(|y| u64::from(y.unsigned_abs())).max().unwrap_or(0);
        let indicator = r[1..].iter().map(|r| u64::from(r.unsigned_abs())).max().unwrap_or(0);
        let squares: u128 = r.iter().map(|&r| u128::from(r.unsigned_abs()).pow(2)).sum();
        let coefficients = form.coefficients();
        let degree = coefficients.minterms().map(|u| u64::from(u.count_ones())).max().unwrap_or(0);
        let expected = [
            f.values().filter(|&value| value).count() as u64,
            degree,
            coefficients.minterms().count() as u64,
            ((1 << self.variables) - linearity) / 2,
            indicator,
            squares as u64,
        ];
        Ok(Found::equal("steps", &found, &expected))
    }
}

/// The Walsh spectrum of `(-1)^f`, one step after the other.
fn spectrum(f: &TruthTable) -> Vec<i32> {
    let mut y: Vec<i32> = f.values().map(|value| 1 - 2 * i32::from(value)).collect();
    steps(&mut y, f.variables(), |a, b| (a + b, a - b));
    y
}

/// The squares of the spectrum, transformed back.
fn autocorrelation(f: &TruthTable) -> Vec<i32> {
    let mut r: Vec<i64> = spectrum(f).into_iter().map(|y| i64::from(y).pow(2)).collect();
    steps(&mut r, f.variables(), |a, b| (a + b, a - b));
    r.into_iter().map(|r| (r >> f.variables()) as i32).collect()
}

fn pairs(counts: impl Iterator<Item = (i64, i64)>) -> Vec<i64> {
    counts.flat_map(|(value, count)| [value, count]).collect()
}

/// Values and how often they come, ascending.
pub(super) fn counted(values: &[i32]) -> Vec<i64> {
    let mut counts = std::collections::BTreeMap::new();
    for &value in values {
        *counts.entry(i64::from(value)).or_insert(0) += 1;
    }
    pairs(counts.into_iter())
}

/// For each number of ones in the index, the largest absolute value of the coefficients.
fn most_by_weight(y: &[i32], variables: u32) -> Vec<u64> {
    let mut most = vec![0; variables as usize + 1];
    for (w, y) in y.iter().enumerate() {
        let class = &mut most[w.count_ones() as usize];
        *class = (*class).max(u64::from(y.unsigned_abs()));
    }
    most
}
