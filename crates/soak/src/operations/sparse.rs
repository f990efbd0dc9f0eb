//! Products of sparse matrices with vectors and dense matrices, over prime fields and doubles, by any plan.

use std::collections::BTreeMap;

use manycore::SparseProduct;
use manycore::field::Reals;
use manycore::sparse::sprs::CsMat;
use manycore::sparse::{ProductOptions, SparseRing, reference};
use serde::Serialize;

use crate::compare::Found;
use crate::failure::Failure;
use crate::fields::{Field, residue};
use crate::random::Random;
use crate::site::Site;
use crate::with_field;

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 3;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    /// Of doubles without a field.
    field: Option<Field>,
    rows: usize,
    columns: usize,
    non_zeros: usize,
    width: usize,
    /// Bytes of the device's memory that the matrix may take: it is streamed in blocks where it takes more.
    resident_bytes: Option<u64>,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let most = site.most_values(random, 16).min(1 << 14);
        let field = (!random.once_in(3) || !site.has_f64()).then(|| Field::any(random));
        let (rows, columns) = (random.length(most), random.length(most));
        let non_zeros = if rows == 0 || columns == 0 { 0 } else { random.length(4 * most) };
        let width = if random.once_in(2) { 1 } else { random.within(1, 9) as usize };
        let resident_bytes = random.once_in(4).then(|| random.length(1 << 14) as u64);
        Self { field, rows, columns, non_zeros, width, resident_bytes }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let Some(field) = self.field else {
            let ring = Reals::<f64>::new();
            let [found, expected] = self.of(&ring, Random::unit, random, site)?;
            // Sums of at most as many products as there are non-zeros, each at most 1.
            let bound = self.non_zeros as f64 * f64::EPSILON * self.non_zeros.max(1) as f64;
            return Ok(Found::near("definition", &found, &expected, |a, b, _| (a - b).abs() <= bound));
        };
        with_field!(field, field => {
            let [found, expected] = self.of(&field, |random| residue(&field, random), random, site)?;
            Ok(Found::equal("definition", &found, &expected))
        })
    }
}

impl Case {
    /// The product, and the one by definition.
    fn of<R: SparseRing>(
        &self,
        ring: &R,
        some: impl Fn(&mut Random) -> R::Value,
        random: &mut Random,
        site: &Site,
    ) -> Result<[Vec<R::Value>; 2], Failure> {
        // A few rows may have most of the non-zeros.
        let heavy = random.once_in(3);
        let mut entries = BTreeMap::new();
        for _ in 0..self.non_zeros {
            let row = random.below(self.rows as u64) as usize;
            let row = if heavy { row / 64 } else { row };
            entries.insert((row, random.below(self.columns as u64) as usize), some(random));
        }
        let matrix = compressed(&entries, self.rows, self.columns);
        let x: Vec<R::Value> = (0..self.columns * self.width).map(|_| some(random)).collect();
        let options = ProductOptions { resident_bytes: self.resident_bytes, ..ProductOptions::default() };
        let product = SparseProduct::new(&site.device, ring.clone(), matrix.view(), options)?;
        let found = site.result(product.multiply_dense(&x, self.width)?);
        Ok([found, reference::multiply(ring, matrix.view(), &x, self.width)])
    }
}

/// Compressed rows.
fn compressed<T: Copy>(entries: &BTreeMap<(usize, usize), T>, rows: usize, columns: usize) -> CsMat<T> {
    let mut offsets = vec![0; rows + 1];
    for &(row, _) in entries.keys() {
        offsets[row + 1] += 1;
    }
    for row in 0..rows {
        offsets[row + 1] += offsets[row];
    }
    let indices = entries.keys().map(|&(_, column)| column).collect();
    CsMat::new((rows, columns), offsets, indices, entries.values().copied().collect())
}
