//! Finite Abelian groups as products of cyclic groups.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the group: elements as indices and as digits, sums, orders |
//! | `characters` | exponents of characters, their orders and kernels |
//! | `convert` | groups from lists and texts |
//! | `structure` | prime powers, invariant factors, isomorphism |
//! | `index_map` | explicit isomorphisms between lists of factors |

mod characters;
mod convert;
mod index_map;
mod structure;

use manycore_device::{ErrorKind, LibraryError};
use std::fmt;

use num_integer::Integer as _;

pub use characters::CharacterKernel;
pub use index_map::IndexMap;

/// The group `C_n1 x C_n2 x ... x C_nk` of vectors `z` of digits `0 <= z_j < n_j`, added digit by digit modulo `n_j`.
///
/// Elements have two forms: the digits, and the index `((z_1 n_2 + z_2) n_3 + z_3) ...`, in which the first factor is the
/// most significant digit. Characters are numbered by the same indices. The list of factors is kept as given: lists that
/// give isomorphic groups, such as 6 and 2, 3, give different tables; [`IndexMap`] leads from one to the other.
///
/// ```
/// use manycore_characters::AbelianGroup;
/// let group = AbelianGroup::new(&[4, 2])?;
/// assert_eq!((group.order(), group.exponent()), (8, 4));
/// assert_eq!(group.digits(5)?, [2, 1]);
/// assert_eq!(group.add(5, 7)?, group.index(&[1, 0])?);
/// assert_eq!(group.element_order(5)?, 2);
/// # Ok::<(), manycore_characters::GroupError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AbelianGroup {
    factors: Vec<u64>,
    order: u64,
    exponent: u64,
}

/// What can be wrong with a list of factors, an index or digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupError {
    /// A cyclic group of no elements.
    #[error("factor {} of the group is 0: cyclic groups have at least one element", position + 1)]
    ZeroFactor {
        /// Its position in the list, from 0.
        position: usize,
    },
    /// A text of a factor that is no number below 2^64.
    #[error("`{found}` is no order of a cyclic group")]
    Text {
        /// The text.
        found: String,
    },
    /// More elements than a 64-bit number counts.
    #[error("the group's order passes 2^64 at factor {} ({factor})", position + 1)]
    OrderOverflow {
        /// The position of the factor, from 0.
        position: usize,
        /// The factor.
        factor: u64,
    },
    /// An index that no element has.
    #[error("element {index} of a group of order {order}")]
    NoElement {
        /// The index.
        index: u64,
        /// The group's order.
        order: u64,
    },
    /// Another number of digits than factors.
    #[error("{given} digits for a group of {expected} factors")]
    DigitCount {
        /// The number of factors.
        expected: usize,
        /// The number of digits.
        given: usize,
    },
    /// A digit that is not below its factor.
    #[error("digit {position} is {digit}, and must be below the factor {factor}")]
    Digit {
        /// Its position, from 0.
        position: usize,
        /// The digit.
        digit: u64,
        /// The factor.
        factor: u64,
    },
    /// Two groups that are not isomorphic.
    #[error("{from} and {to} are not isomorphic: their prime powers differ")]
    NotIsomorphic {
        /// The first group.
        from: String,
        /// The other group.
        to: String,
    },
}

impl AbelianGroup {
    /// The product of cyclic groups of these orders, in this order; no factors give the group of one element, and factors 1
    /// change nothing.
    ///
    /// # Errors
    /// [`GroupError::ZeroFactor`], [`GroupError::OrderOverflow`].
    pub fn new(factors: &[u64]) -> Result<Self, GroupError> {
        let (mut order, mut exponent) = (1u64, 1u64);
        for (position, &factor) in factors.iter().enumerate() {
            if factor == 0 {
                return Err(GroupError::ZeroFactor { position });
            }
            order = order.checked_mul(factor).ok_or(GroupError::OrderOverflow { position, factor })?;
            // The exponent divides the order.
            exponent = exponent.lcm(&factor);
        }
        Ok(Self { factors: factors.to_vec(), order, exponent })
    }

    /// `C_n` `count` times: the group of paper 000.
    ///
    /// # Errors
    /// As [`AbelianGroup::new`].
    pub fn power(n: u64, count: usize) -> Result<Self, GroupError> {
        if n == 0 && count > 0 {
            return Err(GroupError::ZeroFactor { position: 0 });
        }
        if n > 1 && count > 64 {
            return Err(GroupError::OrderOverflow { position: 64, factor: n });
        }
        Self::new(&vec![n; count])
    }

    /// The group of a list of factors with commas between them: numbers, or powers such as `3^4`.
    ///
    /// ```
    /// use manycore_characters::AbelianGroup;
    /// assert_eq!(AbelianGroup::parse("2,3^2"), Ok(AbelianGroup::new(&[2, 3, 3])?));
    /// assert_eq!(AbelianGroup::parse("2,x"), Err("\"x\" is no number".to_owned()));
    /// # Ok::<(), manycore_characters::GroupError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| format!("\"{text}\" is no number"));
        let mut factors = Vec::new();
        for part in text.split(',') {
            let (n, count) = part.split_once('^').unwrap_or((part, "1"));
            let (n, count) = (number(n)?, number(count)?);
            if count > 64 {
                return Err(format!("{part}: at most 64 factors"));
            }
            factors.extend(std::iter::repeat_n(n, count as usize));
        }
        Self::new(&factors).map_err(|error| error.to_string())
    }

    /// The orders of the cyclic factors, as given.
    pub fn factors(&self) -> &[u64] {
        &self.factors
    }

    /// The number of elements, and of characters: the product of the factors.
    pub fn order(&self) -> u64 {
        self.order
    }

    /// The least `L > 0` with `L z = 0` for all elements: the least common multiple of the factors. Characters have roots of
    /// unity of this order as values.
    pub fn exponent(&self) -> u64 {
        self.exponent
    }

    /// Whether one element generates the group: whether the factors are coprime.
    pub fn is_cyclic(&self) -> bool {
        self.order == self.exponent
    }

    fn check(&self, index: u64) -> Result<(), GroupError> {
        if index < self.order { Ok(()) } else { Err(GroupError::NoElement { index, order: self.order }) }
    }

    /// The digits of an element, the first factor's first.
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn digits(&self, index: u64) -> Result<Vec<u64>, GroupError> {
        self.check(index)?;
        Ok(self.digits_of(index))
    }

    /// The digits of an index below the order.
    pub(crate) fn digits_of(&self, mut index: u64) -> Vec<u64> {
        let mut digits = vec![0; self.factors.len()];
        for (digit, &factor) in digits.iter_mut().zip(&self.factors).rev() {
            *digit = index % factor;
            index /= factor;
        }
        digits
    }

    /// The index of the element with these digits.
    ///
    /// # Errors
    /// [`GroupError::DigitCount`], [`GroupError::Digit`].
    pub fn index(&self, digits: &[u64]) -> Result<u64, GroupError> {
        if digits.len() != self.factors.len() {
            return Err(GroupError::DigitCount { expected: self.factors.len(), given: digits.len() });
        }
        let pairs = digits.iter().zip(&self.factors).enumerate();
        if let Some((position, (&digit, &factor))) = pairs.into_iter().find(|(_, (digit, factor))| digit >= factor) {
            return Err(GroupError::Digit { position, digit, factor });
        }
        Ok(self.index_of(digits))
    }

    /// The index of digits that are known to be below their factors.
    pub(crate) fn index_of(&self, digits: &[u64]) -> u64 {
        digits.iter().zip(&self.factors).fold(0, |index, (digit, factor)| index * factor + digit)
    }

    /// The name of an element or a character: its digits, as `(2,0,1)`.
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn name(&self, index: u64) -> Result<String, GroupError> {
        let digits: Vec<String> = self.digits(index)?.iter().map(u64::to_string).collect();
        Ok(format!("({})", digits.join(",")))
    }

    /// The sum of two elements.
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn add(&self, a: u64, b: u64) -> Result<u64, GroupError> {
        let (a, b) = (self.digits(a)?, self.digits(b)?);
        let sum = |((a, b), n): ((u64, u64), &u64)| if a >= n - b { a - (n - b) } else { a + b };
        let digits: Vec<u64> = a.into_iter().zip(b).zip(&self.factors).map(sum).collect();
        Ok(self.index_of(&digits))
    }

    /// The element whose sum with `a` is 0.
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn negate(&self, a: u64) -> Result<u64, GroupError> {
        let digits: Vec<u64> = self.digits(a)?.iter().zip(&self.factors).map(|(a, n)| (n - a) % n).collect();
        Ok(self.index_of(&digits))
    }

    /// `times` copies of `a` added.
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn multiple(&self, a: u64, times: u64) -> Result<u64, GroupError> {
        let product = |(&a, &n): (&u64, &u64)| (u128::from(a) * u128::from(times) % u128::from(n)) as u64;
        let digits: Vec<u64> = self.digits(a)?.iter().zip(&self.factors).map(product).collect();
        Ok(self.index_of(&digits))
    }

    /// The least `d > 0` with `d a = 0`.
    ///
    /// # Errors
    /// [`GroupError::NoElement`] for an index that is not below the order.
    pub fn element_order(&self, a: u64) -> Result<u64, GroupError> {
        let digits = self.digits(a)?;
        Ok(digits.iter().zip(&self.factors).fold(1, |order, (digit, n)| order.lcm(&(n / n.gcd(digit)))))
    }
}

impl fmt::Display for AbelianGroup {
    /// `C_4 x C_2`; `C_1` for no factors.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.factors.split_first() {
            None => f.write_str("C_1"),
            Some((first, rest)) => {
                write!(f, "C_{first}")?;
                rest.iter().try_for_each(|n| write!(f, " x C_{n}"))
            }
        }
    }
}

impl LibraryError for GroupError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lists_and_indices_are_named() {
        assert_eq!(AbelianGroup::new(&[3, 0]), Err(GroupError::ZeroFactor { position: 1 }));
        let overflow = GroupError::OrderOverflow { position: 2, factor: 2 };
        assert_eq!(AbelianGroup::new(&[1 << 62, 2, 2, 2]), Err(overflow));
        assert_eq!(AbelianGroup::power(0, 2), Err(GroupError::ZeroFactor { position: 0 }));
        assert!(matches!(AbelianGroup::power(2, 1 << 60), Err(GroupError::OrderOverflow { .. })));
        let group = AbelianGroup::new(&[3, 2]).unwrap();
        assert_eq!(group.digits(6), Err(GroupError::NoElement { index: 6, order: 6 }));
        assert_eq!(group.index(&[1]), Err(GroupError::DigitCount { expected: 2, given: 1 }));
        assert_eq!(group.index(&[1, 2]), Err(GroupError::Digit { position: 1, digit: 2, factor: 2 }));
        assert!(group.add(0, 6).is_err() && group.negate(7).is_err() && group.element_order(9).is_err());
    }

    #[test]
    fn the_empty_product_and_ones() {
        for factors in [&[][..], &[1], &[1, 1, 1]] {
            let group = AbelianGroup::new(factors).unwrap();
            assert_eq!((group.order(), group.exponent()), (1, 1));
            assert_eq!(group.digits(0).unwrap(), vec![0; factors.len()]);
            assert_eq!(group.element_order(0), Ok(1));
        }
        assert_eq!(AbelianGroup::new(&[]).unwrap().to_string(), "C_1");
        assert_eq!(AbelianGroup::power(1, 3).unwrap().to_string(), "C_1 x C_1 x C_1");
    }

    #[test]
    fn elements_form_the_group() {
        let group = AbelianGroup::new(&[2, 1, 3, 4]).unwrap();
        assert_eq!((group.order(), group.exponent(), group.is_cyclic()), (24, 12, false));
        for a in 0..24 {
            assert_eq!(group.index(&group.digits(a).unwrap()), Ok(a));
            assert_eq!(group.add(a, group.negate(a).unwrap()), Ok(0));
            let order = group.element_order(a).unwrap();
            assert_eq!(group.multiple(a, order), Ok(0));
            assert!((1..order).all(|d| group.multiple(a, d).unwrap() != 0));
            for b in 0..24 {
                assert_eq!(group.add(a, b), group.add(b, a));
            }
        }
        assert_eq!(group.name(23).unwrap(), "(1,0,2,3)");
    }

    #[test]
    fn the_largest_factor_adds_without_overflow() {
        let group = AbelianGroup::new(&[u64::MAX]).unwrap();
        assert_eq!(group.add(u64::MAX - 1, u64::MAX - 1), Ok(u64::MAX - 2));
        assert_eq!(group.multiple(u64::MAX - 1, 2), Ok(u64::MAX - 2));
    }
}
