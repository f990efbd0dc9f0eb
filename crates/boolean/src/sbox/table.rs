//! S-boxes as values, and what needs no spectrum.

use std::collections::BTreeMap;

use super::cost::Bits;
use crate::error::TableError;
use crate::table::TruthTable;
use crate::threads::{TASK, each_row, with_host};

/// An S-box, a function from `m` bits to `n` bits, `m` and `n` from 1 to 16, as the list of its `2^m` outputs.
///
/// Bit `i` of an input or output is the coordinate `x(i+1)`; a mask or a difference is a number whose bits pick coordinates.
///
/// ```
/// use manycore_boolean::SBox;
/// let present = SBox::parse("c 5 6 b 9 0 a d 3 e f 8 4 7 1 2", 16)?;
/// assert!(present.is_permutation());
/// assert_eq!((present.input_bits(), present.output_bits(), present.degree()), (4, 4, 3));
/// assert_eq!(present.inverse()?.values()[0xc], 0);
/// # Ok::<(), manycore_boolean::TableError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SBox {
    input_bits: u32,
    output_bits: u32,
    values: Vec<u16>,
}

impl SBox {
    /// The most input bits, and the most output bits.
    pub const MOST_BITS: u32 = 16;

    /// The S-box with these outputs, `S(0)` first, of `output_bits` bits.
    ///
    /// # Errors
    /// [`TableError::Outputs`] for a number of outputs other than 2, 4, ..., 65536; [`TableError::Bits`];
    /// [`TableError::Output`] for an output of `2^output_bits` or more, with its index.
    pub fn new(output_bits: u32, values: Vec<u16>) -> Result<Self, TableError> {
        let len = values.len() as u64;
        if !len.is_power_of_two() || !(2..=1 << Self::MOST_BITS).contains(&len) {
            return Err(TableError::Outputs { given: len });
        }
        if !(1..=Self::MOST_BITS).contains(&output_bits) {
            return Err(TableError::Bits { what: "output", bits: output_bits, limit: Self::MOST_BITS });
        }
        let limit = 1u64 << output_bits;
        if let Some(index) = values.iter().position(|&v| u64::from(v) >= limit) {
            return Err(TableError::Output { index: index as u64, output: values[index].into(), limit });
        }
        Ok(Self { input_bits: len.ilog2(), output_bits, values })
    }

    /// The S-box with these outputs, of as many output bits as the largest one needs.
    ///
    /// # Errors
    /// [`TableError::Outputs`].
    pub fn from_values(values: Vec<u16>) -> Result<Self, TableError> {
        let largest = values.iter().copied().max().unwrap_or(0);
        Self::new(largest.checked_ilog2().map_or(1, |log| log + 1), values)
    }

    /// Reads outputs as numbers of base `radix` (10 or 16, say), with white space, commas, semicolons or brackets between them,
    /// `S(0)` first, or as hexadecimal numbers where they begin with `0x`. In base 16 a single word has an output in each digit. The
    /// output bits are as many as the largest one needs.
    ///
    /// ```
    /// use manycore_boolean::SBox;
    /// let present = SBox::parse("c56b90ad3ef84712", 16)?;
    /// assert_eq!(SBox::parse("{0xc, 5, 6, 11, 9, 0, 0xA, 13, 3, 14, 15, 8, 4, 7, 1, 2};", 10)?, present);
    /// # Ok::<(), manycore_boolean::TableError>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError::Number`] with the index and the text of what is no number below 65536; [`TableError::Outputs`].
    pub fn parse(text: &str, radix: u32) -> Result<Self, TableError> {
        let number = |(index, word): (usize, &str)| {
            let hexadecimal = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
            let (digits, radix) = hexadecimal.map_or((word, radix.clamp(2, 36)), |digits| (digits, 16));
            u16::from_str_radix(digits, radix)
                .map_err(|_| TableError::Number { index: index as u64, found: word.to_owned() })
        };
        let mut words = Self::words(text);
        if let (Some(digits), None, 16) = (words.next(), words.next(), radix)
            && digits.len() > 1
            && let Some(values) = digits.chars().map(|c| Some(c.to_digit(16)? as u16)).collect()
        {
            return Self::from_values(values);
        }
        Self::from_values(Self::words(text).enumerate().map(number).collect::<Result<_, _>>()?)
    }

    /// The words of a text, one an output: what white space, commas, semicolons and brackets separate. [`SBox::parse`] counts outputs
    /// by them.
    pub fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split(|c: char| c.is_whitespace() || ",;[](){}".contains(c)).filter(|word| !word.is_empty())
    }

    /// The number of input bits, `m`.
    pub fn input_bits(&self) -> u32 {
        self.input_bits
    }

    /// The number of output bits, `n`.
    pub fn output_bits(&self) -> u32 {
        self.output_bits
    }

    pub(super) fn bits(&self) -> Bits {
        Bits { input: self.input_bits, output: self.output_bits }
    }

    /// The number of inputs, `2^m`: the rows of its tables.
    pub fn inputs(&self) -> usize {
        self.values.len()
    }

    /// The number of possible outputs, `2^n`: the columns of its tables.
    pub fn outputs(&self) -> usize {
        1 << self.output_bits
    }

    /// The outputs, `S(0)` first.
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// Whether every number of `m` bits is the output of one input.
    pub fn is_permutation(&self) -> bool {
        self.inverse().is_ok()
    }

    /// Whether every output has equally many inputs.
    pub fn is_balanced(&self) -> bool {
        let mut counts = vec![0usize; self.outputs()];
        self.values.iter().for_each(|&v| counts[usize::from(v)] += 1);
        counts.iter().all(|&count| count << self.output_bits == self.inputs())
    }

    /// The inverse of a permutation.
    ///
    /// # Errors
    /// [`TableError::NotSquare`]; [`TableError::NoPermutation`] with two inputs of one output.
    pub fn inverse(&self) -> Result<Self, TableError> {
        let (input_bits, output_bits) = (self.input_bits, self.output_bits);
        if input_bits != output_bits {
            return Err(TableError::NotSquare { input_bits, output_bits });
        }
        let mut inverse: Vec<Option<u16>> = vec![None; self.inputs()];
        for (x, &y) in self.values.iter().enumerate() {
            if let Some(first) = inverse[usize::from(y)].replace(x as u16) {
                return Err(TableError::NoPermutation { first: first.into(), second: x as u64, output: y.into() });
            }
        }
        Ok(Self { input_bits, output_bits, values: inverse.into_iter().flatten().collect() })
    }

    /// The `x` with `S(x) = x`, ascending.
    pub fn fixed_points(&self) -> impl Iterator<Item = u16> + '_ {
        (0..=u16::MAX).zip(&self.values).filter(|(x, y)| x == *y).map(|(x, _)| x)
    }

    /// The component function `mask . S(x)`, the sum modulo 2 of the output bits in `mask`.
    ///
    /// # Errors
    /// [`TableError::Index`] for a mask of `2^n` or more.
    pub fn component(&self, mask: u16) -> Result<TruthTable, TableError> {
        let len = self.outputs() as u64;
        if u64::from(mask) >= len {
            return Err(TableError::Index { place: 0, index: mask.into(), len });
        }
        TruthTable::from_fn(self.input_bits, |x| (self.values[x as usize] & mask).count_ones() % 2 == 1)
    }

    /// The algebraic normal forms of all coordinates at once: bit `i` of entry `u` is the coefficient, in that of output bit
    /// `i`, of the product of the input bits in `u`. `m 2^(m-1)` word operations.
    pub fn normal_forms(&self) -> Vec<u16> {
        let mut words = self.values.clone();
        for step in 0..self.input_bits {
            for block in words.chunks_exact_mut(2 << step) {
                let (low, high) = block.split_at_mut(1 << step);
                high.iter_mut().zip(low).for_each(|(v, u)| *v ^= *u);
            }
        }
        words
    }

    /// The algebraic degree: the largest of a component function.
    pub fn degree(&self) -> u32 {
        let forms = self.normal_forms();
        let degrees = forms.iter().enumerate().filter(|(_, word)| **word != 0).map(|(u, _)| u.count_ones());
        degrees.max().unwrap_or(0)
    }

    /// The number of component functions of each degree, the `2^n - 1` with masks other than 0; constants have degree 0.
    ///
    /// The components of degree less than `d` are those whose mask is orthogonal to the words of all terms of `d` or more
    /// variables in [`SBox::normal_forms`], so that ranks over GF(2) count them.
    pub fn component_degrees(&self) -> BTreeMap<u32, u64> {
        let forms = self.normal_forms();
        let mut by_degree: Vec<Vec<u16>> = vec![Vec::new(); self.input_bits as usize + 1];
        forms.iter().enumerate().for_each(|(u, &word)| by_degree[u.count_ones() as usize].push(word));
        let mut basis = Basis::default();
        let mut counts = BTreeMap::new();
        let mut below = 1u64 << self.output_bits;
        for degree in (1..=self.input_bits).rev() {
            by_degree[degree as usize].iter().for_each(|&word| basis.add(word));
            let left = 1u64 << (self.output_bits - basis.rank);
            if left < below {
                counts.insert(degree, below - left);
            }
            below = left;
        }
        // The mask 0 is no component.
        if below > 1 {
            counts.insert(0, below - 1);
        }
        counts
    }

    /// The boomerang connectivity table of a permutation, rows of `2^n` entries: entry `(a, b)` counts the `x` with
    /// `S^-1(S(x) + b) + S^-1(S(x + a) + b) = a`. `2^(3n)` look-ups, on all threads of the host.
    ///
    /// # Errors
    /// [`TableError::NotSquare`], [`TableError::NoPermutation`]; [`TableError::Bits`] for more than 12 bits.
    pub fn boomerang_table(&self) -> Result<Vec<u32>, TableError> {
        const LIMIT: u32 = 12;
        let inverse = self.inverse()?;
        if self.input_bits > LIMIT {
            return Err(TableError::Bits { what: "input", bits: self.input_bits, limit: LIMIT });
        }
        let (s, t, len) = (&self.values, &inverse.values, self.inputs());
        let mut table = vec![0u32; len * len];
        let cost = len * len;
        let row = |a: usize, row: &mut [u32]| {
            for (b, count) in row.iter_mut().enumerate() {
                let returns = |x: &usize| t[usize::from(s[*x]) ^ b] ^ t[usize::from(s[*x ^ a]) ^ b] == a as u16;
                *count = (0..len).filter(returns).count() as u32;
            }
        };
        with_host(len * cost > TASK, |team| each_row(team, &mut table, len, cost, row));
        Ok(table)
    }

    /// The boomerang uniformity of a permutation: the largest entry of [`SBox::boomerang_table`] with both differences other
    /// than 0.
    ///
    /// # Errors
    /// As [`SBox::boomerang_table`].
    pub fn boomerang_uniformity(&self) -> Result<u32, TableError> {
        let table = self.boomerang_table()?;
        let rows = table.chunks_exact(self.inputs()).skip(1);
        Ok(rows.flat_map(|row| &row[1..]).copied().max().unwrap_or(0))
    }
}

/// A basis over GF(2) of words of 16 bits, each with another leading bit.
#[derive(Debug, Default)]
struct Basis {
    words: [u16; 16],
    rank: u32,
}

impl Basis {
    fn add(&mut self, mut word: u16) {
        while word != 0 {
            let lead = word.ilog2() as usize;
            if self.words[lead] == 0 {
                self.words[lead] = word;
                self.rank += 1;
                return;
            }
            word ^= self.words[lead];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbers() {
        let sbox = SBox::parse("3, 0x0 1\n2", 10).unwrap();
        assert_eq!((sbox.values(), sbox.input_bits(), sbox.output_bits()), (&[3u16, 0, 1, 2][..], 2, 2));
        assert_eq!(sbox.fixed_points().count(), 0);
        for (text, radix) in
            [("3012", 16), ("[3, 0, 1, 2]", 10), ("uint8_t s[4] = {", 10), ("{3,0,1,2};", 16), ("(3)(0)[1]{2}", 10)]
        {
            let found = SBox::parse(text, radix);
            assert_eq!(found.is_ok(), !text.starts_with('u'), "{text}");
            assert!(found.is_err() || found == Ok(sbox.clone()), "{text}");
        }
        assert_eq!(SBox::parse("30 1 2 1", 16).unwrap().values(), [0x30, 1, 2, 1]);
        assert!(SBox::parse("30g2", 16).is_err() && SBox::parse("3", 16).is_err() && SBox::parse("3012", 10).is_err());
        let error = |text: &str| SBox::parse(text, 10).unwrap_err().to_string();
        assert_eq!(error("1 2 x 3"), "S(2) is \"x\": expected a number below 65536");
        assert_eq!(error("1 2 65536 3"), "S(2) is \"65536\": expected a number below 65536");
        assert_eq!(error("1 2 3"), "3 outputs: an S-box of m input bits has 2^m, with m from 1 to 16");
        assert_eq!(error(""), "0 outputs: an S-box of m input bits has 2^m, with m from 1 to 16");
    }

    #[test]
    fn bad_values_are_named() {
        assert_eq!(SBox::new(2, vec![0, 1, 4, 2]), Err(TableError::Output { index: 2, output: 4, limit: 4 }));
        assert_eq!(SBox::new(0, vec![0, 0]), Err(TableError::Bits { what: "output", bits: 0, limit: 16 }));
        assert_eq!(SBox::new(17, vec![0, 0]), Err(TableError::Bits { what: "output", bits: 17, limit: 16 }));
        assert_eq!(SBox::new(1, vec![0]), Err(TableError::Outputs { given: 1 }));
        let sbox = SBox::new(2, vec![0, 1, 3, 1]).unwrap();
        assert_eq!(sbox.inverse(), Err(TableError::NoPermutation { first: 1, second: 3, output: 1 }));
        assert!(!sbox.is_permutation() && !sbox.is_balanced());
        let wide = SBox::new(3, vec![0, 1, 3, 1]).unwrap();
        assert_eq!(wide.inverse(), Err(TableError::NotSquare { input_bits: 2, output_bits: 3 }));
        assert!(matches!(wide.component(8), Err(TableError::Index { index: 8, len: 8, .. })));
    }

    #[test]
    fn degrees_are_those_of_the_components() {
        let tables = [
            vec![0xc, 5, 6, 0xb, 9, 0, 0xa, 0xd, 3, 0xe, 0xf, 8, 4, 7, 1, 2],
            (0..16).collect(),
            vec![0; 16],
            vec![7; 8],
            vec![0, 1],
            (0..64u32).map(|x| ((x * x * x + (x >> 2) * 5) & 63) as u16).collect(),
            (0..32u16).map(|x| (x * x) & 7).collect(),
        ];
        for values in tables {
            let sbox = SBox::new(6, values).unwrap();
            let mut expected = BTreeMap::new();
            for mask in 1..sbox.outputs() as u16 {
                *expected.entry(sbox.component(mask).unwrap().anf().degree()).or_insert(0u64) += 1;
            }
            assert_eq!(sbox.component_degrees(), expected);
            assert_eq!(Some(&sbox.degree()), expected.keys().last());
        }
    }

    #[test]
    fn inverses_of_permutations() {
        let sbox = SBox::from_values(vec![2, 0, 3, 1, 6, 7, 4, 5]).unwrap();
        let inverse = sbox.inverse().unwrap();
        assert!((0..8).all(|x| inverse.values()[usize::from(sbox.values()[x])] == x as u16));
        assert!(sbox.is_balanced());
        assert_eq!(SBox::from_values((0..8).collect()).unwrap().fixed_points().count(), 8);
        // A linear permutation returns every boomerang.
        assert_eq!(SBox::from_values((0..8).collect()).unwrap().boomerang_uniformity(), Ok(8));
    }
}
