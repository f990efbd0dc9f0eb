//! Lagrange's formula modulo 65537, for parts of form 1.

use std::io;

use manycore_field::{Field as _, PrimeField, Ring as _, Semiring as _};

/// The modulus, `2^16 + 1`: words of 16 bits are residues, and one residue more may come in parity.
pub(super) const MODULUS: u32 = 65_537;

/// The field of 65537 elements, which is a prime.
fn field() -> Option<PrimeField<u32>> {
    PrimeField::new(MODULUS).ok()
}

/// The factors of the values at the points `from` in that at the point `to`, which is none of them.
pub(super) fn factors(from: &[usize], to: usize) -> Vec<u32> {
    let Some(field) = field() else { return Vec::new() };
    let product = |differences: &mut dyn Iterator<Item = u32>| differences.fold(field.one(), |x, y| field.mul(x, y));
    let difference = |a: usize, b: usize| field.sub(a as u32, b as u32);
    let above = product(&mut from.iter().map(|&a| difference(to, a)));
    let slope = |a: usize| product(&mut from.iter().filter(|&&b| b != a).map(|&b| difference(a, b)));
    // Points are different, so that no product is zero.
    let mut factors: Vec<u32> = from.iter().map(|&a| field.mul(difference(to, a), slope(a))).collect();
    if field.invert_all(&mut factors).is_err() {
        return Vec::new();
    }
    for factor in &mut factors {
        *factor = field.mul(*factor, above);
    }
    factors
}

/// The sum of rows of residues times factors, as words; the residue 65536, which no data part has, as 0.
///
/// # Errors
/// Those of reading a row.
pub(super) fn combine(
    factors: &[u32],
    words: usize,
    out: &mut [u8],
    mut read: impl FnMut(usize, &mut [u32]) -> io::Result<()>,
) -> io::Result<()> {
    let (mut sums, mut row) = (vec![0; words], vec![0; words]);
    for (at, &factor) in factors.iter().enumerate() {
        read(at, &mut row)?;
        if let Some(field) = field() {
            // Both rows are equally long.
            let _ = field.slices().add_scaled(&mut sums, factor, &row);
        }
    }
    for (word, sum) in out.as_chunks_mut::<2>().0.iter_mut().zip(&sums) {
        *word = (*sum as u16).to_le_bytes();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_give_polynomials_their_values() {
        let field = field().unwrap();
        let value = |x: u32| field.add(5, field.mul(x, field.add(7, field.mul(x, field.mul(x, 65_000)))));
        let from = [6, 0, 3, 2];
        for to in [1, 4, 5] {
            let products =
                factors(&from, to).into_iter().zip(from).map(|(factor, a)| field.mul(factor, value(a as u32)));
            assert_eq!(products.fold(0, |sum, product| field.add(sum, product)), value(to as u32));
        }
    }
}
