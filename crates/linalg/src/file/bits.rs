//! Matrices of bits in files: the formats with a head are read entry by entry into words of 64 entries, so that a sparse file
//! takes the memory of its matrix of bits and no more.

use manycore_device::{DeviceError, Executor, zeroed_words};
use manycore_files::{DecimalInteger, MatrixEntry, MatrixFormat, MatrixText, RepeatedEntries, Source, Text};

use super::entry::Dense;
use super::error::{MatrixFileError, of_matrix};
use super::read_as;
use crate::bits::{BitAlgebra, BitMatrix, WORD_BITS, word_count, words_per_row};

impl BitAlgebra {
    /// Reads a matrix of integers modulo 2 from an opened file: text, Matrix Market, SMS, Harwell-Boeing or an array. Of formats with
    /// a head, memory is that of the file and of the matrix, a bit an entry.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_files::Source;
    /// use manycore_linalg::bits::BitAlgebra;
    /// let space = BitAlgebra::new(&Device::from_env()?);
    /// let text = "2 100000 M\n1 100000 1\n2 1 1\n0 0 0\n";
    /// assert_eq!(space.rank(&space.read_from(Source::matrix("a.sms", text.as_bytes())?)?)?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`residues`](super::residues); [`MatrixFileError::Matrix`] for too little memory or when the device fails.
    pub fn read_from(&self, source: Source<'_>) -> Result<BitMatrix, MatrixFileError> {
        match source {
            Source::Text(text) if MatrixFormat::of(text.as_str()).is_some() => self.with_head(&text),
            // A text has a character an entry at least, and an array a byte.
            source => {
                let file = source.file().to_owned();
                let Dense { rows, columns, entries } =
                    read_as(source, Some(2), &0u32, |value: DecimalInteger| value.residue(2) as u32)?;
                self.of_residues(rows, columns, &entries).map_err(|error| of_matrix(&file, error))
            }
        }
    }

    fn with_head(&self, text: &Text) -> Result<BitMatrix, MatrixFileError> {
        let read = MatrixText::new(text.as_str().as_bytes(), text.file())?;
        let (rows, columns) = (read.head().rows, read.head().columns);
        let fault = |error: DeviceError| of_matrix(text.file(), error);
        let len = word_count(rows, columns).map_err(|error| of_matrix(text.file(), error))?;
        let buffer = match self.device().executor() {
            Executor::Host(_) => {
                let mut buffer = self.device().zeros(len).map_err(fault)?;
                set(read, columns, buffer.host_mut().map_err(fault)?)?;
                buffer
            }
            Executor::OpenCl(_) => {
                let mut words = zeroed_words(len).map_err(fault)?;
                set(read, columns, &mut words)?;
                self.device().upload(&words).map_err(fault)?
            }
        };
        Ok(BitMatrix::of(buffer, rows, columns))
    }
}

/// Sets the bits of entries that are odd, in rows of whole words.
fn set(read: MatrixText<'_>, columns: usize, words: &mut [u64]) -> Result<(), MatrixFileError> {
    let stride = words_per_row(columns);
    read.entries(RepeatedEntries::Refuse, |entry: MatrixEntry<DecimalInteger>| {
        let (row, column) = (entry.row as usize, entry.column as usize);
        words[row * stride + column / WORD_BITS] |= entry.value.residue(2) << (column % WORD_BITS);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;

    use super::super::residues;
    use super::*;

    #[test]
    fn bits_are_the_residues_modulo_2() {
        let space = BitAlgebra::new(&Device::host());
        let field = PrimeField::<u32>::new(2).unwrap();
        let coordinates = "%%MatrixMarket matrix coordinate integer general\n";
        for text in [
            "3 130 M\n1 1 1\n1 64 1\n2 65 1\n3 130 1\n3 2 0\n0 0 0\n".to_owned(),
            format!("{coordinates}2 64 3\n1 64 1\n2 64 1\n2 1 1\n"),
            format!("{coordinates}0 5 0\n"),
            "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n".to_owned(),
            "%%MatrixMarket matrix array integer general\n2 2\n1\n0\n0\n1\n".to_owned(),
            "1 0 1\n0 1 1\n".to_owned(),
            "2 3 M\n1 2 1\n2 1 -1\n2 3 2\n0 0 0\n".to_owned(),
            format!("{coordinates}2 2 2\n1 1 340282366920938463463374607431768211457\n2 1 18446744073709551616\n"),
            "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n4\n-1\n7\n".to_owned(),
            "3 -1 2.0\n0 5 18446744073709551617\n".to_owned(),
            String::new(),
        ] {
            let source = || Source::matrix("a", text.as_bytes()).unwrap();
            let bits = space.read_from(source()).unwrap();
            let expected = residues(&field, source()).unwrap();
            assert_eq!(bits.shape(), (expected.rows, expected.columns), "{text}");
            assert_eq!(space.residues::<u32>(&bits).unwrap(), expected.entries, "{text}");
        }
        // Integers that are no residues are reduced.
        for text in ["2 3 M\n1 1 -1\n1 2 4\n2 3 7\n0 0 0\n", "-1 4 0\n0 -2 7\n"] {
            let bits = space.read_from(Source::matrix("a", text.as_bytes()).unwrap()).unwrap();
            assert_eq!(space.residues::<u32>(&bits).unwrap(), [1, 0, 0, 0, 0, 1]);
        }
    }
}
