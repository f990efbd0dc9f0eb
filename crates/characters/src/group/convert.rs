//! Groups from lists of factors, and from text.

use std::str::FromStr;

use super::{AbelianGroup, GroupError};

macro_rules! from_factors {
    ($($from:ty $([$len:ident])?),* $(,)?) => {
        $(
            /// The product of cyclic groups of these orders: as [`AbelianGroup::new`].
            impl<$(const $len: usize)?> TryFrom<$from> for AbelianGroup {
                type Error = GroupError;

                fn try_from(factors: $from) -> Result<Self, GroupError> {
                    Self::new(factors.as_ref())
                }
            }
        )*
    };
}

from_factors!(&[u64], &Vec<u64>, Vec<u64>, &[u64; N][N], [u64; N][N]);

/// The group of factors as texts list them: `4, 2`, `4 2`, `[4, 2]`, `4x2`, or `C_4 x C_2` as groups are written.
///
/// ```
/// use manycore_characters::AbelianGroup;
/// let group: AbelianGroup = "C_4 x C_2".parse()?;
/// assert_eq!(group, AbelianGroup::try_from([4, 2])?);
/// assert_eq!(group.to_string().parse(), Ok(group));
/// assert_eq!("4, two".parse::<AbelianGroup>().unwrap_err().to_string(), "`two` is no order of a cyclic group");
/// # Ok::<(), manycore_characters::GroupError>(())
/// ```
impl FromStr for AbelianGroup {
    type Err = GroupError;

    fn from_str(text: &str) -> Result<Self, GroupError> {
        let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | 'x' | '[' | ']' | '(' | ')');
        let words = text.split(is_separator).filter(|word| !word.is_empty());
        let factor = |word: &str| {
            let digits = word.strip_prefix("C_").or_else(|| word.strip_prefix('C')).unwrap_or(word);
            digits.parse().map_err(|_| GroupError::Text { found: word.to_owned() })
        };
        Self::new(&words.map(factor).collect::<Result<Vec<u64>, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_texts_of_factors() {
        let expected = AbelianGroup::new(&[2, 6]);
        assert_eq!(AbelianGroup::try_from([2, 6]), expected);
        assert_eq!(AbelianGroup::try_from(&[2, 6]), expected);
        assert_eq!(AbelianGroup::try_from(vec![2, 6]), expected);
        assert_eq!(AbelianGroup::try_from(&vec![2, 6]), expected);
        assert_eq!(AbelianGroup::try_from(&[2u64, 6][..]), expected);
        for text in ["2,6", "2 6", "[2, 6]", "2x6", "C_2 x C_6", "C2xC6", " (2, 6) "] {
            assert_eq!(text.parse(), expected, "{text}");
        }
        assert_eq!(AbelianGroup::try_from([2, 0]), Err(GroupError::ZeroFactor { position: 1 }));
        assert_eq!("".parse::<AbelianGroup>(), AbelianGroup::new(&[]));
        assert_eq!("2,-6".parse::<AbelianGroup>(), Err(GroupError::Text { found: "-6".into() }));
        assert!(matches!("4294967296 4294967296".parse::<AbelianGroup>(), Err(GroupError::OrderOverflow { .. })));
    }
}
