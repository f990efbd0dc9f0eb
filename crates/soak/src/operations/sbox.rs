//! S-boxes: linear approximations and differences, in rows, counted in blocks of any size, and of many S-boxes at once.

use manycore::boolean::SBoxes;
use manycore::boolean::sbox::reference;
use manycore::{Boolean, SBox};
use serde::Serialize;

use super::boolean::counted;
use super::case::{candidate, draw_candidate};
use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    LinearRows,
    DifferenceRows,
    LinearCounts,
    DifferenceCounts,
    Components,
    Linearities,
    Uniformities,
}

/// How the S-boxes of a batch are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Form {
    List,
    Words,
    Buffer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Arbitrary,
    Permutation,
    Linear,
    Constant,
}

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 3;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    input_bits: u32,
    output_bits: u32,
    kind: Kind,
    which: Which,
    rows: (usize, usize),
    log_rows: Option<u32>,
    candidate: Option<u64>,
    form: Form,
    count: usize,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        // The definitions take 2^(2 m + n) operations.
        let most = if site.most_values(random, 4) > 1 << 11 { 8 } else { 6 };
        let input_bits = random.within(1, most) as u32;
        let permutation = random.once_in(2);
        let start = random.below((1 << input_bits) + 1) as usize;
        let end = start + random.below((1_u64 << input_bits) - start as u64 + 1) as usize;
        let output_bits = if permutation { input_bits } else { random.within(1, most) as u32 };
        Self {
            input_bits,
            output_bits,
            kind: if permutation {
                Kind::Permutation
            } else {
                random.pick(&[Kind::Arbitrary, Kind::Arbitrary, Kind::Linear, Kind::Constant])
            },
            which: random.pick(&[
                Which::LinearRows,
                Which::DifferenceRows,
                Which::LinearCounts,
                Which::DifferenceCounts,
                Which::Components,
                Which::Linearities,
                Which::Uniformities,
            ]),
            rows: (start, end),
            log_rows: random.once_in(2).then(|| random.below(9) as u32),
            candidate: draw_candidate(random),
            form: random.pick(&[Form::List, Form::Words, Form::Buffer]),
            count: random.within(1, (1 << 26 >> (2 * input_bits + output_bits)).clamp(2, 300)) as usize,
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let sbox = SBox::new(self.output_bits, self.values(random))?;
        let boolean =
            site.context("boolean", || Ok::<_, Failure>(Boolean::with_machine(&site.device, site.machine())))?;
        let (rows, columns) = (self.rows.0..self.rows.1, sbox.outputs());
        let part = self.rows.0 * columns..self.rows.1 * columns;
        match self.which {
            Which::LinearRows => {
                let found = site.taken(&boolean.linear_table(&sbox, rows)?)?;
                Ok(Found::equal("definition", &found, &reference::linear_table(&sbox)[part]))
            }
            Which::DifferenceRows => {
                let found = site.taken(&boolean.difference_table(&sbox, rows)?)?;
                Ok(Found::equal("definition", &found, &reference::difference_table(&sbox)[part]))
            }
            Which::LinearCounts => {
                let summary = match self.log_rows {
                    Some(log) => boolean.linear_summary_in(&sbox, 1 << log)?,
                    None => boolean.linear_summary(&sbox)?,
                };
                let table = reference::linear_table(&sbox);
                let found = site.result(histogram(&summary.histogram));
                // The trivial output mask 0 does not count.
                let largest = (0..table.len()).filter(|i| i % columns != 0).map(|i| table[i].unsigned_abs()).max();
                let linearity = site.result(vec![summary.linearity]);
                let expected = [largest.unwrap_or(0).into()];
                let counts = Found::equal("definition", &found, &counted(&table));
                Ok(counts.and(Found::equal("definition", &linearity, &expected)))
            }
            Which::DifferenceCounts => {
                let choice = boolean.explain_differences(&sbox)?;
                let summary = match candidate(&choice, self.candidate, site) {
                    Some(plan) => boolean.difference_summary_with(&sbox, plan.log)?,
                    None => boolean.difference_summary(&sbox)?,
                };
                let table: Vec<i32> =
                    reference::difference_table(&sbox).into_iter().map(|count| count as i32).collect();
                let found = site.result(histogram(&summary.histogram));
                let largest = table[columns..].iter().max().copied().unwrap_or(0);
                let uniformity = site.result(vec![summary.uniformity as i64]);
                let counts = Found::equal("definition", &found, &counted(&table));
                Ok(counts.and(Found::equal("definition", &uniformity, &[i64::from(largest)])))
            }
            Which::Components => {
                let found = site.result(boolean.component_linearities(&sbox)?);
                Ok(Found::equal("definition", &found, &reference::component_linearities(&sbox)))
            }
            Which::Linearities | Which::Uniformities => self.batch(random, site, &boolean),
        }
    }
}

fn histogram(histogram: &manycore::boolean::Histogram) -> Vec<i64> {
    histogram.counts.iter().flat_map(|(&value, &count)| [value, count as i64]).collect()
}

impl Case {
    /// One figure of each of some S-boxes.
    fn batch(&self, random: &mut Random, site: &Site, boolean: &Boolean) -> Result<Found, Failure> {
        let sboxes = (0..self.count).map(|_| SBox::new(self.output_bits, self.values(random)));
        let sboxes = sboxes.collect::<Result<Vec<SBox>, _>>()?;
        let flat: Vec<u16> = sboxes.iter().flat_map(SBox::values).copied().collect();
        let buffer = site.device.upload(&flat)?;
        let batch = match self.form {
            Form::List => SBoxes::from(&sboxes),
            Form::Words => SBoxes::new(self.input_bits, self.output_bits, &flat)?,
            Form::Buffer => SBoxes::new(self.input_bits, self.output_bits, &buffer)?,
        };
        let linear = self.which == Which::Linearities;
        let found = site.result(if linear { boolean.linearities(batch)? } else { boolean.uniformities(batch)? });
        let most = |sbox| reference::component_linearities(sbox).into_iter().max().unwrap_or(0);
        let expected: Vec<u32> = sboxes
            .iter()
            .map(|sbox| if linear { most(sbox) } else { reference::differential_uniformity(sbox) })
            .collect();
        Ok(Found::equal("definition", &found, &expected))
    }

    fn values(&self, random: &mut Random) -> Vec<u16> {
        let (len, limit) = (1_usize << self.input_bits, 1_u64 << self.output_bits);
        let constant = random.below(limit) as u16;
        match self.kind {
            Kind::Arbitrary => (0..len).map(|_| random.below(limit) as u16).collect(),
            Kind::Constant => vec![constant; len],
            Kind::Linear => {
                let images: Vec<u16> = (0..self.input_bits).map(|_| random.below(limit) as u16).collect();
                let image =
                    |x: usize| (0..images.len()).filter(|&i| x >> i & 1 == 1).fold(constant, |y, i| y ^ images[i]);
                (0..len).map(image).collect()
            }
            Kind::Permutation => {
                let mut values: Vec<u16> = (0..len as u16).collect();
                for i in (1..len).rev() {
                    values.swap(i, random.below(i as u64 + 1) as usize);
                }
                values
            }
        }
    }
}
