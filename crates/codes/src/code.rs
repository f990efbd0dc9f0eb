//! Reed-Solomon codes over the field of 2^16 elements, by Lagrange's formula (Reed and Solomon, 1960).

use manycore_device::{Device, checkpoint};

use crate::combine::combine;
use crate::error::CodeError;
use crate::lagrange::Lagrange;

/// The most rows of a code: elements of the field.
pub(crate) const MOST_ROWS: usize = 1 << 16;

/// A code of `data + parity` rows of words of the field of `2^16` elements, of which any `data` determine the others.
///
/// The words at one place of all rows are the values of a polynomial of degree below `data` at the points `0, 1, 2, ...`, the words
/// of the field as numbers ([`BinaryField16`](manycore_field::BinaryField16)); the first `data` rows are free. Rows are bytes, two a
/// word, the low one first.
///
/// ```
/// use manycore_codes::ErasureCode;
/// use manycore_device::Device;
///
/// let code = ErasureCode::new(&Device::from_env()?, 2, 1)?;
/// // Values of 1 + 2 x and of 3 + 7 x at 0 and 1, and at 2.
/// assert_eq!(code.encode(&[1, 0, 3, 0, 3, 0, 4, 0])?, [1 ^ 4, 0, 3 ^ 14, 0]);
/// // The first row from the others.
/// assert_eq!(code.recover(&[(1, &[3, 0, 4, 0]), (2, &[5, 0, 13, 0])], &[0])?, [1, 0, 3, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ErasureCode {
    device: Device,
    data: usize,
    parity: usize,
    /// From the data rows to the parity rows.
    encoder: Lagrange,
}

impl ErasureCode {
    /// A code on a device.
    ///
    /// # Errors
    /// [`CodeError::Counts`] for no data rows or more than 65536 rows in all; [`CodeError::Device`].
    pub fn new(device: &Device, data: usize, parity: usize) -> Result<Self, CodeError> {
        check_counts(data, parity)?;
        let (from, to): (Vec<_>, Vec<_>) = (0..data + parity).partition(|&row| row < data);
        Ok(Self { device: device.clone(), data, parity, encoder: Lagrange::new(&from, &to)? })
    }

    /// Rows that are free.
    pub fn data(&self) -> usize {
        self.data
    }

    /// Rows that follow from them.
    pub fn parity(&self) -> usize {
        self.parity
    }

    /// The parity rows of the data rows, one row behind the other. A product and a sum for each word and parity row.
    ///
    /// # Errors
    /// [`CodeError::Rows`] for bytes that are not rows of an equal and even number; [`CodeError::Device`].
    pub fn encode(&self, data: &[u8]) -> Result<Vec<u8>, CodeError> {
        if !data.len().is_multiple_of(2 * self.data) {
            return Err(CodeError::Rows { bytes: data.len(), rows: self.data });
        }
        let len = data.len() / self.data;
        let rows: Vec<&[u8]> = (0..self.data).map(|row| &data[row * len..][..len]).collect();
        let mut parity = vec![0; len * self.parity];
        let mut out: Vec<&mut [u8]> = parity.chunks_mut(len.max(1)).collect();
        self.encode_rows(&rows, &mut out)?;
        Ok(parity)
    }

    /// [`ErasureCode::encode`] from rows to rows, wherever they are.
    ///
    /// # Errors
    /// As [`ErasureCode::encode`].
    pub fn encode_rows(&self, data: &[&[u8]], parity: &mut [&mut [u8]]) -> Result<(), CodeError> {
        checkpoint()?;
        let len = data.first().map_or(0, |row| row.len());
        check_rows(data, self.data, len)?;
        if len > 0 {
            check_rows(parity, self.parity, len)?;
        }
        for row in parity.iter_mut() {
            row.fill(0);
        }
        Ok(combine(&self.device, &self.encoder, data, parity)?)
    }

    /// The rows `wanted`, one behind the other, from rows that are there, of which the first `data` are taken.
    ///
    /// # Errors
    /// [`CodeError::TooFew`] for fewer rows than data; [`CodeError::Index`] for a row that the code does not have or that
    /// is given twice; [`CodeError::Rows`] for rows of different or odd lengths; [`CodeError::Device`].
    pub fn recover(&self, present: &[(usize, &[u8])], wanted: &[usize]) -> Result<Vec<u8>, CodeError> {
        let (indices, rows): (Vec<usize>, Vec<&[u8]>) = present.iter().take(self.data).copied().unzip();
        let recovery = self.recovery(&indices, wanted)?;
        let len = rows.first().map_or(0, |row| row.len());
        let mut found = vec![0; len * wanted.len()];
        let mut out: Vec<&mut [u8]> = found.chunks_mut(len.max(1)).collect();
        self.recover_rows(&recovery, &rows, &mut out)?;
        Ok(found)
    }

    /// What [`ErasureCode::recover_rows`] needs to find the rows `wanted` from the first `data` of `present`; it serves for many
    /// rows.
    ///
    /// # Errors
    /// [`CodeError::TooFew`]; [`CodeError::Index`]; [`CodeError::Device`].
    pub fn recovery(&self, present: &[usize], wanted: &[usize]) -> Result<Recovery, CodeError> {
        let Some(present) = present.get(..self.data) else {
            return Err(CodeError::TooFew { needed: self.data, present: present.len(), left_out: Vec::new() });
        };
        let count = self.data + self.parity;
        let mut seen = vec![false; count];
        for &index in present {
            let seen = seen.get_mut(index).ok_or(CodeError::Index { index, count })?;
            if std::mem::replace(seen, true) {
                return Err(CodeError::Index { index, count });
            }
        }
        if let Some(&index) = wanted.iter().find(|&&index| index >= count) {
            return Err(CodeError::Index { index, count });
        }
        Ok(Recovery(Lagrange::new(present, wanted)?))
    }

    /// Computes wanted rows from present ones, in the order of the [`Recovery`].
    ///
    /// # Errors
    /// [`CodeError::Rows`] for another number of rows, or different or odd lengths; [`CodeError::Device`].
    pub fn recover_rows(&self, by: &Recovery, present: &[&[u8]], wanted: &mut [&mut [u8]]) -> Result<(), CodeError> {
        checkpoint()?;
        let len = present.first().map_or(0, |row| row.len());
        check_rows(present, by.0.inputs(), len)?;
        if len > 0 {
            check_rows(wanted, by.0.outputs(), len)?;
        }
        for row in wanted.iter_mut() {
            row.fill(0);
        }
        Ok(combine(&self.device, &by.0, present, wanted)?)
    }
}

/// Factors that find lost rows ([`ErasureCode::recovery`]).
#[derive(Debug, Clone)]
pub struct Recovery(Lagrange);

/// Checks that a code of `data` data rows and `parity` parity rows exists.
pub(crate) fn check_counts(data: usize, parity: usize) -> Result<(), CodeError> {
    if data == 0 || data.checked_add(parity).is_none_or(|rows| rows > MOST_ROWS) {
        return Err(CodeError::Counts { data, parity });
    }
    Ok(())
}

fn check_rows<R: AsRef<[u8]>>(rows: &[R], count: usize, len: usize) -> Result<(), CodeError> {
    if rows.len() == count && len.is_multiple_of(2) && rows.iter().all(|row| row.as_ref().len() == len) {
        return Ok(());
    }
    Err(CodeError::Rows { bytes: rows.iter().map(|row| row.as_ref().len()).sum(), rows: count })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::interpolate;

    fn bytes(len: usize) -> Vec<u8> {
        (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
    }

    fn word(row: &[u8], w: usize) -> u16 {
        u16::from_le_bytes([row[2 * w], row[2 * w + 1]])
    }

    #[test]
    fn parity_rows_are_values_of_the_polynomials_through_the_data() {
        for (data, parity, words) in [(1, 3, 2), (3, 2, 5), (7, 9, 33), (70, 3, 2)] {
            let code = ErasureCode::new(&Device::host(), data, parity).unwrap();
            let rows = bytes(2 * words * data);
            let found = code.encode(&rows).unwrap();
            let row = |i: usize| &rows[2 * words * i..][..2 * words];
            for w in 0..words {
                let values: Vec<(u16, u16)> = (0..data).map(|i| (i as u16, word(row(i), w))).collect();
                for j in 0..parity {
                    let expected = interpolate(&values, (data + j) as u16);
                    assert_eq!(Some(word(&found[2 * words * j..], w)), expected, "{data} + {parity}: {j}, {w}");
                }
            }
        }
    }

    /// More rows than are handled one by one: differences by transforms, and the last rows that the field has.
    #[test]
    fn the_largest_codes_find_lost_rows() {
        let (data, parity) = (5000, 60_536);
        let code = ErasureCode::new(&Device::host(), data, parity).unwrap();
        let rows = bytes(2 * data);
        let values: Vec<(u16, u16)> = (0..data).map(|i| (i as u16, word(&rows, i))).collect();
        let present: Vec<(usize, &[u8])> = (0..data).map(|i| (i, &rows[2 * i..][..2])).collect();
        let found = code.recover(&present, &[65_535, 5000, 17]).unwrap();
        assert_eq!(Some(word(&found, 0)), interpolate(&values, 65_535));
        assert_eq!(Some(word(&found, 1)), interpolate(&values, 5000));
        assert_eq!(word(&found, 2), word(&rows, 17));
    }

    #[test]
    fn bad_counts_and_rows_are_told() {
        let device = Device::host();
        for (data, parity) in [(0, 3), (65_536, 1), (usize::MAX, 2)] {
            assert_eq!(ErasureCode::new(&device, data, parity).unwrap_err(), CodeError::Counts { data, parity });
        }
        let code = ErasureCode::new(&device, 2, 1).unwrap();
        assert_eq!(code.encode(&[1, 2, 3, 4, 5, 6]).unwrap_err(), CodeError::Rows { bytes: 6, rows: 2 });
        assert!(code.encode(&[]).unwrap().is_empty());
        let row: &[u8] = &[1, 0];
        let few = code.recover(&[(0, row)], &[1]).unwrap_err();
        assert_eq!(few, CodeError::TooFew { needed: 2, present: 1, left_out: Vec::new() });
        let twice = code.recover(&[(0, row), (0, row)], &[1]).unwrap_err();
        assert_eq!(twice, CodeError::Index { index: 0, count: 3 });
        assert_eq!(code.recover(&[(0, row), (1, row)], &[3]).unwrap_err(), CodeError::Index { index: 3, count: 3 });
        let uneven = code.recover(&[(0, row), (1, &[1, 2, 3, 4])], &[2]).unwrap_err();
        assert_eq!(uneven, CodeError::Rows { bytes: 6, rows: 2 });
    }
}
