//! Spectra of integers near the ends of their type: exact as sums of 128 bits are, or refused where those pass the type.

use manycore::spectral::Direction;
use manycore::{Arithmetic, BitOrder, Haar, HaarOrder, Order, SpectralError, Walsh};
use serde::Serialize;

use super::spectral::{Runs, context, direction, gathered, polarity, reordered, steps};
use crate::compare::Found;
use crate::failure::Failure;
use crate::numbers::Number;
use crate::random::Random;
use crate::site::Site;

/// Values, at most: the second route has 16 bytes of each.
const MOST: usize = 1 << 13;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Transform {
    Walsh,
    Arithmetic,
    Haar,
}

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    transform: Transform,
    is_long: bool,
    runs: Runs,
    #[serde(serialize_with = "super::case::shown")]
    order: Order,
    #[serde(serialize_with = "super::case::shown")]
    bit_order: BitOrder,
    #[serde(serialize_with = "super::case::shown")]
    haar_order: HaarOrder,
    #[serde(serialize_with = "super::case::debugged")]
    direction: Direction,
    polarity: u64,
    /// Bits of the values, without their sign.
    bits: u32,
    /// Whether a run holds few values that are not 0.
    is_sparse: bool,
    /// Whether what is transformed back is a spectrum.
    is_spectrum: bool,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let is_long = random.once_in(2);
        let most = site.most_values(random, 8).min(MOST);
        let runs = Runs::draw(random, most);
        let most = if is_long { 63 } else { 31 };
        // Sums of all values reach the end of the type where both logarithms add up to it.
        let near = most - runs.log_len.min(most - 1) + random.below(4) as u32;
        Self {
            transform: random.pick(&[Transform::Walsh, Transform::Arithmetic, Transform::Haar]),
            is_long,
            runs,
            order: random.pick(&Order::ALL),
            bit_order: random.pick(&BitOrder::ALL),
            haar_order: random.pick(&HaarOrder::ALL),
            direction: direction(random),
            polarity: polarity(random, runs.log_len),
            bits: near.saturating_sub(2).clamp(1, most),
            is_sparse: random.once_in(4),
            is_spectrum: !random.once_in(3),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        if self.is_long { self.of::<i64>(random, site) } else { self.of::<i32>(random, site) }
    }
}

/// What a transform must give: its values, or the first run whose sums pass the type, or that it is of no integers.
#[derive(Debug, PartialEq)]
enum Expected {
    Values(Vec<i128>),
    Overflow(usize),
    Fraction(usize),
}

impl Case {
    fn of<T: Number + TryFrom<i128> + Into<i128>>(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let len = self.runs.len();
        let x: Vec<T> = self.drawn(random).iter().map(|&x| T::try_from(x).unwrap_or_default()).collect();
        let wide: Vec<i128> = x.iter().map(|&x| x.into()).collect();
        let expected = expected(&wide, len, 8 * size_of::<T>() as u32, |run| self.run(run));
        site.note("expected", shortened(&expected));
        let spectral = context(site)?;
        let mut buffer = site.device.upload(&x)?;
        let transformed = match self.transform {
            Transform::Walsh => {
                spectral.walsh(&mut buffer, &Walsh::new().order(self.order).direction(self.direction).batch(len))
            }
            Transform::Arithmetic => {
                let how = Arithmetic::new().order(self.bit_order).direction(self.direction).polarity(self.polarity);
                spectral.arithmetic(&mut buffer, &how.batch(len))
            }
            Transform::Haar => {
                spectral.haar(&mut buffer, &Haar::new().order(self.haar_order).direction(self.direction).batch(len))
            }
        };
        let route = "sums of 128 bits";
        let wrong = |fault: String| Ok(Found::holds(route, false, || fault));
        match (transformed, expected) {
            (Ok(()), Expected::Values(values)) => {
                let found: Vec<i128> = site.taken(&buffer)?.into_iter().map(Into::into).collect();
                Ok(Found::equal(route, &found, &values))
            }
            (Err(SpectralError::Overflow { transform, .. }), Expected::Overflow(first)) => {
                let holds = transform == Some(first) && site.taken(&buffer)? == x;
                Ok(Found::holds(route, holds, || {
                    format!("run {first} passes its type, not {transform:?}, and x stays")
                }))
            }
            (Err(SpectralError::Fraction { transform }), Expected::Fraction(first)) => {
                let holds = transform.is_none_or(|transform| transform == first);
                Ok(Found::holds(route, holds, || format!("run {first} has fractions, not {transform:?}")))
            }
            (Err(error @ (SpectralError::Overflow { .. } | SpectralError::Fraction { .. })), expected) => {
                wrong(format!("refused: {error}; expected are {}", shortened(&expected)))
            }
            (Err(error), _) => Err(error.into()),
            (Ok(()), expected) => wrong(format!("not refused: {}", shortened(&expected))),
        }
    }

    /// Values of `bits` bits; the input of an inverse transform is mostly the spectrum of smaller values.
    fn drawn(&self, random: &mut Random) -> Vec<i128> {
        let (len, back) = (self.runs.len(), self.direction == Direction::Inverse);
        let bits = if back && self.is_spectrum { self.bits.saturating_sub(self.runs.log_len) } else { self.bits };
        let mut x: Vec<i128> = Vec::with_capacity(self.runs.values());
        for _ in 0..self.runs.values() {
            let is_left_out = self.is_sparse && !random.once_in(16);
            let most = 1i128 << bits;
            let value = match random.below(8) {
                _ if is_left_out => 0,
                0 => -most,
                1 => most - 1,
                _ => i128::from(random.word() >> (64 - bits.clamp(1, 63))) - if random.once_in(2) { most } else { 0 },
            };
            x.push(value);
        }
        if back && self.is_spectrum {
            let forward = Self { direction: Direction::Forward, ..*self };
            x = x.chunks_exact(len).flat_map(|run| forward.run(run).values).collect();
        }
        x
    }

    /// The transform of a run by sums of pairs, one index bit after the other.
    fn run(&self, x: &[i128]) -> Run {
        let (log_len, forward) = (self.runs.log_len, self.direction == Direction::Forward);
        match self.transform {
            Transform::Walsh => {
                // The matrix of every order is symmetric, so that a transform back is the same sums, divided.
                let mut y = x.to_vec();
                steps(&mut y, log_len, |a, b| (a + b, a - b));
                let sums = gathered(&y, y.len(), |row| self.order.natural_index(row, log_len));
                let divisor = if forward { 0 } else { log_len };
                let rounds = sums.iter().any(|sum| sum % (1 << divisor) != 0);
                Run { values: sums.iter().map(|sum| sum >> divisor).collect(), sums, rounds }
            }
            Transform::Arithmetic => {
                let shift = self.polarity as usize;
                let shifted = |x: &[i128]| (0..x.len()).map(|i| x[i ^ shift]).collect::<Vec<_>>();
                let mut y = if forward { shifted(x) } else { reordered(x, log_len, self.bit_order) };
                steps(&mut y, log_len, |a, b| (a, if forward { b - a } else { b + a }));
                let y = if forward { reordered(&y, log_len, self.bit_order) } else { shifted(&y) };
                Run { sums: y.clone(), values: y, rounds: false }
            }
            Transform::Haar if forward => self.haar(x),
            Transform::Haar => self.haar_back(x),
        }
    }

    /// Differences of sums, level by level, and the sum of all (Haar 1910).
    fn haar(&self, x: &[i128]) -> Run {
        let (mut y, mut sums) = (vec![0; x.len()], x.to_vec());
        while sums.len() > 1 {
            let count = sums.len() / 2;
            for (q, pair) in sums.chunks_exact(2).enumerate() {
                y[self.haar_order.place(count + q, self.runs.log_len)] = pair[0] - pair[1];
            }
            sums = sums.chunks_exact(2).map(|pair| pair[0] + pair[1]).collect();
        }
        y[0] = sums[0];
        Run { sums: y.clone(), values: y, rounds: false }
    }

    fn haar_back(&self, y: &[i128]) -> Run {
        let (mut sums, mut all, mut rounds) = (vec![y[0]], vec![y[0]], false);
        while sums.len() < y.len() {
            let count = sums.len();
            let twice: Vec<i128> = (0..count)
                .flat_map(|q| {
                    let difference = y[self.haar_order.place(count + q, self.runs.log_len)];
                    [sums[q] + difference, sums[q] - difference]
                })
                .collect();
            rounds |= twice.iter().any(|twice| twice % 2 != 0);
            sums = twice.iter().map(|twice| twice >> 1).collect();
            all.extend(twice);
        }
        Run { values: sums, sums: all, rounds }
    }
}

/// The transform of a run.
struct Run {
    values: Vec<i128>,
    /// What its type must hold.
    sums: Vec<i128>,
    /// Whether a quotient is no integer.
    rounds: bool,
}

/// The expected transforms of all runs, in integers of `bits` bits.
fn expected(x: &[i128], len: usize, bits: u32, transform: impl Fn(&[i128]) -> Run) -> Expected {
    let (least, most) = (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
    let runs: Vec<Run> = x.chunks_exact(len).map(transform).collect();
    let past = |run: &Run| run.sums.iter().any(|sum| !(least..=most).contains(sum));
    if let Some(first) = runs.iter().position(past) {
        return Expected::Overflow(first);
    }
    match runs.iter().position(|run| run.rounds) {
        Some(first) => Expected::Fraction(first),
        None => Expected::Values(runs.into_iter().flat_map(|run| run.values).collect()),
    }
}

fn shortened(expected: &Expected) -> String {
    match expected {
        Expected::Values(values) => format!("{} integers that fit", values.len()),
        expected => format!("{expected:?}"),
    }
}
