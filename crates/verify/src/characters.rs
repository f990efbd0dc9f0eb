//! The checks of character tables: each entry computed again from the definition on the host.
//!
//! For the group `C_n1 x ... x C_nk`, whose elements and characters are numbered with the first factor's digit the most
//! significant, entry `(w, z)` is a root of unity to the power `E = sum of w_j z_j L / n_j` modulo the least common multiple `L` of
//! the factors. Along a row `E` grows by `w_k L / n_k` with each element, and by `w_j L / n_j` more with each carry into digit `j`,
//! since `n_j` times a step is a multiple of `L`: additions alone, exact.

mod root;

use std::ops::Range;

use manycore_field::ResidueWord;

use crate::modulus::Modulus;
use crate::threads::each_run;
use crate::{CheckError, Outcome, Passed};
use root::unit_root;

/// A part of the table of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile<'a> {
    /// The orders of the cyclic factors, the most significant first.
    pub factors: &'a [u64],
    /// The characters that are its rows.
    pub rows: Range<u64>,
    /// The elements that are its columns.
    pub columns: Range<u64>,
}

/// The largest `L` whose tables are checked: two exponents have a sum of 64 bits, and a trial division of it is short.
const LARGEST_EXPONENT: u64 = 1 << 32;

impl Tile<'_> {
    /// The least common multiple of the factors.
    ///
    /// # Errors
    /// [`CheckError::Shape`] for factors that are no group of an order below `2^64` and an exponent of at most `2^32`, or ranges that
    /// are not within its table.
    fn exponent(&self) -> Result<u64, CheckError> {
        let mut sizes = Some((1u64, 1u64));
        for &n in self.factors {
            sizes = sizes.and_then(|(order, exponent)| {
                let common = gcd(exponent, n);
                Some((order.checked_mul(n)?, exponent.checked_mul(n.checked_div(common)?)?))
            });
        }
        let within = |range: &Range<u64>, order| range.start <= range.end && range.end <= order;
        match sizes {
            Some((order, exponent))
                if order > 0
                    && exponent <= LARGEST_EXPONENT
                    && within(&self.rows, order)
                    && within(&self.columns, order) =>
            {
                Ok(exponent)
            }
            _ => {
                let Self { factors, rows, columns } = self;
                Err(CheckError::Shape {
                    what: format!("rows {rows:?} and columns {columns:?} of the table of factors {factors:?}"),
                })
            }
        }
    }

    /// Calls `check` for each row with its place, the exponents of its entries, and the entries.
    fn each_row<T: Sync>(
        &self,
        entries: &[T],
        check: impl Fn(usize, Exponents, &[T]) -> Result<(), CheckError> + Sync,
    ) -> Result<(), CheckError> {
        let exponent = self.exponent()?;
        let (height, width) = (self.rows.end - self.rows.start, self.columns.end - self.columns.start);
        let expected = u128::from(height) * u128::from(width);
        if entries.len() as u128 != expected {
            let expected = usize::try_from(expected).unwrap_or(usize::MAX);
            return Err(CheckError::Length { found: entries.len(), expected });
        }
        if width == 0 {
            return Ok(());
        }
        let width = width as usize;
        each_run(entries.len() / width, width, |row| {
            let exponents = Exponents::new(self, exponent, self.rows.start + row as u64);
            check(row, exponents, &entries[row * width..][..width])
        })
    }
}

/// Exponents along a row.
struct Exponents {
    /// For each digit, the last one first: its factor, its value, and what one more adds to the exponent.
    digits: Vec<(u64, u64, u64)>,
    modulus: u64,
    exponent: u64,
}

impl Exponents {
    /// From the first column of the tile on.
    fn new(tile: &Tile<'_>, modulus: u64, character: u64) -> Self {
        let (mut w, mut z) = (character, tile.columns.start);
        let mut digits = Vec::with_capacity(tile.factors.len());
        let mut exponent = 0;
        for &n in tile.factors.iter().rev() {
            let step = (u128::from(w % n) * u128::from(modulus / n) % u128::from(modulus)) as u64;
            digits.push((n, z % n, step));
            exponent = ((u128::from(exponent) + u128::from(z % n) * u128::from(step)) % u128::from(modulus)) as u64;
            (w, z) = (w / n, z / n);
        }
        Self { digits, modulus, exponent }
    }

    /// Returns the exponent of the present element, and moves on to the next one.
    fn next(&mut self) -> u64 {
        let now = self.exponent;
        for (n, digit, step) in &mut self.digits {
            self.exponent += *step;
            if self.exponent >= self.modulus {
                self.exponent -= self.modulus;
            }
            *digit += 1;
            if *digit < *n {
                break;
            }
            *digit = 0;
        }
        now
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether `entries`, row after row, are the exponents of the characters' values. No wrong table passes. A few additions an
/// entry.
///
/// ```
/// use manycore_verify::characters::{self, Tile};
/// let tile = Tile { factors: &[2, 3], rows: 4..5, columns: 0..6 };
/// assert!(characters::check_exponents(&tile, &[0u8, 2, 4, 3, 5, 1]).is_ok());
/// assert!(characters::check_exponents(&tile, &[0u8, 2, 4, 3, 1, 5]).is_err());
/// ```
///
/// # Errors
/// [`CheckError::Length`] and [`CheckError::Value`] for a wrong table, the run being the row's place among the rows;
/// [`CheckError::Shape`] for factors that are no group of an order below `2^64` and an exponent of at most `2^32`, or ranges that
/// its table lacks.
pub fn check_exponents<T: Copy + Sync + Into<u64>>(tile: &Tile<'_>, entries: &[T]) -> Outcome {
    tile.each_row(entries, |run, mut exponents, row| {
        for (index, &found) in row.iter().enumerate() {
            let expected = exponents.next();
            if found.into() != expected {
                return Err(CheckError::Value {
                    run,
                    index,
                    found: found.into().to_string(),
                    expected: expected.to_string(),
                });
            }
        }
        Ok(())
    })?;
    Ok(Passed::by_second_computation("every entry by the definition"))
}

/// Whether `entries`, row after row, are the powers of `root` modulo the prime `p`, whose order is the least common multiple of the
/// factors. No wrong table passes. A product an entry.
///
/// # Errors
/// As [`check_exponents`]; [`CheckError::Shape`] too for a `p` that is no prime, and a `root` of another order.
pub fn check_residues<T: ResidueWord>(tile: &Tile<'_>, p: u64, root: u64, entries: &[T]) -> Outcome {
    let modulus = Modulus::new(p)?;
    let order = tile.exponent()?;
    if !modulus.has_order(root, order) {
        return Err(CheckError::Shape {
            what: format!("residues modulo {p} with {root} as root of unity of order {order}"),
        });
    }
    tile.each_row(entries, |run, mut exponents, row| {
        // What a step of each digit multiplies with.
        let mut power = modulus.power(root, exponents.exponent);
        let steps: Vec<u64> = exponents.digits.iter().map(|&(.., step)| modulus.power(root, step)).collect();
        for (index, found) in row.iter().enumerate() {
            if found.as_u64() != power {
                return Err(CheckError::Value { run, index, found: found.to_string(), expected: power.to_string() });
            }
            let carries = exponents.digits.iter().take_while(|(n, digit, _)| digit + 1 == *n).count();
            exponents.next();
            for &step in steps.iter().take(carries + 1) {
                power = modulus.mul(power, step);
            }
        }
        Ok(())
    })?;
    Ok(Passed::by_second_computation("every entry by the definition"))
}

/// How complex entries are rounded.
#[derive(Clone, Copy)]
pub enum Rounding<'a, T> {
    /// Each entry is this function of its exponent, to the last bit, and the function is within four units of the last place of
    /// the root in each part.
    Roots(&'a (dyn Fn(u64) -> [T; 2] + Sync)),
    /// Each entry is a product of as many rounded roots as there are factors: each part within two roundings for each factor, and
    /// two more, of the root.
    Products,
}

impl<T> std::fmt::Debug for Rounding<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Roots(_) => "Roots",
            Self::Products => "Products",
        })
    }
}

/// Whether `entries`, row after row, are the complex roots of unity `exp(2 pi i E / L)`, real part first. With rounded roots no
/// entry passes that differs in one bit; of products of roots none that is off by more than their rounding. A root takes some 30
/// operations.
///
/// # Errors
/// As [`check_exponents`], and [`CheckError::Bound`] and [`CheckError::NotFinite`] for entries that are not near their roots; the
/// index counts parts, two for each entry.
pub fn check_complex<T: crate::Real>(tile: &Tile<'_>, entries: &[[T; 2]], rounding: Rounding<'_, T>) -> Outcome {
    let order = tile.exponent()?;
    let factors = tile.factors.iter().filter(|&&n| n > 1).count().max(1) as f64;
    tile.each_row(entries, |run, mut exponents, row| {
        for (column, &found) in row.iter().enumerate() {
            let power = exponents.next();
            let expected = unit_root(power, order);
            for part in 0..2 {
                let bound = match rounding {
                    Rounding::Roots(_) => 8.0 * T::ROUNDOFF * expected[part].abs(),
                    Rounding::Products => 4.0 * T::ROUNDOFF * (factors + 1.0),
                };
                let index = 2 * column + part;
                let value: f64 = found[part].into();
                if !value.is_finite() {
                    return Err(CheckError::NotFinite { run, index, found: value, overflow: false });
                }
                if (value - expected[part]).abs() > bound {
                    return Err(CheckError::Bound { run, index, found: value, expected: expected[part], bound });
                }
            }
            if let Rounding::Roots(root) = rounding {
                let expected = root(power);
                for part in 0..2 {
                    let (found, expected): (f64, f64) = (found[part].into(), expected[part].into());
                    // The bits distinguish zeros of both signs, too; single precision is exact in double precision.
                    if found.to_bits() != expected.to_bits() {
                        let (index, found, expected) =
                            (2 * column + part, format!("{found:e}"), format!("{expected:e}"));
                        return Err(CheckError::Value { run, index, found, expected });
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok(Passed::by_second_computation(match rounding {
        Rounding::Roots(_) => "every entry by the definition, to the last bit",
        Rounding::Products => "every entry by the definition, within the rounding of products of roots",
    }))
}

#[cfg(test)]
mod tests;
