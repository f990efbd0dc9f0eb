//! The plain loops of transforms on bits of the index, one pair of values after the other; packed functions.

use crate::CheckError;
use crate::threads::{join, levels};

/// Values that are transformed bit after bit, since they fit the nearest cache; more are halved first.
const LEAF: usize = 1 << 12;

/// For each bit of the index, `step` on each pair of values whose indices differ in that bit. The number of values is a power of
/// two.
pub(crate) fn transform<T: Copy + Send>(values: &mut [T], step: impl Fn(&mut T, &mut T) + Sync) {
    part(levels(), values, &step);
}

fn part<T: Copy + Send>(levels: u32, values: &mut [T], step: &(impl Fn(&mut T, &mut T) + Sync)) {
    let len = values.len();
    if len <= LEAF {
        let mut half = 1;
        while half < len {
            for block in values.chunks_exact_mut(2 * half) {
                pairs(0, block, step);
            }
            half *= 2;
        }
        return;
    }
    let (low, high) = values.split_at_mut(len / 2);
    join(levels, len, |levels| part(levels, low, step), |levels| part(levels, high, step));
    pairs(levels, values, step);
}

/// The step on the pairs of the highest bit.
fn pairs<T: Copy + Send>(levels: u32, block: &mut [T], step: &(impl Fn(&mut T, &mut T) + Sync)) {
    fn between<T: Copy + Send>(levels: u32, low: &mut [T], high: &mut [T], step: &(impl Fn(&mut T, &mut T) + Sync)) {
        if levels == 0 {
            low.iter_mut().zip(high).for_each(|(low, high)| step(low, high));
            return;
        }
        let (len, half) = (low.len(), low.len() / 2);
        let ((a, b), (c, d)) = (low.split_at_mut(half), high.split_at_mut(half));
        join(levels, 2 * len, |levels| between(levels, a, c, step), |levels| between(levels, b, d, step));
    }
    let (low, high) = block.split_at_mut(block.len() / 2);
    between(levels, low, high, step);
}

/// The step of the Walsh transform: sum and difference.
macro_rules! walsh {
    ($name:ident, $type:ty) => {
        pub(crate) fn $name(values: &mut [$type]) {
            transform(values, |low, high| (*low, *high) = (*low + *high, *low - *high));
        }
    };
}

walsh!(walsh_i32, i32);
walsh!(walsh_i64, i64);

/// The most variables of spectra: squares of the coefficients sum up to `4^n`, which 64-bit integers hold.
pub const MOST_SPECTRAL_VARIABLES: u32 = 30;

/// A truth table or the coefficients of a normal form: value `i` is bit `i % 64` of word `i / 64`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed<'a> {
    pub(crate) variables: u32,
    words: &'a [u64],
}

impl<'a> Packed<'a> {
    /// # Errors
    /// [`CheckError::Shape`] for another number of words than `max(1, 2^variables / 64)`, or ones past the last value.
    pub(crate) fn new(variables: u32, words: &'a [u64]) -> Result<Self, CheckError> {
        let len = 1u64.checked_shl(variables.saturating_sub(6));
        let past = if variables < 6 { words.first().map_or(0, |word| word >> (1u32 << variables)) } else { 0 };
        if len != Some(words.len() as u64) || past != 0 {
            return Err(CheckError::Shape {
                what: format!("a function of {variables} variables in {} words", words.len()),
            });
        }
        Ok(Self { variables, words })
    }

    /// A function of so few variables that it has spectra.
    pub(super) fn spectral(variables: u32, words: &'a [u64]) -> Result<Self, CheckError> {
        if variables > MOST_SPECTRAL_VARIABLES {
            return Err(CheckError::Shape { what: format!("spectra of {variables} variables") });
        }
        Self::new(variables, words)
    }

    pub(crate) fn len(self) -> usize {
        1 << self.variables
    }

    pub(crate) fn bit(self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// The coefficients of the other form, value table or normal form: bit `u` is the sum of the bits whose indices are parts of
    /// `u`, by Moebius inversion: within words by shifts, then between words.
    pub(crate) fn moebius(self) -> Result<Vec<u64>, CheckError> {
        /// The bits of a word whose index has bit `k` unset.
        const LOW: [u64; 6] = [
            0x5555_5555_5555_5555,
            0x3333_3333_3333_3333,
            0x0f0f_0f0f_0f0f_0f0f,
            0x00ff_00ff_00ff_00ff,
            0x0000_ffff_0000_ffff,
            0x0000_0000_ffff_ffff,
        ];
        let within = |word: u64| {
            (0..self.variables.min(6)).fold(word, |word, bit| word ^ (word & LOW[bit as usize]) << (1u32 << bit))
        };
        let mut words = crate::collected(self.words.iter().map(|&word| within(word)))?;
        transform(&mut words, |low, high| *high ^= *low);
        Ok(words)
    }
}
