//! Truth tables of Boolean functions, packed, and their text forms.

pub(crate) mod anf;
mod convert;
mod text;

pub use anf::Anf;
pub use text::HexOrder;

use manycore_files::memory::{fits, refusable};

use crate::error::TableError;
use crate::threads::{mapped, with_host};

/// The truth table of a Boolean function of `n` variables: the value `f(x)` for every `x` in `0..2^n`.
///
/// Variable `x1` is the least significant bit of the index `x`, `xn` the most significant: `f(x1, ..., xn)` stands at
/// `x1 + 2 x2 + ... + 2^(n-1) xn`. Values are packed 64 a word: bit `i` of word `w`, from the least significant on, is
/// `f(64 w + i)`. For `n < 6` there is one word whose upper bits are 0.
///
/// ```
/// use manycore_boolean::{Anf, HexOrder, TruthTable};
/// let majority = TruthTable::from_fn(3, |x| x.count_ones() >= 2)?;
/// assert_eq!(majority.to_binary(), "00010111"); // f(0) first
/// assert_eq!(majority.to_hex(HexOrder::Integer), "e8"); // f(0) is the least significant bit, as in Sage
/// assert_eq!(majority.anf().to_string(), "x1 x2 + x1 x3 + x2 x3");
/// assert_eq!(Anf::parse("x1x2 + x3*(x1 + x2)", 3).unwrap_err().to_string(), "character 11, \"(\": expected a variable such as x1, 0 or 1");
/// assert_eq!(Anf::parse("x1x2 + x3*x1 + x2 x3", 3)?.truth_table(), majority);
/// # Ok::<(), manycore_boolean::TableError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TruthTable {
    variables: u32,
    words: Vec<u64>,
}

/// Words that a thread fills at a time.
const CHUNK_WORDS: usize = 1 << 10;
/// Words whose ones a thread counts at a time.
const COUNTED_WORDS: usize = 1 << 13;

/// The words of a table of `variables` variables.
pub(crate) const fn word_count(variables: u32) -> usize {
    if variables <= 6 { 1 } else { 1 << (variables - 6) }
}

/// The bits of a word that a table of `variables` variables uses.
pub(crate) const fn used_bits(variables: u32) -> u64 {
    if variables >= 6 { u64::MAX } else { (1 << (1 << variables)) - 1 }
}

impl TruthTable {
    /// The most variables of a table: 2 GB of packed values.
    pub const MOST_VARIABLES: u32 = 34;

    /// The function that is `value` everywhere.
    ///
    /// # Errors
    /// [`TableError::TooManyVariables`] past [`TruthTable::MOST_VARIABLES`]; [`TableError::OutOfMemory`].
    pub fn constant(variables: u32, value: bool) -> Result<Self, TableError> {
        check_variables(variables)?;
        let word = if value { used_bits(variables) } else { 0 };
        let mut words = room(word_count(variables), "a truth table")?;
        words.resize(word_count(variables), word);
        Ok(Self { variables, words })
    }

    /// The function `x -> f(x)`; `f` is called once for each `x` in `0..2^n`, from several threads.
    ///
    /// # Errors
    /// [`TableError::TooManyVariables`].
    pub fn from_fn(variables: u32, f: impl Fn(u64) -> bool + Sync) -> Result<Self, TableError> {
        let mut table = Self::constant(variables, false)?;
        let bits = table.len().min(64);
        let fill = |(chunk, words): (usize, &mut [u64])| {
            for (i, word) in words.iter_mut().enumerate() {
                let start = 64 * (chunk * CHUNK_WORDS + i) as u64;
                *word = (0..bits).fold(0, |word, bit| word | u64::from(f(start + bit)) << bit);
            }
        };
        let long = table.words.len() > CHUNK_WORDS;
        with_host(long, |team| team.each(table.words.chunks_mut(CHUNK_WORDS).enumerate(), fill));
        Ok(table)
    }

    /// The affine function `mask . x + constant`: the sum modulo 2 of the variables whose bits stand in `mask`.
    ///
    /// # Errors
    /// [`TableError::TooManyVariables`]; [`TableError::Index`] for a mask of `2^n` or more.
    pub fn affine(variables: u32, mask: u64, constant: bool) -> Result<Self, TableError> {
        check_variables(variables)?;
        check_index(0, mask, 1 << variables)?;
        Self::from_fn(variables, |x| (x & mask).count_ones() % 2 == u32::from(!constant))
    }

    /// The table of packed words, bit `i` of word `w` being `f(64 w + i)`.
    ///
    /// # Errors
    /// [`TableError::TooManyVariables`]; [`TableError::Length`] for another number of words than `max(1, 2^n / 64)`;
    /// [`TableError::UnusedBits`] for bits past the `2^n`-th.
    pub fn from_words(variables: u32, words: Vec<u64>) -> Result<Self, TableError> {
        check_variables(variables)?;
        let expected = word_count(variables);
        if words.len() != expected {
            return Err(TableError::Length {
                what: "packed words",
                given: words.len() as u64,
                expected: expected as u64,
                variables,
            });
        }
        if words[0] & !used_bits(variables) != 0 {
            return Err(TableError::UnusedBits { variables });
        }
        Ok(Self { variables, words })
    }

    /// The table of a list of values, each 0 or 1, whose length is a power of two.
    ///
    /// # Errors
    /// [`TableError::NotPowerOfTwo`], [`TableError::TooManyVariables`]; [`TableError::Value`] for another value, with its index.
    pub fn from_values(values: &[u8]) -> Result<Self, TableError> {
        let variables = log_len(values.len() as u64)?;
        if let Some(index) = values.iter().position(|&value| value > 1) {
            return Err(TableError::Value { index: index as u64, value: values[index].into() });
        }
        Self::from_fn(variables, |x| values[x as usize] == 1)
    }

    /// The function that is 1 at the indices listed and 0 elsewhere; an index may be listed more than once.
    ///
    /// # Errors
    /// [`TableError::TooManyVariables`]; [`TableError::Index`] for an index of `2^n` or more, with its place in the list.
    pub fn from_minterms(variables: u32, minterms: &[u64]) -> Result<Self, TableError> {
        let mut table = Self::constant(variables, false)?;
        for (place, &x) in minterms.iter().enumerate() {
            check_index(place as u64, x, table.len())?;
            table.words[(x / 64) as usize] |= 1 << (x % 64);
        }
        Ok(table)
    }

    /// A table of words that are known to be right.
    pub(crate) fn of_words(variables: u32, words: Vec<u64>) -> Self {
        // Kernels read as many.
        assert_eq!(words.len(), word_count(variables));
        Self { variables, words }
    }

    /// The number of variables, `n`.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The number of values, `2^n`.
    #[allow(clippy::len_without_is_empty)] // a table is never empty
    pub fn len(&self) -> u64 {
        1 << self.variables
    }

    /// The packed values.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The packed values, given away.
    pub fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// `f(x)`; `None` for an `x` of `2^n` or more.
    pub fn get(&self, x: u64) -> Option<bool> {
        (x < self.len()).then(|| self.at(x))
    }

    /// `f(x)` for an `x` that is known to be below `2^n`.
    pub(crate) fn at(&self, x: u64) -> bool {
        self.words[(x / 64) as usize] >> (x % 64) & 1 == 1
    }

    /// The number of `x` with `f(x) = 1`.
    pub fn weight(&self) -> u64 {
        let ones = |words: &[u64]| words.iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
        let long = self.words.len() > COUNTED_WORDS;
        with_host(long, |team| mapped(team, self.words.chunks(COUNTED_WORDS), ones).sum())
    }

    /// The `x` with `f(x) = 1`, ascending.
    pub fn minterms(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().enumerate().flat_map(|(w, &word)| {
            let next = |rest: &u64| Some(rest & rest.wrapping_sub(1)).filter(|&rest| rest != 0);
            let first = Some(word).filter(|&word| word != 0);
            std::iter::successors(first, next).map(move |rest| 64 * w as u64 + u64::from(rest.trailing_zeros()))
        })
    }

    /// The values, one by one, `f(0)` first.
    pub fn values(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.len()).map(|x| self.at(x))
    }

    /// `f + 1`.
    #[must_use]
    pub fn complement(&self) -> Self {
        let used = used_bits(self.variables);
        Self { variables: self.variables, words: self.words.iter().map(|word| !word & used).collect() }
    }

    /// `f + g`, the sum modulo 2.
    ///
    /// # Errors
    /// [`TableError::Variables`] when the numbers of variables differ.
    pub fn add(&self, other: &Self) -> Result<Self, TableError> {
        self.combine(other, |a, b| a ^ b)
    }

    /// `f g`, the product.
    ///
    /// # Errors
    /// [`TableError::Variables`] when the numbers of variables differ.
    pub fn multiply(&self, other: &Self) -> Result<Self, TableError> {
        self.combine(other, |a, b| a & b)
    }

    fn combine(&self, other: &Self, by: impl Fn(u64, u64) -> u64) -> Result<Self, TableError> {
        if self.variables != other.variables {
            return Err(TableError::Variables { left: self.variables, right: other.variables });
        }
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| by(a, b)).collect();
        Ok(Self { variables: self.variables, words })
    }

    /// The derivative in direction `a`, `D_a f(x) = f(x) + f(x + a)` with the indices' bits added modulo 2.
    ///
    /// # Errors
    /// [`TableError::Index`] for a direction of `2^n` or more.
    pub fn derivative(&self, a: u64) -> Result<Self, TableError> {
        check_index(0, a, self.len())?;
        let (block, within) = ((a / 64) as usize, (a % 64) as u32);
        let words = (0..self.words.len())
            .map(|w| self.words[w] ^ crate::transforms::shifted_word(self.words[w ^ block], within))
            .collect();
        Ok(Self { variables: self.variables, words })
    }

    /// The algebraic normal form: takes `n 2^n / 64` word operations.
    pub fn anf(&self) -> Anf {
        let mut words = self.words.clone();
        crate::transforms::reed_muller_words(&mut words, self.variables);
        Anf::of_coefficients(Self::of_words(self.variables, words))
    }

    /// The numerical normal form: the integers `c` with `f(x) = sum of c(u) over the u whose bits are among those of x`,
    /// which is the arithmetic spectrum of the values as integers (paper 001). `n 2^(n-1)` subtractions; `|c| <= 2^(n-1)`
    /// for `n >= 1`.
    ///
    /// # Errors
    /// [`TableError::Unpacked`] for functions of more than 30 variables, whose coefficients do not fit 32 bits.
    pub fn numerical_normal_form(&self) -> Result<Vec<i32>, TableError> {
        const LIMIT: u32 = 30;
        if self.variables > LIMIT {
            return Err(TableError::Unpacked { variables: self.variables, limit: LIMIT });
        }
        let mut c: Vec<i32> = self.values().map(i32::from).collect();
        for step in 0..self.variables {
            for block in c.chunks_exact_mut(2 << step) {
                let (low, high) = block.split_at_mut(1 << step);
                high.iter_mut().zip(low).for_each(|(v, u)| *v -= *u);
            }
        }
        Ok(c)
    }
}

pub(crate) fn check_variables(variables: u32) -> Result<(), TableError> {
    let limit = TruthTable::MOST_VARIABLES;
    if variables > limit { Err(TableError::TooManyVariables { variables, limit }) } else { Ok(()) }
}

/// An empty list with room for `len` elements.
fn room<T>(len: usize, what: &'static str) -> Result<Vec<T>, TableError> {
    let mut list = Vec::new();
    let bytes = (len as u64).saturating_mul(size_of::<T>() as u64);
    let refused = || TableError::OutOfMemory { bytes, what };
    if !fits(bytes) {
        return Err(refused());
    }
    refusable(|| list.try_reserve_exact(len)).map_err(|_| refused())?;
    Ok(list)
}

fn check_index(place: u64, index: u64, len: u64) -> Result<(), TableError> {
    if index >= len { Err(TableError::Index { place, index, len }) } else { Ok(()) }
}

/// The number of variables of a table of `len` values.
fn log_len(len: u64) -> Result<u32, TableError> {
    if !len.is_power_of_two() {
        return Err(TableError::NotPowerOfTwo { len });
    }
    check_variables(len.ilog2())?;
    Ok(len.ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(variables: u32) -> TruthTable {
        TruthTable::from_fn(variables, |x| (x * x * x + 7 * x) % 11 < 5).unwrap()
    }

    #[test]
    fn packing_is_least_significant_first() {
        assert_eq!(some(7).words(), [0x0ee1_dc3b_8770_ee1d, 0x3b87_70ee_1dc3_b877]);
        assert_eq!(TruthTable::from_values(&[1, 0, 0, 1, 1, 1, 0, 1]).unwrap().words(), [0xb9]);
    }

    #[test]
    fn forms_of_one_table_agree() {
        for variables in [0, 1, 2, 5, 6, 7, 9] {
            let f = some(variables);
            let values: Vec<u8> = f.values().map(u8::from).collect();
            assert_eq!(TruthTable::from_values(&values).unwrap(), f);
            let minterms: Vec<u64> = f.minterms().collect();
            assert_eq!(minterms.len() as u64, f.weight());
            assert_eq!(TruthTable::from_minterms(variables, &minterms).unwrap(), f);
            assert_eq!(TruthTable::from_words(variables, f.words().to_vec()).unwrap(), f);
            assert_eq!(f.complement().weight(), f.len() - f.weight());
            assert_eq!(f.add(&f.complement()).unwrap(), TruthTable::constant(variables, true).unwrap());
            assert_eq!(f.multiply(&f.complement()).unwrap().weight(), 0);
            assert_eq!((f.get(f.len()), f.get(0)), (None, Some(true)));
        }
    }

    #[test]
    fn derivatives_follow_their_definition() {
        for variables in [0, 1, 3, 6, 8] {
            let f = some(variables);
            for a in 0..f.len() {
                let expected = TruthTable::from_fn(variables, |x| f.at(x) != f.at(x ^ a)).unwrap();
                assert_eq!(f.derivative(a).unwrap(), expected, "{variables} {a}");
            }
        }
    }

    #[test]
    fn affine_functions() {
        let f = TruthTable::affine(7, 0b100_0101, true).unwrap();
        assert_eq!((f.weight(), f.get(0), f.get(1), f.get(65)), (64, Some(true), Some(false), Some(true)));
        assert_eq!(TruthTable::affine(0, 0, true).unwrap().weight(), 1);
        assert_eq!(TruthTable::affine(3, 8, false), Err(TableError::Index { place: 0, index: 8, len: 8 }));
    }

    #[test]
    fn bad_input_is_named() {
        assert_eq!(TruthTable::from_values(&[0, 1, 2, 1]), Err(TableError::Value { index: 2, value: 2 }));
        assert_eq!(TruthTable::from_values(&[0, 1, 1]), Err(TableError::NotPowerOfTwo { len: 3 }));
        assert_eq!(TruthTable::from_values(&[]), Err(TableError::NotPowerOfTwo { len: 0 }));
        assert_eq!(TruthTable::from_words(5, vec![1 << 32]), Err(TableError::UnusedBits { variables: 5 }));
        assert!(matches!(TruthTable::from_words(7, vec![0]), Err(TableError::Length { given: 1, expected: 2, .. })));
        assert!(matches!(TruthTable::constant(64, false), Err(TableError::TooManyVariables { variables: 64, .. })));
        let place = TruthTable::from_minterms(3, &[1, 7, 8]);
        assert_eq!(place, Err(TableError::Index { place: 2, index: 8, len: 8 }));
        assert_eq!(some(3).add(&some(4)), Err(TableError::Variables { left: 3, right: 4 }));
        assert_eq!(some(3).derivative(9), Err(TableError::Index { place: 0, index: 9, len: 8 }));
    }

    #[test]
    fn numerical_normal_forms() {
        let of = |values: &[u8]| TruthTable::from_values(values).unwrap().numerical_normal_form().unwrap();
        assert_eq!(of(&[1, 0, 0, 1, 0, 1, 1, 1]), [1, -1, -1, 2, -1, 2, 2, -3]);
        assert_eq!(of(&[1, 0, 0, 1, 1, 1, 0, 1]), [1, -1, -1, 2, 0, 1, 0, -1]);
        assert_eq!(of(&[1]), [1]);
        // The parity function reaches the bound.
        let parity = TruthTable::affine(5, 31, false).unwrap().numerical_normal_form().unwrap();
        assert_eq!(parity[31], 16);
    }
}
