//! Rows in echelon form by which others are reduced: with sums of products that are reduced once, instead of a product and a
//! reduction for each entry and pivot.
//!
//! A row `x` loses its entries at the places of the pivots when `f_k u_k` is subtracted for each row `u_k` of the form. The factors
//! come first, one after the other, from the places of the pivots alone:
//!
//! ```text
//! f_k = (x[place_k] - sum over j < k of f_j u_j[place_k]) / u_k[place_k]
//! x[c] -= sum over k of f_k u_k[c]        for each other place c
//! ```

use crate::modulus::Modulus;

/// The rows, column after column.
pub(super) struct Echelon {
    modulus: Modulus,
    /// The most rows.
    most: usize,
    /// For each place the entries of all rows, `most` words apart.
    columns: Vec<u64>,
    /// The rows' places, and the inverses of their entries there.
    pivots: Vec<(usize, u64)>,
}

impl Echelon {
    /// A form without rows, for up to `most` of them with `width` entries each; the memory is the caller's to ask for.
    pub(super) fn new(modulus: Modulus, most: usize, columns: Vec<u64>) -> Self {
        Self { modulus, most, columns, pivots: Vec::with_capacity(most) }
    }

    pub(super) fn pivots(&self) -> &[(usize, u64)] {
        &self.pivots
    }

    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        self.pivots.clear();
    }

    /// The entries of all rows at a place.
    fn column(&self, place: usize) -> &[u64] {
        &self.columns[place * self.most..][..self.pivots.len()]
    }

    /// The multiples of the rows that a row is reduced by.
    pub(super) fn factors(&self, row: &[u64]) -> Vec<u64> {
        let mut factors = Vec::with_capacity(self.pivots.len());
        for &(place, inverse) in &self.pivots {
            let known = self.modulus.dot(&factors, &self.column(place)[..factors.len()]);
            factors.push(self.modulus.mul(self.modulus.sub(row[place], known), inverse));
        }
        factors
    }

    /// Subtracts these multiples from a row, at some places.
    pub(super) fn reduce(&self, row: &mut [u64], factors: &[u64], places: &[usize]) {
        for &place in places {
            row[place] = self.modulus.sub(row[place], self.modulus.dot(factors, self.column(place)));
        }
    }

    /// Adds a row that was reduced, with an entry other than 0 at a place; entries are looked at in `places` alone.
    pub(super) fn push(&mut self, row: &[u64], place: usize, places: &[usize]) {
        let index = self.pivots.len();
        // Rows are 0 at the places of those before.
        for &(earlier, _) in &self.pivots {
            self.columns[earlier * self.most + index] = 0;
        }
        for &other in places {
            self.columns[other * self.most + index] = row[other];
        }
        self.pivots.push((place, self.modulus.inverse(row[place])));
    }
}
