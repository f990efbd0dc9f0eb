//! Reed-Solomon codes over the field of 65537 elements, by Lagrange's formula (Reed and Solomon, 1960).

use manycore_device::Device;
use manycore_field::{Field as _, PrimeField, Ring as _, Semiring as _};

use crate::combine::combine;
use crate::error::CodeError;

/// The modulus, `2^16 + 1`: words of 16 bits are residues, and one residue more may come in parity.
pub(crate) const MODULUS: u32 = 65537;

/// A code of `data + parity` rows of words modulo 65537, of which any `data` determine the others.
///
/// The words at one place of all rows are the values of a polynomial of degree below `data` at `0, 1, 2, ...`; the first
/// `data` rows are free.
///
/// ```
/// use manycore_codes::ErasureCode;
/// use manycore_device::Device;
///
/// let code = ErasureCode::new(&Device::from_env()?, 2, 1)?;
/// // Values of 1 + 2 x and of 3 + x at 0 and 1, and at 2.
/// assert_eq!(code.encode(&[1, 3, 3, 4])?, [5, 5]);
/// // The first row from the others.
/// assert_eq!(code.recover(&[(1, &[3, 4]), (2, &[5, 5])], &[0])?, [1, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ErasureCode {
    device: Device,
    field: PrimeField<u32>,
    data: usize,
    parity: usize,
}

impl ErasureCode {
    /// A code on a device.
    ///
    /// # Errors
    /// [`CodeError::Counts`] for no data rows or more than 65537 rows in all.
    pub fn new(device: &Device, data: usize, parity: usize) -> Result<Self, CodeError> {
        let wrong = CodeError::Counts { data, parity };
        if data == 0 || data.checked_add(parity).is_none_or(|rows| rows > MODULUS as usize) {
            return Err(wrong);
        }
        let Ok(field) = PrimeField::new(MODULUS) else { return Err(wrong) };
        Ok(Self { device: device.clone(), field, data, parity })
    }

    /// Rows that are free.
    pub fn data(&self) -> usize {
        self.data
    }

    /// Rows that follow from them.
    pub fn parity(&self) -> usize {
        self.parity
    }

    /// The parity rows of the data rows, one row behind the other; words are residues, of 16 bits if they are of files. A
    /// product and a sum for each word and parity row.
    ///
    /// # Errors
    /// [`CodeError::Rows`] for words that are not rows of equal length; [`CodeError::Device`].
    pub fn encode(&self, data: &[u32]) -> Result<Vec<u32>, CodeError> {
        if !data.len().is_multiple_of(self.data) {
            return Err(CodeError::Rows { words: data.len(), rows: self.data });
        }
        let from: Vec<usize> = (0..self.data).collect();
        let to: Vec<usize> = (self.data..self.data + self.parity).collect();
        Ok(combine(&self.device, self.field, &self.matrix(&from, &to), data, self.data)?)
    }

    /// The rows `wanted`, one behind the other, from rows that are there, of which the first `data` are taken.
    ///
    /// # Errors
    /// [`CodeError::TooFew`] for fewer rows than data; [`CodeError::Index`] for a row that the code does not have or that
    /// is given twice; [`CodeError::Rows`] for rows of different lengths; [`CodeError::Device`].
    pub fn recover(&self, present: &[(usize, &[u32])], wanted: &[usize]) -> Result<Vec<u32>, CodeError> {
        if present.len() < self.data {
            return Err(CodeError::TooFew { needed: self.data, present: present.len(), damaged: Vec::new() });
        }
        let present = &present[..self.data];
        let count = self.data + self.parity;
        let mut seen = vec![false; count];
        for &(index, _) in present {
            let seen = seen.get_mut(index).ok_or(CodeError::Index { index, count })?;
            if std::mem::replace(seen, true) {
                return Err(CodeError::Index { index, count });
            }
        }
        if let Some(&index) = wanted.iter().find(|&&index| index >= count) {
            return Err(CodeError::Index { index, count });
        }
        let words = present.first().map_or(0, |(_, row)| row.len());
        let mut rows = Vec::with_capacity(words * self.data);
        for (_, row) in present {
            rows.extend_from_slice(row);
        }
        if present.iter().any(|(_, row)| row.len() != words) {
            return Err(CodeError::Rows { words: rows.len(), rows: self.data });
        }
        let from: Vec<usize> = present.iter().map(|&(index, _)| index).collect();
        Ok(combine(&self.device, self.field, &self.matrix(&from, wanted), &rows, self.data)?)
    }

    /// Whether all rows, data rows first, are ones of the code, found out on the host by a sum of each row's words times random
    /// residues, which must be one of the code too: rows of a code always pass, others with a chance of `1 / 65537` for each
    /// such sum. `random` gives the residues, any words; `sums` of them are taken.
    ///
    /// # Errors
    /// [`CodeError::Rows`] for rows of different lengths, or not as many as the code has.
    pub fn is_codeword(
        &self,
        rows: &[&[u32]],
        sums: usize,
        mut random: impl FnMut() -> u32,
    ) -> Result<bool, CodeError> {
        let words = rows.first().map_or(0, |row| row.len());
        if rows.len() != self.data + self.parity || rows.iter().any(|row| row.len() != words) {
            return Err(CodeError::Rows { words: rows.iter().map(|row| row.len()).sum(), rows: rows.len() });
        }
        let from: Vec<usize> = (0..self.data).collect();
        let to: Vec<usize> = (self.data..self.data + self.parity).collect();
        let matrix = self.matrix(&from, &to);
        let field = self.field;
        let dot = |x: &[u32], y: &[u32]| x.iter().zip(y).fold(0, |sum, (&x, &y)| field.add(sum, field.mul(x, y)));
        Ok((0..sums).all(|_| {
            let factors: Vec<u32> = (0..words).map(|_| random() % MODULUS).collect();
            let sums: Vec<u32> = rows.iter().map(|row| dot(row, &factors)).collect();
            let (data, parity) = sums.split_at(self.data);
            matrix.chunks(self.data).zip(parity).all(|(row, &sum)| dot(row, data) == sum)
        }))
    }

    /// The matrix of Lagrange's formula: a row for each point `to`, with the factor of the value at each point `from`.
    fn matrix(&self, from: &[usize], to: &[usize]) -> Vec<u32> {
        let field = self.field;
        let point = |index: usize| index as u32;
        // The product of the differences to the other points, for each point.
        let slopes: Vec<u32> = from
            .iter()
            .enumerate()
            .map(|(i, &a)| {
                let others = from.iter().enumerate().filter(|&(j, _)| j != i);
                others.fold(field.one(), |slope, (_, &b)| field.mul(slope, field.sub(point(a), point(b))))
            })
            .collect();
        let mut matrix = Vec::with_capacity(from.len() * to.len());
        for &w in to {
            let differences: Vec<u32> = from.iter().map(|&a| field.sub(point(w), point(a))).collect();
            if let Some(same) = differences.iter().position(|&d| d == 0) {
                matrix.extend((0..from.len()).map(|i| u32::from(i == same)));
                continue;
            }
            let product = differences.iter().fold(field.one(), |product, &d| field.mul(product, d));
            matrix.extend(differences.iter().zip(&slopes).map(|(&d, &slope)| {
                // Points are different, so that the quotient is one.
                field.inverse(field.mul(d, slope)).map_or(0, |inverse| field.mul(product, inverse))
            }));
        }
        matrix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_give_polynomials_their_values() {
        let code = ErasureCode::new(&Device::host(), 4, 3).unwrap();
        let field = code.field;
        let value = |x: u32| field.add(5, field.mul(x, field.add(7, field.mul(x, field.mul(x, 65_000)))));
        let (from, to) = ([6, 0, 3, 2], [1, 3, 4, 5]);
        let matrix = code.matrix(&from, &to);
        for (row, &w) in matrix.chunks(4).zip(&to) {
            let products = row.iter().zip(&from).map(|(&factor, &a)| field.mul(factor, value(a as u32)));
            assert_eq!(products.fold(0, |sum, product| field.add(sum, product)), value(w as u32));
        }
        assert_eq!(matrix[4..8], [0, 0, 1, 0]);
    }

    #[test]
    fn rows_that_are_none_of_the_code_are_found() {
        let code = ErasureCode::new(&Device::host(), 3, 2).unwrap();
        let data: Vec<u32> = (0..30).map(|i| i * i * 777 % MODULUS).collect();
        let parity = code.encode(&data).unwrap();
        let mut rows: Vec<Vec<u32>> = data.chunks(10).chain(parity.chunks(10)).map(<[u32]>::to_vec).collect();
        let check = |rows: &[Vec<u32>]| {
            let mut state = 1u32;
            let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
            code.is_codeword(&rows, 5, || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> 8
            })
        };
        assert_eq!(check(&rows), Ok(true));
        for row in 0..5 {
            rows[row][7] ^= 1;
            assert_eq!(check(&rows), Ok(false), "row {row}");
            rows[row][7] ^= 1;
        }
        assert_eq!(check(&rows[1..]), Err(CodeError::Rows { words: 40, rows: 4 }));
    }

    #[test]
    fn bad_counts_and_rows_are_told() {
        let device = Device::host();
        for (data, parity) in [(0, 3), (65_537, 1), (usize::MAX, 2)] {
            assert_eq!(ErasureCode::new(&device, data, parity).unwrap_err(), CodeError::Counts { data, parity });
        }
        let code = ErasureCode::new(&device, 2, 1).unwrap();
        assert_eq!(code.encode(&[1, 2, 3]).unwrap_err(), CodeError::Rows { words: 3, rows: 2 });
        let row: &[u32] = &[1];
        let few = code.recover(&[(0, row)], &[1]).unwrap_err();
        assert_eq!(few, CodeError::TooFew { needed: 2, present: 1, damaged: Vec::new() });
        let twice = code.recover(&[(0, row), (0, row)], &[1]).unwrap_err();
        assert_eq!(twice, CodeError::Index { index: 0, count: 3 });
        assert_eq!(code.recover(&[(0, row), (1, row)], &[3]).unwrap_err(), CodeError::Index { index: 3, count: 3 });
        let uneven = code.recover(&[(0, row), (1, &[1, 2])], &[2]).unwrap_err();
        assert_eq!(uneven, CodeError::Rows { words: 3, rows: 2 });
    }
}
