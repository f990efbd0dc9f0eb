//! The fixed polarity in which a function's polynomial has the fewest terms, as an operation.

use std::ops::Range;

use manycore_device::DeviceSet;
use manycore_operation::json::Json;
use manycore_operation::vector::{NumberType, Vector};
use manycore_operation::verify::{CheckError, Outcome, Passed, polarity as verify};
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, Splits, Value,
    ValueError, read,
};

use super::options::direction_name;
use super::runs::Runs;
use crate::error::SpectralError;
use crate::{Direction, polarity};

const DECLARATION: Declaration = Declaration {
    name: "spectrum polarities",
    title: "The fixed polarity in which a function's polynomial has the fewest terms",
    about: "\
The fixed polarity in which a function's polynomial has the fewest terms

In a polynomial of fixed polarity each of the n variables stands either plain or complemented throughout, complemented at the \
set bits of the polarity. The terms of all 2^n polarities are counted in 3^n operations on the host's threads. The result is \
the best polarity, the least of several, and the number of its terms; with --all every polarity and its terms, one a line; \
with --json one object with all of it.",
    help: "\
--verify counts the terms of every polarity again, by the halves of the function, which takes longer than the first count; no \
wrong count passes.

Examples:
  echo 1 0 0 0 | manycore spectrum polarities -
  manycore spectrum polarities x.txt --arithmetic --all",
    step: "counting the terms",
    inputs: &[Input::bits("file", "FILE", "The values of one function, 2^n of them: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input")],
    options: &[
        DeclaredOption::flag("arithmetic", "Arithmetic polynomials of integer values, instead of Reed-Muller polynomials of the values 0 and 1"),
        DeclaredOption::flag("all", "Every polarity and its terms, a line each, instead of the best one alone"),
    ],
    no_array: Some("a list of polarities"),
    splits: Some(Splits::Own),
    ..Declaration::BASE
};

/// The number of blocks of polarities that parts of the work are cut at, or single polarities where there are fewer: the smaller a block,
/// the more of the work is repeated in several parts.
pub const BLOCKS: usize = 256;

/// A function, in the form that its transform takes.
enum Function {
    Boolean(Vec<u8>),
    Integer(Vec<i64>),
}

impl Function {
    fn read(arguments: &Arguments, files: &mut dyn Files) -> Result<Self, OperationError> {
        if !arguments.is_given("arithmetic") {
            return Ok(Self::Boolean(read::bits(files, 0)?));
        }
        match read::vector(files, 0, Some(NumberType::I64))? {
            Vector::I64(values) => Ok(Self::Integer(values)),
            other => {
                let message = format!("{}: {} values are no integers", files.name(0), other.number_type());
                Err(OperationError::usage(message))
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Boolean(bits) => bits.len(),
            Self::Integer(values) => values.len(),
        }
    }

    /// The terms of every polarity.
    fn terms(&self) -> Result<Vec<u32>, SpectralError> {
        match self {
            Self::Boolean(bits) => terms_of_bits(bits),
            Self::Integer(values) => terms_of_integers(values),
        }
    }

    /// The terms of a range of polarities.
    fn terms_within(&self, range: &Range<usize>) -> Result<Vec<u32>, SpectralError> {
        match self {
            Self::Boolean(bits) => within(bits, range, |a, b| a ^ b, terms_of_bits),
            // Sums of values of any signs are within 64 bits, which was looked at before.
            Self::Integer(values) => within(values, range, i64::wrapping_sub, terms_of_integers),
        }
    }

    fn check(&self, terms: &[u32]) -> Outcome {
        match self {
            Self::Boolean(bits) => verify::reed_muller(bits, terms),
            Self::Integer(values) => verify::arithmetic(values, terms),
        }
    }
}

fn terms_of_bits(bits: &[u8]) -> Result<Vec<u32>, SpectralError> {
    Ok(polarity::reed_muller(&packed(bits), bits.len().ilog2())?.terms().to_vec())
}

fn terms_of_integers(values: &[i64]) -> Result<Vec<u32>, SpectralError> {
    Ok(polarity::arithmetic(values)?.terms().to_vec())
}

/// The terms of the polarities of a range: of blocks of `2^k` neighbours, the largest that fit, in each of which the variables above `k`
/// have one polarity.
fn within<T: Copy>(
    x: &[T],
    range: &Range<usize>,
    difference: impl Fn(T, T) -> T,
    terms: impl Fn(&[T]) -> Result<Vec<u32>, SpectralError>,
) -> Result<Vec<u32>, SpectralError> {
    let (mut first, mut all) = (range.start, Vec::with_capacity(range.len()));
    while first < range.end {
        let fits = (range.end - first).ilog2();
        let aligned = if first == 0 { usize::BITS - 1 } else { first.trailing_zeros() };
        let block = 1 << fits.min(aligned).min(x.len().ilog2());
        // Coefficients without a variable are those of the half of its polarity, those with it those of the difference.
        let (mut parts, mut len) = (x.to_vec(), x.len());
        while len > block {
            let half = len / 2;
            for part in parts.chunks_exact_mut(len) {
                for at in 0..half {
                    let (plain, complemented) = (part[at], part[half + at]);
                    part[at] = if first & half == 0 { plain } else { complemented };
                    part[half + at] = difference(complemented, plain);
                }
            }
            len = half;
        }
        let mut sums = vec![0; block];
        for part in parts.chunks_exact(block) {
            sums.iter_mut().zip(terms(part)?).for_each(|(sum, more)| *sum += more);
        }
        all.extend(sums);
        first += block;
    }
    Ok(all)
}

/// The terms of polarities as a result: the best polarity, the least of several, and the number of its terms, or every one.
pub fn value(terms: &[u32], is_all: bool) -> Value {
    let by_terms = terms.iter().zip(0u64..).map(|(&terms, polarity)| (terms, polarity));
    let (best, polarity) = by_terms.min().unwrap_or((0, 0));
    let lines: Vec<String> = if is_all {
        terms.iter().enumerate().map(|(polarity, terms)| format!("{polarity} {terms}\n")).collect()
    } else {
        vec![format!("{polarity} {best}\n")]
    };
    let json = [("polarity", polarity.into()), ("terms", best.into()), ("all", Json::from(terms.to_vec()))];
    Value::Shown { text: lines.concat(), json: json.into_iter().collect() }
}

/// Checks the terms of all polarities of the function of a call.
///
/// # Errors
/// What is wrong with the input; the difference of wrong terms.
pub fn check(arguments: &Arguments, files: &mut dyn Files, terms: &[u32]) -> Result<Passed, OperationError> {
    Ok(Function::read(arguments, files)?.check(terms)?)
}

/// The operation.
pub(super) struct BestPolarity;

impl Operation for BestPolarity {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let function = Function::read(arguments, files)?;
        let len = function.len();
        let runs = Runs::new(files.name(0), None, len)?;
        if let Function::Integer(values) = &function {
            // Every coefficient of every polarity is a sum of some of them with signs.
            let bound = values.iter().map(|&value| i128::from(value.unsigned_abs())).sum::<i128>();
            if bound > i64::MAX.into() {
                return Err(ValueError::Sums { file: runs.file, bound }.into());
            }
        }
        let blocks = len.min(BLOCKS);
        let part = files.part(blocks);
        let range = part.start * (len / blocks)..part.end * (len / blocks);
        Ok(Box::new(Call { function, range, is_all: arguments.is_given("all"), terms: Vec::new() }))
    }
}

/// A call.
struct Call {
    function: Function,
    /// The polarities whose terms are counted here.
    range: Range<usize>,
    is_all: bool,
    terms: Vec<u32>,
}

impl Job for Call {
    fn is_on_host(&self) -> bool {
        true
    }

    fn is_waited_for(&self) -> bool {
        true
    }

    fn compute(&mut self, _: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let is_whole = self.range.len() == self.function.len();
        self.terms = if is_whole { self.function.terms()? } else { self.function.terms_within(&self.range)? };
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        if self.range.len() < self.function.len() {
            let relation = "that the terms of all polarities are there".to_owned();
            return Err(CheckError::Relation { relation }.into());
        }
        Ok(self.function.check(&self.terms)?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let polynomial = if let Function::Integer(_) = self.function { "arithmetic" } else { "reed-muller" };
        let answer = Answer::of(value(&self.terms, self.is_all));
        let answer = answer.with("length", self.function.len()).with("transforms", 1);
        answer.with("direction", direction_name(Direction::Forward)).with("polynomial", polynomial)
    }
}

/// Bits 64 a word.
fn packed(bits: &[u8]) -> Vec<u64> {
    let word = |bits: &[u8]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    bits.chunks(64).map(word).collect()
}

#[cfg(test)]
mod tests {
    use manycore_operation::verify::SplitMix;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn terms_of_ranges_are_those_of_all(n in 0u32..8, from in 0usize..200, to in 0usize..200, seed: u64) {
            let mut random = SplitMix::new(seed);
            let len = 1usize << n;
            let range = from.min(len)..to.min(len).max(from.min(len));
            let bits = Function::Boolean((0..len).map(|_| (random.next_word() >> 63) as u8).collect());
            prop_assert_eq!(&bits.terms_within(&range).unwrap()[..], &bits.terms().unwrap()[range.clone()]);
            let values = Function::Integer((0..len).map(|_| random.next_word() as i64 >> 62).collect());
            prop_assert_eq!(&values.terms_within(&range).unwrap()[..], &values.terms().unwrap()[range]);
        }
    }

    #[test]
    fn bits_are_packed_lowest_first() {
        assert_eq!(packed(&[1, 0, 0, 1, 1, 1, 0, 1]), [0xB9]);
        let mut bits = [0; 128];
        (bits[63], bits[64]) = (1, 1);
        assert_eq!(packed(&bits), [1 << 63, 1]);
    }
}
