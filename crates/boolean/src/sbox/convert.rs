//! S-boxes from slices, vectors and arrays of outputs, and as text.

use std::fmt;
use std::str::FromStr;

use super::SBox;
use crate::error::TableError;

macro_rules! from_outputs {
    ($($from:ty $([$len:ident])?),* $(,)?) => {
        $(
            /// The S-box with these outputs, of as many output bits as the largest one needs: as [`SBox::from_values`].
            impl<$(const $len: usize)?> TryFrom<$from> for SBox {
                type Error = TableError;

                fn try_from(outputs: $from) -> Result<Self, TableError> {
                    Self::from_values(outputs.iter().copied().map(u16::from).collect())
                }
            }
        )*
    };
}

from_outputs!(&[u8], &[u16], &Vec<u8>, &Vec<u16>, &[u8; N][N], &[u16; N][N], [u8; N][N], [u16; N][N], Vec<u8>);

/// The S-box with these outputs, of as many output bits as the largest one needs: as [`SBox::from_values`].
impl TryFrom<Vec<u16>> for SBox {
    type Error = TableError;

    fn try_from(outputs: Vec<u16>) -> Result<Self, TableError> {
        Self::from_values(outputs)
    }
}

/// The S-box with these outputs in hexadecimal, as its `Display` writes them: as [`SBox::parse`] with base 16.
///
/// ```
/// use manycore_boolean::SBox;
/// let present: SBox = "c 5 6 b 9 0 a d 3 e f 8 4 7 1 2".parse()?;
/// assert_eq!(present.values()[..4], [0xc, 5, 6, 0xb]);
/// # Ok::<(), manycore_boolean::TableError>(())
/// ```
impl FromStr for SBox {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self, TableError> {
        Self::parse(text, 16)
    }
}

/// The outputs in hexadecimal digits, 16 a line, `S(0)` first, each as wide as the largest possible one. [`SBox::parse`] with base
/// 16 reads them back where the largest output needs all output bits.
///
/// ```
/// use manycore_boolean::SBox;
/// let present = SBox::try_from([0xc, 5, 6, 0xb, 9, 0, 0xa, 0xd, 3, 0xe, 0xf, 8, 4, 7, 1, 2u8])?;
/// assert_eq!(present.to_string(), "c 5 6 b 9 0 a d 3 e f 8 4 7 1 2");
/// # Ok::<(), manycore_boolean::TableError>(())
/// ```
impl fmt::Display for SBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.output_bits().div_ceil(4) as usize;
        for (i, y) in self.values().iter().enumerate() {
            let separator = match i {
                0 => "",
                i if i % 16 == 0 => "\n",
                _ => " ",
            };
            write!(f, "{separator}{y:0width$x}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_outputs_gives_the_same() {
        let expected = SBox::from_values(vec![3, 0, 1, 2]);
        let (bytes, words) = ([3u8, 0, 1, 2], [3u16, 0, 1, 2]);
        assert_eq!(SBox::try_from(bytes), expected);
        assert_eq!(SBox::try_from(words), expected);
        assert_eq!(SBox::try_from(&bytes), expected);
        assert_eq!(SBox::try_from(&words), expected);
        assert_eq!(SBox::try_from(&bytes[..]), expected);
        assert_eq!(SBox::try_from(&words[..]), expected);
        assert_eq!(SBox::try_from(bytes.to_vec()), expected);
        assert_eq!(SBox::try_from(words.to_vec()), expected);
        assert_eq!(SBox::try_from(&bytes.to_vec()), expected);
        assert_eq!(SBox::try_from(&words.to_vec()), expected);
        assert_eq!(SBox::try_from([1u8, 2, 3]), Err(TableError::Outputs { given: 3 }));
        assert_eq!(SBox::try_from([0u8; 0]), Err(TableError::Outputs { given: 0 }));
    }

    #[test]
    fn texts_are_grids_and_read_back() {
        let sbox = SBox::new(9, (0..64).map(|x| x * 5 + 196).collect()).unwrap();
        let text = sbox.to_string();
        assert!(text.starts_with("0c4 0c9 0ce "));
        assert_eq!(text.lines().map(|line| line.split(' ').count()).collect::<Vec<_>>(), [16; 4]);
        assert_eq!(SBox::parse(&text, 16), Ok(sbox.clone()));
        assert_eq!(text.parse(), Ok(sbox));
        assert!(matches!("0 1 g 3".parse::<SBox>(), Err(TableError::Number { index: 2, .. })));
        assert_eq!(SBox::new(1, vec![0, 1]).unwrap().to_string(), "0 1");
    }
}
