//! Erasure codes: parity rows, and rows that are lost, from others.

use manycore::codes::{ErasureCode, reference};
use serde::Serialize;

use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 2;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    data: usize,
    parity: usize,
    /// Words of a row.
    words: usize,
    /// Whether data rows are found from the last rows, instead of parity rows from the data.
    recovers: bool,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let data = random.within(1, 20) as usize;
        // The definition takes the square of the data rows for each word and row.
        Self { data, parity: random.within(1, 9) as usize, words: random.length(300), recovers: random.once_in(2) }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let &Self { data, parity, words, recovers } = self;
        let code = ErasureCode::new(&site.device, data, parity).map_err(Failure::other)?;
        let rows: Vec<u16> = (0..data * words).map(|_| random.word() as u16).collect();
        let bytes: Vec<u8> = rows.iter().flat_map(|word| word.to_le_bytes()).collect();
        let encoded = code.encode(&bytes)?;
        if !recovers {
            let value = |row: usize, word: usize| (row as u16, rows[row * words + word]);
            let at = |point: usize, word: usize| {
                let values: Vec<(u16, u16)> = (0..data).map(|row| value(row, word)).collect();
                reference::interpolate(&values, point as u16).unwrap_or_default()
            };
            let expected: Vec<u8> = (data..data + parity)
                .flat_map(|point| (0..words).map(move |word| (point, word)))
                .flat_map(|(point, word)| at(point, word).to_le_bytes())
                .collect();
            return Ok(Found::equal("definition", &site.result(encoded), &expected));
        }
        // The last rows are there, and the first ones wanted.
        let len = 2 * words;
        let all: Vec<&[u8]> = (0..data + parity)
            .map(|row| if row < data { &bytes[row * len..][..len] } else { &encoded[(row - data) * len..][..len] })
            .collect();
        let present: Vec<(usize, &[u8])> = (parity..data + parity).map(|row| (row, all[row])).collect();
        let wanted: Vec<usize> = (0..parity).collect();
        let found = site.result(code.recover(&present, &wanted)?);
        Ok(Found::equal("the rows that were encoded", &found, &all[..parity].concat()))
    }
}
