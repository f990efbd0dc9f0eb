//! The Reed-Muller transform of words of every width and of packed functions, in both directions and any polarity.

use manycore::spectral::reed_muller::reference;
use manycore::spectral::{Direction, packed};
use manycore::{Algorithm, BitOrder, Bits, ReedMuller, Spectral};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use super::spectral::{Runs, context, direction, polarity, reordered, steps};
use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

/// Longer arrays come back by the inverse instead.
const MOST_STEPPED: usize = 1 << 21;

/// How the values stand in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    U8,
    U32,
    I32,
    U64,
    I64,
    Packed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Route {
    Steps,
    Definition,
    Host,
    Inverse,
}

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 3;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    form: Form,
    runs: Runs,
    #[serde(serialize_with = "super::case::shown")]
    order: BitOrder,
    #[serde(serialize_with = "super::case::debugged")]
    direction: Direction,
    #[serde(serialize_with = "super::case::debugged")]
    algorithm: Option<Algorithm>,
    polarity: u64,
    candidate: Option<u64>,
    route: Route,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let form = random.pick(&[Form::U8, Form::U32, Form::I32, Form::U64, Form::I64, Form::Packed, Form::Packed]);
        let most = match form {
            Form::U8 => site.most_values(random, 1),
            Form::U32 | Form::I32 => site.most_values(random, 4),
            Form::U64 | Form::I64 => site.most_values(random, 8),
            Form::Packed => site.most_values(random, 8).saturating_mul(64),
        };
        let mut runs = Runs::draw(random, most);
        if form == Form::Packed && runs.log_len < 6 {
            // A word holds several functions: the runs are whole words.
            runs.count = runs.count.next_multiple_of(64 >> runs.log_len);
        }
        let elements = if form == Form::Packed { runs.values() / 64 } else { runs.values() };
        let route = match random.below(6) {
            _ if elements > MOST_STEPPED => Route::Inverse,
            0 | 1 if runs.log_len <= 9 && runs.values() <= 1 << 12 => Route::Definition,
            2 if !site.is_host() => Route::Host,
            3 => Route::Inverse,
            _ => Route::Steps,
        };
        Self {
            form,
            runs,
            order: if form == Form::Packed { BitOrder::Natural } else { random.pick(&BitOrder::ALL) },
            direction: direction(random),
            algorithm: random.pick(&[None, None, Some(Algorithm::CooleyTukey), Some(Algorithm::ConstantGeometry)]),
            polarity: polarity(random, runs.log_len),
            candidate: draw_candidate(random),
            route,
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        match self.form {
            Form::U8 => self.of(site, &self.words(random, |word| word as u8 & 1)),
            Form::U32 => self.of(site, &self.words(random, |word| word as u32)),
            Form::I32 => self.of(site, &self.words(random, |word| word as i32)),
            Form::U64 => self.of(site, &self.words(random, |word| word)),
            Form::I64 => self.of(site, &self.words(random, |word| word as i64)),
            Form::Packed => self.packed(site, random),
        }
    }
}

impl Case {
    fn words<T>(&self, random: &mut Random, word: impl Fn(u64) -> T) -> Vec<T> {
        (0..self.runs.values()).map(|_| word(random.word())).collect()
    }

    fn how(&self) -> ReedMuller {
        let how = ReedMuller::new().order(self.order).direction(self.direction).polarity(self.polarity);
        self.algorithm.map_or(how.clone(), |algorithm| how.algorithm(algorithm))
    }

    fn back(&self) -> Direction {
        if self.direction == Direction::Forward { Direction::Inverse } else { Direction::Forward }
    }

    fn of<T: Bits>(&self, site: &Site, x: &[T]) -> Result<Found, Failure> {
        let (len, spectral) = (self.runs.len(), context(site)?);
        let mut how = self.how().batch(len);
        if self.candidate.is_some() && self.order == BitOrder::Natural && self.algorithm.is_none() && !x.is_empty() {
            let choice = spectral.explain_reed_muller::<T>(x.len(), &how)?;
            how = candidate(&choice, self.candidate, site).map_or(how.clone(), |plan| how.by(plan));
        }
        let mut buffer = site.device.upload(x)?;
        spectral.reed_muller(&mut buffer, &how)?;
        match self.route {
            Route::Inverse => {
                spectral.reed_muller(&mut buffer, &how.direction(self.back()))?;
                Ok(Found::equal("inverse", &site.taken(&buffer)?, x))
            }
            Route::Host => {
                let host = Spectral::with_machine(&site.host, site.host.typical_machine());
                let expected = host.reed_muller_of(x, &self.how().batch(len))?;
                Ok(Found::equal("host", &site.taken(&buffer)?, &expected))
            }
            Route::Definition if self.direction == Direction::Forward => {
                let defined = |x| reference::reed_muller(x, self.order, self.polarity as usize).unwrap_or_default();
                let expected: Vec<T> = x.chunks_exact(len).flat_map(defined).collect();
                Ok(Found::equal("definition", &site.taken(&buffer)?, &expected))
            }
            _ => {
                let expected: Vec<T> = x.chunks_exact(len).flat_map(|x| self.stepped(x)).collect();
                Ok(Found::equal("steps", &site.taken(&buffer)?, &expected))
            }
        }
    }

    /// Forward: the values are shifted by the polarity, then transformed, then ordered; the inverse undoes it.
    fn stepped<T: Bits>(&self, x: &[T]) -> Vec<T> {
        let (log_len, shift) = (self.runs.log_len, self.polarity as usize);
        let forward = self.direction == Direction::Forward;
        let shifted = |x: &[T]| (0..x.len()).map(|i| x[i ^ shift]).collect::<Vec<T>>();
        let mut y = if forward { shifted(x) } else { reordered(x, log_len, self.order) };
        steps(&mut y, log_len, |a: T, b: T| (a, a.exclusive_or(b)));
        if forward { reordered(&y, log_len, self.order) } else { shifted(&y) }
    }

    fn packed(&self, site: &Site, random: &mut Random) -> Result<Found, Failure> {
        let (variables, spectral) = (self.runs.log_len, context(site)?);
        let x: Vec<u64> = (0..self.runs.values() / 64).map(|_| random.word()).collect();
        let mut how = self.how();
        if self.candidate.is_some() && !x.is_empty() {
            let choice = spectral.explain_reed_muller_packed(x.len(), variables, &how)?;
            how = candidate(&choice, self.candidate, site).map_or(how.clone(), |plan| how.by(plan));
        }
        let mut buffer = site.device.upload(&x)?;
        spectral.reed_muller_packed(&mut buffer, variables, &how)?;
        match self.route {
            Route::Inverse => {
                spectral.reed_muller_packed(&mut buffer, variables, &how.direction(self.back()))?;
                return Ok(Found::equal("inverse", &site.taken(&buffer)?, &x));
            }
            Route::Host if self.polarity == 0 => {
                let mut expected = x;
                packed::reed_muller(&mut expected, variables)?;
                return Ok(Found::equal("host words", &site.taken(&buffer)?, &expected));
            }
            Route::Definition if self.direction == Direction::Forward => {
                let words = 1 << variables.saturating_sub(6);
                let defined = |x| reference::reed_muller_packed(x, variables, self.polarity as usize);
                let expected: Vec<u64> = x.chunks_exact(words).flat_map(|x| defined(x).unwrap_or_default()).collect();
                return Ok(Found::equal("definition", &site.taken(&buffer)?, &expected));
            }
            _ => {}
        }
        // One value a byte.
        let bits: Vec<u8> = x.iter().flat_map(|word| (0..64).map(move |bit| (word >> bit & 1) as u8)).collect();
        let expected: Vec<u8> = bits.chunks_exact(self.runs.len()).flat_map(|x| self.stepped(x)).collect();
        let packed = |bits: &[u8]| (0..64).fold(0, |word, bit| word | u64::from(bits[bit]) << bit);
        let expected: Vec<u64> = expected.chunks_exact(64).map(packed).collect();
        Ok(Found::equal("steps of bytes", &site.taken(&buffer)?, &expected))
    }
}
