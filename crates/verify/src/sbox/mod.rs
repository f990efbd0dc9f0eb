//! The checks of S-boxes: tables and figures, computed again row after row by plain loops on the host and compared at every place.
//!
//! An S-box comes as its outputs, `S(0)` first. Row `a` of the linear approximation table is the Walsh transform of the sums of
//! `(-1)^(a . x)` over the inputs of each output; row `a` of the difference distribution table counts `S(x) + S(x + a)`.

mod facts;
mod figures;

use std::ops::{Range, RangeBounds};

use manycore_arrays::range;

pub use facts::Facts;
pub use figures::check_figures;

use crate::boolean_function::loops::walsh_i32;
use crate::threads::{each_run, levels};
use crate::{CheckError, Outcome, Passed, reserved};

/// The most input bits, and the most output bits.
const MOST_BITS: u32 = 16;

/// The bits of inputs and outputs.
#[derive(Debug, Clone, Copy)]
struct Bits {
    input: u32,
    output: u32,
}

impl Bits {
    /// # Errors
    /// [`CheckError::Shape`] for outputs that are no S-box of 1 to 16 bits.
    fn new(output: u32, outputs: &[u16]) -> Result<Self, CheckError> {
        let len = outputs.len();
        let input = if len.is_power_of_two() { len.ilog2() } else { 0 };
        let fits = |bits: u32| (1..=MOST_BITS).contains(&bits);
        if !fits(input) || !fits(output) || outputs.iter().any(|&y| u32::from(y) >> output != 0) {
            return Err(CheckError::Shape { what: format!("an S-box of {len} outputs of {output} bits") });
        }
        Ok(Self { input, output })
    }

    fn inputs(self) -> usize {
        1 << self.input
    }

    fn outputs(self) -> usize {
        1 << self.output
    }
}

/// Whether `table` holds these rows of the linear approximation table of the S-box with these outputs:
/// `W(a, b) = sum over x of (-1)^(a . x + b . S(x))` in row `a` and column `b`. No wrong table passes. A row takes `n 2^n`
/// additions.
///
/// ```
/// use manycore_verify::sbox;
/// assert!(sbox::check_linear_table(1, &[1, 0], 0..2, &[2, 0, 0, -2]).is_ok());
/// assert!(sbox::check_linear_table(1, &[1, 0], 0..2, &[2, 0, 0, 2]).is_err());
/// ```
///
/// # Errors
/// [`CheckError::Length`] and [`CheckError::Value`] for a wrong table, the run being the row's place among the rows;
/// [`CheckError::Shape`] for outputs that are no S-box of 1 to 16 bits or rows that its tables lack; [`CheckError::TooLarge`].
pub fn check_linear_table(output_bits: u32, outputs: &[u16], rows: impl RangeBounds<usize>, table: &[i32]) -> Outcome {
    let bits = Bits::new(output_bits, outputs)?;
    let work = bits.inputs() + bits.outputs() * bits.output as usize;
    check_rows(bits, range(&rows, bits.inputs()), table, work, |a, row| {
        row.fill(0);
        for (x, &y) in outputs.iter().enumerate() {
            row[usize::from(y)] += if (x & a).count_ones() % 2 == 1 { -1 } else { 1 };
        }
        walsh_i32(row);
    })?;
    Ok(Passed::by_second_computation("every entry by a second computation of its row"))
}

/// Whether `table` holds these rows of the difference distribution table of the S-box with these outputs:
/// `#{x : S(x) + S(x + a) = b}` in row `a` and column `b`. No wrong table passes. A row takes `2^m` look-ups.
///
/// # Errors
/// As [`check_linear_table`].
pub fn check_difference_table(
    output_bits: u32,
    outputs: &[u16],
    rows: impl RangeBounds<usize>,
    table: &[i32],
) -> Outcome {
    let bits = Bits::new(output_bits, outputs)?;
    check_rows(bits, range(&rows, bits.inputs()), table, bits.inputs() + bits.outputs(), |a, row| {
        count_differences(outputs, a, row);
    })?;
    Ok(Passed::by_second_computation("every entry by a second count of its row"))
}

/// Whether `table` holds these rows of the boomerang connectivity table of the permutation with these outputs:
/// `#{x : S^-1(S(x) + b) + S^-1(S(x + a) + b) = a}` in row `a` and column `b`, by this definition. No wrong table passes. A row of a
/// permutation of `n` bits takes `2^(2n)` steps ([`boomerang_seconds`]).
///
/// ```
/// use manycore_verify::sbox;
/// assert!(sbox::check_boomerang_table(&[1, 0], 1..2, &[2, 2]).is_ok());
/// assert!(sbox::check_boomerang_table(&[1, 0], 1..2, &[2, 0]).is_err());
/// ```
///
/// # Errors
/// As [`check_linear_table`]; [`CheckError::Shape`] for outputs that are no permutation, too.
pub fn check_boomerang_table(outputs: &[u16], rows: impl RangeBounds<usize>, table: &[i32]) -> Outcome {
    let no_permutation = || CheckError::Shape { what: format!("a permutation of {} outputs", outputs.len()) };
    let bits = Bits::new(outputs.len().checked_ilog2().unwrap_or(0), outputs)?;
    let mut inverse: Vec<Option<u16>> = reserved(bits.inputs())?;
    inverse.resize(bits.inputs(), None);
    for (x, &y) in outputs.iter().enumerate() {
        if inverse[usize::from(y)].replace(x as u16).is_some() {
            return Err(no_permutation());
        }
    }
    let inverse: Vec<u16> = inverse.into_iter().flatten().collect();
    let work = bits.inputs() * bits.inputs();
    check_rows(bits, range(&rows, bits.inputs()), table, work, |a, row| {
        for (b, count) in row.iter_mut().enumerate() {
            let back = |x: usize| inverse[usize::from(outputs[x]) ^ b];
            *count = (0..outputs.len()).filter(|&x| usize::from(back(x) ^ back(x ^ a)) == a).count() as i32;
        }
    })?;
    Ok(Passed::by_second_computation("every entry by a second count of its boomerangs"))
}

/// An estimate of the seconds that [`check_boomerang_table`] takes for `rows` rows of a permutation of `bits` bits.
pub fn boomerang_seconds(bits: u32, rows: usize) -> f64 {
    STEP_SECONDS * rows as f64 * f64::from(2 * bits).exp2() / f64::from(1 << levels())
}

/// Seconds of a step of the definition on one thread, measured on an AMD EPYC of 2 threads.
const STEP_SECONDS: f64 = 1.5e-9;

/// The number of inputs of each output difference with the input difference `a`.
fn count_differences<T: Copy + Default + std::ops::AddAssign + From<u8>>(outputs: &[u16], a: usize, row: &mut [T]) {
    row.fill(T::default());
    for (x, y) in outputs.iter().enumerate() {
        row[usize::from(y ^ outputs[x ^ a])] += T::from(1);
    }
}

/// Compares rows with those that `make` writes, of about `work` operations each.
fn check_rows(
    bits: Bits,
    rows: Range<usize>,
    table: &[i32],
    work: usize,
    make: impl Fn(usize, &mut [i32]) + Sync,
) -> Result<(), CheckError> {
    if rows.start > rows.end || rows.end > bits.inputs() {
        return Err(CheckError::Shape { what: format!("rows {rows:?} of a table of {}", bits.inputs()) });
    }
    let (count, columns) = (rows.len(), bits.outputs());
    if table.len() != count * columns {
        return Err(CheckError::Length { found: table.len(), expected: count * columns });
    }
    each_run(count, work, |run| {
        let mut right = reserved(columns)?;
        right.resize(columns, 0);
        make(rows.start + run, &mut right);
        let found = &table[run * columns..][..columns];
        match (0..columns).find(|&index| found[index] != right[index]) {
            None => Ok(()),
            Some(index) => Err(CheckError::Value {
                run,
                index,
                found: found[index].to_string(),
                expected: right[index].to_string(),
            }),
        }
    })
}

/// The Walsh transform of signs, at most 2^16: in 16 bits as long as sums fit, which compilers make the most of.
fn walsh_of_signs(signs: &mut [i16], out: &mut Vec<i32>) {
    /// The most signs whose sums fit 16 bits.
    const SHORT: usize = 1 << 14;
    let len = signs.len();
    let mut half = 1;
    while half < len.min(SHORT) {
        for block in signs.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            low.iter_mut().zip(high).for_each(|(u, v)| (*u, *v) = (*u + *v, *u - *v));
        }
        half *= 2;
    }
    out.clear();
    out.extend(signs.iter().map(|&sum| i32::from(sum)));
    while half < len {
        for block in out.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            low.iter_mut().zip(high).for_each(|(u, v)| (*u, *v) = (*u + *v, *u - *v));
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests;
