//! Figures of an S-box, computed again row after row by plain loops.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::{Bits, walsh_of_signs};
use crate::compared::compare;
use crate::threads::each_run;
use crate::{CheckError, Outcome, Passed, reserved};

/// All figures of an S-box `S` from `m` to `n` bits, with the linear approximations `W(a, b) = sum over x of (-1)^(a .
/// x + b . S(x))` and the differences `D(a, b) = #{x : S(x) + S(x + a) = b}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// `m`.
    pub input_bits: u32,
    /// `n`.
    pub output_bits: u32,
    /// Whether every number of `m` bits is the output of one input.
    pub permutation: bool,
    /// Whether every output has equally many inputs.
    pub balanced: bool,
    /// The number of `x` with `S(x) = x`.
    pub fixed_points: usize,
    /// The largest algebraic degree of a component function, 0 for constants.
    pub degree: u32,
    /// The number of component functions, with masks other than 0, of each degree.
    pub component_degrees: BTreeMap<u32, u64>,
    /// The largest `|W(a, b)|` with `b` other than 0.
    pub linearity: u64,
    /// Its place `(a, b)`: the least `b`, and the least `a` for it.
    pub linearity_at: (u16, u16),
    /// `(2^m - linearity) / 2`.
    pub nonlinearity: u64,
    /// The least number of ones in `a` and `b` together, not both 0, with `W(a, b)` other than 0.
    pub linear_branch_number: u32,
    /// The largest `D(a, b)` with `a` other than 0.
    pub differential_uniformity: u64,
    /// Its place `(a, b)`: the least `a`, and the least `b` for it.
    pub uniformity_at: (u16, u16),
    /// The least number of ones in `a` and `b` together, `a` other than 0, with `D(a, b)` other than 0.
    pub differential_branch_number: u32,
    /// The largest number of `x` with `S^-1(S(x) + b) + S^-1(S(x + a) + b) = a`, over `a` and `b` other than 0; `None` where it was
    /// not computed.
    pub boomerang_uniformity: Option<u32>,
    /// The multiplicity of each `W(a, b)`.
    pub walsh: BTreeMap<i64, u64>,
    /// The multiplicity of each `D(a, b)`.
    pub differences: BTreeMap<i64, u64>,
}

impl Facts {
    /// The facts of the S-box with these outputs; the boomerang uniformity of permutations of at most `boomerang_bits` bits, the
    /// most 16. `m 2^(m+n)` additions and `2^(2m)` look-ups.
    ///
    /// # Errors
    /// [`CheckError::Shape`] for outputs that are no S-box of 1 to 16 bits; [`CheckError::TooLarge`].
    pub fn of(output_bits: u32, outputs: &[u16], boomerang_bits: u32) -> Result<Self, CheckError> {
        let bits = Bits::new(output_bits, outputs)?;
        let (linear, differences) = (linear(bits, outputs)?, differences(bits, outputs)?);
        let mut preimages = vec![0usize; bits.outputs()];
        for &y in outputs {
            preimages[usize::from(y)] += 1;
        }
        let permutation = bits.input == bits.output && preimages.iter().all(|&count| count == 1);
        let component_degrees = component_degrees(bits, outputs);
        let small = permutation && bits.input <= boomerang_bits;
        Ok(Self {
            input_bits: bits.input,
            output_bits,
            permutation,
            balanced: preimages.iter().all(|&count| count == preimages[0]),
            fixed_points: outputs.iter().enumerate().filter(|&(x, &y)| x == usize::from(y)).count(),
            degree: component_degrees.keys().copied().max().unwrap_or(0),
            component_degrees,
            linearity: linear.most,
            linearity_at: (linear.at.1, linear.at.0),
            nonlinearity: (bits.inputs() as u64 - linear.most) / 2,
            linear_branch_number: linear.branch,
            differential_uniformity: differences.most,
            uniformity_at: differences.at,
            differential_branch_number: differences.branch,
            boomerang_uniformity: if small { Some(boomerang(outputs)?) } else { None },
            walsh: linear.histogram(),
            differences: differences.histogram(),
        })
    }

    /// Whether these are the facts of the S-box with these outputs, with the boomerang uniformity of permutations of at most
    /// `boomerang_bits` bits. No wrong ones pass.
    ///
    /// # Errors
    /// [`CheckError::Relation`] with the first wrong one; as [`Facts::of`].
    pub fn check(&self, output_bits: u32, outputs: &[u16], boomerang_bits: u32) -> Outcome {
        let right = Self::of(output_bits, outputs, boomerang_bits)?;
        compare!(
            self,
            right,
            input_bits,
            output_bits,
            permutation,
            balanced,
            fixed_points,
            degree,
            component_degrees,
            linearity,
            linearity_at,
            nonlinearity,
            linear_branch_number,
            differential_uniformity,
            uniformity_at,
            differential_branch_number,
            boomerang_uniformity,
            walsh,
            differences
        );
        Ok(Passed::by_second_computation("every fact from a second computation of both tables"))
    }
}

/// Figures of rows of a table.
struct Rows {
    /// The multiplicity of each entry, from `-offset` on.
    counts: Vec<u64>,
    offset: i64,
    /// The largest absolute value in rows other than 0.
    most: u64,
    /// Its row and column.
    at: (u16, u16),
    /// The least number of ones in row and column of an entry other than 0, in rows other than 0.
    branch: u32,
}

impl Rows {
    fn new(least: i64, most: i64) -> Result<Self, CheckError> {
        let len = (most - least + 1) as usize;
        let mut counts = reserved(len)?;
        counts.resize(len, 0);
        Ok(Self { counts, offset: -least, most: 0, at: (0, 0), branch: u32::MAX })
    }

    /// Adds a row that comes after those that were added.
    fn add(&mut self, row: usize, entries: impl Iterator<Item = i64>) {
        for (column, entry) in entries.enumerate() {
            self.counts[(entry + self.offset) as usize] += 1;
            if row == 0 || entry == 0 {
                continue;
            }
            if entry.unsigned_abs() > self.most {
                (self.most, self.at) = (entry.unsigned_abs(), (row as u16, column as u16));
            }
            self.branch = self.branch.min(row.count_ones() + column.count_ones());
        }
    }

    /// Adds other rows.
    fn join(&mut self, other: &Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        let key = |rows: &Self| (rows.most, std::cmp::Reverse(rows.at));
        if key(other) > key(self) {
            (self.most, self.at) = (other.most, other.at);
        }
        self.branch = self.branch.min(other.branch);
    }

    fn histogram(&self) -> BTreeMap<i64, u64> {
        (-self.offset..)
            .zip(&self.counts)
            .filter(|(_, count)| **count > 0)
            .map(|(entry, &count)| (entry, count))
            .collect()
    }
}

/// Rows of a table in blocks, on several threads.
fn in_blocks(
    rows: usize,
    values_each: usize,
    (least, most): (i64, i64),
    block: impl Fn(std::ops::Range<usize>, &mut Rows) -> Result<(), CheckError> + Sync,
) -> Result<Rows, CheckError> {
    /// Blocks, so that few lists of counts are joined.
    const BLOCKS: usize = 16;
    let each = rows.div_ceil(BLOCKS);
    let sum = Mutex::new(Rows::new(least, most)?);
    each_run(rows.div_ceil(each), each * values_each, |at| {
        let mut own = Rows::new(least, most)?;
        block(at * each..((at + 1) * each).min(rows), &mut own)?;
        sum.lock().unwrap_or_else(PoisonError::into_inner).join(&own);
        Ok(())
    })?;
    Ok(sum.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The linear approximations with the output mask as the row.
fn linear(bits: Bits, outputs: &[u16]) -> Result<Rows, CheckError> {
    let most = bits.inputs() as i64;
    in_blocks(bits.outputs(), bits.inputs(), (-most, most), |rows, counted| {
        let (mut signs, mut row) = (reserved(bits.inputs())?, reserved(bits.inputs())?);
        for b in rows {
            signs.clear();
            signs.extend(outputs.iter().map(|&y| if (usize::from(y) & b).count_ones() % 2 == 1 { -1i16 } else { 1 }));
            walsh_of_signs(&mut signs, &mut row);
            counted.add(b, row.iter().map(|&w| w.into()));
        }
        Ok(())
    })
}

/// The differences with the input difference as the row.
fn differences(bits: Bits, outputs: &[u16]) -> Result<Rows, CheckError> {
    in_blocks(bits.inputs(), bits.inputs().max(bits.outputs()), (0, bits.inputs() as i64), |rows, counted| {
        let mut counts = reserved(bits.outputs())?;
        counts.resize(bits.outputs(), 0u32);
        for a in rows {
            super::count_differences(outputs, a, &mut counts);
            counted.add(a, counts.iter().map(|&count| count.into()));
        }
        Ok(())
    })
}

/// Each component's degree from the normal forms of all coordinates, whose bit `i` of word `u` is the coefficient of the product
/// of the variables in `u` in coordinate `i`: the most ones of a `u` whose word has an odd number of ones within the mask.
fn component_degrees(bits: Bits, outputs: &[u16]) -> BTreeMap<u32, u64> {
    let mut forms = outputs.to_vec();
    crate::boolean_function::loops::transform(&mut forms, |low, high| *high ^= *low);
    let mut terms: Vec<(u32, u16)> =
        (0u32..).zip(forms).filter(|(_, word)| *word != 0).map(|(u, word)| (u.count_ones(), word)).collect();
    terms.sort_unstable_by(|a, b| b.cmp(a));
    terms.dedup();
    let mut counts = BTreeMap::new();
    for mask in 1..bits.outputs() {
        let odd = terms.iter().find(|(_, word)| (usize::from(*word) & mask).count_ones() % 2 == 1);
        *counts.entry(odd.map_or(0, |(degree, _)| *degree)).or_default() += 1;
    }
    counts
}

/// The boomerang uniformity of a permutation: for an output difference `b`, the input difference `a` returns at `x` where
/// `S^-1(S(x) + b) + x` is the same at `x` and at `x + a`; so pairs of inputs of one such sum are counted by their difference.
fn boomerang(outputs: &[u16]) -> Result<u32, CheckError> {
    let len = outputs.len();
    let mut inverse = vec![0u16; len];
    outputs.iter().enumerate().for_each(|(x, &y)| inverse[usize::from(y)] = x as u16);
    let largest = Mutex::new(0);
    each_run(len - 1, len * len / 4, |run| {
        let b = run + 1;
        let mut by_sum: Vec<(u16, u16)> =
            (0..len).map(|x| (inverse[usize::from(outputs[x]) ^ b] ^ x as u16, x as u16)).collect();
        by_sum.sort_unstable();
        let mut counts = vec![0u32; len];
        for same in by_sum.chunk_by(|x, y| x.0 == y.0) {
            for &(_, x) in same {
                for &(_, y) in same {
                    counts[usize::from(x ^ y)] += 1;
                }
            }
        }
        let most = counts[1..].iter().copied().max().unwrap_or(0);
        let mut largest = largest.lock().unwrap_or_else(PoisonError::into_inner);
        *largest = most.max(*largest);
        Ok::<(), CheckError>(())
    })?;
    Ok(largest.into_inner().unwrap_or_else(PoisonError::into_inner))
}
