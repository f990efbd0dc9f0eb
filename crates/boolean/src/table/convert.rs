//! Truth tables from values, and as text.

use std::fmt;
use std::str::FromStr;

use super::{HexOrder, TruthTable, log_len};
use crate::error::TableError;

macro_rules! from_values {
    ($($from:ty $([$len:ident])?),* $(,)?) => {
        $(
            /// The function with these values, `f(0)` first.
            impl<$(const $len: usize)?> TryFrom<$from> for TruthTable {
                type Error = TableError;

                fn try_from(values: $from) -> Result<Self, TableError> {
                    of_values(values.as_ref())
                }
            }
        )*
    };
}

from_values!(&[bool], &Vec<bool>, Vec<bool>, &[bool; N][N], [bool; N][N]);

fn of_values(values: &[bool]) -> Result<TruthTable, TableError> {
    TruthTable::from_fn(log_len(values.len() as u64)?, |x| values[x as usize])
}

/// The function with these values 0 and 1, `f(0)` first: as [`TruthTable::from_values`].
impl TryFrom<&[u8]> for TruthTable {
    type Error = TableError;

    fn try_from(values: &[u8]) -> Result<Self, TableError> {
        Self::from_values(values)
    }
}

/// The most variables of a table that is written in binary digits.
const BINARY_VARIABLES: u32 = 6;

/// Binary digits, `f(0)` first, for at most 6 variables; else `0x` and hexadecimal digits in the order [`HexOrder::Integer`].
///
/// ```
/// use manycore_boolean::TruthTable;
/// let f = TruthTable::try_from([true, false, false, true])?;
/// assert_eq!(f.to_string(), "1001");
/// assert_eq!("1001".parse(), Ok(f));
/// # Ok::<(), manycore_boolean::TableError>(())
/// ```
impl fmt::Display for TruthTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.variables() <= BINARY_VARIABLES {
            f.pad(&self.to_binary())
        } else {
            write!(f, "0x{}", self.to_hex(HexOrder::Integer))
        }
    }
}

/// Reads binary digits, `f(0)` first, as [`TruthTable::from_binary`]; behind `0x` hexadecimal ones, as [`TruthTable::from_hex`] in the
/// order [`HexOrder::Integer`], of a function of at least 2 variables.
impl FromStr for TruthTable {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self, TableError> {
        let start = text.trim_start();
        if start.starts_with("0x") || start.starts_with("0X") {
            Self::from_hex(Self::hex_variables(text)?, text, HexOrder::Integer)
        } else {
            Self::from_binary(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_kind_give_the_same() {
        let expected = TruthTable::from_values(&[0, 1, 1, 1]);
        let values = [false, true, true, true];
        assert_eq!(TruthTable::try_from(values), expected);
        assert_eq!(TruthTable::try_from(&values), expected);
        assert_eq!(TruthTable::try_from(&values[..]), expected);
        assert_eq!(TruthTable::try_from(values.to_vec()), expected);
        assert_eq!(TruthTable::try_from(&values.to_vec()), expected);
        assert_eq!(TruthTable::try_from(&[0u8, 1, 1, 1][..]), expected);
        assert_eq!(TruthTable::try_from([true; 3]), Err(TableError::NotPowerOfTwo { len: 3 }));
        assert_eq!(TruthTable::try_from([false; 0]), Err(TableError::NotPowerOfTwo { len: 0 }));
    }

    #[test]
    fn texts_read_back() {
        for variables in 0..10 {
            let f = TruthTable::from_fn(variables, |x| x * 11 % 7 < 3).unwrap();
            assert_eq!(f.to_string().parse(), Ok(f), "{variables}");
        }
        assert_eq!("0xe8".parse(), TruthTable::from_binary("00010111"));
        assert!(matches!("012".parse::<TruthTable>(), Err(TableError::Digit { position: 3, .. })));
        assert!(matches!("0x123".parse::<TruthTable>(), Err(TableError::NotPowerOfTwo { len: 12 })));
    }
}
